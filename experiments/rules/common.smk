# What the rules ask of the experiments' definitions.
import os
import sys
from pathlib import Path

from data.fetch import DATA_DIR_VARIABLE
from experiments.compiler import has_nvcc
from experiments.definition import all_targets, load_experiment
from experiments.results import recorded_paths
from experiments.sources import measured_paths, measured_sources

PYTHON = sys.executable
TARGETS = all_targets()
PROGRAMS = {target: load_experiment(target).program for target in TARGETS}
MEASURES = config["results"] == "measured" and Path(config["measuring_program"]).exists()
# `make figures` builds it before; it lists the stages.
COMMAND = "build/bin/gsst"
# Half a minute of nvcc is too much at the scale that takes seconds: the record is drawn there.
COMPILES = config["results"] == "measured" and config["scale"] != "tiny" and has_nvcc()


def targets_of(program):
    """A pattern of the targets that `program` measures."""
    return "|".join(target for target in TARGETS if PROGRAMS[target] == program)


wildcard_constraints:
    target="|".join(TARGETS),
    on_cpu=targets_of("cpu"),
    compiled=targets_of("ptx"),


def scale_of(wildcards):
    """Data and parameters of the target at the configured scale, as text: another text, another measurement."""
    return str(load_experiment(wildcards.on_cpu).scales[config["scale"]])


def incomplete_since(wildcards):
    """Changes with every attempt while data is missing, so that the next run tries again; else constant."""
    manifest = Path(f"results/data/{wildcards.on_cpu}.json")
    if not manifest.exists() or '"unavailable": {}' in manifest.read_text(encoding="utf-8"):
        return 0
    return manifest.stat().st_mtime


def result_of(wildcards):
    """The result that is measured here; none where nothing is measured.

    A GPU is measured by hand (CONTRIBUTING.md): its result is drawn once it lies there.
    """
    result = f"results/measured/{wildcards.target}.json"
    program = PROGRAMS[wildcards.target]
    by_hand = config["results"] == "measured" and Path(result).exists()
    measured = {"cpu": MEASURES, "ptx": COMPILES, "gpu": by_hand, "ncu": by_hand, "encode": by_hand}
    return [result] if program and measured[program] else []


def records_of(wildcards):
    """The committed results of other machines."""
    return [os.path.relpath(path) for path in recorded_paths(wildcards.target)]


def drawing_sources(wildcards):
    """What a figure depends on besides its numbers."""
    modules = [*Path("experiments").glob("*.py"), *Path("experiments/plots").glob("*.py")]
    sources = [path for path in modules if not path.name.startswith("test_")]
    sources += [*Path("experiments/papers").glob("*.csv"), Path(f"experiments/{wildcards.target}.yaml")]
    return sorted(str(path) for path in sources)


def compiled_sources(wildcards):
    """What is compiled for a target, with the headers it includes."""
    paths = measured_paths("nvcc", [load_experiment(wildcards.compiled).compilation.stage])
    return [os.path.relpath(path) for path in measured_sources(paths=paths)]


def thesis_notes_sources(_):
    """What the page of notes on the thesis shows; it names the figures by their titles."""
    sources = [*Path("experiments").glob("thesis_notes*"), *Path("experiments/papers").glob("*_notes.yaml")]
    sources += [Path(f"experiments/{target}.yaml") for target in TARGETS]
    return sorted(str(path) for path in sources)


def stages_page_sources(_):
    """What the page of stages shows, besides the list of stages."""
    names = ["stages/*/*/kernel*", "stages/*/*/stage.md", "experiments/papers/*.csv"]
    names += ["experiments/stage*.py", "experiments/ladder_effect.py"]
    for target in ("gsst_fig_6_1", "gsst_table_6_1", "encoder_ladder"):
        names += [f"experiments/recorded/*/{target}.json", f"results/measured/{target}.json"]
    return sorted(str(path) for name in names for path in Path().glob(name))
