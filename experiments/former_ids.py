"""Ids that stages had when results were recorded. A record keeps them; who reads it gets the present ones."""

from functools import cache
from pathlib import Path

from data.yaml_file import read_yaml

_PATH = Path(__file__).parent / "recorded" / "former_ids.yaml"


@cache
def former_ids() -> dict[str, str]:
    """The present id of each stage that had another one."""
    return read_yaml(_PATH)


def present_id(stage: str) -> str:
    """The present id of a stage that a record names."""
    return former_ids().get(stage, stage)
