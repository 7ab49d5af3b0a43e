"""Whether a result of this machine is drawn: one that is partial or was disturbed never takes the place of a
record, and where it is drawn for want of a record, it says so."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from experiments.definition import Experiment
from experiments.results import Result

# Its texts are too small for speeds, and it reads fewer of them.
TRIAL_SCALE = "tiny"
# What others may take of the processors while a result is measured.
MAX_TAKEN_SHARE = 0.1
# How much longer than the fastest repetition the median one may take, at half of the points. In no recorded
# result it takes 1.03 times as long.
MAX_TYPICAL_SPREAD = 1.2
_SIZE = re.compile(r"_sf\d|_first_\d|_tiled_to_\d|, ")
_SCALE = re.compile(r"--scale (\w+)")


@dataclass(frozen=True)
class Choice:
    """What a figure draws as ours, and further results; `not_drawn` was measured here, but `reasons` speak
    against it."""

    result: Result | None
    recorded: tuple[Result, ...] = ()
    not_drawn: Result | None = None
    reasons: tuple[str, ...] = ()


def column_of(dataset: str) -> str:
    """The text whatever its size: `dbtext/city` for `dbtext/city_tiled_to_1000_bytes`."""
    return _SIZE.split(dataset, maxsplit=1)[0]


def _columns(result: Result) -> set[str]:
    return {column_of(row["dataset"]) for row in result.rows}


def _listed(names: set[str], few: int = 4) -> str:
    shown = sorted(names)[:few]
    return ", ".join(shown) + (f" and {len(names) - few} others" if len(names) > few else "")


def typical_spread(result: Result) -> float:
    """Median over the points: the median repetition relative to the fastest; 1 where nothing is timed."""
    timed = [row["seconds"] for row in result.rows if row["seconds"]]
    return median(seconds["median"] / seconds["min"] for seconds in timed) if timed else 1.0


def disturbances_by_load(load: Mapping[str, float] | None) -> list[str]:
    """A reason where other programs took too much of the processors; `load` is what a record says of that."""
    if not load or load["taken_by_others"] <= MAX_TAKEN_SHARE * load["processors"]:
        return []
    taken, processors = load["taken_by_others"], load["processors"]
    return [f"other programs took {taken:.1f} of {processors} processors while it was measured"]


def disturbances(result: Result) -> list[str]:
    """What shows that other programs disturbed the times of a result."""
    if not any(row["seconds"] for row in result.rows):
        return []
    found = disturbances_by_load(result.environment.get("load"))
    spread = typical_spread(result)
    if spread > MAX_TYPICAL_SPREAD:
        found.append(f"at half of its points the median repetition takes {spread:.2f} times the fastest")
    return found


def shortcomings(result: Result, record: Result, experiment: Experiment) -> list[str]:
    """What a result lacks of a record: texts, or stages that are still to be measured. Peers may be missing,
    since they are measured on request only."""
    found = []
    texts = _columns(record) - _columns(result)
    if texts:
        found.append(f"it lacks {len(texts)} texts of the record ({_listed(texts)})")
    of_record, of_result = ({row["stage"] for row in each.rows} for each in (record, result))
    stages = (of_record - of_result) & set(experiment.stages)
    if stages:
        found.append(f"it lacks {len(stages)} stages of the record ({_listed(stages)})")
    return found


def is_trial(result: Result) -> bool:
    """Whether it was measured at the scale that is for trying out."""
    scale = _SCALE.search(result.environment["command"])
    return scale is not None and scale[1] == TRIAL_SCALE


def local_text(result: Result) -> str:
    """What a picture says whose numbers were measured here; empty for a recorded result."""
    if result.machine is not None or not result.rows:
        return ""
    flaws = [f"at the scale {TRIAL_SCALE}"] if is_trial(result) else []
    flaws += ["disturbed by other programs"] if disturbances(result) else []
    return ", ".join(["measured here", *flaws])


def choose_result(measured: Result | None, recorded: Sequence[Result], experiment: Experiment) -> Choice:
    """What is drawn as ours: measured here where that is complete and was not disturbed, else recorded, else
    measured here as it is. It is complete where it has what each record has."""
    if measured is None or not measured.rows:
        return Choice(recorded[0], tuple(recorded[1:])) if recorded else Choice(measured)
    trial = [f"its scale, {TRIAL_SCALE}, is for trying out"] if is_trial(measured) else []
    against = {}
    for record in recorded:
        against[record.machine] = [
            *shortcomings(measured, record, experiment),
            *trial,
            *disturbances(measured),
        ]
    first = next((record for record in recorded if against[record.machine]), None)
    if first is None:
        return Choice(measured, tuple(recorded))
    others = tuple(record for record in recorded if record is not first)
    return Choice(first, others, measured, tuple(against[first.machine]))
