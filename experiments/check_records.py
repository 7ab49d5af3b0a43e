"""Checks every recorded result against the contract and its checksum. Lists those whose sources have changed
since, and the stages that have changed since they were tested or fuzzed on a recorded GPU.

python -m experiments.check_records
"""

import json
import sys
from pathlib import Path

from experiments.command_times import command_times_paths, load_command_times
from experiments.definition import DefinitionError
from experiments.record_checksums import changed_records
from experiments.results import RECORDED_DIR, ResultError, load_result
from experiments.sources import REPOSITORY_ROOT, verified_digest


def check_records(folder: Path = RECORDED_DIR) -> tuple[list[str], list[str]]:
    """Messages on stale records, which are no failure, and on records that break the contract, which are."""
    stale: list[str] = []
    broken = [f"broken: {message}" for message in changed_records(folder)]
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
    for path in command_times_paths(folder):
        try:
            load_command_times(path)
        except ResultError as error:
            broken.append(f"broken: {error}")
    return stale, broken


def check_verifications(folder: Path = RECORDED_DIR, root: Path = REPOSITORY_ROOT) -> list[str]:
    """A message for each stage whose sources have changed since it was tested or fuzzed on a GPU."""
    messages = []
    for path in sorted(folder.glob("*/verification/*.json")):
        document = json.loads(path.read_text(encoding="utf-8"))
        messages += [
            f"stale: {path.relative_to(folder)}: {stage} has changed since commit {document['commit'][:12]}"
            for stage, digest in document["sources_digests"].items()
            if verified_digest(stage, root) != digest
        ]
    return messages


def main() -> int:
    """Prints the messages; status 1 only for records that break the contract."""
    stale, broken = check_records()
    stale += check_verifications()
    for message in [*stale, *broken]:
        print(message)
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
