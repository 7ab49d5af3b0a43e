"""Blocks of format rfor (FORMAT.md, section 12.3) and a reader of them, apart from the C++ library."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from format_writer import little, part
from tile_integer_for import (
    MINIBLOCK_VALUES,
    Decoded,
    ForPayload,
    Units,
    ValueType,
    checked,
    most_bytes_of_any_type,
    payload_of,
    read_miniblock,
    read_reference,
    read_widths,
    require,
    stored_numbers,
    widths_for,
    word,
)

RUN_BLOCK_VALUES = 512
LENGTH_REFERENCE_BITS = 32
MOST_LENGTH_WIDTH = 9


# The writer.


@dataclass(frozen=True)
class Stream:
    """The values or the lengths of runs: a reference, a width for each miniblock, and differences."""

    reference: int
    widths: tuple[int, ...]
    differences: tuple[int, ...]

    def stored(self, reference_bits: int) -> bytes:
        """The words of the stream, as bytes."""
        return stored_numbers(self.reference, reference_bits, self.widths, self.differences)


def stream_of(numbers: Sequence[int]) -> Stream:
    """The stream that an encoder makes of numbers."""
    reference = min(numbers)
    filled = [number - reference for number in numbers] + [0] * (-len(numbers) % MINIBLOCK_VALUES)
    return Stream(reference, widths_for(filled), tuple(filled))


@dataclass(frozen=True)
class RunBlock:
    """A run block: the number of runs, their values and their lengths."""

    runs: int
    values: Stream
    lengths: Stream

    def stored(self, kind: ValueType) -> bytes:
        """The words of the run block, as bytes."""
        values = self.values.stored(kind.reference_bits)
        return little(self.runs, 4) + values + self.lengths.stored(LENGTH_REFERENCE_BITS)


def run_block_of(runs: Sequence[tuple[int, int]]) -> RunBlock:
    """The run block with these runs, a value and a length each."""
    values = stream_of([value for value, _ in runs])
    return RunBlock(len(runs), values, stream_of([length for _, length in runs]))


def run_blocks_of(_kind: ValueType, values: Sequence[int]) -> list[RunBlock]:
    """The run blocks that an encoder makes, whatever the type."""
    blocks = [values[i : i + RUN_BLOCK_VALUES] for i in range(0, len(values), RUN_BLOCK_VALUES)]
    return [run_block_of([(value, len(list(run))) for value, run in groupby(block)]) for block in blocks]


def encoded_runs(block: bytes, kind: ValueType) -> ForPayload:
    """The payload that an encoder makes of a block, also where it is larger than the raw one."""
    values = kind.load(block)
    return payload_of(kind, run_blocks_of(kind, values), len(values), block[len(values) * kind.size :])


# The reader. It takes nothing from the writer.


@dataclass(frozen=True)
class StreamPlace:
    """Where the parts of a stream are, in words of the payload."""

    start: int
    reference_bits: int
    widths: tuple[int, ...]

    @property
    def first_miniblock(self) -> int:
        """After the widths, which are whole words."""
        return self.start + self.reference_bits // 32 + part(len(self.widths), 4)

    @property
    def end(self) -> int:
        """After the last miniblock."""
        return self.first_miniblock + sum(self.widths)

    def numbers(self, payload: bytes) -> list[int]:
        """A number for each place of its miniblocks, not modulo anything."""
        reference = read_reference(payload, self.start, self.reference_bits)
        numbers = []
        place = self.first_miniblock
        for width in self.widths:
            numbers += [reference + one for one in read_miniblock(payload, place, width)]
            place += width
        return numbers


def read_stream(payload: bytes, start: int, reference_bits: int, runs: int, most_width: int) -> StreamPlace:
    """The stream at this word, with its widths checked."""
    widths = read_widths(payload, start + reference_bits // 32, part(runs, MINIBLOCK_VALUES), most_width)
    return StreamPlace(start, reference_bits, widths)


def read_run_block(payload: bytes, kind: ValueType, start: int, count: int) -> tuple[list[int], int]:
    """The `count` values of the run block at this word, with all rules checked, and the word after it."""
    require(4 * (start + 1) <= len(payload), "payload bytes", "cut before the number of runs")
    runs = word(payload, start)
    require(1 <= runs <= count, "number of runs", f"not 1 to {count}")
    of_values = read_stream(payload, start + 1, kind.reference_bits, runs, kind.bits)
    of_lengths = read_stream(payload, of_values.end, LENGTH_REFERENCE_BITS, runs, MOST_LENGTH_WIDTH)
    require(4 * of_lengths.end <= len(payload), "payload bytes", "cut before the end of the lengths")
    lengths = [length % (1 << 32) for length in of_lengths.numbers(payload)[:runs]]
    for length in lengths:
        require(1 <= length <= count, "lengths", f"{length} is not 1 to {count}")
    require(sum(lengths) == count, "lengths", f"the sum is {sum(lengths)}, not {count}")
    values: list[int] = []
    for value, length in zip(of_values.numbers(payload), lengths, strict=False):
        values += [kind.wrapped(value)] * length
    return values, of_lengths.end


def run_block_end(payload: bytes, kind: ValueType, start: int, _number: int, count: int) -> int:
    """The word after a run block."""
    return read_run_block(payload, kind, start, count)[1]


def largest_run_block(kind: ValueType, _number: int) -> int:
    """Bytes of the largest run block."""
    return kind.reference_bits // 8 + 616 + 512 * kind.size


def most_bytes_of_runs(uncompressed_bytes: int) -> int:
    """Bytes of the largest payload of any type, before its padding."""
    return most_bytes_of_any_type(uncompressed_bytes, RUN_BLOCK_VALUES, largest_run_block)


RFOR_UNITS = Units("run block", RUN_BLOCK_VALUES, most_bytes_of_runs, run_block_end)


def runs_of(payload: bytes, uncompressed_bytes: int) -> Decoded:
    """Decodes a payload for so many bytes, with all rules of section 12.3 checked."""
    found = checked(payload, uncompressed_bytes, RFOR_UNITS)
    values: list[int] = []
    for start in found.starts[:-1]:
        left = found.count - len(values)
        values += read_run_block(payload, found.kind, start, min(left, RUN_BLOCK_VALUES))[0]
    return Decoded(found.kind, values, found.rest)
