# What the rules ask of the experiments' definitions.
import os
import sys
from pathlib import Path

from data.fetch import DATA_DIR_VARIABLE
from experiments.definition import all_targets, load_experiment
from experiments.results import recorded_paths

PYTHON = sys.executable
TARGETS = all_targets()
MEASURED_TARGETS = [target for target in TARGETS if load_experiment(target).subcommand]
MEASURES = config["results"] == "measured" and Path(config["measuring_program"]).exists()


wildcard_constraints:
    target="|".join(TARGETS),


def scale_of(wildcards):
    """Data and parameters of the target at the configured scale, as text: another text, another measurement."""
    return str(load_experiment(wildcards.target).scales[config["scale"]])


def incomplete_since(wildcards):
    """Changes with every attempt while data is missing, so that the next run tries again; else constant."""
    manifest = Path(f"results/data/{wildcards.target}.json")
    if not manifest.exists() or '"unavailable": {}' in manifest.read_text(encoding="utf-8"):
        return 0
    return manifest.stat().st_mtime


def result_of(wildcards):
    """The result that is measured here; none where nothing is measured."""
    if MEASURES and wildcards.target in MEASURED_TARGETS:
        return [f"results/measured/{wildcards.target}.json"]
    return []


def records_of(wildcards):
    """The committed results of other machines."""
    return [os.path.relpath(path) for path in recorded_paths(wildcards.target)]


def drawing_sources(wildcards):
    """What a figure depends on besides its numbers."""
    modules = [*Path("experiments").glob("*.py"), *Path("experiments/plots").glob("*.py")]
    sources = [path for path in modules if not path.name.startswith("test_")]
    sources += [*Path("experiments/papers").glob("*.csv"), Path(f"experiments/{wildcards.target}.yaml")]
    return sorted(str(path) for path in sources)
