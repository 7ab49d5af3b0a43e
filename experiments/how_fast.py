"""What is recorded of speeds that a user compares, for docs/how_fast.md."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from statistics import geometric_mean
from typing import Any

from experiments.results import RECORDED_DIR, Result, recorded_results
from experiments.table_text import NOT_MEASURED, TextTable, data_text, markdown_table
from experiments.text_template import UNKNOWN, number_text

PEERS_TARGET = "engine_peers"
FILES_TARGET = "engine_files"
# Short columns, of which the mean is shown first.
COLUMNS = "dbtext/"
_OURS = "library/tiles"
_NAMES = {
    _OURS: "tiles",
    "library/splits": "splits",
    "reference_cpu/fast": "FSST",
    "peer/zstd": "zstd",
    "peer/lz4": "LZ4",
}

Row = Mapping[str, Any]
Key = tuple[str, str]
# What of a codec and a text is compared, and whether more of it is better.
_MEASURES = ("decode", "encode", "ratio")


def _key(row: Row) -> Key:
    return row["stage"], row["variant"]


def _name(key: Key) -> str:
    stage, variant = key
    return f"{_NAMES[stage]}, {'without checksums' if stage == 'reference_cpu/fast' else variant}"


def _measures(rows: Iterable[Row]) -> dict[Key, dict[str, dict[str, float]]]:
    """GB/s of both operations and ratio, by codec and text."""
    found: dict[Key, dict[str, dict[str, float]]] = {}
    for row in rows:
        of_text = found.setdefault(_key(row), {}).setdefault(row["dataset"], {})
        of_text[row["operation"]] = row["throughput_gb_per_s"]
        of_text["ratio"] = row["ratio"]
    return found


def speed_table(rows: Iterable[Row]) -> TextTable:
    """A line for each codec: GB/s of both operations and ratio, of several texts the geometric means."""
    lines = []
    for key, of_texts in _measures(rows).items():
        decode, encode, ratio = (
            geometric_mean([measures[name] for measures in of_texts.values()]) for name in _MEASURES
        )
        lines.append((_name(key), number_text(decode), number_text(encode), f"{ratio:.2f}"))
    return TextTable(("codec", "decompressing, GB/s", "compressing, GB/s", "ratio"), tuple(lines))


def columns_table(rows: Iterable[Row]) -> TextTable:
    """A line for each text: GB/s of decompressing, and the ratio, of each codec."""
    measures = _measures(rows)
    texts = dict.fromkeys(text for of_texts in measures.values() for text in of_texts)
    lines = [
        (
            text.removeprefix(COLUMNS),
            *(
                f"{number_text(of_texts[text]['decode'])} ({of_texts[text]['ratio']:.2f})"
                for of_texts in measures.values()
            ),
        )
        for text in texts
    ]
    return TextTable(("column", *map(_name, measures)), tuple(lines))


def losses_table(rows: Iterable[Row]) -> TextTable:
    """A line for each level of tiles and each other codec: of how many texts the other is better."""
    measures = _measures(rows)
    lines = []
    for ours in (key for key in measures if key[0] == _OURS):
        for other in (key for key in measures if key[0] != _OURS):
            texts = measures[ours].keys()
            better = (
                sum(measures[other][text][name] > measures[ours][text][name] for text in texts)
                for name in _MEASURES
            )
            lines.append((_name(ours), _name(other), *(f"{count} of {len(texts)}" for count in better)))
    header = ("compared with", "codec", "decompresses faster", "compresses faster", "makes smaller files")
    return TextTable(header, tuple(lines))


def _titled(title: str, source: str, table: TextTable) -> list[str]:
    return [f"**{title}** ({source}).\n", markdown_table(table)]


def _of_text(result: Result, rows: Sequence[Row]) -> str:
    return data_text(result, rows[0]["dataset"], rows[0]["uncompressed_bytes"])


def cpu_tables(result: Result) -> list[str]:
    """The tables of one machine with their titles, in Markdown."""
    on_one = [row for row in result.rows if row["parameters"]["threads"] == 1]
    columns = [row for row in on_one if row["dataset"].startswith(COLUMNS)]
    texts = [[row for row in on_one if row not in columns]]
    texts.append([row for row in result.rows if row not in on_one])
    source = f"{result.environment['cpu']}, {result.origin_text}"
    parts = []
    if columns:
        parts += _titled("One processor, geometric means of DBText's columns", source, speed_table(columns))
    for title, rows in zip(("One processor", "All processors"), texts, strict=True):
        for dataset in dict.fromkeys(row["dataset"] for row in rows):
            of_text = [row for row in rows if row["dataset"] == dataset]
            parts += _titled(f"{title}, one long text", _of_text(result, of_text), speed_table(of_text))
    if on_one:
        parts += _titled("One processor, where format `tiles` loses", source, losses_table(on_one))
    if columns:
        title = "One processor, each column of DBText: GB/s of decompressing, and in brackets the ratio"
        parts += _titled(title, source, columns_table(columns))
    return parts


def files_table(rows: Iterable[Row]) -> TextTable:
    """A line for each size and way of the command on files of format tiles: its seconds."""
    of_tiles = [row for row in rows if row.get("format") == "tiles"]
    ways = dict.fromkeys((row["uncompressed_bytes"], row["variant"]) for row in of_tiles)
    # Rows of compressing have no copy of their own.
    copied = [row for row in of_tiles if "cp_seconds" in row]
    copies = {row["uncompressed_bytes"]: row["cp_seconds"]["median"] for row in copied}
    lines = []
    for size, way in ways:
        rows_of_way = [row for row in of_tiles if (row["uncompressed_bytes"], row["variant"]) == (size, way)]
        times = {row["device"]: number_text(row["seconds"]["median"]) for row in rows_of_way}
        of_devices = (times.get(device, UNKNOWN) for device in ("gpu", "cpu"))
        lines.append((f"{size / 1e6:.6g}", way, *of_devices, number_text(copies[size])))
    header = ("MB of text", "way", "GPU, seconds", "CPU, all processors, seconds", "cp, seconds")
    return TextTable(header, tuple(lines))


def cpu_section(folder: Path = RECORDED_DIR) -> str:
    """The tables of every machine that recorded what compares codecs on a CPU."""
    parts = [part for result in recorded_results([PEERS_TARGET], folder) for part in cpu_tables(result)]
    return "\n".join(parts) or f"{NOT_MEASURED}\n"


def files_section(folder: Path = RECORDED_DIR) -> str:
    """The tables of every machine that recorded the command on files."""
    parts = []
    for result in recorded_results([FILES_TARGET], folder):
        source = f"{result.environment['gpu']}, {result.environment['cpu']}, {result.origin_text}"
        parts += _titled("The command from file to file", source, files_table(result.rows))
    return "\n".join(parts) or f"{NOT_MEASURED}\n"
