"""Saved tables and values that need one (docs/small_values.md), written apart from the C++ library."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from format_writer import ESCAPE, SymbolTable, Written, little
from listed_files import Listed, files_with_list
from xxh64 import xxh64

FOLDER = "values"
MAGIC = b"\x89GSSB\r\n\x1a"
VERSION = 1
RAW, CODES, NAMED_CODES = range(3)
_WORDS = SymbolTable.of(b"the ", b"box", b"es ", b"carry", b" pack", b"ages", b"th", b"e", b"sleeping")
_TABLES = {
    "words": _WORDS,
    "empty": SymbolTable(),
    "full": SymbolTable.of(*(bytes((first, second)) for first in range(15) for second in range(17))),
    "longest": SymbolTable.of(*(bytes((first, *range(7))) for first in range(255))),
}


def saved(table: SymbolTable) -> Written:
    """A table with all that is stored around it."""
    written = Written()
    written.add("magic", MAGIC)
    written.add("version", little(VERSION, 4))
    written.add_all("table", table.stored())
    written.add("checksum", little(xxh64(bytes(written.data)), 8))
    return written


def _repair(table: Written) -> None:
    table.data[-8:] = little(xxh64(bytes(table.data[:-8])), 8)


def _id(table: Written) -> bytes:
    return bytes(table.data[-8:-4])


def _value(kind: int, rest: bytes = b"") -> bytes:
    return bytes((kind,)) + rest


def _pair(value: bytes, text: bytes) -> dict[str, str]:
    return {"value": value.hex(), "text": text.hex()}


def _values_of(table: SymbolTable, table_id: bytes) -> Iterator[dict[str, str]]:
    yield _pair(_value(RAW), b"")
    yield _pair(_value(CODES), b"")
    yield _pair(_value(NAMED_CODES, table_id), b"")
    for text in (b"the boxes carry packages", b"\0", bytes(range(256)), bytes((1, 2)) * 300):
        codes = table.encode(text)
        yield _pair(_value(RAW, text), text)
        yield _pair(_value(CODES, codes), text)
        yield _pair(_value(NAMED_CODES, table_id + codes), text)


def _refused(value: bytes, why: str, field: str) -> dict[str, str]:
    return {"value": value.hex(), "why": why, "field": field}


def _refused_by(table: SymbolTable, table_id: bytes) -> Iterator[dict[str, str]]:
    yield _refused(b"", "no bytes at all", "value kind")
    yield _refused(_value(3, b"the box"), "a kind that is not known", "value kind")
    yield _refused(_value(255), "the largest kind, which is not known", "value kind")
    yield _refused(_value(CODES, bytes((ESCAPE,))), "an escape without its byte", "codes")
    yield _refused(_value(NAMED_CODES, table_id[:3]), "an id without its last byte", "table id")
    other = bytes((table_id[0] ^ 1,)) + table_id[1:]
    yield _refused(_value(NAMED_CODES, other), "the id of another table", "table id")
    if len(table.symbols) < ESCAPE:
        yield _refused(_value(CODES, bytes((ESCAPE - 1,))), "a code without a symbol", "codes")


def _valid() -> Iterator[Listed]:
    for name, table in _TABLES.items():
        written = saved(table)
        table_id = _id(written)
        entry = {
            "file": f"valid/{name}.gssb",
            "id": int.from_bytes(table_id, "little"),
            "values": list(_values_of(table, table_id)),
            "refused": list(_refused_by(table, table_id)),
        }
        yield entry, bytes(written.data)


def _flip(field: str) -> Callable[[Written], None]:
    def damage(table: Written) -> None:
        table.data[table.find(field).start] ^= 2
        _repair(table)

    return damage


def _cut(table: Written) -> None:
    del table.data[-9:-8]
    _repair(table)


def _lengthen(table: Written) -> None:
    table.data[-8:-8] = b"\0"
    _repair(table)


def _damage_checksum(table: Written) -> None:
    table.data[-1] ^= 1


_DAMAGES: dict[str, tuple[Callable[[Written], None], str, str]] = {
    "version": (_flip("version"), "a version that is not known", "table version"),
    "version_word": (_flip("table/version word"), "another order of bytes", "version word"),
    "flag": (_flip("table/zero-terminated flag"), "a flag that is not 0 or 1", "zero-terminated flag"),
    "histogram": (_flip("table/length histogram"), "two symbols more than are counted", "length histogram"),
    "cut": (_cut, "the last symbol lacks a byte", "symbols"),
    "longer": (_lengthen, "a byte behind the symbols", "table"),
    "checksum": (_damage_checksum, "a checksum that differs", "table checksum"),
}


def _invalid() -> Iterator[Listed]:
    for name, (damage, why, field) in _DAMAGES.items():
        table = saved(_WORDS)
        damage(table)
        yield {"file": f"invalid/{name}.gssb", "why": why, "field": field}, bytes(table.data)
    whole = bytes(saved(_WORDS).data)
    yield {"file": "invalid/head.gssb", "why": "nothing but magic and version", "field": "table"}, whole[:12]
    other = b"\x89GSST\r\n\x1a" + whole[8:]
    yield {"file": "invalid/magic.gssb", "why": "the magic of a frame", "field": "not a gsst table"}, other


def value_files() -> dict[str, bytes]:
    """Every file, by its path below data/golden, with the list of them."""
    return files_with_list(FOLDER, _valid(), _invalid())
