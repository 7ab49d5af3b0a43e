"""What is installed: the examples of the documentation, the version, the types."""

import doctest
import re
from importlib import metadata, resources
from pathlib import Path

import gsst

ROOT = Path(__file__).resolve().parent.parent


def test_examples_of_the_documentation_give_what_is_printed_there() -> None:
    failed, tried = doctest.testfile(str(ROOT / "docs/python.md"), module_relative=False)
    assert tried > 10
    assert failed == 0


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
