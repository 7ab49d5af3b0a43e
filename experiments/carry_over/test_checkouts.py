import subprocess
from pathlib import Path

import pytest

from experiments.carry_over.checkouts import CheckoutError, check_clean, full_commit, run, unpack


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    folder = tmp_path / "repository"
    folder.mkdir()
    (folder / "file").write_text("one")
    git = ["git", "-C", str(folder), "-c", "user.name=a", "-c", "user.email=a@b.c"]
    for arguments in (["init", "-q"], ["add", "file"], ["commit", "-qm", "one"]):
        subprocess.run([*git, *arguments], check=True)
    return folder


def test_a_commit_is_unpacked_once(repository: Path, tmp_path: Path) -> None:
    commit = full_commit(repository, "HEAD")
    tree = unpack(repository, commit, tmp_path / "trees")
    assert (tree / "file").read_text() == "one"
    (tree / "file").write_text("kept")
    assert unpack(repository, commit, tmp_path / "trees") == tree
    assert (tree / "file").read_text() == "kept"


def test_an_unknown_commit_is_refused(repository: Path) -> None:
    with pytest.raises(CheckoutError, match="finding commit nothing"):
        full_commit(repository, "nothing")


def test_a_changed_tree_is_refused(repository: Path) -> None:
    check_clean(repository)
    (repository / "other").write_text("new")
    with pytest.raises(CheckoutError, match="uncommitted changes"):
        check_clean(repository)


def test_the_end_of_what_a_failed_command_wrote_is_said() -> None:
    with pytest.raises(CheckoutError, match=r"trying failed:\n(.*\n)*last") as caught:
        run(["bash", "-c", "seq 100; echo last; exit 1"], "trying")
    assert len(str(caught.value).splitlines()) < 20
