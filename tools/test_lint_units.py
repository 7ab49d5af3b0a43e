import json
from pathlib import Path

import pytest

from tools.lint_units import Unit, join_units, read_units, write_units


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Two libraries and a program of one folder, with tests of both libraries."""
    folder = tmp_path / "codec"
    folder.mkdir()
    for name in ("a.cpp", "b.cpp", "shared.cpp", "alone.cpp", "a_test.cpp", "b_test.cpp"):
        (folder / name).write_text('#include "header.hpp"\n', encoding="utf-8")
    (folder / "main.cpp").write_text("int main() {}\n", encoding="utf-8")
    return tmp_path


def unit(root: Path, names: str, *options: str, stays_alone: bool = False) -> Unit:
    return Unit(tuple(root / "codec" / name for name in names.split()), options, stays_alone)


def names(units: list[Unit]) -> list[list[str]]:
    return [[file.name for file in unit.files] for unit in units]


def files_of(units: list[Unit]) -> list[Path]:
    return [file for unit in units for file in unit.files]


def test_units_are_read_with_their_files_and_options(root: Path) -> None:
    described = root / "unit.cxx"
    includes = "".join(f'#include "{root / "codec" / name}"\n' for name in ("a.cpp", "b.cpp"))
    described.write_text(includes, encoding="utf-8")
    alone = root / "codec" / "alone.cpp"
    entries = [
        {"file": str(file), "command": f'clang++ -DTEXT=\\"two\\ words\\" -o x.o -c {file}'}
        for file in (described, alone)
    ]
    database = root / "compile_commands.json"
    database.write_text(json.dumps(entries), encoding="utf-8")
    option = '-DTEXT="two words"'
    assert read_units(database) == [
        unit(root, "a.cpp b.cpp", option),
        unit(root, "alone.cpp", option, stays_alone=True),
    ]


def test_libraries_of_a_folder_are_joined_and_its_tests(root: Path) -> None:
    units = [unit(root, name) for name in ("a.cpp shared.cpp", "a_test.cpp", "b.cpp", "b_test.cpp")]
    joined = names(join_units(units, files_of(units), root))
    assert joined == [["a.cpp", "shared.cpp", "b.cpp"], ["a_test.cpp", "b_test.cpp"]]


def test_a_program_and_a_file_of_its_own_stay_alone(root: Path) -> None:
    units = [unit(root, "a.cpp"), unit(root, "main.cpp"), unit(root, "alone.cpp", stays_alone=True)]
    assert names(join_units(units, files_of(units), root)) == [["a.cpp"], ["main.cpp"], ["alone.cpp"]]


def test_each_file_is_read_once(root: Path) -> None:
    units = [
        unit(root, "main.cpp shared.cpp"),
        unit(root, "a.cpp shared.cpp"),
        unit(root, "shared.cpp b.cpp"),
    ]
    assert names(join_units(units, files_of(units), root)) == [["a.cpp", "shared.cpp", "b.cpp"], ["main.cpp"]]


def test_files_in_no_unit_are_read_with_the_options_of_their_folder_s_libraries(root: Path) -> None:
    wanted = [root / "codec" / name for name in ("a.cpp", "alone.cpp", "b.cpp")]
    first, second = join_units([unit(root, "a.cpp", "-DA")], wanted, root)
    assert names([first, second]) == [["alone.cpp", "b.cpp"], ["a.cpp"]]
    assert first.options == second.options == ("-DA",)
    assert join_units([unit(root, "main.cpp")], [root / "codec" / "a.cpp"], root) == []


def test_programs_in_no_unit_stay_alone(root: Path) -> None:
    others = [root / "codec" / name for name in ("main.cpp", "b.cpp", "alone.cpp")]
    units = [unit(root, "a.cpp", "-O1")]
    joined = join_units(units, [*files_of(units), *others], root)
    assert sorted(names(joined)) == [["a.cpp"], ["alone.cpp", "b.cpp"], ["main.cpp"]]
    assert {part.options for part in joined} == {("-O1",)}


def test_files_that_are_not_wanted_are_left_out(root: Path) -> None:
    units = [unit(root, "a.cpp b.cpp"), unit(root, "shared.cpp")]
    assert names(join_units(units, [root / "codec" / "b.cpp"], root)) == [["b.cpp"]]


def test_a_written_unit_includes_its_files_with_the_options_of_all(root: Path) -> None:
    system = ("-isystem", "/one")
    units = [
        unit(root, "a.cpp", "-DA", *system),
        unit(root, "b.cpp", *system, "-isystem", "/two", "-DA", "-DB"),
    ]
    (path,) = write_units(join_units(units, files_of(units), root), root / "joined")
    includes = [f'#include "{root / "codec" / name}"' for name in ("a.cpp", "b.cpp")]
    assert path.read_text(encoding="utf-8").splitlines() == includes
    (entry,) = json.loads((root / "joined" / "compile_commands.json").read_text(encoding="utf-8"))
    options = ["-DA", *system, "-isystem", "/two", "-DB"]
    assert entry["arguments"] == ["clang++", *options, "-c", str(path)]


def test_a_file_of_a_test_program_that_is_no_test_is_read_with_the_libraries(root: Path) -> None:
    units = [unit(root, "shared.cpp a_test.cpp"), unit(root, "a.cpp"), unit(root, "b_test.cpp b.cpp")]
    joined = names(join_units(units, files_of(units), root))
    assert joined == [["shared.cpp", "a.cpp", "b.cpp"], ["a_test.cpp", "b_test.cpp"]]
