"""Runs the GPU's measuring program step by step; what an interrupted run has finished is taken over."""

import hashlib
import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from data.files import write_text
from experiments.gpu_host import Gpu
from experiments.measuring_programs import PROGRAM
from experiments.row_progress import run_with_progress


class GpuMeasurementError(Exception):
    """Something is missing for a measurement on a GPU, or its program failed."""


@dataclass(frozen=True)
class Text:
    """A file to measure with: its name in the rows, where it lies, its digest."""

    label: str
    path: Path
    sha256: str

    def options(self, prefix: str = "") -> list[str]:
        """How the program is told of it; `prefix` is `tuning-` for the text that a sweep chooses on."""
        return [
            *(f"--{prefix}input", str(self.path), f"--{prefix}dataset", self.label),
            *(f"--{prefix}dataset-sha256", self.sha256),
        ]


@dataclass(frozen=True)
class Origin:
    """What a result says of where it comes from."""

    gpu: Gpu
    commit: str
    dirty: bool
    sources_digest: str

    def options(self) -> list[str]:
        """How the program is told of it."""
        options = ["--commit", self.commit, "--sources-digest", self.sources_digest]
        return [*options, *(["--dirty"] if self.dirty else [])]


@dataclass(frozen=True)
class GpuProgram:
    """The measuring program; `folder` holds what it writes until the whole measurement is finished."""

    path: Path
    folder: Path
    origin: Origin
    allow_small: bool

    def run(
        self,
        points_document: Mapping[str, Any] | None,
        points: int,
        options: Sequence[str],
        accepted: Collection[int] = (0,),
    ) -> Path:
        """The file that the program writes for these points, or for what it measures without a points file:
        `points` are what counts for the progress.

        A file of the same points, options, sources and GPU that is there is taken. Raises
        GpuMeasurementError where the status is none of `accepted`."""
        document = json.dumps(points_document, indent=1) + "\n"
        kind = [str(points_document["kind"])] if points_document and self.path.name == PROGRAM else []
        command = [str(self.path), *kind, *options, *self.origin.options()]
        if self.allow_small:
            command.append("--allow-small")
        stem = self.folder / f"{'_'.join([self.path.name, *kind])}_{self._digest(document, command)}"
        output, points_path = stem.with_suffix(".json"), stem.with_suffix(".points.json")
        if output.exists():
            return output
        output.parent.mkdir(parents=True, exist_ok=True)
        if points_document is not None:
            write_text(points_path, document)
            command += ["--points", str(points_path)]
        status, _ = run_with_progress([*command, "--output", str(output)], output, points)
        if status not in accepted:
            raise GpuMeasurementError(f"{self.path.name} ended with status {status}")
        return output

    def _digest(self, document: str, command: Sequence[str]) -> str:
        whole = json.dumps([document, *command, self.origin.gpu.name, self.origin.gpu.driver])
        return hashlib.sha256(whole.encode()).hexdigest()[:16]
