"""Begins an own stage: copies the folder of a stage and makes the copy a clean start.

python -m tools.copy_stage FROM TO        for example gsst/04_alignment gsst/70_mine

The copy has TO for its id and FROM for its base, a page with nothing but what is to be written, and no notes:
what was measured of FROM is not the copy's. Numbers from OWN_STAGES on are yours: no list names them.
"""

import argparse
import re
import shutil
import sys
from pathlib import Path

from tools.repository import ROOT
from tools.stages import OWN_STAGES, is_own_stage

_ID = re.compile(r"[a-z0-9_]+/[0-9]{2}_[a-z0-9_]+")
_PAGE = """\
# {number}: what is new

Built on [{base}](../{folder}/stage.md). Replace what begins with "To do".

**The idea.** To do: one sentence. What moves less, waits less, or computes less than in {base}?
What limits {base}, and which counter says so?

**The change.** To do: what a `diff` of the two kernels shows, and why nothing else changed.

**What should get faster, predicted before measuring.** To do: a number, and the counter that should
change. Commit it before you write code.

<!-- measured: begin, written by tools/update_readme.py -->
**Measured**: not measured yet.
<!-- measured: end -->

**Where the prediction was wrong.** To do: after measuring, or after `make trace`.

**When it loses.** To do: inputs or settings with which {base} is better.

**Exercises**

1. To do: a question that your stage answers.
"""


class CopyError(Exception):
    """A stage that cannot be copied, and why."""


def copy_stage(base: str, own: str, root: Path = ROOT) -> Path:
    """Returns the folder of the copy. Raises CopyError."""
    if not base or not own:
        raise CopyError("say which: make copy FROM=gsst/04_alignment STAGE=gsst/70_mine")
    source, target = root / "stages" / base, root / "stages" / own
    if not any((source / name).is_file() for name in ("stage.cu", "cpu.cpp")):
        raise CopyError(f"there is no stage '{base}' to copy")
    if not _ID.fullmatch(own) or own.split("/")[0] != base.split("/")[0]:
        raise CopyError(
            f"'{own}' must be {base.split('/')[0]}/NN_name: a number of two digits, small letters"
        )
    if not is_own_stage(own):
        raise CopyError(f"'{own}': numbers below {OWN_STAGES} are the repository's; take one from there on")
    if target.exists():
        raise CopyError(f"stages/{own} is there already")
    shutil.copytree(source, target, ignore=shutil.ignore_patterns("notes.md", "stage.md"))
    for path in sorted(target.rglob("*")):
        if path.is_file():
            text = path.read_text(encoding="utf-8").replace(base, own)
            path.write_text(re.sub(r'\.base = "[^"]*"', f'.base = "{base}"', text), encoding="utf-8")
    folder = base.split("/")[1]
    page = _PAGE.format(number=own.split("/")[1].split("_")[0], base=folder[:2], folder=folder)
    (target / "stage.md").write_text(page, encoding="utf-8")
    return target


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("base", metavar="FROM", help="id of the stage to begin with")
    parser.add_argument("own", metavar="TO", help="id of yours, in the same series")
    arguments = parser.parse_args()
    try:
        folder = copy_stage(arguments.base, arguments.own)
    except CopyError as error:
        sys.exit(f"copy: {error}")
    print(f"{folder.relative_to(ROOT)}: begin with stage.md, then `make check STAGE={arguments.own}`")


if __name__ == "__main__":
    main()
