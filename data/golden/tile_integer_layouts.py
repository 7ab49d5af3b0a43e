"""Files of formats vfor and ofor (FORMAT.md, sections 12.7 and 12.8), and readers of their blocks."""

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
    block_of,
    encoded_frame,
    middle,
    moved,
    padded_file,
    random_values,
    with_payload,
    wrong,
)
from tile_integer_for import (
    FOR_UNITS,
    I8,
    I16,
    I32,
    I64,
    MINIBLOCKS,
    PACKED_VALUES,
    TYPES,
    U32,
    Decoded,
    PackedBlock,
    Units,
    ValueType,
    checked,
    most_bytes_of_any_type,
    packed_blocks_of,
    payload_of,
    read_numbers,
    read_packed_block,
    read_reference,
    read_widths,
    require,
    word,
    words_of_lane,
)

LANES = 128
VERTICAL_VALUES = 4096


# The writers.


@dataclass(frozen=True)
class VerticalBlock:
    """A vertical block: reference, width, and what each of 4096 values adds to the reference."""

    reference: int
    width: int
    differences: tuple[int, ...]

    def stored(self, kind: ValueType) -> bytes:
        """The words of the vertical block, as bytes."""
        lanes = [
            little(
                sum(one << i * self.width for i, one in enumerate(self.differences[lane::LANES])),
                4 * self.width,
            )
            for lane in range(LANES)
        ]
        stored = little(self.reference % (1 << kind.reference_bits), kind.reference_bits // 8)
        return stored + b"".join(lane[4 * i : 4 * i + 4] for i in range(self.width) for lane in lanes)


def vertical_block_of(values: Sequence[int]) -> VerticalBlock:
    """The vertical block that an encoder makes of 1 to 4096 values."""
    reference = min(values)
    differences = [value - reference for value in values] + [0] * (VERTICAL_VALUES - len(values))
    return VerticalBlock(reference, max(differences).bit_length(), tuple(differences))


def vertical_blocks_of(_kind: ValueType, values: Sequence[int]) -> list[VerticalBlock]:
    """The vertical blocks that an encoder makes, whatever the type."""
    starts = range(0, len(values), VERTICAL_VALUES)
    return [vertical_block_of(values[i : i + VERTICAL_VALUES]) for i in starts]


def one_width_blocks_of(_kind: ValueType, values: Sequence[int]) -> list[PackedBlock]:
    """The packed blocks that an encoder of format ofor makes: those of for, with the largest width."""
    return [replace(one, widths=(max(one.widths),) * MINIBLOCKS) for one in packed_blocks_of(values)]


# The readers. They take nothing from the writers.


def vertical_block_end(payload: bytes, kind: ValueType, start: int, number: int, _values: int) -> int:
    """The word after a vertical block, which the next start says."""
    end = word(payload, 4 + number + 1)
    width, more = divmod(end - start - kind.reference_bits // 32, LANES)
    require(more == 0 and 0 <= width <= kind.bits, "starts", "no vertical block has so many words")
    return end


def most_bytes_of_vertical(uncompressed_bytes: int) -> int:
    """Bytes of the largest payload of any type, before its padding."""

    def largest(kind: ValueType, _number: int) -> int:
        return kind.reference_bits // 8 + VERTICAL_VALUES * kind.size

    return most_bytes_of_any_type(uncompressed_bytes, VERTICAL_VALUES, largest)


VFOR_UNITS = Units("vertical block", VERTICAL_VALUES, most_bytes_of_vertical, vertical_block_end)


def vertical_of(payload: bytes, uncompressed_bytes: int) -> Decoded:
    """Decodes a payload for so many bytes, with all rules of section 12.7 checked."""
    found = checked(payload, uncompressed_bytes, VFOR_UNITS)
    reference_words = found.kind.reference_bits // 32
    values: list[int] = []
    for start, end in pairwise(found.starts):
        reference = read_reference(payload, start, found.kind.reference_bits)
        first = start + reference_words
        width = (end - first) // LANES
        lanes = [
            read_numbers(words_of_lane(payload, first, width, LANES, lane), width, VERTICAL_VALUES // LANES)
            for lane in range(LANES)
        ]
        values += [found.kind.wrapped(reference + one) for row in zip(*lanes, strict=True) for one in row]
    return Decoded(found.kind, values[: found.count], found.rest)


def one_width_block_end(payload: bytes, kind: ValueType, start: int, number: int, values: int) -> int:
    """The word after a packed block, whose widths are the same."""
    end = FOR_UNITS.end(payload, kind, start, number, values)
    widths = read_widths(payload, start + kind.reference_bits // 32, MINIBLOCKS, kind.bits)
    require(len(set(widths)) == 1, "widths", "not one")
    return end


OFOR_UNITS = Units("packed block", PACKED_VALUES, FOR_UNITS.most_bytes, one_width_block_end)


def one_width_of(payload: bytes, uncompressed_bytes: int) -> Decoded:
    """Decodes a payload for so many bytes, with all rules of section 12.8 checked."""
    found = checked(payload, uncompressed_bytes, OFOR_UNITS)
    values: list[int] = []
    for start in found.starts[:-1]:
        values += read_packed_block(payload, found.kind, start)
    return Decoded(found.kind, values[: found.count], found.rest)


# Files.


def damaged_values(widths: Sequence[int], unit_values: int, last_values: int) -> list[int]:
    """A unit of each width, of which the last one is not full."""
    values: list[int] = []
    for i, width in enumerate(widths):
        values += random_values(I32, width, unit_values, i)
    return values[: len(values) - unit_values + last_values]


VFOR = Coding(
    "vfor",
    36,
    "vfor_",
    VFOR_UNITS,
    vertical_blocks_of,
    damaged_values((1, 2, 5, 3), VERTICAL_VALUES, 500),
    lambda _block: 1,
)
OFOR = Coding(
    "ofor",
    37,
    "ofor_",
    OFOR_UNITS,
    one_width_blocks_of,
    damaged_values((5, 9, 28, 6), PACKED_VALUES, 66),
    lambda _block: 2,
)


def vertical_inputs() -> Iterator[tuple[str, ValueType, bytes, int]]:
    """Inputs of encoders: lengths about the borders of vertical blocks, rests, widths, and several blocks."""
    for kind in TYPES:
        for count in (3967, 4095, 4096, 4097):
            yield f"{kind.name}_{count}_values", kind, kind.store(random_values(kind, 3, count)), BLOCK_SIZE
        yield f"{kind.name}_constant", kind, kind.store([kind.maximum] * 4200), BLOCK_SIZE
        widths = (0, 1, kind.bits // 2 + 1)
        values = [one for width in widths for one in random_values(kind, width, VERTICAL_VALUES)]
        yield f"{kind.name}_widths", kind, kind.store(values), 1 << 20
        mixed = kind.store([*range(60), *random_values(kind, 2, 4200), *random_values(kind, kind.bits, 160)])
        yield f"{kind.name}_blocks_cut_values", kind, mixed, 4100 * kind.size - kind.size // 2
        yield f"{kind.name}_last_block_of_1_byte", kind, mixed[: 2000 * kind.size + 1], 2000 * kind.size
    for kind in (I16, U32, I64):
        for rest in range(1, kind.size):
            data = kind.store(random_values(kind, 2, 4000)) + bytes(range(0xF1, 0xF1 + rest))
            yield f"{kind.name}_rest_of_{rest}", kind, data, BLOCK_SIZE
    for kind in (I32, I64):
        values = random_values(kind, kind.bits - 1, VERTICAL_VALUES)
        yield f"{kind.name}_width_{kind.bits - 1}", kind, kind.store(values), BLOCK_SIZE
    for count in (0, 1, 2, 300):
        yield f"i32_{count}_values", I32, I32.store([7] * count), BLOCK_SIZE


def vertical_of_no_encoder() -> Iterator[Valid]:
    """Files that no encoder writes and every decoder reads."""
    for kind in TYPES:
        values = [kind.wrapped(middle(kind) - 2 + i % 5) for i in range(VERTICAL_VALUES + 141)]
        blocks = vertical_blocks_of(kind, values)
        yield padded_file(
            VFOR, "width_1_more", kind, [replace(one, width=one.width + 1) for one in blocks], values
        )
        last = blocks[-1]
        garbage = (*last.differences[:141], *[(1 << last.width) - 1] * (VERTICAL_VALUES - 141))
        filled = [*blocks[:-1], replace(last, differences=garbage)]
        yield padded_file(VFOR, "garbage_behind_values", kind, filled, values)
        differences = tuple(i * 5 % 8 for i in range(VERTICAL_VALUES))
        for name, reference in (("wraps", kind.maximum - 2), ("of_all_ones", (1 << kind.reference_bits) - 1)):
            added = [kind.wrapped(reference + difference) for difference in differences]
            yield padded_file(
                VFOR, f"reference_{name}", kind, [VerticalBlock(reference, 3, differences)], added
            )
        one = [kind.maximum]
        yield padded_file(VFOR, "one_value_packed", kind, vertical_blocks_of(kind, one), one)
        yield from packed_rest(VFOR, kind)
    extremes = [I16.minimum if i % 2 else I16.maximum for i in range(300)]
    yield padded_file(VFOR, "extremes_packed", I16, vertical_blocks_of(I16, extremes), extremes)
    # No payload for 8 bytes is larger.
    largest = [replace(one, width=64) for one in vertical_blocks_of(I64, [-1])]
    yield padded_file(VFOR, "largest_payload", I64, largest, [-1])


def packed_rest(coding: Coding, kind: ValueType) -> Iterator[Valid]:
    """A file of a block without a whole value."""
    rest = bytes(range(1, kind.size))
    if rest:
        data = coding.frame(BLOCK_SIZE, [block_of(payload_of(kind, [], 0, rest), rest)])
        yield Valid(coding, f"{kind.name}_rest_packed.gsst", data, rest)


def one_width_of_no_encoder() -> Iterator[Valid]:
    """Files that no encoder writes and every decoder reads."""
    for kind in TYPES:
        values = [kind.wrapped(middle(kind) - 10 + i % 23) for i in range(PACKED_VALUES + 45)]
        blocks = one_width_blocks_of(kind, values)
        for more in (1, kind.bits):
            wide = [
                replace(one, widths=(min(one.widths[0] + more, kind.bits),) * MINIBLOCKS) for one in blocks
            ]
            yield padded_file(OFOR, f"width_{more}_more", kind, wide, values)
        last = blocks[-1]
        garbage = (*last.differences[:45], *[(1 << last.widths[0]) - 1] * (PACKED_VALUES - 45))
        filled = [*blocks[:-1], replace(last, differences=garbage)]
        yield padded_file(OFOR, "garbage_behind_values", kind, filled, values)
        differences = tuple(i * 5 % 8 for i in range(PACKED_VALUES))
        reference = kind.maximum - 2
        added = [kind.wrapped(reference + difference) for difference in differences]
        block = PackedBlock(reference, (3,) * MINIBLOCKS, differences)
        yield padded_file(OFOR, "reference_wraps", kind, [block], added)
        yield from packed_rest(OFOR, kind)


def layouts_valid() -> Iterator[Valid]:
    """Valid files, without those of inputs that all formats have."""
    for name, kind, output, block_size in vertical_inputs():
        data = encoded_frame(VFOR, output, kind, block_size)
        yield Valid(VFOR, f"{name}.gsst", data, output, block_size, kind)
    yield from vertical_of_no_encoder()
    yield from one_width_of_no_encoder()


def layouts_invalid() -> Iterator[Invalid]:
    """Starts that no width has, and widths that differ, besides what is damaged in all formats."""
    starts = VFOR.payload.starts
    for name, index, start, why in (
        ("width_33", 1, starts[0] + 1 + 33 * LANES, "values have 32 bits"),
        ("quarter_of_the_lanes", 2, starts[2] + LANES // 4, "every lane has as many words"),
    ):
        yield wrong(VFOR, f"start_{name}", moved(VFOR, index, start), why, "starts")
    for kind in (I8, I32):
        values = random_values(kind, 1, VERTICAL_VALUES + 50)
        output = kind.store(values)
        blocks = vertical_blocks_of(kind, values)
        blocks[1] = replace(blocks[1], width=kind.bits + 1)
        data = with_payload(VFOR, payload_of(kind, blocks, len(values)), output, output)
        name = f"{kind.name}_width_{kind.bits + 1}_of_vertical_block_1.gsst"
        yield Invalid(VFOR, name, data, "values are not so wide", "starts", 1)
    count = len(OFOR.values)
    for place in range(MINIBLOCKS):
        packed = one_width_blocks_of(I32, OFOR.values)
        widths = list(packed[1].widths)
        widths[place] += 1
        packed[1] = replace(packed[1], widths=tuple(widths))
        name = f"width_{place}_of_packed_block_1_more"
        yield wrong(OFOR, name, payload_of(I32, packed, count), "a packed block has one width", "widths")
    for kind in TYPES:
        values = random_values(kind, min(5, kind.bits), 200)
        output = kind.store(values)
        packed = one_width_blocks_of(kind, values)
        packed[1] = replace(packed[1], widths=(kind.bits + 1,) * MINIBLOCKS)
        data = with_payload(OFOR, payload_of(kind, packed, 200), output, output)
        name = f"{kind.name}_width_{kind.bits + 1}_of_packed_block_1.gsst"
        yield Invalid(OFOR, name, data, "values are not so wide", "widths", 1)
