"""Frames and columns in file objects, and in those of fsspec."""

import gzip
import io
from pathlib import Path

import fsspec
import fsspec.compression
import gsst
import pandas as pd
import pyarrow as pa
import pytest

TEXT = b"".join(b"%d;line %d of the file\n" % (line % 7, line) for line in range(200_000))


def test_a_frame_is_written_to_a_file_object_and_read_from_it() -> None:
    stored = io.BytesIO(b"before it: ")
    stored.seek(0, io.SEEK_END)
    with gsst.open(stored, "wb", 3, format="tiles") as file:
        file.write(TEXT)
    assert stored.getvalue() == b"before it: " + gsst.compress(TEXT, 3, format="tiles")
    stored.seek(11)
    with gsst.open(stored) as file:
        file.seek(1_000_000)
        assert file.read(1000) == TEXT[1_000_000:1_001_000]
    # As with gzip it is not closed.
    assert not stored.closed


def test_nothing_is_written_where_an_exception_ends_the_block() -> None:
    stored = io.BytesIO()
    file = gsst.open(stored, "wb")
    file.write(TEXT)
    file.__exit__(RuntimeError, RuntimeError(), None)
    assert file.closed
    assert stored.getvalue() == b""


def test_the_level_stands_where_other_modules_have_it(tmp_path: Path) -> None:
    assert len(gsst.compress(TEXT, 3)) < len(gsst.compress(TEXT, 1)) == len(gsst.compress(TEXT))
    array = pa.array(TEXT.decode().splitlines())
    assert len(gsst.compress_column(array, 3)) < len(gsst.compress_column(array))
    for open_file in (gzip.open, gsst.open):
        sizes = []
        for level in (9, 3):
            with open_file(tmp_path / "file", "wb", level) as file:
                file.write(TEXT[:100_000])
            with open_file(tmp_path / "file") as file:
                assert file.read() == TEXT[:100_000]
            sizes.append((tmp_path / "file").stat().st_size)
        assert sizes[0] < sizes[1]
    with pytest.raises(ValueError, match="mode is 'rb', expected 'rb', or 'wb' with options"):
        gsst.open(tmp_path / "file", "rb", 3)  # type: ignore[call-overload]
    with pytest.raises(ValueError, match="mode is 'rt'"):
        gsst.open(tmp_path / "file", "rt")  # type: ignore[call-overload]


def test_files_of_fsspec_hold_frames_and_columns() -> None:
    with fsspec.open("memory://shells.gsst", "wb") as stored, gsst.open(stored, "wb") as file:
        file.write(TEXT)
    with fsspec.open("memory://shells.gsst") as stored:
        assert stored.read() == gsst.compress(TEXT)
        stored.seek(0)
        with gsst.open(stored) as file:
            assert file.read() == TEXT
        stored.seek(0)
        frame = pd.read_csv(gsst.open(stored), sep=";", names=["key", "text"])
    assert len(frame) == 200_000
    with fsspec.open("memory://text.gssc", "wb") as stored:
        stored.write(gsst.compress_column(frame["text"]))
    with fsspec.open("memory://text.gssc") as stored:
        assert pd.Series(gsst.open_column(stored).to_arrow()).astype("str").equals(frame["text"].rename(None))


def test_fsspec_takes_gsst_as_a_compression(monkeypatch: pytest.MonkeyPatch) -> None:
    # Taken away after the test: the examples of the documentation register it too, which works once.
    monkeypatch.setitem(fsspec.compression.compr, "gsst", None)
    monkeypatch.setitem(fsspec.utils.compressions, "gsst", None)
    fsspec.compression.register_compression("gsst", gsst.open, "gsst", force=True)
    with fsspec.open("memory://inferred.csv.gsst", "wb", compression="infer") as file:
        file.write(TEXT)
    with fsspec.open("memory://inferred.csv.gsst") as stored:
        assert stored.read() == gsst.compress(TEXT)
    with fsspec.open("memory://inferred.csv.gsst", compression="infer") as file:
        assert file.read() == TEXT
