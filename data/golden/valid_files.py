"""The files that every decoder must read, with the bytes that they must give."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from format_writer import (
    ESCAPE,
    Block,
    BlockFormat,
    ChecksumKind,
    Layout,
    Payload,
    SymbolTable,
    Written,
    deal_coalesced,
    encoded_block,
    frame_of,
    fsst_block,
    fsst_file,
    raw_block,
)
from xxh64 import xxh64

FRAME = "frame"
FSST = "fsst"

TEXT = (
    b"ship the boxes by rail; ship the barrels by sea; the boxes arrive on Monday, the barrels on Tuesday. "
    b"rail and sea meet at the harbour, and the harbour ships the boxes and the barrels on."
)
TEXT_TABLE = SymbolTable.of(
    b"the ",
    b"boxes",
    b"barrels ",
    b"ship",
    b"harbour",
    b" on",
    b"by",
    b"sea",
    b"rail",
    b"and ",
    b"e",
    b" ",
    b"a",
    b"s",
)
OTHER_TABLE = SymbolTable.of(
    b"Monday", b"Tuesday.", b"arrive", b" meet", b"day", b"th", b"e ", b"r", b"o", b"l"
)
EVERY_BYTE = bytes(range(256))
# Those that share their headers and their layouts.
FORMATS = (BlockFormat.BLOCKS, BlockFormat.SPLITS, BlockFormat.COALESCED)


@dataclass(frozen=True)
class ValidFile:
    """A valid file: `data` must decode to `output`."""

    name: str
    container: str
    data: bytes
    output: bytes


def split_counts(block_format: BlockFormat, wanted: int) -> int:
    """Format blocks has one split a block."""
    return 1 if block_format == BlockFormat.BLOCKS else wanted


def frame_file(
    name: str,
    block_format: BlockFormat,
    block_size: int,
    split_count: int,
    blocks: Sequence[Block],
    output: bytes,
) -> ValidFile:
    """A frame as a valid file."""
    frame = frame_of(block_format, block_size, split_count, blocks)
    return ValidFile(f"{name}.gsst", FRAME, bytes(frame.data), output)


def one_block(
    name: str, block_format: BlockFormat, layout: Layout, table: SymbolTable, data: bytes, split_count: int
) -> ValidFile:
    """A frame of one block."""
    count = split_counts(block_format, split_count)
    block = encoded_block(block_format, layout, table, data, count)
    return frame_file(
        f"{block_format.name.lower()}_{name}", block_format, max(len(data), 1), count, [block], data
    )


def every_length_table() -> SymbolTable:
    """Symbols of each length from 1 to 8, among them 0xFF and 0x00 bytes."""
    return SymbolTable.of(
        b"a",
        b"\xff\xff",
        b"abc",
        b"\x00\x00\x00\x00",
        b"abcde",
        b"fghijk",
        b"\xffghijkl",
        b"mnopqrst",
        b"\x00",
    )


def full_table(length: int) -> SymbolTable:
    """255 symbols of `length` bytes, no two alike."""
    return SymbolTable.of(*(bytes([i]) + bytes([i ^ 0x5A]) * (length - 1) for i in range(255)))


def frames_of_each_format() -> Iterator[ValidFile]:
    """What all three formats of a frame have in common."""
    eight = SymbolTable.of(b"ABCDEFGH", b"\xff\x00\xff\x00\xff\x00\xff\x00", b"12345678")
    eight_data = b"".join(eight.symbols[i % 3] for i in range(40))
    every_length = every_length_table()
    every_length_data = (
        b"".join(every_length.symbols) + b"\xff" + b"".join(reversed(every_length.symbols)) + b"?"
    )
    for block_format in FORMATS:
        for layout in Layout:
            name = layout.name.lower()
            yield one_block(name, block_format, layout, TEXT_TABLE, TEXT, 4)
            yield one_block(f"{name}_one_byte", block_format, layout, TEXT_TABLE, b"s", 1)
        name = block_format.name.lower()
        count = split_counts(block_format, 4)
        yield frame_file(f"{name}_empty", block_format, 1 << 16, count, [], b"")
        yield frame_file(
            f"{name}_largest_block_size",
            block_format,
            1 << 30,
            count,
            [encoded_block(block_format, Layout.NARROW, TEXT_TABLE, TEXT, count)],
            TEXT,
        )
        yield one_block("no_symbols", block_format, Layout.NARROW, SymbolTable(), TEXT[:50], 3)
        yield one_block("every_byte_escaped", block_format, Layout.NARROW, SymbolTable(), EVERY_BYTE, 7)
        yield one_block("every_byte_value", block_format, Layout.WIDE, every_length, EVERY_BYTE, 5)
        yield one_block("eight_byte_symbols", block_format, Layout.NARROW, eight, eight_data, 8)
        yield one_block(
            "every_symbol_length", block_format, Layout.NARROW, every_length, every_length_data, 3
        )
        yield one_block("255_symbols_of_1", block_format, Layout.NARROW, full_table(1), EVERY_BYTE[::-1], 2)
        full = full_table(8)
        yield one_block("255_symbols_of_8", block_format, Layout.WIDE, full, b"".join(full.symbols[::5]), 6)
        ignored = SymbolTable(TEXT_TABLE.symbols, suffix_limit=255, terminator=7)
        yield one_block("encoder_fields_ignored", block_format, Layout.NARROW, ignored, TEXT, 2)
        repeated = SymbolTable.of(b"the ", b"the ", b"boxes", b"boxes")
        yield one_block("repeated_symbols", block_format, Layout.NARROW, repeated, TEXT, 2)
        yield several_blocks(block_format)


def several_blocks(block_format: BlockFormat) -> ValidFile:
    """Blocks of each layout with their own tables, the last one short."""
    count = split_counts(block_format, 3)
    size = 40
    pieces = [TEXT[i : i + size] for i in range(0, 170, size)]
    choices = (
        (Layout.NARROW, TEXT_TABLE),
        (Layout.RAW, SymbolTable()),
        (Layout.WIDE, OTHER_TABLE),
        (Layout.NARROW, SymbolTable()),
        (Layout.NARROW, OTHER_TABLE),
    )
    blocks = [
        encoded_block(block_format, layout, table, piece, count)
        for (layout, table), piece in zip(choices, pieces, strict=True)
    ]
    name = f"{block_format.name.lower()}_several_blocks"
    return frame_file(name, block_format, size, count, blocks, b"".join(pieces))


def frames_with_splits() -> Iterator[ValidFile]:
    """Numbers of splits, and splits that are short or empty."""
    for block_format in (BlockFormat.SPLITS, BlockFormat.COALESCED):
        for data, name in (
            (b"s", "one_byte"),
            (b"\xff", "one_escaped_byte"),
            (b"the sea ", "more_splits_than_bytes"),
        ):
            yield one_block(f"{name}_9_splits", block_format, Layout.NARROW, TEXT_TABLE, data, 9)
        yield one_block("last_splits_empty", block_format, Layout.NARROW, SymbolTable(), TEXT[:10], 6)
        yield one_block("255_splits", block_format, Layout.NARROW, TEXT_TABLE, TEXT * 2, 255)
        yield one_block("256_splits", block_format, Layout.WIDE, TEXT_TABLE, TEXT * 2, 256)
        yield one_block("1_split", block_format, Layout.NARROW, TEXT_TABLE, TEXT, 1)
        raw = raw_block(TEXT)
        name = f"{block_format.name.lower()}_raw_65536_splits"
        yield frame_file(name, block_format, len(TEXT), 65536, [raw], TEXT)


def checksum_tree(name: str, layouts: Sequence[Layout], size: int, data: bytes) -> ValidFile:
    """A frame with blocks of `size` bytes and the checksum kind 2."""
    kind = ChecksumKind.TREE
    pieces = [data[i : i + size] for i in range(0, len(data), size)]
    blocks = [
        replace(encoded_block(BlockFormat.SPLITS, layout, TEXT_TABLE, piece, 3), checksum=kind.of(piece))
        for layout, piece in zip(layouts, pieces, strict=True)
    ]
    frame = frame_of(BlockFormat.SPLITS, size, 3, blocks, kind)
    return ValidFile(f"splits_checksum_tree_{name}.gsst", FRAME, bytes(frame.data), data)


def checksum_trees() -> Iterator[ValidFile]:
    """Blocks and an index of one piece of 4096 bytes, of several, and no block at all."""
    yield checksum_tree("empty", (), 1, b"")
    yield checksum_tree("small_blocks", (Layout.NARROW, Layout.RAW, Layout.WIDE), 70, TEXT[:170])
    text = TEXT * 80
    yield checksum_tree("pieces", (Layout.NARROW, Layout.RAW), 8193, text[: 8193 + 4096])
    yield checksum_tree("long_index", (Layout.RAW,) * 110, 1, text[:110])


def runs_of_0xff(lengths: Sequence[int], block_size: int) -> Iterator[bytes]:
    """A piece of `block_size` bytes for each length: letters, a run of 0xFF of that length, letters."""
    for i, length in enumerate(lengths):
        before = (i * 7) % (block_size - length + 1)
        yield b"e" * before + b"\xff" * length + b"a" * (block_size - length - before)


def coalesced_runs(name: str, split_count: int, layout: Layout, table: SymbolTable) -> ValidFile:
    """Runs of 0xFF whose escapes and escaped bytes meet the borders of splits in every way."""
    size = 48
    pieces = list(runs_of_0xff((1, 2, 3, 4, 5, 8, 15, 16, 17, 31, 32, 33, 46, 47, 48), size))
    blocks = [encoded_block(BlockFormat.COALESCED, layout, table, piece, split_count) for piece in pieces]
    return frame_file(
        f"coalesced_0xff_runs_{name}", BlockFormat.COALESCED, size, split_count, blocks, b"".join(pieces)
    )


def coalesced_block(table: SymbolTable, codes: bytes, output: bytes, split_count: int) -> Block:
    """A coalesced block of codes that no greedy encoder would write."""
    payload = deal_coalesced(table, codes, split_count, Layout.NARROW)
    written = payload.written(BlockFormat.COALESCED, Layout.NARROW)
    return Block(Layout.NARROW, written, len(output), xxh64(output))


def coalesced_borders() -> Iterator[ValidFile]:
    """Escapes and their bytes on both sides of a border between splits."""
    table = SymbolTable.of(b"e", b"a")
    for split_count in (2, 3, 32, 255):
        yield coalesced_runs(f"{split_count}_splits", split_count, Layout.NARROW, table)
    yield coalesced_runs("256_splits", 256, Layout.WIDE, table)
    yield coalesced_runs("with_pair_symbol", 3, Layout.NARROW, SymbolTable.of(b"e", b"a", b"\xff\xff"))

    border = {
        "literal_0xff_straddles": b"\0\xff\xff\0",
        "literal_0xff_ends_at_border": b"\xff\xff\0\0",
        "literal_0xff_starts_at_border": b"\0\0\xff\xff",
        "escaped_code_straddles": b"\0\xff\0\0",
    }
    for name, codes in border.items():
        output = codes.replace(b"\xff\xff", b"X").replace(b"\xff\0", b"Y").replace(b"\0", b"e")
        output = output.replace(b"X", b"\xff").replace(b"Y", b"\0")
        block = coalesced_block(SymbolTable.of(b"e"), codes, output, 2)
        yield frame_file(f"coalesced_{name}", BlockFormat.COALESCED, len(output), 2, [block], output)

    output = b"\xff" * 6
    block = coalesced_block(SymbolTable(), b"\xff" * 12, output, 12)
    yield frame_file("coalesced_splits_of_one_escape", BlockFormat.COALESCED, 6, 12, [block], output)


def codes_of_no_greedy_encoder() -> Iterator[ValidFile]:
    """Codes that a decoder must take although a greedy encoder has better ones."""
    table = SymbolTable.of(b"ab", b"abab", b"a", b"b")
    codes = bytes((0, 2, 3, 1, ESCAPE, ord("a"), 3, 0))
    output = b"ab" + b"a" + b"b" + b"abab" + b"a" + b"b" + b"ab"
    for block_format, count, payload in (
        (BlockFormat.BLOCKS, 1, Payload(len(output), table, codes)),
        (BlockFormat.SPLITS, 3, Payload(12, table, codes, (0, 3, 4))),
        (BlockFormat.COALESCED, 3, deal_coalesced(table, codes, 3, Layout.NARROW)),
    ):
        written = payload.written(block_format, Layout.NARROW)
        block = Block(Layout.NARROW, written, len(output), xxh64(output))
        name = f"{block_format.name.lower()}_not_greedy"
        yield frame_file(name, block_format, len(output), count, [block], output)


def fsst_files() -> Iterator[ValidFile]:
    """Files of FSST's own format."""

    def file(name: str, blocks: Sequence[tuple[SymbolTable, bytes]]) -> ValidFile:
        stored: list[Written] = [fsst_block(table, table.encode(data)) for table, data in blocks]
        return ValidFile(
            f"fsst_{name}.fsst", FSST, bytes(fsst_file(stored).data), b"".join(d for _, d in blocks)
        )

    every_length = every_length_table()
    full = full_table(8)
    yield file("empty", [])
    yield file("one_byte", [(TEXT_TABLE, b"s")])
    yield file("one_escaped_byte", [(SymbolTable(), b"\xff")])
    yield file("text", [(TEXT_TABLE, TEXT)])
    yield file("no_symbols", [(SymbolTable(), TEXT)])
    yield file("every_byte_escaped", [(SymbolTable(), EVERY_BYTE)])
    yield file("every_byte_value", [(every_length, EVERY_BYTE)])
    yield file("every_symbol_length", [(every_length, b"".join(every_length.symbols) * 2)])
    yield file("255_symbols_of_1", [(full_table(1), EVERY_BYTE)])
    yield file("255_symbols_of_8", [(full, b"".join(full.symbols))])
    yield file("0xff_runs", [(SymbolTable.of(b"e", b"a"), b"".join(runs_of_0xff(range(1, 40), 40)))])
    yield file(
        "several_blocks",
        [(TEXT_TABLE, TEXT), (OTHER_TABLE, TEXT[:60]), (SymbolTable(), b"\xff"), (full, b"x")],
    )
    yield file("block_without_codes", [(TEXT_TABLE, b""), (TEXT_TABLE, b"sea"), (SymbolTable(), b"")])
    ignored = SymbolTable(TEXT_TABLE.symbols, suffix_limit=255, terminator=7)
    yield file("encoder_fields_ignored", [(ignored, TEXT)])


def valid_files() -> list[ValidFile]:
    """Every valid file, in the order of the list."""
    return [
        *frames_of_each_format(),
        *frames_with_splits(),
        *checksum_trees(),
        *coalesced_borders(),
        *codes_of_no_greedy_encoder(),
        *fsst_files(),
    ]
