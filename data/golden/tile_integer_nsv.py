"""Files of format nsv (FORMAT.md, section 12.10), valid and damaged, and a reader of its blocks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random

from format_writer import Block, Written, little
from tile_integer_coding import BLOCK_SIZE, Format, Invalid, Valid, block_of, smaller_block
from tile_integer_for import (
    I32,
    U32,
    U64,
    DecodedNumbers,
    ValueType,
    check_fields_end,
    check_padding,
    check_payload_size,
    require,
    word,
)
from tiles_writer import padding, raw_tiles_block

HEADER_BYTES = 16
SIZES = (1, 2, 4, 8)
# Of each size one: signs do not count.
UNSIGNED = (ValueType("u8", 0, 1, False), ValueType("u16", 1, 2, False), U32, U64)

NSV = Format("nsv", 44, "nsv_")


def step_of(size: int) -> int:
    """The bytes of a value with code 0."""
    return 2 if size == 8 else 1


# The writer. Each part is said explicitly, so that it can be wrong.


@dataclass(frozen=True)
class NsvPayload:
    """The fields of a payload."""

    value_bytes: int
    count: int
    codes: bytes
    numbers: bytes
    rest: bytes = b""
    reserved: bytes = bytes(7)
    second_reserved: bytes = bytes(4)
    # Where none is given, it is as long as it must be.
    padding: bytes | None = None

    def written(self) -> Written:
        """The payload."""
        payload = Written()
        payload.add("bytes of a value", little(self.value_bytes, 1))
        payload.add("reserved", self.reserved)
        payload.add("number of values", little(self.count, 4))
        payload.add("second reserved", self.second_reserved)
        payload.add("codes", self.codes)
        payload.add("numbers", self.numbers)
        payload.add("rest", self.rest)
        payload.add("padding", padding(len(payload.data)) if self.padding is None else self.padding)
        return payload


def payload_of(block: bytes, size: int, least_code: int = 0) -> NsvPayload:
    """The payload of a block of values of this size; no code is less than `least_code`."""
    starts = range(0, len(block) // size * size, size)
    values = [int.from_bytes(block[start : start + size], "little") for start in starts]
    step = step_of(size)
    codes = [max(least_code, -(-value.bit_length() // (8 * step)) - 1, 0) for value in values]
    packed = bytearray(-(-len(codes) // 4))
    for i, code in enumerate(codes):
        packed[i // 4] += code * 4 ** (i % 4)
    numbers = b"".join(little(value, (code + 1) * step) for value, code in zip(values, codes, strict=True))
    return NsvPayload(size, len(values), bytes(packed), numbers, block[len(values) * size :])


def encoded_block(block: bytes, size: int) -> Block:
    """The block as an encoder stores it."""
    return smaller_block(payload_of(block, size).written(), block)


# The reader. It takes nothing from the writer.


def filled_of(payload: bytes, uncompressed_bytes: int) -> DecodedNumbers:
    """Decodes a payload of format nsv."""
    check_payload_size(
        payload, HEADER_BYTES + uncompressed_bytes + (uncompressed_bytes + 3) // 4, HEADER_BYTES
    )
    value_bytes = payload[0]
    require(value_bytes in (1, 2, 4, 8), "bytes of a value", "no such size")
    require(payload[1:8] == bytes(7), "reserved", "not 0")
    count, rest_bytes = divmod(uncompressed_bytes, value_bytes)
    require(word(payload, 2) == count, "number of values", f"not {count}")
    require(payload[12:16] == bytes(4), "reserved", "not 0")
    place = HEADER_BYTES + (count + 3) // 4
    require(len(payload) >= place, "payload bytes", "cut in the codes")
    codes = [payload[HEADER_BYTES + i // 4] >> 2 * (i % 4) & 3 for i in range(-(-count // 4) * 4)]
    lengths = [(code + 1) * (2 if value_bytes == 8 else 1) for code in codes[:count]]
    require(all(length <= value_bytes for length in lengths), "codes", "more bytes than a value has")
    require(not any(codes[count:]), "codes", "not 0 where there is no value")
    end = place + sum(lengths) + rest_bytes
    check_fields_end(payload, end)
    check_padding(payload, end)
    values = []
    for length in lengths:
        values.append(int.from_bytes(payload[place : place + length], "little"))
        place += length
    return DecodedNumbers(values, value_bytes, payload[place:end])


# The files.


def skewed_values(size: int, largest: int, count: int) -> bytes:
    """Values of one byte to this many, of which the first has all bits of those."""
    random = Random(f"skewed {size} {largest} {count}")
    values = [(1 << 8 * largest) - 1]
    while len(values) < count:
        values.append(random.getrandbits(8 * (1 + random.getrandbits(8) % largest)))
    return b"".join(little(value, size) for value in values[:count])


def nsv_inputs() -> Iterator[tuple[str, ValueType, bytes, int]]:
    """Inputs of encoders: name, a type of that size, bytes and block size."""
    for kind in UNSIGNED:
        for largest in (one for one in SIZES if one < kind.size):
            for count in (1, 3, 4, 5, 170):
                data = skewed_values(kind.size, largest, count) + bytes(8 * kind.size)
                yield f"{kind.size}_{largest}_{count}_values", kind, data, BLOCK_SIZE
        for rest in range(1, kind.size):
            data = skewed_values(kind.size, 1, 90) + bytes(range(0xF1, 0xF1 + rest))
            yield f"{kind.size}_rest_of_{rest}", kind, data, BLOCK_SIZE
        mixed = skewed_values(kind.size, 1, 80) + skewed_values(kind.size, kind.size, 80)
        yield f"{kind.size}_blocks", kind, mixed, 70 * kind.size
        yield f"{kind.size}_blocks_cut_values", kind, mixed, 61
    for largest in range(1, 5):
        data = b"".join(little(value, 4) for value in ((1 << 8 * largest) - 1, 1 << 8 * (largest - 1), 0, 7))
        yield f"4_borders_of_{largest}", U32, data * 5, BLOCK_SIZE
    for largest in range(1, 9):
        data = b"".join(little(value, 8) for value in ((1 << 8 * largest) - 1, 1 << 8 * (largest - 1), 0, 7))
        yield f"8_borders_of_{largest}", U64, data * 5, BLOCK_SIZE
    yield "4_zeros", U32, bytes(400), BLOCK_SIZE
    yield "4_negative", I32, I32.store([-1, 5, 6, 7] * 20), BLOCK_SIZE
    yield "4_nothing", U32, b"", BLOCK_SIZE


def nsv_valid() -> Iterator[Valid]:
    """All valid files."""
    for name, kind, output, block_size in nsv_inputs():
        pieces = [output[start : start + block_size] for start in range(0, len(output), block_size)]
        data = NSV.frame(block_size, [encoded_block(piece, kind.size) for piece in pieces])
        yield Valid(NSV, f"{name}.gsst", data, output, block_size, kind)
    # What no encoder writes: values with more bytes than they need.
    for kind in UNSIGNED:
        output = skewed_values(kind.size, 1, 45) + bytes(range(1, kind.size))
        for code in range(kind.size // step_of(kind.size)):
            data = NSV.frame(BLOCK_SIZE, [block_of(payload_of(output, kind.size, code).written(), output)])
            yield Valid(NSV, f"{kind.size}_with_code_{code}.gsst", data, output)
    rest = b"\1\2\3"
    data = NSV.frame(BLOCK_SIZE, [block_of(payload_of(rest, 4).written(), rest)])
    yield Valid(NSV, "rest_alone.gsst", data, rest)
    data = NSV.frame(4096, [raw_tiles_block(bytes(401))])
    yield Valid(NSV, "raw_though_constant.gsst", data, bytes(401))


DAMAGED = I32.store([10 * i for i in range(46)]) + b"\1\2\3"


def wrong(name: str, payload: NsvPayload | Written, why: str, field: str) -> Invalid:
    """A file whose block 1 has this payload, behind a valid block."""
    written = payload.written() if isinstance(payload, NsvPayload) else payload
    first = encoded_block(DAMAGED, 4)
    data = NSV.frame(len(DAMAGED), [first, block_of(written, DAMAGED)])
    return Invalid(NSV, f"{name}.gsst", data, why, field, 1)


def nsv_invalid() -> Iterator[Invalid]:
    """All invalid files."""
    good = payload_of(DAMAGED, 4)
    for size in (0, 3, 16, 255):
        payload = replace(good, value_bytes=size)
        yield wrong(f"bytes_of_a_value_{size}", payload, "there is no such size", "bytes of a value")
    for size in (1, 2, 8):
        payload = replace(good, value_bytes=size)
        why = "as many bytes are another number of values"
        yield wrong(f"bytes_of_a_value_{size}", payload, why, "number of values")
    for place in (*range(1, 8), *range(12, 16)):
        written = good.written()
        written.data[place] = 1 if place % 2 else 0x80
        yield wrong(f"reserved_{place}", written, "reserved bytes are 0", "reserved")
    for name, count in (("less", 45), ("more", 47), ("2_32", (1 << 32) - 1)):
        payload = replace(good, count=count)
        yield wrong(f"number_of_values_{name}", payload, "there are 46", "number of values")
    for name, place, bits in (("first", 0, 1), ("last", 11, 4)):
        codes = bytearray(good.codes)
        codes[place] ^= bits
        why = "a value has another number of bytes"
        # A byte more or less is padding or not: 16 of them are another payload.
        numbers = good.numbers + bytes(16)
        payload = replace(good, codes=bytes(codes), numbers=numbers)
        yield wrong(f"code_of_the_{name}", payload, why, "payload bytes")
    for bits in (0x10, 0x80):
        codes = bytearray(good.codes)
        codes[-1] |= bits
        payload = replace(good, codes=bytes(codes))
        yield wrong(f"codes_of_no_value_{bits}", payload, "there are 46 values", "codes")
    values = DAMAGED[:-3] + b"\0\0"
    short = payload_of(values, 2)
    codes = bytearray(short.codes)
    codes[5] |= 0x20
    data = NSV.frame(len(values), [block_of(replace(short, codes=bytes(codes)).written(), values)])
    yield Invalid(NSV, "code_above_size.gsst", data, "a value has two bytes", "codes", 0)
    whole = bytes(good.written().data)
    for size in (0, 8, 24, len(whole) - 16, len(whole) - 1, len(whole) + 16):
        written = Written()
        written.add("bytes", whole[:size].ljust(size, b"\0"))
        yield wrong(f"of_{size}_bytes", written, "the fields add up to another size", "payload bytes")
    size = len(good.written().get("padding"))
    bad = bytearray(size)
    bad[-1] = 0x80
    yield wrong("padding", replace(good, padding=bytes(bad)), "padding is 0", "padding")
