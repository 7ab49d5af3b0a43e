"""The checksums of frames: xxh64 with seed 0, from its public description, so that no package is needed."""

from __future__ import annotations

import struct

MASK = (1 << 64) - 1
PRIME_1 = 0x9E3779B185EBCA87
PRIME_2 = 0xC2B2AE3D27D4EB4F
PRIME_3 = 0x165667B19E3779F9
PRIME_4 = 0x85EBCA77C2B2AE63
PRIME_5 = 0x27D4EB2F165667C5
TREE_PIECE_BYTES = 4096


def _rotate_left(value: int, bits: int) -> int:
    return ((value << bits) | (value >> (64 - bits))) & MASK


def _round(accumulator: int, lane: int) -> int:
    value = (accumulator + lane * PRIME_2) & MASK
    # As _rotate_left by 31 bits, with one mask for all: most of the time of a checksum is here.
    return (value << 31 | value >> 33) * PRIME_1 & MASK


def _accumulate_stripes(data: bytes, end: int) -> int:
    """Hashes the stripes of 32 bytes before `end` in four lanes and merges the lanes."""
    lanes = [(PRIME_1 + PRIME_2) & MASK, PRIME_2, 0, -PRIME_1 & MASK]
    for stripe in struct.iter_unpack("<4Q", data[:end]):
        for i, lane in enumerate(stripe):
            lanes[i] = _round(lanes[i], lane)
    merged = sum(_rotate_left(lane, bits) for lane, bits in zip(lanes, (1, 7, 12, 18), strict=True)) & MASK
    for lane in lanes:
        merged = ((merged ^ _round(0, lane)) * PRIME_1 + PRIME_4) & MASK
    return merged


def xxh64(data: bytes) -> int:
    """xxh64 of `data` with seed 0."""
    position = len(data) // 32 * 32
    value = _accumulate_stripes(data, position) if position else PRIME_5
    value = (value + len(data)) & MASK
    while position + 8 <= len(data):
        (lane,) = struct.unpack_from("<Q", data, position)
        value = (_rotate_left(value ^ _round(0, lane), 27) * PRIME_1 + PRIME_4) & MASK
        position += 8
    if position + 4 <= len(data):
        (half_lane,) = struct.unpack_from("<I", data, position)
        value = (_rotate_left(value ^ (half_lane * PRIME_1 & MASK), 23) * PRIME_2 + PRIME_3) & MASK
        position += 4
    for byte in data[position:]:
        value = _rotate_left(value ^ (byte * PRIME_5 & MASK), 11) * PRIME_1 & MASK
    value = (value ^ (value >> 33)) * PRIME_2 & MASK
    value = (value ^ (value >> 29)) * PRIME_3 & MASK
    return value ^ (value >> 32)


def xxh64_tree(data: bytes) -> int:
    """The xxh64 of the xxh64s of the pieces of `data` (FORMAT.md, section 6)."""
    pieces = [data[i : i + TREE_PIECE_BYTES] for i in range(0, len(data), TREE_PIECE_BYTES)]
    return xxh64(b"".join(xxh64(piece).to_bytes(8, "little") for piece in pieces))
