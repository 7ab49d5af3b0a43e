"""Files of integers by tile (FORMAT.md, section 12), valid and damaged, with a list of their own."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random

from format_writer import Block, Layout, Written
from tile_integer_for import (
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
    encoded,
    packed_block_of,
    packed_blocks_of,
    packed_of,
    payload_of,
)
from tiles_writer import padding, raw_tiles_block
from xxh64 import xxh64
from zero_length_files import frame

FOLDER = "tile_integer"
FORMAT = "for"
FORMAT_ID = 32
BLOCK_SIZE = 1 << 16


def block_of(payload: ForPayload | Written, output: bytes) -> Block:
    """A block of layout 1, whose record is for `output`."""
    written = payload.written() if isinstance(payload, ForPayload) else payload
    return Block(Layout.NARROW, written, len(output), xxh64(output))


def encoded_block(block: bytes, kind: ValueType) -> Block:
    """The block as an encoder stores it."""
    raw = raw_tiles_block(block)
    packed = block_of(encoded(block, kind), block)
    return packed if len(packed.payload.data) < len(raw.payload.data) else raw


def encoded_frame(data: bytes, kind: ValueType, block_size: int) -> bytes:
    """The frame that an encoder makes."""
    pieces = [data[start : start + block_size] for start in range(0, len(data), block_size)]
    return frame(block_size, [encoded_block(piece, kind) for piece in pieces], FORMAT_ID)


@dataclass(frozen=True)
class Valid:
    """A valid file; encoders make it of `output`, with this type, where `block_size` is said."""

    name: str
    data: bytes
    output: bytes
    block_size: int | None = None
    kind: ValueType | None = None


@dataclass(frozen=True)
class Invalid:
    """An invalid file: the field's name and the number of the block that the error must name."""

    name: str
    data: bytes
    why: str
    field: str
    block: int


def random_values(kind: ValueType, width: int, count: int, seed: int = 0) -> list[int]:
    """Values whose differences from the first one need `width` bits in every miniblock."""
    random = Random(f"{kind.name} {width} {seed}")
    span = (1 << width) - 1
    room = kind.maximum - kind.minimum - span
    lowest = kind.minimum + (random.getrandbits(kind.bits) % (room + 1))
    values = [lowest + (random.getrandbits(width) if width else 0) for _ in range(count)]
    values[::MINIBLOCK_VALUES] = [lowest + span] * len(values[::MINIBLOCK_VALUES])
    values[1::PACKED_VALUES] = [lowest] * len(values[1::PACKED_VALUES])
    return values


def middle(kind: ValueType) -> int:
    """The value in the middle of the order: the highest bit changes here."""
    return 0 if kind.signed else 1 << (kind.bits - 1)


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


def padded_file(name: str, kind: ValueType, packed: Sequence[PackedBlock], values: Sequence[int]) -> Valid:
    """A file of one block with these packed blocks, which decode to these values."""
    output = kind.store(values)
    data = frame(BLOCK_SIZE, [block_of(payload_of(kind, packed, len(values)), output)], FORMAT_ID)
    return Valid(f"{kind.name}_{name}.gsst", data, output)


def widened(one: PackedBlock, kind: ValueType, more: int) -> PackedBlock:
    """The same values with more bits than they need, as far as the type allows."""
    return replace(one, widths=tuple(min(width + more + i, kind.bits) for i, width in enumerate(one.widths)))


def lowered(one: PackedBlock, less: int) -> PackedBlock:
    """The same values with a smaller reference."""
    differences = tuple(difference + less for difference in one.differences)
    bits = max(differences).bit_length()
    return PackedBlock(one.reference - less, (bits,) * 4, differences)


def with_garbage(one: PackedBlock, count: int) -> PackedBlock:
    """All bits set in what fills a packed block up from `count` values on."""
    widths = tuple(width or 3 for width in one.widths)
    filled = [(1 << widths[i // MINIBLOCK_VALUES]) - 1 for i in range(count, PACKED_VALUES)]
    return PackedBlock(one.reference, widths, (*one.differences[:count], *filled))


def of_no_encoder() -> Iterator[Valid]:
    """Files that no encoder writes and every decoder reads."""
    for kind in TYPES:
        values = [kind.wrapped(middle(kind) - 10 + i % 23) for i in range(3 * MINIBLOCK_VALUES + 141)]
        packed = packed_blocks_of(values)
        for more in (1, 3, kind.bits):
            wide = [widened(one, kind, more) for one in packed]
            yield padded_file(f"widths_{more}_more", kind, wide, values)
        yield padded_file("reference_below", kind, [lowered(one, 41) for one in packed], values)
        last = len(values) % PACKED_VALUES
        garbage = [*packed[:-1], with_garbage(packed[-1], last)]
        yield padded_file("garbage_behind_values", kind, garbage, values)
        yield padded_file("extremes_packed", kind, packed_blocks_of(extremes(kind, 140)), extremes(kind, 140))
        yield from of_any_reference(kind)
        yield padded_file("one_value_packed", kind, [packed_block_of([kind.maximum])], [kind.maximum])
        rest = bytes(range(1, kind.size))
        if rest:
            payload = payload_of(kind, [], 0, rest)
            data = frame(BLOCK_SIZE, [block_of(payload, rest)], FORMAT_ID)
            yield Valid(f"{kind.name}_rest_packed.gsst", data, rest)
    # No payload for 8 bytes is larger.
    widest = replace(packed_block_of([-1]), widths=(64,) * 4)
    yield padded_file("largest_payload", I64, [widest], [-1])
    yield Valid("raw_though_constant.gsst", frame(4096, [raw_tiles_block(bytes(401))], FORMAT_ID), bytes(401))


def of_any_reference(kind: ValueType) -> Iterator[Valid]:
    """References with which sums wrap, and such as no sign extends to."""
    differences = tuple(i * 5 % 8 for i in range(PACKED_VALUES))
    references = {"wraps": kind.maximum - 2, "of_all_ones": (1 << kind.reference_bits) - 1}
    if kind.bits < 32:
        references["beyond_type"] = 0x12345678 << 1
    for name, reference in references.items():
        packed = PackedBlock(reference, (3, 3, 3, 3), differences)
        values = [kind.wrapped(reference + difference) for difference in differences]
        yield padded_file(f"reference_{name}", kind, [packed], values)


def valid() -> Iterator[Valid]:
    """All valid files."""
    for name, kind, output, block_size in inputs():
        data = encoded_frame(output, kind, block_size)
        yield Valid(f"{name}.gsst", data, output, block_size, kind)
    yield from of_no_encoder()


# Four packed blocks. Block 2 is the largest, the last one is not full, and 12 bytes of padding follow it.
WIDTHS = (5, 9, 28, 6)
VALUES = [value for i, width in enumerate(WIDTHS) for value in random_values(I32, width, 128, i)][:450]
OUTPUT = I32.store(VALUES)
PAYLOAD = encoded(OUTPUT, I32)


def with_payload(payload: ForPayload | Written, output: bytes = OUTPUT, first: bytes = OUTPUT) -> bytes:
    """A frame whose block 1 has this payload, behind a valid block."""
    return frame(len(first), [block_of(encoded(first, I32), first), block_of(payload, output)], FORMAT_ID)


def wrong(name: str, payload: ForPayload | Written, why: str, field: str) -> Invalid:
    """A file whose block 1 has this payload for OUTPUT."""
    return Invalid(f"{name}.gsst", with_payload(payload), why, field, 1)


def cut(name: str, payload: bytes, size: int, output: bytes = OUTPUT) -> Invalid:
    """A file whose block 1 has the first `size` bytes of this payload, with zeros where there are no more."""
    written = Written()
    written.add("bytes", payload[:size].ljust(size, b"\0"))
    data = with_payload(written, output, output)
    return Invalid(f"{name}.gsst", data, "the fields add up to another size", "payload bytes", 1)


def wrong_headers() -> Iterator[Invalid]:
    """Fields of the header, one at a time."""
    for number in (6, 255):
        yield wrong(f"type_{number}", replace(PAYLOAD, type=number), "there is no such type", "type")
    for place in (*range(1, 4), *range(12, 16)):
        payload = PAYLOAD.written()
        payload.data[place] = 1 if place % 2 else 0x80
        yield wrong(f"reserved_{place}", payload, "reserved bytes are 0", "reserved")
    field = "largest packed block"
    largest = PAYLOAD.largest
    for name, value in (
        ("less", largest - 1),
        ("more", largest + 1),
        ("0", 0),
        ("2_32", (1 << 32) - 1),
    ):
        why = f"the largest one has {largest} words"
        yield wrong(f"largest_packed_block_{name}", replace(PAYLOAD, largest=value), why, field)
    field = "number of values"
    for name, value in (("less", 449), ("more", 451), ("0", 0), ("in_bytes", 1800), ("2_32", (1 << 32) - 1)):
        yield wrong(f"number_of_values_{name}", replace(PAYLOAD, count=value), "there are 450", field)
    why = "as many bytes are another number of values of this type"
    yield wrong("type_of_other_size", replace(PAYLOAD, type=I16.number), why, field)


def wrong_headers_of_other_blocks() -> Iterator[Invalid]:
    """Numbers about a border of packed blocks, and a block without any."""
    full = I32.store(random_values(I32, 6, 256))
    for value in (255, 257):
        data = with_payload(replace(encoded(full, I32), count=value), full, full)
        name = f"number_of_values_{value}_for_256.gsst"
        yield Invalid(name, data, "there are 256", "number of values", 1)
    rest = b"\1\2\3"
    data = with_payload(replace(encoded(rest, I32), largest=1), rest, rest * 9)
    why = "there is no packed block"
    yield Invalid("largest_packed_block_of_none.gsst", data, why, "largest packed block", 1)


def moved(index: int, start: int) -> ForPayload:
    """PAYLOAD with another start."""
    return replace(PAYLOAD, starts=(*PAYLOAD.starts[:index], start, *PAYLOAD.starts[index + 1 :]))


def wrong_starts() -> Iterator[Invalid]:
    """Starts that are not what the rule says."""
    starts = PAYLOAD.starts
    words = len(PAYLOAD.written().data) // 4
    for index, name, start, why in (
        (0, "first_start_less", starts[0] - 1, "the first packed block is behind the starts"),
        (0, "first_start_more", starts[0] + 1, "the first packed block is behind the starts"),
        (0, "first_start_0", 0, "the first packed block is behind the starts"),
        (1, "start_1_less", starts[1] - 1, "the widths say otherwise"),
        (1, "start_1_more", starts[1] + 1, "the widths say otherwise"),
        (1, "start_1_of_start_0", starts[0], "a packed block of no words"),
        (1, "start_1_before_start_0", starts[0] - 1, "starts ascend"),
        (2, "start_2_past_payload", words + 1, "behind the end of the payload"),
        (2, "start_2_largest", (1 << 32) - 1, "behind the end of the payload"),
        (2, "start_2_2_30_more", starts[2] + (1 << 30), "behind the end, though not in bytes of 32 bits"),
        (4, "end_in_padding", starts[4] + 1, "the end of the last packed block is a word before"),
    ):
        yield wrong(name, moved(index, start), why, "starts")
    swapped = (*starts[:2], starts[3], starts[2], starts[4])
    yield wrong("starts_swapped", replace(PAYLOAD, starts=swapped), "starts ascend", "starts")
    if len(PAYLOAD.written().get("padding")) < 4:
        raise ValueError("the padding must have room for a word")


def wrong_end() -> Iterator[Invalid]:
    """An end with which the payload bytes agree, but not the widths."""
    longer = replace(moved(4, PAYLOAD.starts[4] + 4), packed=PAYLOAD.packed + bytes(16))
    yield wrong("end_with_words_more", longer, "the widths say otherwise", "starts")


def with_widths(block: int, change: Callable[[list[int]], None]) -> ForPayload:
    """PAYLOAD with other widths in a packed block, and the same words behind them."""
    packed = bytearray(PAYLOAD.packed)
    place = 4 * (PAYLOAD.starts[block] - PAYLOAD.starts[0] + 1)
    widths = list(packed[place : place + 4])
    change(widths)
    packed[place : place + 4] = bytes(widths)
    return replace(PAYLOAD, packed=bytes(packed))


def adding(miniblock: int, more: int) -> Callable[[list[int]], None]:
    """A change of one width."""

    def change(widths: list[int]) -> None:
        widths[miniblock] += more

    return change


def wrong_widths() -> Iterator[Invalid]:
    """Widths that starts do not agree with, and widths above the type's, with which they do."""
    for block, miniblock, more in ((0, 0, 1), (0, 3, -1), (1, 2, 1), (3, 1, -1)):
        name = f"width_{miniblock}_of_packed_block_{block}_{'more' if more > 0 else 'less'}"
        yield wrong(name, with_widths(block, adding(miniblock, more)), "starts say otherwise", "starts")
    for kind in TYPES:
        values = random_values(kind, min(5, kind.bits), 200)
        output = kind.store(values)
        for block, miniblock in ((0, 0), (0, 3), (1, 1), (1, 3)):
            packed = packed_blocks_of(values)
            widths = list(packed[block].widths)
            widths[miniblock] = kind.bits + 1
            packed[block] = replace(packed[block], widths=tuple(widths))
            data = with_payload(payload_of(kind, packed, 200), output, output)
            name = f"{kind.name}_width_{kind.bits + 1}_of_miniblock_{miniblock}_of_packed_block_{block}.gsst"
            yield Invalid(name, data, "values are not so wide", "widths", 1)
    one = replace(packed_blocks_of(VALUES[:128])[0], widths=(5, 255, 5, 5))
    packed = [one, *packed_blocks_of(VALUES[128:])]
    yield wrong("i32_width_255", payload_of(I32, packed, len(VALUES)), "values are not so wide", "widths")


def wrong_sizes() -> Iterator[Invalid]:
    """Payloads that are cut or longer; the frame around them agrees."""
    whole = packed_of(OUTPUT, I32)
    yield cut("no_payload", whole, 0)
    yield cut("cut_in_header", whole, 8)
    yield cut("cut_in_starts", whole, 24)
    for block, start in enumerate(PAYLOAD.starts[:-1]):
        # The widths of this packed block are still there, its last words are not.
        size = (4 * start + 8 + 15) // 16 * 16 + 8
        yield cut(f"cut_in_packed_block_{block}", whole, size)
    yield cut("cut_by_16", whole, len(whole) - 16)
    yield cut("cut_by_1", whole, len(whole) - 1)
    yield cut("cut_by_8", whole, len(whole) - 8)
    yield cut("8_bytes_more", whole, len(whole) + 8)
    yield cut("16_bytes_more", whole, len(whole) + 16)
    yield cut_in_rest()
    # The largest payload for 4 bytes has 536 bytes: an i32 whose widths are all 32.
    value = I32.store([5])
    yield cut("above_bound", packed_of(value, I32), 536 + 16, value)


def cut_in_rest() -> Invalid:
    """A payload that ends inside of the rest."""
    for count in range(1, 40):
        output = U64.store(range(count)) + b"\1\2\3\4\5\6\7"
        payload = encoded(output, U64).written()
        rest = payload.find("rest")
        if rest.start % 16 == 4:
            return cut("cut_in_rest", bytes(payload.data), rest.start + 4, output)
    raise ValueError("no rest has a place where it can be cut")


def wrong_padding() -> Iterator[Invalid]:
    """Padding that is not 0, of both layouts."""
    payload = PAYLOAD.written()
    size = len(payload.get("padding"))
    for name, place in (("first", 0), ("last", size - 1)):
        bad = bytearray(size)
        bad[place] = 0x80
        yield wrong(f"padding_{name}_byte", replace(PAYLOAD, padding=bytes(bad)), "padding is 0", "padding")
    rest = I32.store(random_values(I32, 4, 64)) + b"\1"
    behind = encoded(rest, I32)
    size = len(behind.written().get("padding"))
    data = with_payload(replace(behind, padding=b"\1" + bytes(size - 1)), rest, rest)
    yield Invalid("padding_behind_rest.gsst", data, "padding is 0", "padding", 1)
    raw = b"abc"
    bad_raw = Written()
    bad_raw.add("raw bytes", raw)
    bad_raw.add("padding", padding(3)[:-1] + b"\1")
    blocks = [encoded_block(OUTPUT, I32), replace(raw_tiles_block(raw), payload=bad_raw)]
    yield Invalid(
        "padding_of_raw_block.gsst", frame(len(OUTPUT), blocks, FORMAT_ID), "padding is 0", "padding", 1
    )


def invalid() -> Iterator[Invalid]:
    """All invalid files."""
    yield from wrong_headers()
    yield from wrong_headers_of_other_blocks()
    yield from wrong_starts()
    yield from wrong_end()
    yield from wrong_widths()
    yield from wrong_sizes()
    yield from wrong_padding()


def valid_entry(good: Valid) -> dict[str, object]:
    """What the list says of a valid file."""
    return {
        "file": f"valid/{good.name}",
        "format": FORMAT,
        "size": len(good.output),
        "xxh64": f"{xxh64(good.output):016x}",
        "block_size": good.block_size,
        "options": {} if good.kind is None else {"type": good.kind.number},
    }


def invalid_entry(bad: Invalid) -> dict[str, object]:
    """What the list says of an invalid file."""
    return {
        "file": f"invalid/{bad.name}",
        "format": FORMAT,
        "why": bad.why,
        "field": bad.field,
        "block": bad.block,
    }


def tile_integer_files() -> dict[str, bytes]:
    """Every file, by its path below data/golden, with the list of them."""
    files: dict[str, bytes] = {}
    listed: dict[str, list[dict[str, object]]] = {"valid": [], "invalid": []}
    named = [(good, valid_entry(good), "valid") for good in valid()]
    for file, entry, folder in [*named, *((bad, invalid_entry(bad), "invalid") for bad in invalid())]:
        path = f"{FOLDER}/{folder}/{file.name}"
        if path in files:
            raise ValueError(f"two files are called {path}")
        files[path] = file.data
        listed[folder].append(entry)
    files[f"{FOLDER}/golden.json"] = (json.dumps(listed, indent=1) + "\n").encode()
    return files
