"""Parquet files of the catalogue. What pyarrow writes is tested where it is: python/test_parquet_pages.py."""

import hashlib
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from data import fetch
from data.catalogue import (
    CATALOGUE_PATH,
    Built,
    CatalogueError,
    Dataset,
    Digest,
    Instance,
    Paged,
    load_catalogue,
    select,
)
from data.errors import DataUnavailableError
from data.fetch import Fetcher
from data.parquet_pages import VALUES_OF_ROW_GROUP, VERSION, load_pyarrow

CONTENT = bytes(range(64))


def sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def catalogue(known: dict[int, Digest]) -> dict[str, Dataset]:
    column = Built("gsst_made_up", (), Digest(64, sha256(CONTENT)), {8: sha256(CONTENT[:8])})
    paged = Paged("test/column", 2, False, known)
    return {
        name: Dataset(name, "", name, "", None, source)
        for name, source in (("test/column", column), ("test/pages", paged))
    }


def made_up_pages(column: Path, page_values: int, has_dictionary: bool, destination: Path) -> None:
    destination.write_bytes(f"{page_values} {has_dictionary} ".encode() + column.read_bytes())


MADE = b"2 False " + CONTENT[:8]


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the first bytes of the column, and a writer that needs no pyarrow."""
    monkeypatch.setattr(fetch, "write_pages", made_up_pages)
    (tmp_path / "test").mkdir()
    (tmp_path / "test/column_first_8_bytes").write_bytes(CONTENT[:8])
    return tmp_path


@pytest.mark.parametrize("known", [{}, {8: Digest(len(MADE), sha256(MADE))}])
def test_a_file_is_made_of_the_first_bytes_of_its_column(known: dict[int, Digest], cache: Path) -> None:
    data_sets = catalogue(known)
    instance = Instance(data_sets["test/pages"], first_bytes=8)
    path = Fetcher(cache, catalogue=data_sets).fetch(instance)
    assert path == cache / "test/pages_first_8_bytes"
    assert instance.label == "test/pages_first_8_bytes"
    assert path.read_bytes() == MADE
    assert path.with_name(f"{path.name}.sha256").exists() == (not known)
    assert Fetcher(cache, catalogue=data_sets).fetch(instance) == path


def test_another_file_than_the_known_one_is_refused(cache: Path) -> None:
    data_sets = catalogue({8: Digest(len(MADE), "0" * 64)})
    with pytest.raises(DataUnavailableError, match="wrong checksum"):
        Fetcher(cache, catalogue=data_sets).fetch(Instance(data_sets["test/pages"], first_bytes=8))
    assert not (cache / "test/pages_first_8_bytes").exists()


def test_a_file_needs_the_bytes_of_its_column() -> None:
    with pytest.raises(CatalogueError, match="needs the first bytes"):
        Instance(catalogue({})["test/pages"])


def test_an_unknown_column_is_refused(tmp_path: Path) -> None:
    text = CATALOGUE_PATH.read_text(encoding="utf-8").replace(
        "column: tile_integer/gaps_16", "column: no/one"
    )
    (tmp_path / "datasets.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(CatalogueError, match="unknown column no/one"):
        load_catalogue(tmp_path / "datasets.yaml")


def test_files_are_named_by_their_columns_and_pages() -> None:
    for dataset in select(load_catalogue(), "parquet/*"):
        assert isinstance(dataset.source, Paged)
        column = dataset.source.column.removeprefix("tile_integer/")
        assert dataset.path == dataset.name == f"parquet/{column}_pages_{dataset.source.page_values}"
        assert VALUES_OF_ROW_GROUP % dataset.source.page_values == 0


def test_the_version_is_that_of_the_tests_of_the_python_package() -> None:
    requirements = (CATALOGUE_PATH.parents[1] / "python/requirements.txt").read_text(encoding="utf-8")
    assert f"pyarrow=={VERSION}" in requirements.splitlines()


def test_a_missing_or_another_pyarrow_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(DataUnavailableError, match=f"pyarrow {VERSION} is not installed"):
        load_pyarrow("parquet")
    parquet = SimpleNamespace()
    monkeypatch.setitem(sys.modules, "pyarrow", SimpleNamespace(__version__="1.0", parquet=parquet))
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", parquet)
    with pytest.raises(DataUnavailableError, match=f"pyarrow {VERSION} is needed, there is 1.0"):
        load_pyarrow("parquet")
