"""What a result was measured on and with: the `environment` of the result contract."""

import os
import platform
import re
import subprocess
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

UNKNOWN = "unknown"
_NAMES_OF_FOLDERS = re.compile(r" ?-f\w+-prefix-map=\S+")


def processor(cpuinfo: Path = Path("/proc/cpuinfo")) -> str:
    """Model of the processor and how many are usable, for example `Some CPU 8380 (80 processors)`."""
    model = platform.processor() or platform.machine()
    if cpuinfo.exists():
        for line in cpuinfo.read_text(encoding="utf-8").splitlines():
            name, _, value = line.partition(":")
            if name.strip() == "model name":
                model = value.strip()
                break
    return f"{model} ({usable_processors()} processors)"


def usable_processors() -> int:
    """How many processors this process may run on."""
    return len(os.sched_getaffinity(0))


def build_of(program: Path) -> dict[str, str]:
    """Compiler and flags of a measuring program, as it says itself: it may run on another machine than the
    one that built it. Unknown where the program does not say. Options that only say what folders are called
    are left out: they change no code, and name folders of one machine."""
    try:
        answer = subprocess.run([program, "--version"], capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return {"compiler": UNKNOWN, "flags": UNKNOWN}
    answers = _NAMES_OF_FOLDERS.sub("", answer.stdout).splitlines()
    said = dict(line.split(": ", 1) for line in answers if ": " in line)
    return {name: said.get(name, UNKNOWN) for name in ("compiler", "flags")}


def _git(root: Path, *arguments: str) -> str | None:
    try:
        run = subprocess.run(["git", "-C", str(root), *arguments], capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return None
    return run.stdout.strip()


def commit_and_dirty(root: Path) -> tuple[str, bool]:
    """The commit, and whether the tree differs from it; a tree without git counts as dirty."""
    commit = _git(root, "rev-parse", "HEAD")
    status = _git(root, "status", "--porcelain")
    if commit is None or status is None:
        return UNKNOWN, True
    return commit, status != ""


def describe_environment(root: Path, program: Path, command: str) -> dict[str, Any]:
    """All fields but `load`, for a measurement on the CPU by `program` that starts now."""
    commit, dirty = commit_and_dirty(root)
    return {
        "gpu": None,
        "driver": None,
        "cuda": None,
        "clocks": None,
        "ecc": None,
        "cpu": processor(),
        **build_of(program),
        "commit": commit,
        "dirty": dirty,
        "date": datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "command": command,
    }
