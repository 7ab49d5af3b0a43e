"""Damage to frames of format tiles."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from format_writer import Block, Layout, Written
from invalid_file import Expected, InvalidFile, invalid, setting
from tiles_writer import (
    TilesPayload,
    TileTable,
    raw_tiles_block,
    tiles_block,
    tiles_frame,
    tiles_payload,
)
from valid_files import TEXT
from valid_tiles import ESCAPES, SYMBOLS

DATA = TEXT * 9
BLOCK_SIZE = 1488
WIDE_TABLE = TileTable.of(12, True, *SYMBOLS)


def pieces(table: TileTable) -> list[Block]:
    """Two blocks, the second one short."""
    halves = (DATA[:BLOCK_SIZE], DATA[BLOCK_SIZE:])
    return [tiles_block(tiles_payload(table, half), half) for half in halves]


def case(
    name: str,
    change: Callable[[Written], None],
    why: str,
    expected: str,
    table: TileTable = ESCAPES,
) -> InvalidFile:
    """A frame with a change in block 0, which has several strips."""
    blocks = pieces(table)
    change(blocks[0].payload)
    return invalid(f"tiles_{name}", tiles_frame(BLOCK_SIZE, blocks), why, Expected(expected, 0))


def wrong_headers() -> Iterator[InvalidFile]:
    """Fields of the header, one at a time."""
    for name, value in (("less", 16), ("more", 1 << 16)):
        yield case(
            f"block_size_{name}", setting("block size", value), "the record says otherwise", "block size"
        )
    yield case(
        "uncompressed_size", setting("uncompressed size", 1), "the record says otherwise", "uncompressed size"
    )
    for bits in (0, 9, 16):
        yield case(
            f"code_bits_{bits}", setting("code bits", bits), "codes have 8, 10 or 12 bits", "code bits"
        )
    for codes in (0, 20, 40):
        why = "a lane has 16, 24 or 32 codes"
        yield case(f"codes_per_lane_{codes}", setting("codes per lane", codes), why, "codes per lane")
    yield case("tiles_per_strip_0", setting("tiles per strip", 0), "a strip has a tile", "tiles per strip")
    yield case("code_count_0", setting("code count", 0), "a block has codes", "code count")
    most = (1 << 32) - 1
    yield case("code_count_largest", setting("code count", most), "more than two codes a byte", "code count")
    yield case("escape_free_2", setting("escape-free flag", 2), "a flag is 0 or 1", "escape-free flag")
    why = "12-bit tables hold every byte"
    yield case("12_bits_with_escapes", setting("escape-free flag", 0), why, "escape-free flag", WIDE_TABLE)
    yield case("12_bits_class_0", setting("length of class 0", 2), why, "length of class 0", WIDE_TABLE)
    yield case("reserved", setting("reserved", b"\0\0\1"), "reserved bytes are 0", "block header")
    yield case("second_reserved", setting("second reserved", 1), "reserved bytes are 0", "block header")
    why = "a table stands at most 1024 blocks before"
    yield case("dictionary_id_1025", setting("dictionary id", 1025), why, "dictionary id")
    why = "a block that shares a table stores no symbols"
    yield case("dictionary_id_with_symbols", setting("dictionary id", 1), why, "block size")
    yield case("class_0_with_length", setting("length of class 0", 1), "first halves", "length of class 0")
    yield case(
        "class_1_without_length", setting("length of class 1", 0), "second halves", "length of class 1"
    )
    yield case("class_length_9", setting("length of class 4", 9), "symbols have 8 bytes", "length of class 4")
    why = "the block is too short for its symbols"
    yield case("class_longer", setting("length of class 4", 8), why, "block size")


def wrong_tables() -> Iterator[InvalidFile]:
    """Blocks whose table is not where they say, in block 1 or 2 of three."""
    # Every table has a symbol for the first one.
    pieces_of_data = [b"e" * 700, DATA[700:1400], DATA[1400:2100]]
    other_lengths = TileTable.of(8, False, b"abc", b"defg")
    escape_free = TileTable(8, True, ((0, ()), (1, ()), *ESCAPES.classes))
    for name, first, ids, lanes, why in (
        ("before_frame", ESCAPES, (0, 2, 0), 16, "only one block stands before"),
        ("of_sharing_block", ESCAPES, (0, 1, 1), 16, "the block before holds no table"),
        ("of_other_classes", other_lengths, (0, 1, 0), 16, "the classes differ"),
        ("of_other_flag", escape_free, (0, 1, 0), 16, "the escape-free flags differ"),
        ("of_other_bits", WIDE_TABLE, (0, 1, 0), 16, "the widths differ"),
        ("of_other_lanes", ESCAPES, (0, 1, 0), 32, "the numbers of codes in a lane differ"),
    ):
        payloads = [
            replace(tiles_payload(ESCAPES if i else first, piece, 16 if i else lanes), dictionary_id=ids[i])
            for i, piece in enumerate(pieces_of_data)
        ]
        blocks = [
            tiles_block(payload, piece) for payload, piece in zip(payloads, pieces_of_data, strict=True)
        ]
        wrong = 2 if ids[2] else 1
        yield invalid(f"tiles_table_{name}", tiles_frame(700, blocks), why, Expected("dictionary id", wrong))
    sharing = tiles_payload(ESCAPES, pieces_of_data[1], dictionary_id=1)
    blocks = [raw_tiles_block(pieces_of_data[0]), tiles_block(sharing, pieces_of_data[1])]
    why = "the block before is stored as it is"
    yield invalid("tiles_table_of_raw_block", tiles_frame(700, blocks), why, Expected("dictionary id", 1))
    first = replace(tiles_payload(ESCAPES, pieces_of_data[0]), dictionary_id=1)
    blocks = [tiles_block(first, pieces_of_data[0])]
    why = "no block stands before"
    yield invalid("tiles_table_of_no_block", tiles_frame(700, blocks), why, Expected("dictionary id", 0))


def wrong_strips() -> Iterator[InvalidFile]:
    """Strip offsets that do not follow each other."""
    strips = tiles_payload(ESCAPES, DATA[:BLOCK_SIZE]).strips
    yield case("strip_0_not_0", setting("strip offset 0", 1), "the first strip starts at 0", "strip offset 0")
    behind = setting("strip offset 1", BLOCK_SIZE + 1)
    yield case("strip_behind_end", behind, "behind the end of the output", "strip offset 1")
    yield case("strip_largest", setting("strip offset 1", (1 << 32) - 1), "behind the end", "strip offset 1")
    why = "512 codes give at least 256 bytes"
    yield case("strip_too_short", setting("strip offset 1", 200), why, "strip offset 0")
    if len(strips) < 2:
        raise ValueError("the block needs two strips")


def wrong_places() -> Iterator[InvalidFile]:
    """Payloads that are cut or not padded."""
    blocks = pieces(ESCAPES)
    whole = blocks[1].payload
    for name, size, expected in (("in_header", 40, "block header"), ("in_codes", 104, "block size")):
        payload = Written(whole.data[:size], [f for f in whole.fields if f.end <= size])
        payload.set("block size", size)
        frame = tiles_frame(BLOCK_SIZE, [blocks[0], replace(blocks[1], payload=payload)])
        yield invalid(f"tiles_ends_{name}", frame, "the block ends too early", Expected(expected, 1))
    for name, block in (("block", blocks[1]), ("raw_block", raw_tiles_block(DATA[BLOCK_SIZE:]))):
        damaged = Written(bytearray(block.payload.data), block.payload.fields)
        damaged.data[-1] = 1
        frame = tiles_frame(BLOCK_SIZE, [blocks[0], replace(block, payload=damaged)])
        yield invalid(f"tiles_padding_of_{name}", frame, "padding is 0", Expected("padding", 1))
    for name, layout, expected in (
        ("narrow", Layout.NARROW, "layout"),
        ("raw", Layout.RAW, "raw block size"),
    ):
        frame = tiles_frame(BLOCK_SIZE, [blocks[0], replace(blocks[1], layout=layout)])
        yield invalid(f"tiles_said_{name}", frame, "the block is wide", Expected(expected, 1))
    longer = Written(whole.data + bytes(8), whole.fields)
    frame = tiles_frame(BLOCK_SIZE, [blocks[0], replace(blocks[1], payload=longer)])
    yield invalid(
        "tiles_not_aligned", frame, "the next block would not be aligned", Expected("payload bytes", 1)
    )


def wrong_codes() -> Iterator[InvalidFile]:
    """Codes that decode to more or fewer bytes than their strip has."""
    payload = tiles_payload(ESCAPES, DATA[:BLOCK_SIZE])
    short = ESCAPES.code_of()[b"e"]
    long = ESCAPES.code_of()[b"barrels "]
    for name, code, strip in (
        ("fewer", short, 0),
        ("fewer_in_last", short, -1),
        ("more", long, 0),
        ("more_in_last", long, -1),
    ):
        codes = list(payload.codes)
        last = len(payload.strips) - 1
        place = 0 if strip == 0 else last * 512
        codes[place] = code
        if codes == list(payload.codes):
            raise ValueError(f"{name} changes nothing")
        damaged = TilesPayload(ESCAPES, codes, payload.strips, BLOCK_SIZE)
        blocks = pieces(ESCAPES)
        blocks[0] = replace(blocks[0], payload=damaged.written())
        number = 0 if strip == 0 else last
        yield invalid(
            f"tiles_{name}_bytes_than_stated",
            tiles_frame(BLOCK_SIZE, blocks),
            "the strip has another length",
            Expected(f"codes of strip {number}", 0),
        )


def tiles_errors() -> list[InvalidFile]:
    """Every invalid file of format tiles."""
    return [*wrong_headers(), *wrong_tables(), *wrong_strips(), *wrong_places(), *wrong_codes()]
