"""FSST-compressed strings in formats for the GPU: the codec on the CPU."""

from gsst._arrow import ArrowArray, ArrowDeviceArray, ArrowStream
from gsst._codec import version as __version__
from gsst._column import Column, ColumnInfo, Strings, compress_column, open_column, read_column
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
from gsst._integer_column import IntegerColumn, IntegerColumnInfo, Integers
from gsst._options import ALL_THREADS, AutoFormat, Checksum, Format, IntegerFormat, Layout
from gsst._search import PatternKind, Search, search
from gsst._table import Table

__all__ = [
    "ALL_THREADS",
    "Array",
    "ArrowArray",
    "ArrowDeviceArray",
    "ArrowStream",
    "AutoFormat",
    "BlockInfo",
    "Checksum",
    "Column",
    "ColumnInfo",
    "Error",
    "ErrorCode",
    "Format",
    "Frame",
    "FrameInfo",
    "IntegerColumn",
    "IntegerColumnInfo",
    "IntegerFormat",
    "Integers",
    "Layout",
    "PatternKind",
    "ReadInfo",
    "Search",
    "Strings",
    "Table",
    "Tensor",
    "__version__",
    "compress",
    "compress_column",
    "decompress",
    "decompress_ranges",
    "decompress_to_tensor",
    "inspect",
    "open",
    "open_column",
    "read_column",
    "search",
]
