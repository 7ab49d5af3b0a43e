"""What is recorded of each format, for the page that says which one to take."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from experiments.results import RECORDED_DIR, Result, recorded_results
from experiments.table_text import NOT_MEASURED, TextTable, data_text, machine_title, markdown_table
from experiments.tables import stage_tables, table_targets, targets_with_tables
from experiments.text_template import number_text
from tools.stages import default_stages

CPU_TARGET = "beyond_levels"
VECTOR_TARGET = "engine_tiles_cpu"
GPU_TARGET = "gsst_fig_6_2"
# The text that both are measured on; others are in the figures.
TEXT = "tpch/l_comment"
# What the library decodes each format with; those of other targets are in the tables for formats.md.
DECODERS = {
    line.stage: line.format
    for line in default_stages()
    if (line.operation, line.executor) == ("decode", "gpu")
}

Row = Mapping[str, Any]


def _is_shown(row: Row, rows: Iterable[Row]) -> bool:
    """Whether it is the lowest or the highest level of its format, with the same width and parse."""
    levels = [
        other["parameters"]["level"]
        for other in rows
        if (other["variant"], *_codes(other)) == (row["variant"], *_codes(row))
    ]
    return row["parameters"]["level"] in (min(levels), max(levels))


def _codes(row: Row) -> tuple[int, str]:
    return row["parameters"]["code_bits"], row["parameters"]["parse"]


def cpu_table(result: Result) -> TextTable | None:
    """Ratio and throughput of one thread, at the lowest and the highest level, of tiles with the reference
    decoder; None without the text."""
    rows = [row for row in result.rows if row["dataset"].startswith(TEXT)]
    lines = tuple(
        (
            "tiles, reference decoder" if row["variant"] == "tiles" else row["variant"],
            str(row["parameters"]["level"]),
            f"{_codes(row)[0]} bits, {_codes(row)[1]} parse",
            f"{row['ratio']:.2f}",
            number_text(row["throughput_gb_per_s"]),
        )
        for row in rows
        if _is_shown(row, rows)
    )
    return TextTable(("format", "level", "codes", "ratio", "GB/s"), lines) if lines else None


# What rows on one processor decode with, by stage and variant.
_VECTOR_DECODERS = {
    ("reference_cpu/fast", "portable"): "blocks, FSST's loop",
    ("cpu/tiles", "portable"): "tiles, plain C++",
    ("cpu/tiles", "avx2"): "tiles, AVX2",
    ("cpu/tiles", "avx512"): "tiles, AVX-512",
    ("cpu/tiles", "fastest, with checksums"): "tiles, the fastest, with checksums",
}


def vector_table(result: Result) -> TextTable | None:
    """Throughput of one thread with a processor's vectors, by the width of codes; None without the text."""
    rows = [row for row in result.rows if row["dataset"].startswith(TEXT)]
    widths = sorted({row["beside_code_bits"] for row in rows})
    lines = []
    for decoder, name in _VECTOR_DECODERS.items():
        of_width = {
            row["beside_code_bits"]: number_text(row["throughput_gb_per_s"])
            for row in rows
            if (row["stage"], row["variant"]) == decoder
        }
        if of_width:
            lines.append((name, *(of_width[width] for width in widths)))
    heads = tuple(f"GB/s, codes of {width} bits" for width in widths)
    return TextTable(("decoder", *heads), tuple(lines)) if lines else None


def _name(row: Row) -> str | None:
    """A format, or a codec of nvCOMP through the interface that leaves chunks apart."""
    series, _, name = row["stage"].partition("/")
    if series == "nvcomp":
        return f"nvCOMP {name}" if row["variant"] == "batched" else None
    return DECODERS.get(row["stage"])


def _lines_of_tables(machine: str, results: Sequence[Result]) -> list[tuple[str, ...]]:
    """What the tables for formats.md show of one machine."""
    stages = sorted(
        {stage for entries in targets_with_tables().values() for entry in entries for stage in entry.stages}
    )
    drawn = (found for stage in stages for found in stage_tables(stage, results, pages=("formats.md",)))
    return [line for found in drawn if found.machine == machine for line in found.table.lines]


def gpu_table(result: Result, results: Sequence[Result]) -> TextTable:
    """Ratio and throughput of each format and of nvCOMP's codecs, and what the tables for this page show of
    `results` on the same machine; the fastest first."""
    lines = [
        (
            name,
            f"{row['ratio']:.2f}",
            number_text(row["throughput_gb_per_s"]),
            f"{row['uncompressed_bytes'] / 1e9:.2f}",
        )
        for row in result.rows
        if (name := _name(row))
    ]
    lines += _lines_of_tables(machine_title(result.machine), results)
    lines.sort(key=lambda line: float(line[2]), reverse=True)
    return TextTable(("format", "ratio", "GB/s", "GB of text"), tuple(lines))


def _source(result: Result, dataset: str) -> str:
    row = next(row for row in result.rows if row["dataset"].startswith(dataset))
    return data_text(result, row["dataset"], row["uncompressed_bytes"])


def choice_section(folder: Path = RECORDED_DIR) -> str:
    """The tables in Markdown, each once for each machine that recorded it."""
    parts = []
    for result in recorded_results([CPU_TARGET], folder):
        table = cpu_table(result)
        if table:
            parts.append(f"**Decompressing on one CPU thread** ({_source(result, TEXT)}).\n")
            parts.append(markdown_table(table))
    for result in recorded_results([VECTOR_TARGET], folder):
        table = vector_table(result)
        if table:
            source = _source(result, TEXT)
            parts.append(f"**Format `tiles` on one CPU thread, with the processor's vectors** ({source}).\n")
            parts.append(markdown_table(table))
    for result in recorded_results([GPU_TARGET], folder):
        parts.append(f"**Decompressing on a GPU** ({_source(result, TEXT)}).\n")
        parts.append(markdown_table(gpu_table(result, recorded_results(table_targets(), folder))))
    return "\n".join(parts) or f"{NOT_MEASURED}\n"
