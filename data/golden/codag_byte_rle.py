"""Files of format byte_rle (FORMAT.md, section 13.4), valid and damaged, and a reader of its blocks."""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random

from codag_streams import (
    BLOCK_SIZE,
    ChunkFormat,
    Invalid,
    Stream,
    Valid,
    block_of,
    encoded_frame,
    wrong_stream,
)
from tile_integer_for import I8, ValueType

# The writer, by a regular expression: each run is matched up to 130 bytes at a time.


def lists_of(data: bytes) -> bytes:
    """Lists of 128 bytes, the last one shorter."""
    pieces = [data[start : start + 128] for start in range(0, len(data), 128)]
    return b"".join(bytes((256 - len(piece),)) + piece for piece in pieces)


def encoded(block: bytes, kind: ValueType) -> bytes:
    """The payload that an encoder makes of a block of bytes."""
    if kind.size != 1:
        raise ValueError("values are bytes")
    payload, place = b"", 0
    for match in re.finditer(rb"(.)\1{2,129}", block, re.DOTALL):
        payload += lists_of(block[place : match.start()]) + bytes((len(match[0]) - 3,)) + match[1]
        place = match.end()
    return payload + lists_of(block[place:])


BYTE_RLE = ChunkFormat("byte_rle", 64, "byte_rle_", encoded)


# The reader. It takes nothing from the writer.


def read_run(stream: Stream, room: int) -> list[int]:
    """The values of the next run or list."""
    first = stream.take(1)[0]
    if first >= 128:
        stream.check_room(256 - first, room)
        return list(stream.take(256 - first))
    stream.check_room(first + 3, room)
    return list(stream.take(1)) * (first + 3)


def bytes_of(payload: bytes, uncompressed_bytes: int) -> bytes:
    """Decodes a payload of format byte_rle."""
    return bytes(Stream(payload, 0, len(payload)).values(uncompressed_bytes, read_run))


# The files.


def byte_rle_valid() -> Iterator[Valid]:
    """All valid files."""
    random = Random("codag bytes")
    mixed = b"".join(
        bytes((random.choice(b"ANR"),)) * random.choice((1, 1, 1, 2, 3, 4, 130, 131)) for _ in range(90)
    )
    inputs = [("mixed", mixed, BLOCK_SIZE), ("blocks", mixed, 131), ("nothing", b"", BLOCK_SIZE)]
    for count in (1, 2, 3, 127, 128, 129, 130, 131, 132, 133, 512, 513):
        inputs.append((f"run_of_{count}", b"\x80" * count, BLOCK_SIZE))
        counted = bytes(i * i % 251 for i in range(count))
        inputs.append((f"list_of_{count}", counted, BLOCK_SIZE))
        inputs.append((f"{count}_and_a_run", counted + b"\0" * 5, BLOCK_SIZE))
    for name, output, block_size in inputs:
        data = encoded_frame(BYTE_RLE, output, I8, block_size)
        yield Valid(BYTE_RLE, f"{name}.gsst", data, output, block_size, {})
    # What no encoder writes.
    output = b"aaaab"
    for name, stream in (
        ("lists_of_one", b"\xffa\xffa\xffa\xffa\xffb"),
        ("list_of_equal_ones", b"\xfbaaaab"),
        ("run_and_lists", b"\0a\xffa\xffb"),
    ):
        yield Valid(BYTE_RLE, f"{name}.gsst", BYTE_RLE.frame(BLOCK_SIZE, [block_of(stream, output)]), output)


def byte_rle_invalid() -> Iterator[Invalid]:
    """All invalid files."""
    output = b"abc" + b"d" * 10 + b"ef"
    good = encoded(output, I8)
    if good != b"\xfdabc\x07d\xfeef":
        raise ValueError("the payload that is damaged is another one")

    for name, stream, why, status, byte in (
        ("no_runs", b"", "no run, no value", 1, 0),
        ("no_last_run", good[:6], "two values are missing", 1, 6),
        ("run_of_one_less", good[:4] + b"\6d\xfeef", "a value is missing", 1, 9),
        ("run_of_one_more", good[:4] + b"\x0ad", "no room", 2, 4),
        ("list_of_one_more", good[:6] + b"\xfdefg", "no room", 2, 6),
        ("list_of_128", b"\x80" + good[1:], "no room", 2, 0),
        ("cut_in_run", good[:5], "the run is cut", 3, 4),
        ("cut_before_list", good[:7], "the list is cut", 3, 6),
        ("cut_in_list", good[:8], "the list is cut", 3, 6),
        ("byte_too_many", good + b"\0", "all values are there", 7, 9),
        ("run_too_many", good + b"\0e", "all values are there", 7, 9),
    ):
        blocks = [(good, output), (stream, output)]
        yield wrong_stream(BYTE_RLE, f"{name}.gsst", blocks, why, status, byte)
