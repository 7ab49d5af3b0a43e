import json
from dataclasses import replace
from pathlib import Path

import pytest

from data.catalogue import Instance
from data.fetch import Fetcher
from tools.measure_stages import MeasureError, measure_stages
from tools.series import Check

CHECK = Check("gsst_fig_6_1", "tpch/l_comment", 6.0, {})

# Stands in for the measuring program: gives back the points that it was given.
PROGRAM = """#!/usr/bin/env python3
import json, sys
options = dict(zip(sys.argv[2::2], sys.argv[3::2]))
with open(options["--points"]) as points, open(options["--output"], "w") as output:
    json.dump({"rows": json.load(points), "options": options}, output)
"""


@pytest.fixture
def text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "text.txt"
    path.write_text("some text\n")
    monkeypatch.setattr(Fetcher, "fetch", lambda *_: path)
    return path


def make_program(folder: Path, source: str) -> Path:
    path = folder / "program"
    path.write_text(source)
    path.chmod(0o755)
    return path


def test_points_go_in_and_rows_come_out(text: Path, tmp_path: Path) -> None:
    result = measure_stages([{"stage": "a"}, {"stage": "b"}], CHECK, make_program(tmp_path, PROGRAM))
    assert result["rows"] == [{"stage": "a"}, {"stage": "b"}]
    assert result["options"]["--input"] == str(text)
    assert int(result["options"]["--repetitions"]) >= 10
    assert json.dumps(result).count("--dataset-sha256") == 1


@pytest.mark.usefixtures("text")
def test_a_failed_measurement_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(MeasureError, match="program failed"):
        measure_stages([], CHECK, make_program(tmp_path, "#!/bin/sh\nexit 1\n"))


def test_a_series_may_name_other_data(text: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fetched: list[tuple[str, float | None]] = []

    def fetch(_: Fetcher, instance: Instance) -> Path:
        fetched.append((instance.dataset.name, instance.scale_factor))
        return text

    monkeypatch.setattr(Fetcher, "fetch", fetch)
    measure_stages(
        [], replace(CHECK, dataset="dbtext/city", scale_factor=None), make_program(tmp_path, PROGRAM)
    )
    assert fetched == [("dbtext/city", None)]
    with pytest.raises(MeasureError, match="there is no data set none"):
        measure_stages([], replace(CHECK, dataset="none"), tmp_path)
