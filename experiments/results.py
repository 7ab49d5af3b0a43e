"""Result files: the contract of schemas/result.schema.json, and where recorded results lie."""

import json
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from jsonschema import ValidationError

from data.files import write_text
from data.schema import validate
from experiments.sources import REPOSITORY_ROOT, target_digest

SCHEMA_PATH = Path(__file__).parent / "schemas" / "result.schema.json"
RECORDED_DIR = Path(__file__).parent / "recorded"
MEASURED_DIR = REPOSITORY_ROOT / "results" / "measured"


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
        return self.sources_digest != target_digest(self.target, (row["stage"] for row in self.rows))

    def with_policy(self, policy: str) -> "Result":
        """The rows that were measured under this policy (see the experiment's `policies`)."""
        return replace(self, rows=tuple(row for row in self.rows if row.get("policy") == policy))

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
        validate(document, SCHEMA_PATH)
    except ValidationError as error:
        raise ResultError(f"{place}: {error.json_path}: {error.message}") from error


def read_document(path: Path) -> dict[str, Any]:
    """The JSON object in the file. Raises ResultError where there is none."""
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
    except json.JSONDecodeError as error:
        raise ResultError(f"{path}: not JSON: {error}") from error
    if not isinstance(document, dict):
        raise ResultError(f"{path}: not a JSON object")
    return document


def result_of_document(document: dict[str, Any], place: str) -> Result:
    """Checks what stands in a result file. Raises ResultError, which names the place and the field."""
    _validate(document, place)
    return Result(
        document["target"], document["environment"], document["sources_digest"], tuple(document["rows"])
    )


def parse_result(path: Path) -> Result:
    """Reads and checks a result file whatever its name."""
    return result_of_document(read_document(path), str(path))


def load_result(path: Path) -> Result:
    """Reads and checks `<target>.json`; below experiments/recorded/<machine>/ it gets that machine's name."""
    result = parse_result(path)
    if result.target != path.stem:
        raise ResultError(f"{path}: holds the target {result.target}")
    machine = path.parent.name if path.parent.parent.name == RECORDED_DIR.name else None
    return replace(result, machine=machine)


def write_result(result: Result, path: Path) -> None:
    """Checks the result and replaces the file, all or nothing."""
    document = result.document()
    _validate(document, str(path))
    write_text(path, json.dumps(document, indent=1, allow_nan=False) + "\n")


def recorded_paths(target: str, folder: Path = RECORDED_DIR) -> list[Path]:
    """The recorded results of a target, one for each machine."""
    return sorted(folder.glob(f"*/{target}.json"))


def recorded_results(targets: Iterable[str], folder: Path = RECORDED_DIR) -> list[Result]:
    """The committed results of `targets`, of every machine."""
    return [load_result(path) for target in targets for path in recorded_paths(target, folder)]


def results_here(targets: Iterable[str], folder: Path = MEASURED_DIR) -> list[Result]:
    """The results of `targets` that were measured on this machine."""
    paths = [folder / f"{target}.json" for target in targets]
    return [load_result(path) for path in paths if path.exists()]
