"""Result files: the contract of schemas/result.schema.json, and where recorded results lie."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from pathlib import Path
from typing import Any, Literal

from jsonschema import ValidationError

from data.files import write_text
from data.schema import validate
from experiments.definition import DefinitionError
from experiments.former_ids import present_id
from experiments.sources import REPOSITORY_ROOT, target_digest
from experiments.timing import timing_of

SCHEMA_PATH = Path(__file__).parent / "schemas" / "result.schema.json"
RECORDED_DIR = Path(__file__).parent / "recorded"
MEASURED_DIR = REPOSITORY_ROOT / "results" / "measured"
# Of files that were measured here before there was the number.
_FIRST_TIMING = 1


class ResultError(Exception):
    """A result file breaks the contract."""


@dataclass(frozen=True)
class Carry:
    """Says that a result of the sources of one commit holds for those of another one.

    `rule` is what showed it: `K and L`, equal kernels and equal launches, or `S`, both commits measured
    alternately. `date` is in UTC, written as in an environment."""

    from_commit: str
    to_commit: str
    rule: Literal["K and L", "S"]
    date: str

    def document(self) -> dict[str, str]:
        """What the file holds of it."""
        return {"from": self.from_commit, "to": self.to_commit, "rule": self.rule, "date": self.date}


def _carry(document: dict[str, Any]) -> Carry:
    return Carry(document["from"], document["to"], document["rule"], document["date"])


@dataclass(frozen=True)
class Result:
    """A result file. `machine` is the folder of a recorded result, None for one measured here.

    `timing` says what its times mean (see experiments/timing.py); left out, it is the present number of what
    measures the target. `sources_digest` is that of the commit `sources_commit`: each entry of `carried` has
    replaced it."""

    target: str
    environment: dict[str, Any]
    sources_digest: str
    rows: tuple[dict[str, Any], ...]
    machine: str | None = None
    _: KW_ONLY
    timing: int | None = None
    carried: tuple[Carry, ...] = ()

    def __post_init__(self) -> None:
        if self.timing is None:
            object.__setattr__(self, "timing", timing_of(self.target))

    @property
    def stale(self) -> bool:
        """Whether the sources, or what its times mean, have changed since the measurement."""
        present = target_digest(self.target, (row["stage"] for row in self.rows))
        return (self.sources_digest, self.timing) != (present, timing_of(self.target))

    @property
    def sources_commit(self) -> str:
        """The commit whose sources the digest is of."""
        return self.carried[-1].to_commit if self.carried else str(self.environment["commit"])

    @property
    def place(self) -> str:
        """Where its file is below the repository's root."""
        folder = RECORDED_DIR / self.machine if self.machine else MEASURED_DIR
        return (folder / f"{self.target}.json").relative_to(REPOSITORY_ROOT).as_posix()

    @property
    def carried_text(self) -> str:
        """`, carried over to <commit> by <rule>` for each carry; empty without one."""
        return "".join(f", carried over to {carry.to_commit[:12]} by {carry.rule}" for carry in self.carried)

    @property
    def origin_text(self) -> str:
        """When and at which commit it was measured, and how it was carried over."""
        day, commit = self.environment["date"][:10], self.environment["commit"][:12]
        return f"{day}, commit {commit}{self.carried_text}"

    def with_policy(self, policy: str) -> "Result":
        """The rows that were measured under this policy (see the experiment's `policies`)."""
        return replace(self, rows=tuple(row for row in self.rows if row.get("policy") == policy))

    def document(self) -> dict[str, Any]:
        """What stands in the file."""
        carried = {"carried": [carry.document() for carry in self.carried]} if self.carried else {}
        return {
            "schema": 1,
            "target": self.target,
            "environment": self.environment,
            "sources_digest": self.sources_digest,
            "timing": self.timing,
            **carried,
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
    """Checks what stands in a result file. Its stages have their present ids. Raises ResultError, which names
    the place and the field."""
    _validate(document, place)
    return Result(
        document["target"],
        document["environment"],
        document["sources_digest"],
        tuple({**row, "stage": present_id(row["stage"])} for row in document["rows"]),
        timing=document["timing"],
        carried=tuple(map(_carry, document.get("carried", ()))),
    )


def with_timing(document: dict[str, Any], target: str) -> dict[str, Any]:
    """What a measuring program wrote for `target`, with the number that says what its times mean: a program
    does not know it, whoever runs it does. A document that has its number keeps it. Raises DefinitionError
    where nothing measures `target`."""
    return document if "timing" in document else {**document, "timing": timing_of(target)}


def parse_result(path: Path) -> Result:
    """Reads and checks a result file, or what a measuring program wrote, whatever its name."""
    document = read_document(path)
    try:
        document = with_timing(document, str(document.get("target")))
    except DefinitionError as error:
        raise ResultError(f"{path}: {error}") from error
    return result_of_document(document, str(path))


def load_result(path: Path) -> Result:
    """Reads and checks `<target>.json`; below experiments/recorded/<machine>/ it gets that machine's name."""
    machine = path.parent.name if path.parent.parent.name == RECORDED_DIR.name else None
    document = read_document(path)
    if machine is None:
        document.setdefault("timing", _FIRST_TIMING)
    result = result_of_document(document, str(path))
    if result.target != path.stem:
        raise ResultError(f"{path}: holds the target {result.target}")
    return replace(result, machine=machine)


def _text(document: dict[str, Any]) -> str:
    """The document as JSON with one row a line, so that a diff shows the rows that changed."""
    fields = []
    for name, value in document.items():
        if name in ("carried", "rows") and value:
            lines = ",\n".join(f"  {json.dumps(entry, allow_nan=False)}" for entry in value)
            text = f"[\n{lines}\n ]"
        else:
            text = json.dumps(value, indent=1, allow_nan=False).replace("\n", "\n ")
        fields.append(f' "{name}": {text}')
    return "{\n" + ",\n".join(fields) + "\n}\n"


def write_result(result: Result, path: Path) -> None:
    """Checks the result and replaces the file, all or nothing."""
    document = result.document()
    _validate(document, str(path))
    write_text(path, _text(document))


def carry_over(result: Result, carry: Carry, digest: str) -> Result:
    """The result as one of the sources of `carry.to_commit`, whose digest is `digest`."""
    return replace(result, sources_digest=digest, carried=(*result.carried, carry))


def check_one_timing(results: Sequence[Result]) -> None:
    """Raises ResultError, which names two files, where the times of these results mean different things."""
    for result in results[1:]:
        if result.timing != results[0].timing:
            raise ResultError(
                f"{result.place}: its times are of number {result.timing}, "
                f"those of {results[0].place} of {results[0].timing}"
            )


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
