"""Blocks of format for (FORMAT.md, section 12.1) and a reader of them, apart from the C++ library."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

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

    @property
    def bits(self) -> int:
        """Bits of a value, and the largest width."""
        return 8 * self.size

    @property
    def reference_bits(self) -> int:
        """Bits of a reference."""
        return max(32, self.bits)

    @property
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


@dataclass(frozen=True)
class PackedBlock:
    """A packed block: reference, width of each miniblock, and what each value adds to the reference."""

    reference: int
    widths: tuple[int, ...]
    differences: tuple[int, ...]

    def stored(self, kind: ValueType) -> bytes:
        """The words of the packed block, as bytes."""
        bits = kind.reference_bits
        stored = little(self.reference % (1 << bits), bits // 8) + bytes(self.widths)
        for i, width in enumerate(self.widths):
            some = self.differences[i * MINIBLOCK_VALUES : (i + 1) * MINIBLOCK_VALUES]
            stored += little(sum(one << place * width for place, one in enumerate(some)), 4 * width)
        return stored


def widths_for(differences: Sequence[int]) -> tuple[int, ...]:
    """The smallest width of each miniblock."""
    starts = range(0, PACKED_VALUES, MINIBLOCK_VALUES)
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
        payload.add("largest packed block", little(self.largest, 4))
        payload.add("number of values", little(self.count, 4))
        payload.add("second reserved", self.second_reserved)
        for i, start in enumerate(self.starts):
            payload.add(f"start {i}", little(start, 4))
        payload.add("packed blocks", self.packed)
        payload.add("rest", self.rest)
        payload.add("padding", padding(len(payload.data)) if self.padding is None else self.padding)
        return payload


def payload_of(kind: ValueType, packed: Sequence[PackedBlock], count: int, rest: bytes = b"") -> ForPayload:
    """The payload of packed blocks, right or wrong, with the starts that their widths ask for."""
    stored = [one.stored(kind) for one in packed]
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


def require(holds: bool, field: str, why: str) -> None:
    """Raises with the name of the field unless the rule holds."""
    if not holds:
        raise FieldError(field, why)


def word(payload: bytes, index: int) -> int:
    """A word of the payload."""
    return int.from_bytes(payload[4 * index : 4 * index + 4], "little")


def most_bytes(uncompressed_bytes: int) -> int:
    """Bytes of the largest payload of any type, before its padding."""
    sizes = []
    for kind in TYPES:
        count, rest = divmod(uncompressed_bytes, kind.size)
        blocks = part(count, PACKED_VALUES)
        packed = kind.reference_bits // 8 + 4 + 128 * kind.size
        sizes.append(16 + 4 * (blocks + 1) + blocks * packed + rest)
    return max(sizes)


def check_size(payload: bytes, uncompressed_bytes: int) -> None:
    """What is known of the payload's size before its type is."""
    size = len(payload)
    require(size % 16 == 8, "payload bytes", "not 8 more than a multiple of 16")
    most = most_bytes(uncompressed_bytes)
    require(size <= most + (8 - most) % 16, "payload bytes", "no payload is so large")
    require(size >= HEADER_BYTES, "payload bytes", "cut in the header")


def read_header(payload: bytes, uncompressed_bytes: int) -> ValueType:
    """The type, with all fields of the header checked but the largest packed block."""
    kinds = [kind for kind in TYPES if kind.number == payload[0]]
    require(len(kinds) == 1, "type", "the table has no such number")
    require(payload[1:4] == bytes(3) and payload[12:16] == bytes(4), "reserved", "not 0")
    count = uncompressed_bytes // kinds[0].size
    require(word(payload, 2) == count, "number of values", f"not {count}")
    return kinds[0]


def bit(payload: bytes, first_word: int, place: int) -> int:
    """A bit of the words from `first_word` on."""
    return word(payload, first_word + place // 32) >> place % 32 & 1


def read_miniblock(payload: bytes, first_word: int, width: int) -> list[int]:
    """What the 32 values of a miniblock add to the reference, bit by bit."""
    return [
        sum(bit(payload, first_word, i * width + j) << j for j in range(width))
        for i in range(MINIBLOCK_VALUES)
    ]


def read_widths(payload: bytes, kind: ValueType, start: int) -> tuple[int, ...]:
    """The widths of the packed block at this word."""
    place = 4 * (start + kind.reference_bits // 32)
    require(place + 4 <= len(payload), "payload bytes", "cut before the widths")
    widths = tuple(payload[place : place + 4])
    require(max(widths) <= kind.bits, "widths", "wider than the type")
    return widths


def read_packed_block(payload: bytes, kind: ValueType, start: int) -> list[int]:
    """The 128 values of the packed block at this word."""
    reference_words = kind.reference_bits // 32
    reference = int.from_bytes(payload[4 * start : 4 * (start + reference_words)], "little")
    place = start + reference_words + 1
    values = []
    for width in read_widths(payload, kind, start):
        values += [kind.wrapped(reference + one) for one in read_miniblock(payload, place, width)]
        place += width
    return values


def read_starts(payload: bytes, kind: ValueType, blocks: int) -> list[int]:
    """The starts, each checked against the one before and the widths there."""
    require(16 + 4 * (blocks + 1) <= len(payload), "payload bytes", "cut in the starts")
    starts = [word(payload, 4 + i) for i in range(blocks + 1)]
    expected = 4 + blocks + 1
    for i, start in enumerate(starts):
        require(start == expected, "starts", f"start {i} is {start}, not {expected}")
        if i < blocks:
            expected += kind.reference_bits // 32 + 1 + sum(read_widths(payload, kind, start))
    return starts


def values_of(payload: bytes, uncompressed_bytes: int) -> Decoded:
    """Decodes a payload for so many bytes, with all rules of section 12.1 checked."""
    check_size(payload, uncompressed_bytes)
    kind = read_header(payload, uncompressed_bytes)
    count, rest_bytes = divmod(uncompressed_bytes, kind.size)
    blocks = part(count, PACKED_VALUES)
    starts = read_starts(payload, kind, blocks)
    largest = max((starts[i + 1] - starts[i] for i in range(blocks)), default=0)
    require(word(payload, 1) == largest, "largest packed block", f"not {largest}")
    end = 4 * starts[-1] + rest_bytes
    require(end + (8 - end) % 16 == len(payload), "payload bytes", "the fields add up to another size")
    require(not any(payload[end:]), "padding", "not 0")
    values: list[int] = []
    for start in starts[:-1]:
        values += read_packed_block(payload, kind, start)
    return Decoded(kind, values[:count], payload[end - rest_bytes : end])


def raw_output_of(payload: bytes, uncompressed_bytes: int) -> bytes:
    """The output of a raw block, which is padded like the others."""
    size = uncompressed_bytes + (8 - uncompressed_bytes) % 16
    require(len(payload) == size, "payload bytes", f"not {size}")
    require(not any(payload[uncompressed_bytes:]), "padding", "not 0")
    return payload[:uncompressed_bytes]
