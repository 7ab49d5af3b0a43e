"""Frames as file objects."""

import io
import sys
from pathlib import Path

import gsst
import pytest

TEXT = b"".join(b"line %d of the file\n" % line for line in range(2000))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "lines.gsst"
    with gsst.open(path, "wb", format="splits", block_bytes=1000, splits=4) as file:
        assert file.write(TEXT[:100]) == 100
        file.write(memoryview(TEXT)[100:])
    return path


def test_a_file_that_was_written_is_one_frame(path: Path) -> None:
    assert path.read_bytes() == gsst.compress(TEXT, format="splits", block_bytes=1000, splits=4)
    assert [entry.name for entry in path.parent.iterdir()] == [path.name]


def test_reading_gives_the_bytes(path: Path) -> None:
    with gsst.open(path) as file:
        assert file.read() == TEXT
        assert file.read() == b""
    with gsst.open(str(path), "rb") as file:
        assert list(file) == TEXT.splitlines(keepends=True)


def test_a_short_file_of_large_blocks_takes_little_memory(tmp_path: Path) -> None:
    path = tmp_path / "short.gsst"
    path.write_bytes(gsst.compress(TEXT, block_bytes=1 << 30))
    with gsst.open(path) as file:
        # It counts the buffer.
        assert sys.getsizeof(file) < len(TEXT) + 1000
        assert file.read() == TEXT


@pytest.mark.parametrize("position", [0, 1, 999, 1000, 12_345, len(TEXT) - 1, len(TEXT), len(TEXT) + 10])
def test_seeking_reads_from_there(path: Path, position: int) -> None:
    with gsst.open(path) as file:
        assert file.seek(position) == position
        assert file.read(1500) == TEXT[position : position + 1500]
        assert file.tell() == max(position, min(position + 1500, len(TEXT)))
        file.seek(-5, io.SEEK_END)
        assert file.read() == TEXT[-5:]
        file.seek(0)
        file.seek(7, io.SEEK_CUR)
        assert file.read(3) == TEXT[7:10]
        with pytest.raises((ValueError, OSError)):
            file.seek(-1)


def test_reading_skips_blocks_that_it_does_not_touch(path: Path) -> None:
    damaged = bytearray(path.read_bytes())
    damaged_block = gsst.Frame(bytes(damaged)).block(2)
    damaged[damaged_block.compressed_offset + damaged_block.compressed_bytes - 1] ^= 0xFF
    path.write_bytes(damaged)
    with gsst.open(path) as file:
        assert file.read(2000) == TEXT[:2000]
        file.seek(3000)
        assert file.read() == TEXT[3000:]
        file.seek(2000)
        with pytest.raises(gsst.Error, match="block 2"):
            file.read(1)


def test_text_wrapper_reads_lines(path: Path) -> None:
    with io.TextIOWrapper(gsst.open(path), encoding="ascii") as lines:
        assert sum(1 for _ in lines) == 2000


def write_and_fail(path: Path) -> None:
    with gsst.open(path, "wb") as file:
        file.write(b"half")
        raise RuntimeError("stop")


def test_an_exception_writes_nothing(path: Path) -> None:
    before = path.read_bytes()
    with pytest.raises(RuntimeError, match="stop"):
        write_and_fail(path)
    assert path.read_bytes() == before
    with pytest.raises(gsst.Error), gsst.open(path, "wb", level=10) as file:
        file.write(b"all")
    assert path.read_bytes() == before
    assert [entry.name for entry in path.parent.iterdir()] == [path.name]


def test_wrong_modes_and_files_are_refused(path: Path) -> None:
    with pytest.raises(ValueError, match="mode is 'a'"):
        gsst.open(path, "a")  # type: ignore[call-overload]
    with pytest.raises(ValueError, match="mode is 'rb'"):
        gsst.open(path, "rb", level=3)  # type: ignore[call-overload]
    with pytest.raises(FileNotFoundError):
        gsst.open(path.parent / "none")
    path.write_bytes(b"")
    with pytest.raises(gsst.Error, match="not a gsst frame"):
        gsst.open(path)
