from pathlib import Path

from tools.kernel_coverage import counts_of_kernels, is_excused, report

_ROOT = Path("/repository")
_BUILD = _ROOT / "build-asan"
_KERNEL = "stages/gsst/01_blocks/kernel.cuh"
_SOURCE = [
    "int first();",
    "  run();",
    "  fail();  // not covered: the host refuses such a frame",
    "  rest();",
]


def _gcov(counts: dict[int, int], file: str = f"/repository/{_KERNEL}") -> str:
    lines = [f"{count or '#####':>9}:{number:>5}:code();" for number, count in counts.items()]
    return "\n".join([f"        -:    0:Source:{file}", *lines, "        -:    9:"]) + "\n"


def test_counts_of_objects_are_added() -> None:
    first = _gcov({2: 1, 3: 0, 4: 0})
    assert counts_of_kernels(first + _gcov({2: 3, 4: 5}), _ROOT, _BUILD) == {_KERNEL: {2: 4, 3: 0, 4: 5}}


def test_only_kernels_of_this_repository_count() -> None:
    names = ["/usr/include/kernel.cuh", "/repository/common/frame/checksum.cuh"]
    names += [f"/repository/stages/gsst/01_blocks/{name}" for name in ("stage.cu", "host_side.cuh")]
    others = "".join(_gcov({1: 1}, name) for name in names)
    assert counts_of_kernels(_gcov({2: 1}) + others, _ROOT, _BUILD) == {_KERNEL: {2: 1}}


def test_what_kernels_call_counts() -> None:
    functions = "stages/gsst/01_blocks/device_functions.cuh"
    counts = counts_of_kernels(_gcov({2: 1}) + _gcov({5: 0}, f"/repository/{functions}"), _ROOT, _BUILD)
    assert counts == {_KERNEL: {2: 1}, functions: {5: 0}}


def test_sources_may_be_named_from_the_build_folder() -> None:
    assert counts_of_kernels(_gcov({2: 1}, f"../{_KERNEL}"), _ROOT, _BUILD) == {_KERNEL: {2: 1}}


def test_a_line_that_no_test_runs_is_listed() -> None:
    text, complete = report({_KERNEL: {2: 7, 4: 0}}, {_KERNEL: _SOURCE})
    assert text == [f"{_KERNEL}: 1 of 2 lines", "  not run: line 4: rest();"]
    assert not complete


def test_a_line_with_a_reason_is_excused() -> None:
    text, complete = report({_KERNEL: {2: 7, 3: 0}}, {_KERNEL: _SOURCE})
    assert text[1].startswith("  excused: line 3: fail();")
    assert complete


def test_a_kernel_that_never_ran_is_not_complete() -> None:
    assert report({}, {_KERNEL: _SOURCE}) == ([f"{_KERNEL}: not run at all"], False)


def test_a_reason_stands_on_the_line_or_alone_above_it() -> None:
    source = [
        "// not covered: why",
        "first();",
        "second();  // not covered: why",
        "third();",
        "// not covered:",
        "x();",
    ]
    assert [number for number in range(1, 7) if is_excused(source, number)] == [1, 2, 3]
