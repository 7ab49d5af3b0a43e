import pytest

from experiments.source_tokens import cxx_tokens, included_names, tokens_of


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("a /* b */ c // d\n e", ("a", "c", "e")),
        ("a // b \\\n c\n d", ("a", "d")),
        ('"a // b" /* "c" */', ('"a // b"',)),
        (r'"a\"// b" // c', (r'"a\"// b"',)),
        ("'\"' // a", ("'\"'",)),
        ("'\\'' /* ' */ b", ("'\\''", "b")),
        ('R"x(a)" // b " )x" c', ('R"x(a)" // b " )x"', "c")),
        ('u8R"(/* a */)" LR"(b)"', ('u8R"(/* a */)"', 'LR"(b)"')),
        ('fooR"(a)"', ("fooR", '"(a)"')),
        ("1'000'000 'a' 0x1p-3 1.5e+3f .5", ("1'000'000", "'a'", "0x1p-3", "1.5e+3f", ".5")),
        ("a+++b a->b a<<=c", ("a", "++", "+", "b", "a", "->", "b", "a", "<<=", "c")),
        ("x::y p...", ("x", "::", "y", "p", "...")),
        ("a + +b", ("a", "+", "+", "b")),
        ("#pragma once\n#pragma unroll\nx", ("#", "pragma", "unroll", "\n", "x")),
        ("#define A(x) x\n#define B (x)\ny", None),
        ("x # define", ("x", "#", "define")),
        ("#if A /* b\n c */ && D\ne", ("#", "if", "A", "&&", "D", "\n", "e")),
    ],
)
def test_tokens_of_cxx(text: str, tokens: tuple[str, ...] | None) -> None:
    if tokens is None:
        tokens = (
            *("#", "define", "A(", "(", "x", ")", "x", "\n"),
            *("#", "define", "B", "(", "x", ")", "\n", "y"),
        )
    assert cxx_tokens(text) == tokens


def test_includes_are_found_whatever_is_around_them() -> None:
    text = """#include "a/b.hpp"  // why
#  include <vector>
#if 0
#include/**/"c.cuh"
#endif
// #include "comment.hpp"
/* #include "comment.hpp" */
const char* text = R"(
#include "text.hpp"
)";
#include MACRO
"""
    assert included_names(text) == ("a/b.hpp", "vector", "c.cuh")
    assert cxx_tokens(text)[:2] == ("#", "if")
    assert cxx_tokens(text)[-4:] == ("#", "include", "MACRO", "\n")


@pytest.mark.parametrize(
    ("first", "second", "same"),
    [
        ("set(A 1) # b", "set( A\n  1)", True),
        ("#[[ a\n]] set(A)", "set(A) #[=[ ]] ]=]", True),
        ('set(A "# b")', 'set(A "# c")', False),
        ("set(A [[# b]])", "set(A [[# c]])", False),
        ("set(A -O2)", "set(A -O3)", False),
        ("set(A b c)", "set(A bc)", False),
    ],
)
def test_tokens_of_cmake(first: str, second: str, same: bool) -> None:
    for suffix in (".txt", ".cmake"):
        assert (tokens_of(first, suffix) == tokens_of(second, suffix)) == same


@pytest.mark.parametrize(
    ("first", "second", "same"),
    [
        ("a = 1  # b\nc\n", "# d\n\na = 1\n\n\nc", True),
        ("a  =  1", "a = 1", True),
        ('a = "# b"', 'a = "# c"', False),
        ('"""a\n# b"""', '"""a\n# c"""', False),
        ("if a:\n    b\n    c", "if a:\n    b\nc", False),
        ("a\nb", "a b", False),
        ("a = 1", "a = 2", False),
    ],
)
def test_tokens_of_python(first: str, second: str, same: bool) -> None:
    assert (tokens_of(first, ".py") == tokens_of(second, ".py")) == same
