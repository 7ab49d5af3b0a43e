import json
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from experiments.carry_over import records
from experiments.carry_over.carrying import REFUSALS, Commits, carry, keep_evidence, rule_s
from experiments.carry_over.checkouts import Build
from experiments.carry_over.gpus import UnknownGpuError, gpu_properties
from experiments.carry_over.points import point_runs
from experiments.carry_over.records import RefusedError, Trees, check_compiler, check_covered, check_rows
from experiments.definition import load_experiment
from experiments.made_up_results import made_up_result, row
from experiments.record_checksums import add_checksum, changed_records
from experiments.results import Result, load_result, write_result

H200 = gpu_properties("NVIDIA H200")
TARGET = "beyond_columns"
STAGES = ("gsst/01_blocks", "gsst/07_tuned")
COMPILER = "nvcc 13.0.88, GNU 12.2.0"
FLAGS = "Release:  -std=c++20 -O3 -DNDEBUG for 90-real"
BEFORE, AFTER = "a" * 40, "b" * 40


def rows(**changes: object) -> list[dict[str, Any]]:
    return [row(stage=stage, variant="", **changes) for stage in STAGES]


def record(folder: Path, gpu: str | None = "NVIDIA H200") -> Path:
    """A recorded result whose digest is what `digests` gives unless said."""
    result = made_up_result(
        TARGET,
        rows(parameters={"blocks": 1, "splits": 1}),
        gpu=gpu,
        cuda="13.0",
        compiler=COMPILER,
        flags=FLAGS,
    )
    path = folder / "recorded" / "h200" / f"{TARGET}.json"
    write_result(replace(result, sources_digest="1" * 64), path)
    add_checksum(path, folder / "recorded")
    return path


@pytest.fixture
def commits(tmp_path: Path) -> Commits:
    return Commits(BEFORE, AFTER, Trees(tmp_path / "before", tmp_path / "after"), tmp_path)


@pytest.fixture
def digests(monkeypatch: pytest.MonkeyPatch) -> dict[tuple[str, str], str]:
    """Digests by tree and stage, each one digit; 1, the record's, unless said. Of several the largest."""
    of: dict[tuple[str, str], str] = {}

    def digest(_: str, stages: list[str], tree: Path) -> str:
        return max(of.get((tree.name, stage), "1") for stage in stages) * 64

    monkeypatch.setattr(records, "target_digest", digest)
    monkeypatch.setattr(records, "_own_digest", lambda *_: "f" * 64)
    return of


def allow(*_: object) -> str:
    return "K and L"


def test_a_record_is_carried_over(
    tmp_path: Path, commits: Commits, digests: dict[tuple[str, str], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = record(tmp_path)
    digests["after", STAGES[1]] = "2"
    asked = []

    def rule(_: Commits, __: Result, changed: list[str]) -> str:
        asked.append(changed)
        return "K and L"

    monkeypatch.setattr(records, "apply", partial(records.apply, folder=tmp_path / "recorded"))
    assert carry(path, commits, rule, dry_run=True) == ("may be carried over by K and L", False)
    assert load_result(path).carried == ()
    assert carry(path, commits, rule, dry_run=False) == ("carried over by K and L", True)
    assert asked == [[STAGES[1]]] * 2
    result = load_result(path)
    assert result.sources_digest == "2" * 64
    assert [(c.from_commit, c.to_commit, c.rule) for c in result.carried] == [(BEFORE, AFTER, "K and L")]
    assert changed_records(tmp_path / "recorded") == []


def test_a_refusal_changes_nothing(
    tmp_path: Path, commits: Commits, digests: dict[tuple[str, str], str]
) -> None:
    path = record(tmp_path)
    digests["after", STAGES[0]] = "2"
    content = path.read_bytes()

    def rule(*_: object) -> str:
        raise RefusedError("no")

    with pytest.raises(RefusedError):
        carry(path, commits, rule, dry_run=False)
    assert path.read_bytes() == content


def test_a_record_that_is_fresh_by_its_digest_is_left_alone(
    tmp_path: Path, commits: Commits, digests: dict[tuple[str, str], str]
) -> None:
    assert digests == {}
    assert carry(record(tmp_path), commits, allow, dry_run=False) == ("is fresh there by its digest", False)


def test_a_record_that_is_not_fresh_at_the_first_commit_is_refused(
    tmp_path: Path, commits: Commits, digests: dict[tuple[str, str], str]
) -> None:
    digests["before", STAGES[0]] = "2"
    with pytest.raises(RefusedError, match="not fresh at the first commit"):
        carry(record(tmp_path), commits, allow, dry_run=False)


def test_a_record_of_another_gpu_is_refused(tmp_path: Path, commits: Commits) -> None:
    for gpu in (None, "NVIDIA Made-up"):
        with pytest.raises(UnknownGpuError):
            carry(record(tmp_path, gpu=gpu), commits, allow, dry_run=False)


def test_times_that_mean_something_else_are_refused(
    tmp_path: Path, commits: Commits, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(records, "timing_of", lambda _: 99)
    with pytest.raises(RefusedError, match="mean something else"):
        carry(record(tmp_path), commits, allow, dry_run=False)


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"end_to_end": True}, "end to end"),
        ({"executor": "cpu"}, "times of the CPU"),
        ({"stage": "reference_cpu/fast"}, "times of the CPU"),
        ({"stage": "library/cpu_ranges"}, "times of the CPU"),
        ({"stage": "nvcomp/LZ4"}, "another library"),
    ],
)
def test_rows_that_launches_say_nothing_about_are_named(changes: dict[str, Any], reason: str) -> None:
    experiment = load_experiment(TARGET)
    check_rows(experiment, rows())
    bad = {**row(stage=STAGES[0]), **changes}
    with pytest.raises(RefusedError, match=f"1 rows of {bad['stage']}: .*{reason}"):
        check_rows(experiment, [*rows(), bad])


@pytest.mark.parametrize(
    "target", ["beyond_checksums", "beyond_overlap", "encoder_fig_13", "gsst_fig_6_4", "gsst_fig_b_1"]
)
def test_programs_that_launches_say_nothing_about_are_refused(target: str) -> None:
    with pytest.raises(RefusedError, match="rules K and L say nothing"):
        check_rows(load_experiment(target), [])


def test_the_compiler_must_be_the_records(tmp_path: Path) -> None:
    result = load_result(record(tmp_path))
    check_compiler(result, Build(tmp_path, COMPILER, FLAGS), H200)
    more = FLAGS.replace("90-real", "80-real,90-real,90-virtual")
    check_compiler(result, Build(tmp_path, COMPILER, more), H200)
    for build in (
        Build(tmp_path, "nvcc 13.1.0, GNU 12.2.0", FLAGS),
        Build(tmp_path, COMPILER, FLAGS.replace("-O3", "-O2")),
        Build(tmp_path, COMPILER, FLAGS.replace("90-real", "80-real")),
    ):
        with pytest.raises(RefusedError, match="compiled with"):
            check_compiler(result, build, H200)


def test_a_row_without_a_point_is_refused() -> None:
    experiment = load_experiment(TARGET)
    runs = point_runs(experiment, H200.multiprocessors, STAGES)
    parameters = [{"active_threads": 32}, {"alignment": 32, "input_transfers": 1, "output_transfers": 4}]
    good = [{**r, "parameters": p} for r, p in zip(rows(), parameters, strict=True)]
    check_covered(experiment, good, runs)
    for bad in ({**good[0], "parameters": {"active_threads": 8}}, {**good[0], "variant": "another"}):
        with pytest.raises(RefusedError, match="has no point"):
            check_covered(experiment, [bad], runs)


def test_evidence_must_be_of_these_commits_and_this_gpu(tmp_path: Path, commits: Commits) -> None:
    result = load_result(record(tmp_path))
    good = {"from": BEFORE, "to": AFTER, "gpu": "NVIDIA H200", "text_bytes": 1000, "works": {}}
    path = tmp_path / "evidence.json"
    for change in ({"from": AFTER}, {"gpu": "NVIDIA Made-up"}):
        path.write_text(json.dumps({**good, **change}), encoding="utf-8")
        with pytest.raises(RefusedError, match=r"is (about|of)"):
            rule_s(path)(commits, result, STAGES)
    path.write_text("{}", encoding="utf-8")
    with pytest.raises(RefusedError, match="no evidence"):
        rule_s(path)
    path.write_text(json.dumps(good), encoding="utf-8")
    with pytest.raises(REFUSALS, match="not measured"):
        rule_s(path)(commits, result, STAGES)
    kept = keep_evidence(path, "h200", tmp_path / "recorded")
    assert kept.read_bytes() == path.read_bytes()
    assert kept.parent == tmp_path / "recorded" / "h200" / "carried"
