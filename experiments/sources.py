"""The digest of the sources that a result measured: says whether a recorded result is stale."""

import hashlib
from pathlib import Path

REPOSITORY_ROOT = Path(__file__).parent.parent
MEASURED_FOLDERS = ("common/format", "reference_cpu", "experiments/measure")
SOURCE_SUFFIXES = frozenset({".cpp", ".hpp", ".h", ".cmake"})


def _is_measured(path: Path) -> bool:
    """Tests and documentation do not change what is measured."""
    if path.stem.endswith(("_test", "_benchmark")):
        return False
    return path.suffix in SOURCE_SUFFIXES or path.name == "CMakeLists.txt"


def measured_sources(root: Path = REPOSITORY_ROOT) -> list[Path]:
    """The files whose change makes a result stale, sorted."""
    return sorted(
        path
        for folder in MEASURED_FOLDERS
        for path in (root / folder).rglob("*")
        if path.is_file() and _is_measured(path)
    )


def sources_digest(root: Path = REPOSITORY_ROOT) -> str:
    """sha256 over the names and the contents of the measured sources."""
    whole = hashlib.sha256()
    for path in measured_sources(root):
        content = hashlib.sha256(path.read_bytes()).hexdigest()
        whole.update(f"{content}  {path.relative_to(root).as_posix()}\n".encode())
    return whole.hexdigest()
