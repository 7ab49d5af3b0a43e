"""What a series says of itself to tools: stages/<series>/series.yaml."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from data.yaml_file import read_yaml
from tools.repository import ROOT


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


def check_of(stage: str, root: Path = ROOT) -> Check:
    """What the series of a stage says. Raises SeriesError where it says nothing."""
    path = series_file(stage)
    if not (root / path).is_file():
        raise SeriesError(f"there is no {path} that says which target `make check` measures {stage} with")
    try:
        entry = read_yaml(root / path)["check"]
        text = entry["text"]
        return Check(entry["target"], text["dataset"], text.get("scale_factor"), dict(entry["inputs"]))
    except (AttributeError, KeyError, TypeError, ValueError, yaml.YAMLError) as error:
        raise SeriesError(f"{path}: `check` needs target, text and inputs: {error}") from error
