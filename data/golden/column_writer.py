"""Dense columns of strings (FORMAT.md, sections 10 and 10.3), written apart from the C++ library."""

from __future__ import annotations

from collections.abc import Sequence

from format_writer import (
    Block,
    BlockFormat,
    Layout,
    SymbolTable,
    Written,
    encoded_block,
    frame_of,
    little,
    raw_block,
)
from xxh64 import xxh64

COLUMN_MAGIC = b"\x89GSSC\r\n\x1a"
COLUMN_TRAILER_MAGIC = b"\x89CSSG\r\n\x1a"
GROUP = 1024
TEXT = 1
BYTES = 2

Strings = Sequence[bytes | None]


def packed(numbers: Sequence[int], bits: int) -> bytes:
    """Numbers of `bits` bits, one behind the other from the lowest bit on."""
    whole = sum(number << (bits * i) for i, number in enumerate(numbers))
    return little(whole, -(-len(numbers) * bits // 8))


def column_header(kind: int, offset_width: int) -> Written:
    """The header of a column."""
    written = Written()
    written.add("magic", COLUMN_MAGIC)
    written.add("version", b"\1")
    written.add("string kind", little(kind, 1))
    written.add("offset width", little(offset_width, 1))
    written.add("reserved", bytes(5))
    return written


def groups_of(strings: Strings) -> Written:
    """The entries of all groups and the data behind them."""
    entries, data = Written(), Written()
    starts = range(0, len(strings), GROUP)
    first_byte = 0
    for group, start in enumerate(starts):
        members = strings[start : start + GROUP]
        lengths = [len(member or b"") for member in members]
        shortest = min(lengths)
        bits = (max(lengths) - shortest).bit_length()
        nulls = None in members
        prefix = f"group {group}"
        entries.add(f"{prefix}/first byte", little(first_byte, 8))
        entries.add(f"{prefix}/data offset", little(24 * len(starts) + len(data.data), 8))
        entries.add(f"{prefix}/shortest length", little(shortest, 4))
        entries.add(f"{prefix}/length bits", little(bits, 1))
        entries.add(f"{prefix}/null flag", little(int(nulls), 1))
        entries.add(f"{prefix}/reserved", bytes(2))
        data.add(f"{prefix}/lengths", packed([length - shortest for length in lengths], bits))
        data.add(f"{prefix}/nulls", packed([int(member is not None) for member in members if nulls], 1))
        first_byte += sum(lengths)
    written = Written()
    written.add_all("groups", entries)
    written.add_all("groups", data)
    return written


def column_trailer(header: Written, strings: Strings, frame_bytes: int, group_bytes: int) -> Written:
    """The trailer, without its checksum."""
    written = Written()
    written.add("copy of the header", bytes(header.data[8:]))
    written.add("string count", little(len(strings), 8))
    written.add("null count", little(sum(string is None for string in strings), 8))
    written.add("frame bytes", little(frame_bytes, 8))
    written.add("bytes of the groups", little(group_bytes, 8))
    written.add("checksum", bytes(8))
    written.add("magic", COLUMN_TRAILER_MAGIC)
    return written


def repair_column(column: Written) -> None:
    """Writes the right checksum of the groups and the trailer."""
    end = column.find("trailer/checksum").start
    start = column.find("frame").end
    column.set("trailer/checksum", xxh64(bytes(column.data[start:end])))


def frame_of_strings(data: bytes, table: SymbolTable, block_size: int) -> bytes:
    """A frame of format splits with the bytes of all strings."""
    blocks: list[Block] = []
    for start in range(0, len(data), block_size):
        piece = data[start : start + block_size]
        block = encoded_block(BlockFormat.SPLITS, Layout.NARROW, table, piece, 2)
        blocks.append(block if len(block.payload.data) < len(piece) else raw_block(piece))
    return bytes(frame_of(BlockFormat.SPLITS, block_size, 2, blocks).data)


def column_of(
    strings: Strings,
    *,
    kind: int = TEXT,
    offset_width: int = 4,
    table: SymbolTable | None = None,
    block_size: int = 4096,
    separator: bytes = b"",
    text: bytes | None = None,
) -> Written:
    """A whole column, with `separator` after each string; `text` is what its frame holds, if not these."""
    column = Written()
    header = column_header(kind, offset_width)
    if separator:
        header.set("version", 3)
        header.set("reserved", b"\1" + separator + bytes(3))
    column.add_all("header", header)
    data = b"".join((string or b"") + separator for string in strings) if text is None else text
    column.add("frame", frame_of_strings(data, table or SymbolTable(), block_size))
    groups = groups_of(strings)
    column.add_all("body", groups)
    frame_bytes = len(column.get("frame"))
    column.add_all("trailer", column_trailer(header, strings, frame_bytes, len(groups.data)))
    repair_column(column)
    return column
