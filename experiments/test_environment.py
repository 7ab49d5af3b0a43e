import subprocess
from pathlib import Path

from experiments.environment import (
    commit_and_dirty,
    compiler,
    compiler_flags,
    describe_environment,
    processor,
)
from experiments.made_up_results import environment


def git(folder: Path, *arguments: str) -> None:
    identity = ["-c", "user.name=Test", "-c", "user.email=test@example.org"]
    subprocess.run(["git", "-C", str(folder), *identity, *arguments], check=True, capture_output=True)


def test_a_tree_is_dirty_from_the_first_change_on(tmp_path: Path) -> None:
    git(tmp_path, "init")
    (tmp_path / "file").write_text("one", encoding="utf-8")
    git(tmp_path, "add", "file")
    git(tmp_path, "commit", "-m", "one")
    commit, dirty = commit_and_dirty(tmp_path)
    assert len(commit) == 40
    assert not dirty
    (tmp_path / "file").write_text("two", encoding="utf-8")
    assert commit_and_dirty(tmp_path) == (commit, True)


def test_a_tree_without_git_counts_as_dirty(tmp_path: Path) -> None:
    assert commit_and_dirty(tmp_path) == ("unknown", True)


def test_compiler_and_flags_come_from_the_build(tmp_path: Path) -> None:
    program = tmp_path / "compiler"
    program.write_text("#!/bin/sh\necho made-up 1.0\necho more\n", encoding="utf-8")
    program.chmod(0o755)
    cache = [
        f"CMAKE_CXX_COMPILER:FILEPATH={program}",
        "CMAKE_BUILD_TYPE:STRING=Release",
        "CMAKE_CXX_FLAGS:STRING=-Wall",
        "CMAKE_CXX_FLAGS_RELEASE:STRING=-O3",
        "CMAKE_CXX_FLAGS_DEBUG:STRING=-g",
    ]
    (tmp_path / "CMakeCache.txt").write_text("\n".join(cache), encoding="utf-8")
    assert compiler(tmp_path) == "made-up 1.0"
    assert compiler_flags(tmp_path) == "Release: -Wall -O3"


def test_without_a_build_they_are_unknown(tmp_path: Path) -> None:
    assert (compiler(tmp_path), compiler_flags(tmp_path)) == ("unknown", "unknown")


def test_the_processor_has_its_model(tmp_path: Path) -> None:
    cpuinfo = tmp_path / "cpuinfo"
    cpuinfo.write_text("processor : 0\nmodel name : Some CPU 8380\n", encoding="utf-8")
    assert processor(cpuinfo).startswith("Some CPU 8380 (")


def test_every_field_of_the_contract_is_filled(tmp_path: Path) -> None:
    assert describe_environment(tmp_path, tmp_path, "command").keys() == environment().keys()
