"""Files of format dict (FORMAT.md, section 12.11), valid and damaged, and a reader of its blocks."""

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
    ValueType,
    check_fields_end,
    check_padding,
    check_payload_size,
    require,
    word,
)
from tiles_writer import padding, raw_tiles_block

HEADER_BYTES = 16
CODE_SIZES = (1, 2, 4)
# Of each size one: signs do not count.
UNSIGNED = (ValueType("u8", 0, 1, False), ValueType("u16", 1, 2, False), U32, U64)

DICT = Format("dict", 45, "dict_")


# The writer. Each part is said explicitly, so that it can be wrong.


@dataclass(frozen=True)
class DictPayload:
    """The fields of a payload."""

    value_bytes: int
    code_bytes: int
    count: int
    entries: tuple[int, ...]
    codes: tuple[int, ...]
    rest: bytes = b""
    reserved: bytes = bytes(6)
    # Where none is given, it is as many as there are.
    entry_count: int | None = None
    # Where none is given, it is as long as it must be.
    padding: bytes | None = None

    def written(self) -> Written:
        """The payload."""
        payload = Written()
        payload.add("bytes of a value", little(self.value_bytes, 1))
        payload.add("bytes of a code", little(self.code_bytes, 1))
        payload.add("reserved", self.reserved)
        payload.add("number of values", little(self.count, 4))
        entry_count = len(self.entries) if self.entry_count is None else self.entry_count
        payload.add("number of entries", little(entry_count, 4))
        payload.add("entries", b"".join(little(entry, self.value_bytes) for entry in self.entries))
        payload.add("codes", b"".join(little(code, self.code_bytes) for code in self.codes))
        payload.add("rest", self.rest)
        payload.add("padding", padding(len(payload.data)) if self.padding is None else self.padding)
        return payload


def payload_of(block: bytes, size: int) -> DictPayload:
    """The payload that an encoder makes of a block of values of this size, however large it is."""
    starts = range(0, len(block) // size * size, size)
    values = [int.from_bytes(block[start : start + size], "little") for start in starts]
    entries = tuple(sorted(set(values)))
    places = {entry: place for place, entry in enumerate(entries)}
    code_bytes = next(one for one in CODE_SIZES if len(entries) <= 1 << 8 * one)
    codes = tuple(places[value] for value in values)
    return DictPayload(size, code_bytes, len(values), entries, codes, block[len(values) * size :])


def encoded_block(block: bytes, size: int) -> Block:
    """The block as an encoder stores it."""
    return smaller_block(payload_of(block, size).written(), block)


# The reader. It takes nothing from the writer.


@dataclass(frozen=True)
class LookedUp:
    """What a payload holds."""

    values: list[bytes]
    rest: bytes

    def output(self) -> bytes:
        """The uncompressed bytes of the block."""
        return b"".join(self.values) + self.rest


def looked_up_of(payload: bytes, uncompressed_bytes: int) -> LookedUp:
    """Decodes a payload of format dict."""
    check_payload_size(payload, HEADER_BYTES + 5 * uncompressed_bytes, HEADER_BYTES)
    value_bytes, code_bytes = payload[:2]
    require(value_bytes in (1, 2, 4, 8), "bytes of a value", "no such size")
    require(code_bytes in (1, 2, 4), "bytes of a code", "no such size")
    require(payload[2:8] == bytes(6), "reserved", "not 0")
    count, rest_bytes = divmod(uncompressed_bytes, value_bytes)
    require(word(payload, 2) == count, "number of values", f"not {count}")
    entry_count = word(payload, 3)
    require(entry_count <= count, "number of entries", "more than values")
    codes_at = HEADER_BYTES + entry_count * value_bytes
    rest_at = codes_at + count * code_bytes
    end = rest_at + rest_bytes
    check_fields_end(payload, end)
    codes = [
        int.from_bytes(payload[place : place + code_bytes], "little")
        for place in range(codes_at, rest_at, code_bytes)
    ]
    require(all(code < entry_count for code in codes), "codes", "no such entry")
    check_padding(payload, end)
    places = [HEADER_BYTES + code * value_bytes for code in codes]
    return LookedUp([payload[place : place + value_bytes] for place in places], payload[rest_at:end])


# The files.


def few_values(size: int, unique: int, count: int) -> bytes:
    """Values of which at most so many differ."""
    random = Random(f"few {size} {unique} {count}")
    known = [random.getrandbits(8 * size) for _ in range(unique)]
    return b"".join(little(known[random.getrandbits(32) % unique], size) for _ in range(count))


def dict_inputs() -> Iterator[tuple[str, ValueType, bytes, int]]:
    """Inputs of encoders: name, a type of that size, bytes and block size."""
    for kind in UNSIGNED:
        for unique in (1, 2, 17, 60):
            for count in (70, 201):
                name = f"{kind.size}_{unique}_of_{count}_values"
                yield name, kind, few_values(kind.size, unique, count), BLOCK_SIZE
        for rest in range(1, kind.size):
            data = few_values(kind.size, 5, 90) + bytes(range(0xF1, 0xF1 + rest))
            yield f"{kind.size}_rest_of_{rest}", kind, data, BLOCK_SIZE
        mixed = few_values(kind.size, 3, 80) + few_values(kind.size, 70, 80)
        yield f"{kind.size}_blocks", kind, mixed, 70 * kind.size
        yield f"{kind.size}_blocks_cut_values", kind, mixed, 61
    for entries in (256, 257):
        data = b"".join(little(3 * (i % entries), 4) for i in range(700))
        yield f"4_{entries}_entries", U32, data, BLOCK_SIZE
    yield "4_negative", I32, I32.store([-1, 5, 6, 7] * 20), BLOCK_SIZE
    yield "4_nothing", U32, b"", BLOCK_SIZE


def dict_valid() -> Iterator[Valid]:
    """All valid files."""
    for name, kind, output, block_size in dict_inputs():
        pieces = [output[start : start + block_size] for start in range(0, len(output), block_size)]
        data = DICT.frame(block_size, [encoded_block(piece, kind.size) for piece in pieces])
        yield Valid(DICT, f"{name}.gsst", data, output, block_size, kind)
    # What no encoder writes: wide codes, entries that fall, the same twice, and one of no value.
    for kind in UNSIGNED:
        output = few_values(kind.size, 9, 45) + bytes(range(1, kind.size))
        for code_bytes in CODE_SIZES:
            payload = replace(payload_of(output, kind.size), code_bytes=code_bytes)
            data = DICT.frame(BLOCK_SIZE, [block_of(payload.written(), output)])
            yield Valid(DICT, f"{kind.size}_in_{code_bytes}.gsst", data, output)
    output = I32.store([7, 9, 7, 7] * 10)
    for name, entries, codes in (
        ("falling", (9, 7), (1, 0, 1, 1)),
        ("twice", (7, 9, 7), (0, 1, 2, 0)),
        ("of_no_value", (7, 8, 9), (0, 2, 0, 0)),
    ):
        payload = replace(payload_of(output, 4), entries=entries, codes=codes * 10)
        data = DICT.frame(BLOCK_SIZE, [block_of(payload.written(), output)])
        yield Valid(DICT, f"entries_{name}.gsst", data, output)
    rest = b"\1\2\3"
    data = DICT.frame(BLOCK_SIZE, [block_of(payload_of(rest, 4).written(), rest)])
    yield Valid(DICT, "rest_alone.gsst", data, rest)
    data = DICT.frame(4096, [raw_tiles_block(bytes(401))])
    yield Valid(DICT, "raw_though_constant.gsst", data, bytes(401))


DAMAGED = I32.store([10 * (i % 7) for i in range(46)]) + b"\1\2\3"


def wrong(name: str, payload: DictPayload | Written, why: str, field: str) -> Invalid:
    """A file whose block 1 has this payload, behind a valid block."""
    written = payload.written() if isinstance(payload, DictPayload) else payload
    first = encoded_block(DAMAGED, 4)
    data = DICT.frame(len(DAMAGED), [first, block_of(written, DAMAGED)])
    return Invalid(DICT, f"{name}.gsst", data, why, field, 1)


def dict_invalid() -> Iterator[Invalid]:
    """All invalid files."""
    good = payload_of(DAMAGED, 4)
    for place, (field, sizes) in enumerate(
        (("bytes of a value", (0, 3, 16, 255)), ("bytes of a code", (0, 3, 8, 255)))
    ):
        for size in sizes:
            written = good.written()
            written.data[place] = size
            name = f"{field.replace(' ', '_')}_{size}"
            yield wrong(name, written, "there is no such size", field)
    for size in (1, 2, 8):
        written = good.written()
        written.data[0] = size
        why = "as many bytes are another number of values"
        yield wrong(f"bytes_of_a_value_{size}", written, why, "number of values")
    for size in (2, 4):
        written = good.written()
        written.data[1] = size
        yield wrong(f"bytes_of_a_code_{size}", written, "codes have a byte", "payload bytes")
    for place in range(2, 8):
        written = good.written()
        written.data[place] = 1 if place % 2 else 0x80
        yield wrong(f"reserved_{place}", written, "reserved bytes are 0", "reserved")
    for name, count in (("less", 45), ("more", 47), ("2_32", (1 << 32) - 1)):
        payload = replace(good, count=count)
        yield wrong(f"number_of_values_{name}", payload, "there are 46", "number of values")
    for name, count in (("more_than_values", 47), ("2_32", (1 << 32) - 1)):
        payload = replace(good, entry_count=count)
        yield wrong(f"number_of_entries_{name}", payload, "there are 46 values", "number of entries")
    for name, count in (("0", 0), ("46", 46)):
        payload = replace(good, entry_count=count)
        yield wrong(f"number_of_entries_{name}", payload, "as many are another size", "payload bytes")
    for name, place, code in (("first", 0, 7), ("last", 45, 255)):
        codes = list(good.codes)
        codes[place] = code
        payload = replace(good, codes=tuple(codes))
        yield wrong(f"code_of_the_{name}", payload, "there are 7 entries", "codes")
    whole = bytes(good.written().data)
    for size in (0, 8, len(whole) - 16, len(whole) - 1, len(whole) + 16):
        written = Written()
        written.add("bytes", whole[:size].ljust(size, b"\0"))
        yield wrong(f"of_{size}_bytes", written, "the fields add up to another size", "payload bytes")
    bad = bytearray(len(good.written().get("padding")))
    bad[-1] = 0x80
    yield wrong("padding", replace(good, padding=bytes(bad)), "padding is 0", "padding")
