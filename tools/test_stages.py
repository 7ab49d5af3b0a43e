from tools.stages import number_of_tests


def test_tests_are_counted() -> None:
    assert number_of_tests("[==========] Running 7 tests from 1 test suite.\n") == 7
    assert number_of_tests("[==========] Running 1 test from 1 test suite.\n") == 1
    assert number_of_tests("Segmentation fault\n") == 0
