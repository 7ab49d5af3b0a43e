"""Going from plain columns to compressed ones changes one line of a query's file."""

import re
from pathlib import Path

import pytest

FOLDER = Path(__file__).parent.parent / "09_queries"
LOAD = r"Load(?:Plain|Whole|BitPack|DBitPack|RBitPack)"


@pytest.mark.parametrize("flight", [1, 2, 3, 4])
def test_only_the_names_of_the_loads_differ(flight: int) -> None:
    text = (FOLDER / f"kernel_flight_{flight}.cuh").read_text(encoding="utf-8")
    lines = [line.strip() for line in text.splitlines() if re.search(LOAD, line)]
    names = [re.match(r"\.(\w+) = ", line) for line in lines]
    assert [name and name[1] for name in names] == ["plain", "whole", "packed", "smallest"]
    # What is left without the names of kind and loads is the same.
    rest = {re.sub(LOAD, "Load", re.sub(r"^\.\w+", "", line)) for line in lines}
    assert len(rest) == 1
    # And nothing says it elsewhere: no macro, no include.
    assert "#define" not in text
    assert "#if" not in text
