"""The ingestion model of the thesis: Equations 3.1 to 3.6 and Appendix A.

Sizes are in bytes, throughputs in GB/s (10^9 bytes per second), times in seconds. `ratio` is uncompressed by
compressed size, `interconnect` the throughput of compressed bytes over the interconnect, `decompression` the
throughput of decompressed bytes.
"""

import math
from collections.abc import Iterable, Sequence

GIGABYTE = 1e9
# Compression ratio and decompression throughput.
Codec = tuple[float, float]


def transfer_seconds(compressed_bytes: float, interconnect: float) -> float:
    """Equation 3.2."""
    return compressed_bytes / (interconnect * GIGABYTE)


def decompression_seconds(uncompressed_bytes: float, decompression: float) -> float:
    """Equation 3.3."""
    return uncompressed_bytes / (decompression * GIGABYTE)


def ingestion_seconds(
    compressed_bytes: float, uncompressed_bytes: float, interconnect: float, decompression: float
) -> float:
    """Equation 3.1: transfer, then decompression."""
    return transfer_seconds(compressed_bytes, interconnect) + decompression_seconds(
        uncompressed_bytes, decompression
    )


def throughput_without_overlap(ratio: float, decompression: float, interconnect: float) -> float:
    """Equation 3.4."""
    effective = ratio * interconnect
    return effective * decompression / (decompression + effective)


def throughput_transfer_bound(ratio: float, decompression: float, interconnect: float, blocks: int) -> float:
    """Equation 3.5: transfers follow each other, the last block is decompressed after them."""
    effective = ratio * interconnect
    return effective * blocks * decompression / (blocks * decompression + effective)


def throughput_decompression_bound(
    ratio: float, decompression: float, interconnect: float, blocks: int
) -> float:
    """Equation 3.6: decompressions follow each other, the first block is transferred before them."""
    effective = ratio * interconnect
    return decompression * effective * blocks / (effective * blocks + decompression)


def throughput_with_overlap(ratio: float, decompression: float, interconnect: float, blocks: int) -> float:
    """Equation A.3: the longer of the two times counts, which is the smaller of Equations 3.5 and 3.6."""
    return min(
        throughput_transfer_bound(ratio, decompression, interconnect, blocks),
        throughput_decompression_bound(ratio, decompression, interconnect, blocks),
    )


def timeline_seconds(transfers: Sequence[float], decompressions: Sequence[float]) -> float:
    """What Figures 3.2b and 3.2c draw, for blocks of any sizes: the seconds until the last is decompressed.

    Blocks are transferred in turn and decompressed in turn, each after its own transfer; the two lists hold
    the seconds of each. Where all blocks are alike this is Equation A.3."""
    transferred = decompressed = 0.0
    for transfer, decompression in zip(transfers, decompressions, strict=True):
        transferred += transfer
        decompressed = max(transferred, decompressed) + decompression
    return decompressed


def regime_boundary(ratio: float, decompression: float) -> float:
    """Interconnect throughput at which a block's transfer and its decompression take equally long."""
    return decompression / ratio


def crossover(first: Codec, second: Codec) -> float:
    """Interconnect throughput at which two codecs (ratio, decompression) ingest equally fast by Equation 3.4.

    Raises ValueError where no positive throughput does that: one codec is then ahead everywhere.
    """
    (first_ratio, first_decompression), (second_ratio, second_decompression) = first, second
    ratio_gap = 1 / second_ratio - 1 / first_ratio
    decompression_gap = 1 / first_decompression - 1 / second_decompression
    if decompression_gap == 0 or ratio_gap / decompression_gap <= 0:
        raise ValueError(f"codecs {first} and {second} have no crossover")
    return ratio_gap / decompression_gap


def leading_range(codec: Codec, others: Iterable[Codec]) -> tuple[float, float] | None:
    """Between which interconnect throughputs `codec` ingests faster than all others by Equation 3.4; 0 and
    infinity where it has no end, None where it leads nowhere."""
    lowest, highest = 0.0, math.inf
    ratio, decompression = codec
    for other in others:
        if ratio >= other[0] and decompression >= other[1]:
            continue
        if ratio <= other[0] and decompression <= other[1]:
            return None
        if ratio > other[0]:
            highest = min(highest, crossover(codec, other))
        else:
            lowest = max(lowest, crossover(codec, other))
    return (lowest, highest) if lowest < highest else None
