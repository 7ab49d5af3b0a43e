"""Draws the decoders of a series as bars of their recorded throughput, for README.md."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import jinja2

from experiments.results import Result
from experiments.table_text import TextTable
from experiments.tables import stage_tables
from tools.repository import ROOT

SERIES = "gsst"
# Of a machine that recorded every step of the ladder.
MACHINE = "H200"
_TEMPLATE = "ladder.svg.j2"
_LEFT = 200
_LONGEST_BAR = 450
# For the number at the right of the longest bar.
_RIGHT = 60
_BAR_HEIGHT = 24
_BELOW = 34


@dataclass(frozen=True)
class Bar:
    """One throughput of one decoder."""

    name: str
    gb_per_s: float

    @property
    def label(self) -> str:
        return f"{self.gb_per_s:g}"


def bars_of(stage: str, table: TextTable) -> list[Bar]:
    """The lines of a stage's table for README.md, the slowest first. With several, each names its level."""
    column, level = table.header.index("GB/s"), table.header.index("level of the tables")
    name = stage.partition("/")[2]
    several = len(table.lines) > 1
    bars = [
        Bar(f"{name}, level {line[level].split()[0]}" if several else name, float(line[column]))
        for line in table.lines
    ]
    return sorted(bars, key=lambda bar: bar.gb_per_s)


def ladder_bars(stages: Sequence[Mapping[str, object]], results: Sequence[Result]) -> list[Bar]:
    """The bars of all decoders of SERIES that MACHINE recorded, in the order of the stages."""
    bars = []
    for stage in stages:
        name = str(stage["id"])
        if stage["operation"] == "decode" and name.startswith(f"{SERIES}/"):
            tables = stage_tables(name, results, pages=("README.md",))
            bars += [
                bar for found in tables if found.machine == MACHINE for bar in bars_of(name, found.table)
            ]
    return bars


def description(bars: Sequence[Bar]) -> str:
    """What the picture shows, for who does not see it."""
    return "; ".join(f"{bar.name}: {bar.label}" for bar in bars) + "."


TITLE = f"Decompression throughput of each stage on one {MACHINE}"
AXIS = "GB of text per second; tables of level 1 unless the name says another level"


def ladder_picture(bars: Sequence[Bar]) -> str:
    """The picture as SVG. Raises ValueError where there is no bar."""
    longest = max(bar.gb_per_s for bar in bars)
    drawn = [
        {
            "name": bar.name,
            "label": bar.label,
            "y": number * _BAR_HEIGHT,
            "width": round(bar.gb_per_s / longest * _LONGEST_BAR, 1),
        }
        for number, bar in enumerate(bars)
    ]
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(ROOT / "tools"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        keep_trailing_newline=True,
    )
    return environment.get_template(_TEMPLATE).render(
        title=TITLE,
        description=description(bars),
        axis=AXIS,
        bars=drawn,
        left=_LEFT,
        width=_LEFT + _LONGEST_BAR + _RIGHT,
        height=len(bars) * _BAR_HEIGHT + _BELOW,
    )
