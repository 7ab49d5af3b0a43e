"""Blocks of format for (FORMAT.md, section 12.1) and a reader of them, apart from the C++ library."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Protocol

from format_writer import Written, little, part
from tiles_writer import padding

MINIBLOCK_VALUES = 32
MINIBLOCKS = 4
PACKED_VALUES = MINIBLOCK_VALUES * MINIBLOCKS
HEADER_BYTES = 16


@dataclass(frozen=True)
class ValueType:
    """A type of values."""

    name: str
    number: int
    size: int
    signed: bool

    @cached_property
    def bits(self) -> int:
        """Bits of a value, and the largest width."""
        return 8 * self.size

    @property
    def reference_bits(self) -> int:
        """Bits of a reference."""
        return max(32, self.bits)

    @cached_property
    def minimum(self) -> int:
        """The smallest value in the type's order."""
        return -(1 << (self.bits - 1)) if self.signed else 0

    @property
    def maximum(self) -> int:
        """The largest value in the type's order."""
        return self.minimum + (1 << self.bits) - 1

    def wrapped(self, number: int) -> int:
        """The value that is `number` modulo 2^bits."""
        return (number - self.minimum) % (1 << self.bits) + self.minimum

    def load(self, data: bytes) -> list[int]:
        """The whole values at the start of `data`."""
        starts = range(0, len(data) // self.size * self.size, self.size)
        return [
            int.from_bytes(data[start : start + self.size], "little", signed=self.signed) for start in starts
        ]

    def store(self, values: Sequence[int]) -> bytes:
        """The bytes of values."""
        return b"".join(value.to_bytes(self.size, "little", signed=self.signed) for value in values)


TYPES = (
    ValueType("i8", 0, 1, True),
    ValueType("i16", 1, 2, True),
    ValueType("i32", 2, 4, True),
    ValueType("u32", 3, 4, False),
    ValueType("i64", 4, 8, True),
    ValueType("u64", 5, 8, False),
)
I8, I16, I32, U32, I64, U64 = TYPES


# The writer. Each part is said explicitly, so that it can be wrong.


class Unit(Protocol):
    """What a start points to: a packed block, or a run block of format rfor."""

    def stored(self, kind: ValueType) -> bytes:
        """Its words, as bytes."""
        ...


def stored_numbers(
    reference: int, reference_bits: int, widths: Sequence[int], differences: Sequence[int]
) -> bytes:
    """Numbers as a reference, widths filled up to whole words, and miniblocks of differences."""
    stored = little(reference % (1 << reference_bits), reference_bits // 8)
    stored += bytes(widths) + bytes(-len(widths) % 4)
    for i, width in enumerate(widths):
        some = differences[i * MINIBLOCK_VALUES : (i + 1) * MINIBLOCK_VALUES]
        stored += little(sum(one << place * width for place, one in enumerate(some)), 4 * width)
    return stored


@dataclass(frozen=True)
class PackedBlock:
    """A packed block: reference, width of each miniblock, and what each value adds to the reference."""

    reference: int
    widths: tuple[int, ...]
    differences: tuple[int, ...]

    def stored(self, kind: ValueType) -> bytes:
        """The words of the packed block, as bytes."""
        return stored_numbers(self.reference, kind.reference_bits, self.widths, self.differences)


def widths_for(differences: Sequence[int]) -> tuple[int, ...]:
    """The smallest width of each miniblock."""
    starts = range(0, len(differences), MINIBLOCK_VALUES)
    return tuple(max(differences[start : start + MINIBLOCK_VALUES]).bit_length() for start in starts)


def packed_block_of(values: Sequence[int]) -> PackedBlock:
    """The packed block that an encoder makes of 1 to 128 values."""
    reference = min(values)
    differences = [value - reference for value in values] + [0] * (PACKED_VALUES - len(values))
    return PackedBlock(reference, widths_for(differences), tuple(differences))


def packed_blocks_of(values: Sequence[int]) -> list[PackedBlock]:
    """The packed blocks that an encoder makes."""
    return [packed_block_of(values[i : i + PACKED_VALUES]) for i in range(0, len(values), PACKED_VALUES)]


@dataclass(frozen=True)
class ForPayload:
    """The fields of a payload."""

    type: int
    largest: int
    count: int
    starts: tuple[int, ...]
    # The packed blocks, or the run blocks.
    packed: bytes
    rest: bytes = b""
    reserved: bytes = bytes(3)
    second_reserved: bytes = bytes(4)
    # Where none is given, it is as long as it must be.
    padding: bytes | None = None

    def written(self) -> Written:
        """The payload."""
        payload = Written()
        payload.add("type", little(self.type, 1))
        payload.add("reserved", self.reserved)
        payload.add("largest", little(self.largest, 4))
        payload.add("number of values", little(self.count, 4))
        payload.add("second reserved", self.second_reserved)
        for i, start in enumerate(self.starts):
            payload.add(f"start {i}", little(start, 4))
        payload.add("packed blocks", self.packed)
        payload.add("rest", self.rest)
        payload.add("padding", padding(len(payload.data)) if self.padding is None else self.padding)
        return payload


def payload_of(kind: ValueType, units: Sequence[Unit], count: int, rest: bytes = b"") -> ForPayload:
    """The payload of packed blocks or run blocks, right or wrong, with the starts that follow from them."""
    stored = [one.stored(kind) for one in units]
    words = [len(one) // 4 for one in stored]
    first = HEADER_BYTES // 4 + len(stored) + 1
    starts = tuple(first + sum(words[:i]) for i in range(len(words) + 1))
    return ForPayload(kind.number, max(words, default=0), count, starts, b"".join(stored), rest)


def encoded(block: bytes, kind: ValueType) -> ForPayload:
    """The payload that an encoder makes of a block, also where it is larger than the raw one."""
    values = kind.load(block)
    return payload_of(kind, packed_blocks_of(values), len(values), block[len(values) * kind.size :])


def packed_of(block: bytes, kind: ValueType) -> bytes:
    """The bytes of that payload."""
    return bytes(encoded(block, kind).written().data)


# The reader. It takes nothing from the writer but the table of types.


class FieldError(ValueError):
    """A payload that is refused, with the name of the field."""

    def __init__(self, field: str, why: str) -> None:
        super().__init__(f"{field}: {why}")
        self.field = field


@dataclass(frozen=True)
class Decoded:
    """What a payload holds."""

    kind: ValueType
    values: list[int]
    rest: bytes

    def output(self) -> bytes:
        """The uncompressed bytes of the block."""
        return self.kind.store(self.values) + self.rest


@dataclass(frozen=True)
class DecodedNumbers:
    """What a payload holds whose values are numbers of bytes, whatever they mean."""

    values: list[int]
    value_bytes: int
    rest: bytes

    def output(self) -> bytes:
        """The uncompressed bytes of the block."""
        return b"".join(little(value, self.value_bytes) for value in self.values) + self.rest


def require(holds: bool, field: str, why: str) -> None:
    """Raises with the name of the field unless the rule holds."""
    if not holds:
        raise FieldError(field, why)


def word(payload: bytes, index: int) -> int:
    """A word of the payload."""
    return int.from_bytes(payload[4 * index : 4 * index + 4], "little")


# Words that precede the reference of a packed block, by the type and the number of the packed block.
WordsBefore = Callable[[ValueType, int], int]


def no_words(_kind: ValueType, _packed_block: int) -> int:
    """In format for a packed block starts with its reference."""
    return 0


# Bytes of the largest unit, by the type and the number of the unit.
UnitBytes = Callable[[ValueType, int], int]


@dataclass(frozen=True)
class Units:
    """What a reader must know of the units of a format."""

    # As the field of the largest one names it.
    name: str
    # Of a unit; the last one may have fewer.
    values: int
    # Bytes of the largest payload of any type for this many bytes, before its padding.
    most_bytes: Callable[[int], int]
    # The word after the unit at a word of the payload, by its number and how many values it has.
    end: Callable[[bytes, ValueType, int, int, int], int]


def most_bytes_of_any_type(uncompressed_bytes: int, unit_values: int, unit_bytes: UnitBytes) -> int:
    """Bytes of the largest payload of any type, before its padding."""
    sizes = []
    for kind in TYPES:
        count, rest = divmod(uncompressed_bytes, kind.size)
        units = part(count, unit_values)
        sizes.append(16 + 4 * (units + 1) + sum(unit_bytes(kind, i) for i in range(units)) + rest)
    return max(sizes)


def packed_units(words_before: WordsBefore) -> Units:
    """Packed blocks, with these words before the reference of each."""

    def unit_bytes(kind: ValueType, number: int) -> int:
        return 4 * words_before(kind, number) + kind.reference_bits // 8 + 4 + 128 * kind.size

    def end(payload: bytes, kind: ValueType, start: int, number: int, _values: int) -> int:
        widths = start + words_before(kind, number) + kind.reference_bits // 32
        return widths + 1 + sum(read_widths(payload, widths, MINIBLOCKS, kind.bits))

    def most_bytes(uncompressed_bytes: int) -> int:
        return most_bytes_of_any_type(uncompressed_bytes, PACKED_VALUES, unit_bytes)

    return Units("packed block", PACKED_VALUES, most_bytes, end)


def check_payload_size(payload: bytes, most_bytes: int, header_bytes: int) -> None:
    """The size alone, where `most_bytes` are those of the largest payload before its padding."""
    size = len(payload)
    require(size % 16 == 8, "payload bytes", "not 8 more than a multiple of 16")
    require(size <= most_bytes + (8 - most_bytes) % 16, "payload bytes", "no payload is so large")
    require(size >= header_bytes, "payload bytes", "cut in the header")


def check_fields_end(payload: bytes, end: int) -> None:
    """Whether the payload has the size that follows from its fields, which go to `end`."""
    require(end + (8 - end) % 16 == len(payload), "payload bytes", "the fields add up to another size")


def check_padding(payload: bytes, end: int) -> None:
    """Whether what is behind the fields is 0."""
    require(not any(payload[end:]), "padding", "not 0")


def check_size(payload: bytes, uncompressed_bytes: int, units: Units) -> None:
    """What is known of the payload's size before its type is."""
    check_payload_size(payload, units.most_bytes(uncompressed_bytes), HEADER_BYTES)


def read_header(payload: bytes, uncompressed_bytes: int) -> ValueType:
    """The type, with all fields of the header checked but the largest packed block."""
    kinds = [kind for kind in TYPES if kind.number == payload[0]]
    require(len(kinds) == 1, "type", "the table has no such number")
    require(payload[1:4] == bytes(3) and payload[12:16] == bytes(4), "reserved", "not 0")
    count = uncompressed_bytes // kinds[0].size
    require(word(payload, 2) == count, "number of values", f"not {count}")
    return kinds[0]


def read_numbers(words: bytes, width: int, count: int) -> list[int]:
    """Numbers of `width` bits, one after the other, the first one in the lowest bits of the first word."""
    whole = int.from_bytes(words, "little")
    return [whole >> i * width & (1 << width) - 1 for i in range(count)]


def read_miniblock(payload: bytes, first_word: int, width: int) -> list[int]:
    """What the 32 values of a miniblock add to the reference."""
    return read_numbers(payload[4 * first_word : 4 * (first_word + width)], width, MINIBLOCK_VALUES)


def words_of_lane(payload: bytes, first_word: int, width: int, lanes: int, lane: int) -> bytes:
    """The `width` words of a lane, which take turns with those of the other lanes from `first_word` on."""
    places = (4 * (first_word + number * lanes + lane) for number in range(width))
    return b"".join(payload[place : place + 4] for place in places)


def read_widths(payload: bytes, first_word: int, count: int, most: int) -> tuple[int, ...]:
    """The widths from this word on, which are filled up with bytes 0 to whole words."""
    place = 4 * first_word
    end = place + 4 * part(count, 4)
    require(end <= len(payload), "payload bytes", "cut before the widths")
    require(max(payload[place : place + count]) <= most, "widths", f"above {most}")
    require(not any(payload[place + count : end]), "widths", "not filled up with 0")
    return tuple(payload[place : place + count])


def read_reference(payload: bytes, start: int, bits: int) -> int:
    """The reference at this word."""
    return int.from_bytes(payload[4 * start : 4 * start + bits // 8], "little")


def read_packed_block(payload: bytes, kind: ValueType, start: int) -> list[int]:
    """The 128 values of the packed block whose reference is at this word."""
    reference = read_reference(payload, start, kind.reference_bits)
    widths = start + kind.reference_bits // 32
    place = widths + 1
    values = []
    for width in read_widths(payload, widths, MINIBLOCKS, kind.bits):
        values += [kind.wrapped(reference + one) for one in read_miniblock(payload, place, width)]
        place += width
    return values


def read_starts(payload: bytes, kind: ValueType, count: int, units: Units) -> list[int]:
    """The starts of units for `count` values, each checked against the one before and what is there."""
    blocks = part(count, units.values)
    require(16 + 4 * (blocks + 1) <= len(payload), "payload bytes", "cut in the starts")
    starts = [word(payload, 4 + i) for i in range(blocks + 1)]
    expected = 4 + blocks + 1
    for i, start in enumerate(starts):
        require(start == expected, "starts", f"start {i} is {start}, not {expected}")
        if i < blocks:
            expected = units.end(payload, kind, start, i, min(count - i * units.values, units.values))
    return starts


@dataclass(frozen=True)
class Checked:
    """A payload whose fields hold to all rules."""

    kind: ValueType
    count: int
    starts: list[int]
    rest: bytes


def checked(payload: bytes, uncompressed_bytes: int, units: Units) -> Checked:
    """A payload for so many bytes, with all rules of section 12.1 and of its units checked."""
    check_size(payload, uncompressed_bytes, units)
    kind = read_header(payload, uncompressed_bytes)
    count, rest_bytes = divmod(uncompressed_bytes, kind.size)
    starts = read_starts(payload, kind, count, units)
    largest = max((end - start for start, end in pairwise(starts)), default=0)
    require(word(payload, 1) == largest, f"largest {units.name}", f"not {largest}")
    end = 4 * starts[-1] + rest_bytes
    check_fields_end(payload, end)
    check_padding(payload, end)
    return Checked(kind, count, starts, payload[end - rest_bytes : end])


FOR_UNITS = packed_units(no_words)


def values_of(payload: bytes, uncompressed_bytes: int) -> Decoded:
    """Decodes a payload of format for."""
    found = checked(payload, uncompressed_bytes, FOR_UNITS)
    values: list[int] = []
    for start in found.starts[:-1]:
        values += read_packed_block(payload, found.kind, start)
    return Decoded(found.kind, values[: found.count], found.rest)


def raw_output_of(payload: bytes, uncompressed_bytes: int) -> bytes:
    """The output of a raw block, which is padded like the others."""
    size = uncompressed_bytes + (8 - uncompressed_bytes) % 16
    require(len(payload) == size, "payload bytes", f"not {size}")
    require(not any(payload[uncompressed_bytes:]), "padding", "not 0")
    return payload[:uncompressed_bytes]
