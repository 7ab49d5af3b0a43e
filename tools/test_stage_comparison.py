from typing import Any

import pytest

from tools.series import Check, SeriesError, check_of
from tools.stage_comparison import (
    Speed,
    compare,
    comparison_table,
    drop_beyond_noise,
    points_to_measure,
    recorded_row,
    speed,
)

MINE = {"id": "gsst/70_mine", "format": "splits"}
BASE = {"id": "gsst/04_alignment", "format": "splits"}
CHECK = check_of("gsst/04_alignment")
FIRST = {"id": "gsst/01_blocks", "format": "blocks"}


def row(stage: str, throughput: float, **changes: Any) -> dict[str, Any]:  # noqa: ANN401
    made = {
        "stage": stage,
        "variant": "",
        "parameters": {"alignment": 16, "blocks": 2112, "splits": 192},
        "seconds": {"min": 0.99, "median": 1.0, "max": 1.01},
        "throughput_gb_per_s": throughput,
        "streaming_limit_gb_per_s": 1000.0,
    }
    return {**made, **changes}


def document(gpu: str, *rows: dict[str, Any]) -> dict[str, Any]:
    return {"environment": {"gpu": gpu}, "rows": list(rows)}


def test_speed_is_a_share_of_the_limit_of_its_own_run() -> None:
    found = speed("x", row("gsst/04_alignment", 250.0))
    assert (found.label, found.gigabytes_per_second, found.share_of_limit) == ("x", 250.0, 0.25)
    assert found.noise == pytest.approx(0.02)


def test_the_best_record_of_the_same_gpu_counts() -> None:
    documents = [
        document("NVIDIA A100", row("gsst/04_alignment", 900.0)),
        document("NVIDIA H200", row("gsst/04_alignment", 200.0), row("gsst/04_alignment", 300.0)),
        document("NVIDIA H200", row("gsst/04_alignment", 400.0, variant="other kernel")),
        document("NVIDIA H200", row("gsst/02_splits", 500.0)),
    ]
    found = recorded_row(documents, "NVIDIA H200", "gsst/04_alignment")
    assert found is not None
    assert found["throughput_gb_per_s"] == 300.0
    assert recorded_row(documents, "NVIDIA H200", "gsst/70_mine") is None
    assert recorded_row(documents, "NVIDIA H100", "gsst/04_alignment") is None


def test_recorded_stages_are_measured_as_they_were_recorded() -> None:
    base_record = row("gsst/01_blocks", 1.0, parameters={"active_threads": 8, "blocks": 77, "splits": 1})
    points = points_to_measure([BASE, FIRST], [row("gsst/04_alignment", 300.0), base_record], CHECK)
    assert points == [
        {"stage": "gsst/04_alignment", "parameters": {"alignment": 16}, "blocks": 2112, "splits": 192},
        {"stage": "gsst/01_blocks", "parameters": {"active_threads": 8}, "blocks": 77, "splits": 1},
    ]


def test_a_stage_without_record_gets_the_setting_of_its_base() -> None:
    points = points_to_measure([MINE, BASE], [None, row("gsst/04_alignment", 300.0)], CHECK)
    assert [point["stage"] for point in points] == ["gsst/70_mine", "gsst/04_alignment"]
    assert {(point["blocks"], point["splits"], str(point["parameters"])) for point in points} == {
        ("16 per SM", 192, "{}")
    }
    (first,) = points_to_measure([FIRST], [None], CHECK)
    assert first == {"stage": "gsst/01_blocks", "parameters": {}, "blocks": "3072 per SM"}


def test_another_series_says_its_own_inputs() -> None:
    check = Check("pairs", "numbers", 1.0, {"pairs": {"block_bytes": 4096, "longest_pair": 7}})
    stage = {"id": "made_up/01_pairs", "format": "pairs"}
    said = {"stage": "made_up/01_pairs", "parameters": {}, "block_bytes": 4096, "longest_pair": 7}
    assert points_to_measure([stage], [None], check) == [said]
    record = row("made_up/01_pairs", 1.0, parameters={"step": 2, "blocks": 9, "splits": 1})
    assert points_to_measure([stage], [record], check) == [
        {"stage": "made_up/01_pairs", "parameters": {"step": 2}, "blocks": 9, "splits": 1, "longest_pair": 7}
    ]
    with pytest.raises(SeriesError, match=r"stages/gsst/series.yaml says no input of format splits"):
        points_to_measure([BASE], [None], check)


def test_a_drop_counts_only_beyond_the_noise_of_both() -> None:
    reference = Speed("before", 400.0, 0.40, 0.02)
    assert drop_beyond_noise(Speed("now", 100.0, 0.389, 0.01), reference) is None
    assert drop_beyond_noise(Speed("now", 100.0, 0.50, 0.0), reference) is None
    problem = drop_beyond_noise(Speed("now", 400.0, 0.36, 0.01), reference)
    assert (
        problem
        == "now reaches 10.0% less of the streaming limit than before; the noise of both together is 3.0%"
    )


def test_a_recorded_stage_is_held_to_its_record_and_may_be_slower_than_its_base() -> None:
    rows = [row("gsst/05_coalesced", 200.0), row("gsst/04_alignment", 300.0)]
    speeds, failure = compare(rows, row("gsst/05_coalesced", 201.0))
    assert [entry.label for entry in speeds] == [
        "gsst/05_coalesced, now",
        "gsst/04_alignment, its base, now",
        "gsst/05_coalesced, recorded",
    ]
    assert failure is None
    assert "than gsst/05_coalesced, recorded" in str(compare(rows, row("gsst/05_coalesced", 300.0))[1])


def test_a_stage_without_record_is_held_to_its_base() -> None:
    slower = [row("gsst/70_mine", 200.0), row("gsst/04_alignment", 300.0)]
    assert "than gsst/04_alignment, its base, now" in str(compare(slower, None)[1])
    faster = [row("gsst/70_mine", 310.0), row("gsst/04_alignment", 300.0)]
    assert compare(faster, None)[1] is None


def test_the_first_stage_without_record_has_nothing_to_be_held_to() -> None:
    speeds, failure = compare([row("gsst/01_blocks", 1.0)], None)
    assert (len(speeds), failure) == (1, None)


def test_the_table_lines_up() -> None:
    table = comparison_table([Speed("a", 1234.5, 0.5, 0.01), Speed("longer", 2.0, 0.001, 0.2)])
    assert table.splitlines() == [
        "            GB/s  of limit   noise",
        "a         1234.5     50.0%    1.0%",
        "longer       2.0      0.1%   20.0%",
    ]
