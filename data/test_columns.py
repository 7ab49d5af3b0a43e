"""Columns of TPC-H-derived text as values."""

from pathlib import Path

import numpy as np
import pytest

from data.catalogue import Generator, load_catalogue
from data.columns import store_values, stored
from data.errors import DataUnavailableError
from data.generate import generate

# The first value of each column that the goals of series codag need.
FIRST = {
    "orderkey": np.int64(1).tobytes(),
    "partkey": np.int64(156).tobytes(),
    "extendedprice": np.int64(1795455).tobytes(),
    "shipdate": np.datetime64("1996-03-13").astype(np.int32).tobytes(),
    "linenumber": np.int32(1).tobytes(),
    "returnflag": b"N",
    "shipinstruct": b"DELIVER IN PERSON        ",
}
ROWS = 6005


def test_values_are_stored_as_their_type_says() -> None:
    assert stored(b"1\n-2\n", "i32") == b"\x01\0\0\0\xfe\xff\xff\xff"
    assert stored(b"173.45\n4294967296.00\n", "i64") == np.array([17345, 429496729600], "<i8").tobytes()
    assert stored(b"1970-01-02\n1996-03-13\n", "days") == np.array([1, 9568], "<i4").tobytes()
    assert stored(b"NONE\nABCDEF\n", "characters_6") == b"NONE  ABCDEF"


@pytest.mark.parametrize(("line", "values"), [(b"2147483648\n", "i32"), (b"AB\n", "characters_1")])
def test_a_value_that_does_not_fit_is_refused(line: bytes, values: str) -> None:
    with pytest.raises(DataUnavailableError, match="more than"):
        stored(line, values)


def test_files_are_read_in_parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("data.columns._BYTES_OF_LINES", 10)
    path = tmp_path / "column"
    path.write_text("".join(f"{number}\n" for number in range(100)), encoding="utf-8")
    store_values(path, "i64")
    assert np.array_equal(np.fromfile(path, "<i8"), np.arange(100))
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("name", FIRST)
def test_columns_of_lineitem_have_a_value_for_each_row(name: str, tmp_path: Path) -> None:
    source = load_catalogue()[f"lineitem/{name}"].source
    assert isinstance(source, Generator)
    generate(source, 0.001, tmp_path / "values", 1)
    column = (tmp_path / "values").read_bytes()
    assert len(column) == ROWS * len(FIRST[name])
    assert column.startswith(FIRST[name])
