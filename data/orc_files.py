"""ORC files of one column of integers, as pyarrow writes them: by default in row groups of 10,000 rows.

Their bytes depend on the version of pyarrow, which is that of data/parquet_pages.py.
"""

from pathlib import Path
from typing import Any

from data.errors import DataUnavailableError
from data.parquet_pages import load_pyarrow

COLUMN = "c"
ROW_GROUP_ROWS = 10_000
# What the names of files say of how they are written: ORC's version of run lengths, and the compression.
FILE_VERSIONS = {"v1": "0.11", "v2": "0.12"}
COMPRESSIONS = {"none": "uncompressed", "zlib": "zlib"}
# Bytes of values, and pyarrow's names of their types.
_VALUES = {"i8": (1, "int8"), "i32": (4, "int32"), "days": (4, "date32"), "i64": (8, "int64")}
# That are given to the writer at a time.
_VALUES_OF_BATCH = 1 << 20


def write_orc(column: Path, values: str, run_lengths: str, compression: str, destination: Path) -> None:
    """Writes the little-endian values of the file `column` to column COLUMN of an ORC file; none is null.

    `values` is i8, i32, i64, or days since 1970; `run_lengths` and `compression` are keys of FILE_VERSIONS
    and COMPRESSIONS. Raises DataUnavailableError."""
    pa, orc = load_pyarrow("orc")
    value_bytes, type_name = _VALUES[values]
    kind = getattr(pa, type_name)()
    size = column.stat().st_size
    if size % value_bytes != 0:
        raise DataUnavailableError(f"{column}: has {size} bytes, no whole values of {values}")
    settings: dict[str, Any] = {
        "file_version": FILE_VERSIONS[run_lengths],
        "compression": COMPRESSIONS[compression],
        "row_index_stride": ROW_GROUP_ROWS,
    }
    with column.open("rb") as stored, orc.ORCWriter(destination, **settings) as writer:
        while part := stored.read(value_bytes * _VALUES_OF_BATCH):
            buffers = [None, pa.py_buffer(part)]
            array = pa.Array.from_buffers(kind, len(part) // value_bytes, buffers)
            writer.write(pa.table({COLUMN: array}))
