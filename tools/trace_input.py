"""Small inputs for traces, made anew each time and always the same."""

import random
import struct

BYTES = 1 << 17
_SEED = 20260101
_WORDS = [
    "the",
    "quick",
    "carefully",
    "final",
    "deposits",
    "above",
    "regular",
    "requests",
    "sleep",
    "blithely",
    "among",
    "ironic",
    "packages",
    "accounts",
    "haggle",
    "furiously",
    "special",
    "theodolites",
    "along",
    "even",
    "pending",
    "foxes",
    "nag",
    "slyly",
    "across",
    "express",
    "instructions",
    "wake",
    "bold",
    "ideas",
    "after",
    "silent",
    "pinto",
    "beans",
    "detect",
    "unusual",
    "platelets",
    "boost",
    "dependencies",
]


def text() -> bytes:
    """Lines of words."""
    numbers = random.Random(_SEED)
    lines = []
    size = 0
    while size < BYTES:
        line = " ".join(numbers.choices(_WORDS, k=numbers.randint(3, 9))).encode() + b"\n"
        lines.append(line)
        size += len(line)
    return b"".join(lines)[:BYTES]


def integers() -> bytes:
    """Numbers of 32 bits, little-endian: of a few bits each, with runs."""
    numbers = random.Random(_SEED)
    values: list[int] = []
    while len(values) < BYTES // 4:
        values += [numbers.randrange(1 << 10)] * numbers.choice((1, 1, 1, 2, 9))
    return struct.pack(f"<{BYTES // 4}i", *values[: BYTES // 4])


def zeros() -> bytes:
    """Bytes with runs of zeros between them."""
    numbers = random.Random(_SEED)
    parts: list[bytes] = []
    size = 0
    while size < BYTES:
        part = (
            bytes(numbers.randint(1, 40))
            if numbers.random() < 0.5
            else numbers.randbytes(numbers.randint(1, 9))
        )
        parts.append(part)
        size += len(part)
    return b"".join(parts)[:BYTES]


INPUTS = {"text": text, "integers": integers, "zeros": zeros}
