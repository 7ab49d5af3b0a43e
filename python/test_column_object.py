"""A column as a sequence that is indexed, sliced, compared and pickled, in one part or several."""

import copy
import io
import itertools
import mmap
import pickle
import random
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import gsst
import numpy as np
import pyarrow as pa
import pytest


@pytest.fixture(scope="module")
def parts(comments: list[str | None]) -> list[bytes]:
    """Columns of consecutive rows, one of them without any."""
    bounds = [0, 100_000, 100_000, 100_001, len(comments)]
    pairs = itertools.pairwise(bounds)
    return [gsst.compress_column(pa.array(comments[a:b], pa.string()), block_bytes=100_000) for a, b in pairs]


@pytest.fixture(scope="module", params=[True, False], ids=["verified", "not verified"])
def column(request: pytest.FixtureRequest, parts: list[bytes]) -> gsst.Column:
    return gsst.Column(b"".join(parts), threads=2, verify=request.param)


def test_parts_are_one_column(column: gsst.Column, parts: list[bytes], comments: list[str | None]) -> None:
    array = pa.array(comments)
    assert len(column) == len(comments)
    assert column.info == gsst.ColumnInfo(
        compressed_bytes=sum(map(len, parts)),
        length_bytes=sum(gsst.Column(part).info.length_bytes for part in parts),
        string_count=len(comments),
        null_count=array.null_count,
        string_bytes=sum(len((text or "").encode()) for text in comments),
        type="string",
        parts=4,
        layouts=("dense",),
        separator=None,
    )
    assert list(column) == comments
    assert pa.array(column).equals(array)
    assert pa.array(column, type=pa.large_string()).equals(array.cast(pa.large_string()))
    assert [len(chunk) for chunk in column.to_arrow().chunks] == [100_000, 1, len(comments) - 100_001]
    assert column.to_arrow().combine_chunks().equals(array)
    assert pa.chunked_array(column, type=pa.large_binary()).equals(
        pa.chunked_array([array.cast(pa.large_binary())])
    )


@pytest.mark.parametrize("index", [0, 7, 99_999, 100_000, 100_001, -1, -100_000])
def test_one_string_is_indexed(index: int, column: gsst.Column, comments: list[str | None]) -> None:
    assert column[index] == comments[index]
    assert column[np.int64(index)] == comments[index]


def test_indices_outside_are_refused(column: gsst.Column) -> None:
    for index in (len(column), -len(column) - 1):
        with pytest.raises(IndexError, match=f"string {index} of {len(column)}"):
            column[index]
    with pytest.raises(TypeError):
        column["first"]  # type: ignore[call-overload]


@pytest.mark.parametrize(
    "key",
    [
        slice(None),
        slice(99_990, 100_010),
        slice(-50, None),
        slice(5, 5),
        slice(200, 100),
        slice(None, 10**9),
        slice(90_000, 110_000, 7),
        slice(None, None, -1),
        slice(100_005, 99_995, -2),
    ],
    ids=str,
)
def test_slices_are_those_of_a_list(key: slice, column: gsst.Column, comments: list[str | None]) -> None:
    part = column[key]
    expected = comments[key]
    assert isinstance(part, gsst.Strings)
    assert len(part) == len(expected)
    assert pa.array(part).equals(pa.array(expected, pa.string()))
    assert list(part[1:9]) == expected[1:9]
    assert pa.array(part[::5]).equals(pa.array(expected[::5], pa.string()))
    if expected:
        assert part[-1] == expected[-1]


def test_strings_are_taken_from_all_parts_in_any_order(
    column: gsst.Column, comments: list[str | None]
) -> None:
    chosen = random.Random(5)
    numbers = [chosen.randrange(len(comments)) for _ in range(20_000)] + [100_000, 100_000, 0]
    expected = [comments[number] for number in numbers]
    assert list(column.take(numbers)) == expected
    taken = column.take(np.array(numbers))
    assert pa.array(taken).equals(pa.array(expected, pa.string()))
    assert list(taken[100:200]) == expected[100:200]
    assert list(taken.take([2, 1])) == [expected[2], expected[1]]
    assert len(column.take([])) == len(pa.array(column.take([]))) == 0
    with pytest.raises(
        gsst.Error, match=f"there is no string {len(comments)}, the column has {len(comments)}"
    ):
        column.take([0, len(comments)])
    with pytest.raises(gsst.Error, match="there is no string 3, the column has 3"):
        column[5:8].take([3])


def test_equal_columns_have_the_same_strings(column: gsst.Column, comments: list[str | None]) -> None:
    whole = gsst.Column(gsst.compress_column(pa.array(comments), 2, format="tiles", threads=2))
    assert column == whole
    assert column[10:] == whole[10:]
    # What comes out goes in again.
    assert gsst.Column(gsst.compress_column(column[99_000:101_000])) == whole[99_000:101_000]
    assert column[10:20] != whole[11:21]
    assert column[:-1] != whole
    for row, other in ((60_000, "another"), (60_001, None), (60_002, "")):
        changed = list(comments[50_000:70_000])
        assert changed[row - 50_000] != other
        changed[row - 50_000] = other
        assert column[50_000:70_000] != gsst.Column(gsst.compress_column(pa.array(changed)))
    large = gsst.Column(gsst.compress_column(pa.array(comments[:9], pa.large_string())))
    assert large != column[:9]
    assert column != comments
    with pytest.raises(TypeError):
        hash(column)


def test_what_a_column_is_is_shown(column: gsst.Column) -> None:
    info = column.info
    assert repr(column) == (
        f"<gsst.Column: {info.string_count} strings of type string, {info.null_count} null,"
        f" {info.string_bytes} bytes in {info.compressed_bytes}>"
    )
    assert repr(column[2:5]) == "<gsst.Strings: 3 strings of type string>"


@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
def test_columns_are_pickled(protocol: int, column: gsst.Column) -> None:
    for given in (column, column[99_000:101_000], column.take([5, 100_001, 5])):
        pickled = pickle.dumps(given, protocol)
        # Older ones write bytes as text.
        assert protocol < 3 or len(pickled) < column.info.compressed_bytes + 2000
        again = pickle.loads(pickled)
        assert type(again) is type(given)
        assert again == given
        assert copy.copy(given) == given
    # Slices share the column that they are of.
    both = pickle.dumps([column, column[1:], column[2:]], protocol)
    assert protocol < 3 or len(both) < column.info.compressed_bytes + 2000


def test_protocol_5_hands_the_bytes_over(parts: list[bytes]) -> None:
    data = b"".join(parts)
    column = gsst.Column(data)
    assert column.data == data
    assert column.data.readonly
    buffers: list[pickle.PickleBuffer] = []
    pickled = pickle.dumps(column, 5, buffer_callback=buffers.append)
    assert len(pickled) < 2000
    [buffer] = buffers
    given, kept = np.frombuffer(buffer, np.uint8), np.frombuffer(data, np.uint8)
    assert np.shares_memory(given, kept)
    assert len(given) == len(kept)
    assert pickle.loads(pickled, buffers=buffers) == column


def counted(strings: gsst.Strings) -> tuple[int, int]:
    """In a process of its own."""
    return len(strings), sum(len(text) for text in strings if text is not None)


def test_columns_go_to_other_processes(column: gsst.Column, comments: list[str | None]) -> None:
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        found = list(pool.map(counted, [column, column[100_000:]]))
    for rows, expected in zip((comments, comments[100_000:]), found, strict=True):
        assert expected == (len(rows), sum(len(text) for text in rows if text is not None))


def test_a_file_of_parts_is_mapped(tmp_path: Path, parts: list[bytes], comments: list[str | None]) -> None:
    path = tmp_path / "comment.gssc"
    with path.open("wb") as file:
        file.writelines(parts)
    column = gsst.open_column(path, threads=2)
    assert isinstance(column, gsst.Column)
    assert str(path) in Path("/proc/self/maps").read_text()
    assert column == gsst.open_column(io.BytesIO(b"".join(parts)))
    assert column[-1] == comments[-1]
    assert pickle.loads(pickle.dumps(column)) == column
    del column
    assert str(path) not in Path("/proc/self/maps").read_text()
    path.write_bytes(b"")
    with pytest.raises(gsst.Error):
        gsst.open_column(path)
    with pytest.raises(FileNotFoundError):
        gsst.open_column(tmp_path / "none.gssc")


def test_each_part_is_checked_and_named(parts: list[bytes]) -> None:
    damaged = bytearray(b"".join(parts))
    damaged[len(parts[0]) - 60] ^= 1
    with pytest.raises(gsst.Error, match=r"^part 0 of 4: column checksum"):
        gsst.Column(damaged)
    damaged = bytearray(b"".join(parts))
    damaged[len(damaged) - len(parts[3]) + 3000] ^= 1
    column = gsst.Column(damaged)
    assert column[5] is not None
    with pytest.raises(gsst.Error, match=r"^part 3 of 4: "):
        list(column)
    with pytest.raises(gsst.Error, match=r"^part 3 of 4: "):
        column.to_arrow()
    # Through a stream it becomes an error of who reads that.
    with pytest.raises(OSError, match=r"^part 3 of 4: "):
        pa.chunked_array(column)


def test_parts_of_different_types_are_refused(parts: list[bytes]) -> None:
    with pytest.raises(gsst.Error, match="part 4 is of type 'U', part 0 is of type 'u'"):
        gsst.Column(b"".join(parts) + gsst.compress_column(pa.array(["a"], pa.large_string())))
    with pytest.raises(gsst.Error, match="part 4 of 5: "):
        gsst.Column(b"".join(parts) + gsst.compress_column(pa.array([1])))


def test_columns_are_read_from_any_bytes(parts: list[bytes], comments: list[str | None]) -> None:
    data = b"".join(parts)
    anonymous = mmap.mmap(-1, len(data))
    anonymous.write(data)
    for given in (bytearray(data), memoryview(data), np.frombuffer(data, np.uint8), anonymous):
        assert gsst.Column(given)[100_002] == comments[100_002]
    with pytest.raises(BufferError):
        gsst.Column(memoryview(data)[::2])
    with pytest.raises(TypeError):
        gsst.Column("text")  # type: ignore[arg-type]


def test_columns_of_integers_do_the_same() -> None:
    values = [None if number % 50 == 7 else number * number % 9973 - 500 for number in range(250_000)]
    array = pa.array(values, pa.int16())
    data = gsst.compress_column(array[:150_000], block_bytes=20_000, format="for")
    data += gsst.compress_column(array[150_000:], block_bytes=20_000, format="dfor")
    column = gsst.read_column(data, threads=2)
    assert isinstance(column, gsst.IntegerColumn)
    assert column.info.parts == 2
    assert column.info.format == "mixed"
    assert (column.info.value_count, column.info.null_count) == (len(array), array.null_count)
    assert list(column) == values
    assert [column[at] for at in (0, 7, 149_999, 150_000, -1)] == [
        values[at] for at in (0, 7, 149_999, 150_000, -1)
    ]
    assert list(column[149_990:150_010:3]) == values[149_990:150_010:3]
    numbers = np.random.default_rng(1).integers(0, len(array), 20_000)
    assert pa.array(column.take(numbers)).equals(array.take(pa.array(numbers)))
    one_part = gsst.IntegerColumn(gsst.compress_column(array))
    assert pa.array(one_part.take(numbers)).equals(array.take(pa.array(numbers)))
    assert column == one_part
    assert column[1:] != one_part[:-1]
    assert pickle.loads(pickle.dumps(column[5:])) == column[5:]
    assert pa.array(column).equals(array)
    assert column.to_arrow().combine_chunks().equals(array)
    assert repr(column[2:4]) == "<gsst.Integers: 2 values of type int16>"
    assert repr(one_part) == (
        f"<gsst.IntegerColumn: 250000 values of type int16, {array.null_count} null, 500000 bytes in"
        f" {one_part.info.compressed_bytes}>"
    )
    with pytest.raises(gsst.Error, match="there is no value 250000, the column has 250000"):
        column.take([250_000])
