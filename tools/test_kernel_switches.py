import subprocess
from pathlib import Path

import pytest

from tools.kernel_switches import HEADER, HEADER_NAME, VARIABLE, line_in_source, with_switches

_HEADER = """\
#pragma once

// a < b in a comment.
template <int Alignment>
struct Reader {
  static_assert(Alignment <= 16);
  BlockStatus take(const char* address, unsigned count) {
    first_ = address % Alignment;
    const unsigned unaligned = bytes_to_aligned<Alignment>(address);
    if (count >= unaligned) left_ -= count;
    for (unsigned i = 0; i < count; ++i) state.escaped = i > 3;
    return left_ == 0 ? BlockStatus::decoded : BlockStatus::output_too_short;
  }
  unsigned first_ = 0;
};
"""

_PROGRAM = """\
#pragma once
#include <cstdio>
namespace {
enum class Sign { less, equal, more };
struct Counter {
  int sum_ = 0;
  void add(int value) {
    sum_ += value;
  }
};
}
int main() {
  Counter counter;
  for (unsigned i = 0; i < 3; ++i) counter.add(1);
  const bool is_large = counter.sum_ + 1 > 4;
  const bool is_small = counter.sum_ <= 3;
  const bool is_ordered = Sign::equal >= Sign::equal;
  std::printf("%d %d %d %d", counter.sum_, is_large, is_small, is_ordered);
}
"""


def test_each_kind_of_mistake_is_found_where_it_can_be_made() -> None:
    _, switches = with_switches(_HEADER)
    assert [(switch.line, switch.description) for switch in switches] == [
        (8, "carry: without first_ = ..."),
        (8, "alignment: % 1 for % Alignment"),
        (9, "alignment: 0 for bytes_to_aligned<Alignment>()"),
        (10, "limit: > for >="),
        (10, "carry: without left_ -= ..."),
        (11, "limit: <= for <"),
        (11, "carry: without state.escaped = ..."),
        (11, "limit: >= for >"),
        (12, "status: decoded for BlockStatus::output_too_short"),
    ]
    assert [switch.number for switch in switches] == list(range(1, 10))


def test_a_choice_between_equals_has_no_limit_that_matters() -> None:
    choices = ["b.size < c\n ? b.size : c", "a + b < c ? a + b : c", "a.x > b ? a.x - b : 0"]
    source = "".join(f"  a = {choice};\n" for choice in choices)
    assert with_switches(source)[1] == []
    assert len(with_switches("  a = b < c ? b : c(d);\n  a = b > c ? b - c : 1;\n")[1]) == 2


def test_lines_are_those_of_the_source_but_for_one() -> None:
    text, _ = with_switches(_HEADER)
    lines = text.splitlines()
    assert lines[1] == f'#include "{HEADER_NAME}"'
    for number, line in enumerate(lines, start=1):
        if "return left_" in line:
            assert _HEADER.splitlines()[line_in_source(number) - 1].strip().startswith("return left_")


def test_a_line_that_is_left_out_stays() -> None:
    text, switches = with_switches(_HEADER, {10, 11})
    assert "    if (count >= unaligned) left_ -= count;\n" in text
    assert {switch.line for switch in switches} == {8, 9, 12}


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("switches")
    (folder / HEADER_NAME).write_text(HEADER)
    (folder / "main.cpp").write_text(with_switches(_PROGRAM)[0])
    command = ["g++", "-std=c++20", "-w", f"-I{folder}", folder / "main.cpp", "-o", folder / "main"]
    subprocess.run(command, check=True)
    return folder / "main"


@pytest.mark.parametrize(
    ("mistake", "output"),
    [
        ("", "3 0 1 1"),
        ("carry: without sum_ += ...", "0 0 1 1"),
        ("limit: <= for <", "4 1 0 1"),
        ("limit: >= for >", "3 1 1 1"),
        ("limit: < for <=", "3 0 0 1"),
        ("limit: > for >=", "3 0 1 0"),
    ],
)
def test_a_program_makes_the_mistake_that_is_chosen(program: Path, mistake: str, output: str) -> None:
    numbers = {switch.description: switch.number for switch in with_switches(_PROGRAM)[1]}
    environment = {VARIABLE: str(numbers[mistake])} if mistake else {}
    result = subprocess.run([program], env=environment, capture_output=True, text=True, check=False)
    assert result.stdout == output
