"""Throughput of the library with and without the comparison of checksums: a table by frame."""

import pandas as pd

from experiments.plots import style
from experiments.plots.interface import FigureInput, FigureOutput
from experiments.plots.table import TableLine, draw_table, even_columns, table_height
from experiments.published import Published
from experiments.results import Result

COMPARED, SKIPPED = "compared", "skipped"
HEADERS = ["compared", "skipped", "cost"]
COLUMNS = ["format", "block_bytes", "splits", "written_by", "executor"]
EXECUTORS = {"gpu": "GPU (GB/s)", "cpu": "one thread of the CPU (GB/s)"}


def _size_text(size: int) -> str:
    """`4 MiB` or `256 KiB`, of a size that is rounded up so that all blocks of a text are alike."""
    mebibytes = size / 2**20
    return f"{mebibytes:.0f} MiB" if mebibytes >= 0.95 else f"{size / 2**10:.0f} KiB"


def measured(result: Result) -> pd.DataFrame:
    """A line for each frame and executor: both throughputs, and by how much longer the comparison takes."""
    rows = pd.DataFrame(
        [
            {
                **{name: row["parameters"][name] for name in ("block_bytes", "splits")},
                **{name: row[name] for name in ("format", "written_by", "executor", "checksums")},
                "throughput_gb_per_s": row["throughput_gb_per_s"],
            }
            for row in result.rows
        ]
    )
    table = rows.pivot_table(index=COLUMNS, columns="checksums", values="throughput_gb_per_s", sort=False)
    return table.assign(cost=table[SKIPPED] / table[COMPARED] - 1).reset_index().rename_axis(columns=None)


def _line(row: pd.Series) -> TableLine:
    splits = f", {row['splits']} splits" if row["splits"] > 1 else ""
    name = f"{row['format']}, {_size_text(row['block_bytes'])}{splits}, by the {row['written_by'].upper()}"
    return TableLine(name, [f"{row[COMPARED]:.4g}", f"{row[SKIPPED]:.4g}", f"{row['cost']:.1%}"])


def _worst(table: pd.DataFrame, writer: str) -> pd.Series | None:
    """The frame of a writer whose decompression on the GPU the comparison holds up most."""
    lines = table[(table["executor"] == "gpu") & (table["written_by"] == writer)]
    return None if lines.empty else lines.loc[lines["cost"].idxmax()]


def _cost_text(line: pd.Series) -> str:
    """`61 times as long` or `8% longer`."""
    return f"{1 + line['cost']:.0f} times as long" if line["cost"] >= 1 else f"{line['cost']:.0%} longer"


def _advice(table: pd.DataFrame) -> list[str]:
    """Which checksums hold up a GPU, by the frames that each writer makes."""
    by_cpu, by_gpu = _worst(table, "cpu"), _worst(table, "gpu")
    if by_cpu is None or by_gpu is None:
        return []
    said = (
        f"On the GPU, with the comparison, frames with one checksum a block take up to {_cost_text(by_cpu)} "
        f"({by_cpu['format']} with blocks of {_size_text(by_cpu['block_bytes'])}), frames with checksums of "
        f"pieces up to {_cost_text(by_gpu)}."
    )
    if by_cpu["cost"] <= by_gpu["cost"]:
        return [said]
    return [
        f"{said} So what a GPU is to check is best compressed by the GPU, which writes checksums of pieces; "
        "the CPU writes one a block, and for them blocks should be small."
    ]


def draw(inputs: FigureInput) -> FigureOutput:
    """A table for each executor."""
    if inputs.result is None or not inputs.result.rows:
        figure, (axes,) = style.new_figure(1.5)
        style.draw_no_measurement(axes)
        return FigureOutput(figure, pd.DataFrame(columns=[*COLUMNS, COMPARED, SKIPPED, "cost"]), [])
    table = measured(inputs.result)
    parts = {executor: table[table["executor"] == executor] for executor in EXECUTORS}
    heights = [table_height(len(part)) for part in parts.values()]
    figure, plots = style.new_figure(sum(heights), rows=len(parts), heights=heights)
    for axes, (executor, part) in zip(plots, parts.items(), strict=True):
        lines = [_line(row) for _, row in part.iterrows()]
        draw_table(axes, EXECUTORS[executor], even_columns(HEADERS, 0.58), lines)
    notes = ["Cost: how much longer the decompression takes with the comparison.", *_advice(table)]
    return FigureOutput(figure, table, notes)


def compare(result: Result | None, published: Published) -> dict[str, float]:
    """Nothing is published that this is compared with."""
    del result, published
    return {}
