"""Files of integers by tile (FORMAT.md, section 12), valid and damaged, with a list of their own."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from random import Random

from format_writer import Written
from listed_files import files_with_list
from tile_integer_bp import bp_invalid, bp_valid
from tile_integer_coding import (
    BLOCK_SIZE,
    Coding,
    Invalid,
    Valid,
    block_of,
    cut,
    encoded_block,
    encoded_frame,
    middle,
    moved,
    padded_file,
    random_values,
    with_payload,
    wrong,
)
from tile_integer_delta_nsf import delta_nsf_invalid, delta_nsf_valid
from tile_integer_dfor import DFOR_UNITS, DeltaBlock, base_words, delta_blocks_of
from tile_integer_dict import dict_invalid, dict_valid
from tile_integer_for import (
    FOR_UNITS,
    I16,
    I32,
    I64,
    MINIBLOCK_VALUES,
    PACKED_VALUES,
    TYPES,
    U32,
    U64,
    ForPayload,
    PackedBlock,
    ValueType,
    WordsBefore,
    no_words,
    packed_blocks_of,
    payload_of,
)
from tile_integer_ifor import IFOR, interleaved_inputs, interleaved_of_no_encoder, invalid_interleaved
from tile_integer_layouts import OFOR, VFOR, layouts_invalid, layouts_valid
from tile_integer_nsf import nsf_invalid, nsf_valid
from tile_integer_nsv import nsv_invalid, nsv_valid
from tile_integer_rle import rle_invalid, rle_valid
from tile_integer_run_files import RFOR, invalid_runs, run_inputs, runs_of_no_encoder
from tiles_writer import padding, raw_tiles_block
from xxh64 import xxh64

FOLDER = "tile_integer"


@dataclass(frozen=True)
class PackedCoding(Coding):
    """A format whose units are packed blocks."""

    packed_blocks_of: Callable[[ValueType, Sequence[int]], list[PackedBlock]]
    words_before: WordsBefore


def for_blocks_of(_kind: ValueType, values: Sequence[int]) -> list[PackedBlock]:
    """The packed blocks that an encoder of format for makes, whatever the type."""
    return packed_blocks_of(values)


def values_of_widths(widths: Sequence[int], last_values: int) -> list[int]:
    """A packed block of each width, of which the last one has fewer values."""
    values: list[int] = []
    for i, width in enumerate(widths):
        values += random_values(I32, width, PACKED_VALUES, i)
    return values[: len(values) - PACKED_VALUES + last_values]


FOR = PackedCoding(
    "for",
    32,
    "",
    FOR_UNITS,
    for_blocks_of,
    values_of_widths((5, 9, 28, 6), 66),
    lambda _block: 2,
    for_blocks_of,
    no_words,
)
# The largest packed block begins a chain: without its base it would be a word less.
DFOR = PackedCoding(
    "dfor",
    33,
    "dfor_",
    DFOR_UNITS,
    delta_blocks_of,
    values_of_widths((4, 9, 20, 6, 31, 7), 70),
    lambda block: base_words(I32, block) + 2,
    delta_blocks_of,
    base_words,
)


def outliers(kind: ValueType) -> list[int]:
    """Small numbers with one large one in each miniblock, each time larger and in another place."""
    values = [kind.wrapped(middle(kind) + i % 5) for i in range(9 * MINIBLOCK_VALUES + 7)]
    for i in range(len(values) // MINIBLOCK_VALUES):
        place = i * MINIBLOCK_VALUES + 7 * i % MINIBLOCK_VALUES
        values[place] = kind.wrapped(middle(kind) + (1 << (i * (kind.bits - 2) // 9 + 1)))
    return values


def every_width(kind: ValueType) -> list[int]:
    """A miniblock of each width."""
    random = Random(f"every width of {kind.name}")
    values: list[int] = []
    for width in range(kind.bits + 1):
        # The reference of each packed block is the smallest value of the type.
        values += [kind.minimum + (random.getrandbits(width) if width else 0) for _ in range(31)]
        values.append(kind.minimum + (1 << width) - 1)
        if width % 4 == 0:
            values[-32] = kind.minimum
    return values


def extremes(kind: ValueType, count: int) -> list[int]:
    """The smallest value next to the largest one."""
    return [kind.minimum if i % 2 else kind.maximum for i in range(count)]


def patterns(kind: ValueType) -> Iterator[tuple[str, list[int]]]:
    """Names and values that each type has."""
    start = middle(kind) - 150
    yield "constant", [kind.wrapped(start)] * 300
    yield "constant_minimum", [kind.minimum] * 130
    yield "constant_maximum", [kind.maximum] * 130
    yield "ascending", [kind.wrapped(start + i) for i in range(300)]
    yield "descending", [kind.wrapped(start + 300 - 3 * i) for i in range(300)]
    yield "extremes", extremes(kind, 300)
    yield "extremes_among_constants", [*extremes(kind, 40), *[kind.maximum] * 300, *extremes(kind, 33)]
    yield "outliers", outliers(kind)
    yield "every_width", every_width(kind)
    for width in (0, 1, 7, 8, 15, 16, 31, 32, 33, 63, 64):
        if width <= kind.bits:
            yield f"width_{width}", random_values(kind, width, 150)


def inputs() -> Iterator[tuple[str, ValueType, bytes, int]]:
    """Inputs of encoders: name, type, bytes and block size."""
    for kind in TYPES:
        for name, values in patterns(kind):
            yield f"{kind.name}_{name}", kind, kind.store(values), BLOCK_SIZE
    for kind in (I32, I64):
        for count in (0, 1, 31, 32, 33, 127, 128, 129, 511, 512, 513):
            values = random_values(kind, 5, count) if count > 1 else [7] * count
            yield f"{kind.name}_{count}_values", kind, kind.store(values), BLOCK_SIZE
    for kind in (I16, U32, I64):
        for rest in range(1, kind.size):
            data = kind.store(random_values(kind, 3, 200)) + bytes(range(0xF1, 0xF1 + rest))
            yield f"{kind.name}_rest_of_{rest}", kind, data, BLOCK_SIZE
    yield "i64_rest_alone", I64, b"\1\2\3\4\5", BLOCK_SIZE
    yield from inputs_of_several_blocks()
    # 32 values take 136 bytes raw with their padding. A width of 22 gives 120, both others 136.
    for width in (22, 23, 24):
        data = I32.store(random_values(I32, width, 32))
        yield f"i32_about_raw_width_{width}", I32, data, BLOCK_SIZE


def inputs_of_several_blocks() -> Iterator[tuple[str, ValueType, bytes, int]]:
    """Inputs that are cut, at whole values and elsewhere."""
    for kind in TYPES:
        mixed = kind.store([*range(100), *random_values(kind, kind.bits, 160), *range(90), *[5] * 150])
        whole = 130 * kind.size
        yield f"{kind.name}_blocks", kind, mixed, whole
        if kind.size > 1:
            yield f"{kind.name}_blocks_cut_values", kind, mixed, whole - kind.size // 2
        yield f"{kind.name}_last_block_of_1_byte", kind, mixed[: whole + 1], whole
    yield "i32_blocks_below_a_value", I32, I32.store([1, 2, 3]), 3


def widened(one: PackedBlock, kind: ValueType, more: int) -> PackedBlock:
    """The same values with more bits than they need, as far as the type allows."""
    return replace(one, widths=tuple(min(width + more + i, kind.bits) for i, width in enumerate(one.widths)))


def lowered(one: PackedBlock, less: int) -> PackedBlock:
    """The same values with a smaller reference."""
    differences = tuple(difference + less for difference in one.differences)
    bits = max(differences).bit_length()
    return replace(one, reference=one.reference - less, widths=(bits,) * 4, differences=differences)


def with_garbage(one: PackedBlock, count: int) -> PackedBlock:
    """All bits set in what fills a packed block up from `count` values on."""
    widths = tuple(width or 3 for width in one.widths)
    filled = [(1 << widths[i // MINIBLOCK_VALUES]) - 1 for i in range(count, PACKED_VALUES)]
    return replace(one, widths=widths, differences=(*one.differences[:count], *filled))


def of_no_encoder(coding: PackedCoding) -> Iterator[Valid]:
    """Files that no encoder writes and every decoder reads."""
    for kind in TYPES:
        values = [kind.wrapped(middle(kind) - 10 + i % 23) for i in range(3 * MINIBLOCK_VALUES + 141)]
        packed = coding.packed_blocks_of(kind, values)
        for more in (1, 3, kind.bits):
            wide = [widened(one, kind, more) for one in packed]
            yield padded_file(coding, f"widths_{more}_more", kind, wide, values)
        yield padded_file(coding, "reference_below", kind, [lowered(one, 41) for one in packed], values)
        last = len(values) % PACKED_VALUES
        garbage = [*packed[:-1], with_garbage(packed[-1], last)]
        yield padded_file(coding, "garbage_behind_values", kind, garbage, values)
        extreme = extremes(kind, 140)
        packed = coding.packed_blocks_of(kind, extreme)
        yield padded_file(coding, "extremes_packed", kind, packed, extreme)
        packed = coding.packed_blocks_of(kind, [kind.maximum])
        yield padded_file(coding, "one_value_packed", kind, packed, [kind.maximum])
        rest = bytes(range(1, kind.size))
        if rest:
            payload = payload_of(kind, [], 0, rest)
            data = coding.frame(BLOCK_SIZE, [block_of(payload, rest)])
            yield Valid(coding, f"{kind.name}_rest_packed.gsst", data, rest)
    # Packed blocks of the type's largest size, as many as a tile of the stages has.
    for kind in TYPES:
        values = [kind.wrapped(middle(kind) + i * i) for i in range(4 * PACKED_VALUES)]
        packed = coding.packed_blocks_of(kind, values)
        widest = [replace(one, widths=(kind.bits,) * 4) for one in packed]
        yield padded_file(coding, "largest_tile", kind, widest, values)
    # No payload for 8 bytes is larger.
    widest = [replace(one, widths=(64,) * 4) for one in coding.packed_blocks_of(I64, [-1])]
    yield padded_file(coding, "largest_payload", I64, widest, [-1])
    data = coding.frame(4096, [raw_tiles_block(bytes(401))])
    yield Valid(coding, "raw_though_constant.gsst", data, bytes(401))


def references_of(kind: ValueType) -> Iterator[tuple[str, int]]:
    """References with which sums wrap, and such as no sign extends to."""
    yield "wraps", kind.maximum - 2
    yield "of_all_ones", (1 << kind.reference_bits) - 1
    if kind.bits < 32:
        yield "beyond_type", 0x12345678 << 1


def of_any_reference() -> Iterator[Valid]:
    """Packed blocks of format for with such references."""
    differences = tuple(i * 5 % 8 for i in range(PACKED_VALUES))
    for kind in TYPES:
        for name, reference in references_of(kind):
            packed = PackedBlock(reference, (3, 3, 3, 3), differences)
            values = [kind.wrapped(reference + difference) for difference in differences]
            yield padded_file(FOR, f"reference_{name}", kind, [packed], values)


def chain_inputs() -> Iterator[tuple[str, ValueType, bytes, int]]:
    """Inputs of encoders of chains: lengths about their borders, and differences of every width."""
    for kind in TYPES:
        for count in (384, 385, 511, 512, 513, 640, 1023, 1024, 1025):
            random = Random(f"chains of {kind.name} {count}")
            values = [kind.wrapped(random.getrandbits(3) + 5 * i) for i in range(count)]
            yield f"{kind.name}_chains_{count}_values", kind, kind.store(values), BLOCK_SIZE
        random = Random(f"every width between neighbours of {kind.name}")
        values = [0]
        for width in range(1, kind.bits + 1):
            values += [kind.wrapped(values[-1] + random.getrandbits(width)) for _ in range(31)]
            values.append(kind.wrapped(values[-1] - (1 << (width - 1))))
        yield f"{kind.name}_every_difference", kind, kind.store([kind.wrapped(one) for one in values]), 8192


def of_any_base() -> Iterator[Valid]:
    """Chains whose base, differences and references no encoder writes."""
    for kind in TYPES:
        differences = tuple(i * 5 % 8 for i in range(PACKED_VALUES))
        for name, reference in references_of(kind):
            for base_name, base in references_of(kind):
                packed = [
                    DeltaBlock(reference, (3, 3, 3, 3), differences, None if i % 4 else base - i)
                    for i in range(6)
                ]
                values = []
                value = 0
                for i in range(6 * PACKED_VALUES - 20):
                    if i % (4 * PACKED_VALUES) == 0:
                        value = base - i // PACKED_VALUES
                    value = kind.wrapped(value + reference + differences[i % PACKED_VALUES])
                    values.append(value)
                yield padded_file(DFOR, f"base_{base_name}_reference_{name}", kind, packed, values)


def valid() -> Iterator[Valid]:
    """All valid files."""
    for coding, more in (
        (FOR, []),
        (DFOR, chain_inputs()),
        (RFOR, run_inputs()),
        (IFOR, interleaved_inputs()),
        (OFOR, []),
    ):
        for name, kind, output, block_size in [*inputs(), *more]:
            data = encoded_frame(coding, output, kind, block_size)
            yield Valid(coding, f"{name}.gsst", data, output, block_size, kind)
        if isinstance(coding, PackedCoding):
            yield from of_no_encoder(coding)
    yield from of_any_reference()
    yield from of_any_base()
    yield from runs_of_no_encoder()
    yield from nsf_valid()
    yield from bp_valid()
    yield from rle_valid()
    yield from nsv_valid()
    yield from dict_valid()
    yield from delta_nsf_valid()
    yield from interleaved_of_no_encoder()
    yield from layouts_valid()


def wrong_headers(coding: Coding) -> Iterator[Invalid]:
    """Fields of the header, one at a time."""
    for number in (6, 255):
        payload = replace(coding.payload, type=number)
        yield wrong(coding, f"type_{number}", payload, "there is no such type", "type")
    for place in (*range(1, 4), *range(12, 16)):
        written = coding.payload.written()
        written.data[place] = 1 if place % 2 else 0x80
        yield wrong(coding, f"reserved_{place}", written, "reserved bytes are 0", "reserved")
    field = f"largest {coding.units.name}"
    largest = coding.payload.largest
    for name, value in (
        ("less", largest - 1),
        ("more", largest + 1),
        ("0", 0),
        ("2_32", (1 << 32) - 1),
    ):
        why = f"the largest one has {largest} words"
        payload = replace(coding.payload, largest=value)
        yield wrong(coding, f"{field.replace(' ', '_')}_{name}", payload, why, field)
    field = "number of values"
    count = len(coding.values)
    for name, value in (
        ("less", count - 1),
        ("more", count + 1),
        ("0", 0),
        ("in_bytes", 4 * count),
        ("2_32", (1 << 32) - 1),
    ):
        payload = replace(coding.payload, count=value)
        yield wrong(coding, f"number_of_values_{name}", payload, f"there are {count}", field)
    why = "as many bytes are another number of values of this type"
    yield wrong(coding, "type_of_other_size", replace(coding.payload, type=I16.number), why, field)


def wrong_headers_of_other_blocks(coding: Coding) -> Iterator[Invalid]:
    """Numbers about a border of units, and a block without any."""
    count = 2 * coding.units.values
    full = I32.store(random_values(I32, 6, count))
    for value in (count - 1, count + 1):
        data = with_payload(coding, replace(coding.encoded(full, I32), count=value), full, full)
        name = f"number_of_values_{value}_for_{count}.gsst"
        yield Invalid(coding, name, data, f"there are {count}", "number of values", 1)
    rest = b"\1\2\3"
    data = with_payload(coding, replace(coding.encoded(rest, I32), largest=1), rest, rest * 9)
    field = f"largest {coding.units.name}"
    name = f"{field.replace(' ', '_')}_of_none.gsst"
    yield Invalid(coding, name, data, f"there is no {coding.units.name}", field, 1)


def wrong_starts(coding: Coding) -> Iterator[Invalid]:
    """Starts that are not what the rule says."""
    unit = coding.units.name
    starts = coding.payload.starts
    last = len(starts) - 1
    words = len(coding.payload.written().data) // 4
    for index, name, start, why in (
        (0, "first_start_less", starts[0] - 1, f"the first {unit} is behind the starts"),
        (0, "first_start_more", starts[0] + 1, f"the first {unit} is behind the starts"),
        (0, "first_start_0", 0, f"the first {unit} is behind the starts"),
        (1, "start_1_less", starts[1] - 1, "the widths say otherwise"),
        (1, "start_1_more", starts[1] + 1, "the widths say otherwise"),
        (1, "start_1_of_start_0", starts[0], f"a {unit} of no words"),
        (1, "start_1_before_start_0", starts[0] - 1, "starts ascend"),
        (2, "start_2_past_payload", words + 1, "behind the end of the payload"),
        (2, "start_2_largest", (1 << 32) - 1, "behind the end of the payload"),
        (2, "start_2_2_30_more", starts[2] + (1 << 30), "behind the end, though not in bytes of 32 bits"),
        (last, "end_in_padding", starts[last] + 1, f"the end of the last {unit} is a word before"),
    ):
        yield wrong(coding, name, moved(coding, index, start), why, "starts")
    swapped = (*starts[:2], starts[3], starts[2], *starts[4:])
    yield wrong(coding, "starts_swapped", replace(coding.payload, starts=swapped), "starts ascend", "starts")
    if len(coding.payload.written().get("padding")) < 4:
        raise ValueError("the padding must have room for a word")


def wrong_end(coding: Coding) -> Iterator[Invalid]:
    """An end with which the payload bytes agree, but not the widths."""
    last = len(coding.payload.starts) - 1
    longer = moved(coding, last, coding.payload.starts[last] + 4)
    longer = replace(longer, packed=coding.payload.packed + bytes(16))
    yield wrong(coding, "end_with_words_more", longer, "the widths say otherwise", "starts")


def with_widths(coding: PackedCoding, block: int, change: Callable[[list[int]], None]) -> ForPayload:
    """The payload that is damaged, with other widths in a packed block and the same words behind them."""
    packed = bytearray(coding.payload.packed)
    starts = coding.payload.starts
    place = 4 * (starts[block] - starts[0] + coding.words_before(I32, block) + 1)
    widths = list(packed[place : place + 4])
    change(widths)
    packed[place : place + 4] = bytes(widths)
    return replace(coding.payload, packed=bytes(packed))


def adding(miniblock: int, more: int) -> Callable[[list[int]], None]:
    """A change of one width."""

    def change(widths: list[int]) -> None:
        widths[miniblock] += more

    return change


def wrong_widths(coding: PackedCoding) -> Iterator[Invalid]:
    """Widths that starts do not agree with, and widths above the type's, with which they do."""
    for block, miniblock, more in ((0, 0, 1), (0, 3, -1), (1, 2, 1), (3, 1, -1)):
        name = f"width_{miniblock}_of_packed_block_{block}_{'more' if more > 0 else 'less'}"
        payload = with_widths(coding, block, adding(miniblock, more))
        yield wrong(coding, name, payload, "starts say otherwise", "starts")
    for kind in TYPES:
        values = random_values(kind, min(5, kind.bits), 200)
        output = kind.store(values)
        for block, miniblock in ((0, 0), (0, 3), (1, 1), (1, 3)):
            packed = coding.packed_blocks_of(kind, values)
            widths = list(packed[block].widths)
            widths[miniblock] = kind.bits + 1
            packed[block] = replace(packed[block], widths=tuple(widths))
            data = with_payload(coding, payload_of(kind, packed, 200), output, output)
            name = f"{kind.name}_width_{kind.bits + 1}_of_miniblock_{miniblock}_of_packed_block_{block}.gsst"
            yield Invalid(coding, name, data, "values are not so wide", "widths", 1)
    packed = coding.packed_blocks_of(I32, coding.values)
    packed[0] = replace(packed[0], widths=(5, 255, 5, 5))
    payload = payload_of(I32, packed, len(coding.values))
    yield wrong(coding, "i32_width_255", payload, "values are not so wide", "widths")


def wrong_sizes(coding: Coding) -> Iterator[Invalid]:
    """Payloads that are cut or longer; the frame around them agrees."""
    output = coding.output
    whole = coding.packed_of(output, I32)
    yield cut(coding, "no_payload", whole, 0, output)
    yield cut(coding, "cut_in_header", whole, 8, output)
    yield cut(coding, "cut_in_starts", whole, 24, output)
    for block, start in enumerate(coding.payload.starts[:-1]):
        # The widths of this unit are still there, its last words are not.
        widths_end = 4 * (start + coding.words_to_widths_end(block))
        name = f"cut_in_{coding.units.name.replace(' ', '_')}_{block}"
        yield cut(coding, name, whole, (widths_end + 15) // 16 * 16 + 8, output)
    for less in (16, 1, 8):
        yield cut(coding, f"cut_by_{less}", whole, len(whole) - less, output)
    for more in (8, 16):
        yield cut(coding, f"{more}_bytes_more", whole, len(whole) + more, output)
    yield cut_in_rest(coding)
    value = I32.store([5])
    most = coding.units.most_bytes(len(value))
    most += (8 - most) % 16
    yield cut(coding, "above_bound", coding.packed_of(value, I32), most + 16, value)


def cut_in_rest(coding: Coding) -> Invalid:
    """A payload that ends inside of the rest."""
    # Numbers from 0 on cost no bits as differences between neighbours, their squares do.
    # Interleaved blocks of 8-byte values move the rest by two words each.
    for power, count in (*product((1, 2), range(1, 40)), (1, 3 * coding.units.values + 1)):
        output = U64.store([one**power for one in range(count)]) + b"\1\2\3\4\5\6\7"
        payload = coding.encoded(output, U64).written()
        rest = payload.find("rest")
        if rest.start % 16 == 4:
            return cut(coding, "cut_in_rest", bytes(payload.data), rest.start + 4, output)
    raise ValueError("no rest has a place where it can be cut")


def wrong_padding(coding: Coding) -> Iterator[Invalid]:
    """Padding that is not 0, of both layouts."""
    payload = coding.payload.written()
    size = len(payload.get("padding"))
    for name, place in (("first", 0), ("last", size - 1)):
        bad = bytearray(size)
        bad[place] = 0x80
        changed = replace(coding.payload, padding=bytes(bad))
        yield wrong(coding, f"padding_{name}_byte", changed, "padding is 0", "padding")
    rest = I32.store(random_values(I32, 4, 64)) + b"\1"
    behind = coding.encoded(rest, I32)
    size = len(behind.written().get("padding"))
    data = with_payload(coding, replace(behind, padding=b"\1" + bytes(size - 1)), rest, rest)
    yield Invalid(coding, "padding_behind_rest.gsst", data, "padding is 0", "padding", 1)
    raw = b"abc"
    bad_raw = Written()
    bad_raw.add("raw bytes", raw)
    bad_raw.add("padding", padding(3)[:-1] + b"\1")
    blocks = [encoded_block(coding, coding.output, I32), replace(raw_tiles_block(raw), payload=bad_raw)]
    data = coding.frame(len(coding.output), blocks)
    yield Invalid(coding, "padding_of_raw_block.gsst", data, "padding is 0", "padding", 1)


def wrong_bases() -> Iterator[Invalid]:
    """Chains whose bases are not where they must be."""
    second = DFOR.payload.starts[4]
    payload = moved(DFOR, 4, second + 1)
    yield wrong(DFOR, "start_of_second_chain_behind_base", payload, "it is before the base", "starts")
    for name, block, base, why, field in (
        # The words that follow are taken for references and widths.
        ("no_base_of_first_chain", 0, None, "every chain has a base", "widths"),
        ("no_base_of_second_chain", 4, None, "every chain has a base", "starts"),
        ("base_within_chain", 1, 0, "a chain has one base", "widths"),
    ):
        packed = DFOR.packed_blocks_of(I32, DFOR.values)
        packed[block] = replace(packed[block], base=base)
        yield wrong(DFOR, name, payload_of(I32, packed, len(DFOR.values)), why, field)


def invalid() -> Iterator[Invalid]:
    """All invalid files."""
    for coding in (FOR, DFOR, RFOR, IFOR, VFOR, OFOR):
        yield from wrong_headers(coding)
        yield from wrong_headers_of_other_blocks(coding)
        yield from wrong_starts(coding)
        yield from wrong_end(coding)
        if isinstance(coding, PackedCoding):
            yield from wrong_widths(coding)
        yield from wrong_sizes(coding)
        yield from wrong_padding(coding)
    yield from wrong_bases()
    yield from invalid_runs()
    yield from nsf_invalid()
    yield from bp_invalid()
    yield from rle_invalid()
    yield from nsv_invalid()
    yield from dict_invalid()
    yield from delta_nsf_invalid()
    yield from invalid_interleaved()
    yield from layouts_invalid()


def valid_entry(good: Valid) -> dict[str, object]:
    """What the list says of a valid file."""
    return {
        "file": f"valid/{good.coding.prefix}{good.name}",
        "format": good.coding.name,
        "size": len(good.output),
        "xxh64": f"{xxh64(good.output):016x}",
        "block_size": good.block_size,
        "options": {} if good.kind is None else good.coding.options(good.kind),
    }


def invalid_entry(bad: Invalid) -> dict[str, object]:
    """What the list says of an invalid file."""
    return {
        "file": f"invalid/{bad.coding.prefix}{bad.name}",
        "format": bad.coding.name,
        "why": bad.why,
        "field": bad.field,
        "block": bad.block,
    }


def tile_integer_files() -> dict[str, bytes]:
    """Every file, by its path below data/golden, with the list of them."""
    return files_with_list(
        FOLDER,
        ((valid_entry(good), good.data) for good in valid()),
        ((invalid_entry(bad), bad.data) for bad in invalid()),
    )
