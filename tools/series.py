"""What a series says of itself to tools: stages/<series>/series.yaml."""

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import yaml

from data.yaml_file import read_yaml
from tools.repository import ROOT

Stage = TypeVar("Stage")


class SeriesError(Exception):
    """A series.yaml that does not say what is asked of it."""


@dataclass(frozen=True)
class Check:
    """What `make check` measures the stages of a series with on a GPU: the text of `dataset`, with
    `scale_factor` where it is generated. Stages are held to the records of `target`. `inputs` says for each
    format how the text is cut and encoded for a stage without a record, as a point does."""

    target: str
    dataset: str
    scale_factor: float | None
    inputs: Mapping[str, Mapping[str, Any]]

    def input_of(self, stage: Mapping[str, Any]) -> Mapping[str, Any]:
        """That of a stage, an entry of `gsst --list-stages --json`. Raises SeriesError."""
        if stage["format"] not in self.inputs:
            raise SeriesError(
                f"{series_file(stage['id'])} says no input of format {stage['format']} to check"
            )
        return self.inputs[stage["format"]]


def series_file(stage: str) -> str:
    """Where the series of a stage says something of itself, below the repository's root."""
    return f"stages/{stage.partition('/')[0]}/series.yaml"


def _read(path: Path) -> Mapping[str, Any]:
    """What a series.yaml says; nothing where there is none."""
    return read_yaml(path) if path.is_file() else {}


def by_series(
    stages: Iterable[Stage], id_of: Callable[[Stage], str], root: Path = ROOT
) -> dict[str, list[Stage]]:
    """The stages of each series, in their order. The series are in the order of `place` in their series.yaml;
    those without a place follow, by name."""
    found: dict[str, list[Stage]] = {}
    for stage in stages:
        found.setdefault(id_of(stage).partition("/")[0], []).append(stage)
    places = {name: _read(root / series_file(name)).get("place", math.inf) for name in found}
    return {name: found[name] for name in sorted(found, key=lambda name: (places[name], name))}


def check_of(stage: str, root: Path = ROOT) -> Check:
    """What the series of a stage says. Raises SeriesError where it says nothing."""
    path = series_file(stage)
    try:
        document = _read(root / path)
        if "check" not in document:
            raise SeriesError(f"there is no {path} that says which target `make check` measures {stage} with")
        entry = document["check"]
        text = entry["text"]
        return Check(entry["target"], text["dataset"], text.get("scale_factor"), dict(entry["inputs"]))
    except (AttributeError, KeyError, TypeError, ValueError, yaml.YAMLError) as error:
        raise SeriesError(f"{path}: `check` needs target, text and inputs: {error}") from error
