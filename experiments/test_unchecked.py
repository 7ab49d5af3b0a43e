"""Which stage an unchecked variant is of."""

import pytest

from experiments.definition import load_experiment
from experiments.gpu_host import Gpu
from experiments.gpu_program import GpuMeasurementError
from experiments.run_gpu_measurement import check_gpu
from experiments.unchecked import checked_stage

STAGE = "gsst/09_warp_tiles"


def test_an_unchecked_variant_is_of_its_stage() -> None:
    assert checked_stage(f"{STAGE}_unchecked") == STAGE
    assert checked_stage(STAGE) == STAGE


def test_a_gpu_suits_an_unchecked_variant_if_it_suits_the_stage() -> None:
    experiment = load_experiment("warp_tiles_ladder")
    check_gpu(experiment, Gpu("made up", "1.0", (9, 0)))
    with pytest.raises(GpuMeasurementError, match="gsst/09_warp_tiles needs a GPU"):
        check_gpu(experiment, Gpu("made up", "1.0", (7, 5)))
