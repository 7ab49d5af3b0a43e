"""Columns of strings, exchanged with pyarrow."""

import ctypes
import gc
import random
import re
import resource
from pathlib import Path

import gsst
import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute
import pyarrow.parquet
import pytest

TYPES = {
    "string": pa.string(),
    "large_string": pa.large_string(),
    "binary": pa.binary(),
    "large_binary": pa.large_binary(),
}
WORDS = ["furiously", "", "carefully final", None, "deposits \u2603", "sleep"]
VALUES = [WORDS[(line * line) % 6] for line in range(3000)]


@pytest.mark.parametrize("name", TYPES)
@pytest.mark.parametrize("format", ["blocks", "splits", "coalesced", "tiles"])
def test_pyarrow_gets_back_what_it_gave(name: str, format: gsst.Format) -> None:
    array = pa.array(VALUES, pa.string()).cast(TYPES[name])
    column = gsst.Column(gsst.compress_column(array, format=format, block_bytes=5000, threads=2), threads=2)
    back = pa.array(column)
    back.validate(full=True)
    assert back.type == array.type
    assert back.equals(array)
    assert back.null_count == array.null_count
    assert len(column) == len(array)
    assert column.info.type == name


@pytest.mark.parametrize(("first", "count"), [(0, 3000), (1, 2999), (5, 3), (1020, 10), (2999, 1), (3000, 0)])
def test_slices_go_in_and_come_out(first: int, count: int) -> None:
    array = pa.array(VALUES)
    column = gsst.Column(gsst.compress_column(array.slice(first, count)))
    assert pa.array(column).equals(array.slice(first, count))
    whole = gsst.Column(gsst.compress_column(array, block_bytes=2000), verify=False)
    assert pa.array(whole.slice(first, count)).equals(array.slice(first, count))


def test_strings_are_taken_in_any_order() -> None:
    array = pa.array(VALUES)
    column = gsst.Column(gsst.compress_column(array, block_bytes=2000))
    numbers = [2999, 0, 1500, 1500, 3, 1024]
    taken = column.take(pa.array(numbers).to_pylist())
    assert len(taken) == 6
    assert pa.array(taken).equals(array.take(pa.array(numbers)))
    assert pa.array(column.take([])).equals(pa.array([], pa.string()))


@pytest.mark.parametrize("values", [[], [None], [""], [None] * 2000, ["same"] * 1025], ids=str)
def test_awkward_columns(values: list[str | None]) -> None:
    array = pa.array(values, pa.string())
    assert pa.array(gsst.Column(gsst.compress_column(array))).equals(array)


def test_bytes_that_nulls_hide_are_dropped() -> None:
    buffers = [pa.py_buffer(b"\x05"), pa.py_buffer(b"".join(n.to_bytes(4, "little") for n in (0, 2, 5, 6)))]
    array = pa.Array.from_buffers(pa.string(), 3, [*buffers, pa.py_buffer(b"abxxxc")])
    column = gsst.Column(gsst.compress_column(array))
    assert column.info.string_bytes == 3
    assert pa.array(column).to_pylist() == ["ab", None, "c"]


def test_info_says_what_the_column_holds() -> None:
    array = pa.array(VALUES)
    data = gsst.compress_column(array)
    info = gsst.Column(data).info
    assert info.compressed_bytes == len(data)
    assert info.string_count == 3000
    assert info.null_count == array.null_count
    assert info.string_bytes == pa.compute.sum(pa.compute.binary_length(array)).as_py()
    # 3 entries, a length of 4 bits and a bit for a null, and what stands around the frame.
    assert info.length_bytes == 3 * 24 + (3000 * 4 + 3000) // 8 + 16 + 56


@pytest.mark.parametrize("format", ["blocks", "splits"])
def test_the_layout_for_lookups_gives_the_strings_back(format: gsst.Format) -> None:
    array = pa.array(VALUES)
    data = gsst.compress_column(array, format=format, layout="lookup", block_bytes=5000)
    column = gsst.Column(data)
    assert column.info.layouts == ("lookup",)
    assert pa.array(column).equals(array)
    assert [column[number] for number in range(0, 3000, 7)] == VALUES[::7]
    # Parts of both layouts are one column.
    both = gsst.Column(data + gsst.compress_column(array))
    assert both.info.layouts == ("dense", "lookup")
    assert both[3001] == VALUES[1]


def test_the_layout_is_chosen_by_what_it_costs() -> None:
    chosen = random.Random(27)
    long = pa.array(["".join(chosen.choices("abcdefgh ", k=2000)) for _ in range(100)])
    short = pa.array([str(number % 1000) for number in range(4000)])
    for array, layout in ((long, "lookup"), (short, "dense")):
        data = gsst.compress_column(array, format="splits", layout="auto")
        assert data == gsst.compress_column(array, format="splits", layout=layout)
        assert gsst.Column(data).info.layouts == (layout,)
    assert gsst.Column(gsst.compress_column(long, layout="auto", format="tiles")).info.layouts == ("dense",)


def test_layouts_that_a_column_does_not_have_are_refused() -> None:
    with pytest.raises(gsst.Error, match="layout for lookups has format blocks or splits alone"):
        gsst.compress_column(pa.array(VALUES), format="tiles", layout="lookup")
    with pytest.raises(gsst.Error, match="layout is 'sparse', expected one of dense, lookup, auto"):
        gsst.compress_column(pa.array(VALUES), layout="sparse")  # type: ignore[arg-type]
    with pytest.raises(gsst.Error, match="layout is lookup, columns of integers have none"):
        gsst.compress_column(pa.array([1, 2]), layout="lookup")


@pytest.mark.parametrize("format", ["blocks", "splits", "coalesced", "tiles"])
def test_a_separator_is_stored_and_taken_away(format: gsst.Format) -> None:
    array = pa.array(VALUES)
    data = gsst.compress_column(array, format=format, separator=b"\n", block_bytes=5000)
    column = gsst.Column(data)
    assert column.info.separator == b"\n"
    assert column.info.layouts == ("dense",)
    assert column.info.string_bytes == gsst.Column(gsst.compress_column(array)).info.string_bytes
    assert pa.array(column).equals(array)
    assert column.to_arrow().combine_chunks().equals(array)
    assert [column[number] for number in range(0, 3000, 7)] == VALUES[::7]
    assert pa.array(column[1000:1030]).equals(array[1000:1030])
    assert column.match_substring("sleep").equals(pa.compute.match_substring(array, "sleep"))
    assert not pa.compute.any(column.match_substring("\n")).as_py()
    # Parts with it and without are one column.
    both = gsst.Column(data + gsst.compress_column(array))
    assert both.info.separator is None
    assert both[3001] == VALUES[1]


def test_separators_that_a_column_cannot_have_are_refused() -> None:
    for separator in ("\n", b"", b"ab", 10):
        with pytest.raises(gsst.Error, match=r"separator is .*, expected one byte"):
            gsst.compress_column(pa.array(VALUES), separator=separator)  # type: ignore[arg-type]
    with pytest.raises(gsst.Error, match="array: string 2 holds the separator 0x2c"):
        gsst.compress_column(pa.array(["a", None, "b,", ","]), separator=b",")
    chunks = pa.chunked_array([pa.array(["x" * 1000] * 5000), pa.array(["a", "b,"])])
    with pytest.raises(gsst.Error, match="from value 5000 on: array: string 1 holds the separator 0x2c"):
        gsst.compress_column(chunks, separator=b",")
    with pytest.raises(gsst.Error, match="the layout for lookups has no separator"):
        gsst.compress_column(pa.array(VALUES), layout="lookup", separator=b"\n")
    with pytest.raises(gsst.Error, match="separator is b'x', columns of integers have none"):
        gsst.compress_column(pa.array([1, 2]), separator=b"x")


def test_arrays_outlive_the_column() -> None:
    array = pa.array(VALUES)
    back = pa.array(gsst.Column(bytearray(gsst.compress_column(array))))
    gc.collect()
    assert back.equals(array)


def test_capsules_that_nobody_takes_are_freed() -> None:
    column = gsst.Column(gsst.compress_column(pa.array(VALUES)))
    for _ in range(3):
        column.__arrow_c_array__()
    gc.collect()
    assert pa.array(column).equals(pa.array(VALUES))


def test_parquet_goes_through_a_column(tmp_path: Path) -> None:
    table = pa.table({"comment": pa.array(VALUES)})
    pa.parquet.write_table(table, tmp_path / "in.parquet")
    read = pa.parquet.read_table(tmp_path / "in.parquet").column("comment").combine_chunks()
    column = gsst.Column(gsst.compress_column(read))
    pa.parquet.write_table(pa.table({"comment": pa.array(column)}), tmp_path / "out.parquet")
    assert pa.parquet.read_table(tmp_path / "out.parquet").equals(table)


def refusal(call: object) -> gsst.Error:
    assert callable(call)
    with pytest.raises(gsst.Error) as refused:
        call()
    return refused.value


@pytest.mark.parametrize(
    ("array", "name"),
    [
        (pa.array([1.5]), "double"),
        (pa.nulls(3), "null"),
        (pa.array([["a"]]), "list"),
        (pa.array([1.5]).dictionary_encode(), "dictionary<values=double>"),
        (pa.array([b"ab"], pa.binary(2)), "fixed_size_binary(2)"),
        (pa.array([True]), "bool"),
    ],
    ids=lambda value: str(getattr(value, "type", value)),
)
def test_other_types_are_refused(array: pa.Array, name: str) -> None:
    error = refusal(lambda: gsst.compress_column(array))
    assert error.code == gsst.ErrorCode.INVALID_ARGUMENT
    assert str(error).startswith(f"array: type is {name}, expected strings, bytes, integers, dates,")
    table = pa.table({"key": [0] * len(array), "price": array})
    error = refusal(lambda: gsst.compress_column(table, column="price"))
    assert str(error).startswith(f"column 'price': type is {name}, expected strings")


def test_wrong_arguments_are_refused() -> None:
    column = gsst.Column(gsst.compress_column(pa.array(["a", "b"])))
    for call in (
        lambda: column.slice(1, 2),
        lambda: column.slice(-1, 1),
        lambda: column.take([0, 2]),
        lambda: column.take([-1]),
        lambda: gsst.compress_column(pa.array(["a"]), format="fsst"),
    ):
        assert refusal(call).code == gsst.ErrorCode.INVALID_ARGUMENT
    with pytest.raises(TypeError, match=r"^builtins.list has none of __arrow_c_stream__"):
        gsst.compress_column(["a"])  # type: ignore[arg-type]


def test_damaged_columns_are_refused() -> None:
    data = gsst.compress_column(pa.array(VALUES))
    assert refusal(lambda: gsst.Column(data[:-1])).code == gsst.ErrorCode.DAMAGED
    assert refusal(lambda: gsst.Column(gsst.compress(b"no column"))).code == gsst.ErrorCode.WRONG_FORMAT
    damaged = bytearray(data)
    damaged[-60] ^= 1
    error = refusal(lambda: gsst.Column(damaged))
    assert "column checksum" in str(error)
    assert error.code == gsst.ErrorCode.WRONG_CHECKSUM


@pytest.mark.parametrize("name", TYPES)
def test_a_column_is_a_sequence_of_pythons_strings(name: str) -> None:
    array = pa.array(VALUES, pa.string()).cast(TYPES[name])
    expected = array.to_pylist()
    column = gsst.Column(gsst.compress_column(array, block_bytes=2000))
    assert list(column) == expected
    assert [column[number] for number in (0, 3, 2999, -1, -3000)] == [
        expected[number] for number in (0, 3, 2999, -1, -3000)
    ]
    assert expected[0] in column
    assert list(column.slice(5, 3)) == expected[5:8]
    assert column.slice(5, 3)[-1] == expected[7]
    assert list(column.take([7, 2, 7])) == [expected[7], expected[2], expected[7]]
    assert column.take([7, 2, 7])[1] == expected[2]
    assert list(column.slice(5, 0)) == []
    for outside in (3000, -3001):
        with pytest.raises(IndexError):
            column[outside]


def test_pandas_and_numpy_take_the_strings_of_a_column() -> None:
    column = gsst.Column(gsst.compress_column(pa.array(VALUES)))
    series = pd.Series(column)
    assert len(series) == len(VALUES)
    assert [None if value is pd.NA or value != value else value for value in series] == VALUES
    assert np.asarray(column).tolist() == VALUES


def test_text_that_is_none_is_refused_as_objects() -> None:
    array = pa.array([b"fine", b"\xff"]).view(pa.string())
    column = gsst.Column(gsst.compress_column(array))
    assert column[0] == "fine"
    with pytest.raises(UnicodeDecodeError):
        list(column)


@pytest.mark.parametrize("requested", TYPES)
@pytest.mark.parametrize("stored", TYPES)
def test_pyarrow_gets_the_type_that_it_asks_for(stored: str, requested: str) -> None:
    array = pa.array(VALUES, pa.string()).cast(TYPES[stored])
    column = gsst.Column(gsst.compress_column(array))
    back = pa.array(column, type=TYPES[requested])
    back.validate(full=True)
    assert back.equals(array.cast(TYPES[requested]))
    assert back.slice(7, 5).to_pylist() == array.cast(TYPES[requested]).slice(7, 5).to_pylist()
    part = pa.array(column.slice(2, 4), type=TYPES[requested])
    assert part.equals(array.slice(2, 4).cast(TYPES[requested]))
    assert pa.array(column.slice(2, 0), type=TYPES[requested]).equals(pa.array([], TYPES[requested]))


def test_bytes_that_are_no_text_are_not_given_as_text() -> None:
    column = gsst.Column(gsst.compress_column(pa.array([b"fine", None, b"\xff"])))
    error = refusal(lambda: pa.array(column, type=pa.large_string()))
    assert error.code == gsst.ErrorCode.INVALID_ARGUMENT
    assert str(error) == "string 2 is not UTF-8, as the requested type of the array asks"


def test_a_type_that_is_none_of_strings_is_not_given() -> None:
    column = gsst.Column(gsst.compress_column(pa.array(VALUES)))
    capsules = column.__arrow_c_array__(pa.int32().__arrow_c_schema__())
    assert pa.Array._import_from_c_capsule(*capsules).equals(pa.array(VALUES))


def test_an_array_with_other_offsets_is_freed() -> None:
    column = gsst.Column(gsst.compress_column(pa.array(["x" * 1000] * 1000)))
    before = resident_bytes()
    for _ in range(100):
        pa.array(column, type=pa.large_string())
        column.__arrow_c_array__(pa.large_string().__arrow_c_schema__())
    gc.collect()
    assert resident_bytes() - before < 50 * column.info.string_bytes


class OnDevice:
    """An array that has no other interface than that of devices."""

    def __init__(self, array: pa.Array) -> None:
        self._array = array

    def __arrow_c_device_array__(
        self, requested_schema: object | None = None, **kwargs: object
    ) -> tuple[object, object]:
        return self._array.__arrow_c_device_array__(requested_schema, **kwargs)


@pytest.mark.parametrize("name", TYPES)
def test_arrays_say_that_they_are_on_the_cpu(name: str) -> None:
    array = pa.array(VALUES, pa.string()).cast(TYPES[name])
    column = gsst.Column(gsst.compress_column(OnDevice(array.slice(7, 2000))))
    back = pa.Array._import_from_c_device_capsule(*column.__arrow_c_device_array__())
    back.validate(full=True)
    assert back.device_type == pa.DeviceAllocationType.CPU
    assert back.equals(array.slice(7, 2000))
    part = pa.Array._import_from_c_device_capsule(*column.slice(5, 10).__arrow_c_device_array__())
    assert part.equals(array.slice(12, 10))


def resident_bytes() -> int:
    """Memory of this process that is not swapped out."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()


def test_an_array_of_a_device_that_nobody_takes_is_freed() -> None:
    column = gsst.Column(gsst.compress_column(pa.array(["x" * 1000] * 1000)))
    before = resident_bytes()
    for _ in range(100):
        column.__arrow_c_device_array__()
    gc.collect()
    assert resident_bytes() - before < 50 * column.info.string_bytes


def pointer_of(capsule: object, name: bytes) -> int:
    """The address of the struct in a capsule."""
    get_pointer = ctypes.pythonapi.PyCapsule_GetPointer
    get_pointer.restype = ctypes.c_void_p
    get_pointer.argtypes = [ctypes.py_object, ctypes.c_char_p]
    return get_pointer(capsule, name)


def test_what_comes_out_is_not_copied() -> None:
    capsules = gsst.Column(gsst.compress_column(pa.array(VALUES))).__arrow_c_array__()
    # The buffers stand behind five words.
    buffers = ctypes.c_void_p.from_address(pointer_of(capsules[1], b"arrow_array") + 5 * 8)
    addresses = list((ctypes.c_void_p * 3).from_address(buffers.value))
    array = pa.Array._import_from_c_capsule(*capsules)
    assert [buffer.address for buffer in array.buffers()] == addresses
    assert array.equals(pa.array(VALUES))


def most_resident_bytes() -> int:
    """The most memory that this process had since somebody wrote 5 to clear_refs."""
    found = re.search(r"VmHWM:\s+(\d+) kB", Path("/proc/self/status").read_text())
    assert found is not None
    return int(found[1]) * 1024


def test_what_goes_in_is_not_copied() -> None:
    array = pa.array(["furiously regular deposits " * 40] * 120_000)
    Path("/proc/self/clear_refs").write_text("5")
    before = most_resident_bytes()
    gsst.compress_column(array, block_bytes=100000)
    assert most_resident_bytes() - before < array.nbytes / 2


def test_without_a_format_strings_are_of_tiles() -> None:
    array = pa.array(VALUES)
    assert gsst.compress_column(array) == gsst.compress_column(array, format="tiles")
    assert gsst.compress_column(array) != gsst.compress_column(array, format="splits")
    with pytest.raises(gsst.Error, match="splits is 5, expected 0 for the default format, tiles"):
        gsst.compress_column(array, splits=5)


def test_keywords_of_later_interfaces_are_refused() -> None:
    column = gsst.Column(gsst.compress_column(pa.array(VALUES)))
    column.__arrow_c_device_array__(None, later=None)
    with pytest.raises(NotImplementedError, match="later"):
        column.__arrow_c_device_array__(None, later=1)


def test_an_array_of_another_device_is_refused() -> None:
    _, capsule = pa.array(VALUES).__arrow_c_device_array__()
    # Behind the array of ten words and the device's number.
    device_type = ctypes.c_int32.from_address(pointer_of(capsule, b"arrow_device_array") + 11 * 8)
    assert device_type.value == 1
    device_type.value = 2

    class Elsewhere:
        def __arrow_c_device_array__(self) -> tuple[object, object]:
            return pa.string().__arrow_c_schema__(), capsule

    with pytest.raises(gsst.Error, match="type 2") as raised:
        gsst.compress_column(Elsewhere())
    assert raised.value.code == gsst.ErrorCode.WRONG_MEMORY
    device_type.value = 1
