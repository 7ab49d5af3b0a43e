"""A number in a figure comes from a result: one that is planted there is seen everywhere."""

import base64
import os
import re
import shutil
from dataclasses import replace
from math import isclose
from pathlib import Path
from typing import cast

import pytest

from experiments import check_records
from experiments.index_page import build_page, read_figure
from experiments.made_up_results import Row, figure_input, made_up_result
from experiments.make_figure import make_figure
from experiments.planted_rows import PLANTED, PLANTED_ROWS
from experiments.plots.style import LEAST_CONTRAST, contrast
from experiments.record_checksums import add_checksum, changed_records
from experiments.results import RECORDED_DIR, recorded_paths

pytestmark = pytest.mark.long

MACHINE = "big_machine"
OTHER = 12000.5
# A number of the record in the page's table.
COMPARED = rf'data-column="recorded on {MACHINE}[^"]*">{PLANTED}\b'
RECORDS = sorted(path.relative_to(RECORDED_DIR).as_posix() for path in RECORDED_DIR.glob("*/*.json"))


# What a row has of a number that a figure shows: itself, an eighth of Gb/s, ms in seconds, and the times of a
# query, which takes half as much longer where it is launched alone than as a graph.
_PARTS = (1, 1 / 8, 1e-3, 1.5, 1.5e-3, 1e-3 / 1.5)


def without_planted(rows: list[Row]) -> list[Row]:
    """The same rows with another number in the place of the planted one, and times that agree with it."""

    def other(value: object) -> object:
        if isinstance(value, dict):
            return {name: other(inner) for name, inner in value.items()}
        if isinstance(value, list):
            return [other(inner) for inner in value]
        if not isinstance(value, float):
            return value
        for part in _PARTS:
            if isclose(value, part * PLANTED):
                return part * OTHER
            if isclose(value * part * PLANTED, 1):
                return 1 / (part * OTHER)
        return value

    changed = cast(list[Row], other(rows))
    for row in changed:
        if (throughput := row["throughput_gb_per_s"]) in (OTHER, OTHER / 8):
            row["seconds"] = {**row["seconds"], "median": row["uncompressed_bytes"] / throughput / 1e9}
    return changed


def draw(target: str, rows: list[Row], folder: Path) -> bytes:
    """The picture of a figure that is drawn from a record."""
    inputs = figure_input(target, None)
    make_figure(replace(inputs, result=made_up_result(target, rows, MACHINE)), folder)
    return (folder / f"{target}.svg").read_bytes()


@pytest.fixture(autouse=True)
def no_png(monkeypatch: pytest.MonkeyPatch) -> None:
    """The page has the SVG only."""
    monkeypatch.setattr("experiments.make_figure.save_png", lambda *_: None)


def pale_words(picture: bytes) -> set[str]:
    """Colours of words that are too pale on white. White words are in cells, and for the test of heatmaps."""
    styles = re.findall(r'<text style="([^"]*)"', picture.decode())
    colors = {found[1] for text in styles if (found := re.search(r"fill: (#[0-9a-f]{6})", text))}
    return {color for color in colors - {"#ffffff"} if contrast(color, "white") < LEAST_CONTRAST}


@pytest.mark.parametrize("target", sorted(PLANTED_ROWS))
def test_a_recorded_number_reaches_the_csv_the_picture_and_the_page(target: str, tmp_path: Path) -> None:
    picture = draw(target, PLANTED_ROWS[target], tmp_path)
    files = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert files.keys() == {f"{target}{end}" for end in (".svg", ".csv", ".txt", ".comparison.csv")}
    assert str(PLANTED) in (tmp_path / f"{target}.csv").read_text(encoding="utf-8")
    assert not pale_words(picture)
    assert draw(target, without_planted(PLANTED_ROWS[target]), tmp_path / "other") != picture
    page = build_page([read_figure(target, tmp_path)], {})
    assert base64.b64encode(picture).decode("ascii") in page
    # Where a number of the paper stands beside it, it is in the page's table too.
    compared = str(PLANTED) in (tmp_path / f"{target}.comparison.csv").read_text(encoding="utf-8")
    assert (re.search(COMPARED, page) is not None) == compared
    assert "Yours: not measured here" in page
    # Drawn once more, each file is the same.
    draw(target, PLANTED_ROWS[target], tmp_path / "again")
    assert {path.name: path.read_bytes() for path in (tmp_path / "again").iterdir()} == files


def test_a_recorded_number_stands_beside_the_paper_s(tmp_path: Path) -> None:
    draw("gsst_fig_6_1", PLANTED_ROWS["gsst_fig_6_1"], tmp_path)
    assert re.search(COMPARED, build_page([read_figure("gsst_fig_6_1", tmp_path)], {}))


def test_every_recorded_target_is_among_them() -> None:
    assert {Path(record).stem for record in RECORDS} <= set(PLANTED_ROWS)


@pytest.mark.parametrize("record", RECORDS)
def test_a_number_that_is_put_into_a_record_is_found(record: str, tmp_path: Path) -> None:
    # Links take less time than copies; the record that changes is no link.
    folder = shutil.copytree(RECORDED_DIR, tmp_path / "recorded", copy_function=os.symlink)
    assert changed_records(folder) == []
    text = (folder / record).read_text(encoding="utf-8")
    planted = re.sub(r'(?<="ratio": )[0-9.]+', str(PLANTED), text, count=1)
    assert planted != text
    (folder / record).unlink()
    (folder / record).write_text(planted, encoding="utf-8")
    assert changed_records(folder) == [
        f"{record}: changed since it was recorded; no number is edited by hand"
    ]


def test_lint_fails_where_a_record_has_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (source,) = recorded_paths("gsst_fig_b_1")
    record = tmp_path / source.parent.name / source.name
    record.parent.mkdir()
    shutil.copy(source, record)
    add_checksum(record, tmp_path)
    of_folder = check_records.check_records
    monkeypatch.setattr(check_records, "check_records", lambda: of_folder(tmp_path))
    monkeypatch.setattr(check_records, "check_verifications", list)
    assert check_records.main() == 0
    record.write_text(record.read_text(encoding="utf-8").replace('"repetitions": 10', '"repetitions": 11', 1))
    assert check_records.main() == 1
    assert f"{source.parent.name}/gsst_fig_b_1.json: changed since it was recorded" in capsys.readouterr().out


def test_a_record_that_was_not_recorded_or_is_missing_is_found(tmp_path: Path) -> None:
    (source,) = recorded_paths("gsst_fig_b_1")
    record = tmp_path / "one" / source.name
    record.parent.mkdir()
    shutil.copy(source, record)
    assert changed_records(tmp_path)[0].startswith("one/gsst_fig_b_1.json: not in checksums.txt")
    add_checksum(record, tmp_path)
    record.unlink()
    assert changed_records(tmp_path) == ["one/gsst_fig_b_1.json: in checksums.txt, but there is no such file"]
