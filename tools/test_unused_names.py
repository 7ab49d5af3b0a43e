from pathlib import Path

import pytest

from tools.unused_names import unused_names


def names_of(text: str, folder: Path) -> list[str]:
    source = folder / "a.cpp"
    source.write_text(text, encoding="utf-8")
    return [message.removeprefix(f"{source}: ").split()[0] for message in unused_names(source)]


@pytest.mark.parametrize(
    "declaration", ["using format::Name;", "using ::a::Name;", "namespace Name = std::filesystem;"]
)
def test_a_name_that_is_not_used_is_found(declaration: str, tmp_path: Path) -> None:
    assert names_of(f"{declaration}\nint f();  // Name\nother::Name g();\n", tmp_path) == ["Name"]
    assert names_of(f"{declaration}\nName f();\n", tmp_path) == []


def test_other_uses_of_the_words_are_none(tmp_path: Path) -> None:
    text = "using namespace a::b;\nusing Bytes = std::vector<int>;\nnamespace c {\n}\n"
    assert names_of(text, tmp_path) == []
