"""The stages that the built command knows, and their tests."""

import json
import re
import subprocess
from pathlib import Path
from typing import NamedTuple

from tools.repository import ROOT

COMMAND = ROOT / "build/bin/gsst"
# From this number on, stages are those of who copies the repository: the lists of its pages leave them out.
OWN_STAGES = 50


def is_own_stage(stage: str) -> bool:
    """Whether the number of the stage says so."""
    match = re.match(r"[^/]+/(\d+)_", stage)
    return match is not None and int(match[1]) >= OWN_STAGES


def suffix_of_tests(stage: str, device: str) -> str:
    """What the names of the tests of a stage on a device, simt or gpu, end with."""
    return f"{stage.replace('/', '_')}_{device}"


def number_of_tests(output: str) -> int:
    """How many tests GoogleTest says it ran."""
    match = re.search(r"Running (\d+) tests? from", output)
    return int(match[1]) if match else 0


def registered_stages() -> list[dict[str, object]]:
    """What `gsst --list-stages --json` lists."""
    listing = subprocess.run([COMMAND, "--list-stages", "--json"], check=True, capture_output=True)
    stages: list[dict[str, object]] = json.loads(listing.stdout)
    return stages


class DefaultStage(NamedTuple):
    """A line of a stages/<series>/defaults.txt, which CMake checks, without a fifth word."""

    format: str
    operation: str
    executor: str
    stage: str


def default_stages(root: Path = ROOT) -> list[DefaultStage]:
    """All default stages."""
    files = sorted((root / "stages").glob("*/defaults.txt"))
    lines = [line for file in files for line in file.read_text(encoding="utf-8").splitlines()]
    words = (line.partition("#")[0].split() for line in lines)
    return [DefaultStage(*line[:4]) for line in words if line]
