"""A text as a column: each line is a string."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from experiments.measure_columns.packages import load

_LINE_END = 10


class TextError(Exception):
    """A file that is no column."""


@dataclass(frozen=True)
class TextColumn:
    """The lines of a file as an array of Arrow, of strings, or of bytes where they are not UTF-8.

    `text` is the whole file: its bytes are what ratios and throughputs count."""

    text: bytes
    array: Any

    @property
    def strings(self) -> int:
        return len(self.array)


def _is_utf8(text: bytes) -> bool:
    try:
        text.decode()
    except UnicodeDecodeError:
        return False
    return True


def read_text_column(path: Path) -> TextColumn:
    """Reads a file of less than 2 GiB. Raises TextError."""
    pa = load("pyarrow")
    text = path.read_bytes()
    if not text or len(text) >= 2**31:
        raise TextError(f"{path}: has {len(text)} bytes, expected 1 to {2**31 - 1}")
    whole = text if text.endswith(b"\n") else text + b"\n"
    characters = np.frombuffer(whole, np.uint8)
    ends = np.flatnonzero(characters == _LINE_END)
    offsets = np.zeros(len(ends) + 1, np.int32)
    # Line ends are left out.
    offsets[1:] = ends - np.arange(len(ends))
    strings = characters[characters != _LINE_END]
    kind = pa.string() if _is_utf8(text) else pa.binary()
    buffers = [None, pa.py_buffer(offsets), pa.py_buffer(strings)]
    return TextColumn(text, pa.Array.from_buffers(kind, len(ends), buffers))


def is_equal(values: Any, array: Any) -> bool:  # noqa: ANN401
    """Whether values of Arrow, of any type of strings or bytes, in one chunk or several, are these."""
    pa = load("pyarrow")
    chunked = values if isinstance(values, pa.ChunkedArray) else pa.chunked_array([values])
    return chunked.cast(array.type).equals(pa.chunked_array([array]))
