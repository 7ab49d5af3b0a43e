"""Blocks of format ifor (FORMAT.md, section 12.4) and a reader of them, apart from the C++ library."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from format_writer import little
from tile_integer_coding import (
    BLOCK_SIZE,
    Coding,
    Invalid,
    Valid,
    middle,
    moved,
    padded_file,
    random_values,
    with_payload,
    wrong,
)
from tile_integer_for import (
    I32,
    TYPES,
    Decoded,
    Units,
    ValueType,
    checked,
    most_bytes_of_any_type,
    payload_of,
    read_numbers,
    read_reference,
    require,
    word,
    words_of_lane,
)

LANES = 32
NEIGHBOURS = 4
STEP_VALUES = LANES * NEIGHBOURS
INTERLEAVED_VALUES = 1024


# The writer.


@dataclass(frozen=True)
class InterleavedBlock:
    """An interleaved block: reference, width, and what each of 1024 values adds to the reference."""

    reference: int
    width: int
    differences: tuple[int, ...]

    def stored(self, kind: ValueType) -> bytes:
        """The words of the interleaved block, as bytes."""
        lanes = []
        for lane in range(LANES):
            items = [
                one
                for step in range(0, INTERLEAVED_VALUES, STEP_VALUES)
                for one in self.differences[step + NEIGHBOURS * lane : step + NEIGHBOURS * (lane + 1)]
            ]
            lanes.append(little(sum(one << i * self.width for i, one in enumerate(items)), 4 * self.width))
        stored = little(self.reference % (1 << kind.reference_bits), kind.reference_bits // 8)
        return stored + b"".join(lane[4 * i : 4 * i + 4] for i in range(self.width) for lane in lanes)


def interleaved_block_of(values: Sequence[int]) -> InterleavedBlock:
    """The interleaved block that an encoder makes of 1 to 1024 values."""
    reference = min(values)
    differences = [value - reference for value in values] + [0] * (INTERLEAVED_VALUES - len(values))
    return InterleavedBlock(reference, max(differences).bit_length(), tuple(differences))


def interleaved_blocks_of(_kind: ValueType, values: Sequence[int]) -> list[InterleavedBlock]:
    """The interleaved blocks that an encoder makes, whatever the type."""
    starts = range(0, len(values), INTERLEAVED_VALUES)
    return [interleaved_block_of(values[i : i + INTERLEAVED_VALUES]) for i in starts]


# The reader. It takes nothing from the writer.


def interleaved_block_end(payload: bytes, kind: ValueType, start: int, number: int, _values: int) -> int:
    """The word after an interleaved block, which the next start says."""
    end = word(payload, 4 + number + 1)
    words = end - start - kind.reference_bits // 32
    require(words >= 0 and words % LANES == 0, "starts", "not a word of each lane")
    require(words // LANES <= kind.bits, "starts", "a width above the type's")
    return end


def largest_interleaved_block(kind: ValueType, _number: int) -> int:
    """Bytes of the largest interleaved block."""
    return kind.reference_bits // 8 + INTERLEAVED_VALUES * kind.size


def most_bytes_of_interleaved(uncompressed_bytes: int) -> int:
    """Bytes of the largest payload of any type, before its padding."""
    return most_bytes_of_any_type(uncompressed_bytes, INTERLEAVED_VALUES, largest_interleaved_block)


IFOR_UNITS = Units("interleaved block", INTERLEAVED_VALUES, most_bytes_of_interleaved, interleaved_block_end)


def read_differences(payload: bytes, first_word: int, width: int) -> list[int]:
    """What the values of an interleaved block add to the reference."""
    lanes = [
        read_numbers(
            words_of_lane(payload, first_word, width, LANES, lane), width, INTERLEAVED_VALUES // LANES
        )
        for lane in range(LANES)
    ]
    return [
        lanes[place // NEIGHBOURS % LANES][NEIGHBOURS * (place // STEP_VALUES) + place % NEIGHBOURS]
        for place in range(INTERLEAVED_VALUES)
    ]


def interleaved_of(payload: bytes, uncompressed_bytes: int) -> Decoded:
    """Decodes a payload for so many bytes, with all rules of section 12.4 checked."""
    found = checked(payload, uncompressed_bytes, IFOR_UNITS)
    reference_words = found.kind.reference_bits // 32
    values: list[int] = []
    for start, end in pairwise(found.starts):
        reference = read_reference(payload, start, found.kind.reference_bits)
        width = (end - start - reference_words) // LANES
        differences = read_differences(payload, start + reference_words, width)
        values += [found.kind.wrapped(reference + one) for one in differences]
    return Decoded(found.kind, values[: found.count], found.rest)


# Files.


def damaged_interleaved_values() -> list[int]:
    """Interleaved blocks of several widths, and a last one that is not full."""
    values: list[int] = []
    for i, width in enumerate((5, 9, 28, 6)):
        values += random_values(I32, width, INTERLEAVED_VALUES, i)
    return values[: 3 * INTERLEAVED_VALUES + 500]


IFOR = Coding(
    "ifor", 35, "ifor_", IFOR_UNITS, interleaved_blocks_of, damaged_interleaved_values(), lambda _block: 1
)


def interleaved_inputs() -> Iterator[tuple[str, ValueType, bytes, int]]:
    """Inputs of encoders: lengths about the borders of interleaved blocks, and full ones of many widths."""
    for kind in TYPES:
        for count in (895, 1023, 1024, 1025, 2049):
            values = random_values(kind, 3, count)
            yield f"{kind.name}_interleaved_{count}_values", kind, kind.store(values), BLOCK_SIZE
        widths = sorted({0, 1, 2, 5, 8, 11, 13, 17, 24, 29, 31, 32, 33, 47, 63, 64} & {*range(kind.bits + 1)})
        values = [
            kind.wrapped(value)
            for width in widths
            for value in random_values(kind, width, INTERLEAVED_VALUES)
        ]
        yield f"{kind.name}_interleaved_widths", kind, kind.store(values), 1 << 20


def interleaved_of_no_encoder() -> Iterator[Valid]:
    """Files that no encoder writes and every decoder reads."""
    for kind in TYPES:
        values = [kind.wrapped(middle(kind) - 10 + i % 23) for i in range(INTERLEAVED_VALUES + 141)]
        blocks = interleaved_blocks_of(kind, values)
        for more in (1, kind.bits):
            wide = [replace(one, width=min(one.width + more, kind.bits)) for one in blocks]
            yield padded_file(IFOR, f"width_{more}_more", kind, wide, values)
        last = blocks[-1]
        garbage = (*last.differences[:141], *[(1 << last.width) - 1] * (INTERLEAVED_VALUES - 141))
        filled = [*blocks[:-1], replace(last, differences=garbage)]
        yield padded_file(IFOR, "garbage_behind_values", kind, filled, values)
        differences = tuple(i * 5 % 8 for i in range(INTERLEAVED_VALUES))
        for name, reference in (("wraps", kind.maximum - 2), ("of_all_ones", (1 << kind.reference_bits) - 1)):
            block = InterleavedBlock(reference, 3, differences)
            added = [kind.wrapped(reference + difference) for difference in differences]
            yield padded_file(IFOR, f"reference_{name}", kind, [block], added)
        one = [kind.maximum]
        yield padded_file(IFOR, "one_value_packed", kind, interleaved_blocks_of(kind, one), one)
        extremes = [kind.minimum if i % 2 else kind.maximum for i in range(1100)]
        yield padded_file(IFOR, "extremes_packed", kind, interleaved_blocks_of(kind, extremes), extremes)
        rest = bytes(range(1, kind.size))
        if rest:
            yield padded_rest(kind, rest)


def padded_rest(kind: ValueType, rest: bytes) -> Valid:
    """A file of a block without a whole value."""
    file = padded_file(IFOR, "rest_packed", kind, [], [])
    data = with_payload(IFOR, payload_of(kind, [], 0, rest), rest, IFOR.output)
    return replace(file, data=data, output=IFOR.output + rest)


def invalid_interleaved() -> Iterator[Invalid]:
    """Starts that no width has."""
    starts = IFOR.payload.starts
    for name, index, start, why in (
        ("width_33", 1, starts[0] + 1 + 33 * LANES, "values have 32 bits"),
        ("half_of_the_lanes", 2, starts[2] + LANES // 2, "every lane has as many words"),
    ):
        yield wrong(IFOR, f"start_{name}", moved(IFOR, index, start), why, "starts")
    for kind in TYPES:
        values = random_values(kind, 3, 1100)
        output = kind.store(values)
        blocks = interleaved_blocks_of(kind, values)
        blocks[1] = replace(blocks[1], width=kind.bits + 1)
        data = with_payload(IFOR, payload_of(kind, blocks, 1100), output, output)
        name = f"{kind.name}_width_{kind.bits + 1}_of_interleaved_block_1.gsst"
        yield Invalid(IFOR, name, data, "values are not so wide", "starts", 1)
