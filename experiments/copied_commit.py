"""Gives copied sources the commit that they are of, where the copy's own repository does not have it.

python -m experiments.copied_commit --write FILE    in the repository, which has no changes
python -m experiments.copied_commit --take FILE     in the copy, before anything is built there

FILE holds the commit and its folders, without the files: what git needs to tell whether a copy is of this
commit. It lies where git does not see it, in build/ for example, or outside. The copy's branches stay as they
are: its HEAD becomes the commit, and all programs that ask git for it name it. Needs git and no package.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from experiments.environment import commit_and_dirty
from experiments.sources import REPOSITORY_ROOT

# Differences that a message names.
_NAMED = 5


class CopiedCommitError(Exception):
    """A tree that is not what the commit says, or a file that does not hold one."""


def _git(root: Path, *arguments: str, given: bytes = b"", index: Path | None = None) -> bytes:
    """What git prints. Raises CopiedCommitError with git's message where it fails."""
    environment = {**os.environ, **({"GIT_INDEX_FILE": str(index)} if index else {})}
    command = ["git", "-C", str(root), *arguments]
    run = subprocess.run(command, input=given, capture_output=True, check=False, env=environment)
    if run.returncode != 0:
        raise CopiedCommitError(f"git {arguments[0]}: {run.stderr.decode(errors='replace').strip()}")
    return run.stdout


def write(path: Path, root: Path = REPOSITORY_ROOT) -> str:
    """Writes the present commit of the repository at `root` to `path`, and returns it. Raises
    CopiedCommitError where the tree has changes."""
    commit, dirty = commit_and_dirty(root)
    if dirty:
        raise CopiedCommitError(f"{root} has changes that are in no commit, or is no repository")
    objects = _git(root, "rev-list", "--objects", "--no-walk", "--filter=blob:none", commit)
    pack = _git(root, "pack-objects", "--stdout", "-q", given=objects)
    path.write_bytes(commit.encode() + b"\n" + pack)
    return commit


def _differences(root: Path, commit: str) -> list[str]:
    """The files of the tree that the commit does not have, or has otherwise, and those that are missing."""
    with tempfile.TemporaryDirectory() as folder:
        index = Path(folder) / "index"
        _git(root, "read-tree", commit, index=index)
        # Reads every file; a plain refresh ends with a status that says whether one has changed.
        _git(root, "update-index", "-q", "--really-refresh", "--unmerged", index=index)
        changed = _git(root, "diff-files", "--name-only", "-z", index=index)
        others = _git(root, "ls-files", "--others", "--exclude-standard", "-z", index=index)
    return sorted(name.decode(errors="replace") for name in (changed + others).split(b"\0") if name)


def take(path: Path, root: Path = REPOSITORY_ROOT) -> str:
    """Makes the commit in `path` the HEAD of the copy at `root`, and returns it. Raises CopiedCommitError,
    which names what differs, where the copy is not of this commit, and changes nothing then that is seen."""
    commit, _, pack = path.read_bytes().partition(b"\n")
    if not re.fullmatch(rb"[0-9a-f]{40}", commit) or not pack.startswith(b"PACK"):
        raise CopiedCommitError(f"{path} holds no commit: experiments.copied_commit --write makes one")
    name = commit.decode()
    if not (root / ".git").exists():
        _git(root, "init", "-q")
    # Objects are kept under the digests of their contents: none can say that it is another one.
    _git(root, "unpack-objects", "-q", given=pack)
    found = _differences(root, name)
    if found:
        more = f" and {len(found) - _NAMED} more" if len(found) > _NAMED else ""
        raise CopiedCommitError(f"{root} is not of commit {name}: {', '.join(found[:_NAMED])}{more} differ")
    _git(root, "update-ref", "--no-deref", "HEAD", name)
    _git(root, "read-tree", name)
    return name


def main() -> int:
    """Writes or takes; status 1 with the reason where that is refused."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    work = parser.add_mutually_exclusive_group(required=True)
    work.add_argument("--write", type=Path, metavar="FILE")
    work.add_argument("--take", type=Path, metavar="FILE")
    arguments = parser.parse_args()
    try:
        print(write(arguments.write) if arguments.write is not None else take(arguments.take))
    except (CopiedCommitError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
