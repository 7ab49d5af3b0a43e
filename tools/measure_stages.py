"""Measures stages on this machine's GPU, on the text that their series names."""

import json
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from data.catalogue import Instance, load_catalogue
from data.fetch import Fetcher
from data.files import digest_of
from experiments.sources import target_digest
from tools.series import Check
from tools.stages import COMMAND

PROGRAM = COMMAND.parent / "gsst_measure"
_REPETITIONS = 30


class MeasureError(Exception):
    """The measuring program failed; it has said why."""


def measure_stages(points: Sequence[dict[str, Any]], check: Check, program: Path = PROGRAM) -> dict[str, Any]:
    """The result of measuring `points` in one run; its rows are in their order. Raises MeasureError, and
    DataUnavailableError where the text cannot be had."""
    catalogue = load_catalogue()
    if check.dataset not in catalogue:
        raise MeasureError(f"there is no data set {check.dataset}")
    text = Fetcher().fetch(Instance(catalogue[check.dataset], check.scale_factor))
    with tempfile.TemporaryDirectory() as folder:
        points_path = Path(folder) / "points.json"
        output = Path(folder) / "result.json"
        points_path.write_text(json.dumps(points), encoding="utf-8")
        command: list[str | Path] = [program, "decode", "--target", "check", "--points", points_path]
        command += ["--output", output, "--repetitions", str(_REPETITIONS)]
        command += ["--input", text, "--dataset", text.stem, "--dataset-sha256", digest_of(text).sha256]
        command += ["--sources-digest", target_digest(check.target, [point["stage"] for point in points])]
        if subprocess.run(command, check=False).returncode != 0:
            raise MeasureError(f"{program.name} failed")
        result: dict[str, Any] = json.loads(output.read_text(encoding="utf-8"))
    return result
