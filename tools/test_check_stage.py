import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tools import check_stage
from tools.check_stage import check_speed, device_to_use, problem_with
from tools.series import Check

STAGES = ["gsst/01_blocks", "gsst/02_splits"]


def test_without_any_stage_it_says_so() -> None:
    assert "no stage is registered yet" in str(problem_with("gsst/01_blocks", []))


def test_an_unknown_stage_is_named_beside_the_known_ones() -> None:
    expected = "no stage is called 'gsst/1'; registered: gsst/01_blocks, gsst/02_splits"
    assert problem_with("gsst/1", STAGES) == expected


def test_a_stage_must_be_given() -> None:
    assert "make check STAGE=<id>" in str(problem_with("", STAGES))


def test_a_registered_stage_can_be_checked() -> None:
    assert problem_with("gsst/02_splits", STAGES) is None


def test_the_device_is_the_gpu_where_there_is_one() -> None:
    assert device_to_use(None, gpu=True) == "gpu"
    assert device_to_use(None, gpu=False) == "simt"
    assert device_to_use("simt", gpu=True) == "simt"
    with pytest.raises(ValueError, match="needs a GPU"):
        device_to_use("gpu", gpu=False)


def measured(stage: str, throughput: float) -> dict[str, Any]:
    return {
        "stage": stage,
        "variant": "",
        "parameters": {"blocks": 100, "splits": 32},
        "seconds": {"min": 1.0, "median": 1.0, "max": 1.0},
        "throughput_gb_per_s": throughput,
        "streaming_limit_gb_per_s": 1000.0,
    }


@pytest.mark.parametrize(("now", "fails"), [(300.0, False), (299.0, True)])
def test_a_stage_is_measured_with_its_base_and_held_to_its_record(
    now: float,
    fails: bool,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    record = tmp_path / "record.json"
    rows = [measured("gsst/02_splits", 300.0)]
    record.write_text(json.dumps({"environment": {"gpu": "NVIDIA H200"}, "rows": rows}))
    check = Check("a_target", "a/b", 1.0, {"blocks": {"blocks": "3072 per SM"}, "splits": {}})
    monkeypatch.setattr(check_stage, "recorded_paths", {"a_target": [record]}.get)
    asked: list[dict[str, Any]] = []

    def measure(points: list[dict[str, Any]], measured_with: Check) -> dict[str, Any]:
        assert measured_with is check
        asked.extend(points)
        return {"rows": [measured("gsst/02_splits", now), measured("gsst/01_blocks", 10.0)]}

    monkeypatch.setattr(check_stage, "measure_stages", measure)
    listing = [
        {"id": "gsst/01_blocks", "base": "", "format": "blocks"},
        {"id": "gsst/02_splits", "base": "gsst/01_blocks", "format": "splits"},
    ]
    failure = check_speed("gsst/02_splits", listing, "NVIDIA H200", check)
    assert (failure is not None) == fails
    assert [(point["stage"], point["blocks"]) for point in asked] == [
        ("gsst/02_splits", 100),
        ("gsst/01_blocks", "3072 per SM"),
    ]
    table = capsys.readouterr().out
    for label in ("gsst/02_splits, now", "gsst/01_blocks, its base, now", "gsst/02_splits, recorded"):
        assert label in table


def run_main(monkeypatch: pytest.MonkeyPatch, stage: str, operation: str = "decode") -> None:
    """On a machine with a GPU, with tests that pass."""
    listing = [{"id": stage, "base": "", "format": "pairs", "operation": operation}]
    monkeypatch.setattr(check_stage, "registered_stages", lambda: listing)
    monkeypatch.setattr(check_stage, "find_gpu", lambda: SimpleNamespace(name="NVIDIA H200"))
    monkeypatch.setattr(check_stage, "device_to_use", lambda *_: "gpu")
    monkeypatch.setattr(check_stage, "tests_pass", lambda *_: True)
    monkeypatch.setattr("sys.argv", ["check_stage", stage])
    check_stage.main()


def test_a_stage_whose_series_names_no_target_is_only_tested(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run_main(monkeypatch, "made_up/01_pairs")
    said = capsys.readouterr().out
    assert "only tested: there is no stages/made_up/series.yaml that says which target" in said


def test_an_encoder_is_only_tested(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run_main(monkeypatch, "gsst/10_wide_encoder", "encode")
    assert "here only decoders are" in capsys.readouterr().out
