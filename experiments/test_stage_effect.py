from pathlib import Path

import pytest

from experiments.made_up_results import counters_rows, made_up_result, stages_rows
from experiments.published import load_published
from experiments.results import write_result
from experiments.stage_effect import (
    Measurements,
    machine_title,
    recorded_measurements,
    stage_effect,
    thesis_factor,
)
from experiments.stage_effect_text import counters_table, share_text, throughput_table
from experiments.text_template import number_text

BLOCKS, SPLITS = "gsst/01_blocks", "gsst/02_splits"
PUBLISHED = load_published()


def measurements(counters: bool = True) -> Measurements:
    throughput = made_up_result("gsst_fig_6_1", stages_rows({"01_blocks": 2.0, "02_splits": 24.0}))
    profile = made_up_result("gsst_table_6_1", counters_rows({"01_blocks": 50.0, "02_splits": 60.0}))
    return Measurements("H200", throughput, profile if counters else None)


def test_the_factor_is_of_the_same_policy() -> None:
    changed = measurements()
    changed.throughput.rows[1]["throughput_gb_per_s"] = 5.28
    effect = stage_effect(changed, PUBLISHED, SPLITS, BLOCKS)
    assert effect is not None
    assert [policy.policy for policy in effect.policies] == ["common", "best"]
    assert [policy.factor for policy in effect.policies] == pytest.approx([12.0, 5.0])
    assert [policy.share for policy in effect.policies] == pytest.approx([0.0012, 0.00132])
    assert effect.thesis_factor == 9


def test_a_first_stage_has_no_factor() -> None:
    effect = stage_effect(measurements(), PUBLISHED, BLOCKS, "")
    assert effect is not None
    assert [policy.factor for policy in effect.policies] == [None, None]
    assert throughput_table(effect, "").header == (
        "parameters",
        "GB/s",
        "share of the streaming limit",
        "setting",
    )


def test_a_base_that_was_not_measured_leaves_the_factor_open() -> None:
    effect = stage_effect(measurements(), PUBLISHED, SPLITS, "gsst/01_other")
    assert effect is not None
    assert throughput_table(effect, "gsst/01_other").lines[0][1:4] == ("24", "-", "-")


def test_a_stage_that_was_not_measured_has_no_effect() -> None:
    assert stage_effect(measurements(), PUBLISHED, "gsst/03_shared_memory", SPLITS) is None


def test_counters_stand_beside_the_base_s() -> None:
    effect = stage_effect(measurements(), PUBLISHED, SPLITS, BLOCKS)
    assert effect is not None
    table = counters_table(effect, SPLITS, BLOCKS)
    assert table is not None
    assert table.header == ("counter (common parameters)", "02_splits", "01_blocks")
    assert table.lines[0] == ("memory (%)", "60", "50")


def test_without_a_profile_there_are_no_counters() -> None:
    effect = stage_effect(measurements(counters=False), PUBLISHED, SPLITS, BLOCKS)
    assert effect is not None
    assert counters_table(effect, SPLITS, BLOCKS) is None


def test_the_thesis_compares_07_with_04() -> None:
    assert thesis_factor(PUBLISHED, "gsst/07_tuned", "gsst/04_alignment") == 1.17
    assert thesis_factor(PUBLISHED, "gsst/07_tuned", "gsst/06_async") is None


def test_every_machine_with_a_record_is_found(tmp_path: Path) -> None:
    for machine in ("h200", "a100"):
        write_result(measurements().throughput, tmp_path / machine / "gsst_fig_6_1.json")
    profile = measurements().counters
    assert profile is not None
    write_result(profile, tmp_path / "h200" / "gsst_table_6_1.json")
    found = {entry.machine: entry.counters is not None for entry in recorded_measurements(tmp_path)}
    assert found == {"A100": False, "H200": True}
    assert machine_title(None) == "this machine"


@pytest.mark.parametrize(
    ("value", "text"), [(1234.5, "1234"), (191.04, "191"), (0.0625, "0.0625"), (None, "-")]
)
def test_numbers_have_three_digits(value: float | None, text: str) -> None:
    assert number_text(value) == text


def test_shares_are_percent() -> None:
    assert share_text(0.125) == "12 %"
    assert share_text(None) == "-"
