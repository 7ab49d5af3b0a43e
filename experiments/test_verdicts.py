import functools
import re
import sys
from collections.abc import Iterator
from dataclasses import replace

import pytest

from experiments.claims import Document, evaluate
from experiments.definition import Experiment, Verdict, all_targets
from experiments.definition import load_experiment as read_experiment
from experiments.results import recorded_paths
from experiments.verdicts import Judged, judge, main, outcome_of, recorded_evidence

# Names that hold digits: chips, caches, stages, columns, codecs, and places in the thesis.
NAMES = re.compile(
    r"\b(?:A100|H100|H200|L[12]|LZ4|bzip2|urls2|(?:stage )?0\d(?:_[a-z_]+)?"
    r"|(?:Sections?|Tables?|Figures?|Equations?) [\d.]+\d)\b"
)
PLACE = re.compile(r"(?:Sections?|Tables?|Figures?) (?:[\dB.]+|[IVX]+(?:-[A-Z])?\b)|Abstract")
# Words for amounts, which only a claim may say.
AMOUNTS = re.compile(
    r"\b(?:half|thirds?|quarters?|fifths?|tenths?|percent|twice|double|times (?:as|faster)"
    r"|faste(?:r|st)|slowe(?:r|st))\b"
)


# Read and judged once: every test asks for it.
@functools.cache
def load_experiment(target: str) -> Experiment:
    return read_experiment(target)


@functools.cache
def judged_claims(target: str) -> list[Judged]:
    experiment = load_experiment(target)
    return list(judge(experiment, recorded_evidence(experiment)))


JUDGED = [target for target in all_targets() if load_experiment(target).verdict is not None]


def verdict_of(target: str) -> Verdict:
    verdict = load_experiment(target).verdict
    assert verdict is not None
    return verdict


@pytest.mark.parametrize("target", all_targets())
def test_there_is_a_verdict_where_a_result_is_recorded_and_only_there(target: str) -> None:
    experiment = load_experiment(target)
    machines = {path.parent.name for path in recorded_paths(experiment.source)}
    if machines:
        assert experiment.verdict is not None, f"recorded on {machines}: say what it means"
        assert experiment.verdict.machine in machines
    elif experiment.program is None and experiment.results_of is None:
        assert experiment.verdict is not None, "a model can be judged without a measurement"
        assert experiment.verdict.machine is None
    else:
        assert experiment.verdict is None, "nothing is recorded that could be judged"


@pytest.mark.parametrize("target", JUDGED)
def test_every_claim_holds_on_the_record_and_the_published_numbers(target: str) -> None:
    failed = [
        f"{judged.place}: {judged.finding.text}\n  of: {judged.statement.text}"
        for judged in judged_claims(target)
        if not judged.finding.holds
    ]
    assert not failed, "claims that do not hold:\n" + "\n".join(failed)


def _off(claim: Document, factor: float) -> Document:
    """The claim with one of its measured or published numbers off by a factor."""
    if "order" in claim:
        values = list(claim["order"])
        index = next(index for index, value in enumerate(values) if isinstance(value, dict))
        values[index] = {**values[index], "times": factor * values[index].get("times", 1)}
        return {**claim, "order": values}
    value = claim["value"]
    return {**claim, "value": {**value, "times": factor * value.get("times", 1)}}


@pytest.mark.parametrize("target", JUDGED)
def test_no_claim_holds_whatever_the_numbers_are(target: str) -> None:
    evidence = recorded_evidence(load_experiment(target))
    for judged in judged_claims(target):
        # Numbers that are 0 stay 0: of those the bound is moved instead.
        changed = [_off(judged.claim, factor) for factor in (1e-6, 1e6)]
        if judged.claim.get("at_most") == 0:
            changed = [{**judged.claim, "at_most": -1}]
        held = [evaluate(claim, evidence, judged.place).holds for claim in changed]
        assert not all(held), f"{judged.place} cannot fail: {judged.finding.text}"


def test_the_statements_are_printed_with_their_numbers(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["verdicts", "gsst_ingestion_model"])
    main()
    outcome, says, claim = capsys.readouterr().out.splitlines()
    assert outcome == "gsst_ingestion_model: not comparable"
    assert says.startswith("  Without overlap the model")
    assert claim.startswith("    holds: 45.7615 within 1 points of 45")


def test_one_changed_number_of_a_record_fails_a_verdict() -> None:
    experiment = load_experiment("gsst_fig_5_2")
    evidence = recorded_evidence(experiment)
    rows = [dict(row) for row in evidence.rows_of(experiment.target)]
    (idle,) = [
        row
        for row in rows
        if row["parameters"]["blocks"] == 295 and row["parameters"]["thread_blocks"] == 1024
    ]
    idle["throughput_gb_per_s"] *= 1.2
    changed = replace(evidence, rows_of=lambda _: rows)
    failed = [judged.place for judged in judge(experiment, changed) if not judged.finding.holds]
    assert failed == ["experiments/gsst_fig_5_2.yaml: verdict.statements[2].claims[2]"]


@pytest.mark.parametrize("target", JUDGED)
def test_the_outcome_follows_from_what_agrees_and_what_differs(target: str) -> None:
    verdict = verdict_of(target)
    assert verdict.outcome == outcome_of(verdict)


@pytest.mark.parametrize("target", JUDGED)
def test_what_agrees_or_differs_names_a_place_in_the_paper(target: str) -> None:
    for statement in verdict_of(target).statements:
        for place in (statement.agrees_with, statement.differs_from):
            assert place is None or PLACE.match(place), place


@pytest.mark.parametrize("target", JUDGED)
def test_a_share_is_no_number_of_points(target: str) -> None:
    """All shares are within two points of each other: a claim about them in points could not fail."""
    for statement in verdict_of(target).statements:
        for claim in statement.claims:
            allowed, unit = claim.get("within", "0 %").split()
            if unit == "points" and isinstance(claim["of"], int | float):
                assert float(allowed) < claim["of"], claim


@pytest.mark.parametrize("target", JUDGED)
def test_a_verdict_holds_no_number(target: str) -> None:
    text = verdict_of(target).text
    assert not re.search(r"\d", NAMES.sub("", text)), "numbers are in the comparison"


def _remarks(verdict: Verdict) -> Iterator[str]:
    return (statement.text for statement in verdict.statements if not statement.claims)


@pytest.mark.parametrize("target", JUDGED)
def test_a_remark_says_no_amount(target: str) -> None:
    for remark in _remarks(verdict_of(target)):
        assert not AMOUNTS.search(remark), f"say it with claims: {remark}"


@pytest.mark.parametrize("target", all_targets())
def test_a_verdict_on_a_gpu_that_differs_names_chip_and_compiler(target: str) -> None:
    experiment = load_experiment(target)
    if experiment.needs == "gpu" and experiment.verdict and experiment.verdict.outcome != "reproduced":
        assert "chip" in experiment.verdict.text
        assert "compiler" in experiment.verdict.text
