"""What shared code says of a series, which must cost its own folders and nothing else.

python -m tools.series_boundaries     prints each place

Shared are the C++ folders that every series uses, the fuzzers, the program that measures, and the modules of
the workflow. They name no stage of a series, and the C++ includes nothing of its folders and names no format.
Tests, and the inputs of tests, may.
In the workflow and the program that measures a format's name says nothing: `blocks` and `splits` are
parameters too. There a format is named by its enumerator, or by a comparison.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tools.repository import ROOT, committable_files

# Where series register the names of their formats.
_FORMATS = "common/format/*/formats.cpp"
_SHARED_CXX = ("common/stage", "common/frame", "common/pipeline", "common/simt", "common/device")
_CXX = {".hpp", ".cpp", ".cuh", ".cu"}
_WORKFLOW = re.compile(r"experiments/\w+\.py|experiments/rules/.*|Snakefile")
_OF_TESTS = re.compile(r"(^|/)(test_|made_up_|planted_)[^/]*$|_test\.(cpp|cu)$")
_INCLUDE = re.compile(r'#include "(?:stages|reference_cpu|common/format/\w+)/')
# The fuzzers, but for what a series brings in fuzz/<series>/, use the codecs and the common suite as well.
_SHARED_FUZZ = re.compile(r"fuzz/(?:kernels/)?[^/]+")
_INCLUDE_OF_FUZZ = re.compile(
    r'#include "(?:stages/(?!suite/)|reference_cpu/(?!(?:codec|test_inputs)\.hpp)'
    r"|common/format/\w+/|fuzz/(?!kernels/)\w+/)"
)
# The program that measures, but for what a series brings in experiments/measure/series/, uses the codecs.
_SHARED_MEASURE = re.compile(r"experiments/measure/(?:[^/]+|shared/.*|kinds/.*)")
_INCLUDE_OF_MEASURE = re.compile(
    r'#include "(?:stages/|reference_cpu/(?!codec\.hpp)|common/format/\w+/|experiments/measure/series/)'
)
# How many lines of a file may say something of a series. The list may only shrink.
LEFT = {
    # The library's encoder on a GPU is measured for one of the formats that it writes.
    "experiments/measure/kinds/checksums/checksums_kind.cpp": 1,
}


@dataclass(frozen=True)
class Place:
    """A line of a shared file that says something of a series."""

    path: Path
    line: int
    text: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.text}"


def _alternatives(names: set[str]) -> str:
    return "|".join(sorted(map(re.escape, names)))


def stage_ids() -> re.Pattern[str]:
    """Matches the id of a stage of any series."""
    series = {path.parent.parent.name for path in ROOT.glob("stages/*/*/stage.md")}
    return re.compile(rf"\b(?:{_alternatives(series)})/\d\d_")


def _formats() -> str:
    """Matches the names of all formats. Raises ValueError where none is found."""
    files = ROOT.glob(_FORMATS)
    names = {
        name for file in files for name in re.findall(r'\.name = "(\w+)"', file.read_text(encoding="utf-8"))
    }
    if not names:
        raise ValueError(f"{_FORMATS}: no names of formats")
    return _alternatives(names)


def format_names() -> re.Pattern[str]:
    """Matches the name of a format, an enumerator or quoted. Raises ValueError where none is found."""
    return re.compile(rf"\bBlockFormat::(?:{_formats()})\b|\"(?:{_formats()})\"")


def choices_of_format() -> re.Pattern[str]:
    """Matches the enumerator of a format, or its quoted name in a comparison. Raises as format_names()."""
    return re.compile(rf"\bBlockFormat::(?:{_formats()})\b|[=!]= \"(?:{_formats()})\"")


def _rules_for(path: Path) -> list[re.Pattern[str]]:
    if _OF_TESTS.search(path.as_posix()):
        return []
    if path.suffix in _CXX and path.as_posix().startswith(tuple(f"{folder}/" for folder in _SHARED_CXX)):
        return [_INCLUDE, stage_ids(), format_names()]
    if path.suffix in _CXX and _SHARED_FUZZ.fullmatch(path.as_posix()):
        return [_INCLUDE_OF_FUZZ, stage_ids(), format_names()]
    if path.suffix in _CXX and _SHARED_MEASURE.fullmatch(path.as_posix()):
        return [_INCLUDE_OF_MEASURE, stage_ids(), choices_of_format()]
    return [stage_ids()] if _WORKFLOW.fullmatch(path.as_posix()) else []


def places_in(path: Path, text: str) -> Iterator[Place]:
    """The lines of `text`, the content of the repository's file `path`, that say something of a series."""
    rules = _rules_for(path)
    for number, line in enumerate(text.splitlines() if rules else (), start=1):
        if any(rule.search(line) for rule in rules):
            yield Place(path, number, line.strip())


def places() -> Iterator[Place]:
    """Those of all files of the repository."""
    for path in committable_files():
        if _rules_for(path):
            yield from places_in(path, (ROOT / path).read_text(encoding="utf-8"))


if __name__ == "__main__":
    print(*places(), sep="\n")
