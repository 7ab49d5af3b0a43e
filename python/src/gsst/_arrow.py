"""Arrow data of any library, through the Arrow PyCapsule interface."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from types import ModuleType
from typing import Protocol

from gsst import _codec

Capsules = tuple[object, object]


class ArrowArray(Protocol):
    """An array of any library that follows the Arrow PyCapsule interface."""

    def __arrow_c_array__(self, requested_schema: object | None = None) -> Capsules: ...


class ArrowStream(Protocol):
    """A series, a chunked array, a table, a data frame or a query's result of such a library."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...


class ArrowDeviceArray(Protocol):
    """An array that says on which device its memory is."""

    def __arrow_c_device_array__(
        self, requested_schema: object | None = None, **kwargs: object
    ) -> Capsules: ...


class ArrowChunk:
    """An array that has been decompressed, to be taken once."""

    def __init__(self, capsules: Capsules) -> None:
        self._capsules = capsules

    def __arrow_c_array__(self, requested_schema: object | None = None) -> Capsules:
        del requested_schema
        return self._capsules


def refuse_keywords(keywords: Mapping[str, object]) -> None:
    """For an interface whose keywords may grow: those that are not known must be None."""
    unknown = [name for name, value in keywords.items() if value is not None]
    if unknown:
        raise NotImplementedError(f"unknown keyword {unknown[0]}")


def column_input(data: ArrowArray | ArrowStream | ArrowDeviceArray, column: str | None) -> _codec.ColumnInput:
    """What reads the values of an object of any of the kinds. Raises Error, and TypeError for others."""
    # First: an array of an object that has both would join the chunks.
    if hasattr(data, "__arrow_c_stream__"):
        return _codec.ColumnInput(data.__arrow_c_stream__(), column)
    if hasattr(data, "__arrow_c_array__"):
        schema, array = data.__arrow_c_array__()
        return _codec.ColumnInput(schema, array, column)
    if hasattr(data, "__arrow_c_device_array__"):
        schema, array = data.__arrow_c_device_array__()
        return _codec.ColumnInput(schema, array, column)
    raise TypeError(
        f"{type(data).__module__}.{type(data).__qualname__} has none of __arrow_c_stream__,"
        " __arrow_c_array__ and __arrow_c_device_array__: give a Series, an Arrow array, a table or a"
        " query's result, or make an array of it with pyarrow.array()"
    )


def pyarrow() -> ModuleType:
    """The module pyarrow, which is needed for objects of its types. Raises ImportError."""
    try:
        return import_module("pyarrow")
    except ImportError as error:
        raise ImportError("this needs pyarrow: pip install pyarrow", name="pyarrow") from error
