"""What the page of a stage, or of the library, says of its tests on a GPU."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from experiments.results import RECORDED_DIR
from experiments.table_text import machine_title


def _sentence(machine: str, record: Mapping[str, Any]) -> str:
    passed = {run["tool"]: run["passed"] for run in record["runs"]}
    tools = [tool for tool in passed if tool]
    under_tools = sum(passed[tool] for tool in tools)
    return (
        f"**Tested on {machine}** ({record['gpu'].split(',')[0]}, {record['date'][:10]}, "
        f"commit {record['commit'][:12]}): all {passed['']} tests passed on the GPU, and {under_tools} "
        f"runs of them under compute-sanitizer, with {', '.join(tools[:-1])} and {tools[-1]}, "
        "which found nothing. Tests on more than 4 GiB run on the GPU without these tools.\n"
    )


def verification_section(stage: str, recorded: Path = RECORDED_DIR) -> str:
    """A sentence in Markdown for each machine on which `stage` was verified (experiments.verify_on_gpu)."""
    paths = sorted(recorded.glob(f"*/verification/{stage.replace('/', '_')}.json"))
    return "\n".join(
        _sentence(machine_title(path.parent.parent.name), json.loads(path.read_text(encoding="utf-8")))
        for path in paths
    )
