"""Compiles a small program, runs it on the logged CUDA runtime, and looks at what counts as a difference."""

import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from experiments.carry_over.checkouts import RUNTIME_FOLDER
from experiments.carry_over.cubin import Kernel, plain_name
from experiments.carry_over.fatbin import kernels_of
from experiments.carry_over.gpus import gpu_properties
from experiments.carry_over.launches import (
    LaunchError,
    Log,
    difference,
    join_runs,
    run_logged,
    write_settings,
)
from experiments.sources import REPOSITORY_ROOT

RUNTIME = REPOSITORY_ROOT / "build" / RUNTIME_FOLDER
FIXTURE = Path(__file__).parent / "fixture.cu"
GPU = gpu_properties("NVIDIA H200")

pytestmark = [
    pytest.mark.measuring,
    pytest.mark.skipif(shutil.which("nvcc") is None, reason="there is no nvcc"),
    pytest.mark.skipif(
        not (RUNTIME / "libcudart.so").exists(), reason="the logged CUDA runtime is not built"
    ),
]


@dataclass(frozen=True)
class Program:
    """A compiled variant of the fixture."""

    path: Path
    kernels: Mapping[str, Kernel]

    def log(self, folder: Path, change: str = "", fill: int = 0x55) -> Log:
        settings = self.path.with_suffix(".settings")
        return run_logged([str(self.path), change], settings, RUNTIME, folder, fill)

    def kernel(self, name: str) -> Kernel:
        return next(kernel for kernel in self.kernels.values() if name in kernel.name)


def compiled(source: Path, path: Path, *options: str) -> Program:
    command = ["nvcc", "-std=c++17", "-gencode", "arch=compute_90,code=sm_90", "-lineinfo", "-cudart", "none"]
    link = ["-L", str(RUNTIME), "-lcudart", "-Xlinker", f"-rpath={RUNTIME}"]
    subprocess.run([*command, *options, str(source), "-o", str(path), *link], check=True)
    kernels = kernels_of(path, GPU.architecture)
    write_settings(GPU, kernels, path.with_suffix(".settings"))
    return Program(path, kernels)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("programs")


@pytest.fixture(scope="module")
def program(folder: Path) -> Program:
    return compiled(FIXTURE, folder / "program")


def found(program: Program, other: Program, folder: Path, change: str = "") -> str | None:
    """How a run of `other` with a change differs, after as many runs as values need."""
    before, after = program.log(folder), other.log(folder, change)
    for fill in (0xAA, 0x33, 0x77, 0xEE):
        result = difference(before, after, program.kernels, other.kernels)
        if result is None or not result.unsure:
            break
        before = join_runs(before, program.log(folder, "", fill))
        after = join_runs(after, other.log(folder, change, fill))
    return None if result is None else result.text


def test_the_log_holds_what_the_program_asks_for(program: Program, tmp_path: Path) -> None:
    log = program.log(tmp_path)
    assert (log.status, log.message) == (0, "")
    texts = [line.text for line in log.lines]
    assert texts[0] == "cudaMalloc #1+0 4096 bytes"
    assert texts[1].startswith("cudaMemcpy 2048 bytes from host to #1+0 kind 1 of contents ")
    assert "cudaMemsetAsync 512 bytes at #1+0 to 0 stream 1" in texts
    assert "launch grid 4x1x1 block 32x1x1 shared 256 stream 1" in texts
    assert {plain_name(name) for name in log.kernels} == {"_ZN5scaleE7Numbers", "_ZN7reorderE7Numbers"}


def test_equal_programs_are_equal_though_padding_is_not(program: Program, tmp_path: Path) -> None:
    one, other = program.log(tmp_path), program.log(tmp_path, "", 0xAA)
    values = next(line.values for line in one.lines if line.kernel is not None)
    assert values[:2] == ("(#1+0)", "20")
    assert len(values) == 1 + 8
    assert one != other
    assert found(program, program, tmp_path) is None


@pytest.mark.parametrize(
    "change",
    [
        *("allocation", "block", "carveout", "clear", "content", "grid", "launch", "most shared", "offset"),
        *("parameter", "shared", "stream", "timer"),
    ],
)
def test_each_change_of_the_host_is_found(program: Program, tmp_path: Path, change: str) -> None:
    assert found(program, program, tmp_path, change) is not None


def test_a_moved_source_with_a_comment_is_equal(program: Program, folder: Path, tmp_path: Path) -> None:
    moved = tmp_path / "elsewhere" / "other_name.cu"
    moved.parent.mkdir()
    moved.write_text("// A comment,\n// which moves all lines.\n" + FIXTURE.read_text(encoding="utf-8"))
    other = compiled(moved, folder / "moved")
    assert set(other.kernels) != set(program.kernels)
    assert {plain_name(name) for name in other.kernels} == {plain_name(name) for name in program.kernels}
    assert found(program, other, tmp_path) is None


def test_a_renamed_type_is_equal(program: Program, folder: Path, tmp_path: Path) -> None:
    other = compiled(FIXTURE, folder / "renamed", "-DRENAMED")
    assert "_ZN5scaleE6Values" in {plain_name(name) for name in other.kernels}
    assert found(program, other, tmp_path) is None


def test_changed_kernels_are_not_equal(program: Program, folder: Path, tmp_path: Path) -> None:
    other = compiled(FIXTURE, folder / "changed", "-DFACTOR=5", "-DLOCAL_NUMBERS=44")
    text = found(program, other, tmp_path)
    assert text is not None
    assert "_ZN5scaleE7Numbers has other" in text
    parts = {name: (program.kernel(name).parts, other.kernel(name).parts) for name in ("scale", "reorder")}
    changed = {name: {part for part in one if one[part] != two[part]} for name, (one, two) in parts.items()}
    assert changed["scale"] == {"constants and variables of all kernels"}
    assert "registers and local memory" in changed["reorder"]
    assert (program.kernel("reorder").local_bytes, other.kernel("reorder").local_bytes) == (160, 176)


def test_a_kernel_that_is_not_launched_may_differ(program: Program, folder: Path, tmp_path: Path) -> None:
    other = compiled(FIXTURE, folder / "other_local", "-DLOCAL_NUMBERS=44")
    assert found(program, other, tmp_path) is not None
    before, after = program.log(tmp_path, "launch"), other.log(tmp_path, "launch")
    result = difference(before, after, program.kernels, other.kernels)
    assert result is None or result.unsure


def test_a_refused_launch_ends_the_program(program: Program, tmp_path: Path) -> None:
    settings = program.path.with_name("small.settings")
    text = program.path.with_suffix(".settings").read_text(encoding="utf-8")
    settings.write_text(text.replace("MaxThreadsPerBlock 1024", "MaxThreadsPerBlock 16"), encoding="utf-8")
    with pytest.raises(LaunchError, match="status 1"):
        run_logged([str(program.path)], settings, RUNTIME, tmp_path)


def test_a_kernel_that_the_settings_lack_ends_the_program(program: Program, tmp_path: Path) -> None:
    settings = tmp_path / "settings"
    write_settings(GPU, {}, settings)
    with pytest.raises(LaunchError, match="do not name the kernel"):
        run_logged([str(program.path)], settings, RUNTIME, tmp_path)
