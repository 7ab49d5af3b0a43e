"""The command line of gsst_measure, where it is built; what it measures needs a GPU."""

import json
import re
import subprocess

import pytest

from experiments.measuring_programs import PROGRAM, kinds
from experiments.sources import REPOSITORY_ROOT

BUILT = REPOSITORY_ROOT / "build" / "bin" / PROGRAM

pytestmark = [
    pytest.mark.measuring,
    pytest.mark.skipif(not BUILT.exists(), reason=f"{BUILT} is not built: it needs nvcc"),
]


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([BUILT, *arguments], capture_output=True, text=True, check=False)


def test_each_folder_is_a_kind() -> None:
    listing = run("--help").stdout
    assert kinds()
    for kind in kinds():
        assert f"\n  {kind} " in listing
        assert "--points" in run(kind, "--help").stdout


def test_an_unknown_kind_is_refused() -> None:
    ended = run("decoding", "--help")
    assert ended.returncode == 2
    assert ended.stderr.startswith("gsst_measure: there is no kind 'decoding'; there are: checksums decode ")


def test_what_measures_is_compiled_as_its_results_say() -> None:
    """A slow inline function of a program would take the place of a fast one in the libraries it times."""
    commands = json.loads((BUILT.parents[1] / "compile_commands.json").read_text(encoding="utf-8"))
    levels = {
        unit["file"]: re.findall(r" -O(\w)", unit["command"])
        for unit in commands
        if "/gsst_measure" in unit["file"]
    }
    assert len(levels) > len(kinds())
    assert {file: level for file, level in levels.items() if set(level) != {"3"}} == {}
