import gzip
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from experiments.carry_over import alternate
from experiments.carry_over.pack_speed import jobs_of
from experiments.carry_over.records import PEER_SERIES, RefusedError, Trees
from experiments.carry_over.speed import (
    Evidence,
    check_speeds,
    join_evidence,
    read_evidence,
    why_not_equal,
)
from experiments.carry_over.speed_works import Work, chosen_rows, works_of
from experiments.definition import load_experiment
from experiments.made_up_results import row
from experiments.measuring_programs import PROGRAM, kinds
from experiments.results import RECORDED_DIR, load_result
from experiments.sources import REPOSITORY_ROOT

STAGE = "gsst/07_tuned"
HERE = Trees(REPOSITORY_ROOT, REPOSITORY_ROOT)
WORK = Work("decode", "tpch/l_comment", 1000, {"stage": STAGE})


@pytest.mark.parametrize(
    ("before", "after", "reason"),
    [
        ([1.0, 1.0, 1.0], [1.0, 1.0, 1.0], None),
        ([1.0, 1.0, 1.0], [1.009, 1.009, 1.009], None),
        ([1.0, 1.0, 1.0], [0.991, 0.991, 0.991], None),
        ([1.0, 1.0, 1.0], [1.011, 1.011, 1.011], r"takes \+1.1%"),
        ([1.0, 1.0, 1.0], [0.98, 0.98, 0.98], "takes -2.0%"),
        # The runs of one commit are further apart.
        ([1.0, 1.02, 0.99], [1.02, 1.02, 1.02], None),
        ([1.0, 1.0, 1.0], [1.05, 1.06, 1.08], "beyond"),
        ([1.0, 1.2, 1.0], [1.0, 1.0, 1.0], "nothing else runs"),
        ([1.0, 1.0], [1.0, 1.0], "fewer than 3"),
    ],
)
def test_medians_are_equal_within_one_percent_or_the_spread(
    before: list[float], after: list[float], reason: str | None
) -> None:
    said = why_not_equal(before, after)
    if reason is None:
        assert said is None
    else:
        assert said is not None
        assert re.search(reason, said)


def evidence(after: float) -> Evidence:
    rows = [{"row": {"stage": STAGE}, "before": [1.0] * 3, "after": [after] * 3}]
    return Evidence("a" * 40, "b" * 40, "NVIDIA H200", 1000, {WORK.key: rows})


def test_every_work_must_be_measured_and_equal() -> None:
    check_speeds(evidence(1.005), [WORK])
    with pytest.raises(RefusedError, match=STAGE):
        check_speeds(evidence(1.03), [WORK])
    other = Work("decode", "tpch/l_comment", 999, {"stage": STAGE})
    with pytest.raises(RefusedError, match="not measured"):
        check_speeds(evidence(1.0), [other])


def test_runs_of_several_parts_are_joined(tmp_path: Path) -> None:
    def written(name: str, of_gpu: str, **works: float) -> Path:
        path = tmp_path / name
        of_works = {key: [{"row": {}, "before": [1.0], "after": [after]}] for key, after in works.items()}
        document = {"from": "a", "to": "b", "gpu": of_gpu, "text_bytes": 1, "rounds": 3, "works": of_works}
        path.write_text(json.dumps(document))
        return path

    parts = [written("first", "NVIDIA H200", one=1.0, two=2.0), written("later", "NVIDIA H200", two=3.0)]
    joined = read_evidence(join_evidence(parts, tmp_path / "joined"))
    assert {key: rows[0]["after"] for key, rows in joined.works.items()} == {"one": [1.0], "two": [3.0]}
    superseded = json.loads((tmp_path / "joined").read_text())["superseded"]
    assert [rows[0]["after"] for work in superseded for rows in work.values()] == [[2.0]]
    with pytest.raises(RefusedError, match="other is not of the commits"):
        join_evidence([*parts, written("other", "NVIDIA H100", two=3.0)], tmp_path / "joined")


def test_the_fastest_the_slowest_and_the_published_row_are_chosen() -> None:
    rows = [row(speed, stage=STAGE, parameters={"at": speed}) for speed in (3.0, 1.0, 9.0, 4.0, 5.0)]
    assert [r["parameters"]["at"] for r in chosen_rows(rows)] == [9.0, 1.0, 5.0]
    rows[3]["policy"] = "best"
    assert [r["parameters"]["at"] for r in chosen_rows(rows)] == [9.0, 1.0, 4.0]
    both = [row(2.0, stage=STAGE, end_to_end=value) for value in (False, True)]
    assert chosen_rows(both) == both


@pytest.mark.parametrize("path", sorted(RECORDED_DIR.glob("h200/*.json")), ids=lambda path: path.stem)
def test_each_record_says_what_is_measured_again_or_why_not(path: Path) -> None:
    experiment, result = load_experiment(path.stem), load_result(path)
    others = [r for r in result.rows if r["stage"].startswith((*PEER_SERIES, "reference_cpu/", "library/"))]
    rows = [r for r in result.rows if r not in others]
    # The programs of one kind measure other things than PROGRAM's kinds.
    if experiment.kind not in kinds():
        with pytest.raises(RefusedError, match="measure it again"):
            works_of(experiment, rows, 1000)
        return
    works = works_of(experiment, rows, 500_000_000)
    groups = {(r["stage"], r.get("end_to_end"), r.get("executor")) for r in rows}
    lists = experiment.random_access.rows if experiment.random_access else 0
    assert 0 < len(works) <= 3 * len(groups) + lists
    assert {key for job in jobs_of(works, HERE) for key in job["works"]} == {work.key for work in works}
    if others:
        with pytest.raises(RefusedError, match="measure them again"):
            works_of(experiment, others, 1000)


# In place of a measuring program: a row for each point, whose time is in a file of its name.
MADE_UP = f"""#!{sys.executable}
import json, sys
from pathlib import Path
values = dict(zip(sys.argv[2::2], sys.argv[3::2]))
points = json.loads(Path(values["--points"]).read_text())["points"]
with open("calls", "a") as calls:
    calls.write(Path(sys.argv[0]).name + " " + Path(values["--input"]).name + "\\n")
seconds = 1.5 if "after" in sys.argv[0] else 1.0
rows = [{{"stage": p["stage"], "variant": "", "seconds": {{"median": seconds}}}} for p in points]
said = {{name: "x" for name in ("gpu", "driver", "cuda", "clocks", "compiler", "flags", "date")}}
Path(values["--output"]).write_text(json.dumps({{"environment": said, "rows": rows}}))
"""


def packed(folder: Path) -> dict[str, Any]:
    (folder / "bin").mkdir(parents=True)
    for side in ("before", "after"):
        with gzip.open(folder / "bin" / f"{side}_{PROGRAM}.gz", "wb") as file:
            file.write(MADE_UP.encode())
    (folder / "texts").mkdir()
    with gzip.open(folder / "texts" / "words.gz", "wb") as file:
        file.write(b"one two ")
    plan = {
        **{"from": "a" * 40, "to": "b" * 40, "text_bytes": 1000, "rounds": 3, "repetitions": 2},
        "datasets": {"tpch/l_comment": {"file": "texts/words"}},
        "jobs": jobs_of([WORK], HERE),
    }
    (folder / "plan.json").write_text(json.dumps(plan))
    (folder / "alternate.py").write_text(Path(alternate.__file__).read_text(encoding="utf-8"))
    return plan


def test_both_commits_run_alternately(tmp_path: Path) -> None:
    folder = tmp_path / "packed"
    packed(folder)
    command = [sys.executable, str(folder / "alternate.py")]
    subprocess.run(command, check=True, cwd=tmp_path)
    calls = (tmp_path / "calls").read_text().split("\n")[:-1]
    names = [f"{side}_{PROGRAM} tpch_l_comment_1000" for side in ("before", "after")]
    assert calls == names * 3
    assert (folder / "texts" / "tpch_l_comment_1000").read_bytes() == (b"one two " * 125)
    document = json.loads((folder / "evidence.json").read_text())
    assert document["works"] == {
        WORK.key: [{"row": {"stage": STAGE, "variant": ""}, "before": [1.0] * 3, "after": [1.5] * 3}]
    }
    # What is there is not measured again.
    (folder / "results" / "0_2_after.json").unlink()
    subprocess.run(command, check=True, cwd=tmp_path)
    assert (tmp_path / "calls").read_text().split("\n")[6:-1] == names[1:]


def test_a_parameter_of_one_commit_alone_is_no_other_row() -> None:
    def run(**parameters: int) -> dict[str, Any]:
        return {"stage": STAGE, "parameters": parameters, "seconds": {"median": 1.0}}

    def work(after: dict[str, Any]) -> list[dict[str, Any]]:
        results = {"before": [{"rows": [run(blocks=4)]}], "after": [{"rows": [after]}]}
        return alternate._rows_of_work(results, 0, 1)

    assert work(run(blocks=4, step=3))[0]["row"]["parameters"] == {"blocks": 4}
    for other in (run(blocks=5, step=3), {**run(blocks=4), "stage": "another"}):
        with pytest.raises(SystemExit, match="other rows"):
            work(other)


def test_a_job_that_fails_is_named_and_left_out(tmp_path: Path) -> None:
    folder = tmp_path / "packed"
    plan = packed(folder)
    broken = {
        **plan["jobs"][0],
        "before": {"program": "nothing", "arguments": [], "document": {}},
        "works": ["broken"],
    }
    with gzip.open(folder / "bin" / "before_nothing.gz", "wb") as file:
        file.write(b"#!/bin/sh\nexit 3\n")
    (folder / "plan.json").write_text(json.dumps({**plan, "jobs": [broken, *plan["jobs"]]}))
    command = [sys.executable, str(folder / "alternate.py")]
    ended = subprocess.run(command, check=False, cwd=tmp_path, capture_output=True, text=True)
    assert ended.returncode == 1
    assert "job 1, decode on tpch/l_comment" in ended.stderr
    assert list(json.loads((folder / "evidence.json").read_text())["works"]) == [WORK.key]
