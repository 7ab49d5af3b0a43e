"""What an invalid file is, and the frames of which one field at a time is damaged."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from format_writer import (
    Block,
    BlockFormat,
    Layout,
    Payload,
    SymbolTable,
    Written,
    encoded_block,
    frame_of,
)
from valid_files import FRAME, split_counts
from xxh64 import xxh64

BLOCK_SIZE = 64
SPLITS = 3
TABLE = SymbolTable.of(b"the ", b"boxes", b"ship", b"sea", b"s", b" ", b"e")
DATA = b"ship the boxes; the sea \xff ships the boxes by the sea, the boxes: the ship sees the sea; boxes!"
MISSING_CODE = 200
LAYOUTS = (Layout.NARROW, Layout.WIDE)


@dataclass(frozen=True)
class Expected:
    """What an error must say: a part of the field's name; the block's number, or None for no block."""

    field: str
    block: int | None = None


@dataclass(frozen=True)
class InvalidFile:
    """An invalid file.

    A decoder of a whole frame starts at the trailer and the index, one that reads a pipe meets the records
    first: `expected` is what the former says, `stream` what the latter says.
    """

    name: str
    container: str
    data: bytes
    why: str
    expected: Expected
    stream: Expected


def invalid(
    name: str, data: Written | bytes, why: str, expected: Expected, stream: Expected | None = None
) -> InvalidFile:
    """An invalid frame."""
    content = bytes(data.data) if isinstance(data, Written) else data
    return InvalidFile(f"{name}.gsst", FRAME, content, why, expected, stream or expected)


def blocks_of(block_format: BlockFormat, layout: Layout) -> list[Block]:
    """Two blocks, the second one short."""
    count = split_counts(block_format, SPLITS)
    pieces = (DATA[:BLOCK_SIZE], DATA[BLOCK_SIZE:])
    return [encoded_block(block_format, layout, TABLE, piece, count) for piece in pieces]


def frame_with(block_format: BlockFormat, blocks: Sequence[Block]) -> Written:
    """A frame of these blocks."""
    return frame_of(block_format, BLOCK_SIZE, split_counts(block_format, SPLITS), blocks)


def base(block_format: BlockFormat = BlockFormat.SPLITS, layout: Layout = Layout.NARROW) -> Written:
    """A valid frame of two blocks."""
    return frame_with(block_format, blocks_of(block_format, layout))


def replace_block(index: int, block: Block, block_format: BlockFormat = BlockFormat.SPLITS) -> Written:
    """The base frame with another block, consistent in records, index and trailer."""
    blocks = blocks_of(block_format, Layout.NARROW)
    blocks[index] = block
    return frame_with(block_format, blocks)


def patched(
    frame: Written, field: str, value: int | bytes, repair: Callable[[Written], None] | None = None
) -> Written:
    """The frame with one field changed and the checksum over it made right."""
    frame.set(field, value)
    if repair is not None:
        repair(frame)
    return frame


def number(frame: Written, field: str) -> int:
    """The value of a little-endian field."""
    return int.from_bytes(frame.get(field), "little")


def file_name(field: str) -> str:
    """A field's name as a part of a file name."""
    return field.replace("/", "_").replace(" ", "_").replace("-", "_")


def setting(field: str, value: int | bytes) -> Callable[[Written], None]:
    """A change that sets a field."""
    return lambda payload: payload.set(field, value)


def block_case(
    name: str,
    block_format: BlockFormat,
    layout: Layout,
    change: Callable[[Written], None],
    why: str,
    field: str,
) -> InvalidFile:
    """The base frame with a change in block 1."""
    blocks = blocks_of(block_format, layout)
    change(blocks[1].payload)
    full_name = f"{block_format.name.lower()}_{layout.name.lower()}_{name}"
    return invalid(full_name, frame_with(block_format, blocks), why, Expected(field, 1))


def whole_block(
    name: str,
    block_format: BlockFormat,
    payload: Payload,
    why: str,
    expected: Expected,
    layout: Layout = Layout.NARROW,
) -> InvalidFile:
    """A frame of one block made by hand."""
    written = payload.written(block_format, layout)
    block = Block(layout, written, payload.uncompressed_bytes, xxh64(b""))
    count = split_counts(block_format, len(payload.locations))
    return invalid(name, frame_of(block_format, BLOCK_SIZE, count, [block]), why, expected)
