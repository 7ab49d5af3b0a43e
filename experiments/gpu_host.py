"""Which GPU this machine has, and what may be done with it."""

import os
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

_DRIVER_PARAMETERS = Path("/proc/driver/nvidia/params")
_QUERY = ["nvidia-smi", "--query-gpu=name,driver_version,compute_cap", "--format=csv,noheader"]
_OFFERS = ["sinfo", "--noheader", "--format=%G"]


@dataclass(frozen=True)
class Gpu:
    """A GPU as its driver names it; `compute_capability` is, for example, (9, 0)."""

    name: str
    driver: str
    compute_capability: tuple[int, int]


def compute_capability(text: str) -> tuple[int, int]:
    """`9.0` as numbers that can be compared. Raises ValueError."""
    major, _, minor = text.partition(".")
    return int(major), int(minor)


def find_gpu() -> Gpu | None:
    """The first GPU that the driver sees; None where there is none."""
    if shutil.which(_QUERY[0]) is None:
        return None
    answer = subprocess.run(_QUERY, capture_output=True, text=True, check=False)
    lines = answer.stdout.splitlines()
    if answer.returncode != 0 or not lines:
        return None
    name, driver, capability = (field.strip() for field in lines[0].rsplit(",", 2))
    return Gpu(name, driver, compute_capability(capability))


def may_read_counters(driver_parameters: Path = _DRIVER_PARAMETERS) -> bool:
    """Whether NVIDIA Nsight Compute is installed and this user may read the GPU's counters."""
    if shutil.which("ncu") is None:
        return False
    if os.geteuid() == 0:
        return True
    return driver_parameters.exists() and "RmProfilingAdminOnly: 0" in driver_parameters.read_text()


def cluster_has_gpu() -> bool:
    """Whether Slurm offers a GPU, on whatever node; false where there is no Slurm."""
    if shutil.which(_OFFERS[0]) is None:
        return False
    answer = subprocess.run(_OFFERS, capture_output=True, text=True, check=False)
    # A line for each kind of node, for example `gpu:h100:4(S:0-1),nvme:1`; `(null)` where it offers nothing.
    offered = [offer for line in answer.stdout.splitlines() for offer in line.split(",")]
    return answer.returncode == 0 and any(offer.partition(":")[0].strip() == "gpu" for offer in offered)


def measures_gpu(wanted: Literal["auto", "cluster", "always", "never"]) -> bool:
    """What the configuration's `gpu` means on this machine."""
    if wanted == "cluster":
        return cluster_has_gpu()
    return decide(wanted, lambda: find_gpu() is not None)


def decide(wanted: Literal["auto", "always", "never"], is_there: Callable[[], bool]) -> bool:
    """What a switch of the configuration means on this machine, which is looked at for `auto` only."""
    return is_there() if wanted == "auto" else wanted == "always"
