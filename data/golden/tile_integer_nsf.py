"""Files of format nsf (FORMAT.md, section 12.5), valid and damaged, and a reader of its blocks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random

from format_writer import Block, Written, little
from tile_integer_coding import BLOCK_SIZE, Format, Invalid, Valid, block_of, smaller_block
from tile_integer_for import (
    I8,
    I16,
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

NSF = Format("nsf", 40, "nsf_")


# The writer. Each part is said explicitly, so that it can be wrong.


@dataclass(frozen=True)
class NsfPayload:
    """The fields of a payload."""

    value_bytes: int
    number_bytes: int
    count: int
    numbers: bytes
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
        payload.add("numbers", self.numbers)
        payload.add("rest", self.rest)
        payload.add("padding", padding(len(payload.data)) if self.padding is None else self.padding)
        return payload


def payload_of(block: bytes, size: int, number_bytes: int = 0) -> NsfPayload:
    """The payload of a block of values of this size; 0 stands for as few bytes of a number as there are."""
    starts = range(0, len(block) // size * size, size)
    values = [int.from_bytes(block[start : start + size], "little") for start in starts]
    least = min(one for one in SIZES if max(values, default=0) < 1 << 8 * one)
    stored = number_bytes or least
    numbers = b"".join(little(value, stored) for value in values)
    return NsfPayload(size, stored, len(values), numbers, block[len(values) * size :])


def encoded_block(block: bytes, size: int) -> Block:
    """The block as an encoder stores it."""
    return smaller_block(payload_of(block, size).written(), block)


# The reader. It takes nothing from the writer.


def numbers_of(payload: bytes, uncompressed_bytes: int) -> DecodedNumbers:
    """Decodes a payload of format nsf."""
    check_payload_size(payload, HEADER_BYTES + uncompressed_bytes, HEADER_BYTES)
    value_bytes, number_bytes = payload[0], payload[1]
    require(value_bytes in (1, 2, 4, 8), "bytes of a value", "no such size")
    require(number_bytes in (1, 2, 4, 8), "bytes of a number", "no such size")
    require(number_bytes <= value_bytes, "bytes of a number", "more than a value has")
    require(payload[2:8] == bytes(6) and payload[12:16] == bytes(4), "reserved", "not 0")
    count, rest_bytes = divmod(uncompressed_bytes, value_bytes)
    require(word(payload, 2) == count, "number of values", f"not {count}")
    end = HEADER_BYTES + count * number_bytes + rest_bytes
    check_fields_end(payload, end)
    check_padding(payload, end)
    values = []
    for i in range(count):
        place = HEADER_BYTES + i * number_bytes
        values.append(sum(payload[place + byte] << 8 * byte for byte in range(number_bytes)))
    return DecodedNumbers(values, value_bytes, payload[end - rest_bytes : end])


# The files.


def numbers(size: int, number_bytes: int, count: int) -> list[int]:
    """Values of which the largest fill so many bytes."""
    random = Random(f"numbers of {size} {number_bytes} {count}")
    values = [random.getrandbits(8 * number_bytes) for _ in range(count)]
    values[::7] = [(1 << 8 * number_bytes) - 1] * len(values[::7])
    return values


def stored_values(size: int, values: Sequence[int]) -> bytes:
    """The bytes of values."""
    return b"".join(little(value, size) for value in values)


def nsf_inputs() -> Iterator[tuple[str, ValueType, bytes, int]]:
    """Inputs of encoders: name, a type of that size, bytes and block size."""
    for kind in UNSIGNED:
        for number_bytes in (one for one in SIZES if one <= kind.size):
            for count in (1, 17, 150):
                data = stored_values(kind.size, numbers(kind.size, number_bytes, count))
                yield f"{kind.size}_{number_bytes}_{count}_values", kind, data, BLOCK_SIZE
        for rest in range(1, kind.size):
            data = stored_values(kind.size, numbers(kind.size, 1, 90)) + bytes(range(0xF1, 0xF1 + rest))
            yield f"{kind.size}_rest_of_{rest}", kind, data, BLOCK_SIZE
        mixed = stored_values(
            kind.size,
            [value for one in SIZES if one <= kind.size for value in numbers(kind.size, one, 70)],
        )
        yield f"{kind.size}_blocks", kind, mixed, 70 * kind.size
        yield f"{kind.size}_blocks_cut_values", kind, mixed, 61
    for name, value in (("largest_byte", 0xFF), ("two_bytes", 0x100), ("largest_two", 0xFFFF)):
        yield f"4_{name}", U32, stored_values(4, [0, value] * 20), BLOCK_SIZE
    yield "4_three_bytes", U32, stored_values(4, [0, 0x10000] * 20), BLOCK_SIZE
    yield "4_zeros", U32, bytes(400), BLOCK_SIZE
    yield "4_negative", I32, I32.store([-1, 5, 6] * 20), BLOCK_SIZE
    yield "8_five_bytes", U64, stored_values(8, [0, 1 << 32] * 20), BLOCK_SIZE
    yield "4_nothing", U32, b"", BLOCK_SIZE


def nsf_valid() -> Iterator[Valid]:
    """All valid files."""
    for name, kind, output, block_size in nsf_inputs():
        pieces = [output[start : start + block_size] for start in range(0, len(output), block_size)]
        data = NSF.frame(block_size, [encoded_block(piece, kind.size) for piece in pieces])
        yield Valid(NSF, f"{name}.gsst", data, output, block_size, kind)
    # What no encoder writes: numbers with more bytes than they need, up to those of values.
    for kind in UNSIGNED:
        for number_bytes in (one for one in SIZES if one <= kind.size):
            output = stored_values(kind.size, numbers(kind.size, 1, 45)) + bytes(range(1, kind.size))
            payload = payload_of(output, kind.size, number_bytes)
            data = NSF.frame(BLOCK_SIZE, [block_of(payload.written(), output)])
            yield Valid(NSF, f"{kind.size}_in_{number_bytes}.gsst", data, output)
    rest = b"\1\2\3"
    data = NSF.frame(BLOCK_SIZE, [block_of(payload_of(rest, 4).written(), rest)])
    yield Valid(NSF, "rest_alone.gsst", data, rest)
    data = NSF.frame(4096, [raw_tiles_block(bytes(401))])
    yield Valid(NSF, "raw_though_constant.gsst", data, bytes(401))


DAMAGED = I32.store([10 * i for i in range(48)]) + b"\1\2\3"


def wrong(name: str, payload: NsfPayload | Written, why: str, field: str, output: bytes = DAMAGED) -> Invalid:
    """A file whose block 1 has this payload, behind a valid block."""
    written = payload.written() if isinstance(payload, NsfPayload) else payload
    first = encoded_block(output, 4)
    return Invalid(
        NSF, f"{name}.gsst", NSF.frame(len(output), [first, block_of(written, output)]), why, field, 1
    )


def nsf_invalid() -> Iterator[Invalid]:
    """All invalid files."""
    good = payload_of(DAMAGED, 4)
    for size in (0, 3, 16, 255):
        payload = replace(good, value_bytes=size)
        yield wrong(f"bytes_of_a_value_{size}", payload, "there is no such size", "bytes of a value")
    for size in (0, 3, 8, 255):
        payload = replace(good, number_bytes=size)
        yield wrong(f"bytes_of_a_number_{size}", payload, "there is no such size", "bytes of a number")
    why = "as many bytes are another number of values"
    for size in (2, 8):
        payload = replace(good, value_bytes=size)
        yield wrong(f"bytes_of_a_value_{size}", payload, why, "number of values")
    for size in (1, 4):
        payload = replace(good, number_bytes=size)
        yield wrong(f"bytes_of_a_number_{size}", payload, "numbers have two bytes", "payload bytes")
    for place in (*range(2, 8), *range(12, 16)):
        written = good.written()
        written.data[place] = 1 if place % 2 else 0x80
        yield wrong(f"reserved_{place}", written, "reserved bytes are 0", "reserved")
    for name, count in (("less", 47), ("more", 49), ("0", 0), ("in_bytes", 192), ("2_32", (1 << 32) - 1)):
        payload = replace(good, count=count)
        yield wrong(f"number_of_values_{name}", payload, "there are 48", "number of values")
    whole = bytes(good.written().data)
    for size in (0, 8, 24, len(whole) - 16, len(whole) - 1, len(whole) + 8, len(whole) + 16):
        written = Written()
        written.add("bytes", whole[:size].ljust(size, b"\0"))
        yield wrong(f"of_{size}_bytes", written, "the fields add up to another size", "payload bytes")
    output = I8.store([1])
    written = Written()
    written.add("bytes", bytes(payload_of(output, 1).written().data).ljust(40, b"\0"))
    yield wrong("above_bound", written, "no payload is so large", "payload bytes", output)
    size = len(good.written().get("padding"))
    for name, place in (("first", 0), ("last", size - 1)):
        bad = bytearray(size)
        bad[place] = 0x80
        yield wrong(f"padding_{name}_byte", replace(good, padding=bytes(bad)), "padding is 0", "padding")
    values = I16.store([7] * 20)
    payload = payload_of(values, 2)
    bad_end = b"\1" + bytes(len(payload.written().get("padding")) - 1)
    yield wrong("padding_without_rest", replace(payload, padding=bad_end), "padding is 0", "padding", values)
    raw = Written()
    raw.add("raw bytes", b"abc")
    raw.add("padding", padding(3)[:-1] + b"\1")
    blocks = [encoded_block(DAMAGED, 4), replace(raw_tiles_block(b"abc"), payload=raw)]
    data = NSF.frame(len(DAMAGED), blocks)
    yield Invalid(NSF, "padding_of_raw_block.gsst", data, "padding is 0", "padding", 1)
