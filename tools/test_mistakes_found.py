"""Every mistake that `make mutate` plants in a stage is found by what `make check` runs on the CPU.

The runs are recorded. After a change of the stage, `python -m tools.mutate_stages --stage ID --check --record
tools/mistakes_found/ID.json` makes one again.
"""

import json
import re
from collections import Counter

import pytest

from tools.kernel_mutations import mutants_of
from tools.kernel_switches import with_switches
from tools.mutate_stages import EQUIVALENT, all_subjects
from tools.repository import ROOT

FOLDER = ROOT / "tools/mistakes_found"
RECORDS = {
    path.relative_to(FOLDER).with_suffix("").as_posix(): path for path in sorted(FOLDER.glob("*/*.json"))
}
_LINE = r"(?:common|stages)/\S+\.(?:cuh|hpp):\d+"
_THREAD = r"block \(\d+, 0, 0\) thread \(\d+, 0, 0\)"
# What a finding must say: races, barriers and addresses the line, wrong bytes and statuses the block.
FINDINGS = (
    rf"race: {_THREAD} .* at {_LINE}.*; {_THREAD} .* at {_LINE}.*, and no",
    rf"{_THREAD} reads byte \d+ of shared memory at {_LINE}.*, which no thread of the block has written",
    rf"threads wait for each other at different places: {_THREAD} at {_LINE}; {_THREAD} at {_LINE}",
    rf"{_THREAD} (?:reads|writes) \d+ bytes?.*, at {_LINE}",
    rf"{_THREAD} accesses an address where there is no memory, at {_LINE}",
    rf"{_THREAD} does what C\+\+ leaves undefined: {_LINE}",
    r"wrong output: block \d+, byte \d+: expected 0x[0-9a-f]{2}, found 0x[0-9a-f]{2} ",
    r"wrong status: block \d+: expected '.*', found '.*'",
    r"the stage wrote \d+ bytes? (?:before|past) its output",
)


def planted(stage: str) -> tuple[set[str], set[str]]:
    """The names of mistakes: those that are compiled alone, and those that one program has all of."""
    (subject,) = [one for one in all_subjects(ROOT, ()) if one.name == stage]
    alone = {
        f"{path.relative_to(ROOT)}:{mutant.line} {mutant.description}"
        for path in subject.barriers
        for mutant in mutants_of(path.read_text(encoding="utf-8"))
    }
    together = {
        f"{path.relative_to(ROOT)}:{switch.line} {switch.description}"
        for path in subject.headers
        for switch in with_switches(path.read_text(encoding="utf-8"))[1]
    }
    return alone, together


def test_stage_03_is_recorded() -> None:
    assert "gsst/03_shared_memory" in RECORDS


@pytest.mark.parametrize("stage", RECORDS)
def test_all_mistakes_are_recorded_and_found(stage: str) -> None:
    rows = json.loads(RECORDS[stage].read_text(encoding="utf-8"))
    alone, together = planted(stage)
    recorded = Counter(row["mistake"] for row in rows)
    # The compiler computes some of the second kind itself.
    assert alone <= recorded.keys()
    assert recorded.keys() <= alone | together
    assert len(recorded.keys() & together) > len(together) / 2
    assert [row["mistake"] for row in rows if not row["found"]] == []


@pytest.mark.parametrize("stage", RECORDS)
def test_each_finding_says_where(stage: str) -> None:
    reasons = {entry["reason"] for entry in json.loads(EQUIVALENT.read_text(encoding="utf-8"))}
    for row in json.loads(RECORDS[stage].read_text(encoding="utf-8")):
        how, _, what = row["found"].partition(": ")
        if how == "equivalent":
            assert what in reasons
        else:
            assert any(re.match(finding, what) for finding in FINDINGS), row
