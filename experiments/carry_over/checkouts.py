"""Trees of commits, and their measuring programs, linked to the logged CUDA runtime or to the toolkit's."""

import json
import shlex
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from experiments.carry_over.gpus import GpuProperties

# Where the logged CUDA runtime is, below a build folder of this tree; runtime/CMakeLists.txt says it.
RUNTIME_TARGET = "gsst_logged_cuda_runtime"
RUNTIME_FOLDER = "logged_cuda"
_LIBRARY = "libcudart.so"
# Of what a failed command wrote: commands that link are long.
_LAST_LINES, _LINE_CHARACTERS = 12, 400


class CheckoutError(Exception):
    """A commit that there is not, or a tree that cannot be built."""


def run(command: Sequence[str | Path], what: str) -> str:
    """What a command prints. Raises CheckoutError, which says `what` failed and the end of what it wrote."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        lines = (done.stdout + done.stderr).strip().splitlines()
        end = "\n".join(line[:_LINE_CHARACTERS] for line in lines[-_LAST_LINES:])
        raise CheckoutError(f"{what} failed:\n{end}")
    return done.stdout.strip()


def full_commit(repository: Path, name: str) -> str:
    """The digits of a commit. Raises CheckoutError where there is none."""
    return run(
        ["git", "-C", repository, "rev-parse", "--verify", f"{name}^{{commit}}"], f"finding commit {name}"
    )


def check_clean(repository: Path) -> None:
    """Raises CheckoutError where the tree has changes, which no commit names."""
    if run(["git", "-C", repository, "status", "--porcelain"], "git status"):
        raise CheckoutError(f"{repository} has uncommitted changes; commit them first")


def unpack(repository: Path, commit: str, folder: Path) -> Path:
    """The tree of a commit in a folder below `folder`, which may be there already."""
    tree = folder / commit[:12]
    if tree.exists():
        return tree
    partial = folder / f"{commit[:12]}.partial"
    partial.mkdir(parents=True, exist_ok=True)
    archive = ["git", "-C", str(repository), "archive", commit]
    command = f"set -o pipefail; {shlex.join(archive)} | tar -x -C {shlex.quote(str(partial))}"
    run(["bash", "-c", command], f"unpacking {commit}")
    return partial.rename(tree)


def build_runtime(build: Path) -> Path:
    """Builds the logged CUDA runtime in this tree's build folder; gives the folder that holds it."""
    run(["cmake", "--build", build, "--target", RUNTIME_TARGET], f"building {RUNTIME_TARGET}")
    return build / RUNTIME_FOLDER


@dataclass(frozen=True)
class Build:
    """Built programs: their folder, and what their results say of how they were compiled."""

    programs: Path
    compiler: str
    flags: str


def _said(build: Path) -> dict[str, str]:
    """The macros that the measuring programs take their environment from."""
    entries = json.loads((build / "compile_commands.json").read_text(encoding="utf-8"))
    said = {}
    for entry in entries:
        if "gsst_measure_session" in entry["command"]:
            words = shlex.split(entry["command"])
            said |= dict(word[2:].split("=", 1) for word in words if word.startswith("-DGSST_"))
    return {name: value.strip('"') for name, value in said.items()}


def build_programs(
    tree: Path, name: str, gpu: GpuProperties, programs: Sequence[str], runtime: Path | None
) -> Build:
    """Builds programs of a tree in its folder `name`, for one GPU; with a `runtime`, linked to its library.
    Raises CheckoutError."""
    build = tree / name
    options = [f"-DCMAKE_CUDA_ARCHITECTURES={gpu.architecture}-real", "-DGSST_CUDA=ON"]
    if runtime is not None:
        # CMake's own way to say where a library of the toolkit is.
        options += [f"-DCUDA_cudart_static_LIBRARY={runtime / _LIBRARY}", "-DCMAKE_CUDA_RUNTIME_LIBRARY=None"]
    configure: list[str | Path] = ["cmake", "--preset", "cpu", "-S", tree, "-B", build, *options]
    run(configure, f"configuring {tree}")
    run(["cmake", "--build", build, "--target", *programs], f"building {', '.join(programs)} of {tree}")
    said: Mapping[str, str] = _said(build)
    return Build(build / "bin", said["GSST_COMPILER"], said["GSST_FLAGS"])
