"""Blocks of format dfor (FORMAT.md, section 12.2) and a reader of them, apart from the C++ library."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from format_writer import little
from tile_integer_for import (
    PACKED_VALUES,
    Decoded,
    ForPayload,
    PackedBlock,
    ValueType,
    checked,
    packed_units,
    payload_of,
    read_packed_block,
    widths_for,
)

CHAIN_BLOCKS = 4
CHAIN_VALUES = CHAIN_BLOCKS * PACKED_VALUES


# The writer.


@dataclass(frozen=True)
class DeltaBlock(PackedBlock):
    """A packed block of differences, with the chain's base where it is the first one of a chain."""

    base: int | None = None

    def stored(self, kind: ValueType) -> bytes:
        """The words of the packed block, as bytes."""
        bits = kind.reference_bits
        base = b"" if self.base is None else little(self.base % (1 << bits), bits // 8)
        return base + super().stored(kind)


def signed(kind: ValueType, number: int) -> int:
    """The number modulo 2^bits of the type, read with a sign."""
    half = 1 << (kind.bits - 1)
    return (number + half) % (2 * half) - half


def delta_block_of(kind: ValueType, values: Sequence[int], before: int | None) -> DeltaBlock:
    """The packed block that an encoder makes of values; none is before them where a chain begins."""
    known = values if before is None else [before, *values]
    differences = [signed(kind, value - one) for one, value in pairwise(known)]
    reference = min(differences, default=0)
    first = [reference] if before is None else []
    filled = [*first, *differences, *[reference] * (PACKED_VALUES - len(values))]
    stored = tuple(difference - reference for difference in filled)
    base = signed(kind, values[0] - reference) if before is None else None
    return DeltaBlock(reference, widths_for(stored), stored, base)


def delta_blocks_of(kind: ValueType, values: Sequence[int]) -> list[PackedBlock]:
    """The packed blocks that an encoder makes."""
    return [
        delta_block_of(kind, values[i : i + PACKED_VALUES], values[i - 1] if i % CHAIN_VALUES else None)
        for i in range(0, len(values), PACKED_VALUES)
    ]


def encoded_deltas(block: bytes, kind: ValueType) -> ForPayload:
    """The payload that an encoder makes of a block, also where it is larger than the raw one."""
    values = kind.load(block)
    return payload_of(kind, delta_blocks_of(kind, values), len(values), block[len(values) * kind.size :])


# The reader. It takes nothing from the writer.


def base_words(kind: ValueType, packed_block: int) -> int:
    """Words of the base that precedes the reference of a packed block."""
    return kind.reference_bits // 32 if packed_block % CHAIN_BLOCKS == 0 else 0


DFOR_UNITS = packed_units(base_words)


def sums_of(payload: bytes, uncompressed_bytes: int) -> Decoded:
    """Decodes a payload for so many bytes, with all rules of section 12.2 checked."""
    found = checked(payload, uncompressed_bytes, DFOR_UNITS)
    values: list[int] = []
    value = 0
    for i, start in enumerate(found.starts[:-1]):
        reference = start + base_words(found.kind, i)
        if reference > start:
            value = int.from_bytes(payload[4 * start : 4 * reference], "little")
        for difference in read_packed_block(payload, found.kind, reference):
            value = found.kind.wrapped(value + difference)
            values.append(value)
    return Decoded(found.kind, values[: found.count], found.rest)
