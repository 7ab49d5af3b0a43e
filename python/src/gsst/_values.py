"""What columns of strings and of integers have in common: values, as a sequence and as arrays of Arrow."""

from __future__ import annotations

import operator
from abc import ABC, abstractmethod
from array import array
from collections.abc import Iterable, Iterator
from typing import Any, ClassVar, Generic, SupportsIndex, TypeVar, overload

from gsst import _codec
from gsst._arrow import ArrowChunk, Capsules, pyarrow, refuse_keywords
from gsst._error import Error, ErrorCode
from gsst._parts import Parts, Plan, Selection

Value = TypeVar("Value")
Selected = TypeVar("Selected", bound="Values[Any, Any, Any]")

# Values that are compared at a time.
_COMPARED = 1 << 20


class Values(ABC, Generic[Value, Plan, Selected]):
    """Values of a column, decompressed each time that they are asked for."""

    _noun: ClassVar[str]

    def __init__(self, parts: Parts[Plan], selection: Selection, format: str) -> None:
        """`format`: of the arrays' type."""
        self._parts: Parts[Plan] = parts
        self._selection = selection
        self._format = format

    @abstractmethod
    def _objects(self, values: Capsules) -> list[Value]:
        """The values of an array as objects of Python."""

    @abstractmethod
    def _select(self, selection: Selection) -> Selected:
        """Those of the column's values."""

    def __len__(self) -> int:
        return len(self._selection)

    @overload
    def __getitem__(self, key: SupportsIndex) -> Value: ...
    @overload
    def __getitem__(self, key: slice) -> Selected: ...
    def __getitem__(self, key: SupportsIndex | slice) -> Value | Selected:
        """One value, whose block is decoded, or less of it with `verify=False`; or a slice. Raises Error."""
        if isinstance(key, slice):
            return self._select(self._among(self._selection[key]))
        number = operator.index(key)
        if not -len(self) <= number < len(self):
            raise IndexError(f"{self._noun} {number} of {len(self)}")
        value = self._selection[number]
        (chunk,) = self._parts.arrays(range(value, value + 1))
        return self._objects(chunk)[0]

    @staticmethod
    def _among(selection: Selection) -> Selection:
        if isinstance(selection, range) and selection.step != 1:
            return array("Q", selection)
        return selection

    def __iter__(self) -> Iterator[Value]:
        """All values. Those of a part are decompressed together. Raises Error."""
        for chunk in self._parts.arrays(self._selection):
            yield from self._objects(chunk)

    def __eq__(self, other: object) -> bool:
        """Whether both have the same values and nulls, of the same type. Raises Error."""
        if not isinstance(other, Values):
            return NotImplemented
        if self._format != other._format or len(self) != len(other):
            return False
        return all(
            _codec.equal(
                self[start : start + _COMPARED].__arrow_c_array__(),
                other[start : start + _COMPARED].__arrow_c_array__(),
            )
            for start in range(0, len(self), _COMPARED)
        )

    __hash__ = None  # type: ignore[assignment]

    def slice(self, first: int, count: int) -> Selected:
        """`count` values from number `first` on, which counts from 0. Raises Error if there are fewer.

        Blocks that hold none of them are not decompressed.
        """
        if first < 0 or count < 0 or first + count > len(self):
            raise Error(
                ErrorCode.INVALID_ARGUMENT,
                f"{self._noun}s {first} to {first + count}: the column has {len(self)}",
            )
        return self[first : first + count]

    def take(self, numbers: Iterable[SupportsIndex]) -> Selected:
        """The values of these numbers, in this order; some may be repeated. Raises Error."""
        taken = array("Q")
        for given in numbers:
            number = operator.index(given)
            if not 0 <= number < len(self):
                raise Error(
                    ErrorCode.INVALID_ARGUMENT,
                    f"there is no {self._noun} {number}, the column has {len(self)}",
                )
            taken.append(self._selection[number])
        return self._select(taken)

    def to_arrow(self) -> Any:  # noqa: ANN401
        """A pyarrow.ChunkedArray of the column's type, with a chunk for each part. Raises Error.

        It has no limit of size. pyarrow.array(column) joins the chunks to one array.
        """
        pa = pyarrow()
        # Not through the stream, whose errors pyarrow makes its own.
        chunks = [pa.array(ArrowChunk(chunk)) for chunk in self._parts.arrays(self._selection)]
        return pa.chunked_array(chunks or [pa.array(self)])

    def _arrays(self, format: str) -> Iterator[Capsules]:
        """The values as arrays of a type. Raises Error where it cannot hold them."""
        for schema, data in self._parts.arrays(self._selection):
            if format != self._format:
                _codec.convert(schema, data, format)
            yield schema, data

    def _requested(self, requested_schema: object | None) -> str:
        """The type of arrays for who requests one."""
        del requested_schema
        return self._format

    def __arrow_c_array__(self, requested_schema: object | None = None) -> Capsules:
        """A new array, of the type requested if that is another one of strings or bytes with offsets, else of
        the column's type. Arrays of several parts are joined. Raises Error, also where bytes are requested as
        strings and are not UTF-8."""
        format = self._requested(requested_schema)
        arrays = list(self._arrays(format))
        return arrays[0] if len(arrays) == 1 else _codec.join(arrays, format, None)

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """A stream with an array for each part, decompressed when its turn comes. See __arrow_c_array__()."""
        format = self._requested(requested_schema)
        return _codec.make_stream(format, (data for _, data in self._arrays(format)))

    def __arrow_c_device_array__(self, requested_schema: object | None = None, **kwargs: object) -> Capsules:
        """As __arrow_c_array__(), with the device, which is the CPU."""
        refuse_keywords(kwargs)
        schema, data = self.__arrow_c_array__(requested_schema)
        return schema, _codec.on_cpu_device(data)
