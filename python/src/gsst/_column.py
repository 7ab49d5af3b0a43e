"""Columns: Arrow arrays in and out. Those of strings are here, those of integers in _integer_column.py."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from gsst import _codec
from gsst._arrow import ArrowArray, ArrowDeviceArray, Capsules, capsules, refuse_keywords
from gsst._error import Error, ErrorCode
from gsst._frame import Array
from gsst._integer_column import IntegerColumn
from gsst._options import (
    AutoFormat,
    Checksum,
    Format,
    IntegerFormat,
    checksum_number,
    format_number,
    integer_format_number,
    number,
)

if TYPE_CHECKING:
    from typing_extensions import Buffer


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
    type: Literal["string", "large_string", "binary", "large_binary"]
    """The type of the Arrow array."""


_TYPES: dict[tuple[int, int], Literal["string", "large_string", "binary", "large_binary"]] = {
    (1, 4): "string",
    (1, 8): "large_string",
    (2, 4): "binary",
    (2, 8): "large_binary",
}


class Strings:
    """Strings of a column, decompressed each time that they are asked for.

    As an Arrow array they are not copied. Indexing and iterating give each as a str, or as bytes where the
    column is one of bytes, and None for a null.
    """

    def __init__(self, count: int, decompress: Callable[[int, int], Capsules]) -> None:
        """`decompress` gives the strings from a number on, and how many."""
        self._count = count
        self._decompress = decompress

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, string: int) -> str | bytes | None:
        """One string, for which its block is decoded, or with `verify=False` its split. Raises Error."""
        number = operator.index(string)
        if not -self._count <= number < self._count:
            raise IndexError(f"string {number} of {self._count}")
        return _codec.to_list(*self._decompress(number % self._count, 1))[0]

    def __iter__(self) -> Iterator[str | bytes | None]:
        """All strings, which are decompressed together. Raises Error."""
        return iter(_codec.to_list(*self._decompress(0, self._count)))

    def __arrow_c_array__(self, requested_schema: object | None = None) -> Capsules:
        """A new array, of the type requested if that is one of strings or bytes with offsets, else of the
        column's type. Raises Error, also where bytes are requested as strings and are not UTF-8."""
        schema, array = self._decompress(0, self._count)
        if requested_schema is not None:
            _codec.convert(schema, array, requested_schema)
        return schema, array

    def __arrow_c_device_array__(self, requested_schema: object | None = None, **kwargs: object) -> Capsules:
        """As __arrow_c_array__(), with the device, which is the CPU."""
        refuse_keywords(kwargs)
        schema, array = self.__arrow_c_array__(requested_schema)
        return schema, _codec.on_cpu_device(array)


class Column(Strings):
    """A compressed column that has been checked, of which strings can be decompressed any number of times.

    `data` is any object with contiguous bytes; it is neither copied nor may it change. Without `verify` the
    stored checksums are not compared, and parts of the column decode less. Raises Error.
    """

    def __init__(self, data: Buffer | Array, *, threads: int = 1, verify: bool = True) -> None:
        plan = _codec.ColumnPlan(data, number("threads", threads), verify)
        fields = plan.info()
        self._plan = plan
        self._info = ColumnInfo(*fields[:5], type=_TYPES[fields[5], fields[6]])
        super().__init__(fields[2], plan.decompress)

    @property
    def info(self) -> ColumnInfo:
        """What the column says of itself."""
        return self._info

    def slice(self, first: int, count: int) -> Strings:
        """`count` strings from string `first` on, which counts from 0. Raises Error if there are fewer."""
        if first < 0 or count < 0 or first + count > len(self):
            raise Error(
                ErrorCode.INVALID_ARGUMENT,
                f"strings {first} to {first + count}: the column has {len(self)}",
            )
        plan = self._plan
        return Strings(count, lambda start, part: plan.decompress(first + start, part))

    def take(self, strings: Iterable[int]) -> Strings:
        """The strings of these numbers, in this order; some may be repeated. Raises Error."""
        numbers = [operator.index(string) for string in strings]
        outside = [string for string in numbers if not 0 <= string < len(self)]
        if outside:
            raise Error(
                ErrorCode.INVALID_ARGUMENT, f"there is no string {outside[0]}, the column has {len(self)}"
            )
        plan = self._plan
        return Strings(len(numbers), lambda start, part: plan.take(numbers[start : start + part]))


def _compress_integers(
    array: Capsules, format: str | None, block_bytes: int | None, threads: int, checksum: Checksum | None
) -> bytes:
    return _codec.compress_integer_column(
        *array,
        integer_format_number(format),
        number("block_bytes", block_bytes, 2**64 - 1),
        number("threads", threads),
        checksum_number(checksum),
    )


def compress_column(
    array: ArrowArray | ArrowDeviceArray,
    *,
    format: Format | IntegerFormat | AutoFormat | None = None,
    level: int | None = None,
    block_bytes: int | None = None,
    splits: int | None = None,
    threads: int = 1,
    strip_codes: int | None = None,
    checksum: Checksum | None = None,
) -> bytes:
    """Compresses an Arrow array of strings, bytes, integers, dates, times or decimals, nulls included.

    `array` is any object with `__arrow_c_array__()`, for example of pyarrow, or with
    `__arrow_c_device_array__()` and memory of the CPU; its memory is read where it is.

    Strings and bytes are of type string, large_string, binary or large_binary. Their options are those of
    compress(), but for format fsst; Column reads what they become.

    Integers have 8 to 64 bits, with a sign or without. Dates, times, timestamps and durations are integers
    too, and so are decimals of at most 18 digits. `format` is for, dfor, rfor, or auto, the default: the one
    that makes this array smallest. Of the other options they have `block_bytes`, a multiple of a value's
    bytes, `threads` and `checksum`. IntegerColumn reads what they become. Raises Error.
    """
    schema, data = capsules(array)
    if _codec.has_integers(schema):
        options = {"level": level, "splits": splits, "strip_codes": strip_codes}
        for name, value in options.items():
            if value is not None:
                raise Error(ErrorCode.INVALID_ARGUMENT, f"{name} is {value}, columns of integers have none")
        return _compress_integers((schema, data), format, block_bytes, threads, checksum)
    return _codec.compress_column(
        schema,
        data,
        format_number(format or "splits"),
        number("block_bytes", block_bytes, 2**64 - 1),
        number("splits", splits),
        number("level", level),
        number("threads", threads),
        number("strip_codes", strip_codes),
        checksum_number(checksum),
    )


def read_column(data: Buffer | Array, *, threads: int = 1, verify: bool = True) -> Column | IntegerColumn:
    """A compressed column of either kind, with the arguments of Column and IntegerColumn. Raises Error."""
    if _codec.is_integer_column(data):
        return IntegerColumn(data, threads=threads, verify=verify)
    return Column(data, threads=threads, verify=verify)
