"""Whether two commits' programs launch the same machine code in the same way: rules K and L."""

import hashlib
import json
import os
import shutil
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from data.files import write_text
from experiments.carry_over.cubin import Kernel
from experiments.carry_over.fatbin import kernels_of
from experiments.carry_over.gpus import GpuProperties
from experiments.carry_over.launches import (
    Log,
    difference,
    join_runs,
    run_logged,
    write_settings,
)
from experiments.carry_over.measuring import Measuring
from experiments.carry_over.points import PointRun
from experiments.carry_over.text import write_sample_text

# Where only values differ, both programs run so often again: bytes that nobody writes differ then.
_MORE_RUNS = 6


class NotEqualError(Exception):
    """Two commits launch different kernels, or launch them differently."""


@dataclass(frozen=True)
class LoggedProgram:
    """A measuring program that is linked to the logged CUDA runtime, with its kernels."""

    path: Path
    measuring: Measuring
    kernels: Mapping[str, Kernel]
    settings: Path
    runtime: Path

    def run(self, of: PointRun, text: Path, folder: Path, fill: int) -> Log:
        """One run of these points on the text, in a new folder."""
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        write_text(folder / "points.json", json.dumps(self.measuring.document(of.document)))
        command = [str(self.path), *self.measuring.arguments]
        command += ["--target", of.document["target"], "--points", "points.json", "--output", "output.json"]
        command += ["--input", str(text), "--dataset", "sample", "--repetitions", "2", "--allow-small"]
        command += ["--dataset-sha256", hashlib.sha256(text.read_bytes()).hexdigest()]
        command += ["--sources-digest", "0" * 64]
        return run_logged(command, self.settings, self.runtime, folder, fill)


def logged_program(programs: Path, measuring: Measuring, gpu: GpuProperties, runtime: Path) -> LoggedProgram:
    """Reads the kernels of a program in the folder `programs` and writes the runtime's settings next to it.
    Raises CubinError."""
    path = programs / measuring.program
    kernels = kernels_of(path, gpu.architecture)
    settings = path.with_name(f"{path.name}.settings")
    write_settings(gpu, kernels, settings)
    return LoggedProgram(path, measuring, kernels, settings, runtime)


@dataclass(frozen=True)
class Comparison:
    """Two commits' programs for one kind, and the folder in which they run."""

    before: LoggedProgram
    after: LoggedProgram
    folder: Path

    def _text(self, size: int) -> Path:
        path = self.folder / f"text_{size}"
        if not path.exists():
            write_sample_text(path, size)
        return path

    def _compare(self, run: PointRun) -> int:
        """The number of kernels that were equal. Raises NotEqualError and LaunchError."""
        name = hashlib.sha256(json.dumps(run.document).encode()).hexdigest()[:16]
        text = self._text(run.text_bytes)
        programs = (self.before, self.after)
        folders = [self.folder / side / name for side in ("before", "after")]
        logs: list[Log] = []
        for attempt in range(1 + _MORE_RUNS):
            again = [p.run(run, text, f, 0x11 * attempt) for p, f in zip(programs, folders, strict=True)]
            logs = [join_runs(*pair) for pair in zip(logs, again, strict=True)] if logs else again
            found = difference(*logs, *(program.kernels for program in programs))
            if found is None or not found.unsure:
                break
        for folder in folders:
            shutil.rmtree(folder)
        if found is not None:
            raise NotEqualError(f"{run.label}: {found.text}")
        return len(logs[0].kernels)

    def check(self, runs: Sequence[PointRun]) -> None:
        """Raises NotEqualError, which names the first point and call, and LaunchError."""
        for size in {run.text_bytes for run in runs}:
            self._text(size)
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            jobs = [pool.submit(self._compare, run) for run in runs]
            try:
                for job in jobs:
                    job.result()
            finally:
                pool.shutdown(cancel_futures=True)
