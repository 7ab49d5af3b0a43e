"""The committed golden files are what make_golden.py writes."""

from __future__ import annotations

import json
import struct
from pathlib import Path
from random import Random
from typing import Any

import pytest
from format_writer import Layout, SymbolTable, deal, deal_coalesced, interleave
from frame_reader import Stored, stored_blocks
from make_golden import FOLDER, FOLDERS, golden_files
from tile_integer_bp import bits_of
from tile_integer_delta_nsf import summed_of
from tile_integer_dfor import encoded_deltas, sums_of
from tile_integer_dict import looked_up_of
from tile_integer_for import I8, I32, TYPES, FieldError, ValueType, packed_of, raw_output_of, values_of
from tile_integer_ifor import IFOR, interleaved_of
from tile_integer_layouts import OFOR, VFOR, one_width_of, vertical_of
from tile_integer_nsf import numbers_of
from tile_integer_nsv import filled_of
from tile_integer_rfor import encoded_runs, runs_of
from tile_integer_rle import pairs_of, short_pairs_of
from xxh64 import xxh64


@pytest.fixture(scope="module")
def written() -> dict[str, bytes]:
    return golden_files()


def committed() -> set[str]:
    paths = (path for folder in FOLDERS for path in (FOLDER / folder).iterdir())
    lists = {
        "golden.json",
        "zero_length/golden.json",
        "tile_integer/golden.json",
        "codag/golden.json",
        "parquet/golden.json",
        "values/golden.json",
    }
    return {str(path.relative_to(FOLDER)) for path in paths} | lists


def test_committed_files_are_those_of_the_script(written: dict[str, bytes]) -> None:
    assert committed() == set(written)


def test_committed_bytes_are_those_of_the_script(written: dict[str, bytes]) -> None:
    differing = [path for path, data in written.items() if (FOLDER / path).read_bytes() != data]
    assert differing == []


def test_no_two_invalid_files_are_alike(written: dict[str, bytes]) -> None:
    paths: dict[bytes, list[str]] = {}
    for path, data in written.items():
        if "invalid/" in path:
            paths.setdefault(Path(path).suffix.encode() + data, []).append(path)
    assert [same for same in paths.values() if len(same) > 1] == []


def test_no_invalid_file_is_a_valid_one(written: dict[str, bytes]) -> None:
    valid = {data: path for path, data in written.items() if path.startswith("valid/")}
    alike = [
        (path, valid[data]) for path, data in written.items() if path.startswith("invalid/") and data in valid
    ]
    # No bytes at all are a valid fsst file, not a frame.
    assert alike == [("invalid/no_bytes.gsst", "valid/fsst_empty.fsst")]


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"", 0xEF46DB3751D8E999),
        (b"abc", 0x44BC2CF5AD770999),
        (b"Nobody inspects the spammish repetition", 0xFBCEA83C8A378BF1),
    ],
)
def test_xxh64_of_published_examples(data: bytes, expected: int) -> None:
    assert xxh64(data) == expected


def test_first_splits_take_the_codes_that_remain() -> None:
    assert deal(bytes(range(8)), 3) == [b"\0\1\2", b"\3\4\5", b"\6\7"]


def test_code_x_of_split_s_is_stored_at_s_plus_x_times_n() -> None:
    assert interleave([b"abc", b"def", b"gh"]) == b"adgbehcf"


def test_split_that_starts_with_an_escaped_byte_has_its_highest_bit_set() -> None:
    payload = deal_coalesced(SymbolTable(), b"\xff\xff\xff\xff", 4, Layout.NARROW)
    assert payload.locations == (0, 0 | 1 << 23, 1, 1 | 1 << 23)


# By the number of the format.
READERS = {
    32: values_of,
    33: sums_of,
    34: runs_of,
    35: interleaved_of,
    36: vertical_of,
    37: one_width_of,
    40: numbers_of,
    41: bits_of,
    42: pairs_of,
    43: short_pairs_of,
    44: filled_of,
    45: looked_up_of,
    46: summed_of,
}


def output_of(block: Stored) -> bytes:
    """What a block of integers by tile decodes to."""
    if block.layout == Layout.RAW:
        return raw_output_of(block.payload, block.uncompressed_bytes)
    return READERS[block.format_id](block.payload, block.uncompressed_bytes).output()


def integer_blocks(data: bytes) -> list[Stored]:
    """The blocks of a frame of integers by tile."""
    return stored_blocks(data, 16)


def listed(folder: str) -> list[Any]:
    """The entries of the list of integers by tile."""
    return json.loads((FOLDER / "tile_integer/golden.json").read_text())[folder]


def test_reader_of_integers_gives_back_every_valid_file(written: dict[str, bytes]) -> None:
    for entry in listed("valid"):
        output = b""
        for block in integer_blocks(written[f"tile_integer/{entry['file']}"]):
            assert xxh64(output_of(block)) == block.checksum, entry["file"]
            output += output_of(block)
        assert (len(output), f"{xxh64(output):016x}") == (entry["size"], entry["xxh64"]), entry["file"]


def test_reader_of_integers_refuses_every_invalid_file(written: dict[str, bytes]) -> None:
    for entry in listed("invalid"):
        for i, block in enumerate(integer_blocks(written[f"tile_integer/{entry['file']}"])):
            if i != entry["block"]:
                assert xxh64(output_of(block)) == block.checksum
                continue
            with pytest.raises(FieldError) as error:
                output_of(block)
            assert error.value.field == entry["field"], entry["file"]


def test_invalid_files_of_integers_name_only_known_fields() -> None:
    assert {entry["field"] for entry in listed("invalid")} == {
        "type",
        "bytes of a value",
        "bytes of a number",
        "bytes of a length",
        "bytes of a code",
        "base",
        "number of entries",
        "reserved",
        "largest packed block",
        "largest run block",
        "largest interleaved block",
        "largest vertical block",
        "number of values",
        "number of runs",
        "lengths of runs",
        "codes",
        "starts",
        "widths",
        "lengths",
        "payload bytes",
        "padding",
    }


@pytest.mark.parametrize("kind", TYPES, ids=lambda kind: kind.name)
@pytest.mark.parametrize("size", [0, 1, 7, 8, 100, 1023, 1024, 1025, 2100])
def test_reader_of_integers_accepts_what_the_writer_makes(kind: ValueType, size: int) -> None:
    for seed, mask in enumerate((0, 1, 0x0F, 0xFF)):
        block = bytes(byte & mask for byte in Random(seed).randbytes(size))
        deltas = bytes(encoded_deltas(block, kind).written().data)
        runs = bytes(encoded_runs(block, kind).written().data)
        for decoded in (
            values_of(packed_of(block, kind), size),
            sums_of(deltas, size),
            runs_of(runs, size),
            interleaved_of(IFOR.packed_of(block, kind), size),
            vertical_of(VFOR.packed_of(block, kind), size),
            one_width_of(OFOR.packed_of(block, kind), size),
        ):
            assert decoded.kind == kind
            assert decoded.output() == block


def test_packed_block_is_as_the_format_page_says() -> None:
    # Differences 0 to 3 in two bits each, the lowest first: 0b11100100 in every byte.
    payload = packed_of(I32.store([-2 + i % 4 for i in range(32)]), I32)
    header = struct.pack("<4I", I32.number, 4, 32, 0)
    packed = struct.pack("<iI2I", -2, 2, 0xE4E4E4E4, 0xE4E4E4E4)
    assert payload == header + struct.pack("<2I", 6, 10) + packed


def test_interleaved_block_is_as_the_format_page_says() -> None:
    # Lane 0 has the values 0 to 3, lane 1 the values 4 to 7; values 128 to 131 are numbers 4 to 7 of lane 0.
    values = [0, 1, 2, 3, 3, 3, 0, 1, *[0] * 120, 1, 0, 2, 2]
    payload = IFOR.packed_of(I32.store(values), I32)
    header = struct.pack("<4I", I32.number, 65, len(values), 0)
    first = struct.pack("<2I", 0xA1E4, 0x4F) + bytes(4 * 30)
    assert payload == header + struct.pack("<2Ii", 6, 71, 0) + first + bytes(4 * 32 + 4 + 8)


def test_vertical_block_is_as_the_format_page_says() -> None:
    # Lane 0 has the values 0 and 128, lane 1 the values 1 and 129.
    payload = VFOR.packed_of(I32.store([0, 1, 2, *[0] * 125, 1, 3]), I32)
    header = struct.pack("<4I", I32.number, 257, 130, 0)
    first = struct.pack("<3I", 0b0100, 0b1101, 0b0010) + bytes(4 * 125)
    assert payload == header + struct.pack("<2Ii", 6, 263, 0) + first + bytes(4 * 128 + 12)


def test_packed_block_of_one_width_is_as_the_format_page_says() -> None:
    # The second miniblock needs a bit more than the first one, which takes it too.
    payload = OFOR.packed_of(I32.store([-2, -1, *[-2] * 31, 1]), I32)
    header = struct.pack("<4I", I32.number, 10, 34, 0)
    packed = struct.pack("<iI8I", -2, 0x02020202, 4, 0, 12, 0, 0, 0, 0, 0)
    assert payload == header + struct.pack("<2I", 6, 16) + packed + bytes(8)


def test_chain_is_as_the_format_page_says() -> None:
    # Differences -2 and -1 in turn, after a first one that is the reference, -2, too.
    payload = encoded_deltas(I8.store([100 - (3 * i + 1) // 2 for i in range(32)]), I8).written().data
    header = struct.pack("<4I", I8.number, 4, 32, 0)
    packed = struct.pack("<iiII", 102, -2, 1, 0x55555554)
    assert payload == header + struct.pack("<2I", 6, 10) + packed
    # A value alone is the base, and no entry is left over for padding.
    payload = encoded_deltas(I8.store([-7]), I8).written().data
    assert payload == struct.pack("<4I2IiiI", I8.number, 3, 1, 0, 6, 9, -7, 0, 0) + bytes(4)


def test_run_block_is_as_the_format_page_says() -> None:
    # Runs of 3, 1, 2 and 2 values: 0 to 3 above -2 in two bits each, 2, 0, 1 and 1 above 1.
    values = [-2, -2, -2, -1, 0, 0, 1, 1]
    payload = encoded_runs(I8.store(values), I8).written().data
    header = struct.pack("<4I", I8.number, 9, 8, 0)
    of_values = struct.pack("<iI2I", -2, 2, 0xE4, 0)
    of_lengths = struct.pack("<iI2I", 1, 2, 0x52, 0)
    assert payload == header + struct.pack("<3I", 6, 15, 4) + of_values + of_lengths + bytes(12)
    # 600 equal values are two runs, and a miniblock of one number has no bits.
    payload = encoded_runs(I32.store([7] * 600), I32).written().data
    blocks = struct.pack("<5I", 1, 7, 0, 512, 0) + struct.pack("<5I", 1, 7, 0, 88, 0)
    assert payload == struct.pack("<4I3I", I32.number, 5, 600, 0, 7, 12, 17) + blocks + bytes(4)
