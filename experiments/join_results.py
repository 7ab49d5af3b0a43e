"""Makes one result of several of one target, for a measurement that runs once for each of its texts.

python -m experiments.join_results RESULT.json [RESULT.json ...] --output results/measured/TARGET.json

All must be of the same sources, commit and machine, and no two of the same text.
"""

import argparse
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from experiments.results import Result, ResultError, parse_result, write_result

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


def join_results(results: Sequence[Result], places: Sequence[str]) -> Result:
    """One result with the rows of all; `places` says where each came from. Raises JoinError."""
    first = results[0]
    where: dict[str, str] = {}
    for result, place in zip(results, places, strict=True):
        if result.target != first.target:
            raise JoinError(f"{place}: holds {result.target}, {places[0]} holds {first.target}")
        if result.sources_digest != first.sources_digest:
            raise JoinError(f"{place}: was measured with other sources than {places[0]}")
        for dataset in {row["dataset"] for row in result.rows}:
            if dataset in where:
                raise JoinError(f"{place}: {dataset} is in {where[dataset]} too")
            where[dataset] = place
    environment = _environment([result.environment for result in results], places)
    return replace(
        first, environment=environment, rows=tuple(row for result in results for row in result.rows)
    )


def main() -> int:
    """Writes the joined result; status 1 with the reason where the results do not belong together."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("results", type=Path, nargs="+")
    parser.add_argument("--output", type=Path, required=True)
    arguments = parser.parse_args()
    try:
        results = [parse_result(path) for path in arguments.results]
        write_result(join_results(results, [str(path) for path in arguments.results]), arguments.output)
    except (JoinError, OSError, ResultError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
