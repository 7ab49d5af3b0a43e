"""What is installed: the examples of the documentation, the version, the types."""

import doctest
import os
import re
import subprocess
import sys
from importlib import metadata, resources
from pathlib import Path

import gsst
import pyarrow as pa
import pyarrow.parquet

ROOT = Path(__file__).resolve().parent.parent


def test_examples_of_the_documentation_give_what_is_printed_there() -> None:
    failed, tried = doctest.testfile(str(ROOT / "docs/python.md"), module_relative=False)
    assert tried > 10
    assert failed == 0


def test_examples_of_the_page_about_searching_give_what_is_printed_there() -> None:
    failed, tried = doctest.testfile(str(ROOT / "docs/searching.md"), module_relative=False)
    assert tried > 10
    assert failed == 0


def test_examples_of_the_readme_give_what_is_printed_there() -> None:
    failed, tried = doctest.testfile(str(ROOT / "README.md"), module_relative=False)
    assert tried > 3
    assert failed == 0


def test_commands_of_the_page_run(tmp_path: Path) -> None:
    page = (ROOT / "docs/python.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```sh\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    # `make python` has installed the package.
    installing, *others = blocks
    assert installing == "pip install .\n"
    program = tmp_path / "gsst"
    runs = "from gsst._column_command import main; main()"
    program.write_text(f"#!/bin/sh\nshift\nexec {sys.executable} -c '{runs}' \"$@\"\n", encoding="utf-8")
    program.chmod(0o755)
    pa.parquet.write_table(
        pa.table({"l_comment": ["furiously", None, "sleep"]}), tmp_path / "lineitem.parquet"
    )
    path = f"{tmp_path}:{os.environ['PATH']}"
    for block in others:
        done = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", block],
            cwd=tmp_path,
            env={**os.environ, "PATH": path, "PYTHONPATH": str(Path(gsst.__file__).resolve().parent.parent)},
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            check=False,
        )
        assert done.returncode == 0, done.stdout
    with pa.ipc.open_file(tmp_path / "comments.arrow") as file:
        assert file.read_all().column("l_comment").to_pylist() == ["furiously", None, "sleep"]


def test_version_is_the_projects() -> None:
    found = re.search(
        r"project\(gsst VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")
    )
    assert found is not None
    assert gsst.__version__ == metadata.version("gsst") == found[1]


def test_types_are_installed() -> None:
    files = {entry.name for entry in resources.files(gsst).iterdir()}
    assert {"py.typed", "_codec.pyi"} <= files


def test_functions_and_classes_are_documented() -> None:
    names = [
        name for name in gsst.__all__ if getattr(getattr(gsst, name), "__module__", "").startswith("gsst")
    ]
    assert len(names) > 8
    assert [name for name in names if not getattr(gsst, name).__doc__] == []
