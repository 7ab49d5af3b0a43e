"""The stages that the built command knows, and their tests."""

import json
import re
import subprocess

from tools.repository import ROOT

COMMAND = ROOT / "build/bin/gsst"


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
