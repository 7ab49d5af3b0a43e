"""What the page of a stage, or of the library, says of its tests on a GPU."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from experiments.results import RECORDED_DIR
from experiments.table_text import machine_title


def _sentence(machine: str, record: Mapping[str, Any]) -> str:
    passed = {run["tool"]: run["passed"] for run in record["runs"]}
    under_tools = sum(number for tool, number in passed.items() if tool)
    return (
        f"**Tested on {machine}** ({record['date'][:10]}, commit {record['commit'][:12]}): "
        f"{passed['']} tests passed, and {under_tools} runs of them under compute-sanitizer's tools "
        "found nothing.\n"
    )


def verification_section(stage: str, recorded: Path = RECORDED_DIR) -> str:
    """A sentence in Markdown for each machine on which `stage` was verified (experiments.verify_on_gpu)."""
    paths = sorted(recorded.glob(f"*/verification/{stage.replace('/', '_')}.json"))
    return "\n".join(
        _sentence(machine_title(path.parent.parent.name), json.loads(path.read_text(encoding="utf-8")))
        for path in paths
    )
