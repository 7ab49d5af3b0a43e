"""Each promise of docs/library.md names tests that are there."""

import re

import pytest

from tools.repository import ROOT, committable_files

_ROW = re.compile(r"^\| (?P<promise>.+?) \| (?P<tests>.+) \|$", re.MULTILINE)


def promises() -> dict[str, list[str]]:
    """What stands in code beside each promise."""
    page = (ROOT / "docs/library.md").read_text(encoding="utf-8")
    section = page.partition("## What is promised")[2].partition("\n**")[0]
    rows = {row["promise"]: re.findall(r"`([^`]+)`", row["tests"]) for row in _ROW.finditer(section)}
    return {promise: tests for promise, tests in rows.items() if promise not in ("promise", "---")}


PROMISES = promises()
SOURCES = "\n".join(
    (ROOT / path).read_text(encoding="utf-8")
    for path in committable_files()
    if re.fullmatch(r".*(_test\.cpp|/test_[^/]*\.py|/CMakeLists\.txt)", str(path))
)


def is_there(test: str) -> bool:
    """Whether a file, a test of C++ or Python, a program, or a command of make is called `test`."""
    if test.startswith("make "):
        return (
            re.search(rf"^{test[5:]}:", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
            is not None
        )
    if "/" in test:
        return (ROOT / test).exists()
    return (
        re.search(rf"TEST(_F|_P)?\(\w+, {test}\)|def {test}\(|add_executable\({test}\s", SOURCES) is not None
    )


def test_there_are_promises() -> None:
    assert len(PROMISES) > 20


@pytest.mark.parametrize("promise", PROMISES)
def test_a_promise_names_tests_that_are_there(promise: str) -> None:
    assert PROMISES[promise], "names no test"
    assert [test for test in PROMISES[promise] if not is_there(test)] == []


def test_a_test_that_is_not_there_is_seen() -> None:
    assert not is_there("OneThatNobodyWrote")
    assert not is_there("library/nothing_test.cpp")
    assert not is_there("make nothing")
