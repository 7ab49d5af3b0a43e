"""Columns: Arrow arrays in and out. Those of strings are here, those of integers in _integer_column.py."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Literal

from gsst import _codec
from gsst._arrow import ArrowArray, ArrowDeviceArray, ArrowStream, Capsules, column_input
from gsst._column_search import ColumnSearch
from gsst._error import Error, ErrorCode
from gsst._frame import Array
from gsst._integer_column import IntegerColumn
from gsst._options import (
    LAYOUT_NAMES,
    AutoFormat,
    AutoLayout,
    Checksum,
    Format,
    IntegerFormat,
    Layout,
    checksum_number,
    format_number,
    integer_format_number,
    layout_number,
    number,
    separator_number,
)
from gsst._parts import Parts, Selection, bytes_of, map_file, values_from
from gsst._values import Values

if TYPE_CHECKING:
    from typing_extensions import Buffer


StringType = Literal["string", "large_string", "binary", "large_binary"]


@dataclass(frozen=True)
class ColumnInfo:
    """What a column says of itself. Sizes are in bytes."""

    compressed_bytes: int
    length_bytes: int
    """Of the compressed bytes, what stands around the frame: lengths and nulls."""
    string_count: int
    null_count: int
    string_bytes: int
    """Of all strings together."""
    type: StringType
    """The type of the Arrow array."""
    parts: int
    """Each with its own frame."""
    layouts: tuple[Layout, ...]
    """Of the parts, each once, in the order of the alphabet."""
    separator: bytes | None
    """The byte after each string in what the frames decompress to, if all parts have the same one."""


def _common_separator(plans: Sequence[_codec.ColumnPlan]) -> bytes | None:
    separators = {plan.separator() for plan in plans}
    separator = separators.pop() if len(separators) == 1 else None
    return None if separator is None else bytes([separator])


_TYPES: dict[str, StringType] = {"u": "string", "U": "large_string", "z": "binary", "Z": "large_binary"}


class Strings(Values["str | bytes | None", "_codec.ColumnPlan", "Strings"]):
    """Strings of a column, decompressed each time that they are asked for.

    As an Arrow array they are not copied. Indexing and iterating give each as a str, or as bytes where the
    column is one of bytes, and None for a null.
    """

    _noun = "string"

    def _objects(self, values: Capsules) -> list[str | bytes | None]:
        return _codec.to_list(*values)

    def _select(self, selection: Selection) -> Strings:
        return Strings(self._parts, selection, self._format)

    def _requested(self, requested_schema: object | None) -> str:
        if requested_schema is None:
            return self._format
        return _codec.requested_format(self._format, requested_schema)

    def __repr__(self) -> str:
        return f"<gsst.Strings: {len(self)} strings of type {_TYPES[self._format]}>"


class Column(Strings, ColumnSearch):
    """A compressed column that has been checked, of which strings can be decompressed any number of times.

    `data` is any object with contiguous bytes: one part or several, one after another. It is neither copied
    nor may it change. Without `verify` the stored checksums are not compared, and parts of the column decode
    less. Raises Error.
    """

    def __init__(self, data: Buffer | Array, *, threads: int = 1, verify: bool = True) -> None:
        parts = Parts(_codec.ColumnPlan, bytes_of(data), number("threads", threads), verify)
        format = parts.format()
        super().__init__(parts, range(len(parts)), format)
        infos = [plan.info() for plan in parts.plans]
        compressed, length_bytes, strings, nulls, string_bytes = (
            sum(sizes) for sizes in zip(*infos, strict=True)
        )
        self._info = ColumnInfo(
            compressed,
            length_bytes,
            strings,
            nulls,
            string_bytes,
            _TYPES[format],
            len(infos),
            tuple(sorted({LAYOUT_NAMES[plan.layout()] for plan in parts.plans})),
            _common_separator(parts.plans),
        )

    @property
    def info(self) -> ColumnInfo:
        """What the column says of itself."""
        return self._info

    @property
    def data(self) -> memoryview:
        """The compressed bytes of all parts, such as to write them to a file."""
        return self._parts.data.toreadonly()

    def __repr__(self) -> str:
        info = self._info
        return (
            f"<gsst.Column: {info.string_count} strings of type {info.type}, {info.null_count} null,"
            f" {info.string_bytes} bytes in {info.compressed_bytes}>"
        )


@contextmanager
def _column_named(name: str) -> Iterator[None]:
    """Says in an error which column it is about, where it has a name."""
    try:
        yield
    except Error as error:
        if not name:
            raise
        raise Error(error.code, f"column {name!r}: {error}") from None


def compress_column(
    array: ArrowArray | ArrowStream | ArrowDeviceArray,
    level: int | None = None,
    *,
    column: str | None = None,
    format: Format | IntegerFormat | AutoFormat | None = None,
    block_bytes: int | None = None,
    splits: int | None = None,
    threads: int = 1,
    strip_codes: int | None = None,
    checksum: Checksum | None = None,
    layout: Layout | AutoLayout | None = None,
    separator: bytes | None = None,
) -> bytes:
    """Compresses values of Arrow: strings, bytes, integers, dates, times or decimals, nulls included.

    `array` is any object with `__arrow_c_stream__()`, such as a Series of pandas or polars, a ChunkedArray, a
    table, a data frame or a result of DuckDB; or with `__arrow_c_array__()`, or `__arrow_c_device_array__()`
    and memory of the CPU. `column` names the column of a table that has several. Arrays are read where they
    are. Short chunks of a stream are gathered first, and views and dictionaries become plain strings or
    integers, at most 64 MiB at a time. The result is one or more parts, which Column reads as a whole.

    Strings and bytes are of type string, large_string, binary or large_binary, views of them, or dictionaries
    of them. Their options are those of compress(), but for format fsst; Column reads what they become. With
    `layout` lookup the codes of each string are its own: the column is larger, and a string or a batch of
    strings is found and decoded faster. It has formats blocks and splits, the default there, alone.
    `auto` compresses a sample of at most 4 MiB of each part in both, and takes lookup where that has at most
    a quarter more bytes. A `separator` is one byte that no string holds: the frames of the column hold it
    after each string, and Column takes it away. A column of layout dense alone has one.

    Integers have 8 to 64 bits, with a sign or without. Dates, times, timestamps and durations are integers
    too, and so are decimals of at most 18 digits. `format` is for, dfor, rfor, or auto, the default: the one
    that makes this array smallest. Of the other options they have `block_bytes`, a multiple of a value's
    bytes, `threads` and `checksum`. IntegerColumn reads what they become. Raises Error, and TypeError for an
    object without these methods.
    """
    source = column_input(array, column)
    compress: Callable[[object, object], bytes]
    if source.holds_integers():
        options: dict[str, object] = {
            "level": level,
            "splits": splits,
            "strip_codes": strip_codes,
            "layout": layout,
            "separator": separator,
        }
        for name, value in options.items():
            if value is not None:
                raise Error(ErrorCode.INVALID_ARGUMENT, f"{name} is {value}, columns of integers have none")
        compress = partial(
            _codec.compress_integer_column,
            format=integer_format_number(format),
            block_bytes=number("block_bytes", block_bytes, 2**64 - 1),
            threads=number("threads", threads),
            checksum=checksum_number(checksum),
        )
    else:
        compress = partial(
            _codec.compress_column,
            format=format_number(format),
            block_bytes=number("block_bytes", block_bytes, 2**64 - 1),
            splits=number("splits", splits),
            level=number("level", level),
            threads=number("threads", threads),
            strip_codes=number("strip_codes", strip_codes),
            checksum=checksum_number(checksum),
            layout=layout_number(layout),
            separator=separator_number(separator),
        )
    parts: list[bytes] = []
    first = 0
    while (values := source.next()) is not None:
        count = _codec.array_length(values[1])
        with _column_named(source.name()), values_from(first):
            parts.append(compress(*values))
        first += count
    return parts[0] if len(parts) == 1 else b"".join(parts)


def read_column(data: Buffer | Array, *, threads: int = 1, verify: bool = True) -> Column | IntegerColumn:
    """A compressed column of either kind, with the arguments of Column and IntegerColumn. Raises Error."""
    if _codec.is_integer_column(data):
        return IntegerColumn(data, threads=threads, verify=verify)
    return Column(data, threads=threads, verify=verify)


def open_column(
    file: str | os.PathLike[str] | BinaryIO, *, threads: int = 1, verify: bool = True
) -> Column | IntegerColumn:
    """The compressed column that a file holds, in one part or several. Raises Error and OSError.

    A file that is given as a path is mapped, not read: only what is used comes to memory. It may not change
    as long as the column is used. A binary file object, such as one of fsspec, is read from where it stands.
    """
    if isinstance(file, str | os.PathLike):
        return read_column(map_file(Path(file)), threads=threads, verify=verify)
    return read_column(file.read(), threads=threads, verify=verify)
