"""The numbers that the papers print, each with its source."""

import csv
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, cast

PAPERS_DIR = Path(__file__).parent / "papers"


class PublishedError(Exception):
    """A file of published numbers is malformed, or a number is not in it."""


@dataclass(frozen=True)
class PublishedNumber:
    """One number; `value` is None where the text gives none (a bar or point in a picture)."""

    target: str
    quantity: str
    value: float | None
    unit: str
    kind: Literal["printed", "derived"]
    source: str


@dataclass(frozen=True)
class Published:
    """All numbers of the papers."""

    numbers: tuple[PublishedNumber, ...]

    def of(self, target: str) -> list[PublishedNumber]:
        """The numbers of one target, in the order of the file."""
        return [number for number in self.numbers if number.target == target]

    def value(self, target: str, quantity: str) -> float:
        """The value of one number that must be there."""
        for number in self.of(target):
            if number.quantity == quantity and number.value is not None:
                return number.value
        raise PublishedError(f"no published value of {quantity!r} for {target}")


def _parse(line: dict[str, str], place: str) -> PublishedNumber:
    if line["kind"] not in ("printed", "derived"):
        raise PublishedError(f"{place}: kind must be printed or derived, is {line['kind']!r}")
    if not line["source"]:
        raise PublishedError(f"{place}: {line['quantity']} has no source")
    try:
        value = float(line["value"]) if line["value"] else None
    except ValueError as error:
        raise PublishedError(f"{place}: value {line['value']!r} is not a number") from error
    kind = cast(Literal["printed", "derived"], line["kind"])
    return PublishedNumber(line["target"], line["quantity"], value, line["unit"], kind, line["source"])


def load_published(folder: Path = PAPERS_DIR) -> Published:
    """Reads every CSV file of `folder`."""
    numbers: list[PublishedNumber] = []
    for path in sorted(folder.glob("*.csv")):
        with path.open(encoding="utf-8", newline="") as file:
            for index, line in enumerate(csv.DictReader(file), start=2):
                numbers.append(_parse(line, f"{path}:{index}"))
    return Published(tuple(numbers))
