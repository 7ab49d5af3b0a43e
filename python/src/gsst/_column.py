"""Columns of strings: Arrow arrays in and out."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol

from gsst import _codec
from gsst._error import Error, ErrorCode
from gsst._frame import Array
from gsst._options import Checksum, Format, checksum_number, format_number, number

if TYPE_CHECKING:
    from typing_extensions import Buffer

Capsules = tuple[object, object]


class ArrowArray(Protocol):
    """An array of any library that follows the Arrow PyCapsule interface."""

    def __arrow_c_array__(self, requested_schema: object | None = None) -> Capsules: ...


class ArrowDeviceArray(Protocol):
    """An array that says on which device its memory is."""

    def __arrow_c_device_array__(
        self, requested_schema: object | None = None, **kwargs: object
    ) -> Capsules: ...


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


def refuse_keywords(keywords: Mapping[str, object]) -> None:
    """For an interface whose keywords may grow: those that are not known must be None."""
    unknown = [name for name, value in keywords.items() if value is not None]
    if unknown:
        raise NotImplementedError(f"unknown keyword {unknown[0]}")


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


def _capsules(array: ArrowArray | ArrowDeviceArray) -> Capsules:
    if hasattr(array, "__arrow_c_array__"):
        return array.__arrow_c_array__()
    return array.__arrow_c_device_array__()


def compress_column(
    array: ArrowArray | ArrowDeviceArray,
    *,
    format: Format = "splits",
    level: int | None = None,
    block_bytes: int | None = None,
    splits: int | None = None,
    threads: int = 1,
    strip_codes: int | None = None,
    checksum: Checksum | None = None,
) -> bytes:
    """Compresses an Arrow array of type string, large_string, binary or large_binary, nulls included.

    `array` is any object with `__arrow_c_array__()`, for example of pyarrow, or with
    `__arrow_c_device_array__()` and memory of the CPU; its memory is read where it is.
    The options are those of compress(), but for format fsst. Raises Error.
    """
    schema, data = _capsules(array)
    return _codec.compress_column(
        schema,
        data,
        format_number(format),
        number("block_bytes", block_bytes, 2**64 - 1),
        number("splits", splits),
        number("level", level),
        number("threads", threads),
        number("strip_codes", strip_codes),
        checksum_number(checksum),
    )
