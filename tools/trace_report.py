"""The table of a trace: what the accesses of a stage's kernels cost, by kind of access and by line."""

import posixpath
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

LANES = 32
EXECUTOR = "common/simt/"
# As the command names the kinds of accesses, and as the table does.
KINDS = {
    "global_load": "global load",
    "global_store": "global store",
    "global_atomic": "global atomic",
    "global_copy": "copy from global",
    "shared_load": "shared load",
    "shared_store": "shared store",
    "shared_atomic": "shared atomic",
    "shared_copy": "copy to shared",
}


class TraceError(Exception):
    """A file that is no trace."""


@dataclass(frozen=True)
class Counts:
    """Sums over warp instructions. `units` are sectors of global memory, or passes over the banks of shared
    memory, of which `least` would be needed if no lanes met in a bank; of global memory both are equal."""

    kind: str
    lines: tuple[str, ...]
    requests: int
    lanes: int
    units: int
    least: int

    @property
    def is_shared(self) -> bool:
        """Whether it is about shared memory."""
        return self.kind.startswith("shared")

    @property
    def active_share(self) -> float:
        """The share of the lanes of all warp instructions that take part."""
        return self.lanes / (LANES * self.requests)

    @property
    def units_per_request(self) -> float:
        """Sectors or passes of one warp instruction, on average."""
        return self.units / self.requests


def counts_of(trace: Mapping[str, Any]) -> list[Counts]:
    """What a trace, as the command writes it, says line by line. Raises TraceError."""
    try:
        if trace["schema"] != 1:
            raise TraceError(f"schema {trace['schema']} is not 1")
        return [_counts(entry) for entry in trace["counts"]]
    except (KeyError, TypeError, AttributeError) as error:
        raise TraceError(f"not a trace: {error!r}") from error


def _counts(entry: Mapping[str, Any]) -> Counts:
    kind = str(entry["accesses"])
    if kind not in KINDS:
        raise TraceError(f"'{kind}' is no kind of access")
    units = int(entry["passes"] if kind.startswith("shared") else entry["sectors"])
    least = int(entry.get("passes_without_conflicts", units))
    return Counts(kind, tuple(entry["lines"]), int(entry["requests"]), int(entry["lanes"]), units, least)


def totals(counts: Sequence[Counts]) -> list[Counts]:
    """The sums of each kind that there is, in the order of KINDS."""
    sums: dict[str, Counts] = {}
    for one in counts:
        before = sums.get(one.kind)
        sums[one.kind] = (
            replace(one, lines=())
            if before is None
            else replace(
                before,
                requests=before.requests + one.requests,
                lanes=before.lanes + one.lanes,
                units=before.units + one.units,
                least=before.least + one.least,
            )
        )
    return [sums[kind] for kind in KINDS if kind in sums]


def worst_lines(counts: Sequence[Counts], shared: bool, count: int) -> list[Counts]:
    """The lines with the most sectors, or with the most passes of shared memory."""
    chosen = [one for one in counts if one.is_shared == shared]
    return sorted(chosen, key=lambda one: (-one.units, one.lines))[:count]


def _below_root(line: str, root: Path) -> str:
    """The line with its file below the root. Kernels are compiled with `.` for the root's name
    (cmake/GsstKernelCheck.cmake), and addr2line puts the folder that the compiler ran in before it:
    ./build/stages/./stages/a.cuh:1. A compiler's cache names the file from there:
    ./build/../stages/a.cuh:1."""
    return posixpath.normpath(line.rpartition("/./")[2]).removeprefix(f"{root}/")


def own_lines(lines: Sequence[str], root: Path) -> list[str]:
    """The lines that are the repository's, below its root, the innermost first. What the executor does in the
    place of an instruction is its caller's."""
    short = [_below_root(line, root) for line in lines]
    return [line for line in short if not line.startswith(("/", EXECUTOR))] or short


def line_text(lines: Sequence[str], root: Path) -> str:
    """The innermost of own_lines(), and the line that it is called from."""
    own = own_lines(lines, root)
    if len(own) == 1:
        return own[0]
    # The caller's file is named where it is another one.
    file, _, _ = own[0].rpartition(":")
    return f"{own[0]} < {own[1].removeprefix(file)}"


def _row(name: str, counts: Counts) -> list[str]:
    conflicts = str(counts.units - counts.least) if counts.is_shared else ""
    return [
        name,
        str(counts.requests),
        f"{counts.active_share:.0%}",
        str(counts.units),
        f"{counts.units_per_request:.2f}",
        conflicts,
    ]


def _aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """Columns of one width each; the first is text, the others are numbers."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return [
        "  ".join(
            cell.ljust(width) if column == 0 else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]


def report(trace: Mapping[str, Any], root: Path, lines: int) -> str:
    """The table. Raises TraceError."""
    counts = counts_of(trace)
    text = [f"launches: {trace['launches']}, thread blocks: {trace['thread_blocks']}"]
    if not counts:
        return text[0] + "; no access was seen\n"
    head = ["requests", "active lanes", "sectors", "a request", ""]
    head_shared = ["requests", "active lanes", "passes", "a request", "of conflicts"]
    both = ["requests", "active lanes", "sectors, passes", "a request", "of conflicts"]
    text += ["", *_aligned([["all lines", *both], *(_row(KINDS[one.kind], one) for one in totals(counts))])]
    for shared, title, columns in (
        (False, "lines with the most sectors", head),
        (True, "lines with the most passes", head_shared),
    ):
        chosen = worst_lines(counts, shared, lines)
        if chosen:
            rows = [_row(f"{KINDS[one.kind]}  {line_text(one.lines, root)}", one) for one in chosen]
            text += ["", *_aligned([[title, *columns], *rows])]
    return "\n".join(text) + "\n"
