"""Compressing, decompressing, and reading parts of a frame."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, Protocol, cast

from gsst import _codec
from gsst._options import FORMAT_NAMES, Checksum, Format, checksum_number, format_number, number

if TYPE_CHECKING:
    from typing_extensions import Buffer


class Tensor(Protocol):
    """Memory that says on which device it is, and gives itself away without a copy: the DLPack protocol."""

    @property
    def __dlpack__(self) -> Callable[..., Any]: ...

    def __dlpack_device__(self) -> tuple[int, int]: ...


class Array(Protocol):
    """An array of NumPy. Its types say that it is a buffer from Python 3.12 on only."""

    @property
    def __array_interface__(self) -> dict[str, Any]: ...


Layout = Literal["raw", "narrow", "wide"]
_LAYOUTS: tuple[Layout, ...] = ("raw", "narrow", "wide")


@dataclass(frozen=True)
class FrameInfo:
    """What a frame says of itself. Sizes are in bytes."""

    compressed_bytes: int
    uncompressed_bytes: int
    block_count: int
    block_bytes: int
    """Uncompressed bytes of each block but the last; 0 for format fsst, which does not store it."""
    splits: int
    """Splits of each block; 1 for formats that have none."""
    format: Format


@dataclass(frozen=True)
class BlockInfo:
    """Where a block is, in bytes from the start of the frame and of the decompressed data."""

    compressed_offset: int
    compressed_bytes: int
    uncompressed_offset: int
    uncompressed_bytes: int
    layout: Layout


@dataclass(frozen=True)
class ReadInfo:
    """What was decoded for a list of ranges."""

    blocks: int
    parts: int
    """Splits, strips of format tiles, else whole blocks."""
    bytes: int
    """Uncompressed bytes of these parts, asked for or not."""


def _frame_info(fields: tuple[int, int, int, int, int, int]) -> FrameInfo:
    return FrameInfo(*fields[:5], format=FORMAT_NAMES[fields[5]])


class Frame:
    """A frame that has been checked, to be decompressed whole or in parts any number of times.

    `data` is any object with contiguous bytes, which it gives as a buffer or through `__dlpack__()` on the
    CPU; it is neither copied nor may it change. `format` refuses
    frames of another one; only for fsst it must be said. Without `verify` the stored checksums are not
    compared: ranges decode less then, and damage that still decodes goes unseen. Raises Error.
    """

    def __init__(
        self, data: Buffer | Tensor, *, format: Format | None = None, threads: int = 1, verify: bool = True
    ) -> None:
        self._plan = _codec.DecompressPlan(data, format_number(format), number("threads", threads), verify)
        self._info = _frame_info(self._plan.info())

    @property
    def info(self) -> FrameInfo:
        """What the frame says of itself."""
        return self._info

    def block(self, number: int) -> BlockInfo:
        """Where block `number` is, which counts from 0."""
        fields = self._plan.block(number)
        return BlockInfo(*fields[:4], layout=_LAYOUTS[fields[4]])

    def decompress(self) -> bytes:
        """All decompressed bytes."""
        return self._plan.decompress()

    def decompress_to_tensor(self) -> Tensor:
        """All decompressed bytes as a tensor of the CPU: one axis of unsigned bytes."""
        return cast(Tensor, self._plan.decompress_to_tensor())

    def decompress_into(self, output: Buffer | Array) -> None:
        """Writes all decompressed bytes to the start of `output`, which has room for them."""
        self._plan.decompress_into(output)

    def decompress_ranges(self, ranges: Iterable[tuple[int, int]]) -> list[bytes]:
        """The bytes of each range, which is an offset in the decompressed data and a number of bytes."""
        return self._plan.decompress_ranges(list(ranges))

    def decompress_ranges_into(
        self, ranges: Iterable[tuple[int, int, int]], output: Buffer | Array
    ) -> ReadInfo:
        """Writes the bytes of each range to its place in `output` and says what was decoded for them.

        A range is an offset in the decompressed data, a number of bytes and an offset in `output`.
        """
        return ReadInfo(*self._plan.decompress_ranges_into(list(ranges), output))


def compress(
    data: Buffer | Tensor,
    level: int | None = None,
    *,
    format: Format | None = None,
    block_bytes: int | None = None,
    splits: int | None = None,
    threads: int = 1,
    strip_codes: int | None = None,
    checksum: Checksum | None = None,
) -> bytes:
    """Compresses the bytes of `data`, any object with contiguous bytes, to a frame.

    It may give them as a buffer, or through `__dlpack__()` if they are in memory of the CPU.

    `level` is 1 (the default) to 9: more work for a smaller frame. Without `format` it is tiles.
    `block_bytes` is the size of a block, by default 4 MiB, or less for format tiles at levels 1 and 2, where
    the text changes. For formats splits and coalesced `splits` (default 128) says into how many pieces each
    is cut. For format tiles `strip_codes` (512, 1024 or 2048, the default) is the most codes of a piece:
    short ones read less for a range. `checksum` is "xxh64" or "xxh64-tree", which a GPU compares faster; the
    default is "xxh64-tree" for format tiles at levels 1 and 2, else "xxh64".
    Raises Error.
    """
    return _codec.compress(
        data,
        format_number(format),
        number("block_bytes", block_bytes, 2**64 - 1),
        number("splits", splits),
        number("level", level),
        number("threads", threads),
        number("strip_codes", strip_codes),
        checksum_number(checksum),
    )


def decompress(
    data: Buffer | Tensor, *, format: Format | None = None, threads: int = 1, verify: bool = True
) -> bytes:
    """Decompresses a frame. The arguments are those of Frame. Raises Error."""
    return Frame(data, format=format, threads=threads, verify=verify).decompress()


def decompress_to_tensor(
    data: Buffer | Tensor, *, format: Format | None = None, threads: int = 1, verify: bool = True
) -> Tensor:
    """Decompresses a frame to a tensor of the CPU. The arguments are those of Frame. Raises Error."""
    return Frame(data, format=format, threads=threads, verify=verify).decompress_to_tensor()


def decompress_ranges(
    data: Buffer | Tensor,
    ranges: Iterable[tuple[int, int]],
    *,
    format: Format | None = None,
    threads: int = 1,
    verify: bool = True,
) -> list[bytes]:
    """The bytes of each range of a frame; see Frame, which serves a second call faster. Raises Error."""
    return Frame(data, format=format, threads=threads, verify=verify).decompress_ranges(ranges)


def inspect(data: Buffer | Tensor) -> FrameInfo:
    """What a frame, which is not of format fsst, says of itself. Raises Error."""
    return _frame_info(_codec.inspect(data))
