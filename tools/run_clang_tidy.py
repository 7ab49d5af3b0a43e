"""Runs clang-tidy over every tracked C++ file, many files to a run.

clang-tidy spends most of its time on the headers of libraries, once for each file that it is given. The
preset `lint` describes each target as one unit that includes the target's files, and a run takes a unit. The
checks that look at nothing but the file they were given run again, over the files they can say something of.
"""

import argparse
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

REPOSITORY_ROOT = Path(__file__).parent.parent
UNITS_FOLDER = "build-lint"
FILES_FOLDER = "build"
# What these look for is a using-declaration or a namespace alias.
CHECKS_OF_THE_GIVEN_FILE = ("misc-unused-using-decls", "misc-unused-alias-decls")
USING_OR_ALIAS = re.compile(r"\b(using\s+[\w:]*::\w+|namespace\s+\w+\s*=.*);")
# A unit includes .cpp files by nature; included_sources() finds those that a tracked file includes.
CHECK_THAT_UNITS_FAIL = "bugprone-suspicious-include"
INCLUDE = re.compile(r'^\s*#\s*include\s*["<]([^">]+)[">]', re.MULTILINE)
SOURCE_SUFFIXES = frozenset({".c", ".cc", ".cpp", ".cxx"})


def tracked_sources(root: Path) -> list[Path]:
    """The C++ files that git knows of."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "*.cpp"], cwd=root, text=True, stdout=subprocess.PIPE, check=True
    )
    return [root / name for name in listed.stdout.split("\0") if name]


def included_files(source: Path) -> list[str]:
    """What `source` includes, as it is written there."""
    return INCLUDE.findall(source.read_text(encoding="utf-8"))


def files_of_unit(unit: Path) -> set[Path]:
    """The files that a unit stands for: those that it includes by absolute path, else itself."""
    return {Path(name) for name in included_files(unit) if Path(name).is_absolute()} or {unit}


def needs_nvcomp(source: Path) -> bool:
    """Whether only a build with nvCOMP, which the preset `lint` has not, finds what `source` includes."""
    return source.name.startswith("nvcomp_")


def included_sources(sources: Iterable[Path]) -> Iterator[str]:
    """A message for each include of a file that is compiled by itself."""
    for source in sources:
        for name in included_files(source):
            if Path(name).suffix in SOURCE_SUFFIXES:
                yield f"{source}: includes {name}, which is compiled by itself"


def clang_tidy(folder: str, file: Path, checks: str) -> list[str]:
    """The command for one run, with `checks` added to or taken from those of .clang-tidy."""
    # clang does not know g++'s own options, counts changes of sign to -Wconversion, which g++ does not, and
    # takes equal names in two files of a unit for shadowing, which g++ looks for in each file.
    silenced = ("unknown-warning-option", "sign-conversion", "shadow")
    compiler_options = [f"--extra-arg=-Wno-{warning}" for warning in silenced]
    options = ["--quiet", "--warnings-as-errors=*", *compiler_options, f"--checks={checks}"]
    return ["clang-tidy", "-p", folder, *options, str(file)]


def commands(sources: list[Path], units: list[Path]) -> list[list[str]]:
    """The runs that check each of `sources` completely, the longest first."""
    wanted = set(sources)
    in_units: set[Path] = set()
    runs: list[list[str]] = []
    for unit in sorted(units, key=lambda unit: -len(files_of_unit(unit))):
        files = files_of_unit(unit) & wanted - in_units
        if files:
            runs.append(clang_tidy(UNITS_FOLDER, unit, f"-{CHECK_THAT_UNITS_FAIL}"))
            in_units |= files
    for source in sources:
        if source not in in_units:
            runs.append(clang_tidy(FILES_FOLDER, source, ""))
        elif USING_OR_ALIAS.search(source.read_text(encoding="utf-8")):
            runs.append(clang_tidy(FILES_FOLDER, source, ",".join(("-*", *CHECKS_OF_THE_GIVEN_FILE))))
    return runs


def run(command: list[str]) -> int:
    """Runs `command` in the repository and prints what it says in one piece; its exit status."""
    done = subprocess.run(
        command, cwd=REPOSITORY_ROOT, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False
    )
    if done.returncode != 0:
        print(f"{' '.join(command)}\n{done.stdout}", flush=True)
    return done.returncode


def main() -> int:
    """Exit status 1 if there is a finding."""
    parser = argparse.ArgumentParser(description="Run clang-tidy over every tracked C++ file.")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="runs side by side")
    jobs = parser.parse_args().jobs

    sources = tracked_sources(REPOSITORY_ROOT)
    findings = list(included_sources(sources))
    print("\n".join(findings), end="\n" if findings else "", file=sys.stderr)

    database = REPOSITORY_ROOT / UNITS_FOLDER / "compile_commands.json"
    units = [Path(entry["file"]) for entry in json.loads(database.read_text(encoding="utf-8"))]
    runs = commands([source for source in sources if not needs_nvcomp(source)], units)
    with ThreadPoolExecutor(jobs) as pool:
        statuses = list(pool.map(run, runs))
    print(f"clang-tidy: {len(sources)} files in {len(runs)} runs, {sum(map(bool, statuses))} with findings")
    return int(bool(findings) or any(statuses))


if __name__ == "__main__":
    sys.exit(main())
