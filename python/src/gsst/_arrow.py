"""Arrow arrays of any library, through the Arrow PyCapsule interface."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

Capsules = tuple[object, object]


class ArrowArray(Protocol):
    """An array of any library that follows the Arrow PyCapsule interface."""

    def __arrow_c_array__(self, requested_schema: object | None = None) -> Capsules: ...


class ArrowDeviceArray(Protocol):
    """An array that says on which device its memory is."""

    def __arrow_c_device_array__(
        self, requested_schema: object | None = None, **kwargs: object
    ) -> Capsules: ...


def refuse_keywords(keywords: Mapping[str, object]) -> None:
    """For an interface whose keywords may grow: those that are not known must be None."""
    unknown = [name for name, value in keywords.items() if value is not None]
    if unknown:
        raise NotImplementedError(f"unknown keyword {unknown[0]}")


def capsules(array: ArrowArray | ArrowDeviceArray) -> Capsules:
    """The schema and the array of an object of either kind."""
    if hasattr(array, "__arrow_c_array__"):
        return array.__arrow_c_array__()
    return array.__arrow_c_device_array__()
