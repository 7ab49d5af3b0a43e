"""What `make test` leaves out has a command, and `.ci/run` runs it.

The environment variable GSST_BUILD_DIR names another build folder.
"""

import json
import re
import subprocess
from pathlib import Path

import pytest

from library.installed_tree import BUILD
from tools.repository import ROOT, committable_files

MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")
CI = (ROOT / ".ci/run").read_text(encoding="utf-8")
# Markers of pytest, which are commands of make too, and the module, or the folder of modules, that has them.
LEFT_OUT = {
    "course": "course",
    "measuring": "experiments",
    "packaging": "library/test_consumers.py",
    "teaching": "tools/test_own_stage.py",
    "workflow": "experiments/test_workflow.py",
}
STAGE_CHECK = (ROOT / "cmake/GsstStageCheck.cmake").read_text(encoding="utf-8")


def test_no_others_are_left_out() -> None:
    (selected,) = re.findall(r'-m "(.*)"$', MAKEFILE, re.MULTILINE)
    assert selected == " and ".join(f"not {marker}" for marker in LEFT_OUT)


def recipe(command: str) -> str:
    """What a command of make runs."""
    (lines,) = re.findall(rf"^{command}:.*\n((?:\t.*\n)+)", MAKEFILE, re.MULTILINE)
    return lines


@pytest.mark.parametrize(("marker", "place"), LEFT_OUT.items())
def test_a_command_of_make_runs_them_and_ci_runs_it(marker: str, place: str) -> None:
    command = rf"^\t\$\(PYTHON\) -m pytest (--numprocesses .* )?(-m {marker} )?{re.escape(place)}$"
    assert re.search(command, recipe(marker), re.MULTILINE)
    assert re.search(rf'^ *("\$.*" )?make {marker}$', CI, re.MULTILINE)
    marked = [
        path
        for path in committable_files()
        if path.suffix == ".py"
        and re.search(rf"pytest\.mark\.{marker}\b", (ROOT / path).read_text(encoding="utf-8"))
    ]
    assert marked
    assert [path.as_posix() for path in marked if not path.is_relative_to(place)] == []


def test_the_programs_of_c_plus_plus_are_left_out_likewise() -> None:
    assert "cmake --build --preset cpu --parallel $(JOBS) --target tested;" in recipe("test")
    assert "ctest --preset cpu --parallel $(JOBS) --label-exclude '^measuring$$'\n" in recipe("test")
    assert "cmake --build --preset cpu --parallel $(JOBS)\n" in recipe("measuring")
    assert "ctest --preset cpu --parallel $(JOBS) --label-regex '^measuring$$'\n" in recipe("measuring")


def needed_with_make(target: str) -> set[str]:
    """Folders and names, joined by a slash, of the targets that GNU make builds for one, and of itself."""
    text = (BUILD / "CMakeFiles/Makefile2").read_text(encoding="utf-8")
    needs: dict[str, set[str]] = {}
    for name, needed in re.findall(r"^(\S+)\.dir/all: (\S+)\.dir/all$", text, re.MULTILINE):
        needs.setdefault(name, set()).add(needed)
    found = set()
    left = {f"CMakeFiles/{target}"}
    while left:
        name = left.pop()
        found.add(name)
        left |= needs.get(name, set()) - found
    return {name.replace("CMakeFiles/", "") for name in found}


def needed_with_ninja(target: str) -> set[str]:
    """The files that Ninja builds for a target, and those that it builds them from."""
    lines = []
    # The first tells what the target itself is made of, the second the rest.
    for tool in ("query", "inputs"):
        command = ["ninja", "-C", BUILD, "-t", tool, target]
        lines += subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    return {line.strip() for line in lines}


def needed_for(target: str) -> set[str]:
    """What is built for a target."""
    if (BUILD / "build.ninja").exists():
        return needed_with_ninja(target)
    if (BUILD / "CMakeFiles/Makefile2").exists():
        return needed_with_make(target)
    pytest.skip(f"{BUILD} is no build")


@pytest.fixture(scope="module")
def needed() -> set[str]:
    """What `make test` builds."""
    return needed_for("tested")


def test_make_test_builds_no_measuring_program(needed: set[str]) -> None:
    assert any(name.endswith("/gsst") for name in needed) or "gsst" in needed
    own = [name for name in needed if not Path(name).is_absolute()]
    assert [name for name in own if name.startswith("experiments/") or "_benchmark" in name] == []


def test_make_test_builds_the_programs_that_it_runs_and_no_other_tests(needed: set[str]) -> None:
    command = ["ctest", "--test-dir", BUILD, "--show-only=json-v1"]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    built = {Path(name).name for name in needed}
    measuring = set()
    others = set()
    for test in json.loads(said)["tests"]:
        (labels,) = [p["value"] for p in test["properties"] if p["name"] == "LABELS"] or [[]]
        (measuring if labels == ["measuring"] else others).add(test["name"].rpartition("_")[0])
    assert "experiments_test" in measuring
    assert measuring & built == set()
    assert others - built == set()


def test_make_figures_builds_the_measuring_programs_and_no_tests() -> None:
    recipe_of_figures = recipe("figures")
    assert "cmake --preset cpu $(if $(PROFILE),,$$(tools/cuda_of_tests.sh))\n" in recipe_of_figures
    assert "cmake --build --preset cpu --parallel $(JOBS) --target figures\n" in recipe_of_figures
    built = {Path(name).name for name in needed_for("figures")}
    for_every_machine = {
        name
        for place in ("experiments/measure_*", "data/*")
        for path in ROOT.glob(f"{place}/CMakeLists.txt")
        if not re.search("GSST_CUDA|EXCLUDE_FROM_ALL", text := path.read_text(encoding="utf-8"))
        for name in re.findall(r"^ *add_executable\((\w+)", text, re.MULTILINE)
    }
    assert {"gsst_measure_cpu", "gsst_codag_data"} <= for_every_machine
    assert ({"gsst"} | for_every_machine) - built == set()
    assert [name for name in built if name.endswith("_test") or name.startswith("gsst_fuzz")] == []


def test_ci_and_the_check_of_one_stage_stop_kernels_at_unaligned_addresses() -> None:
    presets = json.loads((ROOT / "CMakePresets.json").read_text(encoding="utf-8"))
    (base,) = [preset for preset in presets["configurePresets"] if preset["name"] == "base"]
    assert base["cacheVariables"]["GSST_CHECK_ALIGNMENT"] == "$penv{GSST_CHECK_ALIGNMENT}"
    assert re.search(r"^export GSST_CHECK_ALIGNMENT=ON$", CI, re.MULTILINE)
    assert re.search(r"^ +set\(kernels_plain .*-fsanitize=alignment\)$", STAGE_CHECK, re.MULTILINE)
