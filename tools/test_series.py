from pathlib import Path

import pytest

from data.catalogue import load_catalogue
from data.yaml_file import read_yaml
from experiments.definition import load_experiment
from tools.repository import ROOT
from tools.series import SeriesError, by_series, check_of

SERIES = sorted(path.parent.name for path in ROOT.glob("stages/*/series.yaml"))
CHECKED = [series for series in SERIES if "check" in read_yaml(ROOT / f"stages/{series}/series.yaml")]
# What README.md calls them.
CALLED = {
    "gsst": "GSST",
    "tile_integer": "integer columns by tile",
    "zero_length": "zero-length encoder",
    "codag": "CODAG",
    "search": "searches compressed text",
}


def test_series_are_in_the_order_of_the_readme() -> None:
    introduction = (ROOT / "README.md").read_text(encoding="utf-8").partition("\n## ")[0]
    places = {series: introduction.index(CALLED[series]) for series in SERIES}
    stages = [f"{series}/{number}" for series in reversed(SERIES) for number in ("02", "01")]
    found = by_series(stages, str)
    assert list(found) == sorted(SERIES, key=lambda series: places[series])
    assert found["codag"] == ["codag/02", "codag/01"]


def test_a_series_without_a_place_comes_last(tmp_path: Path) -> None:
    for series, text in {"z": "place: 1", "y": "place: 2", "b": "check: 3"}.items():
        path = tmp_path / f"stages/{series}/series.yaml"
        path.parent.mkdir(parents=True)
        path.write_text(text)
    assert list(by_series(["b/1", "a/1", "y/1", "z/1"], str, tmp_path)) == ["z", "y", "a", "b"]


@pytest.mark.parametrize("series", CHECKED)
def test_what_a_series_is_checked_with_is_there(series: str) -> None:
    check = check_of(f"{series}/01")
    assert load_experiment(check.target).kind == "decode"
    assert check.dataset in load_catalogue()
    assert check.inputs


@pytest.mark.parametrize("text", [None, "place: 1"])
def test_a_series_that_says_nothing_is_named(text: str | None, tmp_path: Path) -> None:
    if text is not None:
        path = tmp_path / "stages/made_up/series.yaml"
        path.parent.mkdir(parents=True)
        path.write_text(text)
    with pytest.raises(
        SeriesError, match=r"no stages/made_up/series\.yaml that says which target .* made_up/01"
    ):
        check_of("made_up/01", tmp_path)


@pytest.mark.parametrize(
    "text", ["check: {}", "check: {target: a}", "check: 3", "check: [", "check: {target: a, text: b}"]
)
def test_a_file_that_says_too_little_is_an_error(text: str, tmp_path: Path) -> None:
    path = tmp_path / "stages/made_up/series.yaml"
    path.parent.mkdir(parents=True)
    path.write_text(text)
    with pytest.raises(SeriesError, match=r"stages/made_up/series\.yaml: `check` needs"):
        check_of("made_up/01", tmp_path)
