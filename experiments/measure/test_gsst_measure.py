"""The command line of gsst_measure, where it is built; what it measures needs a GPU."""

import subprocess

import pytest

from experiments.gpu_program import PROGRAM, kinds
from experiments.sources import REPOSITORY_ROOT

BUILT = REPOSITORY_ROOT / "build" / "bin" / PROGRAM

pytestmark = pytest.mark.skipif(not BUILT.exists(), reason=f"{BUILT} is not built: it needs nvcc")


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
