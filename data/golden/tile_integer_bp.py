"""Files of format bp (FORMAT.md, section 12.6), valid and damaged, and a reader of its blocks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from random import Random

from format_writer import Block, Written, little, part
from tile_integer_coding import BLOCK_SIZE, Format, Invalid, Valid, block_of, smaller_block
from tile_integer_for import (
    I16,
    I32,
    I64,
    PACKED_VALUES,
    TYPES,
    U32,
    Decoded,
    ForPayload,
    ValueType,
    check_fields_end,
    check_padding,
    check_payload_size,
    read_header,
    read_numbers,
    require,
    word,
)
from tiles_writer import padding, raw_tiles_block

WORDS_OF_A_BIT = PACKED_VALUES // 32

BP = Format("bp", 41, "bp_")


# The writer.


def packed(values: Sequence[int], kind: ValueType, more: int = 0) -> bytes:
    """A packed block of 1 to 128 values, with so many bits more than they need."""
    unsigned = [value % (1 << kind.bits) for value in values]
    width = min(max(unsigned).bit_length() + more, kind.bits)
    return little(sum(value << i * width for i, value in enumerate(unsigned)), 4 * WORDS_OF_A_BIT * width)


def payload_of(block: bytes, kind: ValueType, more: int = 0) -> ForPayload:
    """The payload of a block, whose fields are those of format for."""
    values = kind.load(block)
    starts = range(0, len(values), PACKED_VALUES)
    stored = [packed(values[start : start + PACKED_VALUES], kind, more) for start in starts]
    words = [len(one) // 4 for one in stored]
    first = 4 + len(stored) + 1
    places = tuple(first + sum(words[:i]) for i in range(len(words) + 1))
    rest = block[len(values) * kind.size :]
    return ForPayload(kind.number, max(words, default=0), len(values), places, b"".join(stored), rest)


def encoded_block(block: bytes, kind: ValueType) -> Block:
    """The block as an encoder stores it."""
    return smaller_block(payload_of(block, kind), block)


# The reader. It takes nothing from the writer.


def most_bytes(uncompressed_bytes: int) -> int:
    """Bytes of the largest payload of any type, before its padding."""
    sizes = []
    for kind in TYPES:
        count, rest = divmod(uncompressed_bytes, kind.size)
        blocks = part(count, PACKED_VALUES)
        sizes.append(16 + 4 * (blocks + 1) + blocks * PACKED_VALUES * kind.size + rest)
    return max(sizes)


def bits_of(payload: bytes, uncompressed_bytes: int) -> Decoded:
    """Decodes a payload of format bp."""
    check_payload_size(payload, most_bytes(uncompressed_bytes), 16)
    kind = read_header(payload, uncompressed_bytes)
    count, rest_bytes = divmod(uncompressed_bytes, kind.size)
    blocks = part(count, PACKED_VALUES)
    require(16 + 4 * (blocks + 1) <= len(payload), "payload bytes", "cut in the starts")
    starts = [word(payload, 4 + i) for i in range(blocks + 1)]
    require(starts[0] == 4 + blocks + 1, "starts", "the first one is not behind the starts")
    widths = []
    for start, end in pairwise(starts):
        width, more = divmod(end - start, WORDS_OF_A_BIT)
        require(more == 0 and 0 <= width <= kind.bits, "starts", "no packed block has so many words")
        widths.append(width)
    largest = WORDS_OF_A_BIT * max(widths, default=0)
    require(word(payload, 1) == largest, "largest packed block", f"not {largest}")
    end = 4 * starts[-1] + rest_bytes
    check_fields_end(payload, end)
    check_padding(payload, end)
    values = []
    for start, width in zip(starts[:-1], widths, strict=True):
        words = payload[4 * start : 4 * (start + WORDS_OF_A_BIT * width)]
        values += [kind.wrapped(number) for number in read_numbers(words, width, PACKED_VALUES)]
    return Decoded(kind, values[:count], payload[end - rest_bytes : end])


# The files.


def numbers(width: int, count: int) -> list[int]:
    """Unsigned values, of which one in each packed block has all bits."""
    random = Random(f"bits of {width} {count}")
    values = [random.getrandbits(width) if width else 0 for _ in range(count)]
    values[::PACKED_VALUES] = [(1 << width) - 1] * len(values[::PACKED_VALUES])
    return values


def stored_values(kind: ValueType, values: Sequence[int]) -> bytes:
    """The bytes of values that may be unsigned."""
    return kind.store([kind.wrapped(value) for value in values])


def inputs() -> Iterator[tuple[str, ValueType, bytes, int]]:
    """Inputs of encoders: name, type, bytes and block size. Encoders know sizes, and store a signed type."""
    for kind in (TYPES[0], I16, I32, I64):
        for width in (0, 1, 5, 8, 13, 16, 27, 32, 33, 63, 64):
            if width <= kind.bits:
                yield f"{kind.name}_width_{width}", kind, stored_values(kind, numbers(width, 150)), BLOCK_SIZE
        for rest in range(1, kind.size):
            data = stored_values(kind, numbers(3, 140)) + bytes(range(0xF1, 0xF1 + rest))
            yield f"{kind.name}_rest_of_{rest}", kind, data, BLOCK_SIZE
        mixed = stored_values(kind, [*range(60), *numbers(kind.bits, 160), *numbers(2, 150)])
        yield f"{kind.name}_blocks", kind, mixed, 130 * kind.size
        if kind.size > 1:
            yield f"{kind.name}_blocks_cut_values", kind, mixed, 130 * kind.size - kind.size // 2
    for count in (0, 1, 127, 128, 129, 255, 256, 257):
        yield f"i32_{count}_values", I32, stored_values(I32, numbers(6, count)), BLOCK_SIZE
    yield "i32_negative", I32, I32.store([-1, *range(200)]), BLOCK_SIZE


def bp_valid() -> Iterator[Valid]:
    """All valid files."""
    for name, kind, output, block_size in inputs():
        pieces = [output[start : start + block_size] for start in range(0, len(output), block_size)]
        data = BP.frame(block_size, [encoded_block(piece, kind) for piece in pieces])
        yield Valid(BP, f"{name}.gsst", data, output, block_size, kind)
    # What no encoder writes: wider values, unsigned types, and blocks that are larger than raw ones.
    for kind in TYPES:
        output = stored_values(kind, numbers(4, 200)) + bytes(range(1, kind.size))
        for more in (1, 3, 64):
            data = BP.frame(BLOCK_SIZE, [block_of(payload_of(output, kind, more), output)])
            yield Valid(BP, f"{kind.name}_widths_{more}_more.gsst", data, output)
    rest = b"\1\2\3"
    yield Valid(BP, "rest_alone.gsst", BP.frame(BLOCK_SIZE, [block_of(payload_of(rest, U32), rest)]), rest)
    yield Valid(BP, "raw_though_zero.gsst", BP.frame(4096, [raw_tiles_block(bytes(401))]), bytes(401))


DAMAGED = stored_values(I32, [*numbers(5, 128), *numbers(9, 128), *numbers(20, 128), *numbers(6, 70)])


def wrong(name: str, payload: ForPayload | Written, why: str, field: str, output: bytes = DAMAGED) -> Invalid:
    """A file whose block 1 has this payload, behind a valid block."""
    blocks = [encoded_block(output, I32), block_of(payload, output)]
    return Invalid(BP, f"{name}.gsst", BP.frame(len(output), blocks), why, field, 1)


def wrong_starts(good: ForPayload) -> Iterator[Invalid]:
    """Starts that are not what the rule says."""
    starts = good.starts
    why = "a packed block has 4 words for each bit of a width"
    for index, name, start in (
        (0, "first_start_less", starts[0] - 4),
        (0, "first_start_more", starts[0] + 4),
        (0, "first_start_0", 0),
        (1, "start_1_less", starts[1] - 1),
        (1, "start_1_more", starts[1] + 1),
        (1, "start_1_before_start_0", starts[0] - 4),
        (1, "start_1_above_type", starts[0] + 4 * 33),
        (2, "start_2_largest", (1 << 32) - 1),
        (2, "start_2_2_30_more", starts[2] + (1 << 30)),
        (4, "end_by_a_word", starts[4] + 1),
    ):
        moved = replace(good, starts=(*starts[:index], start, *starts[index + 1 :]))
        yield wrong(name, moved, why, "starts")
    moved = replace(good, starts=(*starts[:4], starts[4] + 16))
    yield wrong("end_with_words_more", moved, "the payload has no such words", "payload bytes")


def bp_invalid() -> Iterator[Invalid]:
    """All invalid files."""
    good = payload_of(DAMAGED, I32)
    for number in (6, 255):
        yield wrong(f"type_{number}", replace(good, type=number), "there is no such type", "type")
    for place in (*range(1, 4), *range(12, 16)):
        written = good.written()
        written.data[place] = 1 if place % 2 else 0x80
        yield wrong(f"reserved_{place}", written, "reserved bytes are 0", "reserved")
    for name, value in (("less", 79), ("more", 81), ("0", 0), ("2_32", (1 << 32) - 1)):
        payload = replace(good, largest=value)
        yield wrong(f"largest_packed_block_{name}", payload, "it has 80 words", "largest packed block")
    for name, value in (("less", 453), ("more", 455), ("0", 0), ("in_bytes", 1816), ("2_32", (1 << 32) - 1)):
        payload = replace(good, count=value)
        yield wrong(f"number_of_values_{name}", payload, "there are 454", "number of values")
    payload = replace(good, type=I16.number)
    yield wrong("type_of_other_size", payload, "there are more values of this type", "number of values")
    yield from wrong_starts(good)
    whole = bytes(good.written().data)
    for size in (0, 8, 24, len(whole) - 16, len(whole) - 1, len(whole) + 8, len(whole) + 16):
        written = Written()
        written.add("bytes", whole[:size].ljust(size, b"\0"))
        yield wrong(f"of_{size}_bytes", written, "the fields add up to another size", "payload bytes")
    value = I32.store([5])
    most = most_bytes(len(value))
    size = most + (8 - most) % 16 + 16
    written = Written()
    written.add("bytes", bytes(payload_of(value, I32).written().data).ljust(size, b"\0"))
    yield wrong("above_bound", written, "no payload is so large", "payload bytes", value)
    size = len(good.written().get("padding"))
    for name, place in (("first", 0), ("last", size - 1)):
        bad = bytearray(size)
        bad[place] = 0x80
        yield wrong(f"padding_{name}_byte", replace(good, padding=bytes(bad)), "padding is 0", "padding")
    raw = Written()
    raw.add("raw bytes", b"abc")
    raw.add("padding", padding(3)[:-1] + b"\1")
    blocks = [encoded_block(DAMAGED, I32), replace(raw_tiles_block(b"abc"), payload=raw)]
    data = BP.frame(len(DAMAGED), blocks)
    yield Invalid(BP, "padding_of_raw_block.gsst", data, "padding is 0", "padding", 1)
