from pathlib import Path

import pytest

from data.catalogue import load_catalogue
from experiments.definition import load_experiment
from tools.repository import ROOT
from tools.series import SeriesError, check_of

SERIES = sorted(path.parent.name for path in ROOT.glob("stages/*/series.yaml"))


@pytest.mark.parametrize("series", SERIES)
def test_what_a_series_is_checked_with_is_there(series: str) -> None:
    check = check_of(f"{series}/01")
    assert load_experiment(check.target).kind == "decode"
    assert check.dataset in load_catalogue()
    assert check.inputs


def test_a_series_that_says_nothing_is_named(tmp_path: Path) -> None:
    with pytest.raises(
        SeriesError, match=r"no stages/made_up/series\.yaml that says which target .* made_up/01"
    ):
        check_of("made_up/01", tmp_path)


@pytest.mark.parametrize(
    "text", ["{}", "check: {target: a}", "check: 3", "check: [", "check: {target: a, text: b}"]
)
def test_a_file_that_says_too_little_is_an_error(text: str, tmp_path: Path) -> None:
    path = tmp_path / "stages/made_up/series.yaml"
    path.parent.mkdir(parents=True)
    path.write_text(text)
    with pytest.raises(SeriesError, match=r"stages/made_up/series\.yaml: `check` needs"):
        check_of("made_up/01", tmp_path)
