"""What a source is compiled with, held against what the compilers of the build in build/ have noted.

The environment variable GSST_BUILD_DIR names another build folder.
"""

import os
import subprocess
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from experiments.definition import all_targets, load_experiment
from experiments.include_closure import include_closure
from experiments.measuring_programs import kinds
from experiments.sources import (
    BEYOND_SOURCES,
    CPU_SOURCES,
    REPOSITORY_ROOT,
    UNTIMED_ON_HOST,
    measured_paths,
    measured_sources,
)

BUILD = Path(os.environ.get("GSST_BUILD_DIR", REPOSITORY_ROOT / "build")).resolve()
KINDS_ON_A_GPU = sorted(
    {str(experiment.kind) for experiment in map(load_experiment, all_targets()) if experiment.needs == "gpu"}
)
UNITS = frozenset({".c", ".cpp", ".cu"})


@dataclass(frozen=True)
class CompiledObject:
    """An object file of a build and the files of the repository that it was compiled from."""

    name: str
    files: frozenset[Path]
    by_nvcc: bool

    @property
    def units(self) -> set[Path]:
        """Its sources; a unity build compiles several as one."""
        return {path for path in self.files if path.suffix in UNITS}

    def has_unit_below(self, folder: str) -> bool:
        """Whether it was compiled from a source in this folder of the repository."""
        return any(path.is_relative_to(REPOSITORY_ROOT / folder) for path in self.units)


def cache_entry(name: str, build: Path) -> str | None:
    """What CMake's cache of the build holds under this name."""
    for line in (build / "CMakeCache.txt").read_text(encoding="utf-8").splitlines():
        key, _, value = line.partition("=")
        if key.partition(":")[0] == name:
            return value
    return None


def names_of_ninja(build: Path) -> Iterator[tuple[str, list[str]]]:
    """Each object with the files that it was compiled from, as Ninja has noted them."""
    ninja = cache_entry("CMAKE_MAKE_PROGRAM", build)
    assert ninja is not None
    listing = subprocess.run([ninja, "-C", build, "-t", "deps"], capture_output=True, text=True, check=True)
    for entry in listing.stdout.split("\n\n"):
        head, *files = entry.splitlines() or [""]
        if files and "VALID" in head:
            yield head.partition(":")[0], [file.strip() for file in files]


def names_of_make(build: Path) -> Iterator[tuple[str, list[str]]]:
    """Each object with the files that it was compiled from, as the compilers' files for make hold them."""
    for path in sorted(build.rglob("*.o.d")):
        text = path.read_text(encoding="utf-8").replace("\\\n", " ").replace("\\ ", "\0")
        names = [name.replace("\0", " ") for name in text.partition(": ")[2].split()]
        yield path.relative_to(build).as_posix().removesuffix(".d"), names


def compiled_objects(build: Path, root: Path) -> list[CompiledObject]:
    """The objects of a build that are not older than what they were compiled from."""
    generator = cache_entry("CMAKE_GENERATOR", build)
    listed = names_of_ninja(build) if generator == "Ninja" else names_of_make(build)
    objects = []
    for name, names in listed:
        files = {Path(os.path.normpath(build / file)) for file in names}
        own = {file for file in files if file.is_relative_to(root) and not file.is_relative_to(build)}
        own = {file for file in own if not file.relative_to(root).parts[0].startswith((".", "build"))}
        there = (build / name).exists() and all(file.exists() for file in own)
        if own and there and all(file.stat().st_mtime <= (build / name).stat().st_mtime for file in own):
            by_nvcc = any(file.name == "cuda_runtime.h" for file in files)
            objects.append(CompiledObject(name, frozenset(own), by_nvcc))
    return objects


@pytest.fixture(scope="module")
def objects() -> list[CompiledObject]:
    assert (BUILD / "CMakeCache.txt").exists(), f"{BUILD} is no build: `make build` makes it"
    return compiled_objects(BUILD, REPOSITORY_ROOT)


def of_gpu(files: Iterable[Path]) -> set[Path]:
    """Without what runs kernels on the CPU, which no digest holds."""
    return {path for path in files if not path.is_relative_to(REPOSITORY_ROOT / "common/simt")}


@pytest.mark.measuring
def test_the_scanner_finds_every_file_that_a_compiler_reads(objects: list[CompiledObject]) -> None:
    # What CMake has written is no source of the repository.
    missed = {
        compiled.name: of_gpu(compiled.files) - include_closure(compiled.units, REPOSITORY_ROOT)
        for compiled in objects
        if compiled.units
    }
    assert {name: files for name, files in missed.items() if files} == {}


@pytest.mark.measuring
def test_the_digest_on_the_cpu_covers_what_its_compiler_reads(objects: list[CompiledObject]) -> None:
    measured = set(measured_sources(paths=(*CPU_SOURCES, *BEYOND_SOURCES)))
    # Without units: written by CMake, a table of functions of several series.
    held = [compiled for compiled in objects if compiled.units and compiled.units <= measured]
    units = {path for compiled in held for path in compiled.units}
    # A peer is compiled where its library is installed, vector code on the processors that have it.
    optional = ("peer_", "fast_decoder_ssse3", "test_inputs")
    wanted = {path for path in measured if path.suffix == ".cpp" and not path.name.startswith(optional)}
    assert wanted <= units, "the build is older than its sources: `make build`"
    for compiled in held:
        assert of_gpu(compiled.files) <= measured, compiled.name


@pytest.fixture
def on_gpu(objects: list[CompiledObject]) -> list[CompiledObject]:
    # CMake notes a compiler that it has looked for in vain as NOTFOUND.
    if (cache_entry("CMAKE_CUDA_COMPILER", BUILD) or "NOTFOUND").endswith("NOTFOUND"):
        pytest.skip("built without nvcc: no code for a GPU")
    return [compiled for compiled in objects if compiled.by_nvcc]


@pytest.mark.measuring
def test_the_digest_of_a_stage_covers_what_nvcc_reads(on_gpu: list[CompiledObject]) -> None:
    stages = {path.parent for path in REPOSITORY_ROOT.glob("stages/*/*/stage.cu")}
    held = set()
    for compiled in on_gpu:
        for stage in {path.parent for path in compiled.units if path.name == "stage.cu"}:
            held.add(stage)
            paths = measured_paths("gpu", [stage.relative_to(REPOSITORY_ROOT / "stages").as_posix()])
            assert compiled.files <= set(measured_sources(paths=paths)), compiled.name
    assert held == stages, "the build is older than its sources: `make build`"


@pytest.mark.measuring
@pytest.mark.usefixtures("on_gpu")
@pytest.mark.parametrize("kind", KINDS_ON_A_GPU)
def test_the_digest_of_a_kind_covers_what_its_compiler_reads(
    kind: str, objects: list[CompiledObject]
) -> None:
    if kind == "parquet" and (cache_entry("THRIFT_LIBRARY", BUILD) or "NOTFOUND").endswith("NOTFOUND"):
        pytest.skip("built without libthrift: no program that reads Parquet files")
    stage = "gsst/08_gpu_encoder" if kind in ("encode", "memory") else "gsst/09_warp_tiles"
    measured = set(measured_sources(paths=measured_paths("gpu", [stage], kind)))
    untimed = tuple(REPOSITORY_ROOT / folder for folder in UNTIMED_ON_HOST)
    is_of_program = kind in kinds()
    own = f"experiments/measure/kinds/{kind}" if is_of_program else f"experiments/measure_{kind}"
    folders = [own, "experiments/measure/shared"]
    main = "experiments/measure/main.cpp" if is_of_program else f"{own}/main.cpp"
    of_program = [
        compiled
        for compiled in objects
        if any(compiled.has_unit_below(folder) for folder in (*folders, main))
        # Other programs and the studies' library are compiled from some of the shared parts too.
        and (compiled.name.startswith(f"{own}/") or not compiled.name.startswith("experiments/measure_"))
        and not any(path.stem.endswith("_test") for path in compiled.units)
    ]
    assert any(compiled.has_unit_below(own) for compiled in of_program)
    assert any(compiled.has_unit_below(main) for compiled in of_program)
    for compiled in of_program:
        missed = of_gpu(compiled.files) - measured
        assert all(any(path.is_relative_to(folder) for folder in untimed) for path in missed), compiled.name


def test_the_files_that_compilers_write_for_make_are_read(tmp_path: Path) -> None:
    root, build = tmp_path / "a b", tmp_path / "a b/build"
    (build / "dir").mkdir(parents=True)
    for name in ("one.cpp", "one.hpp", "other.cpp"):
        (root / name).touch()
    cache = "CMAKE_GENERATOR:INTERNAL=Unix Makefiles\n"
    (build / "CMakeCache.txt").write_text(cache, encoding="utf-8")
    for name in ("one", "other"):
        escaped = str(root / name).replace(" ", "\\ ")
        text = f"dir/{name}.cpp.o: {escaped}.cpp /usr/include/stdio.h \\\n ../one.hpp\n"
        (build / f"dir/{name}.cpp.o.d").write_text(text, encoding="utf-8")
        (build / f"dir/{name}.cpp.o").touch()
    # Its object is older.
    os.utime(build / "dir/other.cpp.o", (0, 0))
    (compiled,) = compiled_objects(build, root)
    assert compiled.files == {root / "one.cpp", root / "one.hpp"}
    assert compiled.units == {root / "one.cpp"}


def test_the_executor_for_the_cpu_is_left_out(tmp_path: Path) -> None:
    headers = ("common/simt/executor.hpp", "common/stage/stage.hpp", "include/gsst/gpu.h")
    for name in ("a.cu", *headers):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    lines = [
        '#include "common/simt/executor.hpp"',
        '#include "common/stage/stage.hpp"',
        "#include <gsst/gpu.h>",
    ]
    (tmp_path / "a.cu").write_text("\n".join([*lines, "#include <vector>"]), encoding="utf-8")
    found = include_closure([tmp_path / "a.cu"], tmp_path)
    assert found == {tmp_path / name for name in ("a.cu", *headers[1:])}
