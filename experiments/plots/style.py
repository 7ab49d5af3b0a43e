"""The one look of all figures: half a page wide, Okabe-Ito colours with markers, labels beside the data."""

from collections.abc import Sequence

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import to_hex, to_rgb
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter

HALF_PAGE_INCHES = 3.5
PNG_DOTS_PER_INCH = 300

# Okabe and Ito, colours that remain apart with colour-blindness. Yellow is left out: unreadable as text.
BLACK = "#000000"
ORANGE = "#E69F00"
SKY_BLUE = "#56B4E9"
GREEN = "#009E73"
BLUE = "#0072B2"
VERMILLION = "#D55E00"
PURPLE = "#CC79A7"
GREY = "#6E6E6E"

# What this project measured is vermillion, what a paper printed is grey, whatever the figure.
OURS = VERMILLION
PAPER = GREY

SERIES = (
    (BLUE, "s"),
    (GREEN, "^"),
    (ORANGE, "D"),
    (PURPLE, "v"),
    (SKY_BLUE, "P"),
    (BLACK, "X"),
    (BLUE, "<"),
    (ORANGE, ">"),
)

_PARAMETERS = {
    "figure.dpi": 100,
    # A browser without the first takes another one, and Verdana is as wide as it.
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans", "Verdana"],
    "font.size": 7.5,
    "axes.labelsize": 7.5,
    "axes.titlesize": 7.5,
    "axes.titlelocation": "left",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.linewidth": 0.6,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": "#E4E4E4",
    "grid.linewidth": 0.5,
    "xtick.labelsize": 7,
    "ytick.labelsize": 7,
    "lines.linewidth": 1.3,
    "lines.markersize": 4,
    "svg.hashsalt": "gsst",
    # Words that a reader can search and copy, and that can be read aloud.
    "svg.fonttype": "none",
}

LABEL_SIZE = 6.8
_LINE_INCHES = 0.12


# Of text against what is behind it (WCAG 2.1, success criterion 1.4.3).
LEAST_CONTRAST = 4.5
_DARKER = 0.98


def luminance(color: str) -> float:
    """How bright a colour is for an eye, 0 to 1 (WCAG 2.1, relative luminance)."""
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in to_rgb(color)]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(one: str, other: str) -> float:
    """The contrast of two colours, 1 to 21 (WCAG 2.1)."""
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def text_color(color: str) -> str:
    """The colour, or a darker one of the same hue that can be read on white: marks may be paler."""
    red, green, blue = to_rgb(color)
    while contrast(to_hex((red, green, blue)), "white") < LEAST_CONTRAST:
        red, green, blue = (_DARKER * part for part in (red, green, blue))
    return to_hex((red, green, blue))


def apply() -> None:
    """Makes the look the default of every figure drawn from now on."""
    mpl.rcParams.update(mpl.rcParamsDefault)
    mpl.use("Agg")
    mpl.rcParams.update(_PARAMETERS)


def new_figure(
    height: float, rows: int = 1, columns: int = 1, heights: Sequence[float] | None = None
) -> tuple[Figure, list[Axes]]:
    """A figure as wide as half a page; height in inches. Plots in a row share their vertical axis; `heights`
    says how high the rows are beside each other, all alike without it."""
    figure = Figure(figsize=(HALF_PAGE_INCHES, height), layout="constrained")
    # Places of labels depend on the sizes of drawn text, which only a canvas that can draw knows.
    FigureCanvasAgg(figure)
    axes = figure.subplots(
        rows, columns, squeeze=False, sharey="row" if columns > 1 else False, height_ratios=heights
    )
    return figure, list(axes.flat)


def legend_above(figure: Figure, columns: int, of: Axes | None = None, **options: object) -> None:
    """Names the series above all plots; where several plots repeat them, those `of` one. `options` go to
    Matplotlib's legend."""
    names = () if of is None else of.get_legend_handles_labels()
    figure.legend(
        *names, loc="outside upper center", ncols=columns, frameon=False, fontsize=LABEL_SIZE, **options
    )


def say_below(figure: Figure, text: str) -> None:
    """Writes a line of its own at the lower right, below a finished figure; its plots keep their size.

    The layout is found before: one that leaves out a part of the figure differs in its last digits from
    run to run."""
    figure.draw_without_rendering()
    figure.set_layout_engine("none")
    width, height = figure.get_size_inches()
    with_line = height + _LINE_INCHES
    figure.set_size_inches(width, with_line)
    part = height / with_line
    for axes in figure.axes:
        left, bottom, right, top = axes.get_position(original=True).extents
        axes.set_position((left, 1 - part + part * bottom, right - left, part * (top - bottom)))
    figure.text(1, 0, f"{text} ", ha="right", va="bottom", fontsize=LABEL_SIZE, color=GREY)


def say_no_measurement(axes: Axes) -> None:
    """Says in the middle of `axes` that nothing was measured."""
    axes.text(0.5, 0.5, "no measurement", ha="center", transform=axes.transAxes)


def draw_no_measurement(axes: Axes) -> None:
    """Says so in `axes` without grid and ticks, for a plot whose axes have no range without data."""
    axes.grid(visible=False)
    axes.set(xticks=[], yticks=[])
    say_no_measurement(axes)


def _plain(value: float) -> str:
    """Six digits at most, and no powers of small numbers: 0.00001."""
    return f"{value:g}" if abs(value) >= 1e-4 or value == 0 else f"{value:.10f}".rstrip("0")


def plain_numbers(axes: Axes, which: str) -> None:
    """Writes the ticks of the `x` or `y` axis as 0.1, 1, 10 instead of powers."""
    axis = axes.xaxis if which == "x" else axes.yaxis
    axis.set_major_formatter(FuncFormatter(lambda value, _: _plain(value)))
    axis.set_minor_formatter(FuncFormatter(lambda _, __: ""))
