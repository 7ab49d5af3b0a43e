"""Times the commands of README.md, as it has them, in a clean clone of the last commit, and records that.

python -m tools.time_commands FOLDER [--next]
    clones into FOLDER/clone, unless that is there, and runs the commands that have not run in it, one after
    the other; with --next only the first of them, so that each can have its own time of the day.
    FOLDER/times.json says what each took.
python -m tools.time_commands FOLDER --record MACHINE
    when all have run: writes experiments/recorded/MACHINE/commands/times.json

Nothing is installed: the system packages that the commands need must be there, and .venv of this repository,
which the clone uses, must be complete. No compiler cache is used. Of the variables of the environment only
those in PASSED_ON reach the commands: set GSST_DATA_DIR where the data sets are not to be downloaded.
"""

import argparse
import json
import os
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import psutil

from data.fetch import DATA_DIR_VARIABLE
from data.files import write_text
from experiments.command_times import PLACE, Document, check_command_times, readme_commands
from experiments.compiler import NvccMissingError, nvcc_version
from experiments.environment import UNKNOWN, build_of, commit_and_dirty, processor
from experiments.gpu_host import find_gpu
from experiments.local_result import disturbances_by_load
from experiments.machine_load import load_between, take_sample
from experiments.record import MACHINE_PATTERN
from experiments.record_checksums import add_checksum
from experiments.results import RECORDED_DIR, ResultError
from tools.repository import ROOT

PASSED_ON = ("PATH", "HOME", "TMPDIR", "CUDACXX", "http_proxy", "https_proxy", "no_proxy", DATA_DIR_VARIABLE)
# A ccache may also be first on PATH, under the name of the compiler.
_SET = {"CCACHE_DISABLE": "1", "GSST_INSTALL": "0"}
# Which say what is missing, and nothing where nothing is.
_PREREQUISITES = ("tools/install_dependencies.sh build peers", "tools/install_python_packages.sh")
# Built by the commands; says with which compiler.
_PROGRAM = "build/bin/gsst_measure_cpu"


class TimingError(Exception):
    """The commands cannot be timed, or their times must not be recorded."""


def variables() -> dict[str, str]:
    """The environment of the commands."""
    passed = {name: os.environ[name] for name in PASSED_ON if os.environ.get(name)}
    if DATA_DIR_VARIABLE in passed:
        passed[DATA_DIR_VARIABLE] = str(Path(passed[DATA_DIR_VARIABLE]).resolve())
    return passed | _SET


def _run(command: str, clone: Path, **options: Any) -> subprocess.CompletedProcess[str]:  # noqa: ANN401
    line = ["bash", "-euo", "pipefail", "-c", command]
    return subprocess.run(line, cwd=clone, env=variables(), text=True, check=False, **options)


def ready_clone(folder: Path, root: Path = ROOT) -> Path:
    """The clone in `folder`, made where it is not there yet. Raises TimingError where a command would have to
    install something."""
    clone = folder / "clone"
    if not clone.exists():
        subprocess.run(["git", "clone", "--quiet", root, clone], check=True)
        (clone / ".venv").symlink_to((root / ".venv").resolve())
        # .gitignore leaves out a folder of that name, and not a link.
        with (clone / ".git/info/exclude").open("a", encoding="utf-8") as exclude:
            exclude.write("/.venv\n")
    for command in _PREREQUISITES:
        check = _run(command, clone, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if check.returncode != 0 or check.stdout:
            raise TimingError(f"{command}: {check.stdout}nothing is installed here; install what is missing")
    return clone


def _nvcc() -> str | None:
    try:
        return nvcc_version()
    except NvccMissingError:
        return None


def machine_and_commit(clone: Path) -> dict[str, Any]:
    """What must be the same for all commands. Raises TimingError where the clone has changed."""
    commit, dirty = commit_and_dirty(clone)
    if dirty:
        raise TimingError(f"{clone}: its files are no longer those of its commit; take another folder")
    gpu = find_gpu()
    return {
        "cpu": processor(),
        "memory_bytes": psutil.virtual_memory().total,
        "gpu": gpu.name if gpu else None,
        "nvcc": _nvcc(),
        "has_data_folder": DATA_DIR_VARIABLE in variables(),
        "commit": commit,
    }


def time_command(command: str, clone: Path) -> dict[str, Any]:
    """Runs one command. Its entry in the record, also where it fails."""
    begin = take_sample()
    status = _run(command, clone).returncode
    end = take_sample()
    seconds = round(end.clock - begin.clock, 3)
    return {"command": command, "seconds": seconds, "status": status, "load": load_between(begin, end)}


def _times_path(folder: Path) -> Path:
    return folder / "times.json"


def read_times(folder: Path) -> Document:
    """What has been timed in `folder`. Raises TimingError where a command failed or was interrupted: what it
    has left makes the next one faster."""
    document: Document = json.loads(_times_path(folder).read_text(encoding="utf-8"))
    for entry in document["commands"]:
        if entry["status"] != 0:
            how = "was interrupted" if entry["status"] is None else f"failed with status {entry['status']}"
            raise TimingError(f"`{entry['command']}` {how} in {folder}: take another folder")
    return document


def time_commands(folder: Path, *, only_next: bool, root: Path = ROOT) -> None:
    """Runs the commands that have not run in the clone of `folder`. Raises TimingError."""
    clone = ready_clone(folder, root)
    here = machine_and_commit(clone)
    if _times_path(folder).exists():
        document = read_times(folder)
        changed = [name for name, value in here.items() if document["environment"][name] != value]
        if changed:
            raise TimingError(f"{', '.join(changed)}: not as for the first command; take another folder")
    else:
        date = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        document = {"schema": 1, "environment": {**here, "date": date}, "commands": []}
    timed = document["commands"]
    left = readme_commands((clone / "README.md").read_text(encoding="utf-8"))[len(timed) :]
    for command in left[:1] if only_next else left:
        timed.append({"command": command, "status": None})
        write_text(_times_path(folder), json.dumps(document, indent=1) + "\n")
        timed[-1] = time_command(command, clone)
        write_text(_times_path(folder), json.dumps(document, indent=1) + "\n")
        read_times(folder)
        print(f"`{command}` took {timed[-1]['seconds']} s, load {timed[-1]['load']}", flush=True)


def record_times(folder: Path, machine: str, recorded: Path = RECORDED_DIR) -> Path:
    """Writes the record of a machine from the times in `folder`; its path. Raises TimingError."""
    if not MACHINE_PATTERN.fullmatch(machine):
        raise TimingError(f"machine {machine!r}: use lower-case letters, digits and _")
    document = read_times(folder)
    clone = folder / "clone"
    if machine_and_commit(clone)["commit"] != document["environment"]["commit"]:
        raise TimingError(f"{clone}: is at another commit than the times")
    commands = [entry["command"] for entry in document["commands"]]
    if commands != readme_commands((clone / "README.md").read_text(encoding="utf-8")):
        raise TimingError(f"{folder}: not all commands of README.md have run")
    reasons = [
        f"`{entry['command']}`: {reason}"
        for entry in document["commands"]
        for reason in disturbances_by_load(entry["load"])
    ]
    if reasons:
        raise TimingError(f"{'; '.join(reasons)}; measure again, in another folder")
    compiler = build_of(clone / _PROGRAM)["compiler"]
    if compiler == UNKNOWN:
        raise TimingError(f"{_PROGRAM} in the clone does not say which compiler built it")
    document["environment"]["compiler"] = compiler
    path = recorded / machine / PLACE
    check_command_times(document, str(path))
    write_text(path, json.dumps(document, indent=1) + "\n")
    add_checksum(path, recorded)
    return path


def main() -> int:
    """Times the commands or records their times; status 1 with the reason where that is not possible."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    work = parser.add_mutually_exclusive_group()
    work.add_argument("--next", action="store_true", help="run only the next command")
    work.add_argument("--record", metavar="MACHINE", help="name of its folder, for example xeon_8380")
    arguments = parser.parse_args()
    folder: Path = arguments.folder.resolve()
    try:
        if arguments.record is None:
            time_commands(folder, only_next=arguments.next)
        else:
            print(record_times(folder, arguments.record))
    except (OSError, ResultError, TimingError, ValueError, subprocess.CalledProcessError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
