"""Tests of experiments.verify_on_gpu: what it reads of the programs' output, and when it is stale."""

import json
import re
from concurrent.futures import Future
from pathlib import Path

import pytest

from experiments.check_records import check_verifications
from experiments.sources import (
    LIBRARY,
    LIBRARY_STAGES,
    REPOSITORY_ROOT,
    formats_of_library,
    verified_digest,
)
from experiments.verification_text import verification_section
from experiments.verify_on_gpu import (
    LARGE_TESTS,
    LIBRARY_SUITES,
    SAMPLE,
    TOOLS,
    Origin,
    Outcome,
    Run,
    VerificationError,
    count_tests,
    document,
    environment_of,
    excerpt,
    filter_of,
    gpu_parts,
    gpu_stages,
    in_order_of_start,
    joined,
    outcome_of,
    passed_tests,
    stages_in_order_of_end,
    visible_gpus,
)
from tools.stages import default_stages

PASSED = "[==========] 15 tests ran.\n[  PASSED  ] 15 tests.\n"


def test_stages_with_tests_on_a_gpu(tmp_path: Path) -> None:
    for stage in ("a/01_x", "a/02_y", "a/02_y_z"):
        (tmp_path / "stages" / stage).mkdir(parents=True)
        (tmp_path / "stages" / stage / "stage.cu").touch()
    listed = "Stages/Test.\n  Decodes/a_01_x_simt  # x\n  Decodes/a_01_x_gpu\n  Decodes/a_02_y_z_gpu  # y\n"
    assert gpu_stages(listed, tmp_path) == ["a/01_x", "a/02_y_z"]


def test_the_library_stands_beside_the_stages(tmp_path: Path) -> None:
    listed = "GpuApi.\n  AStatusIsTurnedIntoAnError\nGpuLibrary.\n  EveryFormatIsDecompressed\n"
    assert gpu_parts(listed, tmp_path) == [LIBRARY]
    assert gpu_parts(listed.replace("GpuLibrary.", "NoGpuLibrary."), tmp_path) == []
    program = Path("gpu_api_test")
    suites = "GpuLibrary.*:GpuColumns.*:GpuDeviceFrames.*:GpuFrames.*:GpuSearch.*"
    assert filter_of(Run(program, LIBRARY, "")) == suites
    assert filter_of(Run(program, LIBRARY, "memcheck")) == f"{suites}:-{LARGE_TESTS}"
    assert filter_of(Run(program, "a/01_x", "")) == "*/a_01_x_gpu"


def test_the_library_is_stale_when_what_it_is_built_from_changes(tmp_path: Path) -> None:
    found = {}
    for name in (
        *("library/a.cpp", "include/gsst/a.h", "common/stage/a.hpp", "common/cuda/a.hpp"),
        *("stages/gsst/encode/a.hpp", *(f"stages/{stage}/a.cuh" for stage in LIBRARY_STAGES)),
        *("library/b.cu", "common/format/b.hpp"),
    ):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f'#include "common/format/b.hpp"\n{name}\n')
        found[name] = verified_digest(LIBRARY, tmp_path)
    (tmp_path / "library" / "a_test.cpp").write_text("test")
    (tmp_path / "stages/gsst/02_splits").mkdir()
    (tmp_path / "stages/gsst/02_splits/a.cuh").write_text("other stage")
    assert verified_digest(LIBRARY, tmp_path) == found["common/format/b.hpp"]
    assert len(set(found.values())) == len(found)


def test_the_librarys_stages_are_the_default_ones() -> None:
    listing = (REPOSITORY_ROOT / "library" / "CMakeLists.txt").read_text(encoding="utf-8")
    assert "IN LISTS GSST_LIBRARY_STAGES_OF_gpu" in listing
    on_gpu = [line for line in default_stages() if line.executor == "gpu"]
    assert set(LIBRARY_STAGES) == {line.stage for line in on_gpu if line.format in formats_of_library()}
    # The formats of another series, which the interface does not name.
    assert set(LIBRARY_STAGES) < {line.stage for line in on_gpu}


def test_every_suite_of_the_library_that_needs_a_gpu_is_run() -> None:
    suites = {"GpuLibrary."}
    for path in (REPOSITORY_ROOT / "library").glob("*_test.cpp"):
        text = path.read_text(encoding="utf-8")
        suites |= {f"{name}." for name in re.findall(r"(?:class|struct) (\w+) : public GpuLibrary", text)}
        suites |= {f"{name}." for name in re.findall(r"using (\w+) = (?:test::)?GpuLibrary;", text)}
    assert suites == set(LIBRARY_SUITES)


def test_no_test_is_skipped_where_there_is_a_gpu() -> None:
    files = [*REPOSITORY_ROOT.glob("stages/**/*_test.*"), REPOSITORY_ROOT / "library/gpu_test_memory.hpp"]
    lines = [line for file in files for line in file.read_text(encoding="utf-8").splitlines()]
    skips = [line for line in lines if "GTEST_SKIP" in line]
    assert len(skips) >= 5
    # A run with a skipped test is no verification: such tests are instantiated for other executors alone.
    elsewhere = re.compile(r'"no GPU"|executor != Executor::gpu\) GTEST_SKIP')
    assert [line for line in skips if not elsewhere.search(line)] == []


def test_count_tests() -> None:
    assert count_tests("Stages/Test.\n  Decodes/a_01_x_gpu\n  Refuses/a_01_x_gpu  # y\nOther.\n") == 2


def test_a_stage_that_has_ended_does_not_wait_for_those_before_it() -> None:
    started = {stage: [Future[Outcome](), Future[Outcome]()] for stage in ("a/01_x", "a/02_y", "a/03_z")}
    ended = stages_in_order_of_end(started)
    for run in started["a/02_y"]:
        run.set_result(Outcome("a/02_y", "", 1, ""))
    started["a/01_x"][1].set_exception(VerificationError("a test failed"))
    assert next(ended) == "a/02_y"
    started["a/01_x"][0].set_result(Outcome("a/01_x", "", 1, ""))
    assert next(ended) == "a/01_x"
    for run in started["a/03_z"]:
        run.set_result(Outcome("a/03_z", "", 1, ""))
    assert list(ended) == ["a/03_z"]


def test_a_run_says_what_it_is() -> None:
    run = Run(Path("build/tests/stage_decode_test"), "a/01_x", "racecheck", 2, 16)
    assert str(run) == "a/01_x, stage_decode_test, racecheck, part 3 of 16"
    assert str(Run(Path("gpu_api_test"), LIBRARY, "")) == "library, gpu_api_test, plain"


def test_each_tool_takes_another_part_of_like_inputs_and_a_plain_run_takes_all() -> None:
    program, outside = Path("gpu_api_test"), {"HOME": "/", SAMPLE: "1/5"}
    of_tools = [environment_of(Run(program, LIBRARY, tool, 2, 32), "1", outside) for tool in TOOLS]
    assert [environment[SAMPLE] for environment in of_tools] == ["1/5", "2/5", "3/5", "4/5"]
    shard = {"GTEST_TOTAL_SHARDS": "32", "GTEST_SHARD_INDEX": "2"}
    assert of_tools[0] == {"HOME": "/", SAMPLE: "1/5", "CUDA_VISIBLE_DEVICES": "1", **shard}
    assert SAMPLE not in environment_of(Run(program, LIBRARY, ""), "0", outside)


def test_tests_know_the_name_of_the_variable_that_says_which_inputs_they_take() -> None:
    text = (REPOSITORY_ROOT / "stages/suite/test_sample.cpp").read_text(encoding="utf-8")
    assert f'variable = "{SAMPLE}"' in text


def test_the_slowest_processes_begin_first() -> None:
    program = Path("stage_decode_test")
    stages = (LIBRARY, "gsst/10_wide_encoder", "gsst/09_warp_tiles")
    runs = [Run(program, stage, tool) for stage in stages for tool in TOOLS]
    ordered = [(run.stage, run.tool) for run in in_order_of_start(runs)]
    slow = [
        *((LIBRARY, "racecheck"), (LIBRARY, "initcheck")),
        ("gsst/10_wide_encoder", "racecheck"),
    ]
    assert ordered[:3] == slow
    assert ordered[3:] == [(run.stage, run.tool) for run in runs if (run.stage, run.tool) not in slow]


def test_shards_are_joined() -> None:
    shards = [Outcome("a/01_x", "memcheck", 4, "0 errors"), Outcome("a/01_x", "memcheck", 3, "0 errors")]
    plain = Outcome("a/01_x", "", 8, "")
    assert joined([*shards, plain]) == [plain, Outcome("a/01_x", "memcheck", 7, "0 errors")]


def test_visible_gpus() -> None:
    listed = "GPU 0: NVIDIA H200 (UUID: GPU-1)\nGPU 1: NVIDIA H200 (UUID: GPU-2)\n"
    assert visible_gpus(listed, None) == ["0", "1"]
    assert visible_gpus(listed, "1") == ["1"]


def test_passed_tests() -> None:
    assert passed_tests(PASSED) == 15


@pytest.mark.parametrize(
    "output",
    [
        "",
        "[  PASSED  ] 0 tests.\n",
        "[  PASSED  ] 14 tests.\n[  FAILED  ] 1 test, listed below:\n",
        "[  PASSED  ] 14 tests.\n[  SKIPPED ] 1 test, listed below:\n",
    ],
)
def test_anything_but_success_is_an_error(output: str) -> None:
    with pytest.raises(VerificationError):
        passed_tests(output)


@pytest.mark.parametrize(
    "summary",
    ["ERROR SUMMARY: 0 errors", "RACECHECK SUMMARY: 0 hazards displayed (0 errors, 0 warnings)"],
)
def test_clean_sanitizer(summary: str) -> None:
    outcome = outcome_of("a/01_x", "memcheck", f"{PASSED}========= {summary}\n")
    assert (outcome.passed, outcome.summary) == (15, summary)


@pytest.mark.parametrize(
    "summary",
    ["", "ERROR SUMMARY: 10 errors", "RACECHECK SUMMARY: 2 hazards displayed (2 errors, 0 warnings)"],
)
def test_findings_of_a_sanitizer_are_an_error(summary: str) -> None:
    with pytest.raises(VerificationError):
        outcome_of("a/01_x", "racecheck", f"{PASSED}========= {summary}\n")


def test_the_first_failure_is_shown_and_not_only_those_that_follow() -> None:
    output = "x.cpp:7: Failure\nout of memory\n" + "[  FAILED  ] another\n" * 100
    shown = excerpt(output)
    assert shown.startswith("x.cpp:7: Failure\nout of memory\n")
    assert shown.endswith("[  FAILED  ] another")
    assert len(shown) < len(output)


def _record(folder: Path, digest: str) -> None:
    (folder / "h200" / "verification").mkdir(parents=True)
    written = document([outcome_of("a/01_x", "", PASSED)], Origin("a GPU", "1.0", "0" * 40, False))
    written["sources_digests"] = {"a/01_x": digest}
    (folder / "h200" / "verification" / "a_01_x.json").write_text(json.dumps(written))


def test_a_changed_stage_is_stale(tmp_path: Path) -> None:
    source = tmp_path / "stages" / "a" / "01_x" / "kernel.cuh"
    source.parent.mkdir(parents=True)
    source.write_text("kernel")
    recorded = tmp_path / "recorded"
    _record(recorded, verified_digest("a/01_x", tmp_path))
    assert check_verifications(recorded, tmp_path) == []
    source.write_text("another kernel")
    assert check_verifications(recorded, tmp_path) == [
        "stale: h200/verification/a_01_x.json: a/01_x has changed since commit 000000000000"
    ]


def test_a_stages_page_says_what_was_verified(tmp_path: Path) -> None:
    _record(tmp_path, "")
    path = tmp_path / "h200" / "verification" / "a_01_x.json"
    record = json.loads(path.read_text())
    record |= {"gpu": "Made-up GPU, 1.2", "date": "2026-11-20T10:00:00Z"}
    tools = ("", "racecheck", "memcheck")
    record["runs"] = [{"tool": tool, "passed": 3 if tool else 4, "summary": ""} for tool in tools]
    path.write_text(json.dumps(record))
    assert verification_section("a/01_x", tmp_path) == (
        "**Tested on H200** (2026-11-20, commit 000000000000): 4 tests passed, "
        "and 6 runs of them under compute-sanitizer's tools found nothing.\n"
    )
    assert verification_section("a/02_y", tmp_path) == ""
