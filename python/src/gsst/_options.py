"""Names and defaults of options, in place of the library's numbers."""

from typing import Literal

from gsst import _codec
from gsst._error import Error, ErrorCode

Format = Literal["blocks", "splits", "coalesced", "tiles", "fsst"]
"""How blocks are stored: the formats of the specification. `fsst` is the file of FSST's own tool."""

FORMAT_NUMBERS: dict[str, int] = {"blocks": 1, "splits": 2, "coalesced": 3, "tiles": 4, "fsst": 65536}
FORMAT_NAMES: dict[int, Format] = {1: "blocks", 2: "splits", 3: "coalesced", 4: "tiles", 65536: "fsst"}

IntegerFormat = Literal["for", "dfor", "rfor"]
"""How blocks of integers are stored: as differences from a number that they share, as differences from the
value before, or as runs of equal values."""

AutoFormat = Literal["auto"]
"""Asks for the format of integers that makes a column smallest."""

INTEGER_FORMAT_NUMBERS: dict[str, int] = {"auto": 0, "for": 32, "dfor": 33, "rfor": 34}
INTEGER_FORMAT_NAMES: dict[int, IntegerFormat] = {32: "for", 33: "dfor", 34: "rfor"}

Layout = Literal["dense", "lookup"]
"""How a column stores its strings: `dense` is the smallest; in `lookup` the codes of each string are its own,
so that one is found and decoded alone."""

AutoLayout = Literal["auto"]
"""Asks for the layout for lookups where it takes at most a quarter more bytes in a sample of the strings."""

LAYOUT_NUMBERS: dict[str, int] = {"dense": 1, "lookup": 2, "auto": 3}
LAYOUT_NAMES: dict[int, Layout] = {1: "dense", 2: "lookup"}

Checksum = Literal["xxh64", "xxh64-tree"]
"""How blocks are checked: by one checksum each, or by those of pieces, which a GPU compares side by side."""

_CHECKSUM_NUMBERS: dict[str, int] = {"xxh64": 1, "xxh64-tree": 2}

ALL_THREADS: int = _codec.all_threads
"""Asks for one thread for each core that the process may use."""


def _number_of(name: str | None, what: str, numbers: dict[str, int]) -> int:
    if name is None:
        return 0
    if name not in numbers:
        expected = ", ".join(numbers)
        raise Error(ErrorCode.INVALID_ARGUMENT, f"{what} is {name!r}, expected one of {expected}")
    return numbers[name]


def format_number(name: str | None) -> int:
    """The library's number of a format; 0, its default, for None."""
    return _number_of(name, "format", FORMAT_NUMBERS)


def integer_format_number(name: str | None) -> int:
    """The number of a format of integers; 0, the one that makes a column smallest, for None."""
    return _number_of(name, "format", INTEGER_FORMAT_NUMBERS)


def layout_number(name: str | None) -> int:
    """The library's number of a layout of columns; 0, its default, for None."""
    return _number_of(name, "layout", LAYOUT_NUMBERS)


def separator_number(separator: bytes | None) -> int | None:
    """The byte that a separator of columns is; None for None."""
    if separator is None:
        return None
    if not isinstance(separator, bytes) or len(separator) != 1:
        raise Error(ErrorCode.INVALID_ARGUMENT, f"separator is {separator!r}, expected one byte")
    return separator[0]


def checksum_number(name: Checksum | None) -> int:
    """The library's number of a kind of checksum; 0, its default, for None."""
    return _number_of(name, "checksum", _CHECKSUM_NUMBERS)


def number(name: str, value: int | None, largest: int = 2**32 - 1) -> int:
    """A number for the library, to which 0 is the default: that is None here, and 0 is refused."""
    if value is None:
        return 0
    if not 1 <= value <= largest:
        raise Error(ErrorCode.INVALID_ARGUMENT, f"{name} is {value}, expected 1 or more")
    return value
