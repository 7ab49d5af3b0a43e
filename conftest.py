"""Settings of all tests in Python."""

import pytest


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Puts the modules that take long in front: `make test` gives modules to processes in this order."""
    items.sort(key=lambda item: item.get_closest_marker("long") is None)
