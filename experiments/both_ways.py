"""What an encoder and the decoder of its format take together, from two measurements."""

from collections.abc import Sequence
from dataclasses import dataclass

from experiments.coding_throughput import Row, is_of_tiles
from experiments.decoder_ladder import ladder_steps
from experiments.results import Result
from experiments.stage_effect import machine_title
from experiments.stage_effect_text import TextTable, number_text
from experiments.unchecked import checked_stage

HEADER = (
    *("codes", "compress, end to end (ms)", "in", "its ratio"),
    *("decompress (ms)", "in", "its ratio", "both (GB/s)"),
)
EXPLAINED = (
    "The sum of two measurements of the same text, not one run: compressing, training included, and "
    "decompressing a frame of the same format and width of codes, whose table is another one, as its ratio "
    "shows."
)


@dataclass(frozen=True)
class BothWays:
    """A line for each frame that was compressed on one machine, and one like it decompressed."""

    machine: str
    table: TextTable


def _decoder_of(encoded: Row, rows: Sequence[Row]) -> Row | None:
    """The fastest step that decodes the same text from codes of the same width, greedily parsed."""
    decoders = [
        row
        for row in rows
        if row["operation"] == "decode" and row["stage"] == checked_stage(row["stage"]) and "tiles" in row
    ]
    decoded = [
        row
        for row in ladder_steps(decoders)
        if row["tiles"]["code_bits"] == encoded["parameters"]["code_bits"]
        and row["tiles"]["parse"] == "greedy"
        and row["dataset_sha256"] == encoded["dataset_sha256"]
    ]
    return max(decoded, key=lambda row: row["throughput_gb_per_s"], default=None)


def _place(row: Row) -> str:
    return f"{row['stage'].rpartition('/')[2]}, `{row['variant']}`"


def _is_encoded(row: Row, stage: str) -> bool:
    return row["stage"] == stage and row["operation"] == "encode" and row["end_to_end"] and is_of_tiles(row)


def _line(encoded: Row, decoded: Row) -> tuple[str, ...]:
    to, back = encoded["seconds"]["median"], decoded["seconds"]["median"]
    return (
        f"tiles, {encoded['parameters']['code_bits']} bits",
        number_text(1e3 * to),
        _place(encoded),
        f"{encoded['ratio']:.3f}",
        number_text(1e3 * back),
        _place(decoded),
        f"{decoded['ratio']:.3f}",
        number_text(encoded["uncompressed_bytes"] / (to + back) / 1e9),
    )


def both_ways(results: Sequence[Result], stage: str) -> list[BothWays]:
    """What `stage` encodes end to end, beside the decoder of such a frame, on each machine with both."""
    parts = []
    for machine in dict.fromkeys(result.machine for result in results):
        rows = [row for result in results if result.machine == machine for row in result.rows]
        lines = [
            _line(row, decoded)
            for row in rows
            if row["stage"] == stage
            and row["operation"] == "encode"
            and row["end_to_end"]
            and is_of_tiles(row)
            if (decoded := _decoder_of(row, rows)) is not None
        ]
        if lines:
            parts.append(BothWays(machine_title(machine), TextTable(HEADER, tuple(lines))))
    return parts
