"""Columns of strings or integers in Parquet and Arrow files, read and written batch by batch with pyarrow."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Protocol

import pyarrow as pa
import pyarrow.parquet as parquet

from gsst import _codec
from gsst._command_error import EXIT_DAMAGED, EXIT_USAGE, CommandError
from gsst._error import Error

PARQUET_SUFFIXES = frozenset({".parquet", ".pq"})
ARROW_SUFFIXES = frozenset({".arrow", ".feather", ".ipc"})

# Values that are read together: few strings, so that long ones take little memory.
_BATCH_STRINGS = 8192
_BATCH_INTEGERS = 1 << 17

# Arrow's types whose values are stored as those of another one.
_STORED_AS = {pa.string_view(): pa.string(), pa.binary_view(): pa.binary()}


class ColumnWriter(Protocol):
    """A file that is being written."""

    def write(self, values: pa.Array) -> None:
        """Adds values as a row group or a record batch."""


def is_parquet(path: Path) -> bool:
    """Whether a file is Parquet, else Arrow: by its name. Raises CommandError for other names."""
    suffix = path.suffix.lower()
    if suffix not in PARQUET_SUFFIXES | ARROW_SUFFIXES:
        expected = ", ".join(sorted(PARQUET_SUFFIXES | ARROW_SUFFIXES))
        raise CommandError(EXIT_USAGE, f"{path}: the name ends in none of {expected}")
    return suffix in PARQUET_SUFFIXES


def holds_integers(data_type: pa.DataType) -> bool:
    """Whether a column of this type is one of integers, else of strings. Raises Error for other types."""
    return _codec.has_integers(data_type.__arrow_c_schema__())


def _stored_type(data_type: pa.DataType) -> pa.DataType | None:
    """The type that a column of `data_type` is stored as; None where it holds no strings or integers."""
    if pa.types.is_dictionary(data_type):
        data_type = data_type.value_type
    data_type = _STORED_AS.get(data_type, data_type)
    try:
        holds_integers(data_type)
    except Error:
        return None
    return data_type


def _index_of(schema: pa.Schema, column: str, path: Path) -> int:
    indices = schema.get_all_field_indices(column)
    if not indices:
        names = ", ".join(field.name for field in schema if _stored_type(field.type) is not None)
        raise CommandError(
            EXIT_USAGE,
            f"{path}: there is no column {column!r}; columns of strings or integers: {names or 'none'}",
        )
    if len(indices) > 1:
        raise CommandError(EXIT_USAGE, f"{path}: {len(indices)} columns are named {column!r}")
    return indices[0]


def _parquet_batches(path: Path, column: str, size: int) -> Iterator[pa.Array]:
    with parquet.ParquetFile(path) as file:
        for batch in file.iter_batches(batch_size=size, columns=[column]):
            # By its name: where a struct `a` has a field `b`, "a.b" asks for that one too.
            yield batch.column(column)


def _arrow_schema(path: Path) -> pa.Schema:
    with pa.memory_map(str(path)) as source, pa.ipc.open_file(source) as file:
        return file.schema


def _arrow_batches(path: Path, index: int, size: int) -> Iterator[pa.Array]:
    options = pa.ipc.IpcReadOptions(included_fields=[index])
    with pa.memory_map(str(path)) as source, pa.ipc.open_file(source, options=options) as file:
        for number in range(file.num_record_batches):
            values = file.get_batch(number).column(0)
            for start in range(0, len(values), size):
                yield values.slice(start, size)


def _as_stored(batches: Iterator[pa.Array], stored: pa.DataType) -> Iterator[pa.Array]:
    for batch in batches:
        yield batch if batch.type == stored else batch.cast(stored)


@contextmanager
def _file_named(path: Path) -> Iterator[None]:
    """Makes what pyarrow says of a damaged file a CommandError."""
    try:
        yield
    except MemoryError:
        # pyarrow's own is an ArrowException too.
        raise
    except (pa.ArrowException, UnicodeDecodeError) as error:
        raise CommandError(EXIT_DAMAGED, f"{path}: {error}") from error
    except OSError as error:
        # pyarrow's own have no number of the system.
        if error.errno is not None:
            raise
        raise CommandError(EXIT_DAMAGED, f"{path}: {error}") from error


@contextmanager
def open_column(path: Path, column: str) -> Iterator[tuple[pa.DataType, Iterator[pa.Array]]]:
    """The type of a column, and its values in batches: dictionaries decoded, views as strings.

    Raises CommandError and OSError, also while batches are read.
    """
    from_parquet = is_parquet(path)
    if path.is_dir():
        # Of which pyarrow's error has no number of the system.
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    with _file_named(path):
        schema = parquet.read_schema(path) if from_parquet else _arrow_schema(path)
        index = _index_of(schema, column, path)
        stored = _checked_type(schema.field(index).type, column, path)
        size = _BATCH_INTEGERS if holds_integers(stored) else _BATCH_STRINGS
        batches = _parquet_batches(path, column, size) if from_parquet else _arrow_batches(path, index, size)
        yield stored, _as_stored(batches, stored)


def _checked_type(data_type: pa.DataType, column: str, path: Path) -> pa.DataType:
    stored = _stored_type(data_type)
    if stored is None:
        raise CommandError(
            EXIT_USAGE, f"{path}: column {column!r} is of type {data_type}, not of strings or integers"
        )
    return stored


class _ParquetColumn:
    def __init__(self, writer: parquet.ParquetWriter, schema: pa.Schema) -> None:
        self._writer = writer
        self._schema = schema

    def write(self, values: pa.Array) -> None:
        table = pa.Table.from_arrays([values], schema=self._schema)
        self._writer.write_table(table, row_group_size=max(1, len(values)))


class _ArrowColumn:
    def __init__(self, writer: pa.ipc.RecordBatchFileWriter, schema: pa.Schema) -> None:
        self._writer = writer
        self._schema = schema

    def write(self, values: pa.Array) -> None:
        self._writer.write_batch(pa.RecordBatch.from_arrays([values], schema=self._schema))


@contextmanager
def write_column(file: IO[bytes], like: Path, column: str, data_type: pa.DataType) -> Iterator[ColumnWriter]:
    """Writes one column to `file`, in the kind of file that the name of `like` says."""
    schema = pa.schema([pa.field(column, data_type)])
    try:
        if is_parquet(like):
            with parquet.ParquetWriter(file, schema) as parquet_writer:
                yield _ParquetColumn(parquet_writer, schema)
        else:
            with pa.ipc.new_file(file, schema) as arrow_writer:
                yield _ArrowColumn(arrow_writer, schema)
    except (pa.ArrowNotImplementedError, pa.ArrowInvalid) as error:
        raise CommandError(EXIT_USAGE, f"{like}: {error}") from error
    except OSError as error:
        # pyarrow's own have no number of the system. Parquet has no decimals of negative scale, for one.
        if error.errno is not None:
            raise
        raise CommandError(EXIT_USAGE, f"{like}: {error}") from error
