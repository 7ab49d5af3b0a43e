"""Columns in parts, one behind the other in a file: the specification's sections 10.1 and 12.14."""

from __future__ import annotations

import mmap
from pathlib import Path

from gsst import _codec


def _last_part_bytes(parts: memoryview) -> int:
    if _codec.ends_with_integer_column(parts):
        return _codec.last_integer_column_bytes(parts)
    return _codec.last_column_bytes(parts)


def map_parts(path: Path) -> list[memoryview]:
    """The bytes of each part of a column's file, in order. Raises Error and OSError.

    The file is mapped as long as any of them is in use. The parts are found and not checked.
    """
    if path.stat().st_size == 0:
        # No empty file can be mapped.
        _codec.last_column_bytes(b"")
    with path.open("rb") as file:
        whole = memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
    parts: list[memoryview] = []
    end = len(whole)
    while end > 0:
        start = end - _last_part_bytes(whole[:end])
        parts.append(whole[start:end])
        end = start
    parts.reverse()
    return parts
