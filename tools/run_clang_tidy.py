"""Runs clang-tidy over every tracked C++ file, many files to a run."""

import argparse
import os
import subprocess
import sys
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tools.example_series import SERIES_TREE
from tools.lint_units import included_files, join_units, read_units, write_units
from tools.unused_names import unused_names

REPOSITORY_ROOT = Path(__file__).parent.parent
UNITS_FOLDER = "build-lint"
FILES_FOLDER = "build"
# A unit includes .cpp files by nature; included_sources() finds those that a tracked file includes.
CHECK_THAT_UNITS_FAIL = "bugprone-suspicious-include"
# Of tests the sanitizers see the bugs; all checks would take half of the time of those of the product.
CHECKS_OF_TESTS = "-*,misc-unused-*,readability-duplicate-include,readability-identifier-naming"
SOURCE_SUFFIXES = frozenset({".c", ".cc", ".cpp", ".cxx"})


def tracked_sources(root: Path) -> list[Path]:
    """The C++ files that git knows of."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "*.cpp"], cwd=root, text=True, stdout=subprocess.PIPE, check=True
    )
    return [root / name for name in listed.stdout.split("\0") if name]


def needs_other_build(source: Path) -> bool:
    """Whether the preset `lint` does not find what `source` includes: headers of nvCOMP or of Python."""
    return source.name.startswith("nvcomp_") or source.parent.name == "python"


def included_sources(sources: Iterable[Path]) -> Iterator[str]:
    """A message for each include of a file that is compiled by itself."""
    for source in sources:
        for name in included_files(source):
            if Path(name).suffix in SOURCE_SUFFIXES:
                yield f"{source}: includes {name}, which is compiled by itself"


def checks_of(files: Iterable[Path]) -> str:
    """What is added to or taken from the checks of .clang-tidy for files that are read together."""
    if any(file.stem.endswith("_test") for file in files):
        return CHECKS_OF_TESTS
    return f"-{CHECK_THAT_UNITS_FAIL}"


def clang_tidy(folder: str, file: Path, checks: str) -> list[str]:
    """The command for one run, with `checks` added to or taken from those of .clang-tidy."""
    # clang does not know g++'s own options, counts changes of sign to -Wconversion, which g++ does not, and
    # takes equal names in two files of a unit for shadowing, which g++ looks for in each file.
    silenced = ("unknown-warning-option", "sign-conversion", "shadow")
    compiler_options = [f"--extra-arg=-Wno-{warning}" for warning in silenced]
    options = ["--quiet", "--warnings-as-errors=*", *compiler_options, f"--checks={checks}"]
    return ["clang-tidy", "-p", folder, *options, str(file)]


def commands(sources: list[Path], root: Path) -> list[list[str]]:
    """The runs that check each of `sources`, the longest first."""
    units = join_units(read_units(root / UNITS_FOLDER / "compile_commands.json"), sources, root)
    folder = root / UNITS_FOLDER / "joined"
    in_units = {file for unit in units for file in unit.files}
    runs = [
        clang_tidy(str(folder), path, checks_of(unit.files))
        for path, unit in zip(write_units(units, folder), units, strict=True)
    ]
    alone = [source for source in sources if source not in in_units]
    return runs + [
        [*clang_tidy(FILES_FOLDER, source, checks_of([source])), *options_of_example(source, root)]
        for source in alone
    ]


def options_of_example(source: Path, root: Path) -> list[str]:
    """The compiler's options for a file of the example series, which no build of this tree compiles; none for
    any other."""
    tree = root / SERIES_TREE.relative_to(REPOSITORY_ROOT)
    return ["--", "-std=c++20", f"-I{root}", f"-I{tree}"] if source.is_relative_to(tree) else []


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
    findings = [*included_sources(sources)]
    for source in sources:
        findings += unused_names(source)
    print("\n".join(findings), end="\n" if findings else "", file=sys.stderr)

    runs = commands([source for source in sources if not needs_other_build(source)], REPOSITORY_ROOT)
    with ThreadPoolExecutor(jobs) as pool:
        statuses = list(pool.map(run, runs))
    print(f"clang-tidy: {len(sources)} files in {len(runs)} runs, {sum(map(bool, statuses))} with findings")
    return int(bool(findings) or any(statuses))


if __name__ == "__main__":
    sys.exit(main())
