"""Files of format orc_rle_v2 (FORMAT.md, section 13.5), valid and damaged, and a reader of its blocks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
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
from tile_integer_for import I8, I16, I32, I64, TYPES, U32, U64, ValueType

WIDTHS = (*range(1, 25), 26, 28, 30, 32, 40, 48, 56, 64)
ALIGNED = (1, 2, 4, 8, 16, 24, 32, 40, 48, 56, 64)
MASK = (1 << 64) - 1

# The writer. Each part is said explicitly, so that it can be wrong.


def stored(value: int, kind: ValueType) -> int:
    """The stored number of a value."""
    return zigzag(value) if kind.signed else value


def packed(numbers: Sequence[int], width: int) -> bytes:
    """Numbers of `width` bits, the highest bit first."""
    if any(number >> width for number in numbers):
        raise ValueError(f"numbers of {width} bits do not fit")
    bits = 0
    for number in numbers:
        bits = bits << width | number
    size = -(-len(numbers) * width // 8)
    return (bits << (8 * size - len(numbers) * width)).to_bytes(size, "big")


def start(kind: int, code: int, count: int) -> bytes:
    """The first two bytes of a run."""
    return (kind << 14 | code << 9 | count - 1).to_bytes(2, "big")


def repeat(value: int, count: int, kind: ValueType, size: int | None = None) -> bytes:
    """A short repeat, with as few bytes of the value as it needs, or so many."""
    number = stored(value, kind)
    size = size or max(1, -(-number.bit_length() // 8))
    return bytes((size - 1 << 3 | count - 3,)) + number.to_bytes(size, "big")


def direct(values: Sequence[int], width: int, kind: ValueType) -> bytes:
    """A direct run."""
    numbers = [stored(value, kind) for value in values]
    return start(1, WIDTHS.index(width), len(values)) + packed(numbers, width)


def delta(first: int, step: int, magnitudes: Sequence[int], width: int, kind: ValueType) -> bytes:
    """A delta run with differences, which is two values longer than these."""
    head = start(3, WIDTHS.index(width), len(magnitudes) + 2)
    return head + in_stream(first, kind) + varint(zigzag(step)) + packed(magnitudes, width)


def fixed_delta(first: int, step: int, count: int, kind: ValueType) -> bytes:
    """A delta run whose differences are the same."""
    return start(3, 0, count) + in_stream(first, kind) + varint(zigzag(step))


@dataclass(frozen=True)
class PatchedBase:
    """A patched base; codes and fields can be wrong."""

    base: int
    numbers: Sequence[int]
    width: int
    entries: Sequence[tuple[int, int]] = ()
    patch_width: int = 1
    gap_width: int = 1
    base_bytes: int = 1

    def run(self) -> bytes:
        """The run."""
        least = min(64, self.gap_width + self.patch_width)
        entry_width = next(width for width in WIDTHS if width >= least)
        sign = 1 << 8 * self.base_bytes - 1 if self.base < 0 else 0
        return (
            start(2, WIDTHS.index(self.width), len(self.numbers))
            + bytes((self.base_bytes - 1 << 5 | WIDTHS.index(self.patch_width),))
            + bytes((self.gap_width - 1 << 5 | len(self.entries),))
            + (sign | abs(self.base)).to_bytes(self.base_bytes, "big")
            + packed(self.numbers, self.width)
            + packed([gap << self.patch_width | patch for gap, patch in self.entries], entry_width)
        )

    def values(self, kind: ValueType) -> list[int]:
        """The values that it decodes to."""
        numbers = list(self.numbers)
        place = 0
        for gap, patch in self.entries:
            place += gap
            numbers[place] += patch << self.width
        return [kind.wrapped(self.base + number) for number in numbers]


# The encoder.


def signed(number: int) -> int:
    """A number modulo 2^64 with a sign."""
    return (number + (1 << 63)) % (1 << 64) - (1 << 63)


def best_direct(values: Sequence[int], widths: Sequence[int], kind: ValueType) -> bytes:
    """The direct run of an encoder."""
    bits = max(stored(value, kind).bit_length() for value in values)
    return direct(values, next(width for width in widths if width >= bits), kind)


def best_delta(values: Sequence[int], widths: Sequence[int], kind: ValueType) -> bytes | None:
    """The delta run of an encoder, if there is one."""
    if len(values) <= 3:
        return None
    steps = [signed(after - before) for before, after in pairwise(values)]
    if len(set(steps)) == 1:
        return fixed_delta(values[0], steps[0], len(values), kind)
    if steps[0] == 0 or any(step * steps[0] < 0 for step in steps):
        return None
    magnitudes = [abs(step) for step in steps[1:]]
    bits = max(2, max(magnitudes).bit_length())
    return delta(values[0], steps[0], magnitudes, next(width for width in widths if width >= bits), kind)


def best_patched(values: Sequence[int]) -> bytes | None:
    """The patched base of an encoder, if there is one."""
    base = min(signed(value) for value in values)
    if abs(base) >= 1 << 56:
        return None
    numbers = [(value - base) & MASK for value in values]
    allowed = len(values) // 20
    width = next(w for w in WIDTHS if sum(number >> w > 0 for number in numbers) <= allowed)
    most = max(numbers).bit_length()
    if most <= width:
        return None
    if most - width > 56:
        width = 8
    entries: list[tuple[int, int]] = []
    last = 0
    for place, number in enumerate(numbers):
        if number >> width:
            fillers = max(0, place - last - 1) // 255
            entries += [(255, 0)] * fillers
            entries.append((place - last - 255 * fillers, number >> width))
            last = place
    return PatchedBase(
        base,
        [number & (1 << width) - 1 for number in numbers],
        width,
        entries,
        next(w for w in WIDTHS if w >= most - width),
        max(1, max(gap for gap, _ in entries).bit_length()),
        next(size for size in range(1, 9) if abs(base) < 1 << 8 * size - 1),
    ).run()


def encoded_with(widths: Sequence[int], block: bytes, kind: ValueType) -> bytes:
    """The payload that an encoder makes of a block."""
    values = kind.load(block)
    lengths = [1] * len(values)
    for place in range(len(values) - 2, -1, -1):
        if values[place] == values[place + 1]:
            lengths[place] = lengths[place + 1] + 1
    payload = bytearray((kind.number,))
    place = 0
    while place < len(values):
        if lengths[place] >= 3:
            count = min(lengths[place], 512)
            one = values[place]
            payload += repeat(one, count, kind) if count <= 10 else fixed_delta(one, 0, count, kind)
        else:
            count = 1
            while count < 512 and place + count < len(values) and lengths[place + count] < 3:
                count += 1
            some = values[place : place + count]
            runs = [best_direct(some, widths, kind), best_delta(some, widths, kind), best_patched(some)]
            payload += min((run for run in runs if run is not None), key=len)
        place += count
    return bytes(payload) + block[len(values) * kind.size :]


def encoded(block: bytes, kind: ValueType) -> bytes:
    """The payload with aligned widths."""
    return encoded_with(ALIGNED, block, kind)


def tightly_encoded(block: bytes, kind: ValueType) -> bytes:
    """The payload with tight widths."""
    return encoded_with(WIDTHS, block, kind)


V2 = ChunkFormat("orc_rle_v2", 66, "orc_rle_v2_", encoded)
TIGHT_V2 = ChunkFormat("orc_rle_v2", 66, "orc_rle_v2_", tightly_encoded)


# The reader. It takes nothing from the writer.


def width_of(code: int) -> int:
    """The width of a code."""
    if code > 27:
        return (40, 48, 56, 64)[code - 28]
    return code + 1 if code < 24 else (26, 28, 30, 32)[code - 24]


def unpacked(stream: Stream, count: int, width: int) -> list[int]:
    """The next numbers."""
    size = (count * width + 7) // 8
    bits = int.from_bytes(stream.take(size), "big")
    return [bits >> 8 * size - width * (i + 1) & (1 << width) - 1 for i in range(count)]


def patched_values(stream: Stream, code: int, count: int, room: int) -> list[int]:
    """The values of a patched base after its first two bytes."""
    third, fourth = stream.take(2)
    stream.check_room(count, room)
    width, patch_width, gap_width = width_of(code), width_of(third & 31), (fourth >> 5) + 1
    if width == 64 or gap_width + patch_width > 64:
        raise stream.fail(5)
    base_bytes = (third >> 5) + 1
    base = int.from_bytes(stream.take(base_bytes), "big")
    half = 1 << 8 * base_bytes - 1
    if base >= half:
        base = half - base
    numbers = unpacked(stream, count, width)
    entry_width = min(w for w in map(width_of, range(32)) if w >= gap_width + patch_width)
    places: list[int] = []
    for entry in unpacked(stream, fourth & 31, entry_width):
        gap, patch = divmod(entry, 1 << patch_width)
        place = places[-1] + gap if places else gap
        if place >= count or place in places:
            raise stream.fail(6)
        places.append(place)
        numbers[place] += patch << width
    return [base + number for number in numbers]


def delta_values(stream: Stream, code: int, count: int, kind: ValueType) -> list[int]:
    """The values of a delta run after its first two bytes."""
    first = stream.varint()
    values = [unzigzag(first) if kind.signed else first]
    step = unzigzag(stream.varint())
    magnitudes = [abs(step)] * max(0, count - 2)
    if code:
        magnitudes = unpacked(stream, max(0, count - 2), width_of(code))
    for magnitude in [abs(step), *magnitudes][: count - 1]:
        values.append(values[-1] + (magnitude if step >= 0 else -magnitude))
    return values


def read_run(stream: Stream, room: int, kind: ValueType) -> list[int]:
    """The values of the next run."""
    first = stream.take(1)[0]
    sort, code = first // 64, first // 2 % 32

    def values_of(numbers: list[int]) -> list[int]:
        return [unzigzag(number) for number in numbers] if kind.signed else numbers

    if sort == 0:
        count = first % 8 + 3
        stream.check_room(count, room)
        return values_of([int.from_bytes(stream.take(first // 8 + 1), "big")] * count)
    count = first % 2 * 256 + stream.take(1)[0] + 1
    if sort == 2:
        return patched_values(stream, code, count, room)
    stream.check_room(count, room)
    if sort == 1:
        return values_of(unpacked(stream, count, width_of(code)))
    return delta_values(stream, code, count, kind)


def v2_of(payload: bytes, uncompressed_bytes: int) -> bytes:
    """Decodes a payload of format orc_rle_v2."""
    return integers_of(payload, uncompressed_bytes, read_run)


# The files.


def outliers(kind: ValueType, width: int, count: int, seed: int) -> list[int]:
    """Values of which a few have all bits and the others this many."""
    random = Random(f"{kind.name} {width} {seed}")
    low = max(kind.minimum, -(1 << 40))
    bits = kind.bits - 1 if kind.signed else kind.bits
    values = [low + random.getrandbits(width) for _ in range(count)]
    for place in random.sample(range(count), count // 25):
        values[place] = kind.wrapped(random.getrandbits(bits))
    return values


def mixed_values(kind: ValueType) -> list[int]:
    """Values that an encoder stores in runs of all kinds."""
    random = Random(f"codag v2 {kind.name}")
    values: list[int] = []
    for i in range(24):
        length = random.choice((1, 2, 3, 4, 10, 11, 60, 513))
        one = random.randint(kind.minimum, kind.maximum)
        width = random.randint(1, kind.bits)
        if i % 4 == 0:
            values += [one] * length
        elif i % 4 == 1:
            values += [
                kind.wrapped(one + 3 * j + (random.getrandbits(2) if i > 12 else 0)) for j in range(length)
            ]
        elif i % 4 == 2:
            values += [kind.wrapped(random.getrandbits(width)) for _ in range(length)]
        else:
            values += outliers(kind, min(width, kind.bits // 2), 100, i)
    return values


def inputs() -> Iterator[tuple[str, ValueType, bytes, int]]:
    """Inputs of encoders: name, type, bytes and block size."""
    for kind in TYPES:
        mixed = mixed_values(kind)
        rest = bytes(range(0xF1, 0xF1 + kind.size - 1))
        yield f"{kind.name}_mixed", kind, kind.store(mixed) + rest, BLOCK_SIZE
        yield f"{kind.name}_blocks", kind, kind.store(mixed[:1500]) + rest, 130 * kind.size + 1
        low, high = kind.minimum, kind.maximum
        borders = [low, high, 0, high, low, *[low, high] * 9, 1, *[high] * 4, *[low] * 40, *range(5)]
        yield f"{kind.name}_borders", kind, kind.store(borders), BLOCK_SIZE
    for count in (1, 2, 3, 4, 10, 11, 131, 511, 512, 513, 1025):
        yield f"equal_{count}", I64, I64.store([-7] * count), BLOCK_SIZE
        yield f"rising_{count}", I32, I32.store([5 * i + i % 3 for i in range(count)]), BLOCK_SIZE
        yield f"falling_{count}", U32, U32.store([10**9 - 9 * i for i in range(count)]), BLOCK_SIZE
        yield f"noise_{count}", I16, I16.store([i * i % 509 - 200 for i in range(count)]), BLOCK_SIZE
        if count > 19:
            yield f"outliers_{count}", I64, I64.store(outliers(I64, 20, count, 1)), BLOCK_SIZE
    # A width of one bit has the code that says that there are no differences.
    yield "steps_of_0_and_1", I64, I64.store([10**12 + (2 * i + 1) // 3 for i in range(99)]), BLOCK_SIZE
    yield "first_step_0", I64, I64.store([10**12 + 2 * i // 3 for i in range(99)]), BLOCK_SIZE
    apart = [1 << 40 if i in (255, 511) else i % 2 for i in range(512)]
    yield "patches_255_and_256_apart", I64, I64.store(apart), BLOCK_SIZE
    for base in ((1 << 56) - 1, 1 << 56, 1 - (1 << 56), -(1 << 56)):
        high = [base + (1 << 30 if i == 9 else i % 2) for i in range(30)]
        yield f"base_{base:x}".replace("-", "minus_"), I64, I64.store(high), BLOCK_SIZE
    wrapping = [signed((1 << 63) - 3 + i * (i + 1) // 2) for i in range(40)]
    yield "wrapping", I64, I64.store(wrapping), BLOCK_SIZE
    far = [5] * 2 + [1, 2] * 149 + [1 << 50] + [1, 2] * 90 + [1 << 49]
    yield "patches_far_apart", I64, I64.store(far), BLOCK_SIZE
    yield "patch_of_57_bits", I64, I64.store([*[1, 0] * 12, (1 << 62) - 1]), BLOCK_SIZE
    yield "nothing", I32, b"", BLOCK_SIZE


def stream_file(name: str, kind: ValueType, runs: Sequence[bytes], values: Sequence[int]) -> Valid:
    """A file of one block of these runs, which decode to these values."""
    output = kind.store([kind.wrapped(value) for value in values])
    payload = bytes((kind.number,)) + b"".join(runs)
    return Valid(V2, f"{name}.gsst", V2.frame(len(output), [block_of(payload, output)]), output)


def every_length() -> Valid:
    """Runs of 1 to 512 values, of the three kinds that can have so many in turn."""
    runs: list[bytes] = []
    values: list[int] = []
    for count in range(1, 513):
        bits = [(count + i) // 3 % 2 for i in range(count)]
        for sort in range(3) if count in (1, 2, 3, 10, 11, 255, 256, 257, 511, 512) else (count % 3,):
            if sort == 0 or (sort == 1 and count < 2):
                runs.append(direct(bits, 1, U32))
                values += bits
            elif sort == 1:
                runs.append(delta(7, 1, bits[2:], 2, U32))
                values += [7, *(8 + sum(bits[2 : i + 1]) for i in range(1, count))]
            else:
                fillers = max(0, count - 2) // 255
                entries = [*[(255, 0)] * fillers, (count - 1 - 255 * fillers, 1)]
                run = PatchedBase(3, bits, 1, entries, 2, 8)
                runs.append(run.run())
                values += run.values(U32)
    return stream_file("every_length", U32, runs, values)


def every_width() -> Iterator[Valid]:
    """Each width code in each kind that has one."""
    random = Random("every width")
    runs: list[bytes] = []
    values: list[int] = []
    for width in WIDTHS:
        for count in (1, 7, 33):
            numbers = [(1 << width) - 1, *(random.getrandbits(width) for _ in range(count - 1))]
            runs.append(direct(numbers, width, U64))
            values += numbers
    yield stream_file("every_direct_width", U64, runs, values)
    runs, values = [], []
    for width in WIDTHS[1:]:
        for step in (1, -1, 0):
            magnitudes = [(1 << width) - 1, *(random.getrandbits(width) for _ in range(10))]
            runs.append(delta(-5, step, magnitudes, width, I64))
            values += [-5, -5 + step]
            for magnitude in magnitudes:
                values.append(values[-1] + (-magnitude if step < 0 else magnitude))
    yield stream_file("every_delta_width", I64, runs, values)
    runs, values = [], []
    for width in WIDTHS[:-1]:
        for patch_width in (1, 9, 56):
            numbers = [random.getrandbits(width) for _ in range(9)]
            entries = [(0, 1), (3, (1 << patch_width) - 1), (5, random.getrandbits(patch_width))]
            run = PatchedBase(-width, numbers, width, entries, patch_width, 3, 1)
            runs.append(run.run())
            values += run.values(I64)
    for patch_width in WIDTHS[:-1]:
        run = PatchedBase(patch_width << 40, [1, 0, 1], 1, [(2, (1 << patch_width) - 1)], patch_width, 8, 7)
        runs.append(run.run())
        values += run.values(I64)
    yield stream_file("every_patched_width", I64, runs, values)
    runs, values = [], []
    for size in range(1, 9):
        for value in (0, (1 << 8 * size - 1) - 1, -(1 << 8 * size - 1), size):
            runs.append(repeat(value, 3 + (value + size) % 8, I64, size))
            values += [value] * (3 + (value + size) % 8)
    yield stream_file("every_repeat_size", I64, runs, values)


def every_patch_count() -> Valid:
    """Patched bases with 0 to 31 patches, bases of 1 to 8 bytes of both signs, gaps of 1 to 8 bits."""
    random = Random("patches")
    runs: list[bytes] = []
    values: list[int] = []
    for count in range(32):
        size = count % 8 + 1
        magnitude = random.getrandbits(8 * size - 1)
        gap_width = count // 4 + 1
        entries = [(0 if i == 0 else 1, random.getrandbits(5)) for i in range(count)]
        # The last one is as far away as its bits can say.
        if count > 1:
            entries[-1] = ((1 << gap_width) - 1, 31)
        length = max(1, 1 + sum(gap for gap, _ in entries))
        numbers = [random.getrandbits(3) for _ in range(length)]
        run = PatchedBase(magnitude * (-1) ** count, numbers, 3, entries, 5, gap_width, size)
        runs.append(run.run())
        values += run.values(I64)
    return stream_file("every_patch_count", I64, runs, values)


def v2_valid() -> Iterator[Valid]:
    """All valid files."""
    for name, kind, output, block_size in inputs():
        for coding, number in ((V2, 0), (TIGHT_V2, 1)):
            data = encoded_frame(coding, output, kind, block_size)
            options = {**V2.options(kind), "packing": number}
            full = name if number == 0 else f"{name}_tight"
            if number == 0 or "mixed" in name or "noise" in name or "outliers" in name:
                yield Valid(V2, f"{full}.gsst", data, output, block_size, options)
    yield every_length()
    yield from every_width()
    yield every_patch_count()
    # What no encoder writes.
    yield stream_file("delta_of_one", I32, [start(3, 9, 1) + b"\x0a\x7f", repeat(1, 3, I32)], [5, 1, 1, 1])
    yield stream_file("long_varints", I32, [start(3, 0, 2) + varint(10, 5) + varint(3, 10)], [5, 3])
    yield stream_file(
        "runs_past_their_type",
        I8,
        [fixed_delta(126, 1, 4, I8), repeat(300, 3, I8)],
        [126, 127, 128, 129, 300, 300, 300],
    )
    base = PatchedBase(0, [0, 1, 0], 1)
    yield stream_file("base_of_minus_0", I32, [base.run()[:4] + b"\x80" + base.run()[5:]], [0, 1, 0])
    high = PatchedBase(0, [5] * 3, 56, [(1, (1 << 56) - 1)], 56, 8, 1)
    yield stream_file("patch_above_64_bits", I64, [high.run()], high.values(I64))
    used = bytearray(direct([1, 2, 3], 3, U32))
    used[-1] |= 0x7F
    yield stream_file("bits_after_packed_numbers", U32, [bytes(used)], [1, 2, 3])
    output = b"\1\2\3"
    yield Valid(V2, "rest_alone.gsst", V2.frame(BLOCK_SIZE, [block_of(b"\4" + output, output)]), output)


DAMAGED_RUNS = (
    repeat(-7, 5, I32),
    direct([100, -5, 100, 3000], 16, I32),
    PatchedBase(-3, [1, 2, 3, 1, 0, 1], 2, [(1, 5), (4, 9)], 4, 3, 2).run(),
    delta(90, -2, [1, 2, 3, 0], 3, I32),
)
DAMAGED_VALUES = (
    *(-7, -7, -7, -7, -7, 100, -5, 100, 3000),
    *PatchedBase(-3, [1, 2, 3, 1, 0, 1], 2, [(1, 5), (4, 9)], 4, 3, 2).values(I32),
    *(90, 88, 87, 85, 82, 82),
)
DAMAGED = I32.store(DAMAGED_VALUES) + b"\1\2\3"


def v2_invalid() -> Iterator[Invalid]:
    """All invalid files."""
    rest = b"\1\2\3"
    good = bytes((I32.number,)) + b"".join(DAMAGED_RUNS) + rest
    starts = [1]
    for run in DAMAGED_RUNS:
        starts.append(starts[-1] + len(run))
    end = starts[-1]

    def wrong(name: str, payload: bytes, why: str, status: int, byte: int) -> Invalid:
        blocks = [(good, DAMAGED), (payload + rest, DAMAGED)]
        return wrong_stream(V2, f"{name}.gsst", blocks, why, status, byte)

    def refused(name: str, payload: bytes, why: str, field: str) -> Invalid:
        data = V2.frame(len(DAMAGED), [block_of(good, DAMAGED), block_of(payload, DAMAGED)])
        return Invalid(V2, f"{name}.gsst", data, why, field, 1, None, None)

    yield refused("type_6", b"\6" + good[1:], "there is no such type", "type")
    yield refused("of_no_bytes", b"", "there is no type", "payload bytes")
    yield refused("of_3_bytes", good[:3], "the rest has three bytes", "payload bytes")
    yield wrong("no_runs", good[:1], "no run, no value", 1, 1)
    for i, name in enumerate(("direct", "patched", "delta"), 1):
        yield wrong(f"no_{name}", good[: starts[i]], "values are missing", 1, starts[i])
    yield wrong(
        "value_missing", good[: starts[3]] + fixed_delta(1, 1, 5, I32), "a value is missing", 1, starts[3] + 4
    )
    for name, run in (
        ("repeat", repeat(1, 7, I32)),
        ("direct", direct([1] * 7, 2, I32)),
        ("patched", PatchedBase(1, [1] * 7, 1).run()),
        ("delta", fixed_delta(1, 1, 7, I32)),
        ("direct_of_512", direct([1] * 512, 2, I32)),
        ("patched_with_wrong_widths", PatchedBase(1, [1] * 7, 64).run()),
    ):
        yield wrong(f"{name}_of_one_more", good[: starts[3]] + run, "no room", 2, starts[3])
        size = {"repeat": 1, "patched": 4, "patched_with_wrong_widths": 4}.get(name, 2)
        why = "that there is no room is met before the end"
        yield wrong(f"{name}_of_one_more_cut", good[: starts[3]] + run[:size], why, 2, starts[3])
    for i in range(4):
        for cut in range(starts[i] + 1, starts[i + 1]):
            yield wrong(f"cut_at_{cut}", good[:cut], "the run is cut", 3, starts[i])
    for name, run in (
        ("first", start(3, 0, 6) + b"\x80" * 9 + b"\2" + b"\1"),
        ("first_of_11_bytes", start(3, 0, 6) + b"\xff" * 10 + b"\1\1"),
        ("difference", start(3, 0, 6) + b"\1" + b"\xff" * 9 + b"\2"),
    ):
        yield wrong(f"varint_of_{name}", good[: starts[3]] + run, "more than 64 bits", 4, starts[3])
    for name, run in (
        ("numbers", PatchedBase(1, [1] * 6, 64, [(1, 1)]).run()),
        ("patches", PatchedBase(1, [1] * 6, 1, [(0, 1)], 64).run()),
    ):
        yield wrong(f"width_of_{name}", good[: starts[3]] + run, "no such width", 5, starts[3])
        yield wrong(f"width_of_{name}_cut", good[: starts[3]] + run[:4], "no such width", 5, starts[3])
    run = PatchedBase(1, [1] * 6, 1, [(6, 1)], 56, 8).run()
    yield wrong("patch_in_64_bits", good[: starts[3]] + run, "there are six values", 6, starts[3])
    for name, entries in (
        ("first", [(6, 1)]),
        ("second", [(3, 1), (3, 1)]),
        ("last", [(1, 1), (1, 1), (1, 1), (1, 1), (1, 1), (1, 1)]),
        ("filler", [(5, 1), (1, 0)]),
        ("same_place", [(2, 1), (0, 1)]),
        ("bits_above_gap", [(1 << 3, 1)]),
    ):
        # Entries of 3 + 24 bits have a bit above the gap's.
        run = PatchedBase(1, [1] * 6, 1, entries, 24 if name == "bits_above_gap" else 1, 3).run()
        yield wrong(f"patch_{name}", good[: starts[3]] + run, "the run has no such value", 6, starts[3])
    yield wrong("byte_too_many", good[:end] + b"\0", "all values are there", 7, end)
    yield wrong("run_too_many", good[:end] + repeat(1, 3, I32), "all values are there", 7, end)
