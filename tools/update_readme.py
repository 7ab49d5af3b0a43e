"""Write the generated parts of README.md: what `gsst` prints in the first example, and the table of stages.

With --check nothing is written and the exit status says whether README.md is up to date.
"""

import argparse
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from tools.stages import COMMAND, registered_stages

_ROOT = Path(__file__).resolve().parent.parent
_README = _ROOT / "README.md"

# The example works on a file that every clone has; its output is the same on every machine.
_EXAMPLE_FILE = "LICENSE"
EXAMPLE = (
    "gsst LICENSE",
    "gsst --format fsst LICENSE",
    "gsst -l LICENSE.gsst LICENSE.fsst",
    "gsst -d -c LICENSE.gsst | cmp - LICENSE && echo same",
)


def replace_section(text: str, name: str, content: str) -> str:
    """`text` with `content` between the begin and end markers of the section `name`.

    Raises ValueError unless there is exactly one such section.
    """
    begin = f"<!-- {name}: begin, written by tools/update_readme.py -->\n"
    end = f"<!-- {name}: end -->"
    if text.count(begin) != 1 or text.count(end) != 1 or text.index(begin) > text.index(end):
        raise ValueError(f"README.md must have one section '{name}' between its begin and end markers")
    before, rest = text.split(begin)
    after = rest.split(end)[1]
    return f"{before}{begin}{content}{end}{after}"


def stage_table(stages: Sequence[Mapping[str, object]]) -> str:
    """The stages that `gsst --list-stages --json` lists, as a Markdown table."""
    if not stages:
        return "No stage is registered yet; each will be checked against the reference codec.\n"
    keys = ("id", "title", "section", "format", "operation", "minimum_compute_capability")
    lines = [
        "| stage | title | section | format | operation | compute capability |",
        "|" + "---|" * len(keys),
        *("| " + " | ".join(str(stage[key]) for key in keys) + " |" for stage in stages),
    ]
    return "\n".join(lines) + "\n"


def example_session(folder_of_command: Path) -> str:
    """The example's commands with what they print, as a console block.

    Raises RuntimeError when one of them fails: the README shows no failure.
    """
    lines = ["```console"]
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(_ROOT / _EXAMPLE_FILE, folder)
        path = f"{folder_of_command}:/usr/bin:/bin"
        for line in EXAMPLE:
            result = subprocess.run(
                ["bash", "-o", "pipefail", "-c", line],
                cwd=folder,
                env={"PATH": path, "LC_ALL": "C.UTF-8"},
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                check=False,
            )
            if result.returncode != 0:
                raise RuntimeError(f"'{line}' failed ({result.returncode}): {result.stdout}")
            lines += [f"$ {line}", *result.stdout.splitlines()]
    return "\n".join([*lines, "```"]) + "\n"


def updated_readme(text: str) -> str:
    """`text` with both generated sections as the built command prints them now."""
    text = replace_section(text, "example", example_session(COMMAND.parent))
    return replace_section(text, "stages", stage_table(registered_stages()))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing, fail if README.md is stale")
    check: bool = parser.parse_args().check
    current = _README.read_text(encoding="utf-8")
    updated = updated_readme(current)
    if updated == current:
        return
    if check:
        sys.exit("README.md is stale: run `.venv/bin/python -m tools.update_readme`")
    _README.write_text(updated, encoding="utf-8")


if __name__ == "__main__":
    main()
