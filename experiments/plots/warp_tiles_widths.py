"""Throughput of the decoder of tiles with every width of codes on some columns, beside the streaming limit of
the same run."""

import pandas as pd
from matplotlib.axes import Axes

from experiments.plots import style
from experiments.plots.interface import FigureInput, FigureOutput
from experiments.plots.tile_bars import NOTE, VALUE_COLUMNS, row_values, write_into_bar
from experiments.published import Published
from experiments.results import Result
from experiments.text_template import column_name

LINE_INCHES = 0.17
# Between two columns, in lines.
GAP = 0.6
COLUMNS = [
    *("series", "column", "uncompressed_bytes"),
    *VALUE_COLUMNS,
]


def _measured(result: Result | None) -> pd.DataFrame:
    rows = result.rows if result is not None else ()
    lines = [
        (
            row["variant"],
            column_name(row["dataset"]),
            row["uncompressed_bytes"],
            *row_values(row),
        )
        for row in rows
    ]
    return pd.DataFrame(lines, columns=COLUMNS)


def _places(measured: pd.DataFrame) -> list[float]:
    """Where the bars stand from the top: the rows in their order, with a gap before each further column."""
    columns = list(dict.fromkeys(measured["column"]))
    return [place + GAP * columns.index(column) for place, column in enumerate(measured["column"])]


def _draw_bars(axes: Axes, measured: pd.DataFrame) -> list[float]:
    looks = dict(zip(dict.fromkeys(measured["series"]), style.SERIES, strict=False))
    places = _places(measured)
    colors = [looks[series][0] for series in measured["series"]]
    axes.barh(places, measured["throughput_gb_per_s"], 0.8, color=colors)
    limits = measured["streaming_limit_gb_per_s"]
    axes.plot(limits, places, "|", color=style.BLACK, markersize=8, label="streaming limit")
    for place, line in zip(places, measured.itertuples(), strict=True):
        write_into_bar(axes, place, line, "white")
    return places


def draw(inputs: FigureInput) -> FigureOutput:
    """A bar for each width on each column, with a mark at the limit of its ratio."""
    measured = _measured(inputs.result)
    figure, (axes,) = style.new_figure(0.9 + LINE_INCHES * max(len(measured), 6))
    if measured.empty:
        style.draw_no_measurement(axes)
        return FigureOutput(figure, measured)
    places = _draw_bars(axes, measured)
    names = [f"{line.column}, {line.series}" for line in measured.itertuples()]
    axes.set_yticks(places, names)
    axes.set_ylim(places[-1] + 0.7, -0.7)
    axes.grid(axis="y", visible=False)
    axes.set_xlim(0, 1.08 * measured["streaming_limit_gb_per_s"].max())
    axes.set_xlabel("decompression throughput (GB/s)")
    style.legend_above(figure, 1, axes)
    return FigureOutput(figure, measured, [NOTE])


def compare(result: Result | None, published: Published) -> dict[str, float]:
    """Nothing: no paper measured this."""
    del result, published
    return {}
