"""Makes the result of a sweep from what the GPU's measuring program wrote of the candidates and its choice.

python -m experiments.sweep_result WRITTEN.json --target TARGET --output RESULT.json

The result has a row for every candidate (policy `candidate`) and one for each reported choice (`chosen`).
Each row also says how many multiprocessors the GPU has: its blocks by its `blocks_per_multiprocessor`.
"""

import argparse
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from experiments.definition import DefinitionError, Experiment, load_experiment
from experiments.gpu_points import candidates
from experiments.results import (
    Result,
    ResultError,
    read_document,
    result_of_document,
    with_timing,
    write_result,
)

CANDIDATE = "candidate"
CHOSEN = "chosen"

Row = dict[str, Any]
Setting = tuple[str, frozenset[tuple[str, Any]]]


class SweepError(Exception):
    """A file is not that of a sweep, or its sweep is not the experiment's."""


def _check_keys(choice: Mapping[str, Any], place: str) -> None:
    for key in ("schema", "environment", "sources_digest", "candidates", "rows"):
        if key not in choice:
            raise SweepError(f"{place}: has no {key}: it is not of a sweep")
    for key in ("candidates", "rows"):
        if not isinstance(choice[key], list) or not choice[key]:
            raise SweepError(f"{place}: {key} holds no rows")


def _multiprocessors(experiment: Experiment, rows: Iterable[Row], place: str) -> int:
    """How many multiprocessors the candidates' blocks were multiplied by."""
    if not candidates(experiment):
        raise SweepError(f"{experiment.target} has no sweep")
    counts = set()
    for row in rows:
        blocks, per_multiprocessor = row["parameters"].get("blocks"), row.get("blocks_per_multiprocessor")
        if not blocks or not per_multiprocessor or blocks % per_multiprocessor != 0:
            raise SweepError(
                f"{place}: {row['stage']} has {blocks} blocks, {per_multiprocessor} for each multiprocessor"
            )
        counts.add(blocks // per_multiprocessor)
    if len(counts) != 1:
        found = " and ".join(map(str, sorted(counts)))
        raise SweepError(f"{place}: the candidates' blocks are those of {found} multiprocessors")
    return counts.pop()


def _settings(rows: Iterable[Row], swept: Mapping[str, Sequence[str]]) -> list[Setting]:
    """Each row's values of what the sweep of its stage varies; its other parameters have their defaults."""
    return [
        (row["stage"], frozenset((name, row["parameters"].get(name)) for name in swept.get(row["stage"], ())))
        for row in rows
    ]


def _wanted_rows(experiment: Experiment, multiprocessors: int) -> list[Row]:
    """Stage and parameters of every candidate, as they stand in a row."""
    return [
        {
            "stage": point["stage"],
            "parameters": {
                **point["parameters"],
                **{name: point[name] for name in ("blocks", "splits") if name in point},
            },
        }
        for point in candidates(experiment, multiprocessors)
    ]


def _check_settings(
    experiment: Experiment, multiprocessors: int, tried: Sequence[Row], reported: Sequence[Row], place: str
) -> None:
    """What was tried must be in the experiment's sweep, each once; what is reported must have been tried."""
    wanted_rows = _wanted_rows(experiment, multiprocessors)
    swept = {row["stage"]: tuple(row["parameters"]) for row in wanted_rows}
    wanted, seen = set(_settings(wanted_rows, swept)), set()
    for row, setting in zip(tried, _settings(tried, swept), strict=True):
        if setting not in wanted or setting in seen:
            problem = "is a candidate twice" if setting in seen else f"is no candidate of {experiment.target}"
            raise SweepError(f"{place}: {row['stage']} with {row['parameters']} {problem}")
        seen.add(setting)
    for row, setting in zip(reported, _settings(reported, swept), strict=True):
        if setting not in seen:
            raise SweepError(
                f"{place}: {row['stage']} with {row['parameters']} is reported and was no candidate"
            )


def _check_texts(tried: Iterable[Row], reported: Iterable[Row], place: str) -> None:
    same = {row["dataset"] for row in tried} & {row["dataset"] for row in reported}
    if same:
        raise SweepError(f"{place}: {', '.join(sorted(same))} was used to choose and to report")


def sweep_result(experiment: Experiment, choice: Mapping[str, Any], place: str) -> Result:
    """The result that `choice`, what the program wrote, holds. Raises SweepError and ResultError, which
    begin with `place`."""
    _check_keys(choice, place)
    tried, reported = choice["candidates"], choice["rows"]
    header = {key: choice[key] for key in ("schema", "environment", "sources_digest")}
    document = {**header, "target": experiment.target, "rows": [*tried, *reported]}
    result = result_of_document(with_timing(document, experiment.target), place)
    multiprocessors = _multiprocessors(experiment, tried, place)
    _check_settings(experiment, multiprocessors, tried, reported, place)
    _check_texts(tried, reported, place)
    rows = [{**row, "policy": CANDIDATE, "multiprocessors": multiprocessors} for row in tried]
    rows += [{**row, "policy": CHOSEN, "multiprocessors": multiprocessors} for row in reported]
    return replace(result, rows=tuple(rows))


def main() -> int:
    """Writes the result; status 1 with the reason where the choice holds none of the target."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("choice", type=Path, help="what the sweep wrote")
    parser.add_argument("--target", required=True)
    parser.add_argument("--output", type=Path, required=True)
    arguments = parser.parse_args()
    try:
        experiment = load_experiment(arguments.target)
        result = sweep_result(experiment, read_document(arguments.choice), str(arguments.choice))
        write_result(result, arguments.output)
    except (DefinitionError, OSError, ResultError, SweepError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
