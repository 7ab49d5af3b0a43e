"""Files of format orc_rle_v1 (FORMAT.md, section 13.3), valid and damaged, and a reader of its blocks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

from codag_streams import (
    BLOCK_SIZE,
    ChunkFormat,
    Invalid,
    Stream,
    Valid,
    block_of,
    encoded_frame,
    in_stream,
    integers_of,
    unzigzag,
    varint,
    wrong_stream,
    zigzag,
)
from tile_integer_for import I8, I16, I32, I64, TYPES, U32, ValueType

# The writer.


def run(count: int, delta: int, first: int, kind: ValueType) -> bytes:
    """A run of values."""
    return bytes((count - 3, delta % 256)) + in_stream(first, kind)


def list_of(values: Sequence[int], kind: ValueType) -> bytes:
    """A list of values."""
    return bytes((256 - len(values),)) + b"".join(in_stream(value, kind) for value in values)


def difference(values: Sequence[int], place: int) -> int:
    """What a value and the one before differ by, as a number of 64 bits with a sign."""
    return (values[place] - values[place - 1] + (1 << 63)) % (1 << 64) - (1 << 63)


def encoded(block: bytes, kind: ValueType) -> bytes:
    """The payload that an encoder makes of a block."""
    values = kind.load(block)
    payload = bytearray((kind.number,))
    pending: list[int] = []
    place = 0
    while place < len(values):
        end = place + 1
        if end < len(values) and -128 <= difference(values, end) <= 127:
            while (
                end < len(values)
                and end < place + 130
                and difference(values, end) == difference(values, place + 1)
            ):
                end += 1
        if end - place >= 3:
            if pending:
                payload += list_of(pending, kind)
                pending = []
            payload += run(end - place, difference(values, place + 1), values[place], kind)
            place = end
            continue
        pending.append(values[place])
        place += 1
        if len(pending) == 128:
            payload += list_of(pending, kind)
            pending = []
    if pending:
        payload += list_of(pending, kind)
    return bytes(payload) + block[len(values) * kind.size :]


V1 = ChunkFormat("orc_rle_v1", 65, "orc_rle_v1_", encoded)


# The reader. It takes nothing from the writer.


def read_run(stream: Stream, room: int, kind: ValueType) -> list[int]:
    """The values of the next run or list."""
    first = stream.take(1)[0]

    def value() -> int:
        return unzigzag(stream.varint()) if kind.signed else stream.varint()

    if first >= 128:
        stream.check_room(256 - first, room)
        return [value() for _ in range(256 - first)]
    stream.check_room(first + 3, room)
    delta = int.from_bytes(stream.take(1), "little", signed=True)
    start = value()
    return [start + i * delta for i in range(first + 3)]


def v1_of(payload: bytes, uncompressed_bytes: int) -> bytes:
    """Decodes a payload of format orc_rle_v1."""
    return integers_of(payload, uncompressed_bytes, read_run)


# The files.


def inputs() -> Iterator[tuple[str, ValueType, bytes, int]]:
    """Inputs of encoders: name, type, bytes and block size."""
    for kind in TYPES:
        random = Random(f"codag {kind.name}")
        low, high = kind.minimum, kind.maximum
        mixed: list[int] = []
        for _ in range(40):
            length = random.choice((1, 2, 3, 4, 9, 130, 131, 140))
            start = random.randint(low, high)
            delta = random.choice((0, 0, 1, -1, 127, -128, 128, 1000))
            mixed += [kind.wrapped(start + i * delta) for i in range(length)]
        rest = bytes(range(0xF1, 0xF1 + kind.size - 1))
        yield f"{kind.name}_mixed", kind, kind.store(mixed) + rest, BLOCK_SIZE
        yield f"{kind.name}_blocks", kind, kind.store(mixed) + rest, 130 * kind.size
        yield f"{kind.name}_cut_values", kind, kind.store(mixed), 1021
        borders = [low, high, 0, high, low, *[low, high] * 9, 1, *[high] * 4, *[low] * 40]
        yield f"{kind.name}_borders", kind, kind.store(borders), BLOCK_SIZE
    for count in (1, 2, 3, 127, 128, 129, 130, 131, 132, 133, 512, 513):
        yield f"run_of_{count}", I64, I64.store([7] * count), BLOCK_SIZE
        squares = [i * i % 8191 for i in range(count)]
        yield f"list_of_{count}", U32, U32.store(squares), BLOCK_SIZE
        yield f"{count}_and_a_run", I16, I16.store([*squares, 5, 5, 5, 5]), BLOCK_SIZE
    yield "nothing", I32, b"", BLOCK_SIZE


def v1_valid() -> Iterator[Valid]:
    """All valid files."""
    for name, kind, output, block_size in inputs():
        data = encoded_frame(V1, output, kind, block_size)
        yield Valid(V1, f"{name}.gsst", data, output, block_size, V1.options(kind))
    # What no encoder writes.
    output = I32.store([5, 6, 7, 5, 5, 5, 9])
    stream = list_of([5], I32) + list_of([6, 7], I32) + run(3, 0, 5, I32) + list_of([9], I32)
    yield Valid(V1, "short_lists.gsst", V1.frame(BLOCK_SIZE, [block_of(b"\2" + stream, output)]), output)
    stream = b"\xf9" + b"".join(varint(zigzag(value), i + 4) for i, value in enumerate(I32.load(output)))
    yield Valid(V1, "long_varints.gsst", V1.frame(BLOCK_SIZE, [block_of(b"\2" + stream, output)]), output)
    output = I8.store([126, 127, -128, -127])
    stream = run(4, 1, 126, I8)
    yield Valid(
        V1, "run_past_its_type.gsst", V1.frame(BLOCK_SIZE, [block_of(b"\0" + stream, output)]), output
    )
    output = I32.store([77, -3])
    stream = list_of([(1 << 40) + 77, -(1 << 40) - 3], I32)
    yield Valid(
        V1, "values_past_their_type.gsst", V1.frame(BLOCK_SIZE, [block_of(b"\2" + stream, output)]), output
    )
    output = b"\1\2\3"
    yield Valid(V1, "rest_alone.gsst", V1.frame(BLOCK_SIZE, [block_of(b"\4" + output, output)]), output)


DAMAGED = I32.store([*[7] * 10, 100, -5, 100, 3000, 8, 6, 4, 2]) + b"\1\2\3"


def v1_invalid() -> Iterator[Invalid]:
    """All invalid files."""
    good = encoded(DAMAGED, I32)
    first = (good, DAMAGED)

    def wrong(name: str, payload: bytes, why: str, status: int, byte: int) -> Invalid:
        return wrong_stream(V1, f"{name}.gsst", [first, (payload, DAMAGED)], why, status, byte)

    def refused(name: str, payload: bytes, why: str, field: str) -> Invalid:
        data = V1.frame(len(DAMAGED), [block_of(good, DAMAGED), block_of(payload, DAMAGED)])
        return Invalid(V1, f"{name}.gsst", data, why, field, 1, None, None)

    for number in (6, 7, 128, 255):
        yield refused(f"type_{number}", bytes((number,)) + good[1:], "there is no such type", "type")
    yield refused("of_no_bytes", b"", "there is no type", "payload bytes")
    yield refused("of_3_bytes", good[:3], "the rest has three bytes", "payload bytes")
    rest = good[-3:]
    runs = [run(10, 0, 7, I32), list_of([100, -5, 100, 3000], I32), run(4, -2, 8, I32)]
    if b"\2" + b"".join(runs) + rest != good:
        raise ValueError("the payload that is damaged is another one")
    list_at = 1 + len(runs[0])
    last_at = list_at + len(runs[1])
    end = last_at + len(runs[2])
    yield wrong("no_runs", b"\2" + rest, "no run, no value", 1, 1)
    yield wrong("no_last_run", good[:last_at] + rest, "four values are missing", 1, last_at)
    short = good[:last_at] + run(3, -2, 8, I32) + rest
    yield wrong("run_of_one_less", short, "a value is missing", 1, end)
    yield wrong("run_of_one_more", good[:last_at] + run(5, -2, 8, I32) + rest, "no room", 2, last_at)
    yield wrong("run_too_many", good[:end] + run(3, 0, 8, I32) + rest, "all values are there", 7, end)
    yield wrong("byte_too_many", good[:end] + b"\0" + rest, "all values are there", 7, end)
    yield wrong("list_of_128", good[:list_at] + b"\x80" + good[list_at + 1 :], "no room", 2, list_at)
    for cut in range(last_at + 1, end):
        yield wrong(f"cut_in_run_at_{cut}", good[:cut] + rest, "the run is cut", 3, last_at)
    for cut in range(list_at + 1, last_at):
        yield wrong(f"cut_in_list_at_{cut}", good[:cut] + rest, "the list is cut", 3, list_at)
    for name, stored in (
        ("of_11_bytes", b"\x80" * 10 + b"\0"),
        ("of_65_bits", b"\x80" * 9 + b"\2"),
        ("with_a_tenth_byte_127", b"\xff" * 9 + b"\x7f"),
    ):
        start = good[:last_at] + b"\1\0"
        yield wrong(f"varint_{name}_in_run", start + stored + rest, "more than 64 bits", 4, last_at)
        start = good[:list_at] + b"\xfc\2"
        yield wrong(f"varint_{name}_in_list", start + stored + rest, "more than 64 bits", 4, list_at)
    yield wrong("varint_of_9_bytes_cut", good[:last_at] + b"\1\0" + b"\x80" * 9 + rest, "cut", 3, last_at)
