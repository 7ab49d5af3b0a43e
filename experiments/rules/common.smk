# What the rules ask of the experiments' definitions.
import os
import sys
from hashlib import sha256
from pathlib import Path

from data.fetch import DATA_DIR_VARIABLE
from experiments.compiler import has_nvcc
from experiments.definition import all_targets, load_experiment
from experiments.drawing_process import draw
from experiments.gpu_host import decide, may_read_counters, measures_gpu
from experiments.measuring_programs import path_of, program_of
from experiments.paper_notes import notes_paths, page_name
from experiments.results import recorded_paths
from experiments.tables import table_targets
from experiments.sources import measured_paths, measured_sources

PYTHON = sys.executable
TARGETS = all_targets()
EXPERIMENTS = {target: load_experiment(target) for target in TARGETS}
PROGRAMS = {target: experiment.program for target, experiment in EXPERIMENTS.items()}
# `make figures` builds it before; it lists the stages.
COMMAND = "build/bin/gsst"
# The command line gives a text.
WITH_NVCOMP = str(config["nvcomp"]).lower() == "true"
# By the first part of their rows' stage.
NVCOMP_PROGRAMS = {
    series: f"build/bin/gsst_measure_{series}" for series in ("nvcomp", "nvcomp_integers", "nvcomp_zlib")
}
# Half a minute of nvcc is too much at the scale that takes seconds: the record is drawn there.
COMPILES = config["results"] == "measured" and config["scale"] != "tiny" and has_nvcc()
# `make build` leaves this program out: its kernels take minutes to compile. It counts, so that its record is what any
# machine would count: below the scale paper the record is drawn.
ACCESSES_PROGRAM = "build/bin/gsst_measure_accesses"
COMPILES_ACCESSES = (
    config["results"] == "measured" and config["scale"] == "paper" and Path("build/CMakeCache.txt").exists()
)
USES_GPU = config["results"] == "measured" and measures_gpu(config["gpu"])
READS_COUNTERS = USES_GPU and decide(config["counters"], may_read_counters)
# What this machine's GPU measures.
ON_GPU = [
    target
    for target, experiment in EXPERIMENTS.items()
    if experiment.needs == "gpu" and (READS_COUNTERS if experiment.reads_counters else USES_GPU)
]


def targets_that_need(*needs):
    """A pattern of the targets that are measured and need one of these of a machine."""
    return "|".join(name for name, found in EXPERIMENTS.items() if found.program and found.needs in needs)


wildcard_constraints:
    target="|".join(TARGETS),
    on_cpu=targets_that_need("cpu"),
    on_gpu="|".join(ON_GPU) or "none",
    compiled=targets_that_need("nvcc"),
    reads_data=targets_that_need("cpu", "gpu"),


def wanted_of(target):
    """What is measured at the configured scale, as text: another text, another measurement."""
    experiment = EXPERIMENTS[target]
    others = f"{experiment.overlap} {experiment.random_access}"
    return f"{experiment.scales[config['scale']]} {experiment.points} {others}"


def incomplete_since(wildcards):
    """Changes with every attempt while data is missing, so that the next run tries again; else constant."""
    manifest = Path(f"results/data/{wildcards.reads_data}.json")
    if not manifest.exists() or '"unavailable": {}' in manifest.read_text(encoding="utf-8"):
        return 0
    return manifest.stat().st_mtime


def cpu_program(target):
    """What measures a target on the CPU."""
    kind = PROGRAMS[target]
    return config["measuring_program"] if kind == "cpu" else path_of(kind)


def measures_on_cpu(target):
    if cpu_program(target) == ACCESSES_PROGRAM:
        return COMPILES_ACCESSES
    return config["results"] == "measured" and Path(cpu_program(target)).exists()


def measured_result(target):
    """The result of a target that is measured here, in a list that is empty where nothing is measured.

    What a GPU has measured in another run, or was measured by hand, is drawn where it lies.
    """
    result = f"results/measured/{target}.json"
    needs_gpu = EXPERIMENTS[target].needs == "gpu"
    by_hand = config["results"] == "measured" and needs_gpu and Path(result).exists()
    if PROGRAMS[target] is None:
        return []
    if EXPERIMENTS[target].needs == "cpu":
        measures = measures_on_cpu(target)
    else:
        measures = COMPILES if PROGRAMS[target] == "ptx" else target in ON_GPU
    return [result] if measures or by_hand else []


def result_of(wildcards):
    return measured_result(EXPERIMENTS[wildcards.target].source)


def profiled_result(wildcards):
    """The result, measured here, whose settings a target profiles; none for a target that is not profiled."""
    points_of = EXPERIMENTS[wildcards.on_gpu].points_of
    return measured_result(points_of) if points_of else []


def nvcomp_for(wildcards):
    """The programs that measure nvCOMP, where it is asked for and the target shows nvCOMP's throughput."""
    experiment = EXPERIMENTS[wildcards.on_gpu]
    if not WITH_NVCOMP or experiment.program not in ("decode", "encode", "files", "frames"):
        return []
    beside = experiment.peers_beside
    series = [beside.series if beside is not None else "nvcomp"] if experiment.peers else []
    on_zlib = ["nvcomp_zlib"] if beside is not None and beside.on_zlib is not None else []
    return [NVCOMP_PROGRAMS[name] for name in (*series, *on_zlib)]


def built_for(wildcards):
    """The program that measures a target; none where it is not built, which the measurement then says."""
    built = Path("build/bin", program_of(EXPERIMENTS[wildcards.on_gpu].kind))
    return [str(built)] if built.exists() else []


def records_of(wildcards):
    """The committed results of other machines."""
    return [os.path.relpath(path) for path in recorded_paths(EXPERIMENTS[wildcards.target].source)]


def drawing_digest():
    """Changes with what every figure depends on besides its definition and its numbers.

    As inputs of each figure, a hundred files would be read again for each of its outputs: snakemake notes checksums.
    """
    modules = [*Path("experiments").glob("*.py"), *Path("experiments/plots").glob("*.py")]
    modules += Path("experiments/charts").glob("*.py")
    sources = [path for path in modules if not path.name.startswith("test_")]
    # Sizes of the columns as they are.
    sources += [*Path("experiments/papers").glob("*.csv"), *Path("reference_cpu").glob("*.csv")]
    digests = (f"{path} {sha256(path.read_bytes()).hexdigest()}" for path in sorted(sources))
    return sha256("\n".join(digests).encode()).hexdigest()


def compiled_sources(wildcards):
    """What is compiled for a target, with the headers it includes."""
    paths = measured_paths("nvcc", [EXPERIMENTS[wildcards.compiled].compilation.stage])
    return [os.path.relpath(path) for path in measured_sources(paths=paths)]


def accesses_sources(_):
    """What ACCESSES_PROGRAM is compiled from."""
    targets = [target for target in TARGETS if PROGRAMS[target] == "accesses"]
    stages = [stage for target in targets for stage in EXPERIMENTS[target].stages]
    paths = measured_paths("cpu", stages, kind="accesses")
    return [os.path.relpath(path) for path in measured_sources(paths=paths)]


def paper_notes_sources(_):
    """What a page of notes on a paper shows besides these; it names the figures by their titles."""
    sources = [*Path("experiments").glob("paper_notes*")]
    sources += [Path(f"experiments/{target}.yaml") for target in TARGETS]
    return sorted(str(path) for path in sources)


def stages_page_sources(_):
    """What the page of stages shows, besides the list of stages."""
    names = ["stages/*/*/kernel*", "stages/*/*/stage.md", "stages/*/*/notes.md", "stages/*/series.yaml"]
    names += ["experiments/papers/*.csv"]
    names += ["experiments/stage*.py", "experiments/table*.py", "experiments/text_template.py"]
    shown = ("gsst_fig_6_1", "gsst_table_6_1", *table_targets())
    targets = [name for name in shown if name in EXPERIMENTS]
    for target in targets:
        names += [f"experiments/recorded/*/{target}.json", f"experiments/{target}.yaml"]
    sources = sorted(str(path) for name in names for path in Path().glob(name))
    return sources + [path for target in targets for path in measured_result(target)]
