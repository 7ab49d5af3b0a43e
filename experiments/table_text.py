"""Tables of texts, and what is said of the records that they are drawn from."""

import re
from dataclasses import dataclass

from experiments.results import Result

NOT_MEASURED = "not measured yet"
_CPU = re.compile(r"([a-z]+)_(\d+)_cores")
_NAMES = {"epyc": "EPYC", "xeon": "Xeon"}


@dataclass(frozen=True)
class TextTable:
    """Header and lines of a table."""

    header: tuple[str, ...]
    lines: tuple[tuple[str, ...], ...]


def machine_title(machine: str | None) -> str:
    """`H200` for the folder `h200`, `16-core Xeon` for `xeon_16_cores`; a result that lies in no folder
    was measured here."""
    if machine is None:
        return "this machine"
    if cpu := _CPU.fullmatch(machine):
        return f"{cpu[2]}-core {_NAMES.get(cpu[1], cpu[1].title())}"
    return machine.replace("_", " ").upper()


def data_text(result: Result, dataset: str, uncompressed_bytes: int) -> str:
    """On what, when and at which commit something was measured."""
    derived = " (TPC-H-derived text)" if dataset.startswith("tpch/") else ""
    return (
        f"{result.environment['gpu'] or result.environment['cpu']}, {uncompressed_bytes / 1e9:.3g} GB of "
        f"{dataset}{derived}, {result.origin_text}"
    )


def markdown_table(table: TextTable) -> str:
    """The table in Markdown."""
    header, *lines = [f"| {' | '.join(line)} |\n" for line in (table.header, *table.lines)]
    return "".join([header, "|" + "---|" * len(table.header) + "\n", *lines])
