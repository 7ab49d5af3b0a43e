"""Carries one record over: what the rules have in common."""

import hashlib
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from data.files import write_text
from experiments.carry_over import checkouts, records
from experiments.carry_over.checkouts import Build, CheckoutError
from experiments.carry_over.cubin import CubinError
from experiments.carry_over.equal_launches import Comparison, LoggedProgram, NotEqualError, logged_program
from experiments.carry_over.gpus import GpuProperties, UnknownGpuError, gpu_properties
from experiments.carry_over.launches import LaunchError
from experiments.carry_over.measuring import measuring
from experiments.carry_over.points import point_runs
from experiments.carry_over.records import RefusedError, Trees
from experiments.carry_over.speed import check_speeds, read_evidence
from experiments.carry_over.speed_works import Work, works_of
from experiments.definition import DefinitionError, load_experiment
from experiments.gpu_points import PointsError
from experiments.results import RECORDED_DIR, Carry, Result, ResultError, load_result
from experiments.sources import REPOSITORY_ROOT

# Whatever keeps a record from being carried over.
REFUSALS = (
    *(CheckoutError, CubinError, DefinitionError, LaunchError, NotEqualError, PointsError, RefusedError),
    *(ResultError, UnknownGpuError),
)


@dataclass(frozen=True)
class Commits:
    """Two commits with their trees, below `folder`, and their programs that log launches, by kind."""

    before: str
    after: str
    trees: Trees
    folder: Path
    programs: dict[str, tuple[tuple[Build, LoggedProgram], ...]] = field(default_factory=dict)

    def logged(self, kind: str, gpu: GpuProperties) -> tuple[tuple[Build, LoggedProgram], ...]:
        """The program of both commits for a kind, built once."""
        key = f"{kind} {gpu.architecture}"
        if key not in self.programs:
            runtime = checkouts.build_runtime(REPOSITORY_ROOT / "build")
            both = []
            for tree in (self.trees.before, self.trees.after):
                of_tree = measuring(tree, kind)
                build = checkouts.build_programs(tree, "build", gpu, [of_tree.target], runtime)
                both.append((build, logged_program(build.programs, of_tree, gpu, runtime)))
            self.programs[key] = tuple(both)
        return self.programs[key]


# Raises one of REFUSALS where these stages' rows do not hold for the second commit. Gives its name.
Rule = Callable[[Commits, Result, Sequence[str]], str]


def commits_of(repository: Path, before: str, after: str, folder: Path) -> Commits:
    """Unpacks both commits. Raises CheckoutError."""
    names = [checkouts.full_commit(repository, name) for name in (before, after)]
    trees = [checkouts.unpack(repository, name, folder) for name in names]
    return Commits(*names, Trees(*trees), folder)


def rule_kl(commits: Commits, result: Result, changed: Sequence[str]) -> str:
    """Rules K and L: equal kernels, equally launched."""
    experiment, gpu = load_experiment(result.target), gpu_properties(result.environment["gpu"])
    rows = changed_rows(result, changed)
    records.check_rows(experiment, rows)
    runs = point_runs(experiment, gpu.multiprocessors, changed)
    records.check_covered(experiment, rows, runs)
    assert experiment.kind is not None
    both = commits.logged(experiment.kind, gpu)
    for build, _ in both:
        records.check_compiler(result, build, gpu)
    Comparison(*(program for _, program in both), commits.folder / "runs").check(runs)
    return "K and L"


def changed_rows(result: Result, changed: Sequence[str]) -> list[dict[str, Any]]:
    """The rows of these stages."""
    return [row for row in result.rows if row["stage"] in changed]


def changed_work(result: Result, commits: Commits, text_bytes: int) -> list[Work]:
    """What rule S measures of a record; nothing where it is fresh at the second commit. Raises one of
    REFUSALS."""
    gpu_properties(result.environment["gpu"])
    changed = records.changed_stages(result, commits.trees, sys.executable)
    return (
        works_of(load_experiment(result.target), changed_rows(result, changed), text_bytes) if changed else []
    )


def rule_s(path: Path) -> Rule:
    """Rule S: both commits were of one speed, as the file says that alternate.py wrote."""
    evidence = read_evidence(path)

    def rule(commits: Commits, result: Result, changed: Sequence[str]) -> str:
        if (evidence.before, evidence.after) != (commits.before, commits.after):
            raise RefusedError(f"{path} is about {evidence.before[:12]} and {evidence.after[:12]}")
        if evidence.gpu != result.environment["gpu"]:
            raise RefusedError(f"{path} is of {evidence.gpu}, the record of {result.environment['gpu']}")
        works = works_of(load_experiment(result.target), changed_rows(result, changed), evidence.text_bytes)
        check_speeds(evidence, works)
        return "S"

    return rule


def keep_evidence(path: Path, machine: str, folder: Path = RECORDED_DIR) -> Path:
    """Copies evidence of rule S to where the machine's records are."""
    evidence = read_evidence(path)
    text = path.read_text(encoding="utf-8")
    name = (
        f"{evidence.before[:12]}_{evidence.after[:12]}_{hashlib.sha256(text.encode()).hexdigest()[:8]}.json"
    )
    kept = folder / machine / "carried" / name
    write_text(kept, text)
    return kept


def carry(path: Path, commits: Commits, rule: Rule, dry_run: bool) -> tuple[str, bool]:
    """Carries the record at `path` over. Says what it did, and whether it changed the record. Raises one of
    REFUSALS and changes nothing."""
    result = load_result(path)
    gpu_properties(result.environment["gpu"])
    changed = records.changed_stages(result, commits.trees, sys.executable)
    if not changed:
        return "is fresh there by its digest", False
    name = rule(commits, result, changed)
    if not dry_run:
        date = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        records.apply(result, Carry(commits.before, commits.after, name, date), commits.trees.after)
    return f"{'may be ' if dry_run else ''}carried over by {name}", not dry_run
