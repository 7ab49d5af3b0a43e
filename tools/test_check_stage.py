import pytest

from tools.check_stage import device_to_use, problem_with

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
