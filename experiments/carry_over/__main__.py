"""Carries recorded results of a GPU over from one commit to another: docs/carrying_over.md.

python -m experiments.carry_over --from COMMIT [--to COMMIT] [--targets TARGET ...] [--machine NAME]
    [--rule KL | --rule S --evidence FILE] [--dry-run]
"""

import argparse
import sys
import time
from pathlib import Path

from experiments.carry_over.carrying import REFUSALS, Commits, Rule, carry, commits_of, rule_kl
from experiments.carry_over.checkouts import CheckoutError, check_clean
from experiments.definition import all_targets
from experiments.results import recorded_paths
from experiments.sources import REPOSITORY_ROOT

FOLDER = REPOSITORY_ROOT / "build" / "carry_over"


def _records(targets: list[str], machine: str) -> list[Path]:
    return [path for target in targets for path in recorded_paths(target) if path.parent.name == machine]


def _carry_all(paths: list[Path], commits: Commits, rule: Rule, dry_run: bool) -> int:
    """Prints what became of each record; status 1 where one was refused."""
    status = 0
    for path in paths:
        start = time.monotonic()
        try:
            said = carry(path, commits, rule, dry_run)
        except REFUSALS as error:
            said, status = f"refused: {error}", 1
        print(f"{path.parent.name}/{path.stem}: {said} ({time.monotonic() - start:.0f} s)", flush=True)
    return status


def main() -> int:
    """Carries over what may be; status 1 where a record was refused or nothing could be compared."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--from", dest="before", required=True, help="commit at which the records are fresh")
    parser.add_argument("--to", dest="after", default="HEAD", help="commit at which they shall be")
    parser.add_argument("--targets", nargs="+", help="all that the machine has, unless said")
    parser.add_argument("--machine", required=True, help="folder of the records")
    parser.add_argument("--dry-run", action="store_true", help="compare and change nothing")
    arguments = parser.parse_args()
    paths = _records(arguments.targets or all_targets(), arguments.machine)
    try:
        check_clean(REPOSITORY_ROOT)
        commits = commits_of(REPOSITORY_ROOT, arguments.before, arguments.after, FOLDER)
    except CheckoutError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    if not paths:
        print(f"error: {arguments.machine} has no record of these targets", file=sys.stderr)
        return 1
    return _carry_all(paths, commits, rule_kl, arguments.dry_run)


if __name__ == "__main__":
    sys.exit(main())
