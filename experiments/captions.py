"""The text under a figure: what it shows, on which data and machine, from when and which commit."""

import re

from experiments.definition import Experiment, load_experiment
from experiments.local_result import TRIAL_SCALE, disturbances, is_trial
from experiments.plots.interface import FigureInput
from experiments.results import Result

SKIPPED = "skipped:"
_TILED = re.compile(r".*_tiled_to_\d+_bytes")
NOT_MEASURED = {
    "cpu": "nothing was measured here and nothing is recorded",
    "gpu": "this needs a GPU; nothing was measured here and nothing is recorded",
    "nvcc": "this needs nvcc; nothing was compiled here and nothing is recorded",
    "columns": "this needs what `make columns` builds; nothing was measured here and nothing is recorded",
}


def why_not_measured(experiment: Experiment) -> str:
    """Why there is no result of what is measured: it needs a program of its own, or what all programs of its
    kind need."""
    program = experiment.program or experiment.needs
    return NOT_MEASURED.get(program, NOT_MEASURED[experiment.needs])


def _description(names: list[str], sizes: list[int]) -> str:
    """Name and size of one text, or of several of one source: columns, or one column at several sizes."""
    if len(names) == 1:
        return f"{names[0]}, {sizes[0] / 1e6:.1f} MB"
    columns = {name.partition("_sf")[0] for name in names}
    if len(columns) == 1:
        smallest, largest = min(sizes) / 1e6, max(sizes) / 1e6
        return f"{columns.pop()} at {len(names)} sizes, {smallest:.1f} to {largest:.1f} MB"
    tiled = ""
    if all(map(_TILED.fullmatch, names)):
        each = f"{min(sizes) / 1e6:.0f}" if len(set(sizes)) == 1 else f"up to {max(sizes) / 1e6:.0f}"
        tiled = f", each tiled to {each} MB"
    return f"{names[0].partition('/')[0]} ({len(names)} columns{tiled}), {sum(sizes) / 1e6:.1f} MB in all"


def _data_line(result: Result) -> str:
    sizes: dict[str, int] = {}
    for row in result.rows:
        sizes[row["dataset"]] = row["uncompressed_bytes"]
    groups: dict[str, list[str]] = {}
    for name in sizes:
        groups.setdefault(name.partition("/")[0], []).append(name)
    parts = []
    for names in groups.values():
        parts.append(_description(names, [sizes[name] for name in names]))
    if any(name.startswith("tpch/") for name in sizes):
        parts.append("tpch is TPC-H-derived text, not a TPC-H result")
    return f"Data: {'; '.join(parts)}."


def _machine_lines(result: Result) -> list[str]:
    environment = result.environment
    place = f"recorded on {result.machine}" if result.machine else "measured here"
    commit = environment["commit"][:12]
    changed = " with uncommitted changes" if environment["dirty"] else ""
    gpu = f"{environment['gpu']}, driver {environment['driver']}, " if environment["gpu"] else ""
    lines = [
        f"Machine: {gpu}{environment['cpu']}, {environment['compiler']}, {environment['flags']}.",
        f"Measured: {environment['date']} at commit {commit}{changed}{result.carried_text} ({place}).",
    ]
    found = disturbances(result)
    if found:
        lines.append(f"Disturbed: {'; '.join(found)}. Its speeds are too low.")
    if result.machine is None and is_trial(result):
        lines.append(
            f"Measured at the scale {TRIAL_SCALE}, which is for trying out; speeds mean nothing there."
        )
    if result.stale:
        lines.append("Stale: the sources have changed since this was measured.")
    return lines


def _skipped_line(inputs: FigureInput) -> str | None:
    """Which data of the scale is not in a result that was measured here."""
    result = inputs.result
    if result is None or result.machine is not None or inputs.scale is None:
        return None
    # Only what the workflow itself measures follows its scale.
    experiment = load_experiment(inputs.experiment.source)
    if experiment.needs != "cpu":
        return None
    measured = {row["dataset"] for row in result.rows}
    wanted = [instance.label for instance in experiment.scales[inputs.scale].instances]
    missing = [label for label in wanted if label not in measured]
    if not missing:
        return None
    return f"{SKIPPED} {len(missing)} columns that were not available: {', '.join(missing)}."


def _not_drawn_line(inputs: FigureInput) -> str | None:
    """Why the figure is drawn from a record, though something was measured here."""
    if inputs.not_drawn is None:
        return None
    day = inputs.not_drawn.environment["date"][:10]
    return f"{SKIPPED} what was measured here on {day} is not drawn: {'; '.join(inputs.reasons)}."


def build_caption(inputs: FigureInput, notes: list[str]) -> str:
    """The caption, one statement a line."""
    experiment = inputs.experiment
    end = "" if experiment.title.endswith("?") else "."
    lines = [f"{experiment.title}{end} {experiment.paper}, {experiment.section}.", experiment.caption]
    lines += [f"Parameters, {name}: {text}" for name, text in experiment.policies.items()]
    if inputs.result is None and experiment.program is not None:
        lines.append(f"{SKIPPED} {why_not_measured(experiment)}; no measurement of ours is drawn.")
    for result in (inputs.result, *inputs.recorded):
        if result is None:
            continue
        if result.rows:
            reads_data = experiment.needs != "nvcc"
            lines += [_data_line(result)] if reads_data else []
            lines += _machine_lines(result)
        else:
            lines.append(f"{SKIPPED} nothing was measured, none of the data was available.")
    if experiment.program is None and inputs.result is None:
        lines.append("Data: published numbers only; nothing is measured.")
    lines += notes
    lines += [line for line in (_skipped_line(inputs), _not_drawn_line(inputs)) if line]
    return "\n".join(lines) + "\n"
