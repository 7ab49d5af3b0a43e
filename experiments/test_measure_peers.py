"""The measurement of Figures 6.2 to 6.4, with stand-ins for the programs that need a GPU."""

import sys
from pathlib import Path

import pytest

from data.files import write_text
from experiments import measure_peers as module
from experiments.definition import load_experiment
from experiments.made_up_results import environment, row
from experiments.results import load_result

# Writes a row for each stage that it stands in for, as the real program does with these options.
PROGRAM = """#!{python}
import json, pathlib, sys
options = dict(zip(sys.argv, sys.argv[1:]))
data = {{"dataset": options["--dataset"], "dataset_sha256": options["--dataset-sha256"]}}
document = [{{**{row!r}, **data, "stage": stage}} for stage in {stages!r}]
if "--target" in options:
    document = {{
        "schema": 1,
        "target": options["--target"],
        "environment": {{**{environment!r}, "commit": options["--commit"]}},
        "sources_digest": options["--sources-digest"],
        "rows": document,
    }}
if {status} != 1:
    pathlib.Path(options["--output"]).write_text(json.dumps(document))
sys.exit({status})
"""
OURS = sorted({entry.stage for entry in load_experiment("gsst_fig_6_2").points})
STAGES = {
    "gsst_measure_stages": OURS,
    "gsst_measure_nvcomp": ["nvcomp/ANS"],
    "gsst_measure_memory": OURS,
    "gsst_measure_cpu": ["reference_cpu/fast"],
}


def put_programs(folder: Path, statuses: dict[str, int]) -> None:
    for name, stages in STAGES.items():
        text = PROGRAM.format(
            python=sys.executable,
            row=row(),
            stages=stages,
            environment=environment(gpu="Made-up GPU"),
            status=statuses.get(name, 0),
        )
        write_text(folder / name, text)
        (folder / name).chmod(0o755)


def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, statuses: dict[str, int]) -> int:
    text = tmp_path / "text.txt"
    text.write_bytes(b"some text")

    class MadeUpFetcher:
        def __init__(self, folder: Path) -> None:
            del folder

        def fetch(self, instance: object) -> Path:
            del instance
            return text

    put_programs(tmp_path / "build" / "bin", statuses)
    monkeypatch.setattr(module, "Fetcher", MadeUpFetcher)
    options = ["--scale", "tiny", "--build", str(tmp_path / "build"), "--output-dir", str(tmp_path / "out")]
    monkeypatch.setattr(sys, "argv", ["measure_peers", *options])
    return module.main()


# 3: some codecs have no row.
@pytest.mark.parametrize("status", [0, 3])
def test_what_every_program_measured_becomes_two_results(
    status: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run(tmp_path, monkeypatch, {"gsst_measure_nvcomp": status}) == 0
    for target, wanted in {
        "gsst_fig_6_2": [*OURS, "nvcomp/ANS", "reference_cpu/fast"],
        "gsst_fig_6_4": [*OURS, "nvcomp/ANS"],
    }.items():
        result = load_result(tmp_path / "out" / f"{target}.json")
        assert [line["stage"] for line in result.rows] == wanted
        assert {line["dataset"] for line in result.rows} == {"tpch/l_comment_sf1.2"}
        assert result.environment["gpu"] == "Made-up GPU"
        assert not result.stale


@pytest.mark.parametrize("program", sorted(STAGES))
def test_a_program_that_fails_leaves_no_result(
    program: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(tmp_path, monkeypatch, {program: 1}) == 1
    assert f"error: {program} ended with status 1" in capsys.readouterr().err
    assert not list((tmp_path / "out").glob("*.json"))
