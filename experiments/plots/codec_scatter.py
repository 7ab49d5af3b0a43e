"""Measured codecs as points of ratio against throughput, with their Pareto front."""

from collections.abc import Callable, Iterable

import pandas as pd
from matplotlib.axes import Axes

from experiments.plots import style
from experiments.plots.gpu_codecs import BATCHED, CPU, MANAGER, OURS
from experiments.plots.labels import Label
from experiments.plots.pareto import pareto_front

COLUMNS = ["series", "codec", "ratio", "throughput_gb_per_s", "slowest", "fastest", "pareto"]
LOOKS = {
    OURS: (style.OURS, "o"),
    MANAGER: (style.BLUE, "s"),
    BATCHED: (style.BLUE, "D"),
    CPU: (style.GREEN, "^"),
}


def measured_table(points: Iterable[tuple[str, str, float, float, float, float]]) -> pd.DataFrame:
    """A line for each point, which has the columns before `pareto`."""
    table = pd.DataFrame([(*point, False) for point in points], columns=COLUMNS)
    table.loc[pareto_front(table), "pareto"] = True
    return table


def front(table: pd.DataFrame) -> pd.DataFrame:
    """The points of a table that lie on its front, slowest first."""
    return table[table["pareto"].astype(bool)].sort_values("throughput_gb_per_s")


def anchors(part: pd.DataFrame) -> list[tuple[float, float]]:
    """Where the points lie in the plot."""
    return list(zip(part["throughput_gb_per_s"], part["ratio"], strict=True))


def draw_measured(axes: Axes, table: pd.DataFrame) -> None:
    """The points by series, those of the front large, and the front as a dotted line."""
    line = front(table)
    axes.plot(
        *(line["throughput_gb_per_s"], line["ratio"], ":"),
        color=style.GREY,
        linewidth=0.9,
        zorder=1,
        label="Pareto front",
    )
    for series, (color, marker) in LOOKS.items():
        part = table[table["series"] == series]
        if part.empty:
            continue
        axes.scatter(
            part["throughput_gb_per_s"],
            part["ratio"],
            s=[26.0 if large else 10.0 for large in part["pareto"]],
            marker=marker,
            edgecolors=color,
            facecolors="none" if series == BATCHED else color,
            zorder=3,
            label=series,
        )


def labels_of(table: pd.DataFrame, text_of_ours: Callable[[str], str]) -> list[Label]:
    """A codec's name, once for the two interfaces of nvCOMP; `text_of_ours` shortens ours."""
    labels = []
    for series, (color, _) in LOOKS.items():
        if series == BATCHED:
            continue
        wanted = table["series"].isin((MANAGER, BATCHED) if series == MANAGER else (series,))
        for name, part in table[wanted].groupby("codec", sort=False):
            # The legend says what runs on the CPU.
            short = str(name).removeprefix("FSST, ").replace(" CPU ", " ")
            text = text_of_ours(str(name)) if series == OURS else short
            labels.append(Label(text, anchors(part), color))
    return labels
