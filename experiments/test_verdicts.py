import re

import pytest

from experiments.definition import all_targets, load_experiment
from experiments.results import recorded_paths

# Names that hold digits: chips, caches, stages, and places in the thesis.
NAMES = re.compile(
    r"\b(?:A100|H200|L[12]|(?:stage )?0\d(?:_[a-z_]+)?|(?:Sections?|Tables?|Figures?|Equations?) [\d.]+\d)\b"
)


@pytest.mark.parametrize("target", all_targets())
def test_there_is_a_verdict_where_a_result_is_recorded_and_only_there(target: str) -> None:
    experiment = load_experiment(target)
    machines = {path.parent.name for path in recorded_paths(target)}
    if experiment.program is None:
        assert experiment.verdict is not None, "a model can be judged without a measurement"
        assert experiment.verdict.machine is None
    elif machines:
        assert experiment.verdict is not None, f"recorded on {machines}: say what it means"
        assert experiment.verdict.machine in machines
    else:
        assert experiment.verdict is None, "nothing is recorded that could be judged"


@pytest.mark.parametrize("target", all_targets())
def test_a_verdict_holds_no_number(target: str) -> None:
    verdict = load_experiment(target).verdict
    if verdict is not None:
        assert not re.search(r"\d", NAMES.sub("", verdict.text)), "numbers stand in the comparison"


@pytest.mark.parametrize("target", all_targets())
def test_a_verdict_on_a_gpu_that_differs_names_chip_and_compiler(target: str) -> None:
    experiment = load_experiment(target)
    if experiment.needs == "gpu" and experiment.verdict and experiment.verdict.outcome != "reproduced":
        assert "chip" in experiment.verdict.text
        assert "compiler" in experiment.verdict.text
