"""Where nvcc is and which version it has."""

import os
import re
import shutil
import subprocess

# Where NVIDIA's packages put it without adding it to PATH.
DEFAULT_NVCC = "/usr/local/cuda/bin/nvcc"


class NvccMissingError(Exception):
    """This machine has no nvcc."""


def find_nvcc() -> str:
    """Path of nvcc: CUDACXX as CMake reads it, else PATH, else NVIDIA's default. Raises NvccMissingError."""
    for candidate in (os.environ.get("CUDACXX"), "nvcc", DEFAULT_NVCC):
        found = shutil.which(candidate) if candidate else None
        if found:
            return found
    raise NvccMissingError("nvcc is not installed (PATH and CUDACXX are searched)")


def has_nvcc() -> bool:
    """Whether this machine has nvcc."""
    try:
        find_nvcc()
    except NvccMissingError:
        return False
    return True


def nvcc_version() -> str:
    """For example `13.0.88`."""
    answer = subprocess.run([find_nvcc(), "--version"], capture_output=True, text=True, check=True)
    match = re.search(r"V(\d+\.\d+\.\d+)", answer.stdout)
    return match[1] if match else "unknown"
