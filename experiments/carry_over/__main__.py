"""Carries recorded results of a GPU over from one commit to another: docs/carrying_over.md.

python -m experiments.carry_over --from COMMIT [--to COMMIT] [--targets TARGET ...] [--machine NAME]
    [--evidence FILE ...] [--dry-run]

By rules K and L, equal kernels that are launched alike; with evidence by rule S, equal speeds.
"""

import argparse
import sys
import time
from pathlib import Path

from experiments.carry_over.carrying import (
    REFUSALS,
    Commits,
    Rule,
    carry,
    commits_of,
    keep_evidence,
    rule_kl,
    rule_s,
)
from experiments.carry_over.checkouts import CheckoutError, check_clean
from experiments.carry_over.records import RefusedError
from experiments.carry_over.speed import join_evidence
from experiments.definition import all_targets
from experiments.results import recorded_paths
from experiments.sources import REPOSITORY_ROOT

FOLDER = REPOSITORY_ROOT / "build" / "carry_over"


def records_of(targets: list[str], machine: str) -> list[Path]:
    """The recorded results of these targets that a machine has."""
    return [path for target in targets for path in recorded_paths(target) if path.parent.name == machine]


def _carry_all(paths: list[Path], commits: Commits, rule: Rule, dry_run: bool) -> tuple[int, bool]:
    """Prints what became of each record. Status 1 where one was refused; and whether one was changed."""
    status, changed = 0, False
    for path in paths:
        start = time.monotonic()
        try:
            said, carried = carry(path, commits, rule, dry_run)
            changed |= carried
        except REFUSALS as error:
            said, status = f"refused: {error}", 1
        print(f"{path.parent.name}/{path.stem}: {said} ({time.monotonic() - start:.0f} s)", flush=True)
    return status, changed


def main() -> int:
    """Carries over what may be; status 1 where a record was refused or nothing could be compared."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--from", dest="before", required=True, help="commit at which the records are fresh")
    parser.add_argument("--to", dest="after", default="HEAD", help="commit at which they shall be")
    parser.add_argument("--targets", nargs="+", help="all that the machine has, unless said")
    parser.add_argument("--machine", required=True, help="folder of the records")
    parser.add_argument(
        "--evidence", type=Path, nargs="+", help="what alternate.py wrote: rule S in place of K and L"
    )
    parser.add_argument("--dry-run", action="store_true", help="compare and change nothing")
    arguments = parser.parse_args()
    paths = records_of(arguments.targets or all_targets(), arguments.machine)
    try:
        check_clean(REPOSITORY_ROOT)
        commits = commits_of(REPOSITORY_ROOT, arguments.before, arguments.after, FOLDER)
        evidence = arguments.evidence and join_evidence(arguments.evidence, FOLDER / "evidence.json")
        rule = rule_s(evidence) if evidence else rule_kl
    except (CheckoutError, RefusedError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    if not paths:
        print(f"error: {arguments.machine} has no record of these targets", file=sys.stderr)
        return 1
    status, carried = _carry_all(paths, commits, rule, arguments.dry_run)
    if carried and evidence:
        print(f"the evidence is kept in {keep_evidence(evidence, arguments.machine)}")
    return status


if __name__ == "__main__":
    sys.exit(main())
