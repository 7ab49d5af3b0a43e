"""Say which lines of the kernels no test on the CPU runs.

A comment excuses a line: `// not covered: REASON`, at its end or alone on the line above.
"""

import json
import re
import subprocess
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path

from tools.repository import ROOT

BUILD = ROOT / "build-asan"
_EXCUSE = re.compile(r"//\s*not covered:\s*\S")

# How often each line ran, by file and line number.
Counts = dict[str, dict[int, int]]


def main() -> None:
    counts = counts_of_kernels(gcov_reports(BUILD), ROOT)
    kernels = sorted(ROOT.glob("stages/*/*/kernel*.cu*"))
    sources = {str(kernel.relative_to(ROOT)): kernel.read_text().splitlines() for kernel in kernels}
    lines, complete = report(counts, sources)
    print("\n".join(lines))
    sys.exit(0 if complete else 1)


def gcov_reports(build: Path) -> list[dict[str, object]]:
    """What gcov says of each kernel's object that was run."""
    objects = sorted(build.glob("stages/CMakeFiles/*_simt.dir/**/*.gcda"))
    if not objects:
        sys.exit(f"{build}: no kernel was run; `make coverage` builds and runs the tests")
    command = ["gcov", "--json-format", "--stdout", *map(str, objects)]
    result = subprocess.run(command, cwd=build, check=True, capture_output=True, text=True)
    return [json.loads(line) for line in result.stdout.splitlines() if line.startswith("{")]


def counts_of_kernels(reports: Iterable[Mapping[str, object]], root: Path) -> Counts:
    """Adds up what each instance of a template ran."""
    counts: Counts = {}
    for gcov_report in reports:
        for file in gcov_report["files"]:  # type: ignore[attr-defined]
            path = Path(file["file"])
            if not path.is_relative_to(root) or not path.name.startswith("kernel"):
                continue
            of_file = counts.setdefault(str(path.relative_to(root)), {})
            for line in file["lines"]:
                number = line["line_number"]
                of_file[number] = of_file.get(number, 0) + line["count"]
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
