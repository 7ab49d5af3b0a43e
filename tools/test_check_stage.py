from tools.check_stage import problem_with

STAGES = ["gsst/01_blocks", "gsst/02_splits"]


def test_without_any_stage_it_says_so() -> None:
    problem = problem_with("gsst/01_blocks", [])
    assert problem is not None and "no stage is registered" in problem


def test_an_unknown_stage_is_named_beside_the_known_ones() -> None:
    problem = problem_with("gsst/1", STAGES)
    assert problem is not None and "'gsst/1'" in problem and "gsst/02_splits" in problem


def test_a_stage_must_be_given() -> None:
    problem = problem_with("", STAGES)
    assert problem is not None and "make check STAGE=" in problem


def test_a_registered_stage_can_be_checked() -> None:
    assert problem_with("gsst/02_splits", STAGES) is None
