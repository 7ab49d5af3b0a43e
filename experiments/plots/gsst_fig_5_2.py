"""Throughput for every number of data blocks and of thread blocks, as a heatmap."""

import re

import pandas as pd
from matplotlib.axes import Axes

from experiments.plots import style
from experiments.plots.heatmap import (
    Cell,
    best_cell,
    cells_explained,
    draw_heatmap,
    outline_ours,
    outline_paper,
)
from experiments.plots.interface import FigureInput, FigureOutput
from experiments.plots.stages import slowest_and_fastest
from experiments.published import Published
from experiments.results import Result

TARGET = "gsst_fig_5_2"
BEST_RELATION = "thread blocks per data block with the highest throughput"
MOST, FEWEST = "most thread blocks", "fewest thread blocks"
DATA_BLOCKS = re.compile(r"data blocks of (\d+) bytes")
# The parameter's value that stands for as many thread blocks as data blocks.
AS_MANY = 0
# Numbers of blocks that are at most so many times apart count as approximately equal: no other power of two
# is nearer.
NEAR = 2**0.5
SERIES = "stage 07"
THESIS = "thesis"
COLUMNS = [
    "series",
    "block_bytes",
    "data_blocks",
    "thread_blocks",
    "throughput_gb_per_s",
    "slowest",
    "fastest",
]


def _measured(result: Result) -> pd.DataFrame:
    rows = [
        (
            SERIES,
            row["block_bytes"],
            row["parameters"]["blocks"],
            row["parameters"]["thread_blocks"],
            row["throughput_gb_per_s"],
            *slowest_and_fastest(row),
        )
        for row in result.rows
    ]
    return pd.DataFrame(rows, columns=COLUMNS)


def _thesis(published: Published) -> pd.DataFrame:
    """Table 5.5 with the numbers of thread blocks that the text names; it prints no throughput."""
    fewest, most = int(published.value(TARGET, FEWEST)), int(published.value(TARGET, MOST))
    thread_blocks = [fewest]
    while thread_blocks[-1] < most:
        thread_blocks.append(2 * thread_blocks[-1])
    matches = [(DATA_BLOCKS.fullmatch(number.quantity), number.value) for number in published.of(TARGET)]
    rows = [
        (THESIS, int(match[1]), value, threads, None, None, None)
        for match, value in matches
        if match is not None
        for threads in thread_blocks
    ]
    return pd.DataFrame(rows, columns=COLUMNS)


def _paper_cells(grid: pd.DataFrame, data_blocks: pd.Series, published: Published) -> list[Cell]:
    """In each row the cell that is nearest to what the thesis found best, where one is near."""
    relation = published.value(TARGET, BEST_RELATION)
    fixed = [threads for threads in grid.columns if threads != AS_MANY]
    cells = []
    for row, size in enumerate(grid.index):
        distances = {threads: threads / (relation * data_blocks[size]) for threads in fixed}
        nearest = min(fixed, key=lambda threads: max(distances[threads], 1 / distances[threads]))
        if 1 / NEAR <= distances[nearest] <= NEAR:
            cells.append((list(grid.columns).index(nearest), row))
    return cells


def _grid(table: pd.DataFrame) -> pd.DataFrame:
    """Throughput by size of the data blocks and thread blocks, as many as data blocks last."""
    grid = table.pivot(index="block_bytes", columns="thread_blocks", values="throughput_gb_per_s")
    return grid[sorted(grid.columns, key=lambda threads: (threads == AS_MANY, threads))]


def _draw_grid(axes: Axes, table: pd.DataFrame, published: Published) -> None:
    grid = _grid(table)
    data_blocks = table.drop_duplicates("block_bytes").set_index("block_bytes")["data_blocks"]
    columns = ["one each" if threads == AS_MANY else f"{threads:g}" for threads in grid.columns]
    rows = [f"{data_blocks[size]:.0f} x {size / 2**20:g}" for size in grid.index]
    draw_heatmap(axes, grid, columns, rows, ".0f")
    measured = bool(grid.notna().any(axis=None))
    if measured:
        outline_ours(axes, best_cell(grid))
    paper_cells = _paper_cells(grid, data_blocks, published)
    for cell in paper_cells:
        outline_paper(axes, cell)
    text = cells_explained("decompression throughput in GB/s", ours=measured, paper=bool(paper_cells))
    axes.set_title(text, fontsize=style.LABEL_SIZE)


def draw(inputs: FigureInput) -> FigureOutput:
    """The heatmap with our best cell and those where the thesis expects the best one."""
    table = _measured(inputs.result) if inputs.result else _thesis(inputs.published)
    figure, (axes,) = style.new_figure(3.2)
    axes.set_xlabel("thread blocks")
    axes.set_ylabel("data blocks x MiB of each")
    _draw_grid(axes, table, inputs.published)
    notes = [
        "The thesis prints no throughput for this figure; it says that the highest one is where thread "
        "blocks and data blocks are approximately equal. The cells nearest to that are outlined in black.",
        "One each: a thread block for each data block.",
    ]
    return FigureOutput(figure, table, notes)


def compare(result: Result | None, published: Published) -> dict[str, float]:
    """How many blocks of each size there are, and thread blocks per data block at the highest throughput."""
    del published
    if result is None or not result.rows:
        return {}
    table = _measured(result)
    values = {
        f"data blocks of {line.block_bytes} bytes": line.data_blocks
        for line in table.drop_duplicates("block_bytes").itertuples()
    }
    threads = table.loc[table["thread_blocks"] != AS_MANY, "thread_blocks"]
    values |= {MOST: threads.max(), FEWEST: threads.min()}
    best = table.loc[table["throughput_gb_per_s"].idxmax()]
    as_many = best["thread_blocks"] == AS_MANY
    values[BEST_RELATION] = 1.0 if as_many else best["thread_blocks"] / best["data_blocks"]
    return values
