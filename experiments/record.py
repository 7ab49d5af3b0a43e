"""Copies a result that was measured here to experiments/recorded/<machine>/, where it can be committed.

python -m experiments.record TARGET --machine NAME
"""

import argparse
import re
import sys
from pathlib import Path

from experiments.definition import load_experiment
from experiments.local_result import disturbances, shortcomings
from experiments.record_checksums import add_checksum
from experiments.results import MEASURED_DIR, RECORDED_DIR, ResultError, load_result, write_result

MACHINE_PATTERN = re.compile(r"[a-z0-9][a-z0-9_]*")


class RecordError(Exception):
    """A result that must not be recorded."""


def record(measured: Path, machine: str, folder: Path = RECORDED_DIR) -> Path:
    """Records one result file; returns its new path. Raises RecordError where it must not be recorded."""
    if not MACHINE_PATTERN.fullmatch(machine):
        raise RecordError(f"machine {machine!r}: use lower-case letters, digits and _")
    if not measured.exists():
        raise RecordError(f"{measured} does not exist: run `make figures` first")
    result = load_result(measured)
    if result.environment["dirty"]:
        raise RecordError(
            f"{measured}: measured on a tree with uncommitted changes; commit and measure again"
        )
    if not result.rows:
        raise RecordError(f"{measured}: holds no measurement")
    if result.stale:
        raise RecordError(f"{measured}: the sources have changed since it was measured; measure again")
    path = folder / machine / f"{result.target}.json"
    reasons = disturbances(result)
    if path.exists():
        reasons += shortcomings(result, load_result(path), load_experiment(result.target))
    if reasons:
        raise RecordError(f"{measured}: {'; '.join(reasons)}; measure again")
    write_result(result, path)
    add_checksum(path, folder)
    return path


def main() -> int:
    """Records one target; status 1 with the reason where that is refused."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("target")
    parser.add_argument("--machine", required=True, help="name of the folder, for example xeon_8380")
    arguments = parser.parse_args()
    try:
        print(record(MEASURED_DIR / f"{arguments.target}.json", arguments.machine))
    except (RecordError, ResultError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
