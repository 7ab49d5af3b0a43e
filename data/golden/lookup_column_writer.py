"""Columns for lookups (FORMAT.md, section 10.2), written apart from the C++ library."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from column_writer import GROUP, TEXT, Strings, column_header, column_trailer, packed, repair_column
from format_writer import (
    Block,
    BlockFormat,
    Layout,
    Payload,
    SymbolTable,
    Written,
    frame_of,
    little,
    part,
    raw_block,
)
from xxh64 import xxh64

RECORD = 8
FRAME_HEADER_BYTES = 40
RECORD_HEADER_BYTES = 24


@dataclass(frozen=True)
class _Place:
    """A string with bytes: where it starts and ends in the text."""

    string: int
    start: int
    end: int


def _places(strings: Strings) -> list[_Place]:
    places, at = [], 0
    for number, string in enumerate(strings):
        if string:
            places.append(_Place(number, at, at + len(string)))
            at += len(string)
    return places


def _cuts(places: Sequence[_Place], start: int, end: int, split: int) -> list[int]:
    """Where codes of the block from `start` to `end` must end: after strings, splits and the block."""
    ends = {place.end for place in places if start < place.end < end}
    return sorted(ends | set(range(start + split, end, split)) | {end})


def _encoded(text: bytes, table: SymbolTable, start: int, cuts: Sequence[int]) -> dict[int, bytes]:
    """The codes that end at each cut."""
    begins = (start, *cuts[:-1])
    return {end: table.encode(text[begin:end]) for begin, end in zip(begins, cuts, strict=True)}


def frame_of_lookup(
    strings: Strings, table: SymbolTable, block_size: int, split_count: int
) -> tuple[Written, list[int]]:
    """A frame in which no code belongs to two strings, and the code end of each string.

    It is of format blocks where `split_count` is 1, else of format splits."""
    block_format = BlockFormat.BLOCKS if split_count == 1 else BlockFormat.SPLITS
    places = _places(strings)
    text = b"".join(string or b"" for string in strings)
    blocks: list[Block] = []
    ends: dict[int, int] = {}
    position = FRAME_HEADER_BYTES
    for start in range(0, len(text), block_size):
        piece = text[start : start + block_size]
        split = part(len(piece), split_count)
        cuts = _cuts(places, start, start + len(piece), split)
        pieces = _encoded(text, table, start, cuts)
        codes = b"".join(pieces.values())
        locations = (
            ()
            if split_count == 1
            else tuple(
                sum(len(c) for end, c in pieces.items() if end <= start + i * split)
                for i in range(split_count)
            )
        )
        payload = Payload(len(piece), table, codes, locations).written(block_format, Layout.NARROW)
        block = Block(Layout.NARROW, payload, len(piece), xxh64(piece))
        is_raw = len(payload.data) >= len(piece)
        if is_raw:
            block = raw_block(piece)
        position += RECORD_HEADER_BYTES
        first_code = position + (0 if is_raw else len(payload.data) - len(codes))
        for place in places:
            if start < place.end <= start + len(piece):
                coded = sum(len(c) for end, c in pieces.items() if end <= place.end)
                ends[place.string] = first_code + (place.end - start if is_raw else coded)
        position += len(block.payload.data)
        blocks.append(block)
    code_ends, last = [], 0
    for number in range(len(strings)):
        last = ends.get(number, last)
        code_ends.append(last)
    return frame_of(block_format, block_size, split_count, blocks), code_ends


def _sums(numbers: Sequence[int]) -> list[int]:
    return [sum(numbers[: i + 1]) for i in range(len(numbers))]


def groups_of_lookup(strings: Strings, code_ends: Sequence[int]) -> Written:
    """The entries of all groups and their records."""
    entries, data = Written(), Written()
    starts = range(0, len(strings), GROUP)
    first_byte = first_code = 0
    for group, start in enumerate(starts):
        members = strings[start : start + GROUP]
        lengths = [len(member or b"") for member in members]
        ends = [first_code, *code_ends[start : start + GROUP]]
        steps = [after - before for before, after in pairwise(ends)]
        shortest, shortest_step = min(lengths), min(min(steps), 2**32 - 1)
        nulls = None in members
        records = range(0, len(members), RECORD)
        bytes_before = [sum(lengths[:i]) for i in records]
        codes_before = [sum(steps[:i]) for i in records]
        length_sums = [_sums([n - shortest for n in lengths[i : i + RECORD]]) for i in records]
        step_sums = [_sums([n - shortest_step for n in steps[i : i + RECORD]]) for i in records]
        widths = [
            max(bytes_before).bit_length(),
            max(codes_before).bit_length(),
            max(map(max, length_sums)).bit_length(),
            max(map(max, step_sums)).bit_length(),
        ]
        prefix = f"group {group}"
        entries.add(f"{prefix}/first byte", little(first_byte, 8))
        entries.add(f"{prefix}/data offset", little(40 * len(starts) + len(data.data), 8))
        entries.add(f"{prefix}/first code", little(first_code, 8))
        entries.add(f"{prefix}/shortest length", little(shortest, 4))
        entries.add(f"{prefix}/shortest step", little(shortest_step, 4))
        for name, width in zip(("byte bits", "code bits", "length bits", "step bits"), widths, strict=True):
            entries.add(f"{prefix}/{name}", little(width, 1))
        entries.add(f"{prefix}/null flag", little(int(nulls), 1))
        entries.add(f"{prefix}/reserved", bytes(3))
        for number, first in enumerate(records):
            fields = [(bytes_before[number], widths[0]), (codes_before[number], widths[1])]
            missing = RECORD - len(length_sums[number])
            fields += [(end, widths[2]) for end in length_sums[number] + [0] * missing]
            fields += [(end, widths[3]) for end in step_sums[number] + [0] * missing]
            valid = [int(member is not None) for member in members[first : first + RECORD]] + [0] * missing
            fields += [(bit, 1) for bit in valid if nulls]
            data.add(f"{prefix}/record {number}", _packed_fields(fields))
        first_byte += sum(lengths)
        first_code = ends[-1]
    written = Written()
    written.add_all("groups", entries)
    written.add_all("groups", data)
    return written


def _packed_fields(fields: Sequence[tuple[int, int]]) -> bytes:
    """Numbers, each with its own bits."""
    whole = position = 0
    for number, bits in fields:
        whole |= number << position
        position += bits
    return packed([whole], position)


def lookup_column_of(
    strings: Strings,
    *,
    kind: int = TEXT,
    offset_width: int = 4,
    table: SymbolTable | None = None,
    block_size: int = 4096,
    split_count: int = 2,
    move_code_end: tuple[int, int] | None = None,
) -> Written:
    """A whole column; `move_code_end` names a string and by how much its code end is wrong."""
    column = Written()
    header = column_header(kind, offset_width)
    header.set("version", 2)
    header.set("reserved", b"\1" + bytes(4))
    column.add_all("header", header)
    frame, code_ends = frame_of_lookup(strings, table or SymbolTable(), block_size, split_count)
    if move_code_end is not None:
        code_ends[move_code_end[0]] += move_code_end[1]
    column.add("frame", bytes(frame.data))
    groups = groups_of_lookup(strings, code_ends)
    column.add_all("body", groups)
    column.add_all("trailer", column_trailer(header, strings, len(frame.data), len(groups.data)))
    repair_column(column)
    return column
