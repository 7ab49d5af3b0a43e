"""What the decoder of tiles was meant to reach, and what the records say of it, as a table for its page."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from experiments.decoder_ladder import ladder_steps
from experiments.own_sizes import own_ratios
from experiments.plots.beyond_columns import column_name
from experiments.results import RECORDED_DIR, Result, recorded_results
from experiments.stage_effect import machine_title
from experiments.stage_effect_text import TextTable, markdown_table, number_text

STAGE = "gsst/09_warp_tiles"
HEADER = ("goal", "at least", "measured", "reached", "above or below it")
LADDER, COLUMNS, SIZES = "warp_tiles_ladder", "beyond_columns", "beyond_sizes"
# Share of the streaming limit, and ratios by bits of a code and parse.
LADDER_SHARE = 0.98
LIMIT_OF_A_COPY = 0.90
LADDER_RATIOS = {(8, "greedy"): 3.35, (8, "optimal"): 3.45, (12, "greedy"): 3.95, (12, "optimal"): 4.10}
COLUMN_SHARE = 0.85
COLUMN_GB_PER_S = 2000.0
# Shares by bytes of the text; None: as far as it goes.
SIZE_SHARES = {256 << 20: 0.93, 64 << 20: None}

Row = Mapping[str, Any]
Line = tuple[str, ...]


@dataclass(frozen=True)
class Goal:
    """A bound that a measured value must reach; both in `unit`, or shares where it is `%`."""

    what: str
    bound: float
    measured: float
    unit: str = ""
    named: str = ""

    def line(self) -> Line:
        """The goal as a line of the table; `named` says where the value was measured."""
        reached = self.measured >= self.bound
        return (
            self.what,
            self._text(self.bound),
            self._text(self.measured) + (f" ({self.named})" if self.named else ""),
            "yes" if reached else "**no**",
            self._difference(),
        )

    def _text(self, value: float) -> str:
        if self.unit == "%":
            return f"{100 * value:.1f} %"
        return f"{number_text(value)} {self.unit}" if self.unit else f"{value:.3f}"

    def _difference(self) -> str:
        difference = self.measured - self.bound
        if self.unit == "%":
            return f"{100 * difference:+.1f} points"
        return f"{100 * difference / self.bound:+.1f} %"


def _share(row: Row) -> float:
    return row["throughput_gb_per_s"] / row["streaming_limit_gb_per_s"]


def _of_stage(result: Result) -> list[Row]:
    return [row for row in result.rows if row["stage"] == STAGE and "tiles" in row]


def _ladder_lines(rows: Sequence[Row]) -> Iterator[Line]:
    for (bits, parse), bound in LADDER_RATIOS.items():
        codes = [row for row in rows if (row["tiles"]["code_bits"], row["tiles"]["parse"]) == (bits, parse)]
        if not codes:
            continue
        best = max(codes, key=_share)
        what = f"{bits} bits, {parse} parse"
        step = f"step {best['parameters']['step']}"
        yield Goal(f"l_comment, {what}: of the streaming limit", LADDER_SHARE, _share(best), "%", step).line()
        yield Goal(f"l_comment, {what}: ratio, everything counted", bound, best["ratio"]).line()


def _limit_line(rows: Sequence[Row]) -> Iterator[Line]:
    """What the streaming limit itself is to reach."""
    shares = {
        row["variant"]: row["streaming_limit_moved_gb_per_s"] / row["copy_moved_gb_per_s"]
        for row in rows
        if row.get("copy_moved_gb_per_s")
    }
    if shares:
        worst = min(shares, key=shares.__getitem__)
        what = "l_comment: the streaming limit, of a copy's bytes per second"
        yield Goal(what, LIMIT_OF_A_COPY, shares[worst], "%", worst).line()


def _below(rows: Sequence[Row], value: str, bound: float) -> str:
    """How many columns reach a bound, and which do not."""
    values = {column_name(row["dataset"]): _share(row) if value == "%" else row[value] for row in rows}
    below = sorted((name for name in values if values[name] < bound), key=values.__getitem__)
    reached = f"{len(values) - len(below)} of {len(values)}"
    return f"{reached} columns; below: {', '.join(below)}" if below else f"{reached} columns"


def _ratio_line(what: str, ratios: Mapping[str, tuple[float, float]]) -> Line:
    """Of columns, each a ratio that must be above the other; the worst is shown."""
    behind = [name for name, (ours, other) in ratios.items() if ours <= other]
    worst = min(ratios, key=lambda name: ratios[name][0] / ratios[name][1])
    ours, other = ratios[worst]
    reached = f"{len(ratios) - len(behind)} of {len(ratios)} columns"
    below = f"; not: {', '.join(behind)}" if behind else ""
    return (
        what,
        f"more than {other:.3f} ({worst})",
        f"{ours:.3f} ({worst}; {reached}{below})",
        "**no**" if behind else "yes",
        f"{100 * (ours / other - 1):+.1f} %",
    )


def _column_lines(result: Result) -> Iterator[Line]:
    rows = _of_stage(result)
    if not rows:
        return
    slowest = min(rows, key=lambda row: row["throughput_gb_per_s"])
    furthest = min(rows, key=_share)
    text = "DBText, each column repeated"
    named = f"{column_name(furthest['dataset'])}; {_below(rows, '%', COLUMN_SHARE)}"
    yield Goal(f"{text}: of the streaming limit", COLUMN_SHARE, _share(furthest), "%", named).line()
    named = f"{column_name(slowest['dataset'])}; {_below(rows, 'throughput_gb_per_s', COLUMN_GB_PER_S)}"
    yield Goal(f"{text}: slowest", COLUMN_GB_PER_S, slowest["throughput_gb_per_s"], "GB/s", named).line()
    tuned = {row["dataset"]: row["ratio"] for row in result.rows if row["stage"] == "gsst/07_tuned"}
    repeated = {
        column_name(row["dataset"]): (row["ratio"], tuned[row["dataset"]])
        for row in rows
        if row["dataset"] in tuned
    }
    if repeated:
        yield _ratio_line(f"{text}: ratio against FSST's training in format splits", repeated)
    own = own_ratios()
    names = [column_name(row["dataset"]) for row in rows if column_name(row["dataset"]) in own]
    if names:
        once = {name: (own[name].tiles, own[name].level_1) for name in names}
        yield _ratio_line("DBText, each column once: ratio against FSST's training in blocks", once)


def _best_by_size(rows: Sequence[Row]) -> dict[int, Row]:
    """The fastest row of each size, smallest size first."""
    best: dict[int, Row] = {}
    for row in sorted(rows, key=lambda row: (row["uncompressed_bytes"], row["throughput_gb_per_s"])):
        best[row["uncompressed_bytes"]] = row
    return best


def _nearest(sizes: Sequence[int], wanted: int) -> int:
    return min(sizes, key=lambda size: abs(math.log(size / wanted)))


def _megabytes(size: int) -> str:
    return f"{size / 1e6:.0f} MB"


def _size_lines(rows: Sequence[Row]) -> Iterator[Line]:
    """Each size with every width of codes that was measured, at the size or the one nearest to it."""
    widths = sorted({row["tiles"]["code_bits"] for row in rows})
    for wanted, bound in SIZE_SHARES.items():
        for bits in widths:
            best = _best_by_size([row for row in rows if row["tiles"]["code_bits"] == bits])
            size = _nearest(list(best), wanted)
            what = f"l_comment, {wanted >> 20} MiB, {bits} bits: of the streaming limit"
            named = "" if size == wanted else f"{_megabytes(size)}, the nearest size recorded"
            share = _share(best[size])
            if bound is None:
                place = f" ({named})" if named else ""
                yield (what, "as far as it goes", f"{100 * share:.1f} %{place}", "-", "-")
            else:
                yield Goal(what, bound, share, "%", named).line()


def _time_above_the_limit(rows: Sequence[Row]) -> str:
    """What small texts take longer than the limit, in microseconds; empty where none was measured."""
    best = _best_by_size(rows)
    if not best:
        return ""
    largest = _nearest(list(best), max(SIZE_SHARES))
    above = {
        size: 1e6 * (row["seconds"]["median"] - size / 1e9 / row["streaming_limit_gb_per_s"])
        for size, row in best.items()
        if size <= largest
    }
    least, most = min(above, key=above.__getitem__), max(above, key=above.__getitem__)
    return (
        f"From {_megabytes(min(above))} to {_megabytes(largest)} a call takes {above[least]:.0f} "
        f"({_megabytes(least)}) to {above[most]:.0f} ({_megabytes(most)}) microseconds more than the "
        f"streaming limit, with the best of the recorded widths of codes and numbers of blocks; the limit "
        f"itself takes "
        f"{_limit_microseconds(best[min(above)]):.0f} to {_limit_microseconds(best[largest]):.0f}."
        f"{_without_the_host([best[size] for size in above])}\n"
    )


def _without_the_host(rows: Sequence[Row]) -> str:
    """What the same calls take less as a CUDA graph; empty where that was not measured of all."""
    if not all("graph_seconds" in row for row in rows):
        return ""
    less = [1e6 * (row["seconds"]["median"] - row["graph_seconds"]["median"]) for row in rows]
    return (
        f" As a CUDA graph, where the host's work does not count, the same calls take {min(less):.0f} to "
        f"{max(less):.0f} microseconds less."
    )


def _limit_microseconds(row: Row) -> float:
    return 1e6 * row["uncompressed_bytes"] / 1e9 / row["streaming_limit_gb_per_s"]


def goals_section(stage: str, folder: Path = RECORDED_DIR) -> str:
    """The goals beside what was recorded, in Markdown, for each machine; empty for other stages."""
    if stage != STAGE:
        return ""
    by_machine: dict[str | None, dict[str, Result]] = {}
    for result in recorded_results((LADDER, COLUMNS, SIZES), folder):
        by_machine.setdefault(result.machine, {})[result.target] = result
    parts = []
    for machine, results in by_machine.items():
        lines: list[Line] = []
        if LADDER in results:
            lines += _ladder_lines(ladder_steps(_of_stage(results[LADDER])))
            lines += _limit_line(_of_stage(results[LADDER]))
        if COLUMNS in results:
            lines += _column_lines(results[COLUMNS])
        sizes = _of_stage(results[SIZES]) if SIZES in results else []
        lines += _size_lines(sizes)
        if not lines:
            continue
        parts.append(
            f"**Goals, and what was reached on {machine_title(machine)}**, from the records of "
            f"{', '.join(f'`{target}`' for target in results)}; of several steps, the one nearest to the "
            "limit.\n"
        )
        parts.append(markdown_table(TextTable(HEADER, tuple(lines))))
        parts += filter(None, [_time_above_the_limit(sizes)])
    return "\n".join(parts)
