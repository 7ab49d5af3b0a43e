"""Verdicts and what they rest on: their claims, evaluated on the records and the published numbers.

python -m experiments.verdicts [TARGET ...] prints every statement of the verdicts with the numbers behind it.
"""

import argparse
import functools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from experiments.charts.drawing import drawing_of
from experiments.claims import ClaimError, Evidence, Finding, Row, evaluate
from experiments.definition import (
    EXPERIMENTS_DIR,
    Experiment,
    Statement,
    Verdict,
    all_targets,
    load_experiment,
)
from experiments.published import load_published
from experiments.results import RECORDED_DIR, Result, load_result


@dataclass(frozen=True)
class Judged:
    """One claim of a verdict: its place in the YAML file, its statement, and whether it holds."""

    place: str
    statement: Statement
    claim: Mapping[str, Any]
    finding: Finding


@functools.cache
def _record(target: str, machine: str) -> Result | None:
    path = RECORDED_DIR / machine / f"{target}.json"
    return load_result(path) if path.exists() else None


def recorded_evidence(experiment: Experiment) -> Evidence:
    """What the claims of the experiment's verdict are evaluated on."""
    assert experiment.verdict is not None
    machine = experiment.verdict.machine
    published = load_published()

    def rows_of(target: str) -> tuple[Row, ...]:
        name = experiment.source if target == experiment.target else target
        result = _record(name, machine) if machine else None
        return result.rows if result else ()

    drawing = drawing_of(experiment)

    @functools.cache
    def compared(policy: str | None) -> Mapping[str, float]:
        result = _record(experiment.source, machine) if machine else None
        if result is None:
            return {}
        return drawing.compare(result.with_policy(policy) if policy else result, published)

    @functools.cache
    def modelled() -> Mapping[str, float]:
        return drawing.compare(None, published)

    return Evidence(experiment.target, rows_of, compared, modelled, published, experiment.published)


def judge(experiment: Experiment, evidence: Evidence) -> Iterator[Judged]:
    """Every claim of the experiment's verdict. Raises ClaimError, which names the file and the field."""
    assert experiment.verdict is not None
    path = (EXPERIMENTS_DIR / f"{experiment.target}.yaml").relative_to(EXPERIMENTS_DIR.parent)
    for number, statement in enumerate(experiment.verdict.statements):
        for index, claim in enumerate(statement.claims):
            place = f"{path}: verdict.statements[{number}].claims[{index}]"
            yield Judged(place, statement, claim, evaluate(claim, evidence, place))


def outcome_of(verdict: Verdict) -> str:
    """What follows from which statements agree with the paper and which differ from it."""
    agrees = any(statement.agrees_with for statement in verdict.statements)
    differs = any(statement.differs_from for statement in verdict.statements)
    if agrees and differs:
        return "partly reproduced"
    if agrees or differs:
        return "reproduced" if agrees else "not reproduced"
    return "not comparable"


def _print(target: str) -> None:
    experiment = load_experiment(target)
    if experiment.verdict is None:
        return
    print(f"{target}: {experiment.verdict.outcome}")
    said = None
    for judged in judge(experiment, recorded_evidence(experiment)):
        if judged.statement is not said:
            said = judged.statement
            print(f"  {said.text}")
        print(f"    {'holds' if judged.finding.holds else 'FAILS'}: {judged.finding.text}")


def main() -> None:
    """Prints the verdicts of the targets that are named, or of all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("targets", nargs="*", metavar="TARGET")
    for target in parser.parse_args().targets or all_targets():
        try:
            _print(target)
        except ClaimError as error:
            print(f"  error: {error}")


if __name__ == "__main__":
    main()
