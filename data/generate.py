"""Generates TPC-H-derived data: a column of a table that tpchgen-cli writes, one row a line, or as values."""

import os
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from data.catalogue import Digest, Generator
from data.columns import store_values
from data.errors import DataUnavailableError
from data.files import copy_bytes, describe_mismatch, digest_of, new_file


def find_generator(generator: Generator) -> str:
    """Path of the generator, from the Python environment first; its version must be the pinned one."""
    beside_python = Path(sys.executable).parent / generator.program
    program = str(beside_python) if beside_python.exists() else shutil.which(generator.program)
    if program is None:
        raise DataUnavailableError(
            f"{generator.program} {generator.version} is not installed (it is in requirements.txt)"
        )
    answer = subprocess.run([program, "--version"], capture_output=True, text=True, check=False)
    if answer.stdout.split()[-1:] != [generator.version]:
        raise DataUnavailableError(
            f"{program}: version {generator.version} is needed, it says {answer.stdout.strip()!r}"
        )
    return program


def _write_part(
    program: str, generator: Generator, scale_factor: float, parts: int, part: int, path: Path
) -> None:
    """Writes the column of part `part` (1 to `parts`) to `path`."""
    table = subprocess.Popen(
        [
            *(program, "tbl", "--scale-factor", f"{scale_factor:g}", "--tables", generator.table),
            *("--parts", str(parts), "--part", str(part), "--num-threads", "1", "--stdout", "--quiet"),
        ],
        stdout=subprocess.PIPE,
    )
    with path.open("wb") as column:
        cut = subprocess.run(
            ["cut", "-d|", f"-f{generator.field}"],
            stdin=table.stdout,
            stdout=column,
            env={**os.environ, "LC_ALL": "C"},
            check=False,
        )
    assert table.stdout is not None
    table.stdout.close()
    status = table.wait()
    # cut goes first: where it dies early (a full disk), the generator only fails because of that.
    for name, code in (("cut", cut.returncode), (generator.program, status)):
        if code != 0:
            raise DataUnavailableError(f"{name} ended with status {code} in part {part} of {parts}")
    if generator.values is not None:
        store_values(path, generator.values)


def generate(
    generator: Generator, scale_factor: float, destination: Path, parts: int | None = None
) -> Digest:
    """Writes the column to `destination` and returns its digest, which must be the known one if there is one.

    `parts` parts are made at the same time, as many as there are processors where not given; the bytes do not
    depend on it. Raises DataUnavailableError and leaves nothing behind on any failure.
    """
    program = find_generator(generator)
    parts = parts or os.cpu_count() or 1
    destination.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".generate.", dir=destination.parent) as folder:
        paths = [Path(folder) / f"part_{part}" for part in range(1, parts + 1)]
        try:
            with ThreadPoolExecutor(parts) as pool:
                jobs = [
                    pool.submit(_write_part, program, generator, scale_factor, parts, part, path)
                    for part, path in enumerate(paths, start=1)
                ]
                for job in jobs:
                    job.result()
            with new_file(destination) as temporary:
                with temporary.open("wb") as whole:
                    for path in paths:
                        with path.open("rb") as column:
                            copy_bytes(column, whole)
                        path.unlink()
                actual = digest_of(temporary)
                expected = generator.known.get(scale_factor, actual)
                if actual != expected:
                    raise DataUnavailableError(
                        f"{destination}: generated text has the {describe_mismatch(expected, actual)}"
                    )
        except OSError as error:
            raise DataUnavailableError(f"{destination}: {error}") from error
    return actual
