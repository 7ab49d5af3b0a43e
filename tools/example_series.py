"""The example of a series, tools/new_series/tree: files as they would lie in the repository, in folders of
their own. No build of this tree looks at them."""

from collections.abc import Sequence
from pathlib import Path

from tools.repository import ROOT

SERIES_TREE = ROOT / "tools/new_series/tree"


def series_files() -> list[Path]:
    """The files of the series, relative to the repository's root."""
    return sorted(path.relative_to(SERIES_TREE) for path in SERIES_TREE.rglob("*") if path.is_file())


def line_count(path: Path) -> int:
    """The lines of one of these files."""
    return len((SERIES_TREE / path).read_text(encoding="utf-8").splitlines())


def places_of_files(files: Sequence[Path], present: Sequence[Path]) -> list[str]:
    """What is wrong with where a series' files would lie beside the files that are `present`: each belongs in
    a folder of its series alone, but for a target's definition."""
    folders = {folder for path in present for folder in path.parents}
    problems = [f"{path}: is there already" for path in files if path in present]
    for path in files:
        is_target = path.parent == Path("experiments") and path.suffix == ".yaml"
        if not is_target and path.parent in folders:
            problems.append(f"{path}: {path.parent} is a folder of others")
    return problems
