"""Damage to what stands around the blocks: frame header, records, index and trailer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from format_writer import (
    TRAILER_MAGIC,
    Block,
    BlockFormat,
    Layout,
    Written,
    copy_records_to_index,
    frame_end,
    frame_index,
    frame_of,
    little,
    raw_block,
    repair_header,
    repair_index,
)
from invalid_file import (
    BLOCK_SIZE,
    DATA,
    SPLITS,
    Expected,
    InvalidFile,
    base,
    blocks_of,
    file_name,
    frame_with,
    invalid,
    number,
    patched,
    replace_block,
)


def stream_truncation(field: str) -> Expected:
    """What a reader in one pass misses when the file ends inside `field`."""
    place, _, rest = field.partition("/")
    if place == "frame header":
        return Expected("frame header")
    if place == "index record":
        return Expected("record header", 2)
    if place == "index":
        return Expected("index size")
    if place == "trailer":
        return Expected("trailer")
    block = int(place.removeprefix("block "))
    return Expected("record header" if rest.startswith("record/") else "payload bytes", block)


def truncated_frames() -> Iterator[InvalidFile]:
    """The file ends inside each field."""
    whole = base()
    for field in whole.fields:
        if field.name.startswith(("block 0/", "index/entry 0/")):
            continue
        cut = field.start + (field.end - field.start) // 2
        if cut < 40:
            expected = Expected("frame header")
        elif cut < 40 + 24 + 16 + 24:
            expected = Expected("frame")
        else:
            expected = Expected("trailer magic")
        yield invalid(
            f"truncated_in_{file_name(field.name)}",
            bytes(whole.data[:cut]),
            f"the file ends inside the field '{field.name}'",
            expected,
            stream_truncation(field.name),
        )
    yield invalid("no_bytes", b"", "not even a frame header", Expected("frame header"))
    yield invalid(
        "only_frame_header",
        bytes(whole.data[:40]),
        "nothing follows the header",
        Expected("frame"),
        Expected("record header", 0),
    )


def wrong_frame_headers() -> Iterator[InvalidFile]:
    """Each field of the frame header."""

    def case(name: str, field: str, value: int | bytes, why: str, expected: str) -> InvalidFile:
        frame = patched(base(), f"frame header/{field}", value, repair_header)
        return invalid(f"header_{name}", frame, why, Expected(expected))

    yield case("magic", "magic", b"\x89GSST\n\x1a\0", "line ends were changed in the magic", "magic")
    yield case("version_0", "frame version", 0, "version 0 does not exist", "frame version")
    yield case("version_2", "frame version", 2, "version 2 does not exist yet", "frame version")
    yield case("flags", "flags", 1, "no flag is defined", "flags")
    yield case("format_id_0", "format id", 0, "fsst blocks have no frame", "format id")
    yield case("format_id_5", "format id", 5, "format 5 does not exist yet", "format id")
    yield case("format_id_257", "format id", 257, "the format id has two bytes", "format id")
    yield case("checksum_kind_0", "checksum kind", 0, "a frame always has checksums", "checksum kind")
    yield case("checksum_kind_3", "checksum kind", 3, "checksum 3 does not exist yet", "checksum kind")
    yield invalid(
        "header_checksum_kind_of_other_frame",
        patched(base(), "frame header/checksum kind", 2, repair_header),
        "checksums of kind 1 are no trees",
        Expected("index checksum"),
        Expected("checksum", 0),
    )
    yield case("reserved", "reserved", b"\0\0\1", "reserved bytes are 0", "frame header")
    yield case("second_reserved", "second reserved", b"\0\0\0\x80", "reserved bytes are 0", "frame header")
    yield case("block_size_0", "block size", 0, "blocks are not empty", "block size")
    yield case(
        "block_size_above_1_gib", "block size", (1 << 30) + 1, "a block has at most 2^30 bytes", "block size"
    )
    yield case("block_size_2_63", "block size", 1 << 63, "a block has at most 2^30 bytes", "block size")
    yield case("splits_0", "splits per block", 0, "there is at least one split", "splits per block")
    yield case(
        "splits_65537", "splits per block", 65537, "there are at most 65536 splits", "splits per block"
    )
    yield case(
        "splits_2_32", "splits per block", (1 << 32) - 1, "there are at most 65536 splits", "splits per block"
    )
    frame = patched(base(BlockFormat.BLOCKS), "frame header/splits per block", 2, repair_header)
    yield invalid(
        "header_blocks_with_splits", frame, "format blocks has no splits", Expected("splits per block")
    )
    frame = base()
    frame.set("frame header/checksum", number(frame, "frame header/checksum") ^ 1)
    yield invalid(
        "header_checksum", frame, "one bit of the header's checksum", Expected("frame header checksum")
    )
    frame = patched(base(), "frame header/block size", BLOCK_SIZE + 1)
    yield invalid(
        "header_block_size_changed", frame, "the checksum is of 64", Expected("frame header checksum")
    )


def wrong_records() -> Iterator[InvalidFile]:
    """Each field of a block's record, repeated in the index with a right checksum."""

    def case(name: str, field: str, value: int | bytes, why: str, expected: str) -> InvalidFile:
        frame = patched(base(), f"block 1/record/{field}", value, copy_records_to_index)
        return invalid(f"record_{name}", frame, why, Expected(expected, 1))

    whole = base()
    largest = 12 + 4 * SPLITS + 2057 + 2 * (len(DATA) - BLOCK_SIZE)
    yield case("kind_0", "record kind", 0, "there is no record kind 0", "record kind")
    yield case("kind_3", "record kind", 3, "record kind 3 does not exist yet", "record kind")
    yield case("layout_3", "layout", 3, "there are three layouts", "layout")
    yield case("reserved", "reserved", b"\0\0\0\0\0\1", "reserved bytes are 0", "record header")
    yield case("payload_too_large", "payload bytes", largest + 1, "more than all escapes", "payload bytes")
    yield case("payload_2_32", "payload bytes", (1 << 32) - 1, "more than all escapes", "payload bytes")
    yield case(
        "uncompressed_0", "uncompressed bytes", 0, "an empty block is not stored", "uncompressed bytes"
    )
    yield case("uncompressed_65", "uncompressed bytes", 65, "more than the block size", "uncompressed bytes")
    yield case(
        "uncompressed_2_32", "uncompressed bytes", (1 << 32) - 1, "above the block size", "uncompressed bytes"
    )
    checksum = number(whole, "block 1/record/checksum")
    yield case("checksum", "checksum", checksum ^ (1 << 63), "one bit of the block's checksum", "checksum")
    frame = patched(base(), "block 0/record/checksum", checksum, copy_records_to_index)
    yield invalid("record_checksum_of_other_block", frame, "that of block 1", Expected("checksum", 0))

    shorter = replace_block(0, raw_block(DATA[: BLOCK_SIZE - 1]))
    yield invalid(
        "record_block_before_last_short",
        shorter,
        "only the last block may be shorter",
        Expected("uncompressed bytes", 0),
    )
    for name, value in (("one_less", -1), ("one_more", 1)):
        frame = base()
        frame.set("block 1/record/payload bytes", number(frame, "block 1/record/payload bytes") + value)
        yield invalid(
            f"record_payload_{name}",
            frame,
            "the block size field and the index say otherwise",
            Expected("index entry", 1),
            Expected("block size", 1),
        )
    frame = patched(base(), "block 1/record/checksum", checksum ^ 1)
    yield invalid(
        "record_checksum_not_that_of_index",
        frame,
        "one bit of the block's checksum, but not in the index",
        Expected("index entry", 1),
        Expected("checksum", 1),
    )


def wrong_index_records() -> Iterator[InvalidFile]:
    """Each field of the index record."""
    whole = base()

    def case(
        name: str,
        field: str,
        value: int | bytes,
        why: str,
        expected: Expected,
        stream: Expected | None = None,
    ) -> InvalidFile:
        return invalid(
            f"index_record_{name}", patched(base(), f"index record/{field}", value), why, expected, stream
        )

    size = number(whole, "index record/payload bytes")
    checksum = number(whole, "index record/checksum")
    yield case(
        "kind_3", "record kind", 3, "unknown kind", Expected("index record kind"), Expected("record kind", 2)
    )
    yield case("layout", "layout", 1, "an index has no layout", Expected("index record layout"))
    yield case(
        "reserved",
        "reserved",
        b"\1\0\0\0\0\0",
        "reserved bytes are 0",
        Expected("record header"),
    )
    for change in (-1, 1, 40):
        name = f"size_{'less' if change < 0 else 'more'}_{abs(change)}"
        yield case(
            name, "payload bytes", size + change, f"the index has {size} bytes", Expected("index size")
        )
    yield case(
        "size_less_40",
        "payload bytes",
        size - 40,
        "a whole entry less: a reader in one pass cannot tell but by the checksum",
        Expected("index size"),
        Expected("index checksum"),
    )
    yield case("size_0", "payload bytes", 0, "an index has totals", Expected("index size"))
    yield case("size_2_32", "payload bytes", (1 << 32) - 1, "longer than the file", Expected("index size"))
    yield case(
        "uncompressed",
        "uncompressed bytes",
        1,
        "an index has no output",
        Expected("index record uncompressed bytes"),
    )
    yield case(
        "checksum", "checksum", checksum ^ 1, "one bit of the index's checksum", Expected("index checksum")
    )


def wrong_index_entries() -> Iterator[InvalidFile]:
    """Each field of an entry and the totals, under a right checksum of the index."""

    def case(
        name: str,
        field: str,
        value: int | bytes,
        why: str,
        expected: Expected,
        stream: Expected | None = None,
    ) -> InvalidFile:
        return invalid(
            f"index_{name}", patched(base(), f"index/{field}", value, repair_index), why, expected, stream
        )

    whole = base()

    def changed(field: str, by: int) -> int:
        return number(whole, f"index/{field}") + by

    for field in ("payload offset", "uncompressed offset"):
        for name, by in (("less", -1), ("more", 1)):
            yield case(
                f"{file_name(field)}_{name}",
                f"entry 1/{field}",
                changed(f"entry 1/{field}", by),
                "one byte off",
                Expected(f"index entry {field}", 1),
            )
    yield case(
        "payload_offset_2_64", "entry 0/payload offset", (1 << 64) - 1, "wraps", Expected("payload offset", 0)
    )
    yield case("kind_index", "entry 1/record kind", 2, "an index lists no index", Expected("index entry", 1))
    yield case("kind_3", "entry 1/record kind", 3, "unknown kind", Expected("record kind", 1))
    yield case("layout_3", "entry 1/layout", 3, "unknown layout", Expected("layout", 1))
    yield case("layout_wide", "entry 1/layout", 2, "the record says narrow", Expected("index entry", 1))
    yield case(
        "reserved", "entry 1/reserved", b"\0\1\0\0\0\0", "reserved bytes are 0", Expected("record header", 1)
    )
    yield case(
        "payload_bytes_last",
        "entry 1/payload bytes",
        changed("entry 1/payload bytes", 1),
        "one byte more than the record says",
        Expected("index entry", 1),
    )
    yield case(
        "payload_bytes_first",
        "entry 0/payload bytes",
        changed("entry 0/payload bytes", -1),
        "one byte less than the record says, so that the next entry has a gap",
        Expected("index entry payload offset", 1),
    )
    yield case(
        "uncompressed_bytes_first",
        "entry 0/uncompressed bytes",
        BLOCK_SIZE - 1,
        "only the last block is shorter",
        Expected("uncompressed bytes", 0),
    )
    yield case(
        "uncompressed_bytes_0",
        "entry 1/uncompressed bytes",
        0,
        "no block is empty",
        Expected("uncompressed", 1),
    )
    yield case(
        "uncompressed_bytes_last",
        "entry 1/uncompressed bytes",
        changed("entry 1/uncompressed bytes", -1),
        "one byte less than the record says",
        Expected("index uncompressed bytes"),
    )
    yield case(
        "checksum",
        "entry 1/checksum",
        changed("entry 1/checksum", 0) ^ 1,
        "the record says otherwise",
        Expected("index entry", 1),
    )
    for field, expected in (
        ("number of blocks", "index block count"),
        ("uncompressed bytes", "index uncompressed bytes"),
    ):
        for name, by in (("less", -1), ("more", 1)):
            yield case(
                f"total_{file_name(field)}_{name}",
                field,
                changed(field, by),
                "off by one",
                Expected(expected),
            )
    yield case(
        "total_blocks_2_64", "number of blocks", (1 << 64) - 1, "2^64 - 1", Expected("index block count")
    )


def frame_with_index(blocks: Sequence[Block], listed: Sequence[Block]) -> Written:
    """A frame whose index lists other blocks than it has."""
    frame = frame_with(BlockFormat.SPLITS, blocks)
    start = frame.find("index record/record kind").start
    cut = Written(frame.data[:start], [f for f in frame.fields if f.end <= start])
    frame_end(cut, frame_index(listed))
    return cut


def wrong_indexes() -> Iterator[InvalidFile]:
    """An index with other entries than blocks, or of an impossible size."""
    blocks = blocks_of(BlockFormat.SPLITS, Layout.NARROW)
    first, last = blocks
    yield invalid(
        "index_last_block_missing",
        frame_with_index(blocks, [first]),
        "two blocks, one entry",
        Expected("index end of blocks"),
        Expected("index block count"),
    )
    yield invalid(
        "index_lists_no_block",
        frame_with_index(blocks, []),
        "two blocks, no entry",
        Expected("index end of blocks"),
        Expected("index block count"),
    )
    yield invalid(
        "index_block_too_many",
        frame_with_index([first, first], [first, first, last]),
        "two blocks, three entries",
        Expected("index entry payload offset", 2),
        Expected("index block count"),
    )
    yield invalid(
        "index_of_no_blocks_with_entry",
        frame_with_index([], [last]),
        "no block, one entry",
        Expected("index entry payload offset", 0),
        Expected("index block count"),
    )
    one, other = (raw_block(DATA[start : start + BLOCK_SIZE]) for start in (0, 1))
    yield invalid(
        "index_entries_swapped",
        frame_with_index([one, other], [other, one]),
        "the entries' order is not the blocks'",
        Expected("index entry", 0),
    )
    frame = frame_with(BlockFormat.SPLITS, blocks)
    index = frame_index(blocks)
    index.add("one more byte", b"\0")
    start = frame.find("index record/record kind").start
    odd = Written(frame.data[:start], [])
    frame_end(odd, index)
    yield invalid(
        "index_odd_size", odd, "not entries of 40 bytes and 16 bytes of totals", Expected("index size")
    )
    short = Written(frame.data[:start], [])
    totals = Written()
    totals.add("half of the totals", little(2, 8))
    frame_end(short, totals)
    yield invalid("index_without_totals", short, "8 bytes cannot hold the totals", Expected("index size"))


def wrong_trailers() -> Iterator[InvalidFile]:
    """Each field of the trailer, and bytes behind it."""
    whole = base()

    def case(name: str, field: str, value: int | bytes, expected: str, why: str) -> InvalidFile:
        frame = patched(base(), f"trailer/{field}", value)
        return invalid(f"trailer_{name}", frame, why, Expected(expected), Expected("trailer"))

    frame_bytes = number(whole, "trailer/frame bytes")
    index_bytes = number(whole, "trailer/index bytes")
    yield case("frame_bytes_less", "frame bytes", frame_bytes - 1, "trailer frame bytes", "one byte less")
    yield case("frame_bytes_more", "frame bytes", frame_bytes + 1, "trailer frame bytes", "one byte more")
    yield case("index_bytes_0", "index bytes", 0, "trailer index bytes", "an index has a record header")
    yield case("index_bytes_23", "index bytes", 23, "trailer index bytes", "less than a record header")
    yield case("index_bytes_2_63", "index bytes", 1 << 63, "trailer index bytes", "longer than the frame")
    yield case(
        "index_bytes_2_64", "index bytes", (1 << 64) - 1, "trailer index bytes", "longer than the frame"
    )
    yield case(
        "index_bytes_too_long", "index bytes", frame_bytes - 63, "trailer index bytes", "overlaps the header"
    )
    yield case(
        "index_bytes_of_all_blocks", "index bytes", frame_bytes - 64, "index record kind", "starts at block 0"
    )
    yield case(
        "index_bytes_less", "index bytes", index_bytes - 1, "index record kind", "starts one byte late"
    )
    yield case(
        "index_bytes_more", "index bytes", index_bytes + 1, "index record kind", "starts one byte early"
    )
    yield case("magic", "magic", TRAILER_MAGIC[::-1], "trailer magic", "the magic's bytes in reverse")
    for name, more in (
        ("one_byte", b"\0"),
        ("newline", b"\n"),
        ("empty_frame", bytes(frame_of(BlockFormat.BLOCKS, 1, 1, []).data)),
        ("same_frame", bytes(whole.data)),
    ):
        expected = "trailer frame bytes" if "frame" in name else "trailer magic"
        yield invalid(
            f"trailing_{name}",
            bytes(whole.data) + more,
            "a file holds one frame and nothing behind it",
            Expected(expected),
            Expected("trail"),
        )
