"""The committed golden files are what make_golden.py writes."""

from __future__ import annotations

from pathlib import Path

import pytest
from format_writer import Layout, SymbolTable, deal, deal_coalesced, interleave
from make_golden import FOLDER, FOLDERS, golden_files
from xxh64 import xxh64


@pytest.fixture(scope="module")
def written() -> dict[str, bytes]:
    return golden_files()


def committed() -> set[str]:
    paths = (path for folder in FOLDERS for path in (FOLDER / folder).iterdir())
    lists = {"golden.json", "zero_length/golden.json"}
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
