"""What the figures of the decoder stages share: the stages' short names and the thesis's numbers on them."""

from collections.abc import Iterable
from itertools import cycle
from typing import Any

from experiments.plots import style
from experiments.published import Published

POLICIES = ("common", "best")
# There are more stages than other series.
_LOOKS = ((style.OURS, "o"), *style.SERIES, (style.GREEN, "p"), (style.PURPLE, "*"))


def short_name(stage: str) -> str:
    """`04_alignment` for `gsst/04_alignment`, as the published quantities begin."""
    return stage.rpartition("/")[2]


def slowest_and_fastest(row: dict[str, Any]) -> tuple[float, float]:
    """Throughput of the slowest and of the fastest repetition of a result's row, in GB/s."""
    gigabytes = row["uncompressed_bytes"] / 1e9
    return gigabytes / row["seconds"]["max"], gigabytes / row["seconds"]["min"]


def published_by_stage(published: Published, target: str, quantity: str) -> dict[str, float]:
    """The thesis's values of `<stage> <quantity>`, by short name, in the order of the stages."""
    values = {
        number.quantity.removesuffix(f" {quantity}"): number.value
        for number in published.of(target)
        if number.quantity.endswith(f" {quantity}") and number.value is not None
    }
    return dict(sorted(values.items()))


def all_stages(*names: Iterable[str]) -> list[str]:
    """Every short name once, in order."""
    return sorted({name for part in names for name in part})


def looks_of(stages: Iterable[str]) -> dict[str, tuple[str, str]]:
    """Colour and marker of each stage in figures that lead up to the last one, in order."""
    names = sorted(set(stages), reverse=True)
    # Looks come again where they are too few.
    return dict(reversed(list(zip(names, cycle(_LOOKS), strict=False))))
