"""Writes ORC files of one column whose streams are given, with the least metadata that a reader wants."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

MAGIC = b"ORC"
# Numbers of ORC's kinds of types and of encodings.
TYPES = {"i8": 1, "i16": 2, "i32": 3, "i64": 4}
STRUCT = 12
DATA = 1
DIRECT = 0
DIRECT_V2 = 2


@dataclass(frozen=True)
class Stripe:
    """Rows without nulls, and their stream without compression."""

    rows: int
    stream: bytes


def varint(number: int) -> bytes:
    groups = []
    while number >= 0x80:
        groups.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*groups, number])


def message(fields: Iterable[tuple[int, int | str | bytes]]) -> bytes:
    """Protobuf's encoding of numbered fields, numbers as varints."""
    encoded = b""
    for number, value in fields:
        if isinstance(value, int):
            encoded += varint(number << 3) + varint(value)
        else:
            content = value.encode() if isinstance(value, str) else value
            encoded += varint(number << 3 | 2) + varint(len(content)) + content
    return encoded


def orc_file(kind: str, encoding: int, stripes: Sequence[Stripe]) -> bytes:
    """A file without row indexes, whose column is called c."""
    minor = 11 if encoding == DIRECT else 12
    file = MAGIC
    listed: list[tuple[int, int | str | bytes]] = []
    for stripe in stripes:
        stream = message([(1, DATA), (2, 1), (3, len(stripe.stream))])
        columns = [message([(1, DIRECT)]), message([(1, encoding)])]
        footer = message([(1, stream), *((2, column) for column in columns)])
        sizes = [(1, len(file)), (2, 0), (3, len(stripe.stream)), (4, len(footer)), (5, stripe.rows)]
        listed.append((3, message(sizes)))
        file += stripe.stream + footer
    types = [message([(1, STRUCT), (2, b"\1"), (3, "c")]), message([(1, TYPES[kind])])]
    rows = sum(stripe.rows for stripe in stripes)
    content = [(1, len(MAGIC)), (2, len(file)), *listed, *((4, one) for one in types), (6, rows), (8, 0)]
    footer = message(content)
    postscript = message([(1, len(footer)), (2, 0), (4, bytes([0, minor])), (5, 0), (8000, MAGIC)])
    return file + footer + postscript + bytes([len(postscript)])
