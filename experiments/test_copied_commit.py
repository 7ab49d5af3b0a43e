"""Tests of experiments.copied_commit: a copy gets its commit only where it is of that commit."""

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from experiments.copied_commit import CopiedCommitError, take, write
from experiments.environment import commit_and_dirty


def git(folder: Path, *arguments: str) -> str:
    identity = ["-c", "user.name=Test", "-c", "user.email=test@example.org"]
    command = ["git", "-C", str(folder), *identity, *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def commit_all(folder: Path) -> str:
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", "a commit")
    return git(folder, "rev-parse", "HEAD")


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository with a commit."""
    folder = tmp_path / "repository"
    (folder / "sources" / "of a stage").mkdir(parents=True)
    (folder / ".gitignore").write_text("/build/\n")
    (folder / "sources" / "of a stage" / "kernel.cu").write_text("first")
    (folder / "run.sh").write_text("true")
    (folder / "run.sh").chmod(0o755)
    git(folder, "init", "-q")
    commit_all(folder)
    return folder


def copy_with_old_repository(repository: Path, folder: Path) -> tuple[Path, str]:
    """A copy of the files of a second commit, next to the repository of the first one; the second commit."""
    shutil.copytree(repository, folder)
    (repository / "sources" / "of a stage" / "kernel.cu").write_text("second")
    (repository / "added").write_text("new")
    commit = commit_all(repository)
    shutil.copytree(repository, folder, dirs_exist_ok=True, ignore=shutil.ignore_patterns(".git"))
    return folder, commit


def test_a_copy_gets_the_commit_that_its_repository_does_not_have(repository: Path, tmp_path: Path) -> None:
    copy, commit = copy_with_old_repository(repository, tmp_path / "copy")
    before = git(copy, "rev-parse", "HEAD")
    branch = git(copy, "symbolic-ref", "HEAD")
    assert commit_and_dirty(copy) == (before, True)
    assert write(tmp_path / "commit", repository) == commit
    assert take(tmp_path / "commit", copy) == commit
    assert commit_and_dirty(copy) == (commit, False)
    assert git(copy, "rev-parse", branch) == before
    (copy / "added").write_text("changed")
    assert commit_and_dirty(copy) == (commit, True)


def test_a_copy_without_a_repository_gets_one(repository: Path, tmp_path: Path) -> None:
    commit = write(tmp_path / "commit", repository)
    copy = tmp_path / "copy"
    shutil.copytree(repository, copy, ignore=shutil.ignore_patterns(".git"))
    (copy / "build").mkdir()
    (copy / "build" / "program").write_text("ignored")
    assert take(tmp_path / "commit", copy) == commit
    assert commit_and_dirty(copy) == (commit, False)


def _change(copy: Path) -> None:
    # As long as before.
    (copy / "sources" / "of a stage" / "kernel.cu").write_text("Second")


def _remove(copy: Path) -> None:
    (copy / "added").unlink()


def _add(copy: Path) -> None:
    (copy / "sources" / "new.cu").write_text("")


def _make_not_executable(copy: Path) -> None:
    (copy / "run.sh").chmod(0o644)


@pytest.mark.parametrize(
    ("change", "named"),
    [
        (_change, "sources/of a stage/kernel.cu"),
        (_remove, "added"),
        (_add, "sources/new.cu"),
        (_make_not_executable, "run.sh"),
    ],
)
def test_a_copy_that_differs_is_refused_and_stays_as_it_is(
    change: Callable[[Path], None], named: str, repository: Path, tmp_path: Path
) -> None:
    copy, commit = copy_with_old_repository(repository, tmp_path / "copy")
    write(tmp_path / "commit", repository)
    change(copy)
    before = git(copy, "rev-parse", "HEAD"), git(copy, "status", "--porcelain")
    with pytest.raises(CopiedCommitError, match=f"is not of commit {commit}: {named} differ"):
        take(tmp_path / "commit", copy)
    assert (git(copy, "rev-parse", "HEAD"), git(copy, "status", "--porcelain")) == before


def test_a_repository_with_changes_is_not_written(repository: Path, tmp_path: Path) -> None:
    (repository / "run.sh").write_text("false")
    with pytest.raises(CopiedCommitError, match="changes that are in no commit"):
        write(tmp_path / "commit", repository)
    assert not (tmp_path / "commit").exists()


def test_a_file_of_another_commit_or_of_none_is_refused(repository: Path, tmp_path: Path) -> None:
    path = tmp_path / "commit"
    copy, commit = copy_with_old_repository(repository, tmp_path / "copy")
    write(path, repository)
    pack = path.read_bytes().partition(b"\n")[2]
    path.write_bytes(b"0" * 40 + b"\n" + pack)
    with pytest.raises(CopiedCommitError, match="git read-tree"):
        take(path, copy)
    path.write_bytes(commit.encode() + b"\n" + pack[:-30])
    with pytest.raises(CopiedCommitError, match="git unpack-objects"):
        take(path, copy)
    path.write_text(commit)
    with pytest.raises(CopiedCommitError, match="holds no commit"):
        take(path, copy)
