"""Searching frames: where their text has a match."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Literal

from gsst import _codec
from gsst._error import Error, ErrorCode
from gsst._options import Format, format_number, number

if TYPE_CHECKING:
    from typing_extensions import Buffer

    from gsst._frame import Tensor

PatternKind = Literal["substring", "prefix", "suffix", "equals", "like", "expression"]
"""What a pattern matches: its bytes anywhere, at the start or at the end of a string, a string that is the
same, one that SQL's LIKE matches, or what a regular expression in the syntax of RE2 matches."""

Patterns = str | bytes | Iterable[str | bytes]

_KIND_NUMBERS: dict[str, int] = {
    name: kind
    for kind, name in enumerate(("substring", "prefix", "suffix", "equals", "like", "expression"), 1)
}


def bytes_of_pattern(pattern: str | bytes) -> bytes:
    return pattern.encode() if isinstance(pattern, str) else bytes(pattern)


def search_plan(patterns: Patterns, kind: PatternKind, *, ignore_case: bool, utf8: bool) -> _codec.SearchPlan:
    """What searches for any of the patterns. Raises Error."""
    if kind not in _KIND_NUMBERS:
        expected = ", ".join(_KIND_NUMBERS)
        raise Error(ErrorCode.INVALID_ARGUMENT, f"kind is {kind!r}, expected one of {expected}")
    several = [patterns] if isinstance(patterns, str | bytes) else patterns
    encoded = [bytes_of_pattern(pattern) for pattern in several]
    return _codec.SearchPlan(encoded, _KIND_NUMBERS[kind], ignore_case, utf8)


class Search:
    """Patterns, made ready to search any number of frames, of which any may match. Threads may share it.

    Kind substring is matched anywhere in the text. With the other kinds, strings are lines of it without
    their line ends. With `ignore_case` letters match in both cases: those of ASCII or, with `utf8`, of
    Unicode. With `utf8` a character is one of UTF-8, not a byte. Raises Error.
    """

    def __init__(
        self,
        patterns: Patterns,
        *,
        kind: PatternKind = "substring",
        ignore_case: bool = False,
        utf8: bool = False,
    ) -> None:
        self._plan = search_plan(patterns, kind, ignore_case=ignore_case, utf8=utf8)

    def find(
        self, frame: Buffer | Tensor, *, format: Format | None = None, threads: int = 1, verify: bool = True
    ) -> list[tuple[int, int]]:
        """Where the matches are, in order: the offset of each in the decompressed data, and its bytes.

        The leftmost and longest of overlapping matches is taken, as `gsst grep -o` does, and none without
        bytes. Format tiles is searched without decoding most of it. `verify` compares the checksums of the
        blocks that are decoded. Raises Error.
        """
        return self._plan.find(frame, format_number(format), number("threads", threads), verify)

    def count(
        self, frame: Buffer | Tensor, *, format: Format | None = None, threads: int = 1, verify: bool = True
    ) -> int:
        """How many matches find() gives. Raises Error."""
        return self._plan.count(frame, format_number(format), number("threads", threads), verify)


def search(
    frame: Buffer | Tensor,
    patterns: Patterns,
    *,
    kind: PatternKind = "substring",
    ignore_case: bool = False,
    utf8: bool = False,
    threads: int = 1,
) -> list[tuple[int, int]]:
    """Where a frame has matches; see Search, which searches several frames. Raises Error."""
    return Search(patterns, kind=kind, ignore_case=ignore_case, utf8=utf8).find(frame, threads=threads)
