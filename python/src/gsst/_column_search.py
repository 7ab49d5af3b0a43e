"""Searching the strings of a column, with the names of pyarrow.compute."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable
from importlib import import_module
from typing import TYPE_CHECKING, Any

from gsst import _codec
from gsst._arrow import ArrowChunk, Capsules, pyarrow
from gsst._error import Error, ErrorCode
from gsst._parts import Parts, part_named
from gsst._search import PatternKind, Patterns, bytes_of_pattern, search_plan

if TYPE_CHECKING:
    from gsst._column import Strings

Values = Iterable[str | bytes | None]


def _booleans_of(mask: object) -> Any:  # noqa: ANN401
    """An array of pyarrow. Raises Error for one of another type."""
    pa = pyarrow()
    booleans: Any
    if isinstance(mask, pa.Array | pa.ChunkedArray):
        booleans = mask
    elif hasattr(mask, "__arrow_c_stream__"):
        booleans = pa.chunked_array(mask)
    else:
        booleans = pa.array(mask, None if hasattr(mask, "__arrow_c_array__") else pa.bool_())
    if booleans.type != pa.bool_():
        raise Error(ErrorCode.INVALID_ARGUMENT, f"the mask is of type {booleans.type}, expected bool")
    return booleans


class ColumnSearch:
    """The searches of a column, each string by itself. Their results are arrays of pyarrow, null where the
    string is, which they need. Those of text count characters, and ignore the case as Unicode has it."""

    _parts: Parts[_codec.ColumnPlan]
    _format: str
    # What Strings has too.
    _select: Callable[[array[int]], Strings]

    def match_substring(self, pattern: str | bytes, *, ignore_case: bool = False) -> Any:  # noqa: ANN401
        """Which strings contain `pattern`. Raises Error and ImportError, as all of these do."""
        return self._match(pattern, "substring", ignore_case)

    def match_substring_regex(self, pattern: str | bytes, *, ignore_case: bool = False) -> Any:  # noqa: ANN401
        """Which strings a regular expression in the syntax of RE2 matches somewhere."""
        return self._match(pattern, "expression", ignore_case)

    def match_like(self, pattern: str | bytes, *, ignore_case: bool = False) -> Any:  # noqa: ANN401
        """Which strings SQL's LIKE matches: % is any text, _ a character, a backslash makes them plain."""
        return self._match(pattern, "like", ignore_case)

    def starts_with(self, pattern: str | bytes, *, ignore_case: bool = False) -> Any:  # noqa: ANN401
        """Which strings start with `pattern`."""
        return self._match(pattern, "prefix", ignore_case)

    def ends_with(self, pattern: str | bytes, *, ignore_case: bool = False) -> Any:  # noqa: ANN401
        """Which strings end with `pattern`."""
        return self._match(pattern, "suffix", ignore_case)

    def equal(self, value: str | bytes) -> Any:  # noqa: ANN401
        """Which strings are `value`."""
        return self._match(value, "equals", ignore_case=False)

    def is_in(self, value_set: Values, *, skip_nulls: bool = False) -> Any:  # noqa: ANN401
        """Which strings are one of `value_set`, strings or an array of pyarrow. A null is one if it has a
        null and `skip_nulls` is not set; the result has none."""
        as_objects = getattr(value_set, "to_pylist", None)
        values = list(value_set if as_objects is None else as_objects())
        strings = [value for value in values if value is not None]
        has_null = len(strings) < len(values) and not skip_nulls
        return self._match(strings, "equals", ignore_case=False).fill_null(has_null)

    def count_substring(self, pattern: str | bytes, *, ignore_case: bool = False) -> Any:  # noqa: ANN401
        """How often each string contains `pattern`, without overlaps, as numbers of 32 bits, or of 64 for
        large strings."""
        if not bytes_of_pattern(pattern):
            raise Error(ErrorCode.INVALID_ARGUMENT, "the pattern is empty")
        plan = self._plan(pattern, "substring", ignore_case)
        return self._search(plan.count_in_column)

    def filter(self, mask: object) -> Strings:
        """The strings where `mask`, booleans of Arrow or of a sequence, is true: none where it is null.

        Blocks that hold none of them are not decompressed. Raises Error and ImportError.
        """
        booleans = _booleans_of(mask)
        if len(booleans) != len(self._parts):
            raise Error(
                ErrorCode.INVALID_ARGUMENT,
                f"the mask has {len(booleans)} values, the column has {len(self._parts)} strings",
            )
        numbers = import_module("pyarrow.compute").indices_nonzero(booleans)
        chosen = array("Q")
        chosen.frombytes(memoryview(numbers.buffers()[1])[: 8 * len(numbers)])
        return self._select(chosen)

    def _plan(self, patterns: Patterns, kind: PatternKind, ignore_case: bool) -> _codec.SearchPlan:
        return search_plan(patterns, kind, ignore_case=ignore_case, utf8=self._format in "uU")

    def _match(self, patterns: Patterns, kind: PatternKind, ignore_case: bool) -> Any:  # noqa: ANN401
        return self._search(self._plan(patterns, kind, ignore_case).match_column)

    def _search(self, search: Callable[[memoryview, int, bool], Capsules]) -> Any:  # noqa: ANN401
        pa = pyarrow()
        found: list[Any] = []
        for number, (part, threads, verify) in enumerate(self._parts.compressed()):
            with part_named(number, len(self._parts.plans)):
                found.append(pa.array(ArrowChunk(search(part, threads, verify))))
        return found[0] if len(found) == 1 else pa.concat_arrays(found)
