import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from experiments import sweep_result as module
from experiments.definition import load_experiment
from experiments.made_up_results import environment, row
from experiments.record import record
from experiments.results import ResultError, load_result
from experiments.sources import target_digest
from experiments.sweep_result import SweepError, sweep_result

TARGET = "gsst_tuning"
STAGE = "gsst/07_tuned"
EXPERIMENT = load_experiment(TARGET)
MULTIPROCESSORS = 10
# In the order of the experiment's file.
BLOCKS = [40, 50, 60, 70, 80, 90, 100, 120, 160]
DEFAULTS = {"thread_blocks": 0, "alignment": 32, "input_transfers": 1, "output_transfers": 4, "registers": 56}

Choice = dict[str, Any]


def measured_row(throughput: float, dataset: str, **parameters: int) -> dict[str, Any]:
    """A row as the measuring program's sweep writes it."""
    whole = {**DEFAULTS, "splits": 192, **parameters}
    made = row(throughput, stage=STAGE, variant="", parameters=whole, dataset=dataset, policy="best")
    return {**made, "blocks_per_multiprocessor": parameters["blocks"] // MULTIPROCESSORS}


def choice() -> Choice:
    """A sweep over the blocks: the last candidate is the fastest one."""
    return {
        "schema": 1,
        "environment": environment(gpu="Made-up GPU"),
        "sources_digest": target_digest(TARGET, [STAGE]),
        "candidates": [measured_row(float(blocks), "first part", blocks=blocks) for blocks in BLOCKS],
        "rows": [measured_row(170.0, "second part", blocks=160)],
    }


def test_every_candidate_and_the_reported_choice_have_a_row() -> None:
    result = sweep_result(EXPERIMENT, choice(), "choice.json")
    assert result.target == TARGET
    assert result.environment["gpu"] == "Made-up GPU"
    tried, chosen = result.with_policy("candidate").rows, result.with_policy("chosen").rows
    assert [line["parameters"]["blocks"] for line in tried] == BLOCKS
    assert [(line["throughput_gb_per_s"], line["dataset"]) for line in chosen] == [(170.0, "second part")]
    assert len(result.rows) == len(tried) + len(chosen)


def test_the_multiprocessors_follow_from_the_blocks() -> None:
    result = sweep_result(EXPERIMENT, choice(), "choice.json")
    assert {line["multiprocessors"] for line in result.rows} == {MULTIPROCESSORS}


def without_report(made: Choice) -> None:
    del made["rows"]


def empty_report(made: Choice) -> None:
    made["rows"] = []


def blocks_without_multiprocessors(made: Choice) -> None:
    del made["candidates"][0]["blocks_per_multiprocessor"]


def blocks_between(made: Choice) -> None:
    made["candidates"][0]["parameters"]["blocks"] = 41


def other_multiprocessors(made: Choice) -> None:
    made["candidates"][0]["parameters"]["blocks"] = 44


def another_alignment(made: Choice) -> None:
    made["candidates"][0]["parameters"]["alignment"] = 8


def another_stage(made: Choice) -> None:
    made["candidates"][0]["stage"] = "gsst/04_alignment"


def twice(made: Choice) -> None:
    made["candidates"].append(made["candidates"][0])


def untried_report(made: Choice) -> None:
    made["rows"][0]["parameters"]["splits"] = 256


def same_text(made: Choice) -> None:
    made["rows"][0]["dataset"] = "first part"


@pytest.mark.parametrize(
    ("spoil", "reason"),
    [
        (without_report, "has no rows"),
        (empty_report, "rows holds no rows"),
        (blocks_without_multiprocessors, "gsst/07_tuned has 40 blocks, None for each multiprocessor"),
        (blocks_between, "gsst/07_tuned has 41 blocks, 4 for each multiprocessor"),
        (other_multiprocessors, "blocks are those of 10 and 11 multiprocessors"),
        (another_alignment, "'alignment': 8.* is no candidate of gsst_tuning"),
        (another_stage, "gsst/04_alignment with .* is no candidate of gsst_tuning"),
        (twice, "'blocks': 40.* is a candidate twice"),
        (untried_report, "'splits': 256.* is reported and was no candidate"),
        (same_text, "first part was used to choose and to report"),
    ],
)
def test_what_is_not_the_experiment_s_sweep_is_refused(spoil: Callable[[Choice], None], reason: str) -> None:
    made = choice()
    spoil(made)
    with pytest.raises(SweepError, match=rf"^choice\.json: .*{reason}"):
        sweep_result(EXPERIMENT, made, "choice.json")


def test_an_experiment_without_a_sweep_is_refused() -> None:
    with pytest.raises(SweepError, match="gsst_fig_b_1 has no sweep"):
        sweep_result(load_experiment("gsst_fig_b_1"), choice(), "choice.json")


def test_a_row_that_was_not_verified_is_refused() -> None:
    made = choice()
    made["candidates"][3]["verified"] = False
    with pytest.raises(ResultError, match=r"choice\.json: \$\.rows\[3\]\.verified"):
        sweep_result(EXPERIMENT, made, "choice.json")


def run_main(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> int:
    monkeypatch.setattr(sys, "argv", ["sweep_result", *arguments])
    return module.main()


def test_the_written_result_can_be_recorded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source, result = tmp_path / "choice.json", tmp_path / "measured" / f"{TARGET}.json"
    source.write_text(json.dumps(choice()), encoding="utf-8")
    assert run_main(monkeypatch, str(source), "--target", TARGET, "--output", str(result)) == 0
    path = record(result, "some_machine", tmp_path / "recorded")
    assert load_result(path).rows == sweep_result(EXPERIMENT, choice(), "").rows


@pytest.mark.parametrize(
    ("text", "reason"),
    [("{", "not JSON"), ("[]", "not a JSON object"), ("{}", "has no schema"), (None, "No such file")],
)
def test_a_file_that_is_no_choice_leaves_no_result(
    text: str | None,
    reason: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    source, result = tmp_path / "choice.json", tmp_path / f"{TARGET}.json"
    if text is not None:
        source.write_text(text, encoding="utf-8")
    assert run_main(monkeypatch, str(source), "--target", TARGET, "--output", str(result)) == 1
    error = capsys.readouterr().err
    assert reason in error
    assert "choice.json" in error
    assert not result.exists()
