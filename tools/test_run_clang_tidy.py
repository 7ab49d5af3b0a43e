from pathlib import Path

import pytest

from tools.run_clang_tidy import commands, files_of_unit, included_sources


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("a.cpp", "b.cpp", "alone.cpp", "in_no_unit.cpp"):
        (tmp_path / name).write_text('#include "header.hpp"\n', encoding="utf-8")
    includes = "".join(f'#include "{tmp_path / name}"\n' for name in ("a.cpp", "b.cpp"))
    (tmp_path / "unit.cxx").write_text(includes, encoding="utf-8")
    return tmp_path


def given_files(runs: list[list[str]]) -> list[tuple[str, str]]:
    """The build folder and the file of each run."""
    return [(run[run.index("-p") + 1], Path(run[-1]).name) for run in runs]


def sources(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.cpp"))


def test_a_unit_stands_for_the_files_it_includes_and_a_file_for_itself(folder: Path) -> None:
    assert files_of_unit(folder / "unit.cxx") == {folder / "a.cpp", folder / "b.cpp"}
    assert files_of_unit(folder / "a.cpp") == {folder / "a.cpp"}


def test_each_file_is_checked_once_the_largest_unit_first(folder: Path) -> None:
    runs = commands(sources(folder), [folder / "alone.cpp", folder / "unit.cxx", folder / "unit.cxx"])
    assert given_files(runs) == [
        ("build-lint", "unit.cxx"),
        ("build-lint", "alone.cpp"),
        ("build", "in_no_unit.cpp"),
    ]


def test_a_unit_of_untracked_files_is_left_out(folder: Path) -> None:
    assert given_files(commands([folder / "alone.cpp"], [folder / "unit.cxx"])) == [("build", "alone.cpp")]


@pytest.mark.parametrize(
    "line", ["using std::vector;", "  using format::BlockFormat;", "namespace f = std::filesystem;"]
)
def test_checks_of_the_given_file_run_where_they_can_find_something(folder: Path, line: str) -> None:
    (folder / "b.cpp").write_text(f"#include <vector>\n{line}\n", encoding="utf-8")
    runs = commands([folder / "a.cpp", folder / "b.cpp"], [folder / "unit.cxx"])
    assert given_files(runs) == [("build-lint", "unit.cxx"), ("build", "b.cpp")]
    assert "--checks=-*,misc-unused-using-decls,misc-unused-alias-decls" in runs[1]


def test_an_include_of_a_source_is_found(folder: Path) -> None:
    (folder / "b.cpp").write_text('#include "a.cpp"\n', encoding="utf-8")
    assert list(included_sources(sources(folder))) == [
        f"{folder / 'b.cpp'}: includes a.cpp, which is compiled by itself"
    ]
