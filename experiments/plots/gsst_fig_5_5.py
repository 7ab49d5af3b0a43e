"""Throughput for every number of data blocks per multiprocessor and of splits, as a heatmap."""

import pandas as pd
from matplotlib.axes import Axes

from experiments.definition import Experiment
from experiments.plots import style
from experiments.plots.heatmap import (
    Cell,
    best_cell,
    draw_heatmap,
    outline_ours,
    outline_paper,
    outlines_explained,
)
from experiments.plots.interface import FigureInput, FigureOutput
from experiments.plots.stages import slowest_and_fastest
from experiments.published import Published
from experiments.results import Result

TARGET = "gsst_fig_5_5"
BEST_BLOCKS = "blocks per SM with the highest throughput"
BEST_SPLITS = "splits with the highest throughput"
HIGHEST = "highest decompression throughput"
SERIES = "stage 07"
THESIS = "thesis"
COLUMNS = ["series", "blocks_per_sm", "blocks", "splits", "throughput_gb_per_s", "slowest", "fastest"]


def _measured(result: Result) -> pd.DataFrame:
    rows = [
        (
            SERIES,
            row["blocks_per_multiprocessor"],
            row["parameters"]["blocks"],
            row["parameters"]["splits"],
            row["throughput_gb_per_s"],
            *slowest_and_fastest(row),
        )
        for row in result.rows
    ]
    return pd.DataFrame(rows, columns=COLUMNS)


def _thesis(published: Published) -> pd.DataFrame:
    """The one cell that the thesis's text names."""
    blocks, splits = published.value(TARGET, BEST_BLOCKS), published.value(TARGET, BEST_SPLITS)
    line = (THESIS, int(blocks), None, int(splits), published.value(TARGET, HIGHEST), None, None)
    return pd.DataFrame([line], columns=COLUMNS)


def _grid(experiment: Experiment, table: pd.DataFrame) -> pd.DataFrame:
    """Throughput by blocks per SM and splits; the definition's cells, and those of `table`."""
    grid = table.pivot(index="blocks_per_sm", columns="splits", values="throughput_gb_per_s")
    (wanted,) = [entry.grid for entry in experiment.points if entry.grid is not None]
    blocks = {int(str(blocks).removesuffix(" per SM")) for blocks in wanted["blocks"]}
    return grid.reindex(
        index=sorted(blocks | set(grid.index)), columns=sorted(set(wanted["splits"]) | set(grid.columns))
    )


def _cell(grid: pd.DataFrame, line: pd.Series) -> Cell:
    return list(grid.columns).index(line["splits"]), list(grid.index).index(line["blocks_per_sm"])


def _draw_grid(axes: Axes, grid: pd.DataFrame, thesis: pd.Series, measured: bool) -> None:
    draw_heatmap(
        axes, grid, [f"{splits:g}" for splits in grid.columns], [f"{n:g}" for n in grid.index], ".0f"
    )
    if measured:
        outline_ours(axes, best_cell(grid))
    outline_paper(axes, _cell(grid, thesis))
    axes.set_title(outlines_explained(ours=measured, paper=True), fontsize=style.LABEL_SIZE)


def _effect_of_splits(grid: pd.DataFrame) -> str:
    """What the most splits gain over the fewest, with the fewest and with the most blocks."""
    gains = grid.iloc[:, -1] / grid.iloc[:, 0]
    first, last = grid.index[0], grid.index[-1]
    most, fewest = grid.columns[-1], grid.columns[0]
    return (
        f"{most:g} splits are {gains.iloc[0]:.2g} times as fast as {fewest:g} with {first:g} per SM, "
        f"{gains.iloc[-1]:.2g} times with {last:g} per SM; the thesis finds more effect with fewer blocks."
    )


def draw(inputs: FigureInput) -> FigureOutput:
    """The heatmap with our best cell and the thesis's outlined."""
    thesis = _thesis(inputs.published)
    measured = inputs.result is not None
    table = _measured(inputs.result) if inputs.result else thesis
    grid = _grid(inputs.experiment, table)
    figure, (axes,) = style.new_figure(2.8)
    axes.set_xlabel("splits per block")
    axes.set_ylabel("data blocks per SM")
    _draw_grid(axes, grid, thesis.iloc[0], measured)
    notes = [
        "The thesis prints which cell is best and the throughput of that configuration measured again (A100, "
        "Section 6.2); the other cells of its figure are a picture.",
    ]
    if measured and grid.notna().all(axis=None):
        notes.append(_effect_of_splits(grid))
    whole = pd.concat([table, thesis], ignore_index=True) if measured else thesis
    return FigureOutput(figure, whole, notes)


def compare(result: Result | None, published: Published) -> dict[str, float]:
    """Blocks, splits and throughput of the fastest cell."""
    del published
    if result is None or not result.rows:
        return {}
    table = _measured(result)
    best = table.loc[table["throughput_gb_per_s"].idxmax()]
    return {
        BEST_BLOCKS: best["blocks_per_sm"],
        BEST_SPLITS: best["splits"],
        HIGHEST: best["throughput_gb_per_s"],
    }
