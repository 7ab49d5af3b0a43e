"""A reader of the blocks of frames (FORMAT.md, section 6) of formats without splits."""

from __future__ import annotations

import struct
from dataclasses import dataclass

from format_writer import FRAME_MAGIC
from xxh64 import xxh64


@dataclass(frozen=True)
class Stored:
    """A block of a frame as its record gives it."""

    layout: int
    payload: bytes
    uncompressed_bytes: int
    checksum: int
    format_id: int


def stored_blocks(data: bytes, alignment: int = 1) -> list[Stored]:
    """The blocks of a frame, whose payloads start at multiples of `alignment`, and whose index repeats the
    records and has the right checksum."""
    assert data[:8] == FRAME_MAGIC
    format_id, checksum_kind = struct.unpack_from("<HB", data, 10)
    assert checksum_kind == 1
    frame_bytes, index_bytes = struct.unpack_from("<QQ", data, len(data) - 24)
    assert frame_bytes == len(data)
    index = data[-24 - index_bytes : -24]
    assert struct.unpack_from("<Q", index, 16)[0] == xxh64(index[24:])
    count, uncompressed_bytes = struct.unpack_from("<QQ", index, len(index) - 16)
    blocks = []
    place = 40
    for i in range(count):
        record = data[place : place + 24]
        assert index[24 + 40 * i : 24 + 40 * (i + 1)][16:] == record
        kind, layout, size, output_size, checksum = struct.unpack("<BB6xIIQ", record)
        assert kind == 1
        assert (place + 24) % alignment == 0
        payload = data[place + 24 : place + 24 + size]
        blocks.append(Stored(layout, payload, output_size, checksum, format_id))
        place += 24 + size
    assert place == len(data) - 24 - index_bytes
    assert sum(block.uncompressed_bytes for block in blocks) == uncompressed_bytes
    return blocks
