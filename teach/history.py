"""In which order a student has committed prediction and code."""

import subprocess
from collections.abc import Iterator
from pathlib import Path

from teach.page import read_page

CODE = (".cu", ".cuh", ".cpp", ".hpp")


def _git(root: Path, *arguments: str) -> str:
    command = ["git", "-C", str(root), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.stdout if done.returncode == 0 else ""


def _complaint(root: Path) -> str:
    """Why git reads nothing here: there is no repository, or it belongs to another user."""
    command = ["git", "-C", str(root), "rev-parse", "--git-dir"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.stderr.partition("\n")[0] if done.returncode != 0 else ""


def _at_commit(root: Path, commit: str, folder: str) -> dict[str, str]:
    """The files of the folder at the commit, by name."""
    names = _git(root, "ls-tree", "--name-only", commit, f"{folder}/").split()
    return {Path(name).name: _git(root, "show", f"{commit}:{name}") for name in names}


def _states(root: Path, folder: str) -> Iterator[dict[str, str]]:
    """The files of the folder at each commit that changed it, the oldest first, and as they are now."""
    for commit in _git(root, "log", "--reverse", "--format=%H", "--", folder).split():
        yield _at_commit(root, commit, folder)
    paths = [path for path in (root / folder).iterdir() if path.is_file()]
    yield {path.name: path.read_text(encoding="utf-8") for path in paths}


def _code(files: dict[str, str]) -> dict[str, str]:
    return {name: text for name, text in files.items() if name.endswith(CODE)}


def problem_with_order(root: Path, folder: str) -> str:
    """Why it cannot be seen that the prediction was committed before the code; empty if it can."""
    if complaint := _complaint(root):
        return f"git says: {complaint}"
    states = list(_states(root, folder))
    if len(states) == 1:
        return "nothing is committed: commit the copied stage as it is, then the prediction, then the code"
    with_prediction = [read_page(files.get("stage.md", "")).has_prediction for files in states]
    with_code = [_code(files) != _code(states[0]) for files in states]
    if not any(with_prediction):
        return "no prediction with a number and a counter is committed"
    if not any(with_code):
        return "the code is as it was first committed"
    if with_prediction.index(True) >= with_code.index(True):
        return "the code was changed before the prediction was committed"
    return ""
