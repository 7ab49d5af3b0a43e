"""How fast an encoder codes: the phases that make codes and move them, without checksums and frame."""

from collections.abc import Mapping, Sequence
from typing import Any

# What the format asks for besides the codes.
_LEFT_OUT = ("checksums", "frame")

Row = Mapping[str, Any]


def is_of_tiles(row: Row) -> bool:
    """Whether a row's frame holds format tiles."""
    return "code_bits" in row["parameters"]


def split_bytes(row: Row) -> int:
    """Bytes of text in a split."""
    parameters = row["parameters"]
    return -(-parameters["block_bytes"] // parameters["splits"])


def _cut(row: Row) -> dict[str, Any]:
    """How the text is cut: all parameters but the step."""
    return {name: value for name, value in row["parameters"].items() if name != "step"}


def encoder_steps(rows: Sequence[Row]) -> list[Row]:
    """The rows of an encoder's ladder itself: the others differ from the first one in more than the step."""
    return [row for row in rows if _cut(row) == _cut(rows[0])]


def coding_phases(row: Row) -> list[str]:
    """The phases that code, in their order."""
    return [phase for phase in row["phase_seconds"] if phase not in _LEFT_OUT]


def coding_throughput(row: Row) -> float | None:
    """GB/s of text in these phases; None for tiles, whose codes the phase `frame` moves too."""
    if is_of_tiles(row):
        return None
    seconds = sum(row["phase_seconds"][phase] for phase in coding_phases(row))
    return row["uncompressed_bytes"] / seconds / 1e9
