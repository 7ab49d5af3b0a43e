"""Blocks of zero-length coding that say their markers (FORMAT.md, section 11.4)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True)
class Choice:
    """What an encoder chooses for a frame; the numbers are those of the codec's options."""

    name: str
    rarest: bool
    four_zeros: bool

    def options(self) -> dict[str, int]:
        """Values of the options --marker and --runs-of-4."""
        return {"marker": int(not self.rarest), "runs-of-4": int(not self.four_zeros)}


CHOICES = (
    Choice("rarest_one_byte", True, True),
    Choice("rarest_two_bytes", True, False),
    Choice("ff_one_byte", False, True),
    Choice("ff_two_bytes", False, False),
)


def markers_of(block: bytes, choice: Choice) -> tuple[int, int]:
    """The marker of a block and its code of four zeros, 0 for none."""
    count = Counter(block)
    by_rarity = sorted(range(1, 256), key=lambda value: (count[value], value))
    marker = by_rarity[0] if choice.rarest else 0xFF
    return marker, next(value for value in by_rarity if value != marker) if choice.four_zeros else 0


def rest_of(zeros: int, marker: int, code: int) -> bytes:
    """Fewer zeros than a whole element has."""
    if zeros <= 2:
        return bytes(zeros)
    if zeros == 4 and code:
        return bytes((code,))
    if zeros == marker:
        return rest_of(zeros - 1, marker, code) + b"\0"
    return bytes((marker, zeros))


def marked(block: bytes, marker: int, code: int) -> bytes:
    """The payload of a block with these markers."""
    longest = 251 if marker == 252 else 252

    def element(match: re.Match[bytes]) -> bytes:
        found = match[0]
        if found[0] == 0:
            whole, rest = divmod(len(found), longest)
            return bytes((marker, longest)) * whole + rest_of(rest, marker, code)
        if found[0] == marker:
            return bytes((marker, 0))
        return bytes((marker, 0xFE if marker == 0xFD else 0xFD))

    special = re.escape(bytes((marker, code) if code else (marker,)))
    return bytes((marker, code)) + re.sub(rb"\x00+|[" + special + rb"]", element, block, flags=re.DOTALL)


def blocks_with_markers() -> Iterator[tuple[str, bytes, int]]:
    """Inputs whose rarest bytes are near each border: name, bytes and block size."""
    runs = (*range(9), *range(248, 260), *range(500, 509), 600)
    for rarest in (3, 4, 5, 252, 253):
        # Every value but `rarest` and the one above it, which come once and twice.
        others = bytes(value for value in range(1, 256) if value not in (rarest, rarest + 1)) * 3
        zeros = b"".join(bytes(run) + b"\x80" for run in runs)
        data = zeros + bytes((rarest, rarest + 1, rarest + 1)) + others
        yield f"rarest_is_{rarest}", data, 1 << 20


def wrong_marked() -> Iterator[tuple[str, bytes, int, str, str, int | None]]:
    """Name, payload, uncompressed size, what is wrong, the field, and the status where a decoder finds it."""
    too_short, too_long, marker_at_end, unused_length = 1, 2, 3, 4
    yield "marker_0", b"\0\1ab", 2, "the marker is 0", "marker", None
    yield "code_is_marker", b"\5\5ab", 2, "both are 5", "code of four zeros", None
    yield "marker_alone", b"\5", 1, "no code and no elements", "elements", None
    yield "no_elements", b"\5\0", 1, "no elements", "elements", None
    yield "too_few_bytes", b"\5\0\5\xfc", 253, "no elements take so few bytes", "elements", None
    yield "marker_after_marker", b"\5\0a\5\5", 6, "05 05 is nothing", "elements", unused_length
    yield "literal_code_without_code", b"\5\0a\5\xfd", 2, "05 FD is nothing", "elements", unused_length
    yield "other_literal_code", b"\5\x09a\5\xfe", 2, "05 FE is nothing", "elements", unused_length
    yield "fd_after_fd", b"\xfd\x09a\xfd\xfd", 2, "FD FD is nothing", "elements", unused_length
    yield "unused_ff", b"\5\x09a\5\xff", 2, "05 FF is nothing", "elements", unused_length
    yield "marker_last", b"\5\x09ab\5", 3, "no byte follows the marker", "elements", marker_at_end
    yield "four_zeros_too_long", b"\5\x09a\x09", 4, "five bytes for four", "elements", too_long
    yield "run_too_long", b"\5\x09a\5\6", 6, "seven bytes for six", "elements", too_long
    yield "literal_code_too_many", b"\5\x09ab\5\xfd", 2, "three bytes for two", "elements", too_long
    yield "four_zeros_too_short", b"\5\x09a\x09", 6, "five bytes for six", "elements", too_short
