"""Blocks of floats as a dictionary and indexes (FORMAT.md, section 11.5)."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence

MOST_VALUES = 1 << 20


def payload_of(values: Sequence[int], indexes: Sequence[int], rest: bytes, width: int | None = None) -> bytes:
    """A payload of these parts, right or wrong; the bits of an index follow from the values if not given."""
    bits = (len(values) - 1).bit_length() if width is None else width
    packed = sum(index << (place * bits) for place, index in enumerate(indexes))
    header = len(values).to_bytes(3, "little") + bytes((bits,))
    listed = b"".join(value.to_bytes(4, "little") for value in values)
    return header + listed + packed.to_bytes((len(indexes) * bits + 7) // 8, "little") + rest


def dictionary_of(block: bytes) -> bytes:
    """The payload of a block; the block itself where it has no smaller one."""
    count = len(block) // 4
    floats = struct.unpack(f"<{count}I", block[: 4 * count])
    values = sorted(set(floats))
    if not values or len(values) > MOST_VALUES:
        return block
    place = {value: index for index, value in enumerate(values)}
    payload = payload_of(values, [place[value] for value in floats], block[4 * count :])
    return payload if len(payload) < len(block) else block


def blocks_with_values() -> Iterator[tuple[str, bytes, int]]:
    """Inputs near the borders of the bits of an index: name, bytes and block size."""
    for count in (1, 2, 3, 4, 5, 8, 9, 16, 17, 32, 33, 64, 65, 255, 256, 257):
        floats = [(7 * i % count) * 0x9E3779B1 % (1 << 32) for i in range(3 * count + 10)]
        data = struct.pack(f"<{len(floats)}I", *floats) + bytes(range(count % 4))
        yield f"values_{count}", data, 1 << 20
    yield "signs", struct.pack("<8f", 0.0, -0.0, 1.5, -1.5, 0.0, -0.0, 0.0, 0.0), 1024
    floats = struct.pack("<16f", *(float(i % 3) for i in range(16)))
    yield "cut_by_blocks", floats * 4, 50


def wrong_dictionaries() -> Iterator[tuple[str, bytes, int, str, str, int | None]]:
    """Name, payload, uncompressed size, what is wrong, the field, and the status where a decoder finds it."""
    past_values = 5
    values, indexes = (5, 6, 700), (0, 1, 2) * 5 + (0, 1)
    right, size = payload_of(values, indexes, b"ab"), 4 * 17 + 2
    yield "no_payload", b"", size, "not even a header", "number of values", None
    yield "header_cut", right[:3], size, "three bytes of the header", "number of values", None
    yield "no_values", bytes(4) + right[4:], size, "a dictionary has a value", "number of values", None
    many = (1 << 20).to_bytes(3, "little") + right[3:]
    yield "values_that_do_not_pay", many, size, "more values than floats", "number of values", None
    yield (
        "no_block_so_small",
        b"\1\0\0\0\7\0\0\0",
        8,
        "no dictionary makes it smaller",
        "number of values",
        None,
    )
    for bits in (1, 3, 255):
        wrong = right[:3] + bytes((bits,)) + right[4:]
        yield f"bits_{bits}", wrong, size, "three values take two bits", "bits of an index", None
    yield "values_cut", right[:15], size, "eleven bytes of values", "payload bytes", None
    yield "indexes_cut", right[:-3], size, "an index and the rest are missing", "payload bytes", None
    yield "rest_cut", right[:-1], size, "a byte of the rest is missing", "payload bytes", None
    yield "a_byte_more", right + b"\0", size, "a byte after the rest", "payload bytes", None
    for name, other in (("equal", (5, 5, 700)), ("falling", (5, 700, 6)), ("signed", (0x80000000, 0, 1))):
        wrong = payload_of(other, indexes, b"ab")
        yield f"values_{name}", wrong, size, "values do not rise", "values", None
    for bit in (2, 7):
        place = 4 + 12 + 4
        wrong = right[:place] + bytes((right[place] | 1 << bit,)) + right[place + 1 :]
        yield f"spare_bit_{bit}", wrong, size, "a bit after the last index", "spare bits", None
    for place in (0, 8, 16):
        wrong = payload_of(values, (*indexes[:place], 3, *indexes[place + 1 :]), b"ab")
        yield f"index_{place}_past_values", wrong, size, "there is no value 3", "indexes", past_values
    many_indexes = [i % 17 for i in range(200)]
    for place in (0, 100, 199):
        wrong = payload_of(
            range(17), [*many_indexes[:place], 17 + place % 15, *many_indexes[place + 1 :]], b""
        )
        name = f"index_{place}_of_200_past_values"
        yield name, wrong, 800, "there are 17 values", "indexes", past_values
