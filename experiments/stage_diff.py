"""The kernel files of a stage and how each differs from the one before it."""

import difflib
import itertools
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

KERNEL_PATTERN = re.compile(r"kernel(_.*)?\.cuh?")


@dataclass(frozen=True)
class DiffLine:
    """A line of a unified diff, without its sign."""

    kind: Literal["added", "removed", "same", "place"]
    text: str


@dataclass(frozen=True)
class KernelDiff:
    """What changes from `old` to `new` (names below stages/); `old` is empty for a first kernel, which is all
    there."""

    old: str
    new: str
    lines: tuple[DiffLine, ...]

    def count(self, kind: str) -> int:
        """How many lines are of this kind."""
        return sum(line.kind == kind for line in self.lines)


def _natural_order(path: Path) -> list[int | str]:
    """kernel_2 comes before kernel_10."""
    return [int(part) if part.isdigit() else part for part in re.split(r"(\d+)", path.stem)]


def kernel_files(folder: Path) -> list[Path]:
    """The kernel of a stage; of a stage that is a ladder the kernel of each step, in order."""
    found = [path for path in folder.iterdir() if KERNEL_PATTERN.fullmatch(path.name)]
    return sorted(found, key=_natural_order)


def _diff_line(line: str) -> DiffLine:
    if line.startswith("@@"):
        return DiffLine("place", line)
    kinds: dict[str, Literal["added", "removed", "same"]] = {"+": "added", "-": "removed", " ": "same"}
    return DiffLine(kinds[line[0]], line[1:])


def diff_kernels(old: Path | None, new: Path, root: Path) -> KernelDiff:
    """The unified diff of two kernel files; names are relative to `root`."""
    name = new.relative_to(root).as_posix()
    new_lines = new.read_text(encoding="utf-8").splitlines()
    if old is None:
        return KernelDiff("", name, tuple(DiffLine("same", line) for line in new_lines))
    old_lines = old.read_text(encoding="utf-8").splitlines()
    # The first two lines of a unified diff name the files.
    unified = list(difflib.unified_diff(old_lines, new_lines, lineterm=""))[2:]
    return KernelDiff(old.relative_to(root).as_posix(), name, tuple(_diff_line(line) for line in unified))


def stage_diffs(stage: str, base: str, root: Path) -> list[KernelDiff]:
    """Each kernel of `stage` (an id, as is `base`) against the one before it; the first against the last of
    the base, if there is one. `root` is the folder stages/."""
    of_base = kernel_files(root / base) if base else []
    chain = [of_base[-1] if of_base else None, *kernel_files(root / stage)]
    return [diff_kernels(old, new, root) for old, new in itertools.pairwise(chain) if new is not None]
