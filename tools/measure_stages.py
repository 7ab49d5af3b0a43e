"""Measures stages on this machine's GPU, on generated text."""

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
from tools.stages import COMMAND

PROGRAM = COMMAND.parent / "gsst_measure"
# About 1 GB of text.
_SCALE_FACTOR = 6.0
_REPETITIONS = 30


class MeasureError(Exception):
    """The measuring program failed; it has said why."""


def measure_stages(points: Sequence[dict[str, Any]], program: Path = PROGRAM) -> dict[str, Any]:
    """The result of measuring `points` in one run; its rows are in their order. Raises MeasureError, and
    DataUnavailableError where the text cannot be generated."""
    text = Fetcher().fetch(Instance(load_catalogue()["tpch/l_comment"], _SCALE_FACTOR))
    with tempfile.TemporaryDirectory() as folder:
        points_path = Path(folder) / "points.json"
        output = Path(folder) / "result.json"
        points_path.write_text(json.dumps(points), encoding="utf-8")
        command: list[str | Path] = [program, "decode", "--target", "check", "--points", points_path]
        command += ["--output", output, "--repetitions", str(_REPETITIONS)]
        command += ["--input", text, "--dataset", text.stem, "--dataset-sha256", digest_of(text).sha256]
        command += ["--sources-digest", target_digest("gsst_fig_6_1", [point["stage"] for point in points])]
        if subprocess.run(command, check=False).returncode != 0:
            raise MeasureError(f"{program.name} failed")
        result: dict[str, Any] = json.loads(output.read_text(encoding="utf-8"))
    return result
