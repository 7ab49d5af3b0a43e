"""Columns of integers, dates, times and decimals: Arrow arrays in and out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from gsst import _codec
from gsst._arrow import ArrowChunk, Capsules, pyarrow
from gsst._frame import Array
from gsst._options import INTEGER_FORMAT_NAMES, IntegerFormat, number
from gsst._parts import Parts, Selection, bytes_of
from gsst._values import Values

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
    format: IntegerFormat | Literal["mixed"]
    """How the frames store the values; "mixed" where parts differ."""
    type: str
    """The type of the Arrow array as pyarrow writes it, such as `timestamp[us, tz=UTC]`."""
    parts: int
    """Each with its own frame."""


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


class Integers(Values[Any, "_codec.IntegerColumnPlan", "Integers"]):
    """Values of a column, decompressed each time that they are asked for.

    As an Arrow array they are not copied. Indexing and iterating give each as the object that pyarrow makes
    of it, such as an int or a datetime.date, and None for a null.
    """

    _noun = "value"

    def _objects(self, values: Capsules) -> list[Any]:
        objects: list[Any] = pyarrow().array(ArrowChunk(values)).to_pylist()
        return objects

    def _select(self, selection: Selection) -> Integers:
        return Integers(self._parts, selection, self._format)

    def __repr__(self) -> str:
        return f"<gsst.Integers: {len(self)} values of type {_type_name(self._format)}>"


class IntegerColumn(Integers):
    """A compressed column of integers, dates, times or decimals that has been checked.

    `data` is any object with contiguous bytes: one part or several, one after another. It is neither copied
    nor may it change. Without `verify` the stored checksums of blocks are not compared. Raises Error.
    """

    def __init__(self, data: Buffer | Array, *, threads: int = 1, verify: bool = True) -> None:
        parts = Parts(_codec.IntegerColumnPlan, bytes_of(data), number("threads", threads), verify)
        format = parts.format()
        super().__init__(parts, range(len(parts)), format)
        infos = [plan.info() for plan in parts.plans]
        compressed, null_bytes, values, nulls, value_bytes = (
            sum(sizes) for sizes in zip(*(info[:5] for info in infos), strict=True)
        )
        formats = {info[5] for info in infos}
        self._info = IntegerColumnInfo(
            compressed,
            null_bytes,
            values,
            nulls,
            value_bytes,
            INTEGER_FORMAT_NAMES[formats.pop()] if len(formats) == 1 else "mixed",
            _type_name(format),
            len(infos),
        )

    @property
    def info(self) -> IntegerColumnInfo:
        """What the column says of itself."""
        return self._info

    @property
    def data(self) -> memoryview:
        """The compressed bytes of all parts, such as to write them to a file."""
        return self._parts.data.toreadonly()

    def __repr__(self) -> str:
        info = self._info
        return (
            f"<gsst.IntegerColumn: {info.value_count} values of type {info.type}, {info.null_count} null,"
            f" {info.value_bytes} bytes in {info.compressed_bytes}>"
        )
