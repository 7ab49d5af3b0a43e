"""Damage to the headers, the tables and the split locations of blocks, in frames that agree with it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from format_writer import (
    Block,
    BlockFormat,
    Layout,
    Payload,
    SymbolTable,
    Written,
    cut_payload,
    frame_of,
    little,
    set_block_size,
)
from invalid_file import (
    BLOCK_SIZE,
    DATA,
    LAYOUTS,
    TABLE,
    Expected,
    InvalidFile,
    block_case,
    blocks_of,
    file_name,
    frame_with,
    invalid,
    number,
    replace_block,
    setting,
    whole_block,
)
from valid_files import FORMATS, split_counts


def payload_truncations() -> Iterator[InvalidFile]:
    """A block that is shorter than its header or its table, in a frame that agrees with it."""
    for block_format in FORMATS:
        for layout in LAYOUTS:
            blocks = blocks_of(block_format, layout)
            payload = blocks[1].payload
            for field in payload.fields:
                if field.name in ("split location 1", "codes"):
                    continue
                cut = field.start + (field.end - field.start) // 2
                if field.name.startswith("table/"):
                    expected = "symbols" if field.name == "table/symbols" else "symbol table"
                else:
                    expected = "split locations" if "location" in field.name else "block header"
                cut_blocks = [blocks[0], cut_payload(blocks[1], cut)]
                yield invalid(
                    f"{block_format.name.lower()}_{layout.name.lower()}_ends_in_{file_name(field.name)}",
                    frame_with(block_format, cut_blocks),
                    f"the block ends inside the field '{field.name}'",
                    Expected(expected, 1),
                )
            codes = payload.find("codes")
            for name, size in (("no_codes", codes.start), ("too_few_codes", codes.start + 3)):
                yield invalid(
                    f"{block_format.name.lower()}_{layout.name.lower()}_{name}",
                    frame_with(block_format, [blocks[0], cut_payload(blocks[1], size)]),
                    "code bytes times 8 is less than the uncompressed size",
                    Expected("uncompressed size", 1),
                )


def resizing(layout: Layout, size: int) -> Callable[[Written], None]:
    """A change that sets the block size."""
    return lambda payload: set_block_size(payload, layout, size)


def wrong_block_headers() -> Iterator[InvalidFile]:
    """Fields that all formats of a block have."""
    for block_format in FORMATS:
        for layout in LAYOUTS:
            size = len(blocks_of(block_format, layout)[1].payload.data)
            for name, by in (("less", -1), ("more", 1)):
                yield block_case(
                    f"block_size_{name}",
                    block_format,
                    layout,
                    resizing(layout, size + by),
                    "the record says otherwise",
                    "block size",
                )
            length = len(DATA) - BLOCK_SIZE
            for name, value in (("less", length - 1), ("more", length + 1), ("2_32", (1 << 32) - 1)):
                yield block_case(
                    f"uncompressed_size_{name}",
                    block_format,
                    layout,
                    setting("uncompressed size", value),
                    "the record says otherwise",
                    "uncompressed size",
                )
        yield from impossible_sizes(block_format)
    swapped = blocks_of(BlockFormat.BLOCKS, Layout.NARROW)
    swapped[1].payload.set("block size", len(swapped[1].payload.data).to_bytes(3, "little"))
    yield invalid(
        "blocks_narrow_block_size_little_endian",
        frame_with(BlockFormat.BLOCKS, swapped),
        "the narrow block size is big-endian",
        Expected("block size", 1),
    )
    for layout in LAYOUTS:
        other = Layout.WIDE if layout == Layout.NARROW else Layout.NARROW
        blocks = blocks_of(BlockFormat.BLOCKS, layout)
        blocks[1] = replace(blocks[1], layout=other)
        yield invalid(
            f"blocks_{layout.name.lower()}_said_{other.name.lower()}",
            frame_with(BlockFormat.BLOCKS, blocks),
            "the record's layout is not the block's",
            Expected("block size", 1),
        )
    for name, by in (("less", -1), ("more", 1)):
        blocks = blocks_of(BlockFormat.BLOCKS, Layout.RAW)
        blocks[1] = replace(blocks[1], uncompressed_bytes=blocks[1].uncompressed_bytes + by)
        yield invalid(
            f"raw_uncompressed_bytes_{name}",
            frame_with(BlockFormat.BLOCKS, blocks),
            "a raw block has as many bytes as it gives",
            Expected("raw block size", 1),
        )


def impossible_sizes(block_format: BlockFormat) -> Iterator[InvalidFile]:
    """Uncompressed sizes that no codes of that length have, the same in the block and its record."""
    count = split_counts(block_format, 1)
    for name, codes, size in (
        ("above_8_bytes_a_code", b"\0" * 4, 33),
        ("below_half_a_byte_a_code", b"\xff0" * 4 + b"\0", 4),
    ):
        locations = () if block_format == BlockFormat.BLOCKS else (0,)
        table = SymbolTable.of(b"8 bytes.")
        written = Payload(size, table, codes, locations).written(block_format, Layout.NARROW)
        block = Block(Layout.NARROW, written, size, 0)
        yield invalid(
            f"{block_format.name.lower()}_{name}",
            frame_of(block_format, BLOCK_SIZE, count, [block]),
            f"{len(codes)} code bytes cannot give {size} bytes",
            Expected("uncompressed size", 0),
        )


def wrong_tables() -> Iterator[InvalidFile]:
    """Each field of the symbol table."""
    table = blocks_of(BlockFormat.BLOCKS, Layout.NARROW)[1].payload
    word = number(table, "table/version word")
    histogram = table.get("table/length histogram")
    count = len(TABLE.symbols)

    def with_count(symbol_count: int) -> int:
        return word & ~(0xFF << 8) | symbol_count << 8

    cases: list[tuple[str, str, int | bytes, str, str]] = [
        (
            "table_other_byte_order",
            "version word",
            word.to_bytes(8, "big"),
            "a big-endian word",
            "version word",
        ),
        ("table_endianness_mark_2", "version word", word ^ 3, "the mark is 1", "version word"),
        ("table_next_version", "version word", word + (1 << 32), "20190219 does not exist", "version word"),
        (
            "table_zero_terminated",
            "zero-terminated flag",
            1,
            "such tables are not supported",
            "zero-terminated flag",
        ),
        ("table_zero_terminated_2", "zero-terminated flag", 2, "the flag is 0 or 1", "zero-terminated flag"),
        (
            "table_count_less",
            "version word",
            with_count(count - 1),
            "the histogram counts one more",
            "histogram",
        ),
        (
            "table_symbol_of_length_0",
            "version word",
            with_count(count + 1),
            "one symbol more than the histogram counts: it would have length 0",
            "histogram",
        ),
        ("table_count_0", "version word", with_count(0), "the histogram counts symbols", "histogram"),
        ("table_count_255", "version word", with_count(255), "the histogram counts fewer", "histogram"),
        ("table_histogram_all_255", "length histogram", b"\xff" * 8, "2040 symbols", "histogram"),
        (
            "table_histogram_adds_up_in_a_byte",
            "length histogram",
            bytes((1, 255, count, 0, 0, 0, 0, 0)),
            "the sum is right only in the lowest byte",
            "histogram",
        ),
        (
            "table_symbols_longer_than_block",
            "length histogram",
            bytes((0, 0, 0, 0, 0, 0, 0, count)),
            "the symbols of 8 bytes that it counts go beyond the block",
            "symbols",
        ),
    ]
    for name, field, value, why, expected in cases:
        yield block_case(
            name, BlockFormat.BLOCKS, Layout.NARROW, setting(f"table/{field}", value), why, expected
        )
    yield block_case(
        "table_histogram_one_more",
        BlockFormat.SPLITS,
        Layout.WIDE,
        setting("table/length histogram", bytes((histogram[0] + 1,)) + histogram[1:]),
        "the count is lower",
        "histogram",
    )

    long_symbol = SymbolTable.of(*TABLE.symbols).stored()
    long_symbol.set("version word", with_count(count + 1))
    long_symbol.add("symbol of 9 bytes", b"nine byte")
    payload = Written()
    payload.add("block size", bytes(3))
    payload.add("uncompressed size", little(1, 4))
    payload.add_all("table", long_symbol)
    payload.add("codes", b"\0")
    set_block_size(payload, Layout.NARROW, len(payload.data))
    frame = replace_block(1, Block(Layout.NARROW, payload, 1, 0), BlockFormat.BLOCKS)
    yield invalid(
        "blocks_narrow_table_symbol_of_length_9",
        frame,
        "no entry of the histogram counts a symbol of 9 bytes",
        Expected("histogram", 1),
    )


def wrong_split_headers() -> Iterator[InvalidFile]:
    """The number of splits and the split locations, in both layouts."""
    for block_format in (BlockFormat.SPLITS, BlockFormat.COALESCED):
        for layout in LAYOUTS:
            payload = blocks_of(block_format, layout)[1].payload
            codes = len(payload.get("codes"))
            limit = codes if block_format == BlockFormat.SPLITS else len(DATA) - BLOCK_SIZE
            last = number(payload, "split location 2")
            middle = number(payload, "split location 1")
            cases: list[tuple[str, str, int, str, str]] = [
                ("no_splits", "number of splits", 0, "the frame says 3", "number of splits"),
                ("fewer_splits", "number of splits", 2, "the frame says 3", "number of splits"),
                ("more_splits", "number of splits", 4, "the frame says 3", "number of splits"),
                ("255_splits", "number of splits", 255, "the frame says 3", "number of splits"),
                ("location_0_not_0", "split location 0", 1, "split 0 starts at 0", "split location 0"),
                (
                    "locations_overlap",
                    "split location 2",
                    middle - 1,
                    "before the one of split 1",
                    "split location 2",
                ),
                (
                    "locations_backward",
                    "split location 1",
                    last + 1,
                    "behind the one of split 2",
                    "split location 2",
                ),
                ("location_behind_end", "split location 2", limit + 1, "behind the end", "split location 2"),
                (
                    "location_largest",
                    "split location 2",
                    0x7FFFFF if layout == Layout.NARROW else 0x7FFFFFFF,
                    "far behind the end",
                    "split location 2",
                ),
            ]
            for name, field, value, why, expected in cases:
                yield block_case(name, block_format, layout, setting(field, value), why, expected)
    yield block_case(
        "location_largest_24_bits",
        BlockFormat.SPLITS,
        Layout.NARROW,
        setting("split location 2", 0xFFFF00),
        "far behind the end",
        "split location 2",
    )
    yield block_case(
        "split_of_no_code_bytes",
        BlockFormat.SPLITS,
        Layout.NARROW,
        setting("split location 1", 0),
        "split 0 has output but no code bytes",
        "split location 0",
    )
    codes = len(blocks_of(BlockFormat.SPLITS, Layout.NARROW)[1].payload.get("codes"))
    yield block_case(
        "last_split_of_no_code_bytes",
        BlockFormat.SPLITS,
        Layout.NARROW,
        setting("split location 2", codes),
        "split 2 has output but no code bytes",
        "split location 2",
    )
    table = SymbolTable.of(b"a", b"8 bytes.")
    yield whole_block(
        "splits_more_code_bytes_than_all_escapes",
        BlockFormat.SPLITS,
        Payload(4, table, b"\1" * 7, (0, 5, 7)),
        "split 0 has 5 code bytes for 2 bytes",
        Expected("split location 0", 0),
    )
    yield whole_block(
        "splits_codes_for_empty_split",
        BlockFormat.SPLITS,
        Payload(4, table, b"\1" * 5, (0, 2, 4)),
        "split 2 has a code but no output",
        Expected("split location 2", 0),
    )
    yield whole_block(
        "coalesced_more_than_8_bytes_a_code",
        BlockFormat.COALESCED,
        Payload(10, table, b"\0\1\1", (0, 9, 9)),
        "split 0 has one code byte for 9 bytes",
        Expected("split location 0", 0),
    )
    yield whole_block(
        "coalesced_output_without_codes",
        BlockFormat.COALESCED,
        Payload(9, table, b"\0\1", (0, 8, 8)),
        "split 2 has output but no code bytes",
        Expected("split location 2", 0),
    )
