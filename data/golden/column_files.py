"""Columns of strings that must decode, and columns of which one field at a time is damaged."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from column_writer import BYTES, Strings, column_of, repair_column
from format_writer import Written, little
from valid_files import TEXT_TABLE
from xxh64 import xxh64

WORDS = (b"the boxes", b"", b"ship by sea", None, b"barrels on rail", b"harbour")
MIXED: Strings = tuple(WORDS[(i * i + i // 7) % 6] for i in range(1500))


@dataclass(frozen=True)
class ValidColumn:
    """A valid column: `data` must decode to `strings`."""

    name: str
    data: bytes
    strings: Strings
    kind: int
    offset_width: int

    def digest(self) -> int:
        """xxh64 of all strings: for each 0 for a null, else 1, its length (u32) and its bytes."""
        parts = (b"\0" if s is None else b"\1" + little(len(s), 4) + s for s in self.strings)
        return xxh64(b"".join(parts))


@dataclass(frozen=True)
class InvalidColumn:
    """An invalid column, and a part of the name of the field that its error must name."""

    name: str
    data: bytes
    why: str
    field: str


def valid_columns() -> Iterator[ValidColumn]:
    """Each kind of group, and each type."""
    cases: dict[str, Strings] = {
        "no_strings": (),
        "one_string": (b"the boxes",),
        "one_null": (None,),
        "one_empty": (b"",),
        "nulls_only": (None,) * 1025,
        "equal_lengths": (b"ship",) * 1024,
        "one_more_than_a_group": (*(b"ship" for _ in range(1024)), b"harbour"),
        "mixed": MIXED,
        "long_among_short": (b"sea",) * 9 + (b"the boxes " * 400,),
    }
    for name, strings in cases.items():
        data = bytes(column_of(strings, table=TEXT_TABLE).data)
        yield ValidColumn(f"column_{name}.gssc", data, strings, 1, 4)
    for name, kind, width in (("large_text", 1, 8), ("bytes", BYTES, 4), ("large_bytes", BYTES, 8)):
        column = column_of(MIXED, kind=kind, offset_width=width, table=TEXT_TABLE)
        yield ValidColumn(f"column_{name}.gssc", bytes(column.data), MIXED, kind, width)


def _set(field: str, value: int | bytes) -> Callable[[Written], None]:
    return lambda column: column.set(field, value)


def _set_bits(field: str) -> Callable[[Written], None]:
    return lambda column: column.set(field, b"\xff" * len(column.get(field)))


# Name: damage, what is wrong, the field that the error names.
_DAMAGES: dict[str, tuple[Callable[[Written], None], str, str]] = {
    "magic": (_set("header/magic", b"\x89GSSD\r\n\x1a"), "another magic", "magic"),
    "version": (_set("header/version", 4), "a version that does not exist", "column version"),
    "kind": (_set("header/string kind", 0), "a kind that does not exist", "string kind"),
    "width": (_set("header/offset width", 2), "offsets of 2 bytes", "offset width"),
    "reserved": (_set("header/reserved", 1), "a reserved byte is 1", "reserved"),
    "copy": (_set("trailer/copy of the header", 1), "the trailer says another type", "copy of the header"),
    "string_count": (_set("trailer/string count", 1499), "one string fewer", "group 1"),
    "string_count_huge": (_set("trailer/string count", 2**64 - 1), "more than groups hold", "string count"),
    "null_count": (_set("trailer/null count", 0), "no nulls, but there are", "null count"),
    "frame_bytes": (_set("trailer/frame bytes", 2**64 - 1), "a frame larger than the column", "frame bytes"),
    "group_bytes": (_set("trailer/bytes of the groups", 5), "groups of 5 bytes", "bytes of the groups"),
    "trailer_magic": (_set("trailer/magic", bytes(8)), "another trailer magic", "trailer magic"),
    "first_byte": (
        _set("body/groups/group 1/first byte", 1),
        "group 1 starts at byte 1",
        "group 1 first byte",
    ),
    "data_offset": (_set("body/groups/group 1/data offset", 0), "its data is at 0", "group 1 data offset"),
    "shortest": (_set("body/groups/group 0/shortest length", 1), "nulls of one byte", "group 0 lengths"),
    "bits": (_set("body/groups/group 0/length bits", 33), "33 bits", "group 0 length bits"),
    "flag": (_set("body/groups/group 0/null flag", 2), "a flag of 2", "group 0 null flag"),
    "entry_reserved": (_set("body/groups/group 0/reserved", 1), "reserved bytes", "group 0 reserved"),
    "no_nulls": (_set_bits("body/groups/group 0/nulls"), "the flag is 1, none is null", "group 0 null flag"),
    "filler": (_set_bits("body/groups/group 1/nulls"), "bits behind the last one", "group 1"),
}


def invalid_columns() -> Iterator[InvalidColumn]:
    """MIXED with one damage each, with a checksum that is right."""
    for name, (damage, why, field) in _DAMAGES.items():
        column = column_of(MIXED, table=TEXT_TABLE)
        damage(column)
        repair_column(column)
        yield InvalidColumn(f"column_{name}.gssc", bytes(column.data), why, field)
    whole = column_of(MIXED, table=TEXT_TABLE)
    unrepaired = bytearray(whole.data)
    unrepaired[whole.find("body/groups/group 0/lengths").start] ^= 1
    yield InvalidColumn("column_checksum.gssc", bytes(unrepaired), "a length that is not checked", "checksum")
    yield InvalidColumn(
        "column_cut.gssc", bytes(whole.data[:-1]), "the last byte is missing", "trailer magic"
    )
    yield InvalidColumn(
        "column_longer.gssc", bytes(whole.data) + b"\0", "a byte behind the end", "trailer magic"
    )
    yield InvalidColumn("column_header_only.gssc", bytes(whole.data[:16]), "nothing but a header", "column")
    yield InvalidColumn(
        "column_other_frame.gssc", _with_other_frame(), "lengths of other strings", "string lengths"
    )
    yield InvalidColumn("column_no_frame.gssc", _with_damaged_frame(), "the frame has no magic", "magic")


def _with_other_frame() -> bytes:
    column = column_of((b"the boxes",))
    column.set("body/groups/group 0/shortest length", len(b"the box"))
    repair_column(column)
    return bytes(column.data)


def _with_damaged_frame() -> bytes:
    column = column_of(MIXED, table=TEXT_TABLE)
    column.data[column.find("frame").start] = 0
    return bytes(column.data)
