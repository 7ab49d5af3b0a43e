"""Round trips and ranges through the package, compared with the input."""

import array
import gc
import os
import random
import subprocess
import threading
from pathlib import Path

import gsst
import pytest

FORMATS: tuple[gsst.Format, ...] = ("blocks", "splits", "coalesced", "tiles", "fsst")
COMMAND = Path(os.environ.get("GSST_BINARY", Path(__file__).parents[1] / "build/bin/gsst"))
TEXT = b"".join(b"%d: carefully final deposits sleep among the others\n" % line for line in range(600))


def given_format(name: gsst.Format) -> gsst.Format | None:
    """What decompress() has to be told: frames say their format."""
    return name if name == "fsst" else None


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("data", [b"", b"a", bytes(range(256)) * 4, TEXT], ids=["none", "one", "all", "text"])
def test_every_format_gives_the_data_back(name: gsst.Format, data: bytes) -> None:
    frame = gsst.compress(data, format=name, block_bytes=7000, threads=2)
    assert type(frame) is bytes
    assert gsst.decompress(frame, format=given_format(name), threads=2) == data
    assert frame == gsst.compress(data, format=name, block_bytes=7000, threads=gsst.ALL_THREADS)


@pytest.mark.skipif(not COMMAND.is_file(), reason="the command is not built: `make build` builds it")
@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("level", [1, 2, 3])
def test_frames_are_those_of_the_command(tmp_path: Path, name: gsst.Format, level: int) -> None:
    (tmp_path / "text").write_bytes(TEXT)
    options = ["--format", name, f"-{level}", "--block-size", "7000", "--stdout"]
    command = [COMMAND, *options, tmp_path / "text"]
    expected = subprocess.run(command, capture_output=True, check=True).stdout
    assert gsst.compress(TEXT, level, format=name, block_bytes=7000) == expected


@pytest.mark.skipif(not COMMAND.is_file(), reason="the command is not built: `make build` builds it")
def test_without_options_frames_are_those_of_the_command(tmp_path: Path) -> None:
    chosen = random.Random(29)
    text = b""
    for _ in range(12):
        letters = chosen.sample(range(33, 127), 12)
        words = [bytes(chosen.choices(letters, k=chosen.randint(3, 9))) + b" " for _ in range(300)]
        text += b"".join(chosen.choices(words, k=100_000))[:500_000]
    (tmp_path / "text").write_bytes(text)
    command = [COMMAND, "--stdout", tmp_path / "text"]
    frame = gsst.compress(text)
    assert frame == subprocess.run(command, capture_output=True, check=True).stdout
    assert gsst.inspect(frame).block_bytes == 256 << 10
    assert len(frame) < 0.9 * len(gsst.compress(text, block_bytes=4 << 20))
    assert gsst.decompress(frame) == text


def test_levels_and_splits_are_passed_on() -> None:
    first = gsst.compress(TEXT, format="splits", block_bytes=10_000, splits=5)
    assert gsst.inspect(first).splits == 5
    assert len(gsst.compress(TEXT, format="splits", block_bytes=10_000, splits=5, level=3)) < len(first)


@pytest.mark.parametrize("level", [1, 3])
def test_without_a_format_frames_are_of_tiles(level: int) -> None:
    frame = gsst.compress(TEXT, level)
    assert gsst.inspect(frame).format == "tiles"
    assert frame == gsst.compress(TEXT, level, format="tiles")
    with pytest.raises(gsst.Error, match="splits is 5, expected 0 for the default format, tiles") as refused:
        gsst.compress(TEXT, level, splits=5)
    assert refused.value.code == gsst.ErrorCode.INVALID_ARGUMENT


@pytest.mark.parametrize("strip_codes", [512, 1024, 2048])
def test_short_strips_read_less(strip_codes: int) -> None:
    frame = gsst.compress(TEXT, format="tiles", strip_codes=strip_codes, checksum="xxh64-tree")
    assert gsst.decompress(frame) == TEXT
    reader = gsst.Frame(frame, verify=False)
    output = bytearray(1)
    read = reader.decompress_ranges_into([(20_000, 1, 0)], output)
    assert bytes(output) == TEXT[20_000:20_001]
    assert read.parts == 1
    # A code stands for at most 8 bytes.
    assert read.bytes <= 8 * strip_codes


@pytest.mark.parametrize(
    "data", [bytearray(TEXT), memoryview(TEXT), array.array("B", TEXT), memoryview(TEXT)[5:]]
)
def test_any_contiguous_buffer_is_compressed_and_read(data: bytearray | memoryview) -> None:
    frame = gsst.compress(data)
    assert gsst.decompress(bytearray(frame)) == bytes(data)
    assert gsst.decompress(memoryview(b"x" + frame)[1:]) == bytes(data)


@pytest.mark.parametrize("data", ["text", 5, None, memoryview(TEXT)[::2]])
def test_other_objects_are_refused(data: object) -> None:
    with pytest.raises((TypeError, BufferError)):
        gsst.compress(data)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("verify", [True, False])
def test_ranges_equal_slices(name: gsst.Format, verify: bool) -> None:
    frame = gsst.compress(TEXT, format=name, block_bytes=3000, splits=7)
    reader = gsst.Frame(frame, format=given_format(name), verify=verify, threads=2)
    chosen = random.Random(1)
    ranges = []
    for _ in range(100):
        begin = chosen.randrange(len(TEXT) + 1)
        ranges.append((begin, chosen.randrange(min(len(TEXT) - begin, 5000) + 1)))
    expected = [TEXT[begin : begin + size] for begin, size in ranges]
    assert reader.decompress_ranges(iter(ranges)) == expected
    assert gsst.decompress_ranges(frame, ranges, format=given_format(name), verify=verify) == expected


def test_ranges_are_written_to_their_places_and_counted() -> None:
    frame = gsst.compress(TEXT, format="splits", block_bytes=3000, splits=6)
    output = bytearray(b"." * 40)
    ranges = [(3000, 10, 20), (5999, 3, 4)]
    whole = gsst.Frame(frame).decompress_ranges_into(ranges, output)
    assert bytes(output) == b"." * 4 + TEXT[5999:6002] + b"." * 13 + TEXT[3000:3010] + b"." * 10
    assert whole == gsst.ReadInfo(blocks=2, parts=12, bytes=6000)
    parts = gsst.Frame(frame, verify=False).decompress_ranges_into(ranges, output)
    assert parts == gsst.ReadInfo(blocks=2, parts=3, bytes=1500)


def test_frame_says_where_blocks_are() -> None:
    frame = gsst.compress(TEXT, format="splits", block_bytes=20_000)
    reader = gsst.Frame(frame)
    assert reader.info == gsst.inspect(frame)
    assert reader.info.uncompressed_bytes == len(TEXT)
    assert reader.info.compressed_bytes == len(frame)
    last = reader.block(reader.info.block_count - 1)
    assert last.uncompressed_offset + last.uncompressed_bytes == len(TEXT)
    assert last.layout == "narrow"


def test_decompress_into_writes_the_output_and_nothing_behind_it() -> None:
    reader = gsst.Frame(gsst.compress(TEXT))
    output = bytearray(len(TEXT) + 5)
    reader.decompress_into(output)
    assert output == TEXT + bytes(5)
    with pytest.raises(gsst.Error) as refused:
        reader.decompress_into(bytearray(len(TEXT) - 1))
    assert refused.value.code == gsst.ErrorCode.OUTPUT_TOO_SMALL
    with pytest.raises((TypeError, BufferError)):
        reader.decompress_into(bytes(len(TEXT)))


def test_frame_keeps_its_data() -> None:
    data = bytearray(gsst.compress(TEXT))
    reader = gsst.Frame(data)
    with pytest.raises(BufferError):
        data.clear()
    data = bytearray()
    gc.collect()
    assert reader.decompress() == TEXT
    del reader
    data.clear()


def test_one_frame_serves_several_threads() -> None:
    reader = gsst.Frame(gsst.compress(TEXT, block_bytes=1000))
    same = []
    threads = [
        threading.Thread(
            target=lambda at=at: same.append(reader.decompress_ranges([(at, 90)])[0] == TEXT[at : at + 90])
        )
        for at in range(0, 800, 100)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert same == [True] * len(threads)
