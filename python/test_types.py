"""What a type checker says of programs that use the package."""

import os
import subprocess
import sys
from pathlib import Path

import gsst
import pytest

PACKAGE = Path(gsst.__file__).resolve().parent

# As programs call it. A line that ends with a comment is an error of that name; no other line is one.
_PROGRAM = """
import mmap
from collections.abc import Iterator
import numpy as np
import gsst

class Series:
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        return 0

class Strings:
    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]:
        return (0, 0)

frame: bytes = gsst.compress(np.zeros(3))
gsst.compress(b"")
gsst.compress(bytearray())
gsst.compress(memoryview(b""))
gsst.compress(mmap.mmap(-1, 8))
gsst.compress(b"", 9)
gsst.compress("text")  # arg-type
gsst.compress(3)  # arg-type
gsst.compress(b"", format="zip")  # arg-type
output = np.zeros(24, np.uint8)
reader = gsst.Frame(np.frombuffer(frame, np.uint8))
reader.decompress_into(output)
reader.decompress_into(bytearray(24))
reader.decompress_into("text")  # arg-type
info: gsst.ReadInfo = reader.decompress_ranges_into([(0, 1, 0)], output)
array = np.from_dlpack(gsst.decompress_to_tensor(frame))
again: bytes = gsst.compress(gsst.decompress_to_tensor(frame))
column = gsst.Column(np.frombuffer(gsst.compress_column(Strings()), np.uint8))
strings: Iterator[str | bytes | None] = iter(column)
first: str | bytes | None = column[0]
wrong: int = column[0]  # assignment
some: gsst.Strings = column[1:7:2]
others: gsst.Strings = some[1:].take([0, 1])
same: bool = column == some
gsst.compress_column(Series(), 3, column="comment")
gsst.compress_column(column)
gsst.compress_column(some)
gsst.compress_column(["a"])  # arg-type
numbers = gsst.IntegerColumn(gsst.compress_column(Strings(), format="auto"))
part: gsst.Integers = numbers.slice(0, 1)
data: bytes = gsst.compress_column(part, format="dfor")
either: gsst.Column | gsst.IntegerColumn = gsst.read_column(data)
gsst.compress_column(part, format="zip")  # arg-type
numbers[0]
mapped: gsst.Column | gsst.IntegerColumn = gsst.open_column("comment.gssc", verify=False)
with gsst.open("shells.gsst") as file:
    text: bytes = file.read()
with open("shells.gsst", "rb") as stored, gsst.open(stored) as file:
    text = file.read()
with gsst.open("shells.gsst", "wb", 3, format="tiles") as output_file:
    output_file.write(b"")
gsst.open("shells.gsst", "rb", 3)  # call-overload
table = gsst.Table([b"the boxes", np.zeros(3), bytearray()])
value: bytes = table.compress(np.zeros(3), names_table=True)
text = gsst.Table.load(table.save()).decompress(value)
gsst.Table(["text"])  # list-item
places: list[tuple[int, int]] = gsst.search(frame, ["text", b"bytes"], kind="like")
count: int = gsst.Search("text", ignore_case=True).count(np.zeros(3), threads=2)
gsst.Search("text", kind="words")  # arg-type
kept: gsst.Strings = column.filter(column.match_like("%text%"))
column.is_in(["text", None], skip_nulls=True)
column.is_in([1])  # list-item
"""
# pyarrow has no types, and gsst._gpu is not in every package.
_CHECKED = (
    "__init__.py",
    "_arrow.py",
    "_codec.pyi",
    "_column.py",
    "_column_search.py",
    "_error.py",
    "_file.py",
    "_frame.py",
    "_integer_column.py",
    "_options.py",
    "_parts.py",
    "_search.py",
    "_table.py",
    "_values.py",
)


def mypy(folder: Path, *arguments: str) -> str:
    """What mypy says of the arguments, with a folder in which no package but this one is."""
    (folder / "packages").mkdir()
    (folder / "packages/gsst").symlink_to(PACKAGE)
    command = ("-m", "mypy", "--strict", "--no-error-summary", "--hide-error-context", "--no-pretty")
    done = subprocess.run(
        [sys.executable, *command, "--cache-dir", str(folder / "cache"), *arguments],
        text=True,
        capture_output=True,
        check=False,
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(PACKAGE.parent), "MYPYPATH": str(folder / "packages")},
    )
    assert done.stderr == ""
    return done.stdout


@pytest.mark.parametrize("version", ["3.11", "3.13"])
def test_a_program_with_types_is_accepted(tmp_path: Path, version: str) -> None:
    (tmp_path / "program.py").write_text(_PROGRAM, encoding="utf-8")
    said = mypy(tmp_path, "--follow-imports=silent", "--python-version", version, "program.py")
    errors = [line for line in said.splitlines() if ": error: " in line]
    found = {(int(line.split(":")[1]), line.rpartition("[")[2].rstrip("]")) for line in errors}
    lines = enumerate(_PROGRAM.splitlines(), 1)
    assert found == {(number, line.partition("  # ")[2]) for number, line in lines if "  # " in line}, said


def test_the_package_has_the_types_that_it_says(tmp_path: Path) -> None:
    modules = [f"packages/gsst/{name}" for name in _CHECKED]
    assert mypy(tmp_path, "--follow-imports=silent", *modules) == ""
