"""Mistakes that a program has all at once: when it starts, a number chooses the one that it makes.

They are of four kinds: a limit that is off by one, an address that is taken for an aligned one, a value that
is not carried on to what comes next, and a problem that is not reported.
"""

import re
from collections.abc import Iterator, Set
from dataclasses import dataclass

from tools.kernel_mutations import line_at, without_comments

HEADER_NAME = "planted_mistakes.hpp"
# The program makes the mistake of this number of the environment, or none.
VARIABLE = "GSST_MISTAKE"
HEADER = f"""\
#pragma once

#include <cstdlib>

namespace gsst::planted {{

// Set before any kernel runs: none writes it.
inline const int chosen = [] {{
  const char* const text = std::getenv("{VARIABLE}");
  return text == nullptr ? 0 : std::atoi(text);
}}();

inline bool is(int number) {{
  return number == chosen;
}}

// `a < border(1) > b` is `a < b`, or `a <= b` where mistake 1 is made: all signs have the same precedence.
struct Border {{
  bool is_moved;
}};

inline Border border(int number) {{
  return {{is(number)}};
}}

#define GSST_PLANTED_BORDER(name, sign, moved_sign)                           \\
  template <typename Left>                                                    \\
  struct name {{                                                               \\
    Left left;                                                                \\
    bool is_moved;                                                            \\
  }};                                                                          \\
  template <typename Left>                                                    \\
  name<Left> operator sign(Left left, Border border) {{                        \\
    return {{left, border.is_moved}};                                           \\
  }}                                                                           \\
  template <typename Left, typename Right>                                    \\
  bool operator>(name<Left> comparison, Right right) {{                        \\
    return comparison.is_moved ? comparison.left moved_sign right             \\
                               : comparison.left sign right;                  \\
  }}

GSST_PLANTED_BORDER(Below, <, <=)
GSST_PLANTED_BORDER(AtMost, <=, <)
GSST_PLANTED_BORDER(Above, >, >=)
GSST_PLANTED_BORDER(AtLeast, >=, >)

}}  // namespace gsst::planted
"""

_MOVED = {"<": "<=", "<=": "<", ">": ">=", ">=": ">"}
_LIMIT = re.compile(r"(?<=[\w)\]]) (<=|>=|<|>)(?=\s)")
# `a < b ? a : b` and `a > b ? a - b : 0` are the same with `<=` and `>=`.
_TERM = r"[\w.]+(?: [+*-] [\w.]+)*"
_CHOICE = re.compile(
    rf"(?<![\w.])({_TERM}) [<>]=?\s+({_TERM})\s+\? (?:\1 : \2|\2 : \1|\1 - \2 : 0)(?![\w.(\[])"
)
_PROBLEM = re.compile(r"\bBlockStatus::(?!decoded\b)\w+")
_ALIGNMENT = re.compile(r"(?<=% )(\w*[aA]lignment|unit_bytes|16)\b")
_TO_ALIGNED = re.compile(r"\bbytes_to_aligned<\w+>(?=\()")
_CARRIED = re.compile(r"(?<![\w.>])(\w+_|\w+\.\w+) ([-+|]?=) ([^;{}]*);")
# What the compiler computes, and declarations.
_LEFT_OUT = re.compile(r"\bconstexpr\b|\bstatic_assert\b|\btemplate <|\boperator\b|^\s*#")


@dataclass(frozen=True)
class Switch:
    """A mistake in a source with all of them."""

    number: int
    line: int
    description: str


@dataclass(frozen=True)
class _Edit:
    begin: int
    end: int
    text: str
    """{number} stands for the mistake's."""
    description: str
    closed_at: int | None = None
    """Where a parenthesis that the text opens is closed."""


def with_switches(source: str, left_out: Set[int] = frozenset()) -> tuple[str, list[Switch]]:
    """A header's source with all of its mistakes, but those in the lines `left_out`."""
    switches: list[Switch] = []
    replaced: list[tuple[int, int, str]] = []
    for edit in sorted(_edits(without_comments(source)), key=lambda edit: edit.begin):
        line = line_at(source, edit.begin)
        if line in left_out:
            continue
        switches.append(Switch(len(switches) + 1, line, edit.description))
        replaced.append((edit.begin, edit.end, edit.text.format(number=len(switches))))
        if edit.closed_at is not None:
            replaced.append((edit.closed_at, edit.closed_at, ")"))
    for begin, end, text in sorted(replaced, reverse=True):
        source = source[:begin] + text + source[end:]
    return source.replace("#pragma once\n", f'#pragma once\n#include "{HEADER_NAME}"\n', 1), switches


def line_in_source(line: int) -> int:
    """The line of the source that stands in line `line` of what with_switches() returns."""
    return line - 1


def _edits(code: str) -> Iterator[_Edit]:
    lines = code.split("\n")
    choices = {match.end(1) + 1 for match in _CHOICE.finditer(code)}

    def is_left_out(position: int) -> bool:
        return _LEFT_OUT.search(lines[line_at(code, position) - 1]) is not None

    for match in _LIMIT.finditer(code):
        if match.start(1) not in choices and not is_left_out(match.start()):
            sign = match[1]
            yield _Edit(
                match.start(1),
                match.end(1),
                f"{sign} ::gsst::planted::border({{number}}) >",
                f"limit: {_MOVED[sign]} for {sign}",
            )
    for match in _PROBLEM.finditer(code):
        if not is_left_out(match.start()):
            yield _Edit(
                match.start(),
                match.end(),
                f"(::gsst::planted::is({{number}}) ? ::gsst::stage::BlockStatus::decoded : {match[0]})",
                f"status: decoded for {match[0]}",
            )
    for match in _ALIGNMENT.finditer(code):
        if not is_left_out(match.start()):
            yield _Edit(
                match.start(),
                match.end(),
                f"(::gsst::planted::is({{number}}) ? 1 : {match[0]})",
                f"alignment: % 1 for % {match[0]}",
            )
    for match in _TO_ALIGNED.finditer(code):
        if not is_left_out(match.start()):
            yield _Edit(
                match.start(),
                match.end(),
                f"(::gsst::planted::is({{number}}) ? 0u : 1u) * {match[0]}",
                f"alignment: 0 for {match[0]}()",
            )
    for match in _CARRIED.finditer(code):
        before = code[code.rfind("\n", 0, match.start()) + 1 : match.start()].rstrip()
        # A statement of its own, or the whole body of a condition.
        if is_left_out(match.start()) or (before and before[-1] not in ")};"):
            continue
        # Not the value: other mistakes may be part of it.
        yield _Edit(
            match.start(),
            match.start(3),
            f"::gsst::planted::is({{number}}) ? void() : void({match[1]} {match[2]} ",
            f"carry: without {match[1]} {match[2]} ...",
            closed_at=match.end() - 1,
        )
