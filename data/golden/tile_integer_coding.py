"""What files of integers by tile are made of: a format, values, blocks around payloads, damaged payloads."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from random import Random

from format_writer import Block, Layout, Written
from tile_integer_for import (
    I32,
    MINIBLOCK_VALUES,
    PACKED_VALUES,
    ForPayload,
    Unit,
    Units,
    ValueType,
    payload_of,
)
from tiles_writer import raw_tiles_block
from xxh64 import xxh64
from zero_length_files import frame

BLOCK_SIZE = 1 << 16


@dataclass(frozen=True)
class Format:
    """A format of frames."""

    name: str
    number: int
    # What names of its files start with.
    prefix: str

    def frame(self, block_size: int, blocks: Sequence[Block]) -> bytes:
        """A frame of the format."""
        return frame(block_size, list(blocks), self.number)

    def options(self, kind: ValueType) -> dict[str, int]:
        """What an encoder of values of this type is told."""
        return {"value-bytes": kind.size}


@dataclass(frozen=True)
class Coding(Format):
    """A format whose payloads are packed blocks or run blocks, its units."""

    # As its reader knows them.
    units: Units
    # Those that an encoder makes.
    units_of: Callable[[ValueType, Sequence[int]], Sequence[Unit]]
    # Of the payload that is damaged. At least a word of padding follows it.
    values: Sequence[int]
    # Of a unit of this payload, by its number: words up to the end of its first widths.
    words_to_widths_end: Callable[[int], int]

    def encoded(self, block: bytes, kind: ValueType) -> ForPayload:
        """The payload that an encoder makes of a block, also where it is larger than the raw one."""
        values = kind.load(block)
        return payload_of(kind, self.units_of(kind, values), len(values), block[len(values) * kind.size :])

    def packed_of(self, block: bytes, kind: ValueType) -> bytes:
        """The bytes of that payload."""
        return bytes(self.encoded(block, kind).written().data)

    def options(self, kind: ValueType) -> dict[str, int]:
        """What an encoder of values of this type is told."""
        return {"type": kind.number}

    @cached_property
    def output(self) -> bytes:
        """The bytes of the values of the payload that is damaged."""
        return I32.store(self.values)

    @cached_property
    def payload(self) -> ForPayload:
        """The payload that is damaged."""
        return self.encoded(self.output, I32)


def block_of(payload: ForPayload | Written, output: bytes) -> Block:
    """A block of layout 1, whose record is for `output`."""
    written = payload.written() if isinstance(payload, ForPayload) else payload
    return Block(Layout.NARROW, written, len(output), xxh64(output))


def smaller_block(payload: ForPayload | Written, block: bytes) -> Block:
    """The block as an encoder stores it that makes this payload of it: with the payload, or raw."""
    raw = raw_tiles_block(block)
    stored = block_of(payload, block)
    return stored if len(stored.payload.data) < len(raw.payload.data) else raw


def encoded_block(coding: Coding, block: bytes, kind: ValueType) -> Block:
    """The block as an encoder stores it."""
    return smaller_block(coding.encoded(block, kind), block)


def encoded_frame(coding: Coding, data: bytes, kind: ValueType, block_size: int) -> bytes:
    """The frame that an encoder makes."""
    pieces = [data[start : start + block_size] for start in range(0, len(data), block_size)]
    return coding.frame(block_size, [encoded_block(coding, piece, kind) for piece in pieces])


@dataclass(frozen=True)
class Valid:
    """A valid file; encoders make it of `output`, with this type, where `block_size` is said."""

    coding: Format
    name: str
    data: bytes
    output: bytes
    block_size: int | None = None
    kind: ValueType | None = None


@dataclass(frozen=True)
class Invalid:
    """An invalid file: the field's name and the number of the block that the error must name."""

    coding: Format
    name: str
    data: bytes
    why: str
    field: str
    block: int


def random_values(kind: ValueType, width: int, count: int, seed: int = 0) -> list[int]:
    """Values whose differences from the first one need `width` bits in every miniblock."""
    random = Random(f"{kind.name} {width} {seed}")
    span = (1 << width) - 1
    room = kind.maximum - kind.minimum - span
    lowest = kind.minimum + (random.getrandbits(kind.bits) % (room + 1))
    values = [lowest + (random.getrandbits(width) if width else 0) for _ in range(count)]
    values[::MINIBLOCK_VALUES] = [lowest + span] * len(values[::MINIBLOCK_VALUES])
    values[1::PACKED_VALUES] = [lowest] * len(values[1::PACKED_VALUES])
    return values


def middle(kind: ValueType) -> int:
    """The value in the middle of the order: the highest bit changes here."""
    return 0 if kind.signed else 1 << (kind.bits - 1)


def padded_file(
    coding: Coding, name: str, kind: ValueType, units: Sequence[Unit], values: Sequence[int]
) -> Valid:
    """A file of one block with these units, which decode to these values."""
    output = kind.store(values)
    data = coding.frame(BLOCK_SIZE, [block_of(payload_of(kind, units, len(values)), output)])
    return Valid(coding, f"{kind.name}_{name}.gsst", data, output)


def with_payload(coding: Coding, payload: ForPayload | Written, output: bytes, first: bytes) -> bytes:
    """A frame whose block 1 has this payload, behind a valid block."""
    return coding.frame(len(first), [block_of(coding.encoded(first, I32), first), block_of(payload, output)])


def wrong(coding: Coding, name: str, payload: ForPayload | Written, why: str, field: str) -> Invalid:
    """A file whose block 1 has this payload for the values of the payload that is damaged."""
    output = coding.output
    return Invalid(coding, f"{name}.gsst", with_payload(coding, payload, output, output), why, field, 1)


def cut(coding: Coding, name: str, payload: bytes, size: int, output: bytes) -> Invalid:
    """A file whose block 1 has the first `size` bytes of this payload, with zeros where there are no more."""
    written = Written()
    written.add("bytes", payload[:size].ljust(size, b"\0"))
    data = with_payload(coding, written, output, output)
    return Invalid(coding, f"{name}.gsst", data, "the fields add up to another size", "payload bytes", 1)


def moved(coding: Coding, index: int, start: int) -> ForPayload:
    """The payload that is damaged, with another start."""
    starts = coding.payload.starts
    return replace(coding.payload, starts=(*starts[:index], start, *starts[index + 1 :]))
