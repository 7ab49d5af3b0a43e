"""Load and store instructions between global and shared memory for each alignment size."""

import re

import pandas as pd

from experiments.plots import style
from experiments.plots.interface import FigureInput, FigureOutput
from experiments.plots.table import Column, TableLine, draw_table, table_height
from experiments.published import Published
from experiments.results import Result

TARGET = "gsst_table_5_4"
QUANTITY = "bytes per transfer at alignment "
# The thesis compiles for this compute capability, 8.0.
THESIS_COMPUTE_CAPABILITY = 80
COLUMNS = ["series", "alignment", "input", "output", "bytes_per_transfer"]
PLACES = (
    Column("reading the input buffer", 0.06, "left"),
    Column("writing the output buffer", 0.5, "left"),
    Column("bytes", 1),
)


def _capability_name(compute_capability: int) -> str:
    return f"compute capability {compute_capability // 10}.{compute_capability % 10}"


def _instructions(row: dict, side: str) -> str:
    count = row[f"{side}_transfers_per_alignment"]
    pair = f"{row[f'{side}_load']}, {row[f'{side}_store']}"
    return f"{count} x ({pair})" if count > 1 else pair


def _measured(result: Result) -> pd.DataFrame:
    rows = [
        (
            _capability_name(row["parameters"]["compute_capability"]),
            row["parameters"]["alignment"],
            _instructions(row, "input"),
            _instructions(row, "output"),
            min(row["input_bytes_per_transfer"], row["output_bytes_per_transfer"]),
        )
        for row in result.rows
    ]
    return pd.DataFrame(rows, columns=COLUMNS)


def _thesis(published: Published) -> pd.DataFrame:
    rows = []
    for number in published.of(TARGET):
        instructions = re.sub(
            r"(\d+) x ([\w.]+), \1 x ([\w.]+)", r"\1 x (\2, \3)", number.source.partition(": ")[2]
        )
        read, _, write = instructions.partition("; ")
        rows.append(("thesis", int(number.quantity.removeprefix(QUANTITY)), read, write, number.value))
    return pd.DataFrame(rows, columns=COLUMNS)


def _differences(inputs: FigureInput) -> list[str]:
    """A note on the alignments whose transfers are not as wide as the thesis's."""
    ours = compare(inputs.result, inputs.published)
    parts = [
        f"{number.quantity.removeprefix(QUANTITY)} "
        f"({ours[number.quantity]:g} bytes instead of {number.value:g})"
        for number in inputs.published.of(TARGET)
        if ours.get(number.quantity, number.value) != number.value
    ]
    return [f"Not as in the thesis: alignment {', '.join(parts)}."] if parts else []


def draw(inputs: FigureInput) -> FigureOutput:
    """A table for each compute capability, and the thesis's."""
    thesis = _thesis(inputs.published)
    tables = [thesis] if inputs.result is None else [_measured(inputs.result), thesis]
    whole = pd.concat(tables, ignore_index=True)
    parts = list(whole.groupby("series", sort=False))
    figure, axes = style.new_figure(sum(table_height(len(part)) for _, part in parts), rows=len(parts))
    for panel, (name, part) in zip(axes, parts, strict=True):
        color = style.PAPER if name == "thesis" else style.BLACK
        lines = [
            TableLine(f"{line.alignment}", (line.input, line.output, f"{line.bytes_per_transfer:.0f}"), color)
            for line in part.itertuples()
        ]
        title = f"{name}, alignment in bytes" if name != "thesis" else "thesis, compute capability 8.0"
        draw_table(panel, title, PLACES, lines)
    notes = [
        "The PTX reads the input through generic loads (`ld` without `.global`): the address of the codes "
        "comes from shared memory, where the compiler does not see which memory it points to.",
        "The thesis lists 8-byte instructions for alignments of 2 and 4 bytes, which an address aligned to 2 "
        "or 4 bytes does not allow; its column of bytes is what is compared.",
        *_differences(inputs),
    ]
    return FigureOutput(figure, whole, notes)


def compare(result: Result | None, published: Published) -> dict[str, float]:
    """Bytes of a transfer, for the compute capability of the thesis."""
    del published
    if result is None:
        return {}
    return {
        f"{QUANTITY}{row['parameters']['alignment']}": row["input_bytes_per_transfer"]
        for row in result.rows
        if row["parameters"]["compute_capability"] == THESIS_COMPUTE_CAPABILITY
    }
