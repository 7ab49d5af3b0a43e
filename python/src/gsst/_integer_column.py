"""Columns of integers, dates, times and decimals: Arrow arrays in and out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gsst import _codec
from gsst._arrow import Capsules, refuse_keywords
from gsst._error import Error, ErrorCode
from gsst._frame import Array
from gsst._options import INTEGER_FORMAT_NAMES, IntegerFormat, number

if TYPE_CHECKING:
    from typing_extensions import Buffer


@dataclass(frozen=True)
class IntegerColumnInfo:
    """What a column of integers says of itself. Sizes are in bytes."""

    compressed_bytes: int
    null_bytes: int
    """Of the compressed bytes, what stands around the frame: nulls and the type."""
    value_count: int
    null_count: int
    value_bytes: int
    """Of all values together in an Arrow array, without what says which are null."""
    format: IntegerFormat
    """How the frame stores the values."""
    type: str
    """The type of the Arrow array as pyarrow writes it, such as `timestamp[us, tz=UTC]`."""


_NUMBERS = {"c": "int8", "s": "int16", "i": "int32", "l": "int64"}
_UNITS = {"s": "s", "m": "ms", "u": "us", "n": "ns"}


def _type_name(arrow_format: str) -> str:
    """The name of a type that the Arrow C data interface writes as `arrow_format`."""
    if arrow_format.lower() in _NUMBERS:
        return ("u" if arrow_format.isupper() else "") + _NUMBERS[arrow_format.lower()]
    kind, rest = arrow_format[:2], arrow_format[2:]
    if kind == "d:":
        digits, scale, *bits = rest.split(",")
        return f"decimal{bits[0] if bits else 128}({digits}, {scale})"
    if kind == "td":
        return {"D": "date32[day]", "m": "date64[ms]"}[rest]
    unit = _UNITS[rest[0]]
    if kind == "tt":
        return f"time{32 if rest in 'sm' else 64}[{unit}]"
    if kind == "tD":
        return f"duration[{unit}]"
    zone = rest[2:]
    return f"timestamp[{unit}, tz={zone}]" if zone else f"timestamp[{unit}]"


class Integers:
    """Values of a column, decompressed each time that they are asked for as an Arrow array."""

    def __init__(self, count: int, decompress: Callable[[int, int], Capsules]) -> None:
        """`decompress` gives the values from a number on, and how many."""
        self._count = count
        self._decompress = decompress

    def __len__(self) -> int:
        return self._count

    def __arrow_c_array__(self, requested_schema: object | None = None) -> Capsules:
        """A new array of the column's type, whatever type is requested. Raises Error."""
        return self._decompress(0, self._count)

    def __arrow_c_device_array__(self, requested_schema: object | None = None, **kwargs: object) -> Capsules:
        """As __arrow_c_array__(), with the device, which is the CPU."""
        refuse_keywords(kwargs)
        schema, array = self.__arrow_c_array__(requested_schema)
        return schema, _codec.on_cpu_device(array)


class IntegerColumn(Integers):
    """A compressed column of integers, dates, times or decimals that has been checked.

    `data` is any object with contiguous bytes; it is neither copied nor may it change. Without `verify` the
    stored checksums of blocks are not compared. Raises Error.
    """

    def __init__(self, data: Buffer | Array, *, threads: int = 1, verify: bool = True) -> None:
        plan = _codec.IntegerColumnPlan(data, number("threads", threads), verify)
        compressed, null_bytes, values, nulls, value_bytes, format, arrow_format = plan.info()
        self._plan = plan
        self._info = IntegerColumnInfo(
            compressed,
            null_bytes,
            values,
            nulls,
            value_bytes,
            INTEGER_FORMAT_NAMES[format],
            _type_name(arrow_format),
        )
        super().__init__(values, plan.decompress)

    @property
    def info(self) -> IntegerColumnInfo:
        """What the column says of itself."""
        return self._info

    def slice(self, first: int, count: int) -> Integers:
        """`count` values from value `first` on, which counts from 0. Raises Error if there are fewer.

        Blocks that hold none of them are not decompressed.
        """
        if first < 0 or count < 0 or first + count > len(self):
            raise Error(
                ErrorCode.INVALID_ARGUMENT, f"values {first} to {first + count}: the column has {len(self)}"
            )
        plan = self._plan
        return Integers(count, lambda start, part: plan.decompress(first + start, part))
