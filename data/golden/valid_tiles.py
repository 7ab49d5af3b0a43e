"""The files of format tiles that every decoder must read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from format_writer import Block
from tiles_writer import (
    TilesPayload,
    TileTable,
    raw_tiles_block,
    tiles_block,
    tiles_frame,
    tiles_payload,
)
from valid_files import EVERY_BYTE, FRAME, OTHER_TABLE, TEXT, TEXT_TABLE, ValidFile, every_length_table

SYMBOLS = TEXT_TABLE.symbols
ESCAPES = TileTable.of(8, False, *SYMBOLS)


def tiles_file(name: str, block_size: int, blocks: Sequence[Block], output: bytes) -> ValidFile:
    """A frame of format tiles as a valid file."""
    return ValidFile(f"tiles_{name}.gsst", FRAME, bytes(tiles_frame(block_size, blocks).data), output)


def one_tiles_block(name: str, payload: TilesPayload, output: bytes) -> ValidFile:
    """A frame of one block."""
    return tiles_file(name, len(output), [tiles_block(payload, output)], output)


def every_shape() -> Iterator[ValidFile]:
    """Each width of codes with each number of codes a lane."""
    text = TEXT * 12
    for bits in (8, 10, 12):
        table = TileTable.of(bits, bits != 8, *SYMBOLS)
        for codes_per_lane in (16, 24, 32):
            payload = tiles_payload(table, text, codes_per_lane, 1)
            yield one_tiles_block(f"{bits}_bits_{codes_per_lane}_a_lane", payload, text)


def sizes() -> Iterator[ValidFile]:
    """Small blocks, whole tiles, and strips."""
    yield tiles_file("empty", 1 << 16, [], b"")
    yield one_tiles_block("one_byte", tiles_payload(ESCAPES, b"s"), b"s")
    yield one_tiles_block("one_literal_byte", tiles_payload(ESCAPES, b"\xff"), b"\xff")
    for size in (511, 512, 513):
        yield one_tiles_block(f"{size}_codes", tiles_payload(ESCAPES, b"e" * size), b"e" * size)
    text = TEXT * 20
    for tiles in (1, 2, 65535):
        yield one_tiles_block(f"{tiles}_tiles_a_strip", tiles_payload(ESCAPES, text, 16, tiles), text)
    raw = raw_tiles_block(TEXT)
    yield tiles_file("raw", len(TEXT), [raw], TEXT)
    several = [TEXT[i : i + 48] for i in range(0, 186, 48)]
    blocks = [
        tiles_block(tiles_payload(ESCAPES, several[0]), several[0]),
        raw_tiles_block(several[1]),
        tiles_block(tiles_payload(TileTable.of(12, True, *OTHER_TABLE.symbols), several[2]), several[2]),
        tiles_block(tiles_payload(TileTable(8, False), several[3], 32), several[3]),
    ]
    yield tiles_file("several_blocks", 48, blocks, TEXT)


def sharing() -> Iterator[ValidFile]:
    """Blocks without symbols, whose table is in a block before."""
    pieces = [TEXT[i : i + 31] for i in range(0, 186, 31)]
    for bits in (8, 10, 12):
        table = TileTable.of(bits, bits != 8, *SYMBOLS)
        other = TileTable.of(bits, bits != 8, *OTHER_TABLE.symbols)
        # A block that is stored as it is and a second table stand in between.
        payloads = [
            tiles_payload(table, pieces[0]),
            tiles_payload(table, pieces[1], dictionary_id=1),
            None,
            tiles_payload(other, pieces[3]),
            tiles_payload(table, pieces[4], dictionary_id=4),
            tiles_payload(other, pieces[5], dictionary_id=2),
        ]
        blocks = [
            raw_tiles_block(piece) if payload is None else tiles_block(payload, piece)
            for payload, piece in zip(payloads, pieces, strict=True)
        ]
        yield tiles_file(f"shared_table_{bits}_bits", 31, blocks, TEXT)


def codes() -> Iterator[ValidFile]:
    """Literal bytes, codes without output, unused classes, tables without escapes."""
    yield one_tiles_block("every_byte_literal", tiles_payload(TileTable(8, False), EVERY_BYTE), EVERY_BYTE)
    lengths = every_length_table()
    output = b"".join(lengths.symbols) * 9 + b"?"
    yield one_tiles_block(
        "every_length", tiles_payload(TileTable.of(8, False, *lengths.symbols), output), output
    )
    table = TileTable.of(8, True, b"a", b"b", b"ab", b"abba")
    output = b"abbaabababba" * 60
    yield one_tiles_block("escape_free", tiles_payload(table, output), output)
    # 511 codes, then a literal byte whose halves would stand in two strips.
    output = b"e" * 511 + b"\xe7" * 400
    yield one_tiles_block("literal_at_end_of_strip", tiles_payload(ESCAPES, output), output)
    # In one strip a pair may stand in two tiles.
    yield one_tiles_block("literal_across_tiles", tiles_payload(ESCAPES, output, 16, 2), output)
    # First halves behind each other are joined, and the last one is dropped.
    halves = [1, 2, 16 + 8, 32, 4, 32, 8]
    first = ESCAPES.code_of()
    symbol = next(data for data, code in first.items() if code == 32)
    output = bytes([0x38]) + symbol + bytes([symbol[0] | 0x40]) + symbol[1:]
    yield one_tiles_block("halves_in_other_places", TilesPayload(ESCAPES, halves, (0,), len(output)), output)
    # Class 15 of this table is not used.
    output = b"e" * 20
    code = first[b"e"]
    payload = TilesPayload(ESCAPES, [code, 255, code, 255] * 10, (0,), len(output))
    yield one_tiles_block("unused_class", payload, output)


def valid_tiles() -> list[ValidFile]:
    """Every valid file of format tiles, in the order of the list."""
    return [*every_shape(), *sizes(), *sharing(), *codes()]
