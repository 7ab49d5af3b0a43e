"""Reads the YAML file of an experiment."""

import json
from dataclasses import dataclass
from pathlib import Path

import jsonschema
import yaml

from data.catalogue import Instance, load_catalogue, select

EXPERIMENTS_DIR = Path(__file__).parent
SCHEMA_PATH = EXPERIMENTS_DIR / "schemas" / "experiment.schema.json"
CONFIG_NAME = "config.yaml"


class DefinitionError(Exception):
    """The YAML file of an experiment is malformed or missing."""


@dataclass(frozen=True)
class Scale:
    """The data and the parameters of a measurement at one size."""

    instances: tuple[Instance, ...]
    block_bytes: tuple[int, ...]
    splits: tuple[int, ...]
    repetitions: int | None


@dataclass(frozen=True)
class Experiment:
    """One figure or table. `subcommand` is None where nothing is measured."""

    target: str
    title: str
    section: str
    caption: str
    published: tuple[str, ...]
    peers: tuple[str, ...]
    subcommand: str | None
    scales: dict[str, Scale]


def _scale(entry: dict) -> Scale:
    catalogue = load_catalogue()
    instances = [
        Instance(dataset, item.get("scale_factor"), item.get("first_bytes"))
        for item in entry["data"]
        for dataset in select(catalogue, item["dataset"])
    ]
    parameters = entry["parameters"]
    return Scale(
        tuple(instances),
        tuple(parameters.get("block_bytes", ())),
        tuple(parameters.get("splits", ())),
        parameters.get("repetitions"),
    )


def load_experiment(target: str, folder: Path = EXPERIMENTS_DIR) -> Experiment:
    """Reads `<target>.yaml`. Raises DefinitionError, which names the file and the field."""
    path = folder / f"{target}.yaml"
    if not path.exists():
        raise DefinitionError(f"there is no experiment {target}: {path} does not exist")
    document = yaml.safe_load(path.read_text(encoding="utf-8"))
    try:
        jsonschema.validate(document, json.loads(SCHEMA_PATH.read_text(encoding="utf-8")))
    except jsonschema.ValidationError as error:
        raise DefinitionError(f"{path}: {error.json_path}: {error.message}") from error
    if document["target"] != target:
        raise DefinitionError(f"{path}: target is {document['target']}, must be {target}")
    measurement = document.get("measurement")
    return Experiment(
        target,
        document["title"],
        document["section"],
        document["caption"].strip(),
        tuple(document["published"]),
        tuple(document.get("peers", ())),
        measurement["subcommand"] if measurement else None,
        {name: _scale(entry) for name, entry in measurement["scales"].items()} if measurement else {},
    )


def all_targets(folder: Path = EXPERIMENTS_DIR) -> list[str]:
    """The names of all experiments."""
    return sorted(path.stem for path in folder.glob("*.yaml") if path.name != CONFIG_NAME)
