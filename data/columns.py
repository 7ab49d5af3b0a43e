"""Stores a column of TPC-H-derived text as values: little-endian numbers, or characters of a fixed width."""

import re
from pathlib import Path

import numpy as np

from data.errors import DataUnavailableError

# Text that is read at a time, to the end of a line.
_BYTES_OF_LINES = 1 << 24
_CHARACTERS = re.compile(r"characters_(\d+)")
_DATE = np.dtype([("date", "S10"), ("end", "S1")])


def _numbers(text: bytes, of_type: str) -> bytes:
    """Whole numbers, or decimals as a whole number of their last digit: 173.45 is 17345."""
    numbers = np.fromstring(text.translate(None, b".").decode(), dtype=np.int64, sep="\n")
    limits = np.iinfo(of_type)
    if not limits.min <= numbers.min() <= numbers.max() <= limits.max:
        raise DataUnavailableError(f"a value has more than {limits.bits} bits")
    return numbers.astype(of_type).tobytes()


def _days(text: bytes) -> bytes:
    """Dates, such as 1996-03-13, as days since 1970 of 32 bits, as ORC has them."""
    dates = np.frombuffer(text, _DATE)["date"].astype("datetime64[D]")
    return dates.astype(np.int64).astype("<i4").tobytes()


def _characters(text: bytes, width: int) -> bytes:
    """Text filled up with spaces, as SQL's CHAR has it."""
    lines = text.splitlines()
    if max(map(len, lines)) > width:
        raise DataUnavailableError(f"a text has more than {width} characters")
    return b"".join(line.ljust(width) for line in lines)


def stored(text: bytes, values: str) -> bytes:
    """The values of lines, one or more. `values` is i32 or i64, days, or characters_ and a width."""
    if characters := _CHARACTERS.fullmatch(values):
        return _characters(text, int(characters[1]))
    return _days(text) if values == "days" else _numbers(text, {"i32": "<i4", "i64": "<i8"}[values])


def store_values(path: Path, values: str) -> None:
    """Replaces the file of lines at `path` by that of their values."""
    replacement = path.with_name(f"{path.name}.values")
    with path.open("rb") as text, replacement.open("wb") as column:
        while block := text.read(_BYTES_OF_LINES):
            column.write(stored(block + text.readline(), values))
    replacement.replace(path)
