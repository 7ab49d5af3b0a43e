"""Recorded results that may be carried over: what refuses one, and how it is written."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from experiments.carry_over.checkouts import Build, run
from experiments.carry_over.gpus import GpuProperties
from experiments.carry_over.points import LOGGED, PointRun
from experiments.definition import Experiment
from experiments.record_checksums import add_checksum
from experiments.results import RECORDED_DIR, Carry, Result, carry_over, write_result
from experiments.sources import target_digest
from experiments.timing import timing_of

Row = Mapping[str, Any]

# What ids begin with in rows of other GPU libraries, and in rows of the CPU.
PEER_SERIES = ("nvcomp/", "nvcomp_integers/", "nvcomp_zlib/")
CPU_SERIES = ("reference_cpu/", "library/cpu_")


class RefusedError(Exception):
    """A record that is not carried over; the message says why."""


@dataclass(frozen=True)
class Trees:
    """The trees of two commits."""

    before: Path
    after: Path


def stages_of(result: Result) -> list[str]:
    """The stages of a result's rows, each once."""
    return list(dict.fromkeys(row["stage"] for row in result.rows))


def _own_digest(target: str, stages: Sequence[str], tree: Path, python: str) -> str:
    """What the tree's own code says: a later one may look for its files in other folders."""
    command = f'cd "$0" && exec "$@" -m experiments.sources {target} --stages {" ".join(stages)}'
    return run(["bash", "-c", command, tree, python], f"the digest of {target} in {tree}")


def changed_stages(result: Result, trees: Trees, python: str) -> list[str]:
    """The stages whose rows are not fresh by their own digest in the second tree; none where the whole record
    is fresh. Raises RefusedError where the record is not fresh in the first tree."""
    stages, target = stages_of(result), result.target
    if result.timing != timing_of(target):
        raise RefusedError(
            f"its times mean something else now: number {result.timing}, not {timing_of(target)}"
        )
    fresh = result.sources_digest == target_digest(target, stages, trees.before)
    if not fresh and result.sources_digest != _own_digest(target, stages, trees.before, python):
        raise RefusedError(f"it is not fresh at the first commit: it is of {result.sources_commit[:12]}")
    if result.sources_digest == target_digest(target, stages, trees.after):
        return []
    changed = [
        stage
        for stage in stages
        if target_digest(target, [stage], trees.before) != target_digest(target, [stage], trees.after)
    ]
    # The whole digest has changed.
    return changed or stages


def _why_not_by_launches(row: Row) -> str | None:
    """Why equal kernels and launches say nothing about a row; None where they do."""
    stage = str(row["stage"])
    if row.get("end_to_end"):
        return "times of the host (end to end)"
    if stage.startswith(CPU_SERIES) or row.get("executor") == "cpu":
        return "times of the CPU"
    if stage.startswith(PEER_SERIES):
        return "another library"
    return None


def check_rows(experiment: Experiment, rows: Iterable[Row]) -> None:
    """Raises RefusedError, which names the rows, where equal kernels and launches say nothing about them."""
    if experiment.kind not in LOGGED:
        raise RefusedError(
            f"rules K and L say nothing about what `{experiment.program}` measures; rule S may"
        )
    reasons: dict[str, list[str]] = {}
    for row in rows:
        reason = _why_not_by_launches(row)
        if reason is not None:
            reasons.setdefault(reason, []).append(str(row["stage"]))
    if reasons:
        texts = (
            f"{len(found)} rows of {', '.join(dict.fromkeys(found))}: {why}" for why, found in reasons.items()
        )
        raise RefusedError(f"rules K and L say nothing about some rows; rule S may: {'; '.join(texts)}")


def _flags(text: str) -> tuple[str, frozenset[str]]:
    """The flags of a result, and the architectures that they name."""
    flags, _, architectures = text.partition(" for ")
    return flags, frozenset(architectures.split(","))


def check_compiler(result: Result, build: Build, gpu: GpuProperties) -> None:
    """Raises RefusedError where a build has another compiler or other flags than the record's."""
    environment = result.environment
    if environment["compiler"] != build.compiler:
        raise RefusedError(f"compiled with {environment['compiler']}, not {build.compiler}")
    # nvcc's version has one number more than the runtime's.
    if f"nvcc {environment['cuda']}." not in build.compiler:
        raise RefusedError(f"measured with CUDA {environment['cuda']}, not with that of {build.compiler}")
    (recorded, of_record), (present, of_build) = _flags(environment["flags"]), _flags(build.flags)
    architecture = f"{gpu.architecture}-real"
    if recorded != present or architecture not in of_record or architecture not in of_build:
        raise RefusedError(f"compiled with {environment['flags']}, not {build.flags}")


def check_covered(experiment: Experiment, rows: Iterable[Row], runs: Iterable[PointRun]) -> None:
    """Raises RefusedError where a row has no point that was run."""
    points = [point for run_ in runs for point in run_.points]
    with_variants = experiment.kind in ("decode", "encode")
    for row in rows:
        covered = any(
            point["stage"] == row["stage"]
            and (not with_variants or point.get("variant", "") == row["variant"])
            and point.get("parameters", {}).items() <= row["parameters"].items()
            for point in points
        )
        if not covered:
            raise RefusedError(f"{experiment.target}.yaml has no point of {row['stage']} {row['parameters']}")


def apply(result: Result, carry: Carry, tree: Path, folder: Path = RECORDED_DIR) -> None:
    """Writes the record as one of the sources of `carry.to_commit`, which are in `tree`, and its checksum."""
    assert result.machine is not None
    path = folder / result.machine / f"{result.target}.json"
    write_result(carry_over(result, carry, target_digest(result.target, stages_of(result), tree)), path)
    add_checksum(path, folder)
