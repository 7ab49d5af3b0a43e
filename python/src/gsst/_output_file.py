"""Files that are there whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def unfinished(path: Path) -> Iterator[Path]:
    """A name beside `path` to write to; the file gets the name `path` if no exception ends the block."""
    temporary = path.with_name(f"{path.name}.{os.getpid()}.unfinished")
    try:
        yield temporary
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)
