"""Codes that break a rule, under headers that are right: only decoding shows it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from format_writer import Block, BlockFormat, Layout, Payload, SymbolTable, deal_coalesced, frame_of
from invalid_file import LAYOUTS, MISSING_CODE, Expected, InvalidFile, invalid, whole_block
from xxh64 import xxh64


def wrong_codes() -> Iterator[InvalidFile]:
    """Codes that a header cannot show to be wrong."""
    a = SymbolTable.of(b"a", b"bc")  # Code 0 is "bc", code 1 is "a".
    missing = bytes((MISSING_CODE,))
    blocks = BlockFormat.BLOCKS
    splits = BlockFormat.SPLITS
    codes = Expected("code", 0)
    # The other codes give the whole size, so that nothing but the code itself is wrong.
    for name, size, content in (
        ("first_code", 3, missing + b"\1\1\1"),
        ("last_code", 3, b"\1\1\1" + missing),
        ("code_just_above_table", 3, b"\1\1\2\1"),
        ("code_after_escaped_255", 3, b"\xff\xff\1" + missing + b"\1"),
        ("code_254", 3, b"\1\1\xfe\1"),
    ):
        yield whole_block(
            f"blocks_{name}_without_symbol",
            blocks,
            Payload(size, a, content),
            "the table has two symbols",
            codes,
        )
    yield whole_block(
        "blocks_code_in_empty_table",
        blocks,
        Payload(2, SymbolTable(), b"\0\0"),
        "the table has no symbols",
        codes,
    )
    # A fast decoder takes several codes at once while there is room for their output.
    for name, content, why in (
        ("code_without_symbol", b"\0" * 10 + missing + b"\0" * 90, "a code among many has no symbol"),
        ("escape_last", b"\0" * 31 + b"\xff", "no byte follows the escape, far before the end of the output"),
    ):
        long_codes = Payload(200, a, content).written(blocks, Layout.NARROW)
        long_frame = frame_of(blocks, 200, 1, [Block(Layout.NARROW, long_codes, 200, xxh64(b"bc" * 100))])
        yield invalid(f"blocks_{name}_in_long_codes", long_frame, why, codes)
    for name, size, content in (
        ("escape_last", 4, b"\1\1\1\xff"),
        ("escape_last_and_output_full", 3, b"\1\1\1\xff"),
        ("escape_alone", 1, b"\xff"),
        ("escape_after_escaped_255", 3, b"\1\xff\xff\xff"),
    ):
        yield whole_block(
            f"blocks_{name}", blocks, Payload(size, a, content), "no byte follows the escape", codes
        )
    for name, size, content in (
        ("output_too_long", 4, b"\1\1\1\1\1"),
        ("output_too_long_in_symbol", 3, b"\0\0"),
        ("output_too_long_by_escape", 3, b"\1\1\1\xffx"),
        ("output_too_short", 4, b"\1\1\1"),
        ("output_too_short_with_escape", 4, b"\1\1\xffx"),
    ):
        yield whole_block(
            f"blocks_{name}", blocks, Payload(size, a, content), "the size is not that of the codes", codes
        )
    for split, name in enumerate(("first", "middle", "last")):
        for kind, content, why in (
            ("code_without_symbol", b"\1\1" + missing, "the table has two symbols"),
            ("escape_last", b"\1\xff", "no byte follows the escape in its split"),
            ("output_too_long", b"\0\1", "one byte more than the split's size"),
            ("output_too_short", b"\1", "one byte less than the split's size"),
        ):
            pieces = [b"\1\1"] * 3
            pieces[split] = content
            locations = tuple(len(b"".join(pieces[:i])) for i in range(3))
            yield whole_block(
                f"splits_{kind}_in_{name}_split",
                splits,
                Payload(6, a, b"".join(pieces), locations),
                why,
                Expected(f"codes of split {split}", 0),
            )
    yield whole_block(
        "splits_symbol_across_border",
        splits,
        Payload(6, a, b"\1\0\1\1\1", (0, 2, 3)),
        "a symbol starts in split 0 and ends in split 1, the sum is right",
        Expected("codes of split 0", 0),
    )
    yield whole_block(
        "splits_escape_across_border",
        splits,
        Payload(4, a, b"\1\1\xffx\1", (0, 3)),
        "the escape of split 0 stands for the first byte of split 1",
        Expected("codes of split 0", 0),
    )


def wrong_coalesced_codes() -> Iterator[InvalidFile]:
    """Escape bits that do not fit the codes, and what the codes of a split give."""
    table = SymbolTable.of(b"a", b"bc")
    for layout in LAYOUTS:
        bit = 1 << (31 if layout == Layout.WIDE else 23)
        suffix = layout.name.lower()

        def case(
            name: str,
            codes: bytes,
            split_count: int,
            change: dict[int, int],
            why: str,
            field: str,
            layout: Layout = layout,
            suffix: str = suffix,
        ) -> InvalidFile:
            right = deal_coalesced(table, codes, split_count, layout)
            locations = tuple(change.get(i, location) for i, location in enumerate(right.locations))
            payload = replace(right, locations=locations)
            return whole_block(
                f"coalesced_{suffix}_{name}", BlockFormat.COALESCED, payload, why, Expected(field, 0), layout
            )

        ends_with_escape = b"\1\xffx\1"
        ends_with_literal_255 = b"\xff\xff\1\1"
        starts_with_literal_255 = b"\1\xff\xff\1"
        yield case(
            "bit_in_split_0", b"\1\1\1\1", 2, {0: bit}, "nothing is before split 0", "split location 0"
        )
        yield case(
            "bit_in_split_without_codes", b"\1\1", 4, {3: 2 | bit}, "split 3 has no codes", "split location 3"
        )
        yield case(
            "bit_after_symbol", b"\1\1\1\1", 2, {1: 2 | bit}, "split 0 ends with a symbol", "split location 1"
        )
        yield case(
            "bit_after_literal_0xff",
            ends_with_literal_255,
            2,
            {1: 1 | bit},
            "the 255 at the end of split 0 is itself escaped",
            "split 0",
        )
        yield case("bit_missing", ends_with_escape, 2, {1: 1}, "split 0 ends with an escape", "split 0")
        yield case(
            "bit_missing_before_0xff",
            starts_with_literal_255,
            2,
            {1: 1},
            "split 0 ends with an escape",
            "split 0",
        )
        yield whole_block(
            f"coalesced_{suffix}_escape_last",
            BlockFormat.COALESCED,
            Payload(3, table, b"\1\1\1\xff", (0, 2)),
            "no byte follows the escape at the block's end",
            Expected("codes of split 1", 0),
            layout,
        )
        yield whole_block(
            f"coalesced_{suffix}_escape_last_before_empty_splits",
            BlockFormat.COALESCED,
            Payload(1, table, b"\1\xff", (0, 1, 1, 1)),
            "no byte follows the escape, only splits without codes",
            Expected("codes of split 1", 0),
            layout,
        )
        yield case(
            "location_one_less",
            b"\1\1\1\1",
            2,
            {1: 1},
            "split 0 gives two bytes, not one",
            "codes of split 0",
        )
        yield case(
            "location_one_more",
            b"\1\1\1\1",
            2,
            {1: 3},
            "split 0 gives two bytes, not three",
            "codes of split 0",
        )
        yield whole_block(
            f"coalesced_{suffix}_code_without_symbol",
            BlockFormat.COALESCED,
            Payload(3, table, bytes((1, 1, 1, MISSING_CODE)), (0, 2)),
            "the table has two symbols",
            Expected("codes of split 1", 0),
            layout,
        )
        yield whole_block(
            f"coalesced_{suffix}_output_too_short",
            BlockFormat.COALESCED,
            Payload(5, table, b"\1\1\1\1", (0, 2)),
            "split 1 gives two bytes, not three",
            Expected("codes of split 1", 0),
            layout,
        )
        yield whole_block(
            f"coalesced_{suffix}_output_too_long",
            BlockFormat.COALESCED,
            Payload(3, table, b"\1\1\1\1", (0, 2)),
            "split 1 gives two bytes, not one",
            Expected("codes of split 1", 0),
            layout,
        )
        yield whole_block(
            f"coalesced_{suffix}_bit_in_split_without_output",
            BlockFormat.COALESCED,
            Payload(2, table, b"\0x\xff", (0, 2 | bit)),
            "split 1 is the escaped byte x, its location leaves it no output",
            Expected("codes of split 1", 0),
            layout,
        )
        yield whole_block(
            f"coalesced_{suffix}_bit_and_whole_escape",
            BlockFormat.COALESCED,
            Payload(3, table, b"\xff\1x\1", (0, 1 | bit)),
            "split 0 is an escape and its byte, both in it",
            Expected("split location 1", 0),
            layout,
        )
