"""Checks every recorded result against the contract and lists those whose sources have changed since.

python -m experiments.check_records
"""

import sys
from pathlib import Path

from experiments.definition import DefinitionError
from experiments.results import RECORDED_DIR, ResultError, load_result


def check_records(folder: Path = RECORDED_DIR) -> tuple[list[str], list[str]]:
    """Messages on stale records, which are no failure, and on records that break the contract, which are."""
    stale: list[str] = []
    broken: list[str] = []
    for path in sorted(folder.glob("*/*.json")):
        place = f"{path.parent.name}/{path.name}"
        try:
            result = load_result(path)
            is_stale = result.stale
        except (DefinitionError, ResultError) as error:
            broken.append(f"broken: {error}")
            continue
        if result.environment["dirty"]:
            broken.append(f"broken: {place}: measured on a tree with uncommitted changes")
        if is_stale:
            commit = result.environment["commit"][:12]
            stale.append(f"stale: {place}: its sources have changed since commit {commit}")
    return stale, broken


def main() -> int:
    """Prints the messages; status 1 only for records that break the contract."""
    stale, broken = check_records()
    for message in [*stale, *broken]:
        print(message)
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
