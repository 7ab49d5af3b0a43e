import re
import subprocess
from pathlib import Path

import pytest

from tools import check_on_cpu
from tools.check_on_cpu import (
    CHECKS,
    Check,
    CheckError,
    Verdict,
    programs,
    require_kernels,
    run,
    verdict_text,
)
from tools.gtest_output import Failure
from tools.repository import ROOT

STAGE = "a/01_b"
PASSES = "echo '[==========] Running 3 tests from 1 test suite.'"
FAILS = (
    r"printf '[ RUN      ] T.X/a_01_b_simt\nx.cpp:3: Failure\nFailed\nrace: one\n"
    r"Google Test trace:\nx.cpp:2: seed 4\n'; exit 1"
)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "stages" / STAGE).mkdir(parents=True)
    (tmp_path / "stages" / STAGE / "stage.cu").write_text("Operation::decode")
    (tmp_path / "stages/a/02_c").mkdir()
    (tmp_path / "stages/a/02_c/cpu.cpp").touch()
    return tmp_path


def verdict_of(root: Path, script: str, limit: float = 60) -> Verdict:
    program = root / "tests/program"
    program.parent.mkdir()
    program.write_text(f"#!/bin/bash\n{script}\n")
    program.chmod(0o755)
    return run(Check("races", "program", {"SEED": "5"}), STAGE, root, root, limit)


def test_a_stage_with_kernels_is_asked_for(root: Path) -> None:
    require_kernels(STAGE, root)
    with pytest.raises(CheckError, match="say which stage: make check STAGE=<id>; with kernels: a/01_b"):
        require_kernels("", root)
    with pytest.raises(CheckError, match="no stage is called 'a/03_d'"):
        require_kernels("a/03_d", root)
    (root / "stages" / STAGE / "stage.cu").write_text("")
    with pytest.raises(CheckError, match="a/01_b is registered for no operation"):
        require_kernels(STAGE, root)
    with pytest.raises(CheckError, match="use DEVICE=cpu"):
        require_kernels("a/02_c", root)


def test_there_are_two_orders_races_and_addresses() -> None:
    assert programs() == ["check_plain", "check_race", "check_address"]
    plain = [check for check in CHECKS if check.program == "check_plain"]
    assert len({check.environment.get("GSST_TEST_ORDER") for check in plain}) == 2


def test_a_check_that_passes_is_one_line(root: Path) -> None:
    verdict = verdict_of(root, f'[[ $SEED == 5 && $1 == "--gtest_filter=*/a_01_b_simt" ]] && {PASSES}')
    assert verdict.passed
    assert verdict_text(verdict, STAGE, root).startswith("a/01_b: races: passed (3 tests, ")


def test_a_failure_names_reason_test_and_input(root: Path) -> None:
    verdict = verdict_of(root, FAILS)
    assert not verdict.passed
    assert verdict_text(verdict, STAGE, root).splitlines() == [
        "a/01_b: races: FAILED: race: one",
        "  in test T.X/a_01_b_simt",
        "  with seed 4",
    ]


def test_no_test_at_all_is_a_failure(root: Path) -> None:
    verdict = verdict_of(root, "true")
    assert not verdict.passed
    assert "the stage has no test" in verdict_text(verdict, STAGE, root)


def test_a_program_that_a_signal_ends_names_the_test_that_ran(root: Path) -> None:
    verdict = verdict_of(root, "echo '[ RUN      ] T.X'; kill -SEGV $$")
    assert verdict.failure == Failure("T.X", "", "program was ended by SIGSEGV: a wrong address, most likely")


def test_a_program_that_does_not_end_is_a_failure(root: Path) -> None:
    verdict = verdict_of(root, "echo '[ RUN      ] T.X'; exec sleep 60", limit=1)
    assert verdict.failure == Failure("T.X", "", "it did not end within 1 seconds")


def test_the_logic_is_checked_only_if_all_checks_passed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["check_on_cpu", STAGE])
    monkeypatch.setattr(check_on_cpu, "check_on_cpu", lambda *_: True)
    check_on_cpu.main()
    assert "The logic is checked" in capsys.readouterr().out
    monkeypatch.setattr(check_on_cpu, "check_on_cpu", lambda *_: False)
    with pytest.raises(SystemExit) as end:
        check_on_cpu.main()
    assert end.value.code == 1
    assert "The logic is checked" not in capsys.readouterr().out


def test_programs_are_those_that_cmake_builds() -> None:
    cmake = (ROOT / "cmake/GsstStageCheck.cmake").read_text(encoding="utf-8")
    found = re.search(r"foreach\(check ([a-z ]+)\)", cmake)
    assert found is not None
    assert programs() == [f"check_{name}" for name in found[1].split()]


def test_a_dry_run_of_make_check_builds_nothing() -> None:
    """As of every command that the README names: its test runs them so."""
    command = ["make", "--dry-run", "check", "STAGE=no/stage", "DEVICE=simt"]
    dry = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (dry.returncode, dry.stderr) == (0, "")
    assert "tools.check_on_cpu" in dry.stdout
