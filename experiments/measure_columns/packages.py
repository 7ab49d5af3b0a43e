"""The packages that are measured, each on one thread."""

import importlib
import importlib.metadata
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

# By the name of the package, as pip has it.
_MODULES = {"gsst": "gsst", "pyarrow": "pyarrow", "duckdb": "duckdb", "vortex-data": "vortex"}


class MissingPackageError(Exception):
    """A package is not installed without which nothing is measured."""


def has_package(name: str) -> bool:
    """Whether a package is installed."""
    try:
        importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return False
    return True


def version_of(name: str) -> str:
    """`pyarrow 26.0.1`."""
    return f"{name} {importlib.metadata.version(name)}"


def load(name: str, module: str = "") -> Any:  # noqa: ANN401
    """The module of a package, or one in it. Raises MissingPackageError."""
    try:
        loaded = importlib.import_module(_MODULES[name] + (f".{module}" if module else ""))
    except ImportError as error:
        raise MissingPackageError(f"{name} is not installed: {error}") from error
    if name == "pyarrow" and not module:
        loaded.set_cpu_count(1)
        loaded.set_io_thread_count(1)
    return loaded


def versions() -> list[str]:
    """Of all packages that are installed."""
    return [version_of(name) for name in _MODULES if has_package(name)]


@contextmanager
def on_one_processor() -> Iterator[None]:
    """This process, and threads that it starts, have one processor."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(before)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)
