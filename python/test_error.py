"""Wrong arguments and damaged frames give the library's code and text."""

import pickle
import re
from collections.abc import Callable
from pathlib import Path

import gsst
import pytest

ROOT = Path(__file__).resolve().parent.parent
TEXT = b"regular, unusual accounts are blithely above the quickly even packages " * 100


def refusal(call: Callable[[], object]) -> gsst.Error:
    with pytest.raises(gsst.Error) as refused:
        call()
    return refused.value


@pytest.mark.parametrize("option", ["level", "block_bytes", "splits", "threads"])
@pytest.mark.parametrize("value", [0, -1, 2**70])
def test_options_out_of_range_are_named(option: str, value: int) -> None:
    error = refusal(lambda: gsst.compress(TEXT, **{option: value}))  # type: ignore[arg-type]
    assert error.code == gsst.ErrorCode.INVALID_ARGUMENT
    assert option in str(error)


def test_the_librarys_own_limits_hold() -> None:
    assert refusal(lambda: gsst.compress(TEXT, level=10)).message == "level is 10, expected 1 to 9"
    assert refusal(lambda: gsst.decompress(TEXT, threads=5000)).code == gsst.ErrorCode.INVALID_ARGUMENT


def test_unknown_format_is_named() -> None:
    error = refusal(lambda: gsst.compress(TEXT, format="gzip"))  # type: ignore[arg-type]
    assert str(error).startswith("format is 'gzip', expected one of blocks, splits")


def test_frames_that_are_none_cut_off_or_damaged_are_told_apart() -> None:
    frame = gsst.compress(TEXT)
    assert refusal(lambda: gsst.decompress(TEXT)).code == gsst.ErrorCode.WRONG_FORMAT
    assert refusal(lambda: gsst.inspect(b"")).code == gsst.ErrorCode.WRONG_FORMAT
    assert refusal(lambda: gsst.decompress(frame, format="splits")).code == gsst.ErrorCode.WRONG_FORMAT
    assert refusal(lambda: gsst.decompress(frame[:-1])).code == gsst.ErrorCode.DAMAGED
    raw = bytearray(gsst.compress(bytes(range(256)), format="blocks"))
    raw[gsst.Frame(raw).block(0).compressed_offset] ^= 1
    error = refusal(lambda: gsst.decompress(raw))
    assert error.code == gsst.ErrorCode.WRONG_CHECKSUM
    assert str(error).startswith("block 0: checksum")
    assert len(gsst.decompress(raw, verify=False)) == 256


@pytest.mark.parametrize("place", [(len(TEXT), 1), (0, len(TEXT) + 1), (2**64 - 1, 2), (5, 2**64 - 1)])
def test_ranges_outside_of_the_frame_are_named(place: tuple[int, int]) -> None:
    frame = gsst.compress(TEXT)
    error = refusal(lambda: gsst.decompress_ranges(frame, [(0, 1), place, (3, 4)]))
    assert error.code == gsst.ErrorCode.INVALID_ARGUMENT
    assert str(error).startswith("range 1: ")


def test_ranges_that_share_output_are_refused() -> None:
    reader = gsst.Frame(gsst.compress(TEXT))
    error = refusal(lambda: reader.decompress_ranges_into([(0, 5, 0), (9, 5, 4)], bytearray(20)))
    assert error.code == gsst.ErrorCode.OVERLAP
    with pytest.raises(TypeError):
        reader.decompress_ranges([(-1, 5)])


def test_block_that_is_not_there_is_refused() -> None:
    assert refusal(lambda: gsst.Frame(gsst.compress(TEXT)).block(1)).code == gsst.ErrorCode.INVALID_ARGUMENT


def test_codes_are_those_of_the_header() -> None:
    header = (ROOT / "include/gsst/gsst.h").read_text(encoding="utf-8")
    found = {name: int(value) for name, value in re.findall(r"GSST_ERROR_(\w+) = (\d+)", header)}
    assert found == {code.name: code.value for code in gsst.ErrorCode}


def test_errors_are_pickled_whole() -> None:
    error = refusal(lambda: gsst.decompress(TEXT))
    copy = pickle.loads(pickle.dumps(error))
    assert (copy.code, str(copy)) == (error.code, str(error))
