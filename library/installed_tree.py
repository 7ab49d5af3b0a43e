"""An installed library for tests, and what runs the commands of its users."""

import os
import shutil
import subprocess
from pathlib import Path

from tools.repository import ROOT

BUILD = Path(os.environ.get("GSST_BUILD_DIR", ROOT / "build")).absolute()
# Built where nvcc was found.
HAS_GPU_LIBRARY = (BUILD / "library/libgsst_gpu.a").exists()


def run(*command: str | Path, environment: dict[str, str] | None = None, folder: Path | None = None) -> str:
    """Runs `command` and gives what it prints; fails with all of it."""
    done = subprocess.run(
        [str(word) for word in command],
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
        cwd=folder,
        env={**os.environ, **(environment or {})},
    )
    assert done.returncode == 0, done.stdout
    return done.stdout


def install(prefix: Path) -> Path:
    """Installs every component of the library that BUILD has at `prefix`."""
    assert (BUILD / "library/libgsst_codec.a").exists(), f"{BUILD} has no library: `make build` makes it"
    for component in ["codec", "gpu"] if HAS_GPU_LIBRARY else ["codec"]:
        run("cmake", "--install", BUILD, "--component", component, "--prefix", prefix)
    return prefix


def cuda_headers() -> Path:
    """The folder of the headers of the CUDA toolkit."""
    nvcc = os.environ.get("CUDACXX") or shutil.which("nvcc")
    assert nvcc is not None
    return Path(nvcc).resolve().parent.parent / "include"
