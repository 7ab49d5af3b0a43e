"""Claims: relations between numbers of recorded results and published numbers, written as data.

A claim has one relation. Each name below is a field of the claim in the YAML file:

    order: [A, B, C]                each greater than the next
    value: A, at_least: B           A is B or more; `at_most` is B or less
    value: A, within: 5 %, of: B    A differs from B by 5 % of B at most, by 5 with `within: 5 points`

`where` and `policy` of a claim hold for each of its selections. With `each`, a list of columns, the claim
must hold for every group of rows with the same values of these columns, of which `all_but` may be exceptions.

A value is a number or one of

    {column: C, where: W, take: T}   the column of the rows that W selects; T is one (the default: there must
                                     be one row), min, max, mean, geometric_mean or sum
    {column: C, at: {max: D}}        the column of the row with the largest D; `min` for the smallest
    {column: C, along: D}            the smallest factor from one row to the next, the rows in the order of D:
                                     1 or more where the column never falls
    {count: W}                       how many rows W selects
    {published: Q}                   the published number with this quantity; `from` names another target's
    {compared: Q}                    what the figure's comparison has of ours for this quantity
    {modelled: Q}                    what the figure's model says for it from published numbers alone

each with `over: V` divided by V, and with `times: N` multiplied by a number; a V without a column has that of
the value. `record: T` takes the rows of another target's record on the same machine.

A column is an expression over the row, and W maps columns to conditions (see experiments/expressions.py).
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import pairwise
from math import isfinite
from statistics import StatisticsError, geometric_mean
from typing import Any

from experiments.expressions import NoFieldError, Row, accepts, number_of, value_of
from experiments.published import Published, PublishedError

Document = Mapping[str, Any]

# What a value is, by the field that says so.
_KINDS = {"column", "count", "published", "compared", "modelled"}


class ClaimError(Exception):
    """A claim that cannot be evaluated: it names the field, and what is wrong there."""


@dataclass(frozen=True)
class Evidence:
    """What claims are about.

    `rows_of` gives the rows of a target's record, `compared` our numbers in the comparison of the figure (of
    the rows under a policy where one is named), `modelled` those of its model. `target` is the figure's,
    `published_of` are the targets whose published numbers it draws."""

    target: str
    rows_of: Callable[[str], Sequence[Row]]
    compared: Callable[[str | None], Mapping[str, float]]
    modelled: Callable[[], Mapping[str, float]]
    published: Published
    published_of: Sequence[str]


@dataclass(frozen=True)
class Finding:
    """Whether one claim holds for one group of rows, and the numbers that say so."""

    holds: bool
    text: str


@dataclass(frozen=True)
class _Place:
    """Where in the YAML file, and which rows: those of `group`, under the claim's `where` and `policy`."""

    field: str
    claim: str
    evidence: Evidence
    where: Document
    policy: str | None
    group: Document

    def at(self, name: str) -> "_Place":
        return replace(self, field=f"{self.field}.{name}")

    def error(self, message: str) -> ClaimError:
        return ClaimError(f"{self.field}: {message}")


def _select(rows: Sequence[Row], where: Document, place: _Place) -> list[Row]:
    """The rows that `where` asks for. A column that no row has is an error, a row without it is left out."""
    for column, condition in where.items():
        here = place.at(column)
        try:
            kept, known = [], False
            for row in rows:
                try:
                    value = value_of(column, row)
                except NoFieldError:
                    continue
                known = True
                if accepts(condition, value):
                    kept.append(row)
        except ValueError as error:
            raise here.error(str(error)) from error
        if not known:
            raise here.error("no row has this column")
        if not kept:
            raise here.error(f"no row has {condition!r}")
        rows = kept
    return list(rows)


def _rows(value: Document, place: _Place, where: Document, field: str) -> list[Row]:
    rows = place.evidence.rows_of(value.get("record", place.evidence.target))
    if not rows:
        raise place.error("there is no record")
    rows = _select(rows, place.where, replace(place, field=f"{place.claim}.where"))
    rows = [row for row in rows if place.group.items() <= _values_of(place.group, row).items()]
    return _select(rows, where, place.at(field))


def _values_of(columns: Iterable[str], row: Row) -> dict[str, Any]:
    """Those of the columns that the row has."""
    values = {}
    for column in columns:
        with suppress(NoFieldError):
            values[column] = value_of(column, row)
    return values


def _column(rows: Sequence[Row], column: str, place: _Place) -> list[float]:
    try:
        return [number_of(column, row) for row in rows]
    except NoFieldError as error:
        raise place.error(f"{column}: a row has no value of {error}") from error
    except (ValueError, ZeroDivisionError) as error:
        raise place.error(str(error)) from error


def _least_step(values: Sequence[float], order: Sequence[float], place: _Place) -> float:
    if len(set(order)) != len(values) or len(values) < 2:
        raise place.at("along").error(f"{len(values)} rows with {len(set(order))} values")
    sorted_values = [value for _, value in sorted(zip(order, values, strict=True))]
    return min(after / before for before, after in pairwise(sorted_values))


_TAKES: dict[str, Callable[[Sequence[float]], float]] = {
    "min": min,
    "max": max,
    "sum": sum,
    "mean": lambda values: sum(values) / len(values),
    "geometric_mean": geometric_mean,
}


def _selected(value: Document, place: _Place) -> float:
    rows = _rows(value, place, value.get("where", {}), "where")
    here = place.at("column")
    if "at" in value:
        ((extreme, by),) = value["at"].items()
        keys = _column(rows, by, place.at(f"at.{extreme}"))
        index = keys.index(_TAKES[extreme](keys))
        return _column([rows[index]], value["column"], here)[0]
    numbers = _column(rows, value["column"], here)
    if "along" in value:
        return _least_step(numbers, _column(rows, value["along"], place.at("along")), place)
    take = value.get("take", "one")
    if take != "one":
        try:
            return _TAKES[take](numbers)
        except StatisticsError as error:
            raise place.at("take").error(f"{take} of {numbers}: {error}") from error
    if len(numbers) != 1:
        raise place.error(
            f"{len(numbers)} rows, must be one: say more in `where`, or `take` one of {', '.join(_TAKES)}"
        )
    return numbers[0]


def _published(value: Document, place: _Place) -> float:
    target = value.get("from", place.evidence.target)
    if target not in place.evidence.published_of:
        raise place.at("from").error(f"the figure has no published numbers of {target}")
    try:
        return place.evidence.published.value(target, value["published"])
    except PublishedError as error:
        raise place.at("published").error(str(error)) from error


def _of_comparison(value: Document, place: _Place) -> float:
    name = "compared" if "compared" in value else "modelled"
    evidence, quantity = place.evidence, value[name]
    numbers = (
        evidence.modelled() if name == "modelled" else evidence.compared(value.get("policy", place.policy))
    )
    if quantity not in numbers:
        raise place.at(name).error(f"the comparison has no {quantity!r} of ours")
    return float(numbers[quantity])


def _number(value: float | Document, place: _Place) -> float:
    if not isinstance(value, Mapping):
        return value
    if "published" in value:
        number = _published(value, place)
    elif "compared" in value or "modelled" in value:
        number = _of_comparison(value, place)
    elif "count" in value:
        number = float(len(_rows(value, place, value["count"], "count")))
    else:
        number = _selected(value, place)
    if "over" in value:
        over = value["over"]
        if isinstance(over, Mapping) and not _KINDS & over.keys():
            over = {"column": value["column"], **over}
        number /= _number(over, place.at("over"))
    number *= value.get("times", 1)
    if not isfinite(number):
        raise place.error(f"{number} is no number to compare with")
    return number


def _text(number: float) -> str:
    return f"{number:.6g}"


def _relation(claim: Document, place: _Place) -> Finding:
    if "order" in claim:
        numbers = [_number(value, place.at(f"order[{index}]")) for index, value in enumerate(claim["order"])]
        holds = all(before > after for before, after in pairwise(numbers))
        return Finding(holds, " > ".join(map(_text, numbers)))
    value = _number(claim["value"], place.at("value"))
    if "within" in claim:
        allowed, unit = claim["within"].split()
        other = _number(claim["of"], place.at("of"))
        reach = float(allowed) * (abs(other) / 100 if unit == "%" else 1)
        return Finding(
            abs(value - other) <= reach, f"{_text(value)} within {claim['within']} of {_text(other)}"
        )
    name = "at_least" if "at_least" in claim else "at_most"
    bound = _number(claim[name], place.at(name))
    holds = value >= bound if name == "at_least" else value <= bound
    return Finding(holds, f"{_text(value)} {name.replace('_', ' ')} {_text(bound)}")


def _groups(claim: Document, place: _Place) -> list[Document]:
    columns = claim.get("each", [])
    if not columns:
        return [{}]
    rows = _rows({}, place, {}, "each")
    groups: dict[tuple, Document] = {}
    for row in rows:
        try:
            values = _values_of(columns, row)
        except ValueError as error:
            raise place.at("each").error(str(error)) from error
        if len(values) < len(columns):
            raise place.at("each").error(f"a row has only {', '.join(values) or 'none'} of these columns")
        groups.setdefault(tuple(values.values()), values)
    return list(groups.values())


def evaluate(claim: Document, evidence: Evidence, field: str) -> Finding:
    """Whether `claim` holds, with its numbers; `field` is its place in the YAML file.

    Of groups the text names those for which it does not hold. Raises ClaimError where a column, a row, a
    published number or one of the comparison is not there."""
    place = _Place(field, field, evidence, claim.get("where", {}), claim.get("policy"), {})
    findings = [(group, _relation(claim, replace(place, group=group))) for group in _groups(claim, place)]
    if "each" not in claim:
        return findings[0][1]
    exceptions = [
        f"{', '.join(map(str, group.values()))}: {finding.text}"
        for group, finding in findings
        if not finding.holds
    ]
    allowed = claim.get("all_but", 0)
    if len(exceptions) <= allowed:
        return Finding(True, f"{len(findings) - len(exceptions)} of {len(findings)} groups")
    return Finding(False, "; ".join(exceptions))
