"""Columns with a separator that must decode, and ones of which one field at a time is damaged."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from column_files import MIXED, InvalidColumn, ValidColumn
from column_writer import BYTES, Strings, column_of, repair_column
from format_writer import Written
from valid_files import TEXT_TABLE

LINE_END = b"\n"


def valid_separated_columns() -> Iterator[ValidColumn]:
    """Each kind of group, each type, and bytes at both ends of the alphabet."""
    cases: dict[str, Strings] = {
        "no_strings": (),
        "one_string": (b"the boxes",),
        "one_null": (None,),
        "one_empty": (b"",),
        "nulls_only": (None,) * 1025,
        "equal_lengths": (b"ship",) * 1024,
        "mixed": MIXED,
        "over_blocks": (b"sea",) * 9 + (b"the boxes " * 900, b"", b"ship"),
    }
    for name, strings in cases.items():
        data = bytes(column_of(strings, table=TEXT_TABLE, separator=LINE_END).data)
        yield ValidColumn(f"separated_column_{name}.gssc", data, strings, 1, 4)
    for name, kind, width, separator in (
        ("large_text", 1, 8, LINE_END),
        ("bytes", BYTES, 4, b"\0"),
        ("large_bytes", BYTES, 8, b"\xff"),
    ):
        column = column_of(MIXED, kind=kind, offset_width=width, table=TEXT_TABLE, separator=separator)
        yield ValidColumn(f"separated_column_{name}.gssc", bytes(column.data), MIXED, kind, width)


def _set(field: str, value: int | bytes) -> Callable[[Written], None]:
    return lambda column: column.set(field, value)


# Name: damage, what is wrong, the field that the error names.
_DAMAGES: dict[str, tuple[Callable[[Written], None], str, str]] = {
    "no_flag": (_set("header/reserved", b"\0\n" + bytes(3)), "no flag says separator", "column flags"),
    "flags": (_set("header/reserved", b"\3\n" + bytes(3)), "a flag that does not exist", "column flags"),
    "reserved": (_set("header/reserved", b"\1\n\1" + bytes(2)), "a reserved byte is 1", "reserved"),
    "kind": (_set("header/string kind", 0), "a kind that does not exist", "string kind"),
    "width": (_set("header/offset width", 2), "offsets of 2 bytes", "offset width"),
    "copy": (_set("trailer/copy of the header", 3), "the trailer says another type", "copy of the header"),
    "string_count": (_set("trailer/string count", 1499), "one string fewer", "group 1"),
    "null_count": (_set("trailer/null count", 0), "no nulls, but there are", "null count"),
    "frame_bytes": (_set("trailer/frame bytes", 2**64 - 1), "a frame larger than the column", "frame bytes"),
    "group_bytes": (_set("trailer/bytes of the groups", 5), "groups of 5 bytes", "bytes of the groups"),
    "first_byte": (
        _set("body/groups/group 1/first byte", 1),
        "group 1 starts at byte 1",
        "group 1 first byte",
    ),
    "bits": (_set("body/groups/group 0/length bits", 33), "33 bits", "group 0 length bits"),
}


def invalid_separated_columns() -> Iterator[InvalidColumn]:
    """MIXED with one damage each, with a checksum that is right, and frames that hold another text."""
    for name, (damage, why, field) in _DAMAGES.items():
        column = column_of(MIXED, table=TEXT_TABLE, separator=LINE_END)
        damage(column)
        if name in ("no_flag", "flags", "reserved", "kind", "width"):
            column.set("trailer/copy of the header", bytes(column.data[8:16]))
        repair_column(column)
        yield InvalidColumn(f"separated_column_{name}.gssc", bytes(column.data), why, field)
    whole = column_of(MIXED, table=TEXT_TABLE, separator=LINE_END)
    unrepaired = bytearray(whole.data)
    unrepaired[whole.find("body/groups/group 0/lengths").start] ^= 1
    yield InvalidColumn(
        "separated_column_checksum.gssc", bytes(unrepaired), "a length that is not checked", "checksum"
    )
    yield InvalidColumn(
        "separated_column_cut.gssc", bytes(whole.data[:-1]), "the last byte is missing", "trailer magic"
    )
    strings = (b"the boxes", None, b"", b"sea")
    for name, text, why, field in (
        ("without", b"the boxessea", "a frame without separators", "string lengths"),
        ("no_last", b"the boxes\n\n\nsea", "no separator after the last string", "string lengths"),
        ("other_byte", b"the boxes\n;\nsea\n", "another byte after a null", "separator"),
        ("in_string", b"the\nboxes\n\n\nsea\n", "a string holds the separator", "separator"),
    ):
        data = bytes(column_of(strings, separator=LINE_END, text=text).data)
        yield InvalidColumn(f"separated_column_{name}.gssc", data, why, field)
