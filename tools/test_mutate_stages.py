import json
from pathlib import Path

import pytest

from tools.kernel_switches import VARIABLE, Switch, with_switches
from tools.mutate_stages import (
    EQUIVALENT,
    Outcome,
    Subject,
    Workshop,
    all_subjects,
    chosen_subjects,
    lines_of_errors,
    names_of_tests,
    numbered,
    reason_of_equivalence,
    results_of_switches,
    stage_id,
)
from tools.repository import ROOT

_SUBJECTS = all_subjects(ROOT, ("decode_test",))


def test_a_stage_is_called_by_its_folder() -> None:
    assert stage_id(Path("stages/codag/01_warp")) == "codag/01_warp"


def test_without_a_name_all_stages_and_what_they_share_are_chosen() -> None:
    assert chosen_subjects(_SUBJECTS, "") == _SUBJECTS
    names = [subject.name for subject in _SUBJECTS]
    stages = sorted(stage_id(path.parent) for path in ROOT.glob("stages/*/*/stage.cu"))
    assert names == [
        *stages,
        "gsst/shared",
        "tile_integer/shared",
        "codag/chunks",
        "codag/gzip",
        "codag/orc",
        "gsst/frames",
    ]


def test_a_subject_is_chosen_by_its_name() -> None:
    stage = "gsst/11_random_access"
    assert [subject.name for subject in chosen_subjects(_SUBJECTS, stage)] == [stage]


def test_an_unknown_stage_is_named_beside_the_known_ones() -> None:
    with pytest.raises(SystemExit, match="no stage is called 'gsst/9'; there are: codag/01_thread_block"):
        chosen_subjects(_SUBJECTS, "gsst/9")


def test_every_header_of_a_stage_and_what_stages_share_gets_mistakes() -> None:
    headers = {header for subject in _SUBJECTS for header in subject.headers}
    assert ROOT / "stages/gsst/shared/output_buffer.cuh" in headers
    assert ROOT / "common/frame/frame_check.cuh" in headers
    of_stages = {path for path in ROOT.glob("stages/*/*/*.cuh") if not path.name.startswith("host_")}
    assert of_stages <= headers


def test_alike_mistakes_of_a_line_are_told_apart() -> None:
    switches = [Switch(1, 7, "a"), Switch(2, 7, "b"), Switch(3, 7, "a"), Switch(4, 8, "a")]
    assert [nth for _, nth in numbered(switches)] == [0, 0, 1, 0]


def test_errors_of_a_compiler_are_found_in_the_changed_file_only() -> None:
    output = "/tree/stages/a/k.cuh:12:5: error: no\nstages/b/k.cuh:3:1: error: no\na/k.cuh:9:1: note: here\n"
    assert lines_of_errors(output, Path("stages/a/k.cuh")) == {"12"}


def test_what_changes_nothing_is_known_by_its_line() -> None:
    entry = {"file": "a.cuh", "line": "if (a < b) return;", "mistake": "limit: <= for <", "reason": "why"}
    switch = Switch(1, 3, "limit: <= for <")
    assert reason_of_equivalence("a.cuh", "  if (a < b) return;", switch, [entry]) == "why"
    assert reason_of_equivalence("b.cuh", "  if (a < b) return;", switch, [entry]) is None
    assert reason_of_equivalence("a.cuh", "  if (a < c) return;", switch, [entry]) is None


def test_each_mistake_that_changes_nothing_is_one_of_today() -> None:
    for entry in json.loads(EQUIVALENT.read_text(encoding="utf-8")):
        source = (ROOT / entry["file"]).read_text(encoding="utf-8")
        lines = source.splitlines()
        planted = {
            (lines[switch.line - 1].strip(), switch.description) for switch in with_switches(source)[1]
        }
        assert (entry["line"], entry["mistake"]) in planted, entry
        assert entry["reason"]


def test_programs_are_those_that_cmake_names() -> None:
    cmake = (
        "gsst_add_stages(all)\ngsst_add_test(decode_test SOURCES a)\ngsst_add_test(encode_test SOURCES b)\n"
    )
    assert names_of_tests(cmake) == ["decode_test", "encode_test"]


class MadeUpWorkshop(Workshop):
    """Has outcomes in place of builds: by the build and the number of the mistake."""

    def __init__(self, reasons: dict[tuple[str, str], str]) -> None:
        self.reasons = reasons

    def build_with_switches(self, _file: Path, source: str, _build: str, _subject: Subject) -> list[Switch]:
        return with_switches(source)[1]

    def outcome_of_unchanged(self, _subject: Subject, _build: str, *, is_built: bool = False) -> Outcome:
        return Outcome(is_built, 1, 1.0, "")

    def run_tests(
        self, _subject: Subject, build: str, _limit: float | None, environment: dict[str, str] | None = None
    ) -> Outcome:
        reason = self.reasons.get((build, (environment or {})[VARIABLE]), "")
        return Outcome(not reason, 1, 1.0, reason)

    def write(self, _file: Path, _text: str) -> None:
        pass


SOURCE = (
    "#pragma once\nbool f(int a, int b) {\n  return a < b && b < a;\n}\nbool g(int a) {\n  return a < 1;\n}\n"
)


def results_of_made_up(reasons: dict[tuple[str, str], str], tmp_path: Path) -> list[str | None]:
    subject = Subject("a/01_b", ("program",), "*", (), ())
    path = tmp_path / "k.cuh"
    path.write_text(SOURCE)
    return [reason for _, reason in results_of_switches(path, subject, MadeUpWorkshop(reasons), [], tmp_path)]


def test_a_crash_is_explained_by_a_later_build_if_one_can(tmp_path: Path) -> None:
    crash = "exit status -11"
    assert results_of_made_up({("cpu", "1"): crash, ("asan", "1"): "thread 1 writes"}, tmp_path)[0] == (
        "killed by asan: thread 1 writes"
    )
    assert "killed by cpu: exit status -11" in results_of_made_up({("cpu", "2"): crash}, tmp_path)


def test_alike_mistakes_of_a_line_stay_apart_from_build_to_build(tmp_path: Path) -> None:
    results = results_of_made_up({("cpu", "1"): "wrong output", ("race", "2"): "race: one"}, tmp_path)
    assert sorted(map(str, results)) == ["None", "killed by cpu: wrong output", "killed by race: race: one"]
