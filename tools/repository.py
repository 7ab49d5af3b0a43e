"""Where the repository is, and its files."""

import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def committable_files(root: Path = ROOT) -> list[Path]:
    """What is or could be committed and is there, relative to `root`."""
    command = ["git", "-C", str(root), "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listing = subprocess.run(command, check=True, capture_output=True, text=True)
    # A file that is deleted but not yet from git's list is absent.
    return [Path(name) for name in listing.stdout.split("\0") if name and (root / name).is_file()]
