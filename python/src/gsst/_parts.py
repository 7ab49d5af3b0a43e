"""Columns in parts, one after another in memory or in a file: the specification's sections 10.1 and 12.14."""

from __future__ import annotations

import bisect
import mmap
import operator
import pickle
from array import array
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, Generic, SupportsIndex, TypeAlias, TypeVar

from gsst import _codec
from gsst._arrow import Capsules
from gsst._error import Error, ErrorCode
from gsst._frame import Array

if TYPE_CHECKING:
    from typing_extensions import Buffer

Selection: TypeAlias = "range | array[int]"
"""The numbers of values: ascending ones as a range, others as an array of type `Q`."""

Plan = TypeVar("Plan", _codec.ColumnPlan, _codec.IntegerColumnPlan)


def bytes_of(data: Buffer | Array) -> memoryview:
    """The bytes of an object. Raises BufferError where they are not contiguous, and TypeError."""
    view = memoryview(data)  # type: ignore[arg-type]
    if not view.c_contiguous:
        raise BufferError("the data is not contiguous")
    return view.cast("B")


def _last_part_bytes(parts: memoryview) -> int:
    if _codec.ends_with_integer_column(parts):
        return _codec.last_integer_column_bytes(parts)
    return _codec.last_column_bytes(parts)


def split_parts(whole: memoryview) -> list[memoryview]:
    """The bytes of each part of a column, in order. Raises Error. The parts are found and not checked."""
    parts: list[memoryview] = []
    end = len(whole)
    while end > 0 or not parts:
        start = end - _last_part_bytes(whole[:end])
        parts.append(whole[start:end])
        end = start
    parts.reverse()
    return parts


def map_file(path: Path) -> memoryview:
    """The bytes of a file, which stays mapped as long as they are in use. Raises OSError."""
    with path.open("rb") as file:
        # No empty file can be mapped.
        if path.stat().st_size == 0:
            return memoryview(b"")
        return memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))


@contextmanager
def part_named(number: int, count: int) -> Iterator[None]:
    """Says in an error which part it is about, where there are several."""
    try:
        yield
    except Error as error:
        if count == 1:
            raise
        raise Error(error.code, f"part {number} of {count}: {error}") from None


@contextmanager
def values_from(first: int) -> Iterator[None]:
    """Says in an error from which value of a column on its numbers count, where others were before."""
    try:
        yield
    except Error as error:
        if first == 0:
            raise
        raise Error(error.code, f"from value {first} on: {error}") from None


class Parts(Generic[Plan]):
    """The checked parts of a column, which give any of its values as arrays.

    Pickling copies the compressed bytes, or with protocol 5 hands them over as a buffer.
    """

    def __init__(self, kind: type[Plan], data: memoryview, threads: int, verify: bool) -> None:
        """`threads`: as the library counts them. Raises Error."""
        self._arguments: tuple[type[Plan], memoryview, int, bool] = (kind, data, threads, verify)
        self.plans: list[Plan] = []
        parts = split_parts(data)
        for number, part in enumerate(parts):
            with part_named(number, len(parts)):
                self.plans.append(kind(part, threads, verify))
        self._starts = list(accumulate((plan.count() for plan in self.plans), initial=0))

    def __reduce_ex__(self, protocol: SupportsIndex) -> tuple[object, ...]:
        kind, data, threads, verify = self._arguments
        buffer = pickle.PickleBuffer(data) if operator.index(protocol) >= 5 else bytes(data)
        return _load_parts, (kind, buffer, threads, verify)

    @property
    def data(self) -> memoryview:
        """The compressed bytes."""
        return self._arguments[1]

    def compressed(self) -> Iterator[tuple[memoryview, int, bool]]:
        """The bytes of each part, and with how many threads and whether verified it is to be read."""
        _, data, threads, verify = self._arguments
        return ((part, threads, verify) for part in split_parts(data))

    def __len__(self) -> int:
        """The values of all parts."""
        return self._starts[-1]

    def format(self) -> str:
        """The type of the arrays, as the Arrow C data interface writes it. Raises Error if parts differ."""
        first, *others = [plan.format() for plan in self.plans]
        for number, other in enumerate(others, 1):
            if other != first:
                raise Error(
                    ErrorCode.DAMAGED, f"part {number} is of type {other!r}, part 0 is of type {first!r}"
                )
        return first

    def arrays(self, selection: Selection) -> Iterator[Capsules]:
        """The selected values: a range as an array for each part that holds some, others as one array."""
        if not selection:
            return
        if isinstance(selection, range):
            yield from self._consecutive(selection.start, selection.stop)
        elif len(self.plans) == 1:
            yield self.plans[0].take(selection)
        else:
            yield self._taken(selection)

    def _consecutive(self, first: int, end: int) -> Iterator[Capsules]:
        for number in range(self._part_of(first), len(self.plans)):
            start = self._starts[number]
            if start >= end:
                return
            begin = max(first, start)
            count = min(end, self._starts[number + 1]) - begin
            # A part may have no values.
            if count:
                with part_named(number, len(self.plans)):
                    values = self.plans[number].decompress(begin - start, count)
                yield values

    def _taken(self, selection: Sequence[int]) -> Capsules:
        in_parts = [array("Q") for _ in self.plans]
        places: list[tuple[int, int]] = []
        for value in selection:
            number = self._part_of(value)
            places.append((number, len(in_parts[number])))
            in_parts[number].append(value - self._starts[number])
        taken: list[Capsules] = []
        for number, (plan, values) in enumerate(zip(self.plans, in_parts, strict=True)):
            with part_named(number, len(self.plans)):
                taken.append(plan.take(values))
        firsts = list(accumulate(map(len, in_parts), initial=0))
        return _codec.join(taken, self.format(), [firsts[number] + place for number, place in places])

    def _part_of(self, value: int) -> int:
        # The last that starts there: those before have no values.
        return bisect.bisect_right(self._starts, value) - 1


def _load_parts(
    kind: type[Plan], data: bytes | bytearray | memoryview, threads: int, verify: bool
) -> Parts[Plan]:
    return Parts(kind, memoryview(data), threads, verify)
