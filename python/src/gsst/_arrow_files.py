"""Columns of strings in Parquet and Arrow files, read and written batch by batch with pyarrow."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Protocol

import pyarrow as pa
import pyarrow.parquet as parquet

from gsst._command_error import EXIT_DAMAGED, EXIT_USAGE, CommandError

PARQUET_SUFFIXES = frozenset({".parquet", ".pq"})
ARROW_SUFFIXES = frozenset({".arrow", ".feather", ".ipc"})

# Strings that are read together: few, so that long ones take little memory.
_BATCH_STRINGS = 8192

_STORED_TYPES = (pa.string(), pa.large_string(), pa.binary(), pa.large_binary())
# Arrow's types whose values are stored as those of another one.
_STORED_AS = {pa.string_view(): pa.string(), pa.binary_view(): pa.binary()}


class StringWriter(Protocol):
    """A file that is being written."""

    def write(self, strings: pa.Array) -> None:
        """Adds strings as a row group or a record batch."""


def is_parquet(path: Path) -> bool:
    """Whether a file is Parquet, else Arrow: by its name. Raises CommandError for other names."""
    suffix = path.suffix.lower()
    if suffix not in PARQUET_SUFFIXES | ARROW_SUFFIXES:
        expected = ", ".join(sorted(PARQUET_SUFFIXES | ARROW_SUFFIXES))
        raise CommandError(EXIT_USAGE, f"{path}: the name ends in none of {expected}")
    return suffix in PARQUET_SUFFIXES


def _stored_type(data_type: pa.DataType) -> pa.DataType | None:
    """The type that a column of `data_type` is stored as; None where it holds no strings."""
    if pa.types.is_dictionary(data_type):
        data_type = data_type.value_type
    data_type = _STORED_AS.get(data_type, data_type)
    return data_type if data_type in _STORED_TYPES else None


def _index_of(schema: pa.Schema, column: str, path: Path) -> int:
    indices = schema.get_all_field_indices(column)
    if not indices:
        names = ", ".join(field.name for field in schema if _stored_type(field.type) is not None)
        raise CommandError(
            EXIT_USAGE, f"{path}: there is no column {column!r}; columns of strings: {names or 'none'}"
        )
    if len(indices) > 1:
        raise CommandError(EXIT_USAGE, f"{path}: {len(indices)} columns are named {column!r}")
    return indices[0]


def _parquet_batches(path: Path, column: str) -> Iterator[pa.Array]:
    with parquet.ParquetFile(path) as file:
        for batch in file.iter_batches(batch_size=_BATCH_STRINGS, columns=[column]):
            # By its name: where a struct `a` has a field `b`, "a.b" asks for that one too.
            yield batch.column(column)


def _arrow_schema(path: Path) -> pa.Schema:
    with pa.memory_map(str(path)) as source, pa.ipc.open_file(source) as file:
        return file.schema


def _arrow_batches(path: Path, index: int) -> Iterator[pa.Array]:
    options = pa.ipc.IpcReadOptions(included_fields=[index])
    with pa.memory_map(str(path)) as source, pa.ipc.open_file(source, options=options) as file:
        for number in range(file.num_record_batches):
            strings = file.get_batch(number).column(0)
            for start in range(0, len(strings), _BATCH_STRINGS):
                yield strings.slice(start, _BATCH_STRINGS)


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
def open_strings(path: Path, column: str) -> Iterator[tuple[pa.DataType, Iterator[pa.Array]]]:
    """The type of a column, and its strings in batches: dictionaries decoded, views as strings.

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
        batches = _parquet_batches(path, column) if from_parquet else _arrow_batches(path, index)
        yield stored, _as_stored(batches, stored)


def _checked_type(data_type: pa.DataType, column: str, path: Path) -> pa.DataType:
    stored = _stored_type(data_type)
    if stored is None:
        raise CommandError(EXIT_USAGE, f"{path}: column {column!r} is of type {data_type}, not of strings")
    return stored


class _ParquetStrings:
    def __init__(self, writer: parquet.ParquetWriter, schema: pa.Schema) -> None:
        self._writer = writer
        self._schema = schema

    def write(self, strings: pa.Array) -> None:
        table = pa.Table.from_arrays([strings], schema=self._schema)
        self._writer.write_table(table, row_group_size=max(1, len(strings)))


class _ArrowStrings:
    def __init__(self, writer: pa.ipc.RecordBatchFileWriter, schema: pa.Schema) -> None:
        self._writer = writer
        self._schema = schema

    def write(self, strings: pa.Array) -> None:
        self._writer.write_batch(pa.RecordBatch.from_arrays([strings], schema=self._schema))


@contextmanager
def write_strings(file: IO[bytes], like: Path, column: str, data_type: pa.DataType) -> Iterator[StringWriter]:
    """Writes one column to `file`, in the kind of file that the name of `like` says."""
    schema = pa.schema([pa.field(column, data_type)])
    if is_parquet(like):
        with parquet.ParquetWriter(file, schema) as parquet_writer:
            yield _ParquetStrings(parquet_writer, schema)
    else:
        with pa.ipc.new_file(file, schema) as arrow_writer:
            yield _ArrowStrings(arrow_writer, schema)
