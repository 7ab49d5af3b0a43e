"""What the accesses of some stages cost by the model of `make trace`, line by line, for the course's pages.

python -m course.traces [--jobs N]

traces each stage of TRACED on the input of `make trace` and writes course/traces/<series>_<stage>.json, with
the text of each line, by which a test sees that a kernel has changed since.
"""

import argparse
import json
import os
import tempfile
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from data.files import write_text
from tools.repository import ROOT
from tools.trace_input import INPUTS
from tools.trace_report import counts_of, own_lines
from tools.trace_stage import build, program_of, settings_of, trace

TRACED = ("gsst/02_splits", "gsst/03_shared_memory", "gsst/04_alignment", "gsst/05_coalesced")
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


def lines_of(document: Mapping[str, Any]) -> list[TracedLine]:
    """A trace as the command writes it, by line and kind of access, the most requests first."""
    sums: dict[tuple[str, int, str], tuple[int, int, int]] = {}
    for counts in counts_of(document):
        file, _, line = own_lines(counts.lines, ROOT)[0].rpartition(":")
        key = (file, int(line), counts.kind)
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


def trace_now(stage: str, program: Path) -> list[TracedLine]:
    """Traces a stage that decodes on the input of `make trace`."""
    kind, options = settings_of(stage)
    with tempfile.TemporaryDirectory() as name:
        content = Path(name) / "input"
        content.write_bytes(INPUTS[kind]())
        return lines_of(trace(program, stage, content, Path(name), options)["decode"])


def built_program(stage: str) -> Path:
    """What `make trace` builds for a stage."""
    return ROOT / "build/traces" / program_of(stage)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    jobs: int = parser.parse_args().jobs
    for stage in TRACED:
        lines = [json.dumps(asdict(line)) for line in trace_now(stage, build(stage, jobs))]
        write_text(path_of(stage), "[\n" + ",\n".join(lines) + "\n]\n")


if __name__ == "__main__":
    main()
