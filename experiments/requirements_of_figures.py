"""What each figure needs of a machine at the scale of the thesis, from the definitions and the records.

Sizes of texts that were not generated yet follow from the one whose digest the catalogue knows.
"""

from collections.abc import Sequence
from pathlib import Path

from data.catalogue import OF_A_SCALE, Instance, OrcFile, load_catalogue
from experiments.definition import Experiment, all_targets, load_experiment
from experiments.gpu_points import (
    candidates,
    fixed_points,
    grid_points,
    query_points,
    search_points,
    selection_points,
)
from experiments.results import RECORDED_DIR, Result, load_result, recorded_paths
from experiments.table_text import TextTable, machine_title
from experiments.text_template import UNKNOWN, number_text

SCALE = "paper"
# In memory at the same time: the text, its frame, and the blocks that the compressor has in work. On a GPU:
# the text to compare with, the output and the frame.
MEMORY_FOR_EACH_TEXT_BYTE = 3
# Where a program keeps the files of several codecs at the same time, or where each line starts.
_MEMORY_OF_PROGRAMS = {"block_sizes": 14, "columns": 8, "lookups": 5, "peers": 6}
HEADER = (
    "figure",
    "measured with",
    "texts (GB)",
    "disk (GB)",
    "memory (GB)",
    "points",
    "timed calls (s)",
)
_MEASURED_WITH = {
    "accesses": "CPU",
    "block_sizes": "CPU",
    "bytes": "CPU",
    "chunks": "CPU",
    "codec_speed": "CPU",
    "columns": "CPU",
    "cpu": "CPU",
    "cpu_stages": "CPU",
    "disk": "CPU",
    "line_rate": "CPU",
    "lookups": "CPU",
    "markers": "CPU",
    "peers": "CPU",
    "ptx": "nvcc",
    "search_cpu": "CPU",
    "tiles_speed": "CPU",
    "counters": "GPU, ncu",
}


def whole_bytes(instance: Instance) -> int:
    """Bytes of the file that is had as a whole; of generated text that the catalogue has no digest of, in
    proportion; of an ORC file those of its column, of which it has fewer."""
    source = instance.dataset.source
    if isinstance(source, OrcFile):
        return text_bytes(instance.of_column(load_catalogue()[source.column]))
    if instance.is_made_in_part:
        assert instance.first_bytes is not None
        return instance.first_bytes
    if not isinstance(source, OF_A_SCALE):
        return source.digest.bytes
    assert instance.scale_factor is not None
    if instance.scale_factor in source.known:
        return source.known[instance.scale_factor].bytes
    largest = max(source.known)
    return round(source.known[largest].bytes * instance.scale_factor / largest)


def text_bytes(instance: Instance) -> int:
    """Bytes of the text that is measured."""
    return instance.first_bytes or instance.tiled_to_bytes or whole_bytes(instance)


def disk_bytes(experiment: Experiment) -> int:
    """What the texts of the scale take: each whole file once, and each text that is cut out of one."""
    instances = experiment.scales[SCALE].instances
    wholes = {instance.whole_path: whole_bytes(instance) for instance in instances}
    is_cut = [
        each.first_bytes and not each.is_made_in_part and not each.is_made_at_size for each in instances
    ]
    is_tiled = [each.tiled_to_bytes and not each.is_made_at_size for each in instances]
    own = [each for each, *is_own in zip(instances, is_cut, is_tiled, strict=True) if any(is_own)]
    # Where a sweep chooses on one part of the text, the parts are files of their own.
    parts = sum(map(text_bytes, instances)) if fixed_and_swept(experiment) else 0
    return sum(wholes.values()) + sum(map(text_bytes, own)) + parts


def fixed_and_swept(experiment: Experiment) -> bool:
    """Whether some points are fixed and others chosen by a sweep of this experiment."""
    fixed = fixed_points(experiment, scale=SCALE)
    return bool(fixed) and bool(candidates(experiment)) and experiment.points_of is None


def points_text(experiment: Experiment) -> str:
    """How many points a GPU measures, all texts together; a sweep's choice counts once more."""
    if experiment.encoding is not None:
        instances = experiment.scales[SCALE].instances
        points = [
            len(grid_points(grid)) * sum(grid.is_of(instance.label) for instance in instances)
            for grid in experiment.encoding.grids
        ]
        return str(sum(points))
    # Of another experiment's points only the fixed ones are profiled.
    has_sweep = experiment.points_of is None
    swept = candidates(experiment) if has_sweep else []
    chosen = sum(has_sweep and entry.sweep is not None for entry in experiment.points)
    labels = [instance.label for instance in experiment.scales[SCALE].instances]
    fixed = sum(len(fixed_points(experiment, scale=SCALE, text=label)) for label in labels)
    if experiment.overlap is not None:
        fixed *= len(experiment.overlap.batches) * len(experiment.overlap.interconnects)
    if experiment.random_access is not None:
        return str(experiment.random_access.rows)
    if experiment.queries is not None:
        return str(len(query_points(experiment.queries)))
    if experiment.selections is not None:
        return str(len(selection_points(experiment.selections)))
    if experiment.searches is not None:
        return str(sum(len(search_points(experiment.searches, label)) for label in labels))
    return str(fixed + len(swept) + chosen) if experiment.points else UNKNOWN


def measured_seconds(result: Result) -> float:
    """Time in the calls that were timed: the median of each row as often as it was repeated."""
    times = [row["seconds"] for row in result.rows if row["seconds"] is not None]
    return sum(time["median"] * time["repetitions"] for time in times)


def _time_text(target: str, folder: Path) -> str:
    """The time on each machine that has recorded the target."""
    results = [load_result(path) for path in recorded_paths(target, folder)]
    timed = {result.machine: seconds for result in results if (seconds := measured_seconds(result))}
    texts = [f"{number_text(seconds)} ({machine_title(machine)})" for machine, seconds in timed.items()]
    return ", ".join(texts) or UNKNOWN


def _gigabytes(size: int) -> str:
    return number_text(size / 1e9)


def _line(experiment: Experiment, folder: Path) -> tuple[str, ...]:
    program = experiment.program or ""
    if program:
        measured_with = _MEASURED_WITH.get(program, "GPU")
    elif experiment.results_of:
        measured_with = f"the results of {experiment.results_of}"
    else:
        measured_with = "nothing: a model"
    if SCALE not in experiment.scales:
        return (experiment.target, measured_with, *[UNKNOWN] * 4, _time_text(experiment.target, folder))
    sizes = [text_bytes(instance) for instance in experiment.scales[SCALE].instances]
    return (
        experiment.target,
        measured_with,
        _gigabytes(sum(sizes)),
        _gigabytes(disk_bytes(experiment)),
        _gigabytes(_MEMORY_OF_PROGRAMS.get(experiment.program or "", MEMORY_FOR_EACH_TEXT_BYTE) * max(sizes)),
        points_text(experiment),
        _time_text(experiment.target, folder),
    )


def requirements_table(targets: Sequence[str] | None = None, folder: Path = RECORDED_DIR) -> TextTable:
    """A line for each figure."""
    experiments = [load_experiment(target) for target in targets or all_targets()]
    return TextTable(HEADER, tuple(_line(experiment, folder) for experiment in experiments))
