"""Settings of all tests in Python."""

import os

import pytest

# Of the programs that tests run: threads that wait take no time from other tests.
os.environ.setdefault("OMP_WAIT_POLICY", "passive")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Puts the modules that take long in front: `make test` gives modules to processes in this order."""
    items.sort(key=lambda item: item.get_closest_marker("long") is None)
