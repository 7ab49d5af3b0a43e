"""Files of zero-length coding (FORMAT.md, section 11), valid and damaged, with a list of their own."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from format_writer import Block, Layout, Written, frame_end, frame_header, frame_index, little, raw_block
from xxh64 import xxh64
from zero_length_dictionary import blocks_with_values, dictionary_of, payload_of, wrong_dictionaries
from zero_length_markers import CHOICES, Choice, blocks_with_markers, marked, markers_of, wrong_marked

FOLDER = "zero_length"
FORMAT_ID = 17
MARKERS_FORMAT_ID = 18
DICTIONARY_FORMAT_ID = 19
BARE, FRAME, MARKERS, DICTIONARY = "zle_bare", "zle", "zle_markers", "zle_dictionary"
# What kernels and other decoders of stages leave for a block.
TOO_SHORT, TOO_LONG, MARKER_AT_END, UNUSED_LENGTH = 1, 2, 3, 4


def elements_of(block: bytes) -> bytes:
    """The elements of a block, by a regular expression: each run is matched up to 252 zeros at a time."""

    def element(match: re.Match[bytes]) -> bytes:
        return b"\xff\0" if match[0] == b"\xff" else bytes((0xFF, len(match[0])))

    return re.sub(rb"\x00{3,252}|\xff", element, block)


def bare_block(index: int, elements: bytes) -> bytes:
    """A block of the bare form."""
    return little(16 + len(elements), 8) + little(index, 8) + elements


GUARD = bytes(8)


def bare_file(data: bytes, block_size: int) -> bytes:
    """A whole file of the bare form."""
    pieces = [data[start : start + block_size] for start in range(0, len(data), block_size)]
    return b"".join(bare_block(i, elements_of(piece)) for i, piece in enumerate(pieces)) + GUARD


def block_of(elements: bytes, output: bytes | int) -> Block:
    """A block of a frame with these elements, whose record is for `output`, or for so many bytes of it."""
    payload = Written()
    payload.add("elements", elements)
    if isinstance(output, int):
        return Block(Layout.NARROW, payload, output, 0)
    return Block(Layout.NARROW, payload, len(output), xxh64(output))


def frame(block_size: int, blocks: Sequence[Block], format_id: int = FORMAT_ID) -> bytes:
    """A frame of these blocks."""
    written = Written()
    written.add_all("frame header", frame_header(format_id, block_size, 1))
    for i, block in enumerate(blocks):
        written.add_all(f"block {i}/record", block.record())
        written.add_all(f"block {i}", block.payload)
    frame_end(written, frame_index(blocks))
    return bytes(written.data)


def encoded_block(block: bytes) -> Block:
    """The block as an encoder stores it."""
    elements = elements_of(block)
    return block_of(elements, block) if len(elements) < len(block) else raw_block(block)


def encoded_frame(data: bytes, block_size: int) -> bytes:
    """The frame that an encoder makes."""
    pieces = [data[start : start + block_size] for start in range(0, len(data), block_size)]
    return frame(block_size, [encoded_block(piece) for piece in pieces])


def marked_block(block: bytes, choice: Choice) -> Block:
    """The block as an encoder of format zle_markers stores it."""
    payload = marked(block, *markers_of(block, choice))
    return block_of(payload, block) if len(payload) < len(block) else raw_block(block)


def marked_frame(data: bytes, block_size: int, choice: Choice) -> bytes:
    """The frame that an encoder of format zle_markers makes."""
    pieces = [data[start : start + block_size] for start in range(0, len(data), block_size)]
    return frame(block_size, [marked_block(piece, choice) for piece in pieces], MARKERS_FORMAT_ID)


def dictionary_block(block: bytes) -> Block:
    """The block as an encoder of format zle_dictionary stores it."""
    payload = dictionary_of(block)
    return block_of(payload, block) if len(payload) < len(block) else raw_block(block)


def dictionary_frame(data: bytes, block_size: int) -> bytes:
    """The frame that an encoder of format zle_dictionary makes."""
    pieces = [data[start : start + block_size] for start in range(0, len(data), block_size)]
    return frame(block_size, [dictionary_block(piece) for piece in pieces], DICTIONARY_FORMAT_ID)


def format_of(name: str) -> str:
    """The format of a file."""
    if name.endswith(".zle"):
        return BARE
    if name.startswith("dictionary_of_"):
        return DICTIONARY
    return MARKERS if name.startswith("markers_of_") else FRAME


@dataclass(frozen=True)
class Valid:
    """A valid file; encoders make it of `output`, with these options, where `block_size` is said."""

    name: str
    data: bytes
    output: bytes
    block_size: int | None = None
    options: dict[str, int] | None = None


@dataclass(frozen=True)
class Invalid:
    """An invalid file: a part of the field's name and the number of the block that the error must name. Where
    a decoder of blocks finds it, the status too."""

    name: str
    data: bytes
    why: str
    field: str
    block: int | None
    status: int | None = None


def outputs() -> Iterator[tuple[str, bytes, int]]:
    """Inputs of encoders: name, bytes and block size."""
    yield "empty", b"", 1024
    yield "one_zero", b"\0", 1024
    yield "one_marker", b"\xff", 1024
    runs = b"".join(bytes(run) + b"\x41" for run in (*range(9), *range(248, 260), *range(500, 509), 600))
    yield "runs", runs, 1 << 20
    yield "runs_cut_by_blocks", runs, 100
    yield "every_byte", bytes(range(256)), 64
    yield "markers", b"\xff" * 100 + b"\0\xff" * 10 + b"\0\0\0\xff" * 10, 60
    floats = b"".join(bytes(4) if i % 16 == 0 else bytes((i, 0, i ^ 0x5A, 0x3F)) for i in range(256))
    yield "floats", floats, 256


def valid() -> Iterator[Valid]:
    """All valid files."""
    for name, output, block_size in outputs():
        yield Valid(f"{name}.zle", bare_file(output, block_size), output, block_size)
        yield Valid(f"{name}.gsst", encoded_frame(output, block_size), output, block_size)
    short_runs = b"\x07\xff\x01\xff\x02\xff\x02\x08"
    decoded = b"\x07\0\0\0\0\0\x08"
    yield Valid("runs_of_1_and_2.zle", bare_block(0, short_runs) + GUARD, decoded)
    yield Valid("runs_of_1_and_2.gsst", frame(1024, [block_of(short_runs, decoded)]), decoded)
    first, second, third = bare_block(0, b"abc"), bare_block(1, b"\xff\3"), bare_block(2, b"d")
    yield Valid("backwards.zle", third + second + first + GUARD, b"abc\0\0\0d")
    yield Valid("out_of_order.zle", second + third + first + GUARD, b"abc\0\0\0d")
    yield Valid("last_block_empty.zle", first + bare_block(1, b"") + GUARD, b"abc")
    grown = block_of(b"\xff\0" * 5, b"\xff" * 5)
    yield Valid("larger_than_raw.gsst", frame(1024, [grown]), b"\xff" * 5)
    yield from valid_markers()
    yield from valid_dictionaries()


def valid_markers() -> Iterator[Valid]:
    """Those of format zle_markers. Each input of encoders has one choice, the borders have all."""
    for i, (name, output, block_size) in enumerate(outputs()):
        choice = CHOICES[i % len(CHOICES)]
        data = marked_frame(output, block_size, choice)
        yield Valid(f"markers_of_{name}.gsst", data, output, block_size, choice.options())
    for name, output, block_size in blocks_with_markers():
        for choice in CHOICES:
            data = marked_frame(output, block_size, choice)
            file = f"markers_of_{name}_{choice.name}.gsst"
            yield Valid(file, data, output, block_size, choice.options())
    decoded = b"\x07" + bytes(15) + b"\x08"
    other_cuts = block_of(b"\5\x09\x07\5\1\5\2\5\4\x09\x09\x08", decoded)
    yield Valid("markers_of_other_cuts.gsst", frame(1024, [other_cuts], MARKERS_FORMAT_ID), decoded)


def valid_dictionaries() -> Iterator[Valid]:
    """Those of format zle_dictionary."""
    for name, output, block_size in (*outputs(), *blocks_with_values()):
        yield Valid(f"dictionary_of_{name}.gsst", dictionary_frame(output, block_size), output, block_size)
    decoded = b"\2\0\0\0" * 20
    unused = block_of(payload_of((1, 2, 3), (1,) * 20, b""), decoded)
    yield Valid("dictionary_of_unused_values.gsst", frame(1024, [unused], DICTIONARY_FORMAT_ID), decoded)


def wrong_elements() -> Iterator[tuple[str, bytes, int, str, int]]:
    """Name, elements, uncompressed size, what is wrong, status."""
    for unused in (0xFD, 0xFE, 0xFF):
        yield f"length_{unused:x}", bytes((1, 0xFF, unused)), 254, "no run has this length", UNUSED_LENGTH
    yield "marker_alone", b"\xff", 1, "no byte follows the marker", MARKER_AT_END
    yield "marker_last", b"a\xff\3\xff", 4, "no byte follows the marker", MARKER_AT_END
    yield "marker_last_after_literal_marker", b"\xff\0\xff", 2, "no byte follows", MARKER_AT_END
    yield "run_too_long", b"a\xff\4", 4, "five bytes for four", TOO_LONG
    yield "literal_too_many", b"abc", 2, "three bytes for two", TOO_LONG
    yield "literal_marker_too_many", b"ab\xff\0", 2, "three bytes for two", TOO_LONG
    yield "run_too_short", b"a\xff\4", 6, "five bytes for six", TOO_SHORT
    yield "literals_too_few", b"abc", 4, "three bytes for four", TOO_SHORT


def invalid() -> Iterator[Invalid]:
    """All invalid files."""
    for name, elements, size, why, status in wrong_elements():
        blocks = [encoded_block(bytes(1024)), block_of(elements, size)]
        yield Invalid(f"{name}.gsst", frame(1024, blocks), why, "elements", 1, status)
        if status in (MARKER_AT_END, UNUSED_LENGTH):
            data = bare_block(0, b"\xff\xfc") + bare_block(1, elements) + GUARD
            yield Invalid(f"{name}.zle", data, why, "elements", 1)
    for name, elements, size in (
        ("payload_above_twice", b"\xff\0" * 3, 2),
        ("payload_too_small", b"\xff\xfc", 253),
    ):
        blocks = [encoded_block(bytes(1024)), block_of(elements, size)]
        field = "payload bytes" if name == "payload_above_twice" else "elements"
        yield Invalid(f"{name}.gsst", frame(1024, blocks), "no elements take so many bytes", field, 1)

    for name, payload, size, why, field, found in wrong_marked():
        blocks = [marked_block(bytes(1024), CHOICES[0]), block_of(payload, size)]
        data = frame(1024, blocks, MARKERS_FORMAT_ID)
        yield Invalid(f"markers_of_{name}.gsst", data, why, field, 1, found)

    for name, payload, size, why, field, found in wrong_dictionaries():
        blocks = [dictionary_block(bytes(1024)), block_of(payload, size)]
        data = frame(1024, blocks, DICTIONARY_FORMAT_ID)
        yield Invalid(f"dictionary_of_{name}.gsst", data, why, field, 1, found)

    first, second, short = bare_block(0, b"abc"), bare_block(1, b"def"), bare_block(1, b"d")
    whole = first + second
    yield Invalid("no_bytes.zle", b"", "not even a guard block", "guard block", 0)
    yield Invalid("no_guard.zle", whole, "the file ends without one", "guard block", 2)
    yield Invalid("guard_cut.zle", whole + GUARD[:7], "seven bytes of the guard block", "block size", 2)
    yield Invalid("after_guard.zle", whole + GUARD + b"\0", "a byte after the guard block", "guard block", 2)
    for size in (1, 8, 15):
        yield Invalid(
            f"size_{size}.zle", little(size, 8) + bytes(24), "smaller than a header", "block size", 0
        )
    for name, size in (("past_the_end", 20), ("2_31", 1 << 31), ("largest", (1 << 64) - 1)):
        data = whole + little(size, 8) + little(2, 8) + b"abc"
        yield Invalid(f"size_{name}.zle", data, "the file has fewer bytes", "block size", 2)
    yield Invalid("first_missing.zle", second + GUARD, "there is no block 0", "block index", None)
    gap = first + bare_block(2, b"g") + GUARD
    yield Invalid("block_missing.zle", gap, "there is no block 1", "block index", None)
    yield Invalid("block_twice.zle", whole + second + GUARD, "block 1 twice", "block index", 2)
    twice_early = second + second + first + GUARD
    yield Invalid("block_twice_before_its_turn.zle", twice_early, "block 1 twice", "block index", 1)
    largest = first + little(17, 8) + b"\xff" * 8 + b"d" + GUARD
    yield Invalid("index_largest.zle", largest, "the blocks before it are missing", "block index", None)
    short_inside = first + short + bare_block(2, b"e") + GUARD
    yield Invalid("short_inside.zle", short_inside, "only the last block is short", "block index", 2)
    longer = first + bare_block(1, b"\xff\4") + GUARD
    yield Invalid("longer_than_first.zle", longer, "four bytes in blocks of three", "elements", 1)


def zero_length_files() -> dict[str, bytes]:
    """Every file, by its path below data/golden, with the list of them."""
    files: dict[str, bytes] = {}
    listed: dict[str, list[dict[str, object]]] = {"valid": [], "invalid": []}
    for good in valid():
        files[f"{FOLDER}/valid/{good.name}"] = good.data
        listed["valid"].append(
            {
                "file": f"valid/{good.name}",
                "format": format_of(good.name),
                "size": len(good.output),
                "xxh64": f"{xxh64(good.output):016x}",
                "block_size": good.block_size,
                "options": good.options or {},
            }
        )
    for bad in invalid():
        path = f"{FOLDER}/invalid/{bad.name}"
        if path in files:
            raise ValueError(f"two files are called {path}")
        files[path] = bad.data
        entry = {
            "file": f"invalid/{bad.name}",
            "format": format_of(bad.name),
            "why": bad.why,
            "field": bad.field,
            "block": bad.block,
        }
        listed["invalid"].append(entry if bad.status is None else {**entry, "status": bad.status})
    files[f"{FOLDER}/golden.json"] = (json.dumps(listed, indent=1) + "\n").encode()
    return files
