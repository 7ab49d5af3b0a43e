"""What the accesses of some stages cost by the model of `make trace`, line by line, for the course's pages.

course/traces.py writes the files in course/traces, with the text of each line, by which a test sees that a
kernel has changed since.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tools.repository import ROOT
from tools.trace_report import Counts, counts_of, own_lines

TRACED = (
    "gsst/01_blocks",
    "gsst/02_splits",
    "gsst/03_shared_memory",
    "gsst/04_alignment",
    "gsst/05_coalesced",
)
_FOLDER = ROOT / "course/traces"


@dataclass(frozen=True)
class TracedLine:
    """A line of a kernel, and what its accesses of one kind cost, wherever it is called from."""

    file: str
    line: int
    text: str
    kind: str
    requests: int
    lanes: int
    units: int


def text_of(file: str, line: int) -> str:
    """The text of a line of the repository, without the white space around it."""
    return (ROOT / file).read_text(encoding="utf-8").splitlines()[line - 1].strip()


def key_of(counts: Counts) -> tuple[str, int, str]:
    """The file and number of the repository's innermost line, and the kind of its accesses."""
    file, _, line = own_lines(counts.lines, ROOT)[0].rpartition(":")
    return file, int(line), counts.kind


def lines_of(document: Mapping[str, Any]) -> list[TracedLine]:
    """A trace as the command writes it, by line and kind of access, the most requests first."""
    sums: dict[tuple[str, int, str], tuple[int, int, int]] = {}
    for counts in counts_of(document):
        key = key_of(counts)
        before = sums.get(key, (0, 0, 0))
        sums[key] = (before[0] + counts.requests, before[1] + counts.lanes, before[2] + counts.units)
    found = [
        TracedLine(file, line, text_of(file, line), kind, *of) for (file, line, kind), of in sums.items()
    ]
    return sorted(found, key=lambda one: (-one.requests, one.file, one.line, one.kind))


def path_of(stage: str) -> Path:
    """Where the trace of a stage is."""
    return _FOLDER / f"{stage.replace('/', '_')}.json"


def load_trace(stage: str) -> list[TracedLine]:
    """The lines of a stage's trace."""
    document = json.loads(path_of(stage).read_text(encoding="utf-8"))
    return [TracedLine(**line) for line in document]
