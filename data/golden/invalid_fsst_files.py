"""Damaged files of FSST's own format."""

from __future__ import annotations

from collections.abc import Iterator

from format_writer import ESCAPE, BlockFormat, Written, frame_of, fsst_block, fsst_file
from invalid_file import DATA, MISSING_CODE, TABLE, Expected, InvalidFile, file_name, number
from valid_files import FSST


def fsst_errors() -> Iterator[InvalidFile]:
    """Files of FSST's own format; the damaged block is the second one."""

    def file(name: str, data: Written | bytes, why: str, field: str, block: int = 1) -> InvalidFile:
        content = bytes(data.data) if isinstance(data, Written) else data
        expected = Expected(field, block)
        return InvalidFile(f"fsst_{name}.fsst", FSST, content, why, expected, expected)

    def two_blocks() -> Written:
        return fsst_file([fsst_block(TABLE, TABLE.encode(DATA)), fsst_block(TABLE, TABLE.encode(DATA))])

    whole = two_blocks()
    for field in whole.fields:
        if field.name.startswith("block 1/"):
            cut = max(
                field.start + (field.end - field.start) // 2, whole.find("block 1/block size").start + 1
            )
            yield file(
                f"truncated_in_{file_name(field.name)}",
                bytes(whole.data[:cut]),
                f"the file ends inside the field '{field.name}'",
                "block size",
            )
    yield file("truncated_last_byte", bytes(whole.data[:-1]), "one byte is missing", "block size")
    yield file("trailing_byte", bytes(whole.data) + b"\0", "one byte is no block", "block size", 2)
    yield file(
        "trailing_newlines", bytes(whole.data) + b"\n\n\n", "a block of 657,930 bytes", "block size", 2
    )
    yield file("one_byte", b"x", "one byte is no block", "block size", 0)

    for name, size in (("0", 0), ("2", 2), ("19", 19)):
        damaged = two_blocks()
        damaged.set("block 1/block size", size.to_bytes(3, "big"))
        yield file(f"block_size_{name}", damaged, "the smallest block has 20 bytes", "block size")
    damaged = two_blocks()
    damaged.set("block 1/block size", b"\xff\xff\xff")
    yield file("block_size_largest", damaged, "the file is shorter", "block size")
    for cut in (20 + 3, 20 + len(b"".join(TABLE.symbols)) - 1):
        table = bytes(whole.data[:cut])
        start = whole.find("block 0/codes").end
        yield file(
            f"block_ends_in_symbols_at_{cut}",
            bytes(whole.data[:start]) + cut.to_bytes(3, "big") + table[3:],
            "the block ends inside the symbols",
            "symbols",
        )

    word = number(whole, "block 1/table/version word")
    for name, table_field, value, why, expected in (
        ("other_byte_order", "version word", word.to_bytes(8, "big"), "a big-endian word", "version word"),
        ("previous_version", "version word", word - (1 << 32), "20190217 is another version", "version word"),
        ("zero_terminated", "zero-terminated flag", b"\1", "not supported", "zero-terminated flag"),
        (
            "zero_terminated_255",
            "zero-terminated flag",
            b"\xff",
            "the flag is 0 or 1",
            "zero-terminated flag",
        ),
        (
            "symbol_of_length_0",
            "version word",
            word + (1 << 8),
            "one symbol more than the histogram",
            "histogram",
        ),
        ("histogram_all_255", "length histogram", b"\xff" * 8, "2040 symbols", "histogram"),
    ):
        damaged = two_blocks()
        damaged.set(f"block 1/table/{table_field}", value)
        yield file(f"table_{name}", damaged, why, expected)

    first = fsst_block(TABLE, TABLE.encode(DATA))
    missing = bytes((MISSING_CODE,))
    for name, codes, why in (
        ("code_without_symbol", b"\0" + missing + b"\0", "the table has no such code"),
        ("code_just_above_table", bytes((len(TABLE.symbols),)), "the table has no such code"),
        ("escape_last", bytes((0, ESCAPE)), "no byte follows the escape"),
        ("escape_last_after_escaped_255", bytes((ESCAPE, ESCAPE, ESCAPE)), "no byte follows the third 255"),
    ):
        yield file(name, fsst_file([first, fsst_block(TABLE, codes)]), why, "code")
    yield file(
        "escape_across_blocks",
        fsst_file([fsst_block(TABLE, b"\xff"), first]),
        "an escape ends its block",
        "code",
        0,
    )
    frame = frame_of(BlockFormat.BLOCKS, 1, 1, [])
    yield file("is_a_frame", frame, "the magic of a frame is no block size", "block size", 0)
