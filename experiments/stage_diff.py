"""The kernel files of a stage and how each differs from the one before it.

A kernel that goes on from a copy of the one before it is shown as a diff. One that includes the one before it
adds a file: a diff of the two would show lines as gone that still run.
"""

import difflib
import itertools
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

# Of a stage that both encodes and decodes, the operation comes first.
KERNEL_PATTERN = re.compile(r"((?:encode|decode)_)?kernels?(_.*)?\.cuh?")
# Of a file below stages/.
_INCLUDE = re.compile(r'^#include "stages/([^"]+)"', re.MULTILINE)
# The folder of a series for the device code that its stages share.
_SHARED = "shared"


@dataclass(frozen=True)
class DiffLine:
    """A line of a unified diff, without its sign."""

    kind: Literal["added", "removed", "same", "place"]
    text: str


@dataclass(frozen=True)
class KernelDiff:
    """What changes from `old` to `new` (names below stages/); `old` is empty for a file that is added, which
    is all there."""

    old: str
    new: str
    lines: tuple[DiffLine, ...]

    def count(self, kind: str) -> int:
        """How many lines are of this kind."""
        return sum(line.kind == kind for line in self.lines)

    @property
    def groups(self) -> list[tuple[bool, list[DiffLine]]]:
        """The lines in groups: those next to each other that are added or removed, which is True, and the
        others."""
        changed = ("added", "removed")
        found = itertools.groupby(self.lines, key=lambda line: line.kind in changed)
        return [(is_changed, list(lines)) for is_changed, lines in found]


def _natural_order(path: Path) -> list[int | str]:
    """kernel_2 comes before kernel_10."""
    return [int(part) if part.isdigit() else part for part in re.split(r"(\d+)", path.stem)]


def kernel_files(folder: Path) -> list[Path]:
    """The kernel of a stage; of a stage that is a ladder the kernel of each step, in order; of one without a
    kernel its code for the host."""
    found = [path for path in folder.iterdir() if KERNEL_PATTERN.fullmatch(path.name)]
    # A stage that runs the kernels of another has only what is around them.
    return sorted(found, key=_natural_order) or sorted([*folder.glob("cpu.cpp"), *folder.glob("host_*.cuh")])


def _diff_line(line: str) -> DiffLine:
    if line.startswith("@@"):
        return DiffLine("place", line)
    kinds: dict[str, Literal["added", "removed", "same"]] = {"+": "added", "-": "removed", " ": "same"}
    return DiffLine(kinds[line[0]], line[1:])


def _added_file(new: Path, root: Path) -> KernelDiff:
    lines = new.read_text(encoding="utf-8").splitlines()
    return KernelDiff("", new.relative_to(root).as_posix(), tuple(DiffLine("added", line) for line in lines))


def diff_kernels(old: Path, new: Path, root: Path) -> KernelDiff:
    """The unified diff of two kernel files; names are relative to `root`."""
    old_lines, new_lines = (path.read_text(encoding="utf-8").splitlines() for path in (old, new))
    # The first two lines of a unified diff name the files.
    unified = list(difflib.unified_diff(old_lines, new_lines, lineterm=""))[2:]
    names = (path.relative_to(root).as_posix() for path in (old, new))
    return KernelDiff(*names, tuple(_diff_line(line) for line in unified))


def _included(file: Path, root: Path) -> list[Path]:
    """What a file includes of the stages' folders, in order, each after what it includes itself."""
    found: dict[Path, None] = {}
    for name in _INCLUDE.findall(file.read_text(encoding="utf-8")):
        found |= dict.fromkeys([*_included(root / name, root), root / name])
    return list(found)


def _goes_on(new: Path, old: Path) -> bool:
    """Whether a kernel may go on from a copy of the other: both are of one operation, or the same file of the
    host's code."""
    of_new, of_old = (KERNEL_PATTERN.fullmatch(path.name) for path in (new, old))
    if of_new is None or of_old is None:
        return of_new is of_old and new.name == old.name
    return of_new[1] == of_old[1]


def _adds_files(kernels: list[Path], root: Path) -> bool:
    """Whether each kernel of a ladder includes the one before it."""
    return any(old in _included(new, root) for old, new in itertools.pairwise(kernels))


def stage_diffs(stage: str, base: str, root: Path) -> list[KernelDiff]:
    """What each kernel of `stage` changes of the one before it, the first of the last one of `base`. Both are
    ids; `base` may be empty. `root` is the folder stages/.

    A kernel that does not go on from a copy of the one before is shown whole. So is each shared file that it
    is the first to include."""
    own = kernel_files(root / stage)
    of_base = kernel_files(root / base) if base else []
    adds_files = _adds_files(own, root) or _adds_files(of_base, root)
    before = of_base[-1] if of_base else None
    diffs = []
    known = {before, *_included(before, root)} if before else set()
    for kernel in own:
        included = _included(kernel, root)
        shared = [path for path in included if path.parent.name == _SHARED and path not in known]
        diffs += [_added_file(path, root) for path in shared]
        if before is None or adds_files or not _goes_on(kernel, before):
            diffs.append(_added_file(kernel, root))
        else:
            diffs.append(diff_kernels(before, kernel, root))
        known |= {kernel, *included}
        before = kernel
    return diffs
