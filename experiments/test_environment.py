import subprocess
from pathlib import Path

import pytest

from experiments.environment import (
    build_of,
    commit_and_dirty,
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


def made_up_program(folder: Path, script: str) -> Path:
    program = folder / "measure"
    program.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    program.chmod(0o755)
    return program


def test_compiler_and_flags_are_what_the_program_says(tmp_path: Path) -> None:
    flags = "Release: -fmacro-prefix-map=/here=. -O3"
    script = f'[ "$1" = --version ] && echo "compiler: made-up 1.0" && echo "flags: {flags}"'
    said = build_of(made_up_program(tmp_path, script))
    assert said == {"compiler": "made-up 1.0", "flags": "Release: -O3"}


@pytest.mark.parametrize("script", ["exit 2", "echo made-up 1.0"])
def test_of_a_program_that_does_not_say_they_are_unknown(script: str, tmp_path: Path) -> None:
    unknown = {"compiler": "unknown", "flags": "unknown"}
    assert build_of(made_up_program(tmp_path, script)) == unknown
    assert build_of(tmp_path / "missing") == unknown


def test_the_processor_has_its_model(tmp_path: Path) -> None:
    cpuinfo = tmp_path / "cpuinfo"
    cpuinfo.write_text("processor : 0\nmodel name : Some CPU 8380\n", encoding="utf-8")
    assert processor(cpuinfo).startswith("Some CPU 8380 (")


def test_every_field_of_the_contract_is_filled(tmp_path: Path) -> None:
    assert describe_environment(tmp_path, tmp_path, "command").keys() == environment().keys()
