"""Traces some stages for the course's pages, as `make trace` does.

python -m course.traces [--jobs N]

traces each stage of TRACED on the input of `make trace` and writes course/traces/<series>_<stage>.json, what
the accesses of each line cost, and course/traces/<series>_<stage>_steps.json, what a warp does step by step.
"""

import argparse
import json
import os
import tempfile
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from course.traced_lines import TRACED, lines_of, path_of
from course.warp_steps import LOGGED_REQUESTS, scenes_of, scenes_text, steps_path
from data.files import write_text
from tools.repository import ROOT
from tools.trace_input import INPUTS
from tools.trace_stage import build, program_of, settings_of, trace


def trace_now(stage: str, program: Path) -> Mapping[str, Any]:
    """Traces a stage that decodes on the input of `make trace`; the trace has the first warp's requests."""
    kind, options = settings_of(stage)
    with tempfile.TemporaryDirectory() as name:
        content = Path(name) / "input"
        content.write_bytes(INPUTS[kind]())
        return trace(program, stage, content, Path(name), options, LOGGED_REQUESTS)["decode"]


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
        document = trace_now(stage, build(stage, jobs))
        lines = lines_of(document)
        text = ",\n".join(json.dumps(asdict(line)) for line in lines)
        write_text(path_of(stage), f"[\n{text}\n]\n")
        write_text(steps_path(stage), scenes_text(scenes_of(stage, document, lines)))


if __name__ == "__main__":
    main()
