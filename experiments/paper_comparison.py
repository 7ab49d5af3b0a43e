"""The comparison of one figure with the paper, as texts: its number, ours beside it, and the difference."""

import csv
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

NOT_IN_TEXT = "not in the text"
YOURS = "yours"
# Units of what another chip does faster or slower whatever runs on it.
_OF_THE_CHIP = ("GB/s", "Gb/s", "Mb/s", "s", "ms")
RECORDED = "recorded on "
# Columns of the comparison file that hold no value of ours.
_PAPER_COLUMNS = ("quantity", "unit", "paper", "kind", "source")


@dataclass(frozen=True)
class ComparedValue:
    """One number of ours, and how far it is from the paper's; both empty where there is none."""

    text: str
    difference: str


@dataclass(frozen=True)
class ComparedLine:
    """One quantity. `source` says where the paper has it, and whether it is printed there or derived."""

    quantity: str
    unit: str
    paper: str
    source: str
    values: tuple[ComparedValue, ...]


@dataclass(frozen=True)
class Comparison:
    """Our numbers next to the paper's; `paper_only` are quantities without a counterpart here.

    `columns` are the machines of `values`: recorded ones first, this machine last; a column without any value
    is left out. `has_yours` says whether something was measured on this machine, `drawn` whose result the
    picture shows as ours: a column without its policy, None where it shows none."""

    columns: tuple[str, ...] = ()
    lines: tuple[ComparedLine, ...] = ()
    paper_only: tuple[ComparedLine, ...] = ()
    has_yours: bool = False
    drawn: str | None = None


def _is_yours(column: str) -> bool:
    return column.startswith(YOURS)


def difference(paper: str, ours: str, unit: str) -> str:
    """How far `ours` is from `paper`: percent of the paper's number, points where that is a percentage, or a
    factor where it is a speed or a time, which are of another chip.

    Both are numbers as the comparison file has them; empty where one is missing or the paper's is 0."""
    if not paper or not ours:
        return ""
    expected, value = float(paper), float(ours)
    if value == expected:
        return "same"
    if unit == "%":
        return f"{value - expected:+.1f} points"
    if expected == 0:
        return ""
    if unit in _OF_THE_CHIP:
        return f"x {value / expected:.3g}"
    percent = (value / expected - 1) * 100
    return f"{percent:+.0f} %" if abs(percent) >= 10 else f"{percent:+.1f} %"


def _line(row: Mapping[str, str], columns: Sequence[str]) -> ComparedLine:
    values = tuple(
        ComparedValue(row[column], difference(row["paper"], row[column], row["unit"])) for column in columns
    )
    source = row["source"] if row["kind"] == "printed" else f"{row['kind']}: {row['source']}"
    return ComparedLine(row["quantity"], row["unit"], row["paper"] or NOT_IN_TEXT, source, values)


def read_comparison(path: Path) -> Comparison:
    """Reads `<target>.comparison.csv`."""
    with path.open(encoding="utf-8", newline="") as file:
        reader = csv.DictReader(file)
        names = [name for name in reader.fieldnames or () if name not in _PAPER_COLUMNS]
        rows = list(reader)
    columns = tuple(sorted((name for name in names if any(row[name] for row in rows)), key=_is_yours))
    lines = [_line(row, columns) for row in rows]
    compared = tuple(line for line in lines if any(value.text for value in line.values))
    paper_only = tuple(line for line in lines if not any(value.text for value in line.values))
    # What is drawn comes first.
    results = [name.partition(", ")[0] for name in names if name.startswith((YOURS, RECORDED))]
    drawn = results[0] if results else None
    return Comparison(columns, compared, paper_only, any(map(_is_yours, names)), drawn)
