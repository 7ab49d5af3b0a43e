"""Counts what the accesses of one stage's kernels cost on a GPU, without one, by a model.

python -m tools.trace_stage STAGE [--input FILE] [--output TRACE.json] [--lines N] [--jobs N]

Builds the command with this stage alone, whose kernels tell of each access, and runs it on the CPU on a small
input of its own making, or on FILE. docs/tracing.md says how to read the table.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import yaml

from data.yaml_file import read_yaml
from tools.repository import ROOT
from tools.trace_input import INPUTS
from tools.trace_report import TraceError, report

BUILD = ROOT / "build"
# Blocks of which a small input has several.
BLOCK_OPTIONS = ("--block-size", "32K")


class TraceStageError(Exception):
    """A stage that cannot be traced, and why."""


def stages_with_kernels(root: Path = ROOT) -> list[str]:
    """All that CMake finds."""
    return sorted(
        path.parent.relative_to(root / "stages").as_posix() for path in root.glob("stages/*/*/stage.cu")
    )


def check_stage(stage: str, root: Path = ROOT) -> None:
    """Raises TraceStageError unless it is a stage with kernels."""
    known = stages_with_kernels(root)
    if not stage:
        raise TraceStageError(f"say which stage: make trace STAGE=<id>; with kernels: {', '.join(known)}")
    if stage in known:
        return
    if (root / "stages" / stage / "cpu.cpp").is_file():
        raise TraceStageError(f"{stage} runs on the host's processor: it has no kernel to trace")
    raise TraceStageError(f"no stage is called '{stage}'; with kernels: {', '.join(known)}")


def settings_of(stage: str, root: Path = ROOT) -> tuple[str, Sequence[str]]:
    """The name of the input in INPUTS and the options for compression: what stages/<series>/trace.yaml says
    for the stage, or for all of its series. Raises TraceStageError."""
    series, _, name = stage.partition("/")
    path = root / "stages" / series / "trace.yaml"
    if not path.is_file():
        return "text", BLOCK_OPTIONS
    place = path.relative_to(root)
    try:
        document = read_yaml(path)
        entry: dict[str, Any] = {**document["all"], **document.get("stages", {}).get(name, {})}
        kind, options = str(entry["input"]), [str(option) for option in entry["options"]]
    except (KeyError, TypeError, ValueError, yaml.YAMLError) as error:
        raise TraceStageError(f"{place}: needs `all` with `input` and `options`: {error!r}") from error
    if kind not in INPUTS:
        raise TraceStageError(f"{place}: input '{kind}' is none of {', '.join(INPUTS)}")
    return kind, options


def program_of(stage: str) -> str:
    """The program that traces a stage, as CMake names its target."""
    return f"trace_{stage.replace('/', '_')}"


def run(command: Sequence[str | Path], what: str) -> str:
    """Runs a command and returns its output. Raises TraceStageError with what it said where it fails."""
    done = subprocess.run(list(map(str, command)), cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise TraceStageError(
            f"{what} failed: {' '.join(map(str, command))}\n{done.stdout}{done.stderr}".rstrip()
        )
    return done.stdout


def build(stage: str, jobs: int) -> Path:
    """Builds the program that traces a stage."""
    options = run([ROOT / "tools/cuda_of_tests.sh", BUILD], "the choice of CUDA").split()
    run(["cmake", "--preset", "cpu", *options], "the configuration")
    target = program_of(stage)
    run(["cmake", "--build", BUILD, "--parallel", str(jobs), "--target", target], f"the build of {target}")
    return BUILD / "traces" / target


def operations_of(program: Path, stage: str) -> dict[str, str]:
    """The operations of the stage, each with the format that it is for."""
    listing = json.loads(run([program, "--list-stages", "--json"], "the list of stages"))
    return {str(entry["operation"]): str(entry["format"]) for entry in listing if entry["id"] == stage}


def trace(
    program: Path, stage: str, content: Path, folder: Path, options: Sequence[str], requests: int = 0
) -> dict[str, dict[str, Any]]:
    """Runs each operation of the stage on what is in `content`, with files in `folder`; returns its trace.
    Decoding also logs that many requests. Raises TraceStageError."""
    traces: dict[str, dict[str, Any]] = {}
    for operation, block_format in operations_of(program, stage).items():
        traced, compressed, back = (folder / f"{operation}{end}" for end in (".json", ".compressed", ".back"))
        with_stage = ["--stage", stage, "--device", "simt", "--trace", traced]
        encode = ["-q", "--format", block_format, *options, "-o", compressed, content]
        if operation == "decode":
            run([program, *encode], "compression")
            logged = ["--trace-requests", str(requests)] if requests else []
            run([program, "-d", "-q", *with_stage, *logged, "-o", back, compressed], "the traced stage")
            if back.read_bytes() != content.read_bytes():
                raise TraceStageError(f"{stage} decoded other bytes than were compressed")
        elif operation == "encode":
            run([program, *with_stage, *encode], "the traced stage")
        elif operation == "ranges":
            run([program, *encode], "compression")
            run([f"{program}_ranges", stage, compressed, content, traced], "the traced stage")
        else:
            raise TraceStageError(
                f"{stage} does {operation}, which needs columns and a question: stages that decode or encode"
                " can be traced, of files or of ranges"
            )
        traces[operation] = json.loads(traced.read_text(encoding="utf-8"))
    return traces


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("stage", help="id of a stage with kernels")
    parser.add_argument("--input", type=Path, help="a file in place of the small input")
    parser.add_argument("--output", type=Path, help="where the trace is kept, as JSON")
    parser.add_argument("--lines", type=int, default=10, help="most lines in each table")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    arguments = parser.parse_args()
    stage: str = arguments.stage
    try:
        check_stage(stage)
        kind, options = settings_of(stage)
        program = build(stage, arguments.jobs)
        with tempfile.TemporaryDirectory() as name:
            content = arguments.input
            if content is None:
                content = Path(name) / "input"
                content.write_bytes(INPUTS[kind]())
            traces = trace(program, stage, content, Path(name), options)
            size = content.stat().st_size
        if arguments.output is not None:
            arguments.output.write_text(json.dumps(traces, indent=1) + "\n", encoding="utf-8")
        print(f"{stage} on {size} bytes: numbers of a model, not of a GPU (docs/tracing.md)")
        for operation, document in traces.items():
            print(f"\n{operation}: {report(document, ROOT, arguments.lines)}", end="")
    except (TraceStageError, TraceError, OSError) as error:
        sys.exit(f"trace: {error}")


if __name__ == "__main__":
    main()
