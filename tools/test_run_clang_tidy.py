import json
from pathlib import Path

from tools.example_series import SERIES_TREE
from tools.repository import ROOT
from tools.run_clang_tidy import checks_of, commands, included_sources


def test_a_file_in_no_unit_is_read_by_itself(tmp_path: Path) -> None:
    for name in ("a.cpp", "in_no_unit.cpp"):
        (tmp_path / name).write_text("", encoding="utf-8")
    source = tmp_path / "a.cpp"
    unit = tmp_path / "unit.cxx"
    unit.write_text(f'#include "{source}"\n', encoding="utf-8")
    entry = {"file": str(unit), "command": f"clang++ -o x.o -c {unit}"}
    (tmp_path / "build-lint").mkdir()
    (tmp_path / "build-lint/compile_commands.json").write_text(json.dumps([entry]), encoding="utf-8")
    runs = commands(sorted(tmp_path.glob("*.cpp")), tmp_path)
    folder = tmp_path / "build-lint" / "joined"
    assert [(run[run.index("-p") + 1], run[-1]) for run in runs] == [
        (str(folder), str(folder / "unit_0.cpp")),
        ("build", str(tmp_path / "in_no_unit.cpp")),
    ]


def test_a_file_of_the_example_series_finds_its_headers(tmp_path: Path) -> None:
    (tmp_path / "build-lint").mkdir()
    (tmp_path / "build-lint/compile_commands.json").write_text("[]", encoding="utf-8")
    tree = tmp_path / SERIES_TREE.relative_to(ROOT)
    (run,) = commands([tree / "a/b.cpp"], tmp_path)
    assert run[run.index("--") - 1 :] == [
        str(tree / "a/b.cpp"),
        *("--", "-std=c++20", f"-I{tmp_path}", f"-I{tree}"),
    ]


def test_an_include_of_a_source_is_found(tmp_path: Path) -> None:
    source = tmp_path / "b.cpp"
    source.write_text('#include "a.cpp"\n', encoding="utf-8")
    assert list(included_sources([source])) == [f"{source}: includes a.cpp, which is compiled by itself"]


def test_tests_are_checked_less_than_the_rest() -> None:
    assert "-*" in checks_of([Path("a_test.cpp"), Path("b_test.cpp")])
    assert "-*" not in checks_of([Path("a.cpp")])
