"""Makes one result of several, for a measurement that several runs share.

python -m experiments.join_results RESULT.json [RESULT.json ...] [--target TARGET] [--cpu-rows ROWS.json ...]
    --output results/measured/TARGET.json

The runs differ in their texts or in what they measured; no two hold a row on the same. All must be of the
same commit and machine, of one target unless --target names the joined result's, and of sources that have not
changed since. --cpu-rows adds what gsst_measure_cpu wrote on the same machine.
"""

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from experiments.results import Result, ResultError, parse_result, write_result
from experiments.sources import target_digest

# What may differ between runs, besides the date: the joined result holds each of the values.
_OF_EACH_RUN = ("clocks", "command")


class JoinError(Exception):
    """Results that do not belong together."""


def _environment(environments: Sequence[dict[str, Any]], places: Sequence[str]) -> dict[str, Any]:
    """What is the same in all, the last date, and what each run says of itself."""
    joined = {**environments[0], "date": max(environment["date"] for environment in environments)}
    for field in _OF_EACH_RUN:
        values = dict.fromkeys(environment[field] for environment in environments)
        joined[field] = "; ".join(value for value in values if value is not None) or None
    for environment, place in zip(environments, places, strict=True):
        for field, value in environment.items():
            if field not in (*_OF_EACH_RUN, "date") and value != joined[field]:
                raise JoinError(f"{place}: {field} is {value}, in {places[0]} it is {joined[field]}")
    return joined


def _subject(row: dict[str, Any]) -> str:
    """What a row is about."""
    name = " ".join(part for part in (row["stage"], row["variant"]) if part)
    return f"{name} {json.dumps(row['parameters'], sort_keys=True)} on {row['dataset']}"


def join_results(results: Sequence[Result], places: Sequence[str], target: str | None = None) -> Result:
    """One result of `target`, or of the one that all have, with the rows of all; `places` says where each
    came from. Raises JoinError."""
    first = results[0]
    where: dict[str, str] = {}
    for result, place in zip(results, places, strict=True):
        if target is None and result.target != first.target:
            raise JoinError(f"{place}: holds {result.target}, {places[0]} holds {first.target}")
        if result.timing != first.timing:
            raise JoinError(
                f"{place}: its times are of number {result.timing}, those of {places[0]} of {first.timing}"
            )
        if result.stale:
            raise JoinError(f"{place}: its sources have changed since it was measured")
        for subject in {_subject(row) for row in result.rows}:
            if subject in where:
                raise JoinError(f"{place}: {subject} is in {where[subject]} too")
            where[subject] = place
    environment = _environment([result.environment for result in results], places)
    rows = tuple(row for result in results for row in result.rows)
    return with_rows(replace(first, target=target or first.target, environment=environment), rows)


def with_rows(result: Result, rows: tuple[dict[str, Any], ...]) -> Result:
    """The result with these rows in the place of its own, and the digest of the sources they depend on."""
    digest = target_digest(result.target, (row["stage"] for row in rows))
    return replace(result, rows=rows, sources_digest=digest)


def main() -> int:
    """Writes the joined result; status 1 with the reason where the results do not belong together."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("results", type=Path, nargs="+")
    parser.add_argument("--target", help="of the joined result, where the results are of several")
    parser.add_argument("--cpu-rows", type=Path, nargs="*", default=[], help="rows of gsst_measure_cpu")
    parser.add_argument("--output", type=Path, required=True)
    arguments = parser.parse_args()
    try:
        results = [parse_result(path) for path in arguments.results]
        joined = join_results(results, [str(path) for path in arguments.results], arguments.target)
        cpu_rows = [
            row for path in arguments.cpu_rows for row in json.loads(path.read_text(encoding="utf-8"))
        ]
        write_result(with_rows(joined, (*joined.rows, *cpu_rows)), arguments.output)
    except (JoinError, OSError, ResultError, json.JSONDecodeError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
