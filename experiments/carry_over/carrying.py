"""Carries one record over: what the rules have in common."""

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from experiments.carry_over import checkouts, records
from experiments.carry_over.checkouts import Build, CheckoutError
from experiments.carry_over.cubin import CubinError
from experiments.carry_over.equal_launches import Comparison, LoggedProgram, NotEqualError, logged_program
from experiments.carry_over.gpus import GpuProperties, UnknownGpuError, gpu_properties
from experiments.carry_over.launches import LaunchError
from experiments.carry_over.points import point_runs
from experiments.carry_over.records import RefusedError, Trees
from experiments.definition import DefinitionError, load_experiment
from experiments.gpu_points import PointsError
from experiments.results import Carry, Result, ResultError, load_result
from experiments.run_gpu_measurement import MEASURERS
from experiments.sources import REPOSITORY_ROOT

# Whatever keeps a record from being carried over.
REFUSALS = (
    *(CheckoutError, CubinError, DefinitionError, LaunchError, NotEqualError, PointsError, RefusedError),
    *(ResultError, UnknownGpuError),
)


@dataclass(frozen=True)
class Commits:
    """Two commits with their trees, below `folder`, and their programs that log launches, by their names."""

    before: str
    after: str
    trees: Trees
    folder: Path
    programs: dict[str, tuple[tuple[Build, LoggedProgram], ...]] = field(default_factory=dict)

    def logged(self, name: str, gpu: GpuProperties) -> tuple[tuple[Build, LoggedProgram], ...]:
        """The program of both commits, built once."""
        key = f"{name} {gpu.architecture}"
        if key not in self.programs:
            runtime = checkouts.build_runtime(REPOSITORY_ROOT / "build")
            builds = [
                checkouts.build_programs(tree, "build", gpu, [name], runtime)
                for tree in (self.trees.before, self.trees.after)
            ]
            self.programs[key] = tuple(
                (build, logged_program(build.programs / name, gpu, runtime)) for build in builds
            )
        return self.programs[key]


# Raises one of REFUSALS where these stages' rows do not hold for the second commit. Gives its name in a record.
Rule = Callable[[Commits, Result, Sequence[str]], str]


def commits_of(repository: Path, before: str, after: str, folder: Path) -> Commits:
    """Unpacks both commits. Raises CheckoutError."""
    names = [checkouts.full_commit(repository, name) for name in (before, after)]
    trees = [checkouts.unpack(repository, name, folder) for name in names]
    return Commits(*names, Trees(*trees), folder)


def rule_kl(commits: Commits, result: Result, changed: Sequence[str]) -> str:
    """Rules K and L: equal kernels, equally launched."""
    experiment, gpu = load_experiment(result.target), gpu_properties(result.environment["gpu"])
    rows = [row for row in result.rows if row["stage"] in changed]
    records.check_rows(experiment, rows)
    runs = point_runs(experiment, gpu.multiprocessors, changed)
    records.check_covered(experiment, rows, runs)
    assert experiment.program is not None
    name = MEASURERS[experiment.program].built
    both = commits.logged(name, gpu)
    for build, _ in both:
        records.check_compiler(result, build, gpu)
    Comparison(*({name: program} for _, program in both), commits.folder / "runs").check(runs)
    return "K and L"


def carry(path: Path, commits: Commits, rule: Rule, dry_run: bool) -> str:
    """Carries the record at `path` over and says what it did. Raises one of REFUSALS and changes nothing."""
    result = load_result(path)
    gpu_properties(result.environment["gpu"])
    changed = records.changed_stages(result, commits.trees, sys.executable)
    if not changed:
        return "is fresh there by its digest"
    name = rule(commits, result, changed)
    if not dry_run:
        date = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        records.apply(result, Carry(commits.before, commits.after, name, date), commits.trees.after)
    return f"{'may be ' if dry_run else ''}carried over by {name}"
