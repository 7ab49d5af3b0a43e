"""Stored compression ratio of each width of codes against the block size."""

import pandas as pd

from experiments.plots import style
from experiments.plots.interface import FigureInput, FigureOutput
from experiments.published import Published
from experiments.results import Result

TARGET = "beyond_widths"
THESIS_RATIO = "GSST compression ratio"
SHARED = "shared table"
LINES = {SHARED: "-", "own tables": "--"}
WIDTHS = {8: style.OURS, 10: style.BLUE, 12: style.GREEN}


def _table(result: Result) -> pd.DataFrame:
    rows = [
        (
            row["variant"],
            row["parameters"]["code_bits"],
            row["parameters"]["block_bytes"],
            row["parameters"]["blocks"],
            row["ratio"],
        )
        for row in result.rows
    ]
    return pd.DataFrame(rows, columns=["tables", "code_bits", "block_bytes", "blocks", "ratio"])


def _size_name(size: int) -> str:
    """`64 KiB`, `4 MiB`."""
    return f"{size / 2**20:g} MiB" if size >= 2**20 else f"{size / 2**10:g} KiB"


def draw(inputs: FigureInput) -> FigureOutput:
    """A line for each width, and a dashed one with a table for each block."""
    assert inputs.result is not None
    table = _table(inputs.result)
    figure, (axes,) = style.new_figure(3.0)
    for (tables, bits), part in table.groupby(["tables", "code_bits"]):
        shared = tables == SHARED
        axes.plot(
            part["block_bytes"],
            part["ratio"],
            linestyle=LINES[str(tables)],
            marker="o",
            color=WIDTHS[bits],
            markerfacecolor=WIDTHS[bits] if shared else "white",
            label=f"{bits} bits" if shared else None,
        )
    paper = inputs.published.value(TARGET, THESIS_RATIO)
    axes.axhline(paper, color=style.PAPER, linewidth=0.8, linestyle=(0, (1, 1.5)), label=f"thesis: {paper:g}")
    axes.set_xscale("log")
    axes.minorticks_off()
    sizes = sorted(set(table["block_bytes"]))
    axes.set_xticks(sizes, [_size_name(size) for size in sizes])
    axes.set_xlabel("block size")
    axes.set_ylabel("compression ratio")
    axes.legend(frameon=False, fontsize=style.LABEL_SIZE)
    notes = ["Solid: the blocks share a table. Dashed: a table for each block."]
    return FigureOutput(figure, table, notes)


def compare(result: Result | None, published: Published) -> dict[str, float]:
    """The best ratio of 8-bit codes, the thesis's width."""
    del published
    assert result is not None
    table = _table(result)
    eight = table[(table["code_bits"] == 8) & (table["tables"] == SHARED)]
    return {} if eight.empty else {THESIS_RATIO: float(eight["ratio"].max())}
