"""Runs the measuring program on the data of an experiment and writes one checked result file.

python -m experiments.run_measurement TARGET --scale SCALE --data MANIFEST --program PATH --output RESULT
    [--jobs N]

With --jobs N, N formats or data sets are measured at the same time: for targets that show sizes and no times.
"""

import argparse
import json
import os
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

from data.files import digest_of, write_text
from experiments.definition import Experiment, Scale, load_experiment
from experiments.environment import describe_environment, usable_processors
from experiments.gpu_points import fixed_points
from experiments.host_points import ALL_PROCESSORS, host_points, numbers_of_threads
from experiments.machine_load import load_between, take_sample
from experiments.measure_cpu_stages.vector_instructions import counted_in, with_instructions
from experiments.model_of_accesses import NoCountersError, with_counters
from experiments.results import Result, ResultError, write_result
from experiments.row_progress import run_with_progress
from experiments.sources import REPOSITORY_ROOT, target_digest

MISSING_CODEC = "missing codec: "
# A folder of the disk that is measured; without it that of the data.
DISK_VARIABLE = "GSST_DISK_DIR"


class MeasurementError(Exception):
    """The measuring program failed, or what it wrote is not about the data it was given."""


def thread_counts(processors: int) -> list[int]:
    """Powers of two up to twice the processors, and the number of processors."""
    powers = [1 << exponent for exponent in range((2 * processors).bit_length())]
    return sorted({processors, *(power for power in powers if power <= 2 * processors)})


# Of a text with at least so many blocks all processors have some.
BLOCKS_OF_LONG_TEXTS = 16
# The level with the largest samples: what wide codes can do.
WIDE_CODES_LEVEL = 9


def _list(values: list[int] | tuple[int, ...]) -> str:
    return ",".join(str(value) for value in values)


def program_arguments(work: str, scale: Scale, input_bytes: int) -> list[str]:
    """The options of the measuring program that do not name files. `work` is its subcommand, or what a
    program without subcommands measures."""
    if work in ("bytes", "markers"):
        return ["--block-bytes", str(scale.block_bytes[0])]
    if work == "chunks":
        (name_of_format,) = scale.formats
        return ["--format", name_of_format, "--block-bytes", str(scale.block_bytes[0])]
    if work == "codec_speed":
        (name_of_format,) = scale.formats
        threads = _list(sorted({1, usable_processors()}))
        timing = ["--threads", threads, "--repetitions", str(scale.repetitions)]
        return ["--format", name_of_format, "--block-bytes", str(scale.block_bytes[0]), *timing]
    if work in ("search_cpu", "tiles_speed"):
        (level,) = scale.tile_levels
        widths = ["--code-bits", _list(scale.code_bits), "--level", str(level)]
        return ["--block-bytes", str(scale.block_bytes[0]), *widths, "--repetitions", str(scale.repetitions)]
    if work in ("matches", "rows", "speed"):
        (level,) = scale.levels
        return ["--level", str(level), "--repetitions", str(scale.repetitions)]
    if work == "lookups":
        (level,) = scale.levels
        blocks = ["--block-bytes", str(scale.block_bytes[0]), "--level", str(level)]
        return [*blocks, "--repetitions", str(scale.repetitions)]
    if work == "peers":
        is_long = input_bytes >= BLOCKS_OF_LONG_TEXTS * scale.block_bytes[0]
        blocks = ["--block-bytes", str(scale.block_bytes[0])]
        blocks += ["--threads", str(usable_processors() if is_long else 1)]
        return [*blocks, "--levels", _list(scale.levels), "--repetitions", str(scale.repetitions)]
    if work == "block_sizes":
        return ["--block-bytes", _list(scale.block_bytes), "--repetitions", str(scale.repetitions)]
    if work == "line_rate":
        named = [(f"--{name.replace('_', '-')}", _list(values)) for name, values in scale.options.items()]
        return ["--block-bytes", str(scale.block_bytes[0]), *(text for option in named for text in option)]
    if work == "disk":
        processors = usable_processors()
        counts = [processors if each == ALL_PROCESSORS else each for each in numbers_of_threads(processors)]
        return ["--threads", _list(counts), "--repetitions", str(scale.repetitions)]
    if work == "threads":
        blocks = max(1, round(input_bytes / scale.block_bytes[0]))
        threads = _list(thread_counts(usable_processors()))
        return ["--blocks", str(blocks), "--threads", threads, "--repetitions", str(scale.repetitions)]
    if work == "ratio":
        return ["--block-bytes", _list(scale.block_bytes), "--splits", _list(scale.splits)]
    if work == "widths":
        widths = ["--code-bits", _list(scale.code_bits), "--level", str(WIDE_CODES_LEVEL)]
        return ["--block-bytes", _list(scale.block_bytes), *widths]
    if work == "lengths":
        return ["--longest", _list(scale.longest_symbol), "--level", str(WIDE_CODES_LEVEL)]
    if work == "strings":
        return []
    if work == "codecs":
        return ["--repetitions", str(scale.repetitions)]
    if work == "levels":
        levels = ["--levels", _list(scale.levels), "--tile-levels", _list(scale.tile_levels)]
        return [*levels, "--code-bits", _list(scale.code_bits), "--repetitions", str(scale.repetitions)]
    if work == "format":
        named = [f"--option={name}={_list(values)}" for name, values in scale.options.items()]
        (name_of_format,) = scale.formats
        blocks = ["--format", name_of_format, "--block-bytes", _list(scale.block_bytes)]
        return [*blocks, *named, "--repetitions", str(scale.repetitions)]
    if work == "tables":
        limits = [
            (f"--{name.replace('_', '-')}", _list(values)) for name, values in scale.table_limits.items()
        ]
        return ["--block-bytes", str(scale.block_bytes[0]), *(text for limit in limits for text in limit)]
    raise MeasurementError(f"the measuring program has no subcommand {work}")


def _check_rows(rows: object, label: str, sha256: str) -> list[dict[str, Any]]:
    if not isinstance(rows, list) or not rows:
        raise MeasurementError(f"{label}: the measuring program wrote no rows")
    for row in rows:
        if row.get("dataset_sha256") != sha256 or row.get("dataset") != label:
            raise MeasurementError(f"{label}: a row is about other data: {row.get('dataset')}")
    return rows


def _arguments_of_points(experiment: Experiment, scale: Scale, label: str, folder: Path) -> list[str]:
    """Writes the points file into the folder. The options that name it, and how often points are timed."""
    points = host_points(experiment, label, usable_processors())
    if not points and not experiment.file_tools:
        raise MeasurementError(f"{label}: no grid of {experiment.target} is of this text")
    path = folder / "points.json"
    measured = {"files": list(experiment.file_tools)} if experiment.file_tools else {"points": points}
    write_text(path, json.dumps({"kind": "cpu_stages", **measured}))
    return ["--points", str(path), "--repetitions", str(scale.repetitions)]


def _points_of_accesses(experiment: Experiment, label: str, folder: Path) -> list[str]:
    """Writes the points file of gsst_measure_accesses into the folder. The option that names it."""
    path = folder / "points.json"
    points = fixed_points(experiment, text=label)
    if not points:
        raise MeasurementError(f"{label}: no point of {experiment.target} is of this text")
    write_text(path, json.dumps({"kind": "accesses", "points": points}))
    return ["--points", str(path)]


def _questions(experiment: Experiment, folder: Path) -> list[str]:
    """Writes the file of questions into the folder. The option that names it."""
    path = folder / "questions.json"
    write_text(path, json.dumps(experiment.questions))
    return ["--questions", str(path)]


def measure_one(
    program: Path, experiment: Experiment, scale: Scale, label: str, path: Path
) -> list[dict[str, Any]]:
    """The rows of one data set."""
    subcommand = experiment.subcommand
    work = subcommand or experiment.program
    assert work is not None, "a target without a measurement"
    digest = digest_of(path)
    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder) / "rows.json"
        named = [str(program), *([subcommand] if subcommand else [])]
        command = [*named, "--input", str(path), "--dataset", label]
        command += ["--dataset-sha256", digest.sha256]
        if experiment.program == "cpu_stages":
            command += _arguments_of_points(experiment, scale, label, Path(folder))
        elif experiment.program == "accesses":
            command += _points_of_accesses(experiment, label, Path(folder))
        else:
            command += program_arguments(work, scale, digest.bytes)
        if experiment.questions:
            command += _questions(experiment, Path(folder))
        if value_type := experiment.value_type(label):
            command += ["--type", value_type]
        if experiment.program == "disk" and DISK_VARIABLE in os.environ:
            command += ["--folder", os.environ[DISK_VARIABLE]]
        command += ["--output", str(output)]
        status, messages = run_with_progress(command, output)
        if status != 0:
            name = " ".join([program.name, *named[1:]])
            raise MeasurementError(f"{label}: {name} ended with status {status}")
        rows = json.loads(output.read_text(encoding="utf-8"))
    checked = _check_rows(rows, label, digest.sha256)
    missing = [name.removeprefix(MISSING_CODEC) for name in messages if name.startswith(MISSING_CODEC)]
    if missing:
        checked = [{**row, "missing_codecs": missing} for row in checked]
    return checked


def _runs(scale: Scale) -> list[Scale]:
    """The program measures one format in a run."""
    return [replace(scale, formats=(name,)) for name in scale.formats] or [scale]


def measure(
    experiment: Experiment, scale_name: str, available: dict[str, str], program: Path, jobs: int = 1
) -> Result:
    """Measures every data set that is there, `jobs` of them, or of their formats, at the same time."""
    scale = experiment.scales[scale_name]
    command = f"python -m experiments.run_measurement {experiment.target} --scale {scale_name}"
    # The environment is described first, so that a change of the tree during the run cannot hide.
    environment = describe_environment(REPOSITORY_ROOT, program, command)
    digest = target_digest(experiment.target, experiment.stages)
    works = [(run, label, Path(path)) for label, path in available.items() for run in _runs(scale)]
    begin = take_sample()
    # A pool may begin the next work, which can take minutes, before it is heard that one has failed.
    with ThreadPoolExecutor(jobs) as pool:
        in_turn = map if jobs == 1 else pool.map
        measured = in_turn(lambda work: measure_one(program, experiment, *work), works)
        rows = [row for part in measured for row in part]
    if experiment.host_grids:
        rows = with_instructions(rows, counted_in(program))
    if experiment.program == "accesses":
        rows = with_counters(rows)
    environment["load"] = load_between(begin, take_sample())
    return Result(experiment.target, environment, digest, tuple(rows))


def main() -> int:
    """Writes the result file; status 1 and no file where the measurement fails."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("target")
    parser.add_argument("--scale", required=True)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--program", type=Path, required=True)
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("--jobs", type=int, default=1)
    arguments = parser.parse_args()
    if arguments.jobs < 1:
        parser.error(f"--jobs must be at least 1, is {arguments.jobs}")
    available = json.loads(arguments.data.read_text(encoding="utf-8"))["available"]
    if not available:
        print(f"{arguments.target}: nothing measured, none of its data is available", file=sys.stderr)
    try:
        experiment = load_experiment(arguments.target)
        result = measure(experiment, arguments.scale, available, arguments.program, arguments.jobs)
        write_result(result, arguments.output)
    except (MeasurementError, NoCountersError, ResultError) as error:
        print(f"error: {arguments.target}: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
