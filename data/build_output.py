"""Data that a program of this repository's build makes."""

import subprocess
from pathlib import Path

from data.catalogue import Built, Digest
from data.errors import DataUnavailableError
from data.files import describe_mismatch, digest_of, new_file

PROGRAMS_DIR = Path(__file__).parent.parent / "build" / "bin"


def expected_digest(source: Built, first_bytes: int | None) -> Digest | None:
    """What the whole data is, or its first bytes; None where the catalogue does not know those."""
    if first_bytes is None:
        return source.digest
    return Digest(first_bytes, source.first[first_bytes]) if first_bytes in source.first else None


def make(source: Built, first_bytes: int | None, destination: Path, programs: Path = PROGRAMS_DIR) -> Digest:
    """Writes the data, or its first bytes, to `destination` and returns its digest, which must be the known
    one if there is one. Raises DataUnavailableError and leaves nothing there on any failure."""
    program = programs / source.program
    if not program.exists():
        raise DataUnavailableError(f"{program} makes it and is not built: run `make build`")
    cut = [] if first_bytes is None else ["--first-bytes", str(first_bytes)]
    try:
        with new_file(destination) as temporary:
            command = [program, *source.arguments, *cut, "--output", temporary]
            made = subprocess.run(command, capture_output=True, text=True, check=False)
            if made.returncode != 0:
                raise DataUnavailableError(
                    f"{source.program} ended with status {made.returncode}: {made.stderr.strip()}"
                )
            actual = digest_of(temporary)
            expected = expected_digest(source, first_bytes) or actual
            if actual != expected:
                raise DataUnavailableError(f"{destination}: {describe_mismatch(expected, actual)}")
    except OSError as error:
        raise DataUnavailableError(f"{destination}: {error}") from error
    return actual
