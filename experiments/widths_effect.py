"""What the width of codes gives the decoder of tiles, by the columns that a machine recorded, in Markdown."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from experiments.ladder_effect import share_text
from experiments.plots.beyond_columns import column_name
from experiments.results import RECORDED_DIR, Result, recorded_results
from experiments.stage_effect import machine_title
from experiments.stage_effect_text import TextTable, markdown_table, number_text

WIDTHS_TARGET = "warp_tiles_widths"
HEADER = ("column", "codes", "GB/s", "of the streaming limit", "ratio")

Row = Mapping[str, Any]


def _line(row: Row) -> tuple[str, ...]:
    return (
        column_name(row["dataset"]),
        row["variant"],
        number_text(row["throughput_gb_per_s"]),
        share_text(row),
        f"{row['ratio']:.3f}",
    )


def _source(result: Result, rows: list[Row]) -> str:
    """On what, when and at which commit it was measured."""
    gigabytes = rows[0]["uncompressed_bytes"] / 1e9
    return (
        f"{result.environment['gpu']}, columns of DBText, each tiled to {gigabytes:.3g} GB, "
        f"{result.origin_text}"
    )


def widths_section(stage: str, folder: Path = RECORDED_DIR) -> str:
    """Every width on every column, for each machine that recorded them of `stage`; empty for other stages."""
    parts = []
    for result in recorded_results((WIDTHS_TARGET,), folder):
        rows = [row for row in result.rows if row["stage"] == stage]
        if not rows:
            continue
        machine = machine_title(result.machine)
        parts.append(f"**What the width of codes gives on {machine}** ({_source(result, rows)}).\n")
        parts.append(markdown_table(TextTable(HEADER, tuple(map(_line, rows)))))
    return "\n".join(parts)
