"""What `make test` leaves out has a command, and `.ci/run` runs it."""

import json
import re

import pytest

from tools.repository import ROOT, committable_files

MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")
CI = (ROOT / ".ci/run").read_text(encoding="utf-8")
# Markers of pytest, which are commands of make too, and the modules that have them.
LEFT_OUT = {
    "packaging": "library/test_consumers.py",
    "teaching": "tools/test_own_stage.py",
    "workflow": "experiments/test_workflow.py",
}
STAGE_CHECK = (ROOT / "cmake/GsstStageCheck.cmake").read_text(encoding="utf-8")


def test_no_others_are_left_out() -> None:
    (selected,) = re.findall(r'-m "(.*)"$', MAKEFILE, re.MULTILINE)
    assert selected == " and ".join(f"not {marker}" for marker in LEFT_OUT)


@pytest.mark.parametrize(("marker", "module"), LEFT_OUT.items())
def test_a_command_of_make_runs_them_and_ci_runs_it(marker: str, module: str) -> None:
    command = rf"^{marker}:.*\n\t\$\(PYTHON\) -m pytest -m {marker} {re.escape(module)}$"
    assert re.search(command, MAKEFILE, re.MULTILINE)
    assert re.search(rf'^ +("\$.*" )?make {marker}$', CI, re.MULTILINE)
    marked = [
        path.as_posix()
        for path in committable_files()
        if path.suffix == ".py"
        and re.search(rf"pytest\.mark\.{marker}\b", (ROOT / path).read_text(encoding="utf-8"))
    ]
    assert marked == [module]


def test_ci_and_the_check_of_one_stage_stop_kernels_at_unaligned_addresses() -> None:
    presets = json.loads((ROOT / "CMakePresets.json").read_text(encoding="utf-8"))
    (base,) = [preset for preset in presets["configurePresets"] if preset["name"] == "base"]
    assert base["cacheVariables"]["GSST_CHECK_ALIGNMENT"] == "$penv{GSST_CHECK_ALIGNMENT}"
    assert re.search(r"^export GSST_CHECK_ALIGNMENT=ON$", CI, re.MULTILINE)
    assert re.search(r"^ +set\(kernels_plain .*-fsanitize=alignment\)$", STAGE_CHECK, re.MULTILINE)
