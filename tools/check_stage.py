"""Run the tests of one stage: those that ctest labels with the stage's id."""

import argparse
import json
import subprocess
import sys
from pathlib import Path

_BUILD = Path("build")


def registered_stages() -> list[str]:
    """The ids that the registry of the built command lists."""
    listing = subprocess.run([_BUILD / "bin/gsst", "--list-stages", "--json"], check=True, capture_output=True)
    return [stage["id"] for stage in json.loads(listing.stdout)]


def problem_with(stage: str, registered: list[str]) -> str | None:
    """Why `stage` cannot be checked, or None if it can."""
    if not registered:
        return "no stage is registered yet, so there is nothing to check"
    if not stage:
        return f"say which stage: make check STAGE=<id>; registered: {', '.join(registered)}"
    if stage not in registered:
        return f"no stage is called '{stage}'; registered: {', '.join(registered)}"
    return None


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("stage", help="id as `gsst --list-stages` prints it")
    stage: str = parser.parse_args().stage
    problem = problem_with(stage, registered_stages())
    if problem is not None:
        sys.exit(problem)
    command = ["ctest", "--test-dir", str(_BUILD), "--label-regex", f"^{stage}$", "--no-tests=error", "--output-on-failure"]
    sys.exit(subprocess.run(command, check=False).returncode)


if __name__ == "__main__":
    main()
