"""Files of format delta_nsf (FORMAT.md, section 12.12), valid and damaged, and a reader of its blocks."""

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

HEADER_BYTES = 24
BASE_BYTES = 8
SIZES = (1, 2, 4, 8)
# Of each size one: signs do not count.
UNSIGNED = (ValueType("u8", 0, 1, False), ValueType("u16", 1, 2, False), U32, U64)

DELTA_NSF = Format("delta_nsf", 46, "delta_nsf_")


# The writer. Each part is said explicitly, so that it can be wrong.


@dataclass(frozen=True)
class DeltaNsfPayload:
    """The fields of a payload."""

    value_bytes: int
    number_bytes: int
    count: int
    base: int
    numbers: tuple[int, ...]
    rest: bytes = b""
    reserved: bytes = bytes(6)
    second_reserved: bytes = bytes(4)
    # Where none is given, it is as long as it must be.
    padding: bytes | None = None

    def written(self) -> Written:
        """The payload."""
        payload = Written()
        payload.add("bytes of a value", little(self.value_bytes, 1))
        payload.add("bytes of a number", little(self.number_bytes, 1))
        payload.add("reserved", self.reserved)
        payload.add("number of values", little(self.count, 4))
        payload.add("second reserved", self.second_reserved)
        payload.add("base", little(self.base, BASE_BYTES))
        payload.add("numbers", b"".join(little(number, self.number_bytes) for number in self.numbers))
        payload.add("rest", self.rest)
        payload.add("padding", padding(len(payload.data)) if self.padding is None else self.padding)
        return payload


def number_of(difference: int, size: int) -> int:
    """0, 1, 2, 3 for 0, -1, 1, -2, where the difference is taken modulo the size's values."""
    half = 1 << 8 * size - 1
    signed = (difference + half) % (2 * half) - half
    return 2 * signed if signed >= 0 else -2 * signed - 1


def payload_of(block: bytes, size: int) -> DeltaNsfPayload:
    """The payload that an encoder makes of a block of values of this size, however large it is."""
    starts = range(0, len(block) // size * size, size)
    values = [int.from_bytes(block[start : start + size], "little") for start in starts]
    base = values[0] if values else 0
    before = [base, *values]
    numbers = tuple(number_of(value - last, size) for last, value in zip(before, values, strict=False))
    number_bytes = min(one for one in SIZES if max(numbers, default=0) < 1 << 8 * one)
    return DeltaNsfPayload(size, number_bytes, len(values), base, numbers, block[len(values) * size :])


def encoded_block(block: bytes, size: int) -> Block:
    """The block as an encoder stores it."""
    return smaller_block(payload_of(block, size).written(), block)


# The reader. It takes nothing from the writer.


def summed_of(payload: bytes, uncompressed_bytes: int) -> DecodedNumbers:
    """Decodes a payload of format delta_nsf."""
    check_payload_size(payload, HEADER_BYTES + uncompressed_bytes, HEADER_BYTES)
    value_bytes, number_bytes = payload[:2]
    require(value_bytes in SIZES, "bytes of a value", "no such size")
    require(number_bytes in SIZES and number_bytes <= value_bytes, "bytes of a number", "no such size")
    require(payload[2:8] == bytes(6), "reserved", "not 0")
    count, rest_bytes = divmod(uncompressed_bytes, value_bytes)
    require(word(payload, 2) == count, "number of values", f"not {count}")
    require(payload[12:16] == bytes(4), "reserved", "not 0")
    require(not any(payload[16 + value_bytes : HEADER_BYTES]), "base", "more bytes than a value has")
    rest_at = HEADER_BYTES + count * number_bytes
    end = rest_at + rest_bytes
    check_fields_end(payload, end)
    check_padding(payload, end)
    value = int.from_bytes(payload[16:HEADER_BYTES], "little")
    values = []
    for place in range(HEADER_BYTES, rest_at, number_bytes):
        number = int.from_bytes(payload[place : place + number_bytes], "little")
        value = (value + (-(number + 1) // 2 if number % 2 else number // 2)) % (1 << 8 * value_bytes)
        values.append(value)
    return DecodedNumbers(values, value_bytes, payload[rest_at:end])


# The files.


def wandering_values(size: int, number_bytes: int, count: int) -> bytes:
    """Values of which some neighbours differ by as much as so many bytes can say."""
    random = Random(f"wandering {size} {number_bytes} {count}")
    value = random.getrandbits(8 * size)
    stored = b""
    for i in range(count):
        step = random.getrandbits(8 * number_bytes - 1)
        if i % 9 == 1:
            step = (1 << 8 * number_bytes - 1) - 1
        value = (value + (step if random.getrandbits(1) else -step - 1)) % (1 << 8 * size)
        stored += little(value, size)
    return stored


def delta_nsf_inputs() -> Iterator[tuple[str, ValueType, bytes, int]]:
    """Inputs of encoders: name, a type of that size, bytes and block size."""
    for kind in UNSIGNED:
        for number_bytes in (one for one in SIZES if one <= kind.size):
            for count in (1, 20, 151):
                data = wandering_values(kind.size, number_bytes, count)
                yield f"{kind.size}_{number_bytes}_{count}_values", kind, data, BLOCK_SIZE
        for rest in range(1, kind.size):
            data = wandering_values(kind.size, 1, 90) + bytes(range(0xF1, 0xF1 + rest))
            yield f"{kind.size}_rest_of_{rest}", kind, data, BLOCK_SIZE
        mixed = wandering_values(kind.size, 1, 80) + wandering_values(kind.size, kind.size, 80)
        yield f"{kind.size}_blocks", kind, mixed, 70 * kind.size
        yield f"{kind.size}_blocks_cut_values", kind, mixed, 61
    for step in (127, 128, -128, -129, 32767, 32768, -32768, -32769):
        data = b"".join(little((5 + i * step) % (1 << 32), 4) for i in range(60))
        yield f"4_step_{step}", U32, data, BLOCK_SIZE
    yield "4_equal", U32, little(1 << 31, 4) * 60, BLOCK_SIZE
    yield "4_sign_changes", I32, I32.store([-1, 0, -(1 << 31), (1 << 31) - 1] * 20), BLOCK_SIZE
    yield "4_nothing", U32, b"", BLOCK_SIZE


def delta_nsf_valid() -> Iterator[Valid]:
    """All valid files."""
    for name, kind, output, block_size in delta_nsf_inputs():
        pieces = [output[start : start + block_size] for start in range(0, len(output), block_size)]
        data = DELTA_NSF.frame(block_size, [encoded_block(piece, kind.size) for piece in pieces])
        yield Valid(DELTA_NSF, f"{name}.gsst", data, output, block_size, kind)
    # What no encoder writes: more bytes than needed, and a base that is not the first value.
    for kind in UNSIGNED:
        output = wandering_values(kind.size, 1, 45) + bytes(range(1, kind.size))
        for number_bytes in (one for one in SIZES if one <= kind.size):
            payload = replace(payload_of(output, kind.size), number_bytes=number_bytes)
            data = DELTA_NSF.frame(BLOCK_SIZE, [block_of(payload.written(), output)])
            yield Valid(DELTA_NSF, f"{kind.size}_in_{number_bytes}.gsst", data, output)
        good = payload_of(output, kind.size)
        base = (good.base + 3) % (1 << 8 * kind.size)
        payload = replace(good, base=base, numbers=(number_of(-3, kind.size), *good.numbers[1:]))
        data = DELTA_NSF.frame(BLOCK_SIZE, [block_of(payload.written(), output)])
        yield Valid(DELTA_NSF, f"{kind.size}_another_base.gsst", data, output)
    rest = b"\1\2\3"
    data = DELTA_NSF.frame(BLOCK_SIZE, [block_of(payload_of(rest, 4).written(), rest)])
    yield Valid(DELTA_NSF, "rest_alone.gsst", data, rest)
    data = DELTA_NSF.frame(4096, [raw_tiles_block(bytes(401))])
    yield Valid(DELTA_NSF, "raw_though_constant.gsst", data, bytes(401))


DAMAGED = I32.store([300 * i for i in range(46)]) + b"\1\2\3"


def wrong(name: str, payload: DeltaNsfPayload | Written, why: str, field: str) -> Invalid:
    """A file whose block 1 has this payload, behind a valid block."""
    written = payload.written() if isinstance(payload, DeltaNsfPayload) else payload
    first = encoded_block(DAMAGED, 4)
    data = DELTA_NSF.frame(len(DAMAGED), [first, block_of(written, DAMAGED)])
    return Invalid(DELTA_NSF, f"{name}.gsst", data, why, field, 1)


def delta_nsf_invalid() -> Iterator[Invalid]:
    """All invalid files."""
    good = payload_of(DAMAGED, 4)
    for place, (field, sizes) in enumerate(
        (("bytes of a value", (0, 3, 16, 255)), ("bytes of a number", (0, 3, 8, 255)))
    ):
        for size in sizes:
            written = good.written()
            written.data[place] = size
            name = f"{field.replace(' ', '_')}_{size}"
            yield wrong(name, written, "there is no such size", field)
    for size in (2, 8):
        written = good.written()
        written.data[0] = size
        why = "as many bytes are another number of values"
        yield wrong(f"bytes_of_a_value_{size}", written, why, "number of values")
    for size in (1, 4):
        written = good.written()
        written.data[1] = size
        yield wrong(f"bytes_of_a_number_{size}", written, "numbers have two bytes", "payload bytes")
    for place in (*range(2, 8), *range(12, 16)):
        written = good.written()
        written.data[place] = 1 if place % 2 else 0x80
        yield wrong(f"reserved_{place}", written, "reserved bytes are 0", "reserved")
    for place in (20, 23):
        written = good.written()
        written.data[place] = 1
        yield wrong(f"base_{place}", written, "a value has four bytes", "base")
    for name, count in (("less", 45), ("more", 47), ("2_32", (1 << 32) - 1)):
        payload = replace(good, count=count)
        yield wrong(f"number_of_values_{name}", payload, "there are 46", "number of values")
    whole = bytes(good.written().data)
    for size in (0, 8, len(whole) - 16, len(whole) - 1, len(whole) + 16):
        written = Written()
        written.add("bytes", whole[:size].ljust(size, b"\0"))
        yield wrong(f"of_{size}_bytes", written, "the fields add up to another size", "payload bytes")
    bad = bytearray(len(good.written().get("padding")))
    bad[-1] = 0x80
    yield wrong("padding", replace(good, padding=bytes(bad)), "padding is 0", "padding")
