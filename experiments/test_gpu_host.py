from pathlib import Path
from typing import Literal

import pytest

from experiments.gpu_host import Gpu, compute_capability, decide, find_gpu, may_read_counters
from experiments.made_up_programs import put_executable, put_ncu, put_nvidia_smi


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The only folder in which programs are found."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", f"{folder}")
    return folder


def test_the_gpu_is_the_one_that_the_driver_names(path: Path) -> None:
    assert find_gpu() is None
    put_nvidia_smi(path, "12.1")
    assert find_gpu() == Gpu("Made-up GPU", "1.2", (12, 1))


@pytest.mark.parametrize("says", ["exit 9", "true"], ids=["fails", "lists none"])
def test_a_driver_without_a_gpu_is_none(says: str, path: Path) -> None:
    put_executable(path / "nvidia-smi", f"#!/bin/sh\n{says}\n")
    assert find_gpu() is None


def test_compute_capabilities_compare_as_numbers() -> None:
    assert compute_capability("8.0") < compute_capability("8.9") < compute_capability("10.0")


@pytest.mark.parametrize(
    ("user", "parameters", "may"),
    [
        (0, "RmProfilingAdminOnly: 1\n", True),
        (1000, "RmProfilingAdminOnly: 1\n", False),
        (1000, "Other: 3\nRmProfilingAdminOnly: 0\n", True),
        (1000, None, False),
    ],
)
def test_counters_are_for_administrators_unless_the_driver_says_otherwise(
    user: int,
    parameters: str | None,
    may: bool,
    path: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("os.geteuid", lambda: user)
    driver = tmp_path / "params"
    if parameters is not None:
        driver.write_text(parameters, encoding="utf-8")
    assert not may_read_counters(driver), "there is no ncu"
    put_ncu(path)
    assert may_read_counters(driver) == may


@pytest.mark.parametrize(
    ("wanted", "found", "decision"),
    [
        ("auto", True, True),
        ("auto", False, False),
        ("always", False, True),
        ("never", True, False),
    ],
)
def test_auto_follows_what_is_found(
    wanted: Literal["auto", "always", "never"], found: bool, decision: bool
) -> None:
    assert decide(wanted, lambda: found) == decision
