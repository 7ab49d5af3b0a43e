from pathlib import Path
from typing import Any

import pytest

from tools.repository import ROOT
from tools.trace_input import BYTES, INPUTS
from tools.trace_report import TraceError, counts_of, line_text, report, totals, worst_lines
from tools.trace_stage import TraceStageError, check_stage, program_of, settings_of, stages_with_kernels


def entry(kind: str, line: str, requests: int, lanes: int, **units: int) -> dict[str, Any]:
    return {"lines": [line], "accesses": kind, "requests": requests, "lanes": lanes, "bytes": lanes, **units}


TRACE = {
    "schema": 1,
    "launches": 1,
    "thread_blocks": 2,
    "counts": [
        entry("global_load", f"{ROOT}/stages/a/kernel.cuh:1", 10, 320, sectors=40),
        entry("global_load", f"{ROOT}/stages/a/kernel.cuh:2", 10, 80, sectors=80),
        entry("shared_load", f"{ROOT}/stages/a/kernel.cuh:3", 5, 160, passes=20, passes_without_conflicts=5),
    ],
}


def test_totals_are_sums_of_a_kind() -> None:
    loads, shared = totals(counts_of(TRACE))
    assert (loads.requests, loads.units, loads.active_share, loads.units_per_request) == (20, 120, 0.625, 6.0)
    assert (shared.units, shared.least) == (20, 5)


def test_the_line_with_the_most_sectors_is_the_first() -> None:
    counts = counts_of(TRACE)
    assert [one.units for one in worst_lines(counts, shared=False, count=2)] == [80, 40]
    assert [one.units for one in worst_lines(counts, shared=False, count=1)] == [80]
    assert [one.units for one in worst_lines(counts, shared=True, count=9)] == [20]


def test_the_table_names_lines_below_the_root() -> None:
    text = report(TRACE, ROOT, 10)
    assert "stages/a/kernel.cuh:2" in text
    assert str(ROOT) not in text
    assert "62%" in text
    assert report({**TRACE, "counts": []}, ROOT, 10).endswith("no access was seen\n")


def test_a_line_of_a_system_header_or_of_the_executor_stands_for_its_caller() -> None:
    assert (
        line_text(["/usr/include/x.h:1", "/root/a.cuh:2", "/root/b.cuh:3"], Path("/root"))
        == "a.cuh:2 < b.cuh:3"
    )
    assert line_text(["/root/common/simt/cuda_on_cpu.hpp:1", "/root/a.cuh:2"], Path("/root")) == "a.cuh:2"
    assert line_text(["/root/build/../a.cuh:2", "/root/a.cuh:3"], Path("/root")) == "a.cuh:2 < :3"
    assert line_text(["0x12"], Path("/root")) == "0x12"


def test_the_folder_that_the_compiler_ran_in_is_no_part_of_a_line() -> None:
    for folder in ("./build/stages/.", "./build/.", "./build/..", "."):
        lines = [f"{folder}/common/simt/x.hpp:1", f"{folder}/stages/a.cuh:2", f"{folder}/stages/b.cuh:3"]
        assert line_text(lines, Path("/root")) == "stages/a.cuh:2 < stages/b.cuh:3"


@pytest.mark.parametrize(
    "document", [{}, {"schema": 2, "counts": []}, {"schema": 1, "counts": [{"accesses": "global_load"}]}]
)
def test_what_is_no_trace_is_refused(document: dict[str, Any]) -> None:
    with pytest.raises(TraceError):
        counts_of(document)


def test_an_unknown_kind_of_access_is_named() -> None:
    with pytest.raises(TraceError, match="'texture_load' is no kind of access"):
        counts_of({"schema": 1, "counts": [entry("texture_load", "a:1", 1, 1, sectors=1)]})


def test_a_stage_is_asked_for_and_known() -> None:
    check_stage(stages_with_kernels()[0])
    with pytest.raises(TraceStageError, match="say which stage: make trace STAGE=<id>"):
        check_stage("")
    with pytest.raises(TraceStageError, match="no stage is called 'gsst/none'"):
        check_stage("gsst/none")


def test_code_of_the_host_has_no_kernel(tmp_path: Path) -> None:
    (tmp_path / "stages/a/01_b").mkdir(parents=True)
    (tmp_path / "stages/a/01_b/cpu.cpp").touch()
    with pytest.raises(TraceStageError, match="a/01_b runs on the host's processor"):
        check_stage("a/01_b", tmp_path)


def test_a_series_says_what_its_stages_are_traced_with(tmp_path: Path) -> None:
    folder = tmp_path / "stages/a"
    folder.mkdir(parents=True)
    assert settings_of("a/01_b", tmp_path)[0] == "text"
    path = folder / "trace.yaml"
    path.write_text("all: {input: zeros, options: []}\nstages:\n  01_b: {options: [--splits, 4]}\n")
    assert settings_of("a/01_b", tmp_path) == ("zeros", ["--splits", "4"])
    assert settings_of("a/02_c", tmp_path) == ("zeros", [])
    path.write_text("all: {input: music, options: []}\n")
    with pytest.raises(TraceStageError, match="input 'music' is none of text, integers, zeros"):
        settings_of("a/01_b", tmp_path)
    path.write_text("all: {input: text}\n")
    with pytest.raises(TraceStageError, match=r"stages/a/trace.yaml: needs `all`"):
        settings_of("a/01_b", tmp_path)


def test_every_stage_has_settings_and_a_program() -> None:
    for stage in stages_with_kernels():
        assert settings_of(stage)[0] in INPUTS
    assert program_of("gsst/02_splits") == "trace_gsst_02_splits"


def test_inputs_are_small_and_the_same_each_time() -> None:
    for make in INPUTS.values():
        assert len(make()) == BYTES
        assert make() == make()
