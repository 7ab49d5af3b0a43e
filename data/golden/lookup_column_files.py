"""Columns in the layout for lookups that must decode, and ones of which one field at a time is damaged."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from column_files import MIXED, InvalidColumn, ValidColumn
from column_writer import BYTES, Strings, repair_column
from format_writer import Written
from lookup_column_writer import lookup_column_of
from valid_files import TEXT_TABLE


def valid_lookup_columns() -> Iterator[ValidColumn]:
    """Each kind of group and of block, and each type."""
    cases: dict[str, Strings] = {
        "no_strings": (),
        "one_string": (b"the boxes",),
        "one_null": (None,),
        "one_empty": (b"",),
        "nulls_only": (None,) * 1025,
        "equal_lengths": (b"ship",) * 1024,
        "one_more_than_a_group": (*(b"ship" for _ in range(1024)), b"harbour"),
        "mixed": MIXED,
        "over_blocks": (b"sea",) * 9 + (b"the boxes " * 900, b"", b"ship"),
        "escapes": (b"\xff\xffsea\xff", b"\x00", b"\xff" * 40),
    }
    for name, strings in cases.items():
        data = bytes(lookup_column_of(strings, table=TEXT_TABLE).data)
        yield ValidColumn(f"lookup_column_{name}.gssc", data, strings, 1, 4)
    for name, kind, width in (("large_text", 1, 8), ("bytes", BYTES, 4), ("large_bytes", BYTES, 8)):
        column = lookup_column_of(MIXED, kind=kind, offset_width=width, table=TEXT_TABLE)
        yield ValidColumn(f"lookup_column_{name}.gssc", bytes(column.data), MIXED, kind, width)
    frames = (("blocks", 4096, 1), ("small_blocks", 512, 1), ("many_splits", 2048, 64))
    for name, block_size, splits in frames:
        column = lookup_column_of(MIXED, table=TEXT_TABLE, block_size=block_size, split_count=splits)
        yield ValidColumn(f"lookup_column_{name}.gssc", bytes(column.data), MIXED, 1, 4)
    # A table without symbols: every block is raw.
    yield ValidColumn("lookup_column_raw.gssc", bytes(lookup_column_of(MIXED).data), MIXED, 1, 4)


def _set(field: str, value: int | bytes) -> Callable[[Written], None]:
    return lambda column: column.set(field, value)


def _set_bits(field: str) -> Callable[[Written], None]:
    return lambda column: column.set(field, b"\xff" * len(column.get(field)))


_GROUP = "body/groups/group 1"
_FIRST = "body/groups/group 0"
# Name: damage, what is wrong, the field that the error names.
_DAMAGES: dict[str, tuple[Callable[[Written], None], str, str]] = {
    "layout": (_set("header/reserved", b"\2" + bytes(4)), "a layout that does not exist", "column layout"),
    "reserved": (_set("header/reserved", b"\1\1" + bytes(3)), "a reserved byte is 1", "reserved"),
    "kind": (_set("header/string kind", 0), "a kind that does not exist", "string kind"),
    "width": (_set("header/offset width", 2), "offsets of 2 bytes", "offset width"),
    "copy": (_set("trailer/copy of the header", 1), "the trailer says another type", "copy of the header"),
    "string_count": (_set("trailer/string count", 1499), "one string fewer", "group 1"),
    "string_count_huge": (_set("trailer/string count", 2**64 - 1), "more than groups hold", "string count"),
    "null_count": (_set("trailer/null count", 0), "no nulls, but there are", "null count"),
    "frame_bytes": (_set("trailer/frame bytes", 2**64 - 1), "a frame larger than the column", "frame bytes"),
    "group_bytes": (_set("trailer/bytes of the groups", 5), "groups of 5 bytes", "bytes of the groups"),
    "first_byte": (_set(f"{_GROUP}/first byte", 1), "group 1 starts at byte 1", "group 1 first byte"),
    "data_offset": (_set(f"{_GROUP}/data offset", 0), "its data is at 0", "group 1 data offset"),
    "first_code": (_set(f"{_GROUP}/first code", 0), "its codes start at 0", "group 1 first code"),
    "byte_bits": (_set(f"{_FIRST}/byte bits", 49), "49 bits", "group 0 byte bits"),
    "code_bits": (_set(f"{_FIRST}/code bits", 58), "58 bits", "group 0 code bits"),
    "length_bits": (_set(f"{_FIRST}/length bits", 49), "49 bits", "group 0 length bits"),
    "step_bits": (_set(f"{_FIRST}/step bits", 58), "58 bits", "group 0 step bits"),
    "flag": (_set(f"{_FIRST}/null flag", 2), "a flag of 2", "group 0 null flag"),
    "entry_reserved": (_set(f"{_FIRST}/reserved", 1), "reserved bytes", "group 0 reserved"),
    "record_byte": (_set_bits(f"{_FIRST}/record 1"), "fields of ones", "group 0 record byte"),
    "shortest": (_set(f"{_FIRST}/shortest length", 1), "bytes without codes", "group 0 code ends"),
    "step": (_set(f"{_FIRST}/shortest step", 1), "a step for empty strings", "group 0 code ends"),
    "missing": (_set_bits(f"{_GROUP}/record 59"), "fields of strings that are not there", "group 1"),
}


def invalid_lookup_columns() -> Iterator[InvalidColumn]:
    """MIXED with one damage each, with a checksum that is right."""
    for name, (damage, why, field) in _DAMAGES.items():
        column = lookup_column_of(MIXED, table=TEXT_TABLE)
        damage(column)
        if name in ("layout", "reserved", "kind", "width"):
            column.set("trailer/copy of the header", bytes(column.data[8:16]))
        repair_column(column)
        yield InvalidColumn(f"lookup_column_{name}.gssc", bytes(column.data), why, field)
    whole = lookup_column_of(MIXED, table=TEXT_TABLE)
    unrepaired = bytearray(whole.data)
    unrepaired[whole.find(f"{_FIRST}/record 0").start] ^= 1
    yield InvalidColumn("lookup_column_checksum.gssc", bytes(unrepaired), "a wrong checksum", "checksum")
    yield InvalidColumn(
        "lookup_column_cut.gssc", bytes(whole.data[:-1]), "the last byte is missing", "trailer magic"
    )
    first = next(number for number, string in enumerate(MIXED) if string and number > 40)
    for name, by in (("code_end_before", -1), ("code_end_after", 1)):
        column = lookup_column_of(MIXED, table=TEXT_TABLE, move_code_end=(first, by))
        yield InvalidColumn(
            f"lookup_column_{name}.gssc", bytes(column.data), "a code end that is none", "code end"
        )
