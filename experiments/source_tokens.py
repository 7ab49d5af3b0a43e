"""The tokens of a source file: what is left of it without comments and layout.

C++ loses its lines `#include` and `#pragma once` as well; what they name is found by `included_names`. The
end of any other directive is a token: it ends what the directive defines.
"""

import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import NamedTuple

_END_OF_DIRECTIVE = "\n"
_CXX_TOKEN = re.compile(
    r"""
    (?P<space>(?:\s|\\\r?\n)+)
    |(?P<comment>//(?:\\\r?\n|[^\n])*|/\*.*?\*/)
    |(?:u8|[uUL])?R"(?P<delimiter>[^()\\\s]{0,16})\(.*?\)(?P=delimiter)"
    |(?:u8|[uUL])?(?:"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')
    |(?P<name>[A-Za-z_]\w*)
    |\.?\d(?:[eEpP][+-]|'?[\w.])*
    |<=>|<<=|>>=|->\*|\.\.\.|::|\.\*|->|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||\#\#|[-+*/%&|^]=
    |.
    """,
    re.DOTALL | re.VERBOSE,
)
_CONTINUED_LINE = re.compile(r"\\\r?\n")
# Each alternative but the comments' is a token.
_CMAKE_TOKEN = re.compile(
    r"""
    \#\[(?P<depth>=*)\[.*?\](?P=depth)\]
    |\#[^\n]*
    |(?P<token>"(?:\\.|[^"\\])*"|\[(?P<equals>=*)\[.*?\](?P=equals)\]|[()]|(?:\\.|[^\s()"\#\\])+|.)
    """,
    re.DOTALL | re.VERBOSE,
)
# The text of strings, and of lines up to a comment; what is between them is layout.
_PYTHON_PART = re.compile(
    r"""
    (?P<string>\"{3}(?:\\.|.)*?\"{3}|'{3}(?:\\.|.)*?'{3}|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')
    |(?P<line>[ \t]*(?:\#[^\n]*)?(?:\n[ \t]*(?:\#[^\n]*)?)*\n(?P<indentation>[ \t]*))
    |(?P<comment>\#[^\n]*)
    |[ \t]+
    |[^\s"'\#]+
    """,
    re.DOTALL | re.VERBOSE,
)


class _Line(NamedTuple):
    """A directive of C++, or the tokens between two."""

    is_directive: bool
    tokens: list[str]


def _cxx_lines(text: str) -> Iterator[_Line]:
    line = _Line(False, [])
    begins_line = True
    for match in _CXX_TOKEN.finditer(text):
        token = match[0]
        if match["comment"]:
            continue
        if match["space"]:
            if "\n" in _CONTINUED_LINE.sub("", token):
                begins_line = True
                if line.is_directive:
                    yield line
                    line = _Line(False, [])
            continue
        if token == "#" and begins_line:
            yield line
            line = _Line(True, [])
        # With a parenthesis that follows at once the macro has parameters.
        if match["name"] and line.is_directive and line.tokens == ["#", "define"]:
            token += "(" if text.startswith("(", match.end()) else ""
        line.tokens.append(token)
        begins_line = False
    yield line


def _included_name(line: _Line) -> str | None:
    """What a directive includes, None where it includes nothing."""
    if not line.is_directive or line.tokens[1:2] != ["include"]:
        return None
    operand = "".join(line.tokens[2:])
    return operand[1:-1] if operand[:1] + operand[-1:] in ('""', "<>") else None


@cache
def included_names(text: str) -> tuple[str, ...]:
    """The names that the lines `#include` of a C++ file hold, whatever the conditions around them."""
    return tuple(name for line in _cxx_lines(text) if (name := _included_name(line)) is not None)


@cache
def cxx_tokens(text: str) -> tuple[str, ...]:
    """The tokens of a C++ or CUDA file, without what it includes."""
    tokens: list[str] = []
    for line in _cxx_lines(text):
        if _included_name(line) is not None or line.tokens == ["#", "pragma", "once"]:
            continue
        tokens += [*line.tokens, *([_END_OF_DIRECTIVE] if line.is_directive else [])]
    return tuple(tokens)


@cache
def cmake_tokens(text: str) -> tuple[str, ...]:
    """The tokens of a CMake file."""
    found = (match["token"] for match in _CMAKE_TOKEN.finditer(text))
    return tuple(token for token in found if token and not token.isspace())


@cache
def python_tokens(text: str) -> tuple[str, ...]:
    """The tokens of a Python file; where its lines begin and end is part of them."""
    tokens: list[str] = []
    for match in _PYTHON_PART.finditer(f"\n{text.strip()}\n"):
        if match["line"]:
            tokens.append(f"\n{match['indentation']}")
        elif not match["comment"] and not match[0].isspace():
            tokens.append(match[0])
    return tuple(tokens)


_TOKENS: dict[str, Callable[[str], tuple[str, ...]]] = {
    ".py": python_tokens,
    ".cmake": cmake_tokens,
    ".txt": cmake_tokens,
}


def tokens_of(text: str, suffix: str) -> tuple[str, ...]:
    """The tokens of a file whose name ends with `suffix`."""
    return _TOKENS.get(suffix, cxx_tokens)(text)
