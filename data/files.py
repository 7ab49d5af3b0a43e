"""Files that are whole or absent: digests, and writing under a temporary name."""

import hashlib
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from data.catalogue import Digest

# Where what is fetched or made is kept.
CACHE_DIR = Path(__file__).parent / "cache"
CHUNK_BYTES = 1 << 20


def digest_of(path: Path) -> Digest:
    """Size and sha256 of a file."""
    with path.open("rb") as file:
        sha256 = hashlib.file_digest(file, "sha256").hexdigest()
    return Digest(path.stat().st_size, sha256)


def digest_path(path: Path) -> Path:
    """The file next to one that was made that holds its digest, where datasets.yaml does not know it."""
    return path.with_name(path.name + ".sha256")


def write_digest(path: Path, digest: Digest) -> None:
    """Writes the digest of the file at `path` next to it."""
    write_text(digest_path(path), f"{digest.bytes} {digest.sha256}\n")


def describe_mismatch(expected: Digest, actual: Digest) -> str:
    """Says how a file differs from what it must be."""
    if actual.bytes != expected.bytes:
        return f"wrong size: {actual.bytes} bytes instead of {expected.bytes}"
    return f"wrong checksum: sha256 {actual.sha256} instead of {expected.sha256}"


@contextmanager
def new_file(path: Path) -> Iterator[Path]:
    """Path of an empty file beside `path`, which gets that name if the block ends without an exception."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{os.getpid()}.partial")
    temporary.touch()
    try:
        yield temporary
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def write_text(path: Path, text: str) -> None:
    """Replaces the content of `path`, all or nothing."""
    with new_file(path) as temporary:
        temporary.write_text(text, encoding="utf-8")


def copy_bytes(source: BinaryIO, target: BinaryIO, limit: int | None = None) -> int:
    """Copies up to `limit` bytes (all where None); returns how many."""
    copied = 0
    while limit is None or copied < limit:
        chunk = source.read(CHUNK_BYTES if limit is None else min(CHUNK_BYTES, limit - copied))
        if not chunk:
            break
        target.write(chunk)
        copied += len(chunk)
    return copied
