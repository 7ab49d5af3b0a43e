"""Pictures of the course that are drawn from records."""

import json
from collections.abc import Callable, Sequence

from course.pictures import ESCAPE, EXAMPLE, EXAMPLE_SYMBOLS, PICTURES, WIDTH, box, line, svg, text
from course.record_text import one_row, rows_of
from experiments.expressions import Row
from experiments.text_template import number_text
from tools.repository import ROOT

_THROUGHPUT = "h200/gsst_fig_6_1"


def limit_of(moved: float, ratio: float) -> float:
    """Text per second, where each byte of text is written once and 1 / ratio bytes are read for it."""
    return moved / (1 + 1 / ratio)


def _limit_with_stages(caption: str) -> str:
    """The limit against the ratio, and the stages below it."""
    tiles = "h200/warp_tiles_ladder"
    # A comma would end the condition.
    shown = (
        ("01", one_row(f"{_THROUGHPUT}[stage=gsst/01_blocks, policy=best]")),
        ("04", one_row(f"{_THROUGHPUT}[stage=gsst/04_alignment, policy=best]")),
        ("09, tables of level 1", one_row(f"{tiles}[variant=9? 8 bits? level 1]")),
        ("09, step 10", one_row(f"{tiles}[variant=10 symbol halves? 12 bits]")),
    )
    return _limit(caption, shown)


def _limit(caption: str, shown: Sequence[tuple[str, Row]] = ()) -> str:
    """The limit against the ratio, and rows of records with their names."""
    moved = float(
        one_row(f"{_THROUGHPUT}[stage=gsst/07_tuned, policy=best]")["streaming_limit_moved_gb_per_s"]
    )
    left, bottom, top, right = 54.0, 250.0, 20.0, WIDTH - 20.0
    last_ratio = 5.0

    def x_of(ratio: float) -> float:
        return left + (ratio - 1) / (last_ratio - 1) * (right - left)

    def y_of(speed: float) -> float:
        return bottom - speed / moved * (bottom - top)

    ratios = [1 + step / 20 * (last_ratio - 1) for step in range(21)]
    points = " ".join(f"{x_of(ratio):.1f},{y_of(limit_of(moved, ratio)):.1f}" for ratio in ratios)
    parts = [
        line(left, bottom, right, bottom),
        line(left, top, left, bottom),
        line(left, y_of(moved), right, y_of(moved)),
        text(right, y_of(moved) - 5, f"M: {number_text(moved)} GB/s", "small", "end"),
        f'<polyline points="{points}" class="curve"/>',
        text(x_of(1.8), y_of(limit_of(moved, 1.8)) - 14, "M / (1 + 1 / ratio)", "small", "middle"),
    ]
    for name, row in shown:
        x, y = x_of(float(row["ratio"])), y_of(float(row["throughput_gb_per_s"]))
        parts += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" class="dot"/>', text(x + 7, y + 4, name, "small")]
    for ratio in range(1, int(last_ratio) + 1):
        parts.append(text(x_of(ratio), bottom + 16, str(ratio), "small", "middle"))
    parts += [
        text(right, bottom + 32, "ratio", "small", "end"),
        text(0, top - 6, "GB of text per second", "small"),
    ]
    return svg(bottom + 40, caption, parts)


def _waves(caption: str) -> str:
    """Throughput against the data blocks for each multiprocessor, with two limits of registers."""
    left, bottom, top, right = 54.0, 240.0, 20.0, WIDTH - 90.0
    where = "policy=candidate, parameters.alignment=16, parameters.output_transfers=4, parameters.splits=192"
    curves = {
        registers: sorted(
            (int(row["blocks_per_multiprocessor"]), float(row["throughput_gb_per_s"]))
            for row in rows_of("h200/gsst_tuning", f"{where}, parameters.registers={registers}")
        )
        for registers in (40, 56, 64)
    }
    speeds = [speed for points in curves.values() for _, speed in points]
    highest, lowest = max(speeds), min(speeds)
    counts = [count for count, _ in curves[40]]

    def x_of(count: int) -> float:
        return left + (count - counts[0]) / (counts[-1] - counts[0]) * (right - left)

    def y_of(speed: float) -> float:
        return bottom - 20 - (speed - lowest) / (highest - lowest) * (bottom - 20 - top)

    parts = [line(left, bottom, right, bottom), line(left, top, left, bottom)]
    for index, (registers, points) in enumerate(curves.items()):
        drawn = " ".join(f"{x_of(count):.1f},{y_of(speed):.1f}" for count, speed in points)
        parts.append(f'<polyline points="{drawn}" class="curve dash{index}"/>')
        parts += [
            f'<circle cx="{x_of(count):.1f}" cy="{y_of(speed):.1f}" r="3" class="dot"/>'
            for count, speed in points
        ]
        x, y = x_of(points[-1][0]) + 8, y_of(points[-1][1]) + 4
        parts.append(text(x, y, f"{registers} registers", "small"))
    parts += [text(x_of(count), bottom + 16, str(count), "small", "middle") for count in counts]
    parts.append(text(left, bottom + 34, "data blocks for each multiprocessor", "small"))
    parts += [
        text(left - 6, y_of(highest) + 4, number_text(highest), "small", "end"),
        text(0, 12, "GB/s", "small"),
    ]
    return svg(bottom + 42, caption, parts)


_FACTORS = (
    ("02", "gsst/02_splits", "gsst/01_blocks", "02_splits throughput relative to 01_blocks"),
    ("03", "gsst/03_shared_memory", "gsst/02_splits", "03_shared_memory throughput relative to 02_splits"),
    (
        "04",
        "gsst/04_alignment",
        "gsst/03_shared_memory",
        "04_alignment throughput relative to 03_shared_memory",
    ),
    ("05", "gsst/05_coalesced", "gsst/04_alignment", "05_coalesced throughput relative to 04_alignment"),
    ("06", "gsst/06_async", "gsst/05_coalesced", "06_async throughput relative to 05_coalesced"),
    ("07", "gsst/07_tuned", "gsst/04_alignment", "07_tuned throughput relative to 04_alignment"),
)


def _factors(caption: str) -> str:
    """How much faster each stage is than the one before: in the thesis, and here with best parameters."""
    pairs = []
    for name, stage, base, quantity in _FACTORS:
        ours = one_row(f"{_THROUGHPUT}[stage={stage}, policy=best]")["throughput_gb_per_s"]
        before = one_row(f"{_THROUGHPUT}[stage={base}, policy=best]")["throughput_gb_per_s"]
        theirs = one_row(f"paper:gsst_fig_6_1[{quantity}]")["value"]
        pairs.append((name, float(theirs), float(ours) / float(before)))
    longest = max(max(theirs, ours) for _, theirs, ours in pairs)
    parts = []
    for index, (name, theirs, ours) in enumerate(pairs):
        y = index * 44
        parts.append(text(0, y + 24, name, "strong"))
        for row, (value, kind, whose) in enumerate(((theirs, "unused", "thesis"), (ours, "bar", "here"))):
            width = value / longest * 460
            parts.append(box(40, y + 3 + row * 18, width, 15, kind))
            parts.append(text(46 + width, y + 15 + row * 18, f"{number_text(value)} times, {whose}", "small"))
    return svg(len(pairs) * 44, caption, parts)


PICTURES |= {
    "factors": _factors,
    "limit": _limit,
    "limit_with_stages": _limit_with_stages,
    "waves": _waves,
}

SETTINGS = ("blocks", "splits", "alignment", "output_transfers", "registers")


def _occupancy() -> tuple[str, str]:
    """The candidates of the sweep: their settings, throughput and share of the limit."""
    record = "h200/gsst_tuning"
    rows = []
    for row in rows_of(record, "policy=candidate"):
        parameters = {**row["parameters"], "blocks": row["blocks_per_multiprocessor"]}
        share = row["throughput_gb_per_s"] / row["streaming_limit_gb_per_s"]
        measured = [number_text(row["throughput_gb_per_s"]), f"{share:.1%}".replace("%", " %")]
        rows.append([*(parameters[name] for name in SETTINGS), *measured])
    return record, json.dumps({"settings": list(SETTINGS), "rows": rows}, separators=(",", ":"))


_LAYOUTS_OF_SPLITS = ("splits", "coalesced")
_LAYOUTS_OF_TILES = tuple(f"tiles, {bits} bits" for bits in (8, 10, 12))


def _layouts_of(formats: Sequence[str]) -> tuple[None, str]:
    """A block of codes, into how many splits of equal length it can be cut, and the formats to look at."""
    data = {"codes": LAYOUT_CODES, "splits": [4, 5, 8, 10], "formats": formats}
    return None, json.dumps(data, separators=(",", ":"))


def _layouts() -> tuple[None, str]:
    """Formats in which a thread reads a code at a time."""
    return _layouts_of(_LAYOUTS_OF_SPLITS)


def _tile_layouts() -> tuple[None, str]:
    """The tiles first, and what they are compared with."""
    return _layouts_of(_LAYOUTS_OF_TILES + _LAYOUTS_OF_SPLITS)


def _fsst() -> tuple[None, str]:
    """The lesson's text and symbols."""
    symbols = [symbol.decode() for symbol in EXAMPLE_SYMBOLS]
    data = {"text": EXAMPLE.decode(), "symbols": symbols, "escape": ESCAPE, "longest": 8}
    return None, json.dumps(data, separators=(",", ":"))


# Files of the repository to compress in the page, by the names that are shown.
SAMPLES = {
    "the glossary": "course/glossary.md",
    "the licence": "LICENSE",
    "the copy kernel": "course/copy_kernel/kernel.cuh",
}
_CODEC_ABSENT = (
    "This page was built without the codec. On a machine with the package emscripten "
    "(apt-get install emscripten), make site builds it in. All else on the page works."
)
_LONGEST_TEXT = 65536


def _codec() -> tuple[None, str]:
    """Texts for the codec, and what the page says where it has none."""
    texts = [
        {"name": name, "text": (ROOT / path).read_text(encoding="utf-8")} for name, path in SAMPLES.items()
    ]
    data = {"samples": texts, "absent": _CODEC_ABSENT, "longest": _LONGEST_TEXT}
    # A browser reads it as text of a script, which nothing in it may end.
    return None, json.dumps(data, separators=(",", ":")).replace("</", "<\\/")


LAYOUT_CODES = 40
# The record that the data are of, where they are of one, and the data.
WIDGETS: dict[str, Callable[[], tuple[str | None, str]]] = {
    "codec": _codec,
    "fsst": _fsst,
    "layouts": _layouts,
    "tile_layouts": _tile_layouts,
    "occupancy": _occupancy,
}
