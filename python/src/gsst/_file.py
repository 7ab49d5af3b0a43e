"""Frames as files of their decompressed bytes."""

from __future__ import annotations

import io
import os
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Literal, TypedDict, cast, overload

from gsst._frame import Frame, compress
from gsst._output_file import output_file

if TYPE_CHECKING:
    from types import TracebackType
    from typing import Unpack

    from typing_extensions import Buffer

    from gsst._options import Checksum, Format


class CompressOptions(TypedDict, total=False):
    """The options of compress(), but for the level."""

    format: Format
    block_bytes: int
    splits: int
    threads: int
    strip_codes: int
    checksum: Checksum


class _Reader(io.RawIOBase):
    """The decompressed bytes of a frame. A read decodes the blocks that it touches."""

    def __init__(self, frame: Frame) -> None:
        super().__init__()
        self._frame = frame
        self._position = 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = io.SEEK_SET, /) -> int:
        start = {
            io.SEEK_SET: 0,
            io.SEEK_CUR: self._position,
            io.SEEK_END: self._frame.info.uncompressed_bytes,
        }
        if whence not in start:
            raise ValueError(f"whence is {whence}, expected 0, 1 or 2")
        if start[whence] + offset < 0:
            raise ValueError(f"position {start[whence] + offset} is before the start")
        self._position = start[whence] + offset
        return self._position

    def readinto(self, buffer: Buffer, /) -> int:
        output = memoryview(buffer).cast("B")
        left = max(0, self._frame.info.uncompressed_bytes - self._position)
        bytes_read = min(len(output), left)
        if bytes_read:
            self._frame.decompress_ranges_into([(self._position, bytes_read, 0)], output)
        self._position += bytes_read
        return bytes_read


class _Writer(io.BytesIO):
    """Keeps what is written and compresses it to the file when it is closed."""

    def __init__(self, target: Path | BinaryIO, level: int | None, options: CompressOptions) -> None:
        super().__init__()
        self._target = target
        self._level = level
        self._options = options
        self._discarded = False

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        # What an exception cut short is not worth a file.
        self._discarded = kind is not None
        super().__exit__(kind, error, trace)

    def close(self) -> None:
        if self.closed:
            return
        try:
            if not self._discarded:
                with self.getbuffer() as written:
                    self._write(compress(written, self._level, **self._options))
        finally:
            super().close()

    def _write(self, frame: bytes) -> None:
        if not isinstance(self._target, Path):
            self._target.write(frame)
            return
        with output_file(self._target) as file:
            file.write(frame)


@overload
def open(file: str | os.PathLike[str] | BinaryIO, mode: Literal["r", "rb"] = "rb") -> io.BufferedReader: ...
@overload
def open(
    file: str | os.PathLike[str] | BinaryIO,
    mode: Literal["w", "wb"],
    level: int | None = None,
    **options: Unpack[CompressOptions],
) -> BinaryIO: ...
def open(
    file: str | os.PathLike[str] | BinaryIO,
    mode: Literal["r", "rb", "w", "wb"] = "rb",
    level: int | None = None,
    **options: Unpack[CompressOptions],
) -> io.BufferedReader | BinaryIO:
    """Opens a file that holds a frame as a file of the decompressed bytes.

    `file` is a path, or a binary file object from where it stands, such as one of fsspec: that stays open.
    "rb" reads, and seeks without decoding what is skipped; the compressed bytes and one block are in memory.
    "wb" takes the options of compress(), keeps all that is written in memory, and writes the file when it is
    closed; if a `with` block ends by an exception, it writes nothing. Raises Error and OSError.
    """
    target = Path(file) if isinstance(file, str | os.PathLike) else file
    if mode in ("w", "wb"):
        return cast(BinaryIO, _Writer(target, level, options))
    if mode not in ("r", "rb") or options or level is not None:
        raise ValueError(f"mode is {mode!r}, expected 'rb', or 'wb' with options of compress()")
    frame = Frame(target.read_bytes() if isinstance(target, Path) else target.read())
    # The only block of a short frame is no longer than that.
    buffer_size = max(1, min(frame.info.block_bytes, frame.info.uncompressed_bytes))
    return io.BufferedReader(_Reader(frame), buffer_size=buffer_size)
