"""What files of series codag are made of (FORMAT.md, section 13), and a reader of streams of runs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from format_writer import Block, Layout, Written, raw_block
from tile_integer_coding import Format
from tile_integer_for import TYPES, FieldError, ValueType
from xxh64 import xxh64

BLOCK_SIZE = 1 << 16
WORD = 1 << 64


@dataclass(frozen=True)
class ChunkFormat(Format):
    """A format of the series."""

    # Of a block, with its type: the payload that an encoder makes.
    encode: Callable[[bytes, ValueType], bytes] | None = None

    def options(self, kind: ValueType) -> dict[str, int]:
        """What an encoder of values of this type is told."""
        return {"type": kind.number}


@dataclass(frozen=True)
class Valid:
    """A valid file; encoders make it of `output`, with these options, where `block_size` is said."""

    coding: ChunkFormat
    name: str
    data: bytes
    output: bytes
    block_size: int | None = None
    options: dict[str, int] | None = None


@dataclass(frozen=True)
class Invalid:
    """An invalid file: the field's name, the number of the block and the byte of its payload that the error
    must name; the status is what a decoder on a GPU leaves, None where it never sees the block."""

    coding: ChunkFormat
    name: str
    data: bytes
    why: str
    field: str
    block: int
    status: int | None
    byte: int | None


def block_of(payload: bytes, output: bytes) -> Block:
    """A block of layout 1, whose record is for `output`."""
    written = Written()
    written.add("payload", payload)
    return Block(Layout.NARROW, written, len(output), xxh64(output))


def encoded_frame(coding: ChunkFormat, data: bytes, kind: ValueType, block_size: int) -> bytes:
    """The frame that an encoder makes."""
    if coding.encode is None:
        raise ValueError(f"{coding.name} has no encoder here")
    blocks = []
    for start in range(0, len(data), block_size):
        piece = data[start : start + block_size]
        payload = coding.encode(piece, kind)
        blocks.append(block_of(payload, piece) if len(payload) < len(piece) else raw_block(piece))
    return coding.frame(block_size, blocks)


def varint(number: int, groups: int = 1) -> bytes:
    """A number in groups of seven bits, as many as it needs but not fewer than `groups`."""
    groups = max(groups, -(-number.bit_length() // 7))
    stored = bytearray(number >> 7 * i & 127 | 128 for i in range(groups))
    stored[-1] &= 127
    return bytes(stored)


def zigzag(number: int) -> int:
    """The zigzag code of a number of 64 bits with a sign."""
    return 2 * number if number >= 0 else -2 * number - 1


def in_stream(number: int, kind: ValueType) -> bytes:
    """A value as streams have it."""
    return varint(zigzag(number) if kind.signed else number)


# The reader. It takes nothing from the writer.

FIELDS = {
    1: "values",
    2: "values",
    3: "payload bytes",
    4: "varints",
    5: "widths",
    6: "patches",
    7: "payload bytes",
}


class StreamError(FieldError):
    """A stream that is refused, with the status and the byte of the payload."""

    def __init__(self, status: int, byte: int) -> None:
        super().__init__(FIELDS[status], f"status {status} at byte {byte}")
        self.status = status
        self.byte = byte


class Stream:
    """The runs of a payload, from byte `start` to before `end`."""

    def __init__(self, payload: bytes, start: int, end: int) -> None:
        self.payload = payload
        self.place = start
        self.end = end
        self.run = start

    def fail(self, status: int) -> StreamError:
        """What is wrong with the run."""
        return StreamError(status, self.run)

    def take(self, count: int) -> bytes:
        """The next bytes."""
        if self.end - self.place < count:
            raise self.fail(3)
        self.place += count
        return self.payload[self.place - count : self.place]

    def varint(self) -> int:
        """The next varint."""
        number = shift = 0
        while True:
            byte = self.take(1)[0]
            number += (byte & 127) << shift
            if number >= WORD or (shift == 63 and byte > 1):
                raise self.fail(4)
            if byte < 128:
                return number
            shift += 7

    def values(self, count: int, read_run: Callable[[Stream, int], list[int]]) -> list[int]:
        """All values; `read_run` reads those of the run that comes, of which there is room for so many."""
        values: list[int] = []
        while len(values) < count and self.place < self.end:
            self.run = self.place
            values += read_run(self, count - len(values))
        if len(values) < count:
            raise StreamError(1, self.end)
        if self.place < self.end:
            raise StreamError(7, self.place)
        return values

    def check_room(self, values: int, room: int) -> None:
        """Raises unless the block has room for the values of the run."""
        if values > room:
            raise self.fail(2)


def unzigzag(code: int) -> int:
    """The number of a zigzag code."""
    return -(code + 1) // 2 if code % 2 else code // 2


def integers_of(
    payload: bytes, uncompressed_bytes: int, read_run: Callable[[Stream, int, ValueType], list[int]]
) -> bytes:
    """Decodes a payload that starts with a type."""
    if not payload:
        raise FieldError("payload bytes", "no type")
    kinds = [kind for kind in TYPES if kind.number == payload[0]]
    if not kinds:
        raise FieldError("type", "no such type")
    kind = kinds[0]
    count, rest = divmod(uncompressed_bytes, kind.size)
    if len(payload) < 1 + rest:
        raise FieldError("payload bytes", "no rest")
    end = len(payload) - rest
    values = Stream(payload, 1, end).values(count, lambda stream, room: read_run(stream, room, kind))
    return kind.store([kind.wrapped(value) for value in values]) + payload[end:]


def wrong_stream(
    coding: ChunkFormat,
    name: str,
    payloads: Sequence[tuple[bytes, bytes]],
    why: str,
    status: int,
    byte: int,
) -> Invalid:
    """A file of these payloads and outputs, of which the last is wrong."""
    blocks = [block_of(payload, output) for payload, output in payloads]
    data = coding.frame(len(payloads[0][1]), blocks)
    return Invalid(coding, name, data, why, FIELDS[status], len(blocks) - 1, status, byte)
