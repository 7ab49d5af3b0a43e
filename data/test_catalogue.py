"""The list of data sets, and what of it is refused."""

from pathlib import Path

import pytest

from data.catalogue import (
    CATALOGUE_PATH,
    CatalogueError,
    Download,
    Generator,
    Instance,
    load_catalogue,
    select,
)


def test_every_dbtext_column_comes_from_the_pinned_commit() -> None:
    columns = select(load_catalogue(), "dbtext/*")
    assert len(columns) == 20
    for column in columns:
        assert isinstance(column.source, Download)
        name = column.name.removeprefix("dbtext/")
        commit = "4433be9d5783a15367fc39e68e8b26ee38ace2f6"
        assert (
            column.source.url == f"https://raw.githubusercontent.com/cwida/fsst/{commit}/paper/dbtext/{name}"
        )
        assert column.path == column.name


def test_generated_text_is_pinned_to_the_version_in_the_requirements() -> None:
    source = load_catalogue()["tpch/l_comment"].source
    assert isinstance(source, Generator)
    requirements = (
        (CATALOGUE_PATH.parent.parent / "requirements.txt").read_text(encoding="utf-8").splitlines()
    )
    assert f"{source.program}=={source.version}" in requirements


def test_instance_label_says_scale_factor_and_cut() -> None:
    catalogue = load_catalogue()
    assert Instance(catalogue["tpch/l_comment"], 1.2).label == "tpch/l_comment_sf1.2"
    assert Instance(catalogue["tpch/l_comment"], 60.0, 99).label == "tpch/l_comment_sf60_first_99_bytes"
    assert Instance(catalogue["dbtext/city"]).label == "dbtext/city"
    tiled = Instance(catalogue["dbtext/city"], tiled_to_bytes=1_000_000)
    assert tiled.label == "dbtext/city_tiled_to_1000000_bytes"


@pytest.mark.parametrize(
    ("name", "scale_factor", "first_bytes", "message"),
    [
        ("tpch/l_comment", None, None, "needs a scale factor"),
        ("dbtext/city", 1.0, None, "only generated text"),
        ("dbtext/city", None, 0, "must be positive"),
    ],
)
def test_instance_refuses(
    name: str, scale_factor: float | None, first_bytes: int | None, message: str
) -> None:
    with pytest.raises(CatalogueError, match=message):
        Instance(load_catalogue()[name], scale_factor, first_bytes)


def test_a_text_is_cut_or_tiled() -> None:
    with pytest.raises(CatalogueError, match="cut or tiled, not both"):
        Instance(load_catalogue()["dbtext/city"], first_bytes=1, tiled_to_bytes=1)


def test_unknown_name_lists_the_known_ones() -> None:
    with pytest.raises(CatalogueError, match="tpch/l_comment"):
        select(load_catalogue(), "nothing/*")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("bytes: 133839", "bytes: -1", "bytes"),
        ("name: dbtext/city", "name: dbtext/faust", "listed twice"),
        ("substitute: tpch/l_comment", "substitute: tpch/x", "unknown substitute"),
        ("sha256: 9fe1fd", "sha256: XXXXXX", "sha256.*does not match"),
    ],
)
def test_malformed_catalogue_is_refused(tmp_path: Path, old: str, new: str, message: str) -> None:
    text = CATALOGUE_PATH.read_text(encoding="utf-8")
    assert old in text
    broken = tmp_path / "datasets.yaml"
    broken.write_text(text.replace(old, new), encoding="utf-8")
    with pytest.raises(CatalogueError, match=message):
        load_catalogue(broken)
