"""Where the files of the example series lie. That all finds them, tools.try_a_new_series checks in a copy."""

from pathlib import Path

from tools.example_series import SERIES_TREE, line_count, places_of_files, series_files
from tools.repository import ROOT, committable_files

PRESENT = [Path("common/format/gsst/formats.cpp"), Path("experiments/gsst_fig_6_1.yaml"), Path("README.md")]


def test_the_example_has_folders_of_its_own() -> None:
    assert places_of_files(series_files(), committable_files()) == []


def test_a_target_lies_beside_those_of_others() -> None:
    assert places_of_files([Path("experiments/new.yaml")], PRESENT) == []


def test_a_file_that_is_there_is_a_problem() -> None:
    assert places_of_files([Path("experiments/gsst_fig_6_1.yaml")], PRESENT) == [
        "experiments/gsst_fig_6_1.yaml: is there already"
    ]


def test_a_file_in_a_folder_of_others_is_a_problem() -> None:
    (problem,) = places_of_files([Path("common/format/new.cpp")], PRESENT)
    assert problem == "common/format/new.cpp: common/format is a folder of others"
    assert len(places_of_files([Path("experiments/new.py"), Path("new.md")], PRESENT)) == 2


def test_files_and_lines_are_counted() -> None:
    files = series_files()
    assert Path("stages/runs/01_runs/stage.cu") in files
    assert all(line_count(path) > 0 for path in files)
    assert not any((ROOT / path).exists() for path in files), SERIES_TREE
