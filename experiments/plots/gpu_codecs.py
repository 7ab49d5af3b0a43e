"""The points of Figure 6.2, ratio and throughput of codecs on a GPU: the thesis's and measured ones."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from experiments.plots.stages import short_name, slowest_and_fastest
from experiments.published import Published
from experiments.results import Result

TARGET = "gsst_fig_6_2"
# The stage that is the thesis's GSST.
GSST_STAGE = "07_tuned"
OURS = "ours"
CPU = "FSST on the CPU"
MANAGER = "nvCOMP manager"
BATCHED = "nvCOMP batched"


@dataclass(frozen=True)
class PublishedCodec:
    """A codec's point in the thesis; `kind` says whether it is printed or derived."""

    name: str
    kind: str
    ratio: float
    decompression: float

    @property
    def point(self) -> tuple[float, float]:
        """Ratio and decompression throughput."""
        return self.ratio, self.decompression


@dataclass(frozen=True)
class MeasuredCodec:
    """A measured point; throughput in GB/s of the median, the slowest and the fastest repetition."""

    series: str
    name: str
    ratio: float
    decompression: float
    slowest: float
    fastest: float

    @property
    def point(self) -> tuple[float, float]:
        """Ratio and decompression throughput."""
        return self.ratio, self.decompression


def published_codecs(published: Published) -> dict[str, PublishedCodec]:
    """GSST's printed point, and the others from the printed relations to it."""
    ratio = published.value(TARGET, "GSST compression ratio")
    decompression = published.value(TARGET, "GSST decompression throughput")

    def relation(quantity: str) -> float:
        return published.value(TARGET, quantity)

    codecs = [
        PublishedCodec("GSST", "printed", ratio, decompression),
        PublishedCodec(
            "ANS",
            "derived",
            ratio / relation("GSST ratio relative to ANS"),
            decompression * relation("ANS throughput relative to GSST"),
        ),
        PublishedCodec(
            "Bitcomp",
            "derived",
            ratio / relation("GSST ratio relative to Bitcomp"),
            decompression * relation("Bitcomp throughput relative to GSST"),
        ),
        PublishedCodec(
            "Zstd",
            "derived",
            ratio * relation("Zstd ratio relative to GSST"),
            decompression / relation("GSST throughput relative to Zstd"),
        ),
    ]
    return {codec.name: codec for codec in codecs}


def series_and_name(row: dict[str, Any]) -> tuple[str, str]:
    """The series that a row of a result belongs to, and what it is called there."""
    series, _, name = row["stage"].partition("/")
    if series == "nvcomp":
        return (MANAGER if row["variant"] == "manager" else BATCHED), name
    if series == "reference_cpu":
        threads = row["parameters"].get("threads", 1)
        return CPU, f"FSST, {threads} CPU thread{'s' if threads > 1 else ''}"
    return OURS, short_name(row["stage"])


def measured_codecs(result: Result | None) -> list[MeasuredCodec]:
    """The points of a result of Figure 6.2, in its order."""
    return [
        MeasuredCodec(
            *series_and_name(row), row["ratio"], row["throughput_gb_per_s"], *slowest_and_fastest(row)
        )
        for row in (result.rows if result else ())
        if row["throughput_gb_per_s"] is not None
    ]


def missing_note(result: Result | None, peers: Sequence[str]) -> list[str]:
    """What a caption says of the codecs of nvCOMP that a result lacks; empty where there is none."""
    if result is None:
        return []
    there = {series_and_name(row) for row in result.rows}
    wanted = [(series, name) for series in (MANAGER, BATCHED) for name in peers]
    missing = [f"{series} {name}" for series, name in wanted if (series, name) not in there]
    if not missing:
        return []
    if len(missing) == len(wanted):
        return ["skipped: nvCOMP was not measured; --config nvcomp=true measures it."]
    return [f"skipped: without a result are {', '.join(missing)}."]


def representatives(codecs: list[MeasuredCodec]) -> dict[str, MeasuredCodec]:
    """One point for each codec by its name in the thesis: GSST is the tuned stage, a codec of nvCOMP the
    faster of its two interfaces."""
    chosen: dict[str, MeasuredCodec] = {}
    for codec in codecs:
        if codec.series == OURS and codec.name == GSST_STAGE:
            chosen["GSST"] = codec
        elif codec.series in (MANAGER, BATCHED):
            other = chosen.get(codec.name)
            if other is None or codec.decompression > other.decompression:
                chosen[codec.name] = codec
    return chosen
