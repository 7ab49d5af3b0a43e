"""FSST-compressed strings in formats for the GPU: the codec on the CPU."""

from gsst._codec import version as __version__
from gsst._column import ArrowArray, ArrowDeviceArray, Column, ColumnInfo, Strings, compress_column
from gsst._error import Error, ErrorCode
from gsst._file import open
from gsst._frame import (
    Array,
    BlockInfo,
    Frame,
    FrameInfo,
    ReadInfo,
    Tensor,
    compress,
    decompress,
    decompress_ranges,
    decompress_to_tensor,
    inspect,
)
from gsst._options import ALL_THREADS, Checksum, Format

__all__ = [
    "ALL_THREADS",
    "Array",
    "ArrowArray",
    "ArrowDeviceArray",
    "BlockInfo",
    "Checksum",
    "Column",
    "ColumnInfo",
    "Error",
    "ErrorCode",
    "Format",
    "Frame",
    "FrameInfo",
    "ReadInfo",
    "Strings",
    "Tensor",
    "__version__",
    "compress",
    "compress_column",
    "decompress",
    "decompress_ranges",
    "decompress_to_tensor",
    "inspect",
    "open",
]
