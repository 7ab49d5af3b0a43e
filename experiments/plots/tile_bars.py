"""What the bars of decoders of tiles share: what is read of a row, and what is written into its bar."""

from typing import Any, Protocol

from matplotlib.axes import Axes

from experiments.plots.stages import slowest_and_fastest

# What row_values() gives.
VALUE_COLUMNS = (
    *("throughput_gb_per_s", "slowest", "fastest"),
    *("streaming_limit_gb_per_s", "share_of_limit", "ratio"),
)
NOTE = "In each bar: GB/s, the share of the streaming limit, and the ratio with everything stored."


class Bar(Protocol):
    """A line of a table with VALUE_COLUMNS."""

    throughput_gb_per_s: float
    share_of_limit: float
    ratio: float


def row_values(row: dict[str, Any]) -> tuple[float, ...]:
    """The throughputs, the limit and its share, and the ratio of a result's row."""
    throughput, limit = row["throughput_gb_per_s"], row["streaming_limit_gb_per_s"]
    return throughput, *slowest_and_fastest(row), limit, throughput / limit, row["ratio"]


def write_into_bar(axes: Axes, place: float, line: Bar, color: str) -> None:
    """Writes what NOTE says into the bar at `place`."""
    text = f"{line.throughput_gb_per_s:.0f}, {line.share_of_limit:.0%}, {line.ratio:.2f}"
    axes.annotate(
        text, (0, place), (3, 0), textcoords="offset points", va="center", fontsize=5.6, color=color
    )
