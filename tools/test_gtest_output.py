import pytest

from tools.gtest_output import Failure, first_failure, first_reason

BEGIN = "[ RUN      ] AllStages/StageTest.Decodes/gsst_1_simt\n"
AFTER = "[ RUN      ] AllStages/StageTest.IsLeftOut/gsst_1_simt\n"
WRONG_OUTPUT = """\
stages/suite/stage_test.cpp:72: Failure
Value of: is_output(frame, input, result.output())
  Actual: false (wrong output: block 2, byte 17: expected 0x61, found 0x62 (1 of 9 bytes are wrong))
Expected: true
Google Test trace:
../stages/suite/decode_test.cpp:50: text, 3 splits
../stages/suite/decode_test.cpp:40: outer
[  FAILED  ] AllStages/StageTest.Decodes/gsst_1_simt, where GetParam() = gsst/1 on simt (1 ms)
"""


@pytest.mark.parametrize(
    ("output", "reason"),
    [
        ("noise\n==1==ERROR: AddressSanitizer: use-after-poison on address 0x1\n", "use-after-poison"),
        ("a.cuh:3:4: runtime error: shift exponent 64\n", "a.cuh:3:4: shift exponent 64"),
        (
            "block (0, 0, 0) thread (3, 0, 0) does what C++ leaves undefined:\n"
            "../a.cuh:3:4: runtime error: shift exponent 64\n",
            "block (0, 0, 0) thread (3, 0, 0) does what C++ leaves undefined: a.cuh:3:4: shift exponent 64",
        ),
        (
            'C++ exception with description "race: thread 1 reads" thrown in the test body.\n',
            "race: thread 1 reads",
        ),
        ("x.cpp:3: Failure\nValue of: a\n  Actual: false\n", "x.cpp:3: Failure Value of: a"),
        ("x.cpp:3: Failure\nFailed\nrace: one\nGoogle Test trace:\n", "race: one"),
        (
            WRONG_OUTPUT,
            "wrong output: block 2, byte 17: expected 0x61, found 0x62 (1 of 9 bytes are wrong)",
        ),
        ("all is well\n", ""),
    ],
)
def test_the_first_reason_is_one_line(output: str, reason: str) -> None:
    assert first_reason(output) == reason


def test_what_the_executor_says_goes_before_the_report_of_addresses() -> None:
    said = (
        "block (0, 0, 0) thread (3, 0, 0) writes 1 byte, 1 byte past the block's shared memory of 64 bytes,"
        " at build-check/../stages/a/01_b/kernel.cuh:7 called from /root/stages/a/01_b/kernel.cuh:9"
    )
    report = "==1==ERROR: AddressSanitizer: use-after-poison on address 0x1\n"
    assert first_reason(f"{said}\n{report}", "/root/") == (
        "block (0, 0, 0) thread (3, 0, 0) writes 1 byte, 1 byte past the block's shared memory of 64 bytes,"
        " at stages/a/01_b/kernel.cuh:7 called from stages/a/01_b/kernel.cuh:9"
    )


def test_an_address_without_memory_has_the_place_of_the_first_call() -> None:
    output = (
        "block (0, 0, 0) thread (3, 0, 0) accesses an address where there is no memory, at #0:\n"
        "==1==ERROR: AddressSanitizer: SEGV on unknown address\n==1==The signal is caused by a READ\n"
        "    #0 0x55 in decode ../stages/a/01_b/kernel.cuh:7\n    #1 0x56 in other /root/x.cuh:9\n"
    )
    assert first_reason(output, "/root/") == (
        "block (0, 0, 0) thread (3, 0, 0) accesses an address where there is no memory,"
        " at stages/a/01_b/kernel.cuh:7"
    )


def test_files_of_a_tree_beside_its_build_are_named_below_the_tree() -> None:
    said = "race: one reads at /m/check/../tree/a/k.cuh:1 called from ../tree/a/k.cuh:2 called from ./a.cuh:3"
    output = f'C++ exception with description "{said}" thrown in the test body.\n'
    assert first_reason(output, "/m/tree/") == (
        "race: one reads at a/k.cuh:1 called from a/k.cuh:2 called from a.cuh:3"
    )


def test_a_failure_names_its_test_and_its_case() -> None:
    failure = first_failure(BEGIN + WRONG_OUTPUT + AFTER)
    assert failure is not None
    assert failure.test == "AllStages/StageTest.Decodes/gsst_1_simt"
    assert failure.case == "outer; text, 3 splits"


def test_no_failure_is_none() -> None:
    assert first_failure(f"{BEGIN}[       OK ]\n") is None
    assert first_failure("==1==ERROR: AddressSanitizer: SEGV\n") == Failure("", "", "SEGV")
