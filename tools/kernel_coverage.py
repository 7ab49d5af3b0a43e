"""Say which lines of the kernels no test on the CPU runs.

A comment excuses a line: `// not covered: REASON`, at its end or alone on the line above.
"""

import os
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from tools.repository import ROOT

BUILD = ROOT / "build-asan"
# gcov's lines: of a file before its own, and of a line that has code, with ##### in place of 0.
_SOURCE = re.compile(r" *-: +0:Source:(.*)")
_COUNTED = re.compile(r" *(\d+|#####): *([1-9]\d*):")
_EXCUSE = re.compile(r"//\s*not covered:\s*\S")

# How often each line ran, by file and line number.
Counts = dict[str, dict[int, int]]


def main() -> None:
    counts = counts_of_kernels(gcov_report(BUILD), ROOT, BUILD)
    kernels = sorted(path for path in ROOT.glob("stages/*/*/*.cu*") if is_kernel(path))
    sources = {str(kernel.relative_to(ROOT)): kernel.read_text().splitlines() for kernel in kernels}
    lines, complete = report(counts, sources)
    print("\n".join(lines))
    sys.exit(0 if complete else 1)


def is_kernel(path: Path) -> bool:
    """Whether a file of a stage holds a kernel or what kernels call, and not the host's side."""
    return path.stem == "kernel" or (path.suffix == ".cuh" and not path.name.startswith("host_"))


def gcov_report(build: Path) -> str:
    """What gcov says of the sources of each kernel's object that was run."""
    objects = sorted(build.glob("**/CMakeFiles/*_simt.dir/**/*.gcda"))
    if not objects:
        sys.exit(f"{build}: no kernel was run; `make coverage` builds and runs the tests")
    command = ["llvm-cov", "gcov", "--stdout", *map(str, objects)]
    return subprocess.run(command, cwd=build, check=True, capture_output=True, text=True).stdout


def counts_of_kernels(gcov_text: str, root: Path, build: Path) -> Counts:
    """Adds up what each object with a kernel ran.

    Objects of a compiler's cache name their sources from the build folder."""
    counts: Counts = {}
    of_file: dict[int, int] | None = None
    for line in gcov_text.splitlines():
        source = _SOURCE.fullmatch(line)
        if source:
            path = Path(os.path.normpath(build / source[1]))
            counts_here = path.is_relative_to(root / "stages") and is_kernel(path)
            of_file = counts.setdefault(str(path.relative_to(root)), {}) if counts_here else None
            continue
        counted = _COUNTED.match(line)
        if counted and of_file is not None:
            number = int(counted[2])
            of_file[number] = of_file.get(number, 0) + (0 if "#" in counted[1] else int(counted[1]))
    return counts


def report(counts: Counts, sources: Mapping[str, list[str]]) -> tuple[list[str], bool]:
    """The text to print, and whether each line of each file was run or is excused."""
    text = []
    complete = True
    for name, source in sources.items():
        of_file = counts.get(name, {})
        missed = [number for number, count in sorted(of_file.items()) if count == 0]
        unexcused = [number for number in missed if not is_excused(source, number)]
        complete = complete and bool(of_file) and not unexcused
        covered = len(of_file) - len(missed)
        text.append(f"{name}: {covered} of {len(of_file)} lines" if of_file else f"{name}: not run at all")
        for number in missed:
            mark = "not run" if number in unexcused else "excused"
            text.append(f"  {mark}: line {number}: {source[number - 1].strip()}")
    return text, complete


def is_excused(source: list[str], number: int) -> bool:
    """Whether a comment says why no test runs line `number`, counted from 1."""
    line = source[number - 1]
    above = source[number - 2].strip() if number > 1 else ""
    return bool(_EXCUSE.search(line) or (above.startswith("//") and _EXCUSE.search(above)))


if __name__ == "__main__":
    main()
