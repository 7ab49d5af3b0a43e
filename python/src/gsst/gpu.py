"""The codec on a GPU: tensors and Arrow arrays in its memory.

Only in packages that were built with CUDA; importing it says so where this one was not. Every call waits
until the GPU is done. Tensors are handed over as DLPack says for CUDA's legacy default stream.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from gsst._arrow import ArrowDeviceArray, Capsules, refuse_keywords
from gsst._column import Column
from gsst._error import Error, ErrorCode
from gsst._frame import Tensor
from gsst._options import Format, format_number, number

try:
    import gsst._gpu as _gpu
except ModuleNotFoundError as error:
    if error.name != "gsst._gpu":
        raise
    raise ImportError(
        "gsst.gpu is not in this package, which was built without CUDA; where nvcc is installed"
        " `pip install . --config-settings=cmake.define.GSST_CUDA=ON` builds it",
        name="gsst.gpu",
    ) from error

if TYPE_CHECKING:
    from typing_extensions import Buffer

__all__ = [
    "DeviceStrings",
    "compress",
    "compress_column",
    "compress_to_tensor",
    "decompress_column",
    "decompress_to_tensor",
    "device_count",
]

WrittenFormat = Literal["splits", "tiles"]
"""The formats that a GPU writes. It reads all but fsst."""


def device_count() -> int:
    """How many GPUs there are; 0 where there is no driver."""
    return _gpu.device_count()


def _options(
    format: WrittenFormat | None, block_bytes: int | None, splits: int | None, blocks_per_table: int | None
) -> tuple[int, int, int, int]:
    return (
        format_number(format),
        number("block_bytes", block_bytes, 2**64 - 1),
        number("splits", splits),
        number("blocks_per_table", blocks_per_table),
    )


def compress(
    data: Tensor,
    *,
    format: WrittenFormat | None = None,
    block_bytes: int | None = None,
    splits: int | None = None,
    blocks_per_table: int | None = None,
) -> bytes:
    """Compresses a contiguous tensor in memory of a GPU, there, and copies the frame to the host.

    Symbol tables are trained on the GPU. Without `format` it is tiles. `block_bytes` (default 1 MiB) is the
    size of a block. For format splits `splits` (default: pieces of 256 bytes) says into how many pieces each
    block is cut, and `blocks_per_table` (default 64) how many blocks share a symbol table. Raises Error.
    """
    return _gpu.compress(data, *_options(format, block_bytes, splits, blocks_per_table))


def compress_to_tensor(
    data: Tensor,
    *,
    format: WrittenFormat | None = None,
    block_bytes: int | None = None,
    splits: int | None = None,
    blocks_per_table: int | None = None,
) -> Tensor:
    """As compress(), and the frame stays in memory of the GPU: one axis of unsigned bytes."""
    return _gpu.compress_to_tensor(data, *_options(format, block_bytes, splits, blocks_per_table))


def decompress_to_tensor(
    frame: Buffer | Tensor, *, format: Format | None = None, verify: bool = True, device: int = 0
) -> Tensor:
    """Decompresses a frame on a GPU to a tensor there: one axis of unsigned bytes.

    A `frame` in memory of the host is copied to GPU number `device`. One in memory of a GPU is decompressed
    there; its bytes are copied to the host too, which checks them. `format` refuses frames of another one;
    fsst is for the CPU. Without `verify` the stored checksums are not compared. Raises Error.
    """
    return _gpu.decompress_to_tensor(frame, format_number(format), verify, device)


def compress_column(
    array: ArrowDeviceArray,
    *,
    format: WrittenFormat | None = None,
    block_bytes: int | None = None,
    splits: int | None = None,
    blocks_per_table: int | None = None,
    code_bits: Literal[8, 10, 12] | None = None,
) -> bytes:
    """Compresses an Arrow array of strings in memory of a GPU, nulls and slices included, to a column.

    `array` has type string, large_string, binary or large_binary. The options are those of compress(), and
    for format tiles `code_bits` (default 8): tables of 10 and 12 bits are trained on the CPU, from a sample.
    gsst.Column and decompress_column() read the column. Raises Error.
    """
    schema, data = array.__arrow_c_device_array__()
    options = _options(format, block_bytes, splits, blocks_per_table)
    return _gpu.compress_column(schema, data, *options, number("code_bits", code_bits))


class DeviceStrings:
    """Strings of a column, decompressed on a GPU each time that they are asked for as an Arrow array."""

    def __init__(self, column: Buffer, *, verify: bool, device: int) -> None:
        checked = Column(column, verify=verify)
        if checked.info.parts != 1:
            raise Error(
                ErrorCode.INVALID_ARGUMENT,
                f"the column has {checked.info.parts} parts, and a GPU decompresses one: compress"
                " an array, or combine the chunks of a series first",
            )
        self._count = len(checked)
        self._column = column
        self._verify = verify
        self._device = device

    def __len__(self) -> int:
        return self._count

    def __arrow_c_device_array__(self, requested_schema: object | None = None, **kwargs: object) -> Capsules:
        """A new array in memory of the GPU, of the column's type whatever was requested. Raises Error."""
        del requested_schema
        refuse_keywords(kwargs)
        return _gpu.decompress_column(self._column, self._verify, self._device)


def decompress_column(column: Buffer, *, verify: bool = True, device: int = 0) -> DeviceStrings:
    """The strings of a column, to be decompressed on GPU number `device`.

    `column` is neither copied nor may it change while the result is used. Without `verify` the stored
    checksums are not compared. Raises Error.
    """
    return DeviceStrings(column, verify=verify, device=device)
