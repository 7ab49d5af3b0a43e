"""The text that programs encode when their launches are compared: the same everywhere, of no data set."""

import random
from pathlib import Path

from data.files import write_text

_SEED = 20
_WORDS = 2000


def write_sample_text(path: Path, size: int) -> None:
    """Writes `size` bytes: lines of words, some of them frequent."""
    source = random.Random(_SEED)
    letters = "etaoinshrdlucmfwypvbgkjqxz"
    words = [
        "".join(source.choices(letters, range(26, 0, -1), k=source.randint(2, 11))) for _ in range(_WORDS)
    ]
    frequencies = [1 / rank for rank in range(1, _WORDS + 1)]
    lines, count = [], 0
    while count < size:
        lines.append(" ".join(source.choices(words, frequencies, k=8)) + "\n")
        count += len(lines[-1])
    write_text(path, "".join(lines)[:size])
