"""Run the tests of one stage, on every executor of this machine."""

import argparse
import subprocess
import sys
from collections.abc import Sequence

from tools.stages import COMMAND, registered_stages


def problem_with(stage: str, registered: Sequence[str]) -> str | None:
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
    problem = problem_with(stage, [str(entry["id"]) for entry in registered_stages()])
    if problem is not None:
        sys.exit(problem)
    name = stage.replace("/", "_")
    tests_of_stage = ["--tests-regex", f"/{name}_(simt|gpu)$", "--no-tests=error", "--output-on-failure"]
    build = COMMAND.parent.parent
    sys.exit(subprocess.run(["ctest", "--test-dir", build, *tests_of_stage], check=False).returncode)


if __name__ == "__main__":
    main()
