"""The relations and values of claims, on a few made-up rows."""

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from experiments.claims import ClaimError, Evidence, Finding, evaluate
from experiments.published import Published, PublishedNumber

PLACE = "experiments/figure.yaml: verdict.statements[0].claims[0]"
ROWS = (
    {
        "stage": "gsst/01",
        "text": "a",
        "size": 1,
        "parameters": {"splits": 32},
        "speed": 10.0,
        "lengths": [3, 4],
    },
    {
        "stage": "gsst/01",
        "text": "b",
        "size": 2,
        "parameters": {"splits": 64},
        "speed": 20.0,
        "lengths": [5, 6],
    },
    {"stage": "gsst/02", "text": "a", "size": 1, "parameters": {"splits": 32}, "speed": 40.0, "limit": 80.0},
    {"stage": "gsst/02", "text": "b", "size": 2, "parameters": {"splits": 64}, "speed": 50.0, "limit": None},
)
FIRST = {"stage": "gsst/01"}
SPEEDS = {"column": "speed", "where": FIRST}
PUBLISHED = Published(
    (
        PublishedNumber("figure", "their speed", 18.0, "GB/s", "printed", "Section 1"),
        PublishedNumber("other", "their ratio", 2.0, "ratio", "printed", "Section 2"),
    )
)

Claim = Mapping[str, Any]


def rows_of(target: str) -> tuple[Mapping[str, Any], ...]:
    return {"figure": ROWS, "other": ({"speed": 7.0},)}.get(target, ())


def found(claim: Claim, rows: Callable[[str], tuple[Mapping[str, Any], ...]] = rows_of) -> Finding:
    evidence = Evidence(
        "figure",
        rows,
        lambda policy: {"their speed": 20.0 if policy is None else 30.0},
        lambda: {"their speed": 19.0},
        PUBLISHED,
        ("figure", "other"),
    )
    return evaluate(claim, evidence, PLACE)


def value_of(value: object, **claim: object) -> float:
    """The value, as the text of a claim has it that compares it with another."""
    return float(found({**claim, "order": [value, 0]}).text.split(" > ")[0])


@pytest.mark.parametrize(
    ("value", "number"),
    [
        (3.5, 3.5),
        ({"column": "speed", "where": {**FIRST, "text": "a"}}, 10),
        ({**SPEEDS, "take": "min"}, 10),
        ({**SPEEDS, "take": "max"}, 20),
        ({**SPEEDS, "take": "mean"}, 15),
        ({**SPEEDS, "take": "geometric_mean"}, 200**0.5),
        ({**SPEEDS, "take": "sum"}, 30),
        ({**SPEEDS, "take": "max", "times": 0.5}, 10),
        ({**SPEEDS, "take": "max", "over": {"where": {"stage": "gsst/02"}, "take": "max"}}, 0.4),
        ({**SPEEDS, "take": "max", "over": {"published": "their speed"}}, 20 / 18),
        ({"column": "parameters.splits", "at": {"max": "speed"}}, 64),
        ({"column": "parameters.splits", "at": {"min": "speed"}}, 32),
        ({**SPEEDS, "along": "size"}, 2),
        ({"column": "1 / speed", "where": FIRST, "along": "size"}, 0.5),
        ({"column": "speed / limit", "where": {"stage": "gsst/02", "text": "a"}}, 0.5),
        ({"column": "lengths[0] + lengths[1]", "where": {**FIRST, "text": "b"}}, 11),
        ({"column": "(speed - size) * 2", "where": {**FIRST, "text": "a"}}, 18),
        ({"count": FIRST}, 2),
        ({"published": "their speed"}, 18),
        ({"published": "their ratio", "from": "other"}, 2),
        ({"compared": "their speed"}, 20),
        ({"compared": "their speed", "policy": "best"}, 30),
        ({"modelled": "their speed"}, 19),
        ({"column": "speed", "record": "other"}, 7),
    ],
)
def test_values(value: object, number: float) -> None:
    assert value_of(value) == pytest.approx(number, rel=1e-5)


@pytest.mark.parametrize(
    ("where", "count"),
    [
        ({"text": ["a", "b"]}, 4),
        ({"text": {"not": "a"}}, 2),
        ({"stage": "gsst/*"}, 4),
        ({"stage": {"not": ["gsst/01", "gsst/03"]}}, 2),
        ({"speed": {"at_least": 20, "at_most": 40}}, 2),
        ({"parameters.splits * size": 128}, 2),
        ({"limit": None}, 1),
        ({"limit": {"not": None}}, 1),
        ({"speed": 10, "text": "a"}, 1),
    ],
)
def test_where_selects_rows(where: Claim, count: int) -> None:
    assert value_of({"count": where}) == count


def test_where_of_a_claim_holds_for_all_its_values() -> None:
    assert value_of({"column": "speed", "where": {"text": "b"}}, where=FIRST) == 20


@pytest.mark.parametrize(
    ("relation", "holds"),
    [
        ({"order": [3, 2, 1]}, True),
        ({"order": [3, 2, 2]}, False),
        ({"value": 2, "at_least": 2}, True),
        ({"value": 2, "at_least": 2.1}, False),
        ({"value": 2, "at_most": 2}, True),
        ({"value": 2, "at_most": 1.9}, False),
        ({"value": 95, "within": "5 %", "of": 100}, True),
        ({"value": 94, "within": "5 %", "of": 100}, False),
        ({"value": 106, "within": "5 %", "of": 100}, False),
        ({"value": 45.7, "within": "1 points", "of": 45}, True),
        ({"value": 46.1, "within": "1 points", "of": 45}, False),
        ({**{"value": {**SPEEDS, "take": "max"}}, "at_least": {"published": "their speed"}}, True),
    ],
)
def test_relations(relation: Claim, holds: bool) -> None:
    assert found(relation).holds is holds


def test_a_claim_on_each_group_names_those_for_which_it_does_not_hold() -> None:
    claim = {"each": ["text"], "value": {"column": "speed", "where": FIRST}, "at_least": 15}
    finding = found(claim)
    assert not finding.holds
    assert finding.text == "a: 10 at least 15"
    assert found({**claim, "all_but": 1}) == Finding(True, "1 of 2 groups")


def test_a_changed_number_of_the_record_fails_a_claim() -> None:
    claim = {"value": {**SPEEDS, "take": "max"}, "within": "1 %", "of": 20}
    assert found(claim).holds
    changed = ({**ROWS[0]}, {**ROWS[1], "speed": 21.0})
    finding = found(claim, lambda _: changed)
    assert not finding.holds
    assert finding.text == "21 within 1 % of 20"


@pytest.mark.parametrize(
    ("claim", "field", "message"),
    [
        ({"order": [{"column": "sped", **{"where": FIRST}}, 0]}, r"order\[0\]\.column", "sped"),
        (
            {"order": [0, {"count": {"stge": "gsst/01"}}]},
            r"order\[1\]\.count\.stge",
            "no row has this column",
        ),
        (
            {"value": {"column": "speed", "where": {"stage": "gsst/99"}}, "at_least": 1},
            r"value\.where\.stage",
            "no row has 'gsst/99'",
        ),
        ({"where": {"stage": "gsst/99"}, "order": [SPEEDS, 0]}, r"where\.stage", "no row has 'gsst/99'"),
        ({"value": 1, "at_most": {"published": "no such"}}, r"at_most\.published", "'no such' for figure"),
        ({"order": [{"published": "x", "from": "third"}, 0]}, r"order\[0\]\.from", "of third"),
        ({"order": [{"compared": "no such"}, 0]}, r"order\[0\]\.compared", "'no such'"),
        ({"order": [{"modelled": "no such"}, 0]}, r"order\[0\]\.modelled", "'no such'"),
        ({"order": [{"column": "speed", "record": "third"}, 0]}, r"order\[0\]", "there is no record"),
        ({"order": [SPEEDS, 0]}, r"order\[0\]", "2 rows, must be one"),
        ({"each": ["txt"], "order": [SPEEDS, 0]}, "each", "none of these columns"),
        ({"order": [{**SPEEDS, "over": {"where": {"text": "c"}}}, 0]}, r"order\[0\]", "2 rows"),
        ({"value": 1, "within": "1 %", "of": {"count": {"size": 9}}}, r"of\.count\.size", "no row has 9"),
        ({"order": [{"column": "stage", "take": "max"}, 0]}, r"order\[0\]\.column", "not a number"),
        ({"order": [{"column": "print(speed)", "take": "max"}, 0]}, r"order\[0\]\.column", "neither a field"),
        ({"order": [{"column": "speed ** 2", "take": "max"}, 0]}, r"order\[0\]\.column", "neither a field"),
        ({"order": [{"column": "speed +", "take": "max"}, 0]}, r"order\[0\]\.column", "not a column"),
        (
            {"order": [{"column": "limit", "take": "max"}, 0]},
            r"order\[0\]\.column",
            "a row has no value of limit",
        ),
        ({"order": [{"column": "speed / (size - size)", "take": "max"}, 0]}, r"order\[0\]\.column", "zero"),
        ({"order": [{**SPEEDS, "along": "speed - speed"}, 0]}, r"order\[0\]\.along", "2 rows with 1 values"),
        (
            {"order": [{"column": "speed - 20", "where": FIRST, "take": "geometric_mean"}, 0]},
            r"order\[0\]\.take",
            "geometric_mean of",
        ),
    ],
)
def test_what_is_not_there_is_an_error_that_names_the_field(claim: Claim, field: str, message: str) -> None:
    place = PLACE.replace("[", r"\[").replace("]", r"\]")
    with pytest.raises(ClaimError, match=rf"^{place}\.{field}: .*{message}"):
        found(claim)
