"""Parquet files of one column of 32-bit integers, as pyarrow writes them, with pages of a given size.

Their bytes depend on the version of pyarrow, which is therefore fixed. The tests of the Python package have
the same (python/requirements.txt), and `.venv/bin/pip install pyarrow==VERSION` puts it where data is made.
"""

import importlib
from pathlib import Path
from typing import Any

from data.errors import DataUnavailableError

VERSION = "26.0.1"
COLUMN = "c"
VALUE_BYTES = 4
# Of a row group, which has a dictionary of its own: whole pages of all sizes that divide it.
VALUES_OF_ROW_GROUP = 1 << 24


def load_pyarrow(module: str) -> tuple[Any, Any]:
    """pyarrow of the fixed version, and one of its modules. Raises DataUnavailableError."""
    try:
        pyarrow = importlib.import_module("pyarrow")
        of_format = importlib.import_module(f"pyarrow.{module}")
    except ImportError as error:
        raise DataUnavailableError(f"pyarrow {VERSION} is not installed: {error}") from error
    if pyarrow.__version__ != VERSION:
        raise DataUnavailableError(f"pyarrow {VERSION} is needed, there is {pyarrow.__version__}")
    return pyarrow, of_format


def write_pages(column: Path, page_values: int, has_dictionary: bool, destination: Path) -> None:
    """Writes the little-endian 32-bit numbers of the file `column` to column COLUMN of a Parquet file.

    Pages have `page_values` values, the last one what is left: indices of a dictionary, or
    DELTA_BINARY_PACKED. Nothing is compressed, and no row may be null. `page_values` divides
    VALUES_OF_ROW_GROUP. Raises DataUnavailableError."""
    pa, parquet = load_pyarrow("parquet")
    if VALUES_OF_ROW_GROUP % page_values != 0:
        raise DataUnavailableError(f"pages of {page_values} values do not divide {VALUES_OF_ROW_GROUP}")
    schema = pa.schema([pa.field(COLUMN, pa.int32(), nullable=False)])
    settings: dict[str, Any] = {
        "compression": "NONE",
        "use_dictionary": has_dictionary,
        # A dictionary is never given up.
        "dictionary_pagesize_limit": VALUE_BYTES * VALUES_OF_ROW_GROUP,
        "write_statistics": False,
        # The writer ends a page with the batch in which it reaches its size, so each batch is one.
        "data_page_size": 1,
        "write_batch_size": page_values,
        "max_rows_per_page": page_values,
    }
    if not has_dictionary:
        settings["column_encoding"] = {COLUMN: "DELTA_BINARY_PACKED"}
    with (
        column.open("rb") as values,
        parquet.ParquetWriter(destination, schema, **settings) as writer,
    ):
        while part := values.read(VALUE_BYTES * VALUES_OF_ROW_GROUP):
            count = len(part) // VALUE_BYTES
            array = pa.Array.from_buffers(pa.int32(), count, [None, pa.py_buffer(part)])
            writer.write_table(pa.Table.from_arrays([array], schema=schema), row_group_size=count)
