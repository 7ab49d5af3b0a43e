"""Result files: the contract of schemas/result.schema.json, and where recorded results lie."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import jsonschema

from data.files import write_text
from experiments.sources import sources_digest

SCHEMA_PATH = Path(__file__).parent / "schemas" / "result.schema.json"
RECORDED_DIR = Path(__file__).parent / "recorded"


class ResultError(Exception):
    """A result file breaks the contract."""


@dataclass(frozen=True)
class Result:
    """A result file. `machine` is the folder of a recorded result, None for one measured here."""

    target: str
    environment: dict[str, Any]
    sources_digest: str
    rows: tuple[dict[str, Any], ...]
    machine: str | None = None

    @property
    def stale(self) -> bool:
        """Whether the sources have changed since the measurement."""
        return self.sources_digest != sources_digest()

    def document(self) -> dict[str, Any]:
        """What stands in the file."""
        return {
            "schema": 1,
            "target": self.target,
            "environment": self.environment,
            "sources_digest": self.sources_digest,
            "rows": list(self.rows),
        }


def _validate(document: object, place: str) -> None:
    try:
        jsonschema.validate(document, json.loads(SCHEMA_PATH.read_text(encoding="utf-8")))
    except jsonschema.ValidationError as error:
        raise ResultError(f"{place}: {error.json_path}: {error.message}") from error


def load_result(path: Path) -> Result:
    """Reads and checks a result file; below experiments/recorded/<machine>/ it gets that machine's name."""
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
    except json.JSONDecodeError as error:
        raise ResultError(f"{path}: not JSON: {error}") from error
    _validate(document, str(path))
    if document["target"] != path.stem:
        raise ResultError(f"{path}: holds the target {document['target']}")
    machine = path.parent.name if path.parent.parent.name == RECORDED_DIR.name else None
    return Result(
        document["target"],
        document["environment"],
        document["sources_digest"],
        tuple(document["rows"]),
        machine,
    )


def write_result(result: Result, path: Path) -> None:
    """Checks the result and replaces the file, all or nothing."""
    document = result.document()
    _validate(document, str(path))
    write_text(path, json.dumps(document, indent=1, allow_nan=False) + "\n")


def recorded_paths(target: str, folder: Path = RECORDED_DIR) -> list[Path]:
    """The recorded results of a target, one for each machine."""
    return sorted(folder.glob(f"*/{target}.json"))
