"""Makes an own stage as CONTRIBUTING.md tells: a copy of a stage, with nothing else changed."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from teach.exercise import make_skeleton, put_in_solution, read_exercise
from tools.copy_stage import copy_stage
from tools.repository import ROOT, committable_files

pytestmark = pytest.mark.teaching

OWN = "gsst/70_mine"


def copy_sources(destination: Path) -> None:
    """Copies what is or could be committed."""
    for name in committable_files():
        target = destination / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, target)


def stages_below(stage: str, root: Path) -> list[str]:
    """The stage, the one it builds on, and so on to the first."""
    bases = re.findall(r'\.base = "([^"]*)"', (root / "stages" / stage / "stage.cu").read_text())
    return [stage, *(below for base in bases if base for below in stages_below(base, root))]


def format_of(stage: str, root: Path) -> str:
    found = re.search(
        r"\.format = [\w:]*BlockFormat::(\w+)", (root / "stages" / stage / "stage.cu").read_text()
    )
    assert found is not None
    return found[1]


def write_defaults(root: Path, stages: list[str]) -> None:
    """Makes the first of these stages of each format its default stage."""
    defaults = {format_of(stage, root): stage for stage in reversed(stages)}
    (root / "stages/gsst/defaults.txt").write_text(
        "".join(
            f"{format_name} decode {executor} {stage}\n"
            for format_name, stage in defaults.items()
            for executor in ("simt", "gpu")
        )
    )


def add_own_stage(root: Path) -> None:
    """Copies the first stage that builds on another one.

    Stages that it does not build on are removed, and the other series but for their formats, whose tests are
    named: they only take longer."""
    series = {defaults.parent.name for defaults in (root / "stages").glob("*/defaults.txt")}
    for name in series - {"gsst"}:
        for folder in [path for path in root.rglob(name) if path.is_dir()]:
            # A folder of the root is what every series may use.
            if folder.parent not in (root, root / "common/format"):
                shutil.rmtree(folder)
    folders = sorted(path.parent for path in (root / "stages/gsst").glob("*/stage.cu"))
    ladders = (stages_below(f"gsst/{folder.name}", root) for folder in folders)
    kept = next(ladder for ladder in ladders if len(ladder) > 1)
    for folder in folders:
        if f"gsst/{folder.name}" not in kept:
            shutil.rmtree(folder)
    write_defaults(root, kept)
    copy_stage(kept[0], OWN, root)


def run(root: Path, *command: str | Path) -> str:
    # Where ccache is the compiler's launcher, it knows the objects again in a folder of another name.
    environment = {**os.environ, "CCACHE_BASEDIR": str(root), "CCACHE_NOHASHDIR": "1"}
    result = subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True, check=False)
    assert result.returncode == 0, f"{command}: {result.stdout[-4000:]}{result.stderr[-4000:]}"
    return result.stdout


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the sources with an own stage, and of its build what the checks need."""
    root = tmp_path_factory.mktemp("tree")
    copy_sources(root)
    add_own_stage(root)
    # One unit for each target: half of the compiling.
    options = [
        "-DGSST_CUDA=OFF",
        "-DGSST_EXPERIMENTS=OFF",
        "-DCMAKE_UNITY_BUILD=ON",
        "-DCMAKE_UNITY_BUILD_BATCH_SIZE=0",
    ]
    options += ["-DCMAKE_BUILD_TYPE=Debug", "-DCMAKE_CXX_FLAGS_DEBUG=-O0"]
    run(root, "cmake", "-S", ".", "-B", "build", *options)
    jobs = str(os.cpu_count() or 1)
    run(root, "cmake", "--build", "build", "--parallel", jobs, "--target", "gsst", "stage_decode_test")
    return root


def test_the_command_lists_it(tree: Path) -> None:
    stages = json.loads(run(tree, "build/bin/gsst", "--list-stages", "--json"))
    assert OWN in [stage["id"] for stage in stages]


def test_it_becomes_the_default_of_no_format(tree: Path) -> None:
    stages = json.loads(run(tree, "build/bin/gsst", "--list-stages", "--json"))
    (own,) = (stage for stage in stages if stage["id"] == OWN)
    assert own["default_for"] == {}
    # Though it is the last of its format, and its base is not: that one stays what it was.
    (base,) = (stage for stage in stages if stage["default_for"].keys() == {own["format"]})
    assert base["default_for"] == {own["format"]: ["simt", "gpu"]}
    assert base["id"] < OWN


def test_its_base_is_the_stage_that_was_copied(tree: Path) -> None:
    assert stages_below(OWN, tree)[1] == stages_below("gsst/02_splits", tree)[0]


def test_it_is_in_the_suite(tree: Path) -> None:
    assert "gsst_70_mine_simt" in run(tree, "build/tests/stage_decode_test", "--gtest_list_tests")


def test_make_check_accepts_it(tree: Path) -> None:
    output = run(tree, sys.executable, "-m", "tools.check_stage", OWN, "--device", "simt")
    for check in ("tests", "tests, another order", "races", "addresses"):
        assert f"{OWN}: {check}: passed (" in output


def commit(tree: Path, message: str) -> None:
    name = ("-c", "user.name=Student", "-c", "user.email=student@example.org")
    run(tree, "git", "add", "stages")
    run(tree, "git", *name, "commit", "--quiet", "--message", message)


def graded(tree: Path, stage: str) -> tuple[int, str]:
    environment = {**os.environ, "CCACHE_BASEDIR": str(tree), "CCACHE_NOHASHDIR": "1"}
    command = [sys.executable, "-m", "teach.grade", stage]
    done = subprocess.run(command, cwd=tree, env=environment, capture_output=True, text=True, check=False)
    assert done.stderr == ""
    return done.returncode, done.stdout


def test_an_exercise_has_no_points_for_its_skeleton_and_all_for_its_solution(tree: Path) -> None:
    exercise = read_exercise("find_splits", tree)
    folder = make_skeleton(exercise, tree)
    run(tree, "git", "init", "--quiet")
    commit(tree, "The skeleton")
    status, said = graded(tree, exercise.own)
    assert status == 1
    assert "  0 of 10  tests\n" in said
    assert f"{exercise.own}: tests: FAILED: wrong status: block 0: expected 'decoded', found '" in said
    assert "  in test AllStages/" in said
    assert f"stages/{exercise.own}/kernel.cuh:" in said
    assert "To do: where the codes of this split begin and end, in bytes from `codes`." in said
    assert (
        "  0 of  8  prediction: a number\n           stage.md, What should get faster: say by how much"
        in said
    )

    page = (folder / "stage.md").read_text(encoding="utf-8")
    words = "A thread decodes a split: 32 times the lanes, and half of the sectors for a store."
    (folder / "stage.md").write_text(
        re.sub(r"To do: [^*]*?(?=\n\n|\Z)", f"\n{words}\n", page), encoding="utf-8"
    )
    commit(tree, "The prediction")
    put_in_solution(exercise, tree)
    status, said = graded(tree, exercise.own)
    assert said.endswith(f"100 of 100  {exercise.own}\n")
    assert status == 0
