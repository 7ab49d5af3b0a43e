from pathlib import Path

import pytest

from tools.mutate_stages import chosen_stages, first_reason, names_of_tests, stage_id

_FOLDERS = [Path("stages/gsst/01_blocks"), Path("stages/codag/01_warp")]


def test_a_stage_is_called_by_its_folder() -> None:
    assert [stage_id(folder) for folder in _FOLDERS] == ["gsst/01_blocks", "codag/01_warp"]


def test_without_a_stage_all_are_chosen() -> None:
    assert chosen_stages(_FOLDERS, "") == _FOLDERS
    assert chosen_stages(_FOLDERS, "codag/01_warp") == _FOLDERS[1:]


def test_an_unknown_stage_is_named_beside_the_known_ones() -> None:
    with pytest.raises(SystemExit, match="no stage is called 'gsst/9'; there are: gsst/01_blocks"):
        chosen_stages(_FOLDERS, "gsst/9")


def test_programs_are_those_that_cmake_names() -> None:
    cmake = (
        "gsst_add_stages(all)\ngsst_add_test(decode_test SOURCES a)\ngsst_add_test(encode_test SOURCES b)\n"
    )
    assert names_of_tests(cmake) == ["decode_test", "encode_test"]


@pytest.mark.parametrize(
    ("output", "reason"),
    [
        ("noise\n==1==ERROR: AddressSanitizer: use-after-poison on address 0x1\n", "use-after-poison"),
        ("a.cuh:3:4: runtime error: shift exponent 64\n", "shift exponent 64"),
        (
            'C++ exception with description "race: thread 1 reads" thrown in the test body.\n',
            "race: thread 1 reads",
        ),
        ("x.cpp:3: Failure\nValue of: a\n  Actual: false\n", "x.cpp:3: Failure Value of: a"),
        ("all is well\n", ""),
    ],
)
def test_the_first_reason_is_one_line(output: str, reason: str) -> None:
    assert first_reason(output) == reason
