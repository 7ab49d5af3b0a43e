"""Files of formats rle and rle_nsf (FORMAT.md, section 12.9), valid and damaged, and a reader of their
blocks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from random import Random

from format_writer import Block, Written, little
from tile_integer_coding import BLOCK_SIZE, Format, Invalid, Valid, block_of, smaller_block
from tile_integer_for import (
    I32,
    U32,
    U64,
    ValueType,
    check_fields_end,
    check_padding,
    check_payload_size,
    require,
    word,
)
from tiles_writer import padding, raw_tiles_block

HEADER_BYTES = 16
SIZES = (1, 2, 4, 8)
# Of each size one: signs do not count.
UNSIGNED = (ValueType("u8", 0, 1, False), ValueType("u16", 1, 2, False), U32, U64)


@dataclass(frozen=True)
class RunFormat(Format):
    """One of the two formats."""

    # Whether values and lengths have as few bytes as they need.
    is_short: bool


RLE = RunFormat("rle", 42, "rle_", False)
RLE_NSF = RunFormat("rle_nsf", 43, "rle_nsf_", True)


# The writer. Each part is said explicitly, so that it can be wrong.


@dataclass(frozen=True)
class RunPayload:
    """The fields of a payload."""

    value_bytes: int
    number_bytes: int
    length_bytes: int
    count: int
    runs: tuple[tuple[int, int], ...]
    rest: bytes = b""
    reserved: bytes = bytes(5)
    # Where none is given, it is as many as there are.
    run_count: int | None = None
    # Where none is given, it is as long as it must be.
    padding: bytes | None = None

    def written(self) -> Written:
        """The payload."""
        payload = Written()
        payload.add("bytes of a value", little(self.value_bytes, 1))
        payload.add("bytes of a number", little(self.number_bytes, 1))
        payload.add("bytes of a length", little(self.length_bytes, 1))
        payload.add("reserved", self.reserved)
        payload.add("number of values", little(self.count, 4))
        payload.add("number of runs", little(len(self.runs) if self.run_count is None else self.run_count, 4))
        payload.add("values of runs", b"".join(little(value, self.number_bytes) for value, _ in self.runs))
        payload.add("lengths of runs", b"".join(little(length, self.length_bytes) for _, length in self.runs))
        payload.add("rest", self.rest)
        payload.add("padding", padding(len(payload.data)) if self.padding is None else self.padding)
        return payload


def least_bytes(numbers: Sequence[int]) -> int:
    """The bytes of a number where all of them fit."""
    return min(one for one in SIZES if max(numbers, default=0) < 1 << 8 * one)


def payload_of(coding: RunFormat, block: bytes, size: int) -> RunPayload:
    """The payload that an encoder makes of a block of values of this size, however large it is."""
    starts = range(0, len(block) // size * size, size)
    values = [int.from_bytes(block[start : start + size], "little") for start in starts]
    runs = tuple((value, len(list(equal))) for value, equal in groupby(values))
    number_bytes, length_bytes = size, 4
    if coding.is_short:
        number_bytes = least_bytes([value for value, _ in runs])
        length_bytes = least_bytes([length for _, length in runs])
    return RunPayload(size, number_bytes, length_bytes, len(values), runs, block[len(values) * size :])


def encoded_block(coding: RunFormat, block: bytes, size: int) -> Block:
    """The block as an encoder stores it."""
    return smaller_block(payload_of(coding, block, size).written(), block)


# The reader. It takes nothing from the writer.


@dataclass(frozen=True)
class Expanded:
    """What a payload holds."""

    runs: list[tuple[int, int]]
    value_bytes: int
    rest: bytes

    def output(self) -> bytes:
        """The uncompressed bytes of the block."""
        return b"".join(little(value, self.value_bytes) * length for value, length in self.runs) + self.rest


def _pairs_of(payload: bytes, uncompressed_bytes: int, is_short: bool) -> Expanded:
    check_payload_size(payload, HEADER_BYTES + 5 * uncompressed_bytes, HEADER_BYTES)
    value_bytes, number_bytes, length_bytes = payload[:3]
    require(value_bytes in SIZES, "bytes of a value", "no such size")
    numbers = [one for one in SIZES if one <= value_bytes] if is_short else [value_bytes]
    require(number_bytes in numbers, "bytes of a number", "no such size")
    require(length_bytes in ((1, 2, 4) if is_short else (4,)), "bytes of a length", "no such size")
    require(payload[3:8] == bytes(5), "reserved", "not 0")
    count, rest_bytes = divmod(uncompressed_bytes, value_bytes)
    require(word(payload, 2) == count, "number of values", f"not {count}")
    run_count = word(payload, 3)
    require(run_count <= count, "number of runs", "more than values")
    lengths_at = HEADER_BYTES + run_count * number_bytes
    rest_at = lengths_at + run_count * length_bytes
    end = rest_at + rest_bytes
    check_fields_end(payload, end)
    runs = []
    for i in range(run_count):
        value = payload[HEADER_BYTES + i * number_bytes :][:number_bytes]
        length = payload[lengths_at + i * length_bytes :][:length_bytes]
        runs.append((int.from_bytes(value, "little"), int.from_bytes(length, "little")))
    require(all(length for _, length in runs), "lengths of runs", "an empty run")
    require(sum(length for _, length in runs) == count, "lengths of runs", f"not {count} values")
    check_padding(payload, end)
    return Expanded(runs, value_bytes, payload[rest_at:end])


def pairs_of(payload: bytes, uncompressed_bytes: int) -> Expanded:
    """Decodes a payload of format rle."""
    return _pairs_of(payload, uncompressed_bytes, False)


def short_pairs_of(payload: bytes, uncompressed_bytes: int) -> Expanded:
    """Decodes a payload of format rle_nsf."""
    return _pairs_of(payload, uncompressed_bytes, True)


# The files.


def values_in_runs(size: int, value_bytes: int, count: int, longest: int) -> bytes:
    """Values in runs of 1 to `longest`, of which the largest fill so many bytes."""
    random = Random(f"runs of {size} {value_bytes} {count} {longest}")
    values = [(1 << 8 * value_bytes) - 1]
    while len(values) < count:
        values += [random.getrandbits(8 * value_bytes)] * (1 + random.getrandbits(16) % longest)
    return b"".join(little(value, size) for value in values[:count])


def run_pair_inputs() -> Iterator[tuple[str, ValueType, bytes, int]]:
    """Inputs of encoders: name, a type of that size, bytes and block size."""
    for kind in UNSIGNED:
        for value_bytes in (one for one in SIZES if one <= kind.size):
            data = values_in_runs(kind.size, value_bytes, 300, 60)
            yield f"{kind.size}_{value_bytes}_runs", kind, data, BLOCK_SIZE
        for longest in (1, 4, 255, 256, 700):
            data = values_in_runs(kind.size, 1, 1500, longest)
            yield f"{kind.size}_runs_of_up_to_{longest}", kind, data, BLOCK_SIZE
        for length in (255, 256):
            data = little(5, kind.size) * length
            yield f"{kind.size}_a_run_of_{length}", kind, data, BLOCK_SIZE
        if kind.size > 1:
            data = values_in_runs(kind.size, 1, 150, 20) + bytes(range(0xF1, 0xF0 + kind.size))
            yield f"{kind.size}_rest_of_{kind.size - 1}", kind, data, BLOCK_SIZE
        mixed = values_in_runs(kind.size, 1, 150, 40) + values_in_runs(kind.size, kind.size, 150, 40)
        yield f"{kind.size}_blocks", kind, mixed, 100 * kind.size
        yield f"{kind.size}_blocks_cut_values", kind, mixed, 201
    yield "4_a_run_of_65536", U32, bytes(4 * 65536), 1 << 20
    yield "4_negative", I32, I32.store([-1] * 30 + [5] * 20), BLOCK_SIZE
    yield "4_nothing", U32, b"", BLOCK_SIZE


def rle_valid() -> Iterator[Valid]:
    """All valid files."""
    for coding in (RLE, RLE_NSF):
        for name, kind, output, block_size in run_pair_inputs():
            pieces = [output[start : start + block_size] for start in range(0, len(output), block_size)]
            blocks = [encoded_block(coding, piece, kind.size) for piece in pieces]
            yield Valid(coding, f"{name}.gsst", coding.frame(block_size, blocks), output, block_size, kind)
        # What no encoder writes: neighbours of the same value.
        output = bytes(4 * 90)
        apart = replace(payload_of(coding, output, 4), runs=((0, 1), (0, 88), (0, 1)))
        data = coding.frame(BLOCK_SIZE, [block_of(apart.written(), output)])
        yield Valid(coding, "equal_neighbours.gsst", data, output)
        rest = b"\1\2\3"
        data = coding.frame(BLOCK_SIZE, [block_of(payload_of(coding, rest, 4).written(), rest)])
        yield Valid(coding, "rest_alone.gsst", data, rest)
        data = coding.frame(4096, [raw_tiles_block(bytes(401))])
        yield Valid(coding, "raw_though_constant.gsst", data, bytes(401))
    # More bytes than needed.
    output = values_in_runs(8, 1, 120, 30)
    for number_bytes in SIZES:
        for length_bytes in (1, 2, 4):
            sizes = {"number_bytes": number_bytes, "length_bytes": length_bytes}
            wide = replace(payload_of(RLE_NSF, output, 8), **sizes)
            data = RLE_NSF.frame(BLOCK_SIZE, [block_of(wide.written(), output)])
            yield Valid(RLE_NSF, f"8_in_{number_bytes}_and_{length_bytes}.gsst", data, output)


DAMAGED = I32.store([300] * 20 + [7] * 27 + [300]) + b"\1\2\3"


def wrong(coding: RunFormat, name: str, payload: RunPayload | Written, why: str, field: str) -> Invalid:
    """A file whose block 1 has this payload, behind a valid block."""
    written = payload.written() if isinstance(payload, RunPayload) else payload
    first = encoded_block(coding, DAMAGED, 4)
    data = coding.frame(len(DAMAGED), [first, block_of(written, DAMAGED)])
    return Invalid(coding, f"{name}.gsst", data, why, field, 1)


def _wrong_sizes(coding: RunFormat, good: RunPayload) -> Iterator[Invalid]:
    fields = ("bytes of a value", "bytes of a number", "bytes of a length")
    # Numbers of format rle are not short.
    sizes = ((0, 3, 16), (0, 3, 8), (0, 3, 8)) if coding.is_short else ((0, 3, 16), (2, 8), (1, 2, 8))
    for place, (field, wrong_sizes) in enumerate(zip(fields, sizes, strict=True)):
        for size in wrong_sizes:
            written = good.written()
            written.data[place] = size
            name = f"{field.replace(' ', '_')}_{size}"
            yield wrong(coding, name, written, "there is no such size", field)


def rle_invalid() -> Iterator[Invalid]:
    """All invalid files."""
    for coding in (RLE, RLE_NSF):
        good = payload_of(coding, DAMAGED, 4)
        yield from _wrong_sizes(coding, good)
        for place in range(3, 8):
            written = good.written()
            written.data[place] = 1 if place % 2 else 0x80
            yield wrong(coding, f"reserved_{place}", written, "reserved bytes are 0", "reserved")
        for name, count in (("less", 47), ("more", 49), ("2_32", (1 << 32) - 1)):
            payload = replace(good, count=count)
            yield wrong(coding, f"number_of_values_{name}", payload, "there are 48", "number of values")
        for name, count in (("more_than_values", 49), ("2_32", (1 << 32) - 1)):
            payload = replace(good, run_count=count)
            why = "there are 48 values"
            yield wrong(coding, f"number_of_runs_{name}", payload, why, "number of runs")
        for name, count in (("0", 0), ("48", 48)):
            payload = replace(good, run_count=count)
            why = "as many runs are another size"
            yield wrong(coding, f"number_of_runs_{name}", payload, why, "payload bytes")
        for name, lengths in (
            *(("less", (20, 27, 0)), ("empty", (21, 0, 27)), ("short", (20, 26, 1)), ("long", (20, 28, 1))),
            ("largest", (20, 27, (1 << 8 * good.length_bytes) - 1)),
        ):
            runs = tuple((value, length) for (value, _), length in zip(good.runs, lengths, strict=True))
            why = "runs are not empty, and are 48 values together"
            yield wrong(coding, f"lengths_{name}", replace(good, runs=runs), why, "lengths of runs")
        whole = bytes(good.written().data)
        for size in (0, 8, len(whole) - 16, len(whole) - 1, len(whole) + 16):
            written = Written()
            written.add("bytes", whole[:size].ljust(size, b"\0"))
            why = "the fields add up to another size"
            yield wrong(coding, f"of_{size}_bytes", written, why, "payload bytes")
        bad = bytearray(len(good.written().get("padding")))
        bad[-1] = 0x80
        yield wrong(coding, "padding", replace(good, padding=bytes(bad)), "padding is 0", "padding")
