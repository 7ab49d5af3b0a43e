import json
import subprocess
import sys
from pathlib import Path

import pytest

from experiments.command_times import load_command_times
from experiments.record_checksums import changed_records
from tools import time_commands as module
from tools.time_commands import TimingError, record_times, time_commands, variables

README = "# A\n\n## Check the figures\n\n```sh\nmake test\n```\n\n```sh\nmake figures\n```\n"
# It says in build/ what it was run with, and builds a program that knows its compiler.
MAKEFILE = r"""
test:
	@mkdir -p build/bin
	@env >build/environment
	@printf '#!/bin/sh\necho "compiler: made-up 1.0"\n' >build/bin/gsst_measure_cpu
	@chmod +x build/bin/gsst_measure_cpu
	@cat committed

figures:
	@test -x .venv/python
	@cp committed build/figures
"""
IDLE = {"processors": 2, "taken_by_others": 0.01}


def git(folder: Path, *arguments: str) -> None:
    identity = ["-c", "user.name=Test", "-c", "user.email=test@example.org"]
    subprocess.run(["git", "-C", str(folder), *identity, *arguments], check=True, capture_output=True)


def commit(root: Path, **files: str) -> None:
    for name, text in files.items():
        path = root / name.replace("__", "/")
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    git(root, "add", "--all")
    git(root, "commit", "--message", "some")


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with a README.md, a Makefile and scripts that miss nothing, on an idle machine."""
    monkeypatch.setattr(module, "load_between", lambda *_: IDLE)
    root = tmp_path / "root"
    root.mkdir()
    git(root, "init")
    (root / ".gitignore").write_text("/build/\n/.venv/\n", encoding="utf-8")
    (root / "README.md").write_text(README, encoding="utf-8")
    (root / "tools").mkdir()
    for script in ("install_dependencies.sh", "install_python_packages.sh"):
        (root / "tools" / script).write_text("#!/bin/sh\n", encoding="utf-8")
        (root / "tools" / script).chmod(0o755)
    commit(root, Makefile=MAKEFILE, committed="committed\n")
    (root / ".venv").mkdir()
    (root / ".venv/python").touch(0o755)
    return root


def timed(folder: Path) -> list[str]:
    document = json.loads((folder / "times.json").read_text(encoding="utf-8"))
    return [entry["command"] for entry in document["commands"]]


def test_the_commands_run_in_a_clone_of_the_commit(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (root / "committed").write_text("changed\n", encoding="utf-8")
    monkeypatch.setenv("CMAKE_CXX_COMPILER_LAUNCHER", "ccache")
    monkeypatch.setenv("MAKEFLAGS", "--dry-run")
    monkeypatch.setenv("GSST_DATA_DIR", str(tmp_path))
    folder = tmp_path / "timed"
    time_commands(folder, only_next=False, root=root)
    assert timed(folder) == ["make test", "make figures"]
    build = folder / "clone/build"
    assert (build / "figures").read_text(encoding="utf-8") == "committed\n"
    environment = (build / "environment").read_text(encoding="utf-8").splitlines()
    assert {"CCACHE_DISABLE=1", "GSST_INSTALL=0", f"GSST_DATA_DIR={tmp_path}"} <= set(environment)
    assert not [line for line in environment if line.startswith("CMAKE_") or "--dry-run" in line]


def test_each_command_can_be_timed_alone_and_all_are_one_record(root: Path, tmp_path: Path) -> None:
    folder = tmp_path / "timed"
    time_commands(folder, only_next=True, root=root)
    assert timed(folder) == ["make test"]
    with pytest.raises(TimingError, match="not all commands"):
        record_times(folder, "some_machine", tmp_path / "recorded")
    # What is committed meanwhile is not what the second command is timed with.
    commit(root, committed="later\n")
    time_commands(folder, only_next=True, root=root)
    time_commands(folder, only_next=True, root=root)
    assert timed(folder) == ["make test", "make figures"]
    path = record_times(folder, "some_machine", tmp_path / "recorded")
    assert path == tmp_path / "recorded/some_machine/commands/times.json"
    record = load_command_times(path)
    assert record["environment"]["compiler"] == "made-up 1.0"
    assert [entry["status"] for entry in record["commands"]] == [0, 0]
    assert changed_records(tmp_path / "recorded") == []


def test_a_command_that_fails_ends_it(root: Path, tmp_path: Path) -> None:
    git(root, "rm", "committed")
    commit(root)
    folder = tmp_path / "timed"
    for _ in range(2):
        with pytest.raises(TimingError, match=r"`make test` failed with status 2 .* take another folder"):
            time_commands(folder, only_next=False, root=root)
        assert timed(folder) == ["make test"]
    with pytest.raises(TimingError, match="failed"):
        record_times(folder, "some_machine", tmp_path / "recorded")


def test_a_command_that_was_interrupted_is_not_timed_again(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    folder = tmp_path / "timed"
    monkeypatch.setattr(module, "time_command", interrupt)
    with pytest.raises(KeyboardInterrupt):
        time_commands(folder, only_next=False, root=root)
    with pytest.raises(TimingError, match="`make test` was interrupted"):
        time_commands(folder, only_next=False, root=root)


@pytest.mark.parametrize("script", ["install_dependencies.sh", "install_python_packages.sh"])
def test_what_is_missing_is_said_and_not_installed(script: str, root: Path, tmp_path: Path) -> None:
    (root / "tools" / script).write_text('echo "some package ($GSST_INSTALL)"\n', encoding="utf-8")
    commit(root)
    folder = tmp_path / "timed"
    with pytest.raises(TimingError, match=rf"{script}.*: some package \(0\)\n.* install what is missing"):
        time_commands(folder, only_next=False, root=root)
    assert not (folder / "times.json").exists()


@pytest.mark.parametrize("change", ["machine", "file"])
def test_another_machine_or_a_changed_clone_is_refused(
    change: str, root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "timed"
    time_commands(folder, only_next=True, root=root)
    if change == "machine":
        monkeypatch.setattr(module, "processor", lambda: "another one")
        reason = "cpu: not as for the first command"
    else:
        (folder / "clone/committed").write_text("changed\n", encoding="utf-8")
        reason = "no longer those of its commit"
    with pytest.raises(TimingError, match=reason):
        time_commands(folder, only_next=True, root=root)


def test_disturbed_times_and_a_machine_that_is_no_folder_name_are_not_recorded(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "load_between", lambda *_: {**IDLE, "taken_by_others": 0.5})
    folder = tmp_path / "timed"
    time_commands(folder, only_next=False, root=root)
    with pytest.raises(TimingError, match=r"`make test`: other programs took 0\.5 of 2 processors"):
        record_times(folder, "some_machine", tmp_path / "recorded")
    with pytest.raises(TimingError, match="lower-case"):
        record_times(folder, "../up", tmp_path / "recorded")
    assert not (tmp_path / "recorded").exists()


def test_a_relative_folder_of_data_is_found_from_the_clone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GSST_DATA_DIR", "data")
    assert variables()["GSST_DATA_DIR"] == str(tmp_path / "data")
    monkeypatch.setenv("GSST_DATA_DIR", "")
    assert "GSST_DATA_DIR" not in variables()


def test_without_times_there_is_no_record(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["time_commands", str(tmp_path), "--record", "some_machine"])
    assert module.main() == 1
    assert "times.json" in capsys.readouterr().err
