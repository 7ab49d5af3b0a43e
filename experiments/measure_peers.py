"""Measures our stages, nvCOMP and FSST on the CPU on one text, for Figures 6.2 to 6.4.

python -m experiments.measure_peers --scale SCALE --output-dir results/measured [--build build]

Needs a GPU, and gsst_measure_nvcomp, which is built on request only (experiments/peers/README.md). What each
program wrote stays in the folder `peers` of the output.
"""

import argparse
import json
import shlex
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from data.errors import DataUnavailableError
from data.fetch import CACHE_DIR, Fetcher
from data.files import digest_of, write_text
from experiments.definition import Experiment, load_experiment
from experiments.environment import commit_and_dirty, usable_processors
from experiments.gpu_points import fixed_points
from experiments.join_results import JoinError, join_results, with_cpu_rows
from experiments.results import ResultError, parse_result, write_result
from experiments.sources import REPOSITORY_ROOT, target_digest

THROUGHPUT = "gsst_fig_6_2"
MEMORY = "gsst_fig_6_4"
# Status of gsst_measure_nvcomp where some codecs have no row; it has named them.
INCOMPLETE = 3
# As many blocks as all processors of a large machine decode at the same time.
CPU_BLOCKS = 1024


class PeersError(Exception):
    """A program failed."""


@dataclass(frozen=True)
class Text:
    """What is measured on; `options` are those by which every program is told of it."""

    path: Path
    label: str
    sha256: str

    @property
    def options(self) -> list[str]:
        """The programs' options that name the text."""
        return ["--input", str(self.path), "--dataset", self.label, "--dataset-sha256", self.sha256]


@dataclass(frozen=True)
class Measurement:
    """One experiment's data, and the folder where the programs' outputs go."""

    experiment: Experiment
    scale: str
    text: Text
    programs: Path
    folder: Path

    def origin(self, target: str, stages: list[str]) -> list[str]:
        """The options that say what a result is called and what it was measured with."""
        commit, dirty = commit_and_dirty(REPOSITORY_ROOT)
        options = ["--target", target, "--commit", commit, "--sources-digest", target_digest(target, stages)]
        if dirty:
            options.append("--dirty")
        # The smallest text is about as large as several caches; such times say nothing, and are not recorded.
        if self.scale == "tiny":
            options.append("--allow-small")
        return options

    def run(self, command: list[str], output: Path, accepted: int = 0) -> Path:
        """Runs a program that writes `output`. Raises PeersError."""
        whole = [str(self.programs / command[0]), *command[1:], *self.text.options, "--output", str(output)]
        print(shlex.join(whole), file=sys.stderr, flush=True)
        status = subprocess.run(whole, check=False).returncode
        if status not in (0, accepted):
            raise PeersError(f"{command[0]} ended with status {status}")
        return output


def measure(measurement: Measurement) -> dict[str, list[Path]]:
    """Runs every program; returns the results of each target, the one of its own first."""
    folder = measurement.folder
    points = folder / "points.json"
    stages = sorted({entry.stage for entry in measurement.experiment.points})
    write_text(points, json.dumps({"points": fixed_points(measurement.experiment, scale=measurement.scale)}))
    peers = [f"nvcomp/{name}" for name in measurement.experiment.peers]
    of_stages = measurement.run(
        [
            *("gsst_measure_stages", "measure", "--points", str(points)),
            *measurement.origin(THROUGHPUT, stages),
        ],
        folder / "stages.json",
    )
    of_peers = measurement.run(
        ["gsst_measure_nvcomp", *measurement.origin(THROUGHPUT, peers)], folder / "nvcomp.json", INCOMPLETE
    )
    of_memory = measurement.run(
        ["gsst_measure_memory", "--points", str(points), *measurement.origin(MEMORY, stages)],
        folder / "memory.json",
    )
    threads = ",".join(str(count) for count in sorted({1, usable_processors()}))
    measurement.run(
        [
            *("gsst_measure_cpu", "threads", "--threads", threads, "--blocks", str(CPU_BLOCKS)),
            *("--repetitions", "10"),
        ],
        folder / "cpu_rows.json",
    )
    return {THROUGHPUT: [of_stages, of_peers], MEMORY: [of_memory, of_peers]}


def join(paths: dict[str, list[Path]], cpu_rows: Path, folder: Path) -> None:
    """Writes the result of each target. Raises JoinError and ResultError."""
    for target, parts in paths.items():
        joined = join_results([parse_result(path) for path in parts], [str(path) for path in parts], target)
        if target == THROUGHPUT:
            joined = with_cpu_rows(joined, [cpu_rows])
        write_result(joined, folder / f"{target}.json")


def main() -> int:
    """Writes both results; status 1 with the reason, and without a result, where a program fails."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--scale", required=True, choices=("tiny", "default", "paper"))
    parser.add_argument("--output-dir", type=Path, required=True)
    parser.add_argument("--build", type=Path, default=REPOSITORY_ROOT / "build")
    arguments = parser.parse_args()
    experiment = load_experiment(THROUGHPUT)
    (instance,) = experiment.scales[arguments.scale].instances
    folder = arguments.output_dir / "peers"
    folder.mkdir(parents=True, exist_ok=True)
    try:
        path = Fetcher(CACHE_DIR).fetch(instance)
        text = Text(path, instance.label, digest_of(path).sha256)
        measurement = Measurement(experiment, arguments.scale, text, arguments.build / "bin", folder)
        join(measure(measurement), folder / "cpu_rows.json", arguments.output_dir)
    except (DataUnavailableError, JoinError, OSError, PeersError, ResultError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
