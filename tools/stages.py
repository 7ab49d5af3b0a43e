"""The stages that the built command knows."""

import json
import subprocess
from pathlib import Path

COMMAND = Path(__file__).resolve().parent.parent / "build/bin/gsst"


def registered_stages() -> list[dict[str, object]]:
    """What `gsst --list-stages --json` lists."""
    listing = subprocess.run([COMMAND, "--list-stages", "--json"], check=True, capture_output=True)
    stages: list[dict[str, object]] = json.loads(listing.stdout)
    return stages
