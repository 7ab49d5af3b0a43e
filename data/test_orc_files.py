"""ORC files of the catalogue. What pyarrow writes is tested where it is: python/test_orc_files.py."""

from pathlib import Path

import pytest

from data import fetch
from data.catalogue import (
    CATALOGUE_PATH,
    Built,
    CatalogueError,
    Dataset,
    Digest,
    Generator,
    Instance,
    OrcFile,
    load_catalogue,
    select,
)
from data.fetch import Fetcher
from data.orc_files import COMPRESSIONS, FILE_VERSIONS
from experiments.definition import all_targets, load_experiment

CONTENT = bytes(range(64))


def catalogue() -> dict[str, Dataset]:
    generator = Generator("none", "1.0", "table", 1, {})
    sources = {
        "test/column": Built("gsst_made_up", (), Digest(64, ""), {}),
        "test/scaled": generator,
        "test/orc": OrcFile("test/column", "i64", "v1", "zlib"),
        "test/orc_scaled": OrcFile("test/scaled", "i8", "v2", "none"),
    }
    paths = {"test/scaled": "test/scaled_sf{scale_factor}"}
    return {
        name: Dataset(name, "", paths.get(name, name), "", None, source) for name, source in sources.items()
    }


def made_up_orc(column: Path, values: str, run_lengths: str, compression: str, destination: Path) -> None:
    destination.write_bytes(f"{values} {run_lengths} {compression} ".encode() + column.read_bytes())


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with columns, and a writer that needs no pyarrow."""
    monkeypatch.setattr(fetch, "write_orc", made_up_orc)
    (tmp_path / "test").mkdir()
    for name, content in (("column_first_8_bytes", CONTENT[:8]), ("scaled_sf0.5", b"ab")):
        (tmp_path / "test" / name).write_bytes(content)
        fetch.write_digest(tmp_path / "test" / name, fetch.digest_of(tmp_path / "test" / name))
    return tmp_path


def test_a_file_is_made_of_its_column_at_the_size(cache: Path) -> None:
    data_sets = catalogue()
    fetcher = Fetcher(cache, catalogue=data_sets)
    cut = Instance(data_sets["test/orc"], first_bytes=8)
    assert cut.label == "test/orc_first_8_bytes"
    path = fetcher.fetch(cut)
    assert path == cache / "test/orc_first_8_bytes"
    assert path.read_bytes() == b"i64 v1 zlib " + CONTENT[:8]
    assert path.with_name(f"{path.name}.sha256").exists()
    assert Fetcher(cache, catalogue=data_sets).fetch(cut) == path
    tiled = Instance(data_sets["test/orc_scaled"], scale_factor=0.5, tiled_to_bytes=5)
    assert tiled.label == "test/orc_scaled_sf0.5_tiled_to_5_bytes"
    assert fetcher.fetch(tiled).read_bytes() == b"i8 v2 none ababa"


def test_a_changed_file_is_made_again(cache: Path) -> None:
    data_sets = catalogue()
    cut = Instance(data_sets["test/orc"], first_bytes=8)
    path = Fetcher(cache, catalogue=data_sets).fetch(cut)
    right = path.read_bytes()
    path.write_bytes(right + b"x")
    assert Fetcher(cache, catalogue=data_sets).fetch(cut).read_bytes() == right


def test_an_unknown_column_is_refused(tmp_path: Path) -> None:
    text = CATALOGUE_PATH.read_text(encoding="utf-8").replace("column: codag/runs", "column: no/one")
    (tmp_path / "datasets.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(CatalogueError, match="unknown column no/one"):
        load_catalogue(tmp_path / "datasets.yaml")


def test_every_file_is_named_by_its_column_and_how_it_is_written() -> None:
    for dataset in select(load_catalogue(), "orc/*"):
        source = dataset.source
        assert isinstance(source, OrcFile)
        assert source.run_lengths in FILE_VERSIONS
        assert source.compression in COMPRESSIONS
        coding = "" if source.values == "i8" else f"_{source.run_lengths}"
        compression = "" if source.compression == "none" else f"_{source.compression}"
        name = f"orc/{source.column.partition('/')[2]}{coding}{compression}"
        assert dataset.name == dataset.path == name


@pytest.mark.parametrize("scale", ["tiny", "default", "paper"])
def test_the_columns_of_measured_files_have_their_sizes(scale: str) -> None:
    data_sets = load_catalogue()
    scales = [load_experiment(target).scales.get(scale) for target in all_targets()]
    instances = [
        instance
        for found in scales
        if found is not None
        for instance in found.instances
        if isinstance(instance.dataset.source, OrcFile)
    ]
    assert instances
    for instance in instances:
        assert isinstance(instance.dataset.source, OrcFile)
        instance.of_column(data_sets[instance.dataset.source.column])
