"""The digest of the sources that a result measured: says whether a recorded result is stale.

python -m experiments.sources TARGET --stages ID [ID ...]    prints the digest of a target's measurement
"""

import argparse
import hashlib
from collections.abc import Iterable, Sequence
from pathlib import Path

from experiments.definition import load_experiment

REPOSITORY_ROOT = Path(__file__).parent.parent
SOURCE_SUFFIXES = frozenset({".cpp", ".hpp", ".h", ".cu", ".cuh", ".cmake"})

# Folders and files, below the root, that every measurement of a kind depends on.
CPU_SOURCES = ("common/format", "reference_cpu", "experiments/measure")
# Training and parsing of the levels above 1, in reference_cpu: only a measurement of levels runs them.
HIGHER_LEVEL_SOURCES = tuple(
    f"reference_cpu/{name}"
    for name in (
        *("length_classes.cpp", "length_classes.hpp", "optimal_encoder.cpp", "optimal_encoder.hpp"),
        *("optimal_parse.hpp", "sample_analysis.cpp", "sample_analysis.hpp", "size_measure.hpp"),
        *("symbol_automaton.cpp", "symbol_automaton.hpp", "train_dictionary.cpp", "train_dictionary.hpp"),
    )
)
_KERNEL_SOURCES = ("common/format", "common/stage", "common/cuda")
GPU_SOURCES = (
    *_KERNEL_SOURCES,
    "experiments/measure_gpu",
    # What its program takes from the CPU's.
    "experiments/measure/error.hpp",
    "experiments/measure/input_file.cpp",
    "experiments/measure/input_file.hpp",
    "experiments/measure/row.cpp",
    "experiments/measure/row.hpp",
    "experiments/measure/statistics.cpp",
    "experiments/measure/statistics.hpp",
)
# What encoders stand on besides: their frames' writer, and the trainer on the host.
_ENCODER_SOURCES = ("common/encode_stage", "reference_cpu")
NVCC_SOURCES = (*_KERNEL_SOURCES, "experiments/ptx.py")
_BESIDE_MEASURE_GPU = "experiments/measure_session"
# Of rows on something else than a decoder stage, by the first part of their stage.
_SOURCES_OF_SERIES = {
    "nvcomp": ("experiments/peers", _BESIDE_MEASURE_GPU),
    "reference_cpu": CPU_SOURCES,
}
# Of a program that stands beside the one of experiments/measure_gpu.
_SOURCES_OF_PROGRAM = {
    "encode": ("experiments/measure_encode", _BESIDE_MEASURE_GPU, *_ENCODER_SOURCES),
    "memory": ("experiments/measure_memory", _BESIDE_MEASURE_GPU),
    "overlap": ("common/pipeline", "experiments/measure_overlap"),
}


def is_encoder(stage: str, root: Path = REPOSITORY_ROOT) -> bool:
    """Whether a stage registers an encoder."""
    host_side = root / "stages" / stage / "stage.cu"
    return host_side.is_file() and "common/encode_stage/" in host_side.read_text(encoding="utf-8")


def _paths_of_stage(stage: str) -> tuple[str, ...]:
    return _SOURCES_OF_SERIES.get(stage.partition("/")[0], (f"stages/{stage}",))


def measured_paths(needs: str, stages: Iterable[str], program: str | None = None) -> tuple[str, ...]:
    """What a measurement that needs `cpu`, `gpu` or `nvcc` depends on, with the folders of its stages."""
    if needs == "cpu":
        return CPU_SOURCES
    common = GPU_SOURCES if needs == "gpu" else NVCC_SOURCES
    of_stages = {path for stage in stages for path in _paths_of_stage(stage)}
    return (*common, *_SOURCES_OF_PROGRAM.get(program or "", ()), *sorted(of_stages))


def _is_measured(path: Path) -> bool:
    """Tests and documentation do not change what is measured."""
    if path.stem.endswith(("_test", "_benchmark")):
        return False
    return path.suffix in SOURCE_SUFFIXES or path.name == "CMakeLists.txt"


def measured_sources(root: Path = REPOSITORY_ROOT, paths: Sequence[str] = CPU_SOURCES) -> list[Path]:
    """The files whose change makes a result stale, sorted. A file named in `paths` counts whatever it is."""
    named = {root / path for path in paths if (root / path).is_file()}
    left_out = {root / path for path in HIGHER_LEVEL_SOURCES}
    found = {
        path
        for folder in paths
        for path in (root / folder).rglob("*")
        if path.is_file() and _is_measured(path)
    }
    return sorted(named | (found - left_out))


def sources_digest(root: Path = REPOSITORY_ROOT, paths: Sequence[str] = CPU_SOURCES) -> str:
    """sha256 over the names and the contents of the measured sources."""
    whole = hashlib.sha256()
    for path in measured_sources(root, paths):
        content = hashlib.sha256(path.read_bytes()).hexdigest()
        whole.update(f"{content}  {path.relative_to(root).as_posix()}\n".encode())
    return whole.hexdigest()


def target_digest(target: str, stages: Iterable[str], root: Path = REPOSITORY_ROOT) -> str:
    """The digest of a measurement of `target` on these stages. Raises DefinitionError if it is unknown."""
    experiment = load_experiment(target)
    paths = measured_paths(experiment.needs, stages, experiment.program)
    of_levels = HIGHER_LEVEL_SOURCES if experiment.subcommand == "levels" else ()
    return sources_digest(root, (*paths, *of_levels))


def verified_digest(stage: str, root: Path = REPOSITORY_ROOT) -> str:
    """The digest of what the tests of `stage` on a GPU have run."""
    of_encoder = _ENCODER_SOURCES if is_encoder(stage, root) else ()
    return sources_digest(root, (*_KERNEL_SOURCES, *of_encoder, f"stages/{stage}"))


def main() -> None:
    """Prints one digest, for a measurement on a machine that has no repository."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("target")
    parser.add_argument("--stages", nargs="*", default=[], help="ids of the stages that are measured")
    arguments = parser.parse_args()
    print(target_digest(arguments.target, arguments.stages))


if __name__ == "__main__":
    main()
