from pathlib import Path
from typing import Literal

import pytest

from experiments.gpu_host import (
    Gpu,
    cluster_has_gpu,
    compute_capability,
    decide,
    find_gpu,
    may_read_counters,
    measures_gpu,
)
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


@pytest.mark.parametrize(
    ("offers", "has_gpu"),
    [
        ("echo '(null)'", False),
        ("echo '(null)'; echo 'gpu:1'", True),
        ("echo 'nvme:1,gpu:h100:4(S:0-1)'", True),
        ("echo 'gpus_of_another_kind:1'", False),
        ("echo 'gpu:1'; exit 1", False),
    ],
)
def test_a_cluster_has_a_gpu_where_slurm_offers_one(offers: str, has_gpu: bool, path: Path) -> None:
    assert not cluster_has_gpu()
    put_executable(path / "sinfo", f"#!/bin/sh\n{offers}\n")
    assert cluster_has_gpu() == has_gpu
    assert measures_gpu("cluster") == has_gpu
    assert not measures_gpu("auto")


def test_a_gpu_here_is_no_gpu_of_the_cluster(path: Path) -> None:
    put_nvidia_smi(path)
    assert measures_gpu("auto")
    assert not measures_gpu("cluster")


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
