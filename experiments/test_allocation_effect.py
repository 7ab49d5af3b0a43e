"""The table of what allocating costs an encoder."""

from pathlib import Path

from experiments.allocation_effect import allocation_effects, recorded_allocations, throughputs
from experiments.made_up_results import encoder_memory_rows, made_up_result
from experiments.results import write_result

STAGE = "gsst/08_gpu_encoder"


def seconds(median: float) -> dict[str, float | int]:
    return {"median": median, "min": 0.9 * median, "max": 1.2 * median, "stddev": 0.0, "repetitions": 10}


TIMES = {"without_allocations": seconds(0.001), "with_allocations": seconds(0.002)}
ROWS = encoder_memory_rows({(STAGE, ""): 5, ("nvcomp/LZ4", "batched"): 7})
TIMED = [{**ROWS[0], "end_to_end_seconds": TIMES}, ROWS[1]]


def test_both_ways_stand_below_each_other() -> None:
    (effect,) = allocation_effects([made_up_result("encoder_fig_13", TIMED, machine="h200")], STAGE)
    assert effect.machine == "H200"
    assert "commit" in effect.source
    first, second = effect.table.lines
    assert first == ("memory is there", "8", "1", "0.9 to 1.2")
    assert second == ("memory is allocated before and freed after", "4", "2", "1.8 to 2.4")


def test_what_was_not_timed_has_no_table() -> None:
    assert throughputs(ROWS[0]) == {}
    assert allocation_effects([made_up_result("encoder_fig_13", ROWS)], STAGE) == []
    assert allocation_effects([made_up_result("encoder_fig_13", TIMED)], "nvcomp/LZ4") == []


def test_records_are_found(tmp_path: Path) -> None:
    write_result(made_up_result("encoder_fig_13", TIMED), tmp_path / "h200" / "encoder_fig_13.json")
    (effect,) = allocation_effects(recorded_allocations(tmp_path), STAGE)
    assert effect.table.lines[0][1] == "8"
