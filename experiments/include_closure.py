"""Which files of the repository a source is compiled with, found without a compiler."""

import functools
from collections.abc import Collection, Iterable
from pathlib import Path

from experiments.source_tokens import included_names
from tools.repository import ROOT

CXX_SUFFIXES = frozenset({".cpp", ".hpp", ".h", ".cu", ".cuh"})
# Runs kernels on the CPU: no measurement executes it.
_EXECUTOR_ON_CPU = "common/simt"
# The installed headers are included by their names below these: the library's, and those of parts of series.
_PUBLIC_HEADERS = "include"
_PUBLIC_HEADERS_OF_SERIES = "stages/*/*/include"


@functools.cache
def _header_folders_of_series(root: Path) -> tuple[Path, ...]:
    return tuple(sorted(root.glob(_PUBLIC_HEADERS_OF_SERIES)))


def included_files(path: Path, root: Path) -> frozenset[Path]:
    """The files below `root` that a C++ file includes, whatever the conditions around the includes. The
    executor for the CPU and what a build generates are left out. Those of this repository are read once a
    process: most files are included by many."""
    return _included_here(path) if root == ROOT else _included(path, root)


@functools.cache
def _included_here(path: Path) -> frozenset[Path]:
    return _included(path, ROOT)


def _included(path: Path, root: Path) -> frozenset[Path]:
    if path.suffix not in CXX_SUFFIXES:
        return frozenset()
    folders = (path.parent, root, root / _PUBLIC_HEADERS, *_header_folders_of_series(root))
    files = set()
    for name in included_names(path.read_text(encoding="utf-8")):
        found = next((folder / name for folder in folders if (folder / name).is_file()), None)
        if found is not None and not found.is_relative_to(root / _EXECUTOR_ON_CPU):
            files.add(found)
    return frozenset(files)


def include_closure(
    sources: Iterable[Path],
    root: Path,
    left_out: Collection[Path] = (),
    headers_with_sources: str | None = None,
) -> set[Path]:
    """The sources and what they include, directly or not, but for what is `left_out`. A header in the folder
    `headers_with_sources` comes with the source of its name in the same folder."""
    found: set[Path] = set()
    new = set(sources)
    while new:
        found |= new
        new = {file for path in new for file in included_files(path, root)}
        if headers_with_sources is not None:
            folder = root / headers_with_sources
            headers = {path for path in new if path.is_relative_to(folder)}
            new |= {source for path in headers if (source := path.with_suffix(".cpp")).is_file()}
        new -= found.union(left_out)
    return found
