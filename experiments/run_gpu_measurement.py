"""Measures an experiment on this machine's GPU and writes one checked result file.

python -m experiments.run_gpu_measurement TARGET --scale SCALE --data MANIFEST --output RESULT
    [--points-of RESULT] [--nvcomp] [--programs build/bin] [--unfinished results/unfinished]

Started again after an interruption, it goes on with the points that are missing. --points-of is the result,
measured here, whose settings are taken, for an experiment that reads counters, or counts memory, at the
points of another one. --nvcomp measures nvCOMP, and FSST on the CPU, on the same text too.
"""

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from data.errors import DataUnavailableError
from data.files import copy_bytes, digest_of, new_file
from experiments import ncu, range_traffic
from experiments.definition import DefinitionError, Experiment, Scale, load_experiment
from experiments.environment import commit_and_dirty, usable_processors
from experiments.gpu_host import Gpu, compute_capability, find_gpu
from experiments.gpu_points import (
    BEST,
    COMMON,
    PointsError,
    all_points,
    candidates,
    encode_points,
    grid_points,
    points_document,
    points_of_rows,
    whole_document,
)
from experiments.gpu_program import GpuMeasurementError, GpuProgram, Origin, Text
from experiments.join_results import JoinError, join_results, with_rows
from experiments.measuring_programs import PROGRAM, program_of
from experiments.ncu import ProfiledPoint
from experiments.ncu_metrics import NcuError
from experiments.results import Result, ResultError, load_result, parse_result, read_document, write_result
from experiments.row_progress import run_with_progress
from experiments.sources import REPOSITORY_ROOT, target_digest
from experiments.sweep_result import SweepError, sweep_result
from experiments.unchecked import checked_stage
from tools.stages import registered_stages

# The profiler repeats a launch by itself; the program's own repetitions are not read.
_PROFILED_REPETITIONS = 2
# Status of the programs that measure nvCOMP where some codecs have no row; they have named them.
_NVCOMP_INCOMPLETE = 3
# Rows on each codec of others, by the first part of their stage: each of nvCOMP's interfaces gives one.
_ROWS_OF_PEER = {"nvcomp": 2, "nvcomp_integers": 1}
# Data blocks for FSST on the CPU: many more than processors.
_CPU_BLOCKS = 1024
# Of the text that FSST on the CPU compresses: one thread takes seconds for each repetition.
_CPU_TEXT_BYTES = 200_000_000


@dataclass(frozen=True)
class Measurement:
    """What is measured: an experiment at one scale on texts that are there, and the program's `Origin`.

    `points_of` is the result whose settings are taken, None where there is none. `nvcomp` says whether the
    codecs of nvCOMP are measured too."""

    experiment: Experiment
    scale_name: str
    texts: tuple[Text, ...]
    program: GpuProgram
    points_of: Result | None
    nvcomp: bool

    @property
    def scale(self) -> Scale:
        return self.experiment.scales[self.scale_name]

    @property
    def only_text(self) -> Text:
        if len(self.texts) != 1:
            raise GpuMeasurementError(f"one text is needed, there are {len(self.texts)}")
        return self.texts[0]


def _repetitions(repetitions: int | None) -> list[str]:
    """Nothing where the scale says none: a run at a pace is not repeated."""
    return [] if repetitions is None else ["--repetitions", str(repetitions)]


def _part_of(text: Text, name: str, first: int, end: int, folder: Path) -> Text:
    """The bytes from `first` to before `end` as a text of its own; `name` says which part it is."""
    path = folder / f"{name.replace(' ', '_')}.txt"
    with new_file(path) as temporary, text.path.open("rb") as source, temporary.open("wb") as target:
        source.seek(first)
        copy_bytes(source, target, limit=end - first)
    return Text(f"{text.label}, {name}", path, digest_of(path).sha256)


def _on_parts(text: Text, folder: Path) -> list[str]:
    """How the program is told to choose on the first quarter of a text and to report the rest."""
    size = text.path.stat().st_size
    tuning = _part_of(text, "first quarter", 0, size // 4, folder)
    report = _part_of(text, "last three quarters", size // 4, size, folder)
    return [*report.options(), *tuning.options("tuning-")]


def _other_program(run: Measurement, name: str, stages: Iterable[str]) -> GpuProgram:
    """A program in the folder of the run's, for rows on these stages."""
    digest = target_digest(run.experiment.target, stages)
    path = run.program.path.with_name(name)
    return replace(run.program, path=path, origin=replace(run.program.origin, sources_digest=digest))


def _measure_on(run: Measurement, document: Mapping[str, Any], text: Text) -> Path:
    swept = document.get("candidates", ())
    chosen = {(point["stage"], point.get("variant")) for point in swept}
    points = len(document["points"]) + len(swept) + len(chosen)
    # With candidates alone the program cuts the text by itself.
    in_parts = swept and document["points"]
    options = _on_parts(text, run.program.folder) if in_parts else text.options()
    # Other texts may be measured with other stages.
    stages = {point["stage"] for point in (*document["points"], *swept)}
    program = _other_program(run, run.program.path.name, stages)
    return program.run(document, points, [*options, *_repetitions(run.scale.repetitions)])


def _texts_with_points(run: Measurement) -> list[Text]:
    texts = [text for text in run.texts if all_points(run.experiment, run.scale_name, text.label)]
    if not texts:
        raise GpuMeasurementError("none of the texts has a point")
    return texts


def measure_points(run: Measurement) -> Result:
    """The points of the experiment on every text that has some, with what a sweep chooses."""
    experiment = run.experiment
    swept = candidates(experiment)
    texts = [run.only_text] if swept else _texts_with_points(run)
    documents = [whole_document(experiment, run.scale_name, text.label) for text in texts]
    paths = [_measure_on(run, document, text) for document, text in zip(documents, texts, strict=True)]
    if not documents[0]["points"]:
        return sweep_result(experiment, read_document(paths[0]), str(paths[0]))
    result = join_results([parse_result(path) for path in paths], [text.label for text in texts])
    if run.nvcomp and experiment.shows_peers:
        return _with_peers(run, result, "compress" if experiment.kind == "encode" else "decompress")
    return _with_traffic(run, result) if experiment.random_access is not None else result


def _measure_on_cpu(
    run: Measurement, subcommand: str, text: Text, options: Sequence[str]
) -> tuple[dict[str, Any], ...]:
    """Rows on FSST on this machine's CPU, with one thread and with all."""
    threads = ",".join(str(count) for count in sorted({1, usable_processors()}))
    command = [str(run.program.path.with_name("gsst_measure_cpu")), subcommand, "--threads", threads]
    command += [*options, *_repetitions(run.scale.repetitions), *text.options()]
    # Rows of an interrupted run may be of another program.
    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder) / "rows.json"
        status, _ = run_with_progress([*command, "--output", str(output)], output)
        if status != 0:
            raise GpuMeasurementError("gsst_measure_cpu failed; the lines above say why")
        return tuple(json.loads(output.read_text(encoding="utf-8")))


def _decompression_on_cpu(run: Measurement) -> tuple[dict[str, Any], ...]:
    return _measure_on_cpu(run, "threads", run.only_text, ["--blocks", str(_CPU_BLOCKS)])


def _compression_on_cpu(run: Measurement) -> tuple[dict[str, Any], ...]:
    """On the first part of the text."""
    text, folder = run.only_text, run.program.folder
    if text.path.stat().st_size > _CPU_TEXT_BYTES:
        text = _part_of(text, f"first {_CPU_TEXT_BYTES} bytes", 0, _CPU_TEXT_BYTES, folder)
    return _measure_on_cpu(run, "compress", text, [])


def _result_of_program_of_peers(
    run: Measurement, name: str, codecs: Sequence[str], rows: int, options: Sequence[str]
) -> Result:
    """What a program that measures nvCOMP has measured: `rows` rows, of stages `codecs`."""
    path = _other_program(run, name, codecs).run(
        None,
        rows,
        ["--target", run.experiment.target, *options, *_repetitions(run.scale.repetitions)],
        accepted=(0, _NVCOMP_INCOMPLETE),
    )
    result = parse_result(path)
    beside = run.experiment.peers_beside
    of_rows = beside.row if beside is not None else {}
    return with_rows(result, tuple({**row, **of_rows} for row in result.rows))


def _result_of_peers(run: Measurement, text: Text, operation: str) -> Result:
    """Rows on the codecs of nvCOMP on this text."""
    peers, beside = run.experiment.peers, run.experiment.peers_beside
    series = "nvcomp" if beside is None else beside.series
    if beside is None:
        options = ["--operation", operation, *text.options()]
    else:
        # Beside a stage that decodes; the program of cascades does nothing else and has no such option.
        options = ["--codecs", ",".join(peers), *text.options()]
    stages = [f"{series}/{name}" for name in peers]
    rows = _ROWS_OF_PEER[series] * len(peers)
    return _result_of_program_of_peers(run, f"{PROGRAM}_{series}", stages, rows, options)


def _result_on_zlib(run: Measurement, text: Text, on_zlib: Mapping[str, Any]) -> Result:
    """Rows on the codecs of nvCOMP that decompress chunks of zlib, on this text."""
    codecs = on_zlib["codecs"]
    options = ["--level", str(on_zlib["level"]), "--codecs", ",".join(codecs), *text.options()]
    stages = [f"nvcomp_zlib/{name}" for name in codecs]
    return _result_of_program_of_peers(run, f"{PROGRAM}_nvcomp_zlib", stages, len(codecs), options)


def _with_peers(run: Measurement, result: Result, operation: Literal["decompress", "compress"]) -> Result:
    """The result with rows on nvCOMP, and on FSST on the CPU where one text is measured."""
    beside = run.experiment.peers_beside
    if beside is None:
        peers = _result_of_peers(run, run.only_text, operation)
        joined = join_results([result, peers], [result.target, "gsst_measure_nvcomp"])
        on_cpu = _compression_on_cpu(run) if operation == "compress" else _decompression_on_cpu(run)
        return with_rows(joined, (*joined.rows, *on_cpu))
    texts = [
        text
        for text in run.texts
        if any(entry.stage == beside.stage and entry.are_of(text.label) for entry in run.experiment.points)
    ]
    others = [_result_of_peers(run, text, operation) for text in texts if run.experiment.peers]
    on_zlib = [_result_on_zlib(run, text, beside.on_zlib) for text in texts if beside.on_zlib is not None]
    labels = [text.label for text in texts]
    names = [result.target, *(labels if others else []), *(labels if on_zlib else [])]
    return join_results([result, *others, *on_zlib], names)


def _with_allocation_times(run: Measurement, result: Result, document: Mapping[str, Any]) -> Result:
    """The result of encoders with the end-to-end times, with and without allocations, of the same points."""
    options = run.only_text.options()
    program = _other_program(run, "gsst_measure_allocation", run.experiment.stages)
    timed = parse_result(
        program.run(document, len(result.rows), [*options, *_repetitions(run.scale.repetitions)])
    )
    of_points = [[(row["stage"], row["parameters"]) for row in part.rows] for part in (result, timed)]
    if of_points[0] != of_points[1]:
        raise GpuMeasurementError(f"{program.path.name} measured other points than were counted")
    rows = (
        {**counted, "end_to_end_seconds": row["end_to_end_seconds"]}
        for counted, row in zip(result.rows, timed.rows, strict=True)
    )
    return with_rows(result, tuple(rows))


def measure_memory(run: Measurement) -> Result:
    """Allocations of encoders and what they cost, or of decoders at the settings that `points_of` holds; and
    what that holds of the memory of other codecs."""
    if run.points_of is None:
        raise GpuMeasurementError("--points-of must name the result whose settings are taken")
    stages = run.experiment.stages
    if run.experiment.encoding is None:
        points = points_of_rows(row for row in run.points_of.rows if row["stage"] in stages)
    else:
        points = encode_points(run.experiment)
    document = points_document(run.experiment, points)
    result = parse_result(run.program.run(document, len(points), run.only_text.options()))
    if run.experiment.encoding is not None:
        result = _with_allocation_times(run, result, document)
    others = tuple(row for row in run.points_of.rows if row["stage"] not in stages and "gpu_memory" in row)
    return with_rows(result, (*result.rows, *others))


def _profiling(run: Measurement, text: Text) -> list[str]:
    """The measuring program with its options but for the files that a profile adds."""
    assert run.experiment.kind is not None
    kind = [run.experiment.kind] if run.program.path.name == PROGRAM else []
    command = [str(run.program.path.resolve()), *kind, "--target", run.experiment.target]
    command += [*text.options(), *run.program.origin.options(), *_repetitions(_PROFILED_REPETITIONS)]
    return [*command, *(["--allow-small"] if run.scale.allow_small else [])]


def _with_traffic(run: Measurement, result: Result) -> Result:
    """The result of random access with the memory traffic, where NVIDIA Nsight Compute is installed and may
    count it."""
    if shutil.which("ncu") is None:
        return result
    folder = run.program.folder / "ncu"
    shutil.rmtree(folder, ignore_errors=True)
    range_traffic.write_plan(run.experiment, folder, _profiling(run, run.only_text))
    if subprocess.run(["bash", folder / range_traffic.SCRIPT], check=False).returncode != 0:
        print("the memory traffic is not counted; the lines above say why", file=sys.stderr)
        return result
    return range_traffic.with_traffic(result, folder)


def _profiled_rows(run: Measurement) -> list[dict[str, Any]]:
    """The rows of `points_of` at settings that its file fixes.

    What a sweep chose is left out: its blocks and splits differ from stage to stage, and the counters would
    show them as much as the kernels."""
    assert run.points_of is not None
    fixed = {(entry.stage, COMMON) for entry in run.experiment.points if entry.common is not None}
    fixed |= {(entry.stage, BEST) for entry in run.experiment.points if entry.best is not None}
    return [row for row in run.points_of.rows if (row["stage"], row["policy"]) in fixed]


def _profiled_points(run: Measurement, text: str) -> list[ProfiledPoint]:
    """What is profiled on the text with this label."""
    experiment = run.experiment
    if experiment.encoding is not None:
        return [
            ProfiledPoint(point, grid.kernels)
            for grid in experiment.encoding.grids
            if grid.is_of(text)
            for point in grid_points(grid)
        ]
    if experiment.points_of is None:
        points = all_points(experiment, run.scale_name, text)
    elif run.points_of is None:
        raise GpuMeasurementError("--points-of must name the result whose settings are profiled")
    else:
        points = points_of_rows(_profiled_rows(run))
    if experiment.limit_kernels:
        return [
            ProfiledPoint(point, {name: kernel.function}, kernel.launches_before)
            for point in points
            for name, kernel in experiment.limit_kernels.items()
        ]
    return [ProfiledPoint(point, experiment.kernels or ncu.DECODING) for point in points]


def _profile(run: Measurement, points: Sequence[ProfiledPoint], text: Text) -> Result:
    """Counters of the kernels at these points."""
    target, folder = run.experiment.target, run.program.folder / "ncu"
    # Other texts may be profiled with other stages.
    stages = {profiled.point["stage"] for profiled in points}
    run = replace(run, program=_other_program(run, run.program.path.name, stages))
    # The profiler must see a launch of every point: what was measured before is not taken.
    shutil.rmtree(folder, ignore_errors=True)
    ncu.write_plan(target, points, folder, _profiling(run, text))
    if subprocess.run(["bash", folder / ncu.SCRIPT], check=False).returncode != 0:
        raise GpuMeasurementError(f"ncu or {run.program.path.name} failed; the lines above say why")
    return ncu.parse_folder(target, folder)


def measure_counters(run: Measurement) -> Result:
    """Counters of every text that has points."""
    if run.experiment.points_of is not None:
        return _profile(run, _profiled_points(run, run.only_text.label), run.only_text)
    points = {text: _profiled_points(run, text.label) for text in run.texts}
    results = {text.label: _profile(run, found, text) for text, found in points.items() if found}
    if not results:
        raise GpuMeasurementError("none of the texts has a point")
    return join_results(list(results.values()), list(results))


# What is measured otherwise than point by point.
_OTHERWISE = {"counters": measure_counters, "memory": measure_memory}


def measure(run: Measurement) -> Result:
    """Measures the experiment as its definition says."""
    return _OTHERWISE.get(run.experiment.program or "", measure_points)(run)


def check_gpu(experiment: Experiment, gpu: Gpu) -> None:
    """Raises GpuMeasurementError where a stage of the experiment is unknown, or registered and does not run
    on this GPU."""
    minimums = {str(stage["id"]): str(stage["minimum_compute_capability"]) for stage in registered_stages()}
    for stage in map(checked_stage, experiment.stages):
        if stage not in minimums and (REPOSITORY_ROOT / "stages" / stage).is_dir():
            # It reads no frames and is registered for no operation: its measuring program knows it.
            continue
        if stage not in minimums:
            raise GpuMeasurementError(f"no stage is called {stage}; there are: {', '.join(minimums)}")
        if gpu.compute_capability < compute_capability(minimums[stage]):
            raise GpuMeasurementError(
                f"{stage} needs a GPU of compute capability {minimums[stage]} or higher; "
                f"{gpu.name} has {'.'.join(map(str, gpu.compute_capability))}"
            )


def read_texts(manifest: Path) -> tuple[Text, ...]:
    """The texts that are there. Raises GpuMeasurementError with the reasons where none is."""
    document = json.loads(manifest.read_text(encoding="utf-8"))
    if not document["available"]:
        reasons = "; ".join(f"{label}: {reason}" for label, reason in document["unavailable"].items())
        raise GpuMeasurementError(f"none of its data is available: {reasons}")
    paths = {label: Path(path).resolve() for label, path in document["available"].items()}
    return tuple(Text(label, path, digest_of(path).sha256) for label, path in paths.items())


def _program(experiment: Experiment, scale_name: str, programs: Path, folder: Path) -> GpuProgram:
    """The program on this machine's GPU. Raises GpuMeasurementError where one of both is missing."""
    assert experiment.kind is not None
    path = programs / program_of(experiment.kind)
    gpu = find_gpu()
    if gpu is None:
        raise GpuMeasurementError("nvidia-smi finds no GPU on this machine")
    if not path.exists():
        raise GpuMeasurementError(f"{path} does not exist: `make build` makes it where nvcc is installed")
    check_gpu(experiment, gpu)
    digest = target_digest(experiment.target, set(experiment.stages))
    origin = Origin(gpu, *commit_and_dirty(REPOSITORY_ROOT), digest)
    return GpuProgram(path, folder, origin, experiment.scales[scale_name].allow_small)


def main() -> int:
    """Writes the result file; status 1 and no file where the measurement fails."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("target")
    parser.add_argument("--scale", required=True)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--points-of", type=Path)
    parser.add_argument("--nvcomp", action="store_true")
    parser.add_argument("--programs", type=Path, default=Path("build/bin"))
    parser.add_argument("--unfinished", type=Path, default=Path("results/unfinished"))
    parser.add_argument("--output", type=Path, required=True)
    arguments = parser.parse_args()
    folder = arguments.unfinished / arguments.target
    try:
        experiment = load_experiment(arguments.target)
        program = _program(experiment, arguments.scale, arguments.programs, folder)
        points_of = load_result(arguments.points_of) if arguments.points_of else None
        texts = read_texts(arguments.data)
        result = measure(
            Measurement(experiment, arguments.scale, texts, program, points_of, arguments.nvcomp)
        )
        # How a reader repeats it; what the program was called with names files of this machine.
        command = f"python -m experiments.run_gpu_measurement {arguments.target} --scale {arguments.scale}"
        environment = {**result.environment, "command": command}
        write_result(replace(result, environment=environment), arguments.output)
    except (
        *(DataUnavailableError, DefinitionError, GpuMeasurementError, JoinError, NcuError),
        *(OSError, PointsError, ResultError, SweepError),
    ) as error:
        print(f"error: {arguments.target}: {error}", file=sys.stderr)
        return 1
    shutil.rmtree(folder, ignore_errors=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
