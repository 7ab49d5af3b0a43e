"""Judges what both commits' speeds were on one GPU: rule S.

A row holds where the medians of both commits differ by no more than 1 %, or by no more than the medians of
one commit's runs differ among themselves, whichever is larger. Runs that differ by 10 % say nothing.
"""

import json
import statistics
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from data.files import write_text
from experiments.carry_over.records import RefusedError
from experiments.carry_over.speed_works import Work

LEAST_LIMIT = 0.01
MOST_SPREAD = 0.1
LEAST_ROUNDS = 3


@dataclass(frozen=True)
class Evidence:
    """What alternate.py wrote: seconds of the runs of both commits, for each work and each of its rows."""

    before: str
    after: str
    gpu: str
    text_bytes: int
    works: Mapping[str, Sequence[Mapping[str, Any]]]


def read_evidence(path: Path) -> Evidence:
    """Raises RefusedError where the file does not hold it."""
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
        return Evidence(*(document[name] for name in ("from", "to", "gpu", "text_bytes", "works")))
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise RefusedError(f"{path}: no evidence of speeds: {error!r}") from error


def join_evidence(paths: Sequence[Path], joined: Path) -> Path:
    """Writes what several runs of alternate.py gave as one: of a work that several have, the last one's; the
    others stay under `superseded`. Raises RefusedError where they are not of the same commits, GPU and size
    of texts."""
    found = [(path, read_evidence(path)) for path in paths]
    for path, evidence in found[1:]:
        if replace(evidence, works={}) != replace(found[0][1], works={}):
            raise RefusedError(f"{path} is not of the commits, the GPU and the texts of {paths[0]}")
    document = json.loads(paths[0].read_text(encoding="utf-8"))
    works: dict[str, Sequence[Mapping[str, Any]]] = {}
    superseded = []
    for _, evidence in found:
        superseded += [{key: works[key]} for key in evidence.works if key in works]
        works |= evidence.works
    document |= {"works": works, **({"superseded": superseded} if superseded else {})}
    write_text(joined, json.dumps(document, indent=1) + "\n")
    return joined


def spread(seconds: Sequence[float]) -> float:
    """How far runs lie apart, as a part of their median."""
    return (max(seconds) - min(seconds)) / statistics.median(seconds)


def why_not_equal(before: Sequence[float], after: Sequence[float]) -> str | None:
    """Why two commits' runs are not of one speed; None where they are."""
    if min(len(before), len(after)) < LEAST_ROUNDS:
        return f"fewer than {LEAST_ROUNDS} runs of each commit"
    apart = max(spread(before), spread(after))
    if apart > MOST_SPREAD:
        return f"runs of one commit differ by {apart:.1%}: measure where nothing else runs"
    change = statistics.median(after) / statistics.median(before) - 1
    limit = max(LEAST_LIMIT, apart)
    return None if abs(change) <= limit else f"takes {change:+.1%} of the time, beyond {limit:.1%}"


def check_speeds(evidence: Evidence, works: Iterable[Work]) -> None:
    """Raises RefusedError, which names each row that is not of one speed, or was not measured."""
    problems = []
    for work in works:
        rows = evidence.works.get(work.key)
        if not rows:
            problems.append(f"{work.key}: not measured")
            continue
        for row in rows:
            problem = why_not_equal(row["before"], row["after"])
            if problem is not None:
                problems.append(f"{json.dumps(row['row'])}: {problem}")
    if problems:
        raise RefusedError("; ".join(problems))
