"""What the check for damaged input costs, and which stage an unchecked variant is of."""

import pytest

from experiments.definition import load_experiment
from experiments.gpu_host import Gpu
from experiments.gpu_program import GpuMeasurementError
from experiments.made_up_results import made_up_result, tiles_rows
from experiments.results import Result
from experiments.run_gpu_measurement import check_gpu
from experiments.unchecked import check_costs, checked_stage

STAGE = "gsst/09_warp_tiles"


def ladder(throughputs: dict[str, float], code_bits: tuple[int, ...], unchecked: int) -> Result:
    """Rows by variant, of which the last `unchecked` are of the unchecked variant."""
    rows = tiles_rows(throughputs)
    for row, bits in zip(rows, code_bits, strict=True):
        row["tiles"] = {**row["tiles"], "code_bits": bits}
    for row in rows[len(rows) - unchecked :]:
        row["stage"] = f"{STAGE}_unchecked"
    return made_up_result("warp_tiles_ladder", rows, machine="h200")


def test_an_unchecked_variant_is_of_its_stage() -> None:
    assert checked_stage(f"{STAGE}_unchecked") == STAGE
    assert checked_stage(STAGE) == STAGE


def test_an_unchecked_row_stands_beside_the_last_step_with_the_same_codes() -> None:
    throughputs = {"8 loads": 1000.0, "9 front": 2000.0, "10 halves": 1600.0, "9, unchecked": 2010.0}
    result = ladder(throughputs, (8, 8, 12, 8), unchecked=1)
    ((machine, table),) = check_costs([result], STAGE)
    assert machine == "H200"
    assert table.lines == (("9 front", "8 bits, greedy parse", "2000", "2010", "+0.5 %"),)


def test_an_unchecked_row_stands_beside_no_other_choice() -> None:
    rows = tiles_rows({"9 front": 2000.0})
    rows += tiles_rows({"9, 9 warps": 1000.0}, warps=9) + tiles_rows({"9, level 1": 1500.0}, level=1)
    rows += [{**row, "stage": f"{STAGE}_unchecked"} for row in tiles_rows({"9, unchecked": 2100.0})]
    ((_, table),) = check_costs([made_up_result("warp_tiles_ladder", rows, machine="h200")], STAGE)
    assert table.lines == (("9 front", "8 bits, greedy parse", "2000", "2100", "+5.0 %"),)


def test_without_an_unchecked_row_nothing_is_said() -> None:
    assert check_costs([ladder({"9 front": 2000.0}, (8,), unchecked=0)], STAGE) == []
    other_codes = ladder({"9 front": 2000.0, "10, unchecked": 2000.0}, (8, 12), unchecked=1)
    assert check_costs([other_codes], STAGE) == []


def test_a_gpu_suits_an_unchecked_variant_if_it_suits_the_stage() -> None:
    experiment = load_experiment("warp_tiles_ladder")
    check_gpu(experiment, Gpu("made up", "1.0", (9, 0)))
    with pytest.raises(GpuMeasurementError, match="gsst/09_warp_tiles needs a GPU"):
        check_gpu(experiment, Gpu("made up", "1.0", (7, 5)))
