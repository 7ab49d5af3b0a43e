"""The rows that stand for a stage with a ladder."""

from experiments.ladder_summary import ladder_summaries
from experiments.made_up_results import encoder_rows, made_up_result, tiles_rows

DECODER, ENCODER = "gsst/09_warp_tiles", "gsst/08_gpu_encoder"
STEPS = {("1 naive", 128, 4096): 5.0, ("2 hash", 128, 4096): 20.0}
OTHERS = {("2, long splits", 8, 65536): 40.0}


def test_the_last_step_stands_for_an_encoder_whatever_is_measured_after_it() -> None:
    ladder = made_up_result("encoder_ladder", encoder_rows({**STEPS, **OTHERS}), machine="h200")
    (summary,) = ladder_summaries([ladder], ENCODER)
    assert (summary.machine, summary.end_to_end) == ("H200", 10.0)
    assert [(row["variant"], row["throughput_gb_per_s"]) for row in summary.rows] == [("2 hash", 20.0)]


def test_the_fastest_step_stands_for_a_decoder_and_before_it_the_row_at_level_1() -> None:
    rows = tiles_rows({"1 tiles": 1000.0, "2, greedy": 2000.0}) + tiles_rows(
        {"2, optimal": 1900.0}, parse="optimal"
    )
    rows += tiles_rows({"2, 9 warps": 3000.0}, warps=9) + tiles_rows({"2, level 1": 900.0}, level=1)
    (summary,) = ladder_summaries([made_up_result("warp_tiles_ladder", rows)], DECODER)
    assert [row["variant"] for row in summary.rows] == ["2, level 1", "2, greedy"]
    assert summary.end_to_end is None


def test_another_stage_has_none() -> None:
    assert ladder_summaries([made_up_result("encoder_ladder", encoder_rows(STEPS))], DECODER) == []
