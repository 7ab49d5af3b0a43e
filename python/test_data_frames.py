"""Columns of pandas, polars, DuckDB and pyarrow go in as they are, and columns come out to each of them."""

import datetime
import itertools
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import gsst
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.compute
import pyarrow.dataset
import pyarrow.parquet
import pytest


@pytest.fixture(scope="module")
def array(comments: list[str | None]) -> pa.Array:
    return pa.array(comments)


@pytest.fixture(scope="module")
def table(array: pa.Array) -> pa.Table:
    """In chunks of different lengths, one of them without rows."""
    ends = [0, 5, 5, 8_000, 150_000, 200_192, len(array)]
    chunks = [array[start:end] for start, end in itertools.pairwise(ends)]
    return pa.table({"key": np.arange(len(array)), "comment": pa.chunked_array(chunks)})


@pytest.fixture(scope="module")
def parquet(table: pa.Table, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("parquet") / "orders.parquet"
    pa.parquet.write_table(table, path, row_group_size=100_000)
    return path


def strings_of(source: Any, **options: Any) -> gsst.Column:  # noqa: ANN401
    return gsst.Column(gsst.compress_column(source, threads=2, **options))


def has_all(column: gsst.Column, array: pa.Array) -> bool:
    """Whether a column has the strings and nulls of an array."""
    return pa.array(column, type=pa.string()).equals(array)


PANDAS = {
    "str": lambda values: pd.Series(values, dtype="str", name="comment"),
    "string[pyarrow]": lambda values: pd.Series(values, dtype="string[pyarrow]"),
    "object": lambda values: pd.Series(values, dtype=object),
    "ArrowDtype": lambda values: pd.Series(values, dtype=pd.ArrowDtype(pa.string())),
    "category": lambda values: pd.Series(values, dtype="str").astype("category"),
}


@pytest.mark.parametrize("kind", PANDAS)
def test_a_series_of_pandas_goes_in(kind: str, comments: list[str | None], array: pa.Array) -> None:
    series = PANDAS[kind](comments)
    column = strings_of(series)
    assert has_all(column, array)
    back = pd.Series(column.to_arrow()).astype("str")
    assert back.equals(pd.Series(comments, dtype="str"))
    assert pd.Series.from_arrow(column).astype("str").equals(back)


def test_rows_of_a_frame_of_pandas_go_in(table: pa.Table, array: pa.Array) -> None:
    frame = table.to_pandas()
    assert has_all(strings_of(frame, column="comment"), array)
    chosen = frame[frame["key"] % 3 == 1]
    expected = array.take(pa.array(chosen["key"].to_numpy()))
    assert has_all(strings_of(chosen["comment"]), expected)
    keys = gsst.IntegerColumn(gsst.compress_column(chosen["key"]))
    assert pd.Series(keys.to_arrow()).to_list() == chosen["key"].to_list()


@pytest.mark.parametrize("dtype", [pl.String, pl.Categorical, pl.Binary], ids=str)
def test_a_series_of_polars_goes_in(
    dtype: type[pl.DataType], comments: list[str | None], array: pa.Array
) -> None:
    halves = [pl.Series("comment", part, pl.String) for part in (comments[:170_000], comments[170_000:])]
    series = pl.concat(halves, rechunk=False).cast(dtype)
    column = strings_of(series)
    assert column.info.type == ("binary" if dtype is pl.Binary else "string")
    assert has_all(column, array)
    assert pl.Series("comment", column).cast(dtype).equals(series)
    assert has_all(strings_of(series.to_frame(), column="comment"), array)
    assert has_all(strings_of(series[1000:-7]), array[1000:-7])


@pytest.mark.parametrize("data_type", [
    pa.string(), pa.large_string(), pa.binary(), pa.large_binary(), pa.string_view(), pa.binary_view(),
    pa.dictionary(pa.int32(), pa.string()), pa.dictionary(pa.uint32(), pa.large_string()),
], ids=str)  # fmt: skip
def test_arrays_of_each_layout_go_in(data_type: pa.DataType, table: pa.Table, array: pa.Array) -> None:
    if pa.types.is_dictionary(data_type):
        given = array.cast(data_type.value_type).dictionary_encode().cast(data_type)
        chunks = table["comment"].cast(data_type.value_type).dictionary_encode()
    else:
        given, chunks = array.cast(data_type), table["comment"].cast(data_type)
    assert has_all(strings_of(given), array)
    assert has_all(strings_of(chunks), array)
    assert has_all(strings_of(given[12_345:202_222]), array[12_345:202_222])
    assert has_all(strings_of(chunks[12_345:202_222]), array[12_345:202_222])
    stored = data_type.value_type if pa.types.is_dictionary(data_type) else data_type
    assert strings_of(given[:9]).info.type == str(stored).removesuffix("_view")


def test_tables_and_batches_go_in(table: pa.Table, array: pa.Array) -> None:
    assert has_all(strings_of(table, column="comment"), array)
    assert has_all(strings_of(table.select(["comment"])), array)
    assert has_all(strings_of(table.to_batches()[2], column="comment"), table.to_batches()[2]["comment"])
    part = table[100_001:200_002]
    assert has_all(strings_of(part, column="comment"), array[100_001:200_002])
    # A slice of a batch has its offset at the table, not at its columns.
    rows = pa.StructArray.from_arrays([array], ["comment"])[77:50_000]
    assert has_all(strings_of(rows), array[77:50_000])


def test_a_column_of_parquet_files_goes_in_batch_by_batch(parquet: Path, array: pa.Array) -> None:
    assert has_all(strings_of(pa.parquet.read_table(parquet)["comment"]), array)
    data = pa.dataset.dataset([parquet, parquet])
    column = strings_of(data.scanner(columns=["comment"], batch_size=10_000).to_reader())
    assert has_all(column, pa.concat_arrays([array, array]))
    with pa.parquet.ParquetFile(parquet) as file:
        batches = pa.RecordBatchReader.from_batches(
            pa.schema([("comment", pa.string())]), file.iter_batches(columns=["comment"])
        )
        assert has_all(strings_of(batches), array)


def test_results_of_duckdb_go_in_and_columns_are_queried(
    parquet: Path, table: pa.Table, array: pa.Array
) -> None:
    result = duckdb.sql(f"SELECT comment FROM '{parquet}' ORDER BY key")
    column = strings_of(result)
    assert has_all(column, array)
    packed = pa.table({"comment": column.to_arrow()})
    assert pa.table({"comment": column}).equals(packed)
    query = "SELECT count(*), sum(strlen(comment)) FROM packed WHERE comment LIKE '%tra%e%'"
    [found] = duckdb.from_arrow(packed).query("packed", query).fetchall()
    given = table["comment"]
    matches = pa.compute.match_like(given, "%tra%e%")
    chosen = given.filter(matches)
    assert found == (len(chosen), pa.compute.sum(pa.compute.binary_length(chosen)).as_py())
    assert len(chosen) > 1000


def test_numbers_and_dates_of_each_library_go_in() -> None:
    start = datetime.date(1992, 1, 1)
    days = [None if day % 50 == 7 else start + datetime.timedelta(day // 90) for day in range(200_000)]
    array = pa.array(days)
    for source in (
        array,
        pa.chunked_array([array[:1000], array[1000:]]),
        pl.Series(days),
        pd.Series(days, dtype=pd.ArrowDtype(pa.date32())),
        array.dictionary_encode(),
        pa.table({"day": array}),
        duckdb.from_arrow(pa.table({"day": array})),
    ):
        column = gsst.IntegerColumn(gsst.compress_column(source))
        assert pa.array(column).equals(array)
        assert column.info.type == "date32[day]"
    assert pl.Series(column).to_list() == days


def test_short_chunks_are_gathered_and_long_ones_are_not_copied() -> None:
    text = pa.array([f"row {row} of the chunk" for row in range(10_000)])
    chunked = pa.chunked_array([text] * 40)
    column = strings_of(chunked)
    assert column.info.parts == 1
    assert pa.array(column).equals(chunked.combine_chunks())
    long = pa.array(["furiously regular deposits " * 40] * 5_000)
    column = strings_of(pa.chunked_array([text, long, long, text, text]))
    # Short ones before, each long one, short ones after.
    assert column.info.parts == 4
    assert [len(chunk) for chunk in column.to_arrow().chunks] == [10_000, 5_000, 5_000, 20_000]


def gathered_parts(source: object, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The address of the strings' bytes of each array that the codec reads."""
    seen: list[int] = []
    compress = gsst._codec.compress_column

    def watch(schema: object, array: object, **options: Any) -> bytes:  # noqa: ANN401
        copied = compress(schema, array, **options)
        seen.append(pa.Array._import_from_c_capsule(schema, array).buffers()[2].address)
        return copied

    monkeypatch.setattr(gsst._codec, "compress_column", watch)
    gsst.compress_column(source)
    return seen


@pytest.mark.parametrize("kind", ["array", "one chunk", "long chunks", "pandas", "table"])
def test_what_goes_in_is_read_where_it_is(
    kind: str, array: pa.Array, monkeypatch: pytest.MonkeyPatch
) -> None:
    long = pa.concat_arrays([array])
    sources: dict[str, Callable[[], tuple[object, list[pa.Array]]]] = {
        "array": lambda: (array, [array]),
        "one chunk": lambda: (pa.chunked_array([array[:9]]), [array]),
        "long chunks": lambda: (pa.chunked_array([array, long]), [array, long]),
        "pandas": lambda: (pd.Series.from_arrow(pa.chunked_array([array.cast(pa.large_string())])), []),
        "table": lambda: (pa.table({"a": array}), [array]),
    }
    source, arrays = sources[kind]()
    if kind == "pandas":
        arrays = pa.chunked_array(source).chunks
    assert gathered_parts(source, monkeypatch) == [given.buffers()[2].address for given in arrays]


@pytest.mark.parametrize(
    "empty",
    [
        pl.Series([], dtype=pl.String),
        pd.Series([], dtype="str"),
        pa.array([], pa.string()),
        pa.chunked_array([], pa.string()),
    ],
    ids=["polars", "pandas", "array", "chunked"],
)
def test_nothing_goes_in_and_comes_out(empty: Any) -> None:  # noqa: ANN401
    column = strings_of(empty)
    assert len(column) == len(column.to_arrow()) == 0
    assert list(column) == []
    assert len(pa.array(column)) == len(pl.Series(column)) == 0


PRICES = pl.DataFrame({"price": [1.5, 2.5], "text": ["a", "b"]})
TWICE = pa.table([pa.array(["a"]), pa.array(["b"])], ["a", "a"])
NULL_ROW = pa.StructArray.from_arrays([pa.array(["a", "b"])], ["a"], mask=pa.array([False, True]))


@pytest.mark.parametrize(
    ("source", "options", "message"),
    [
        (PRICES["price"], {}, "column 'price': type is double, expected strings, bytes, integers"),
        (PRICES, {"column": "price"}, "column 'price': type is double"),
        (PRICES, {}, "the table has 2 columns: name one of them as `column`"),
        (PRICES, {"column": "cost"}, "the table has no column 'cost', it has 'price', 'text'"),
        (PRICES["text"], {"column": "text"}, "column is 'text', and the data is of type string_view"),
        (TWICE, {"column": "a"}, "several columns of the table are named 'a'"),
        (pa.table({}), {}, "the table has no columns"),
        (NULL_ROW, {}, "table: whole rows are null"),
        (pd.Series([None, None], dtype=object), {}, "array: type is null"),
        (PRICES["text"], {"format": "dfor"}, "format is 'dfor', expected one of"),
        (PRICES["text"], {"level": 12}, "column 'text': level is 12, expected 1 to 9"),
    ],
)
def test_errors_name_column_and_type(source: Any, options: dict[str, Any], message: str) -> None:  # noqa: ANN401
    with pytest.raises(gsst.Error) as refused:
        gsst.compress_column(source, **options)
    assert refused.value.code == gsst.ErrorCode.INVALID_ARGUMENT
    assert str(refused.value).startswith(message)


def test_what_is_no_arrow_data_is_a_wrong_type() -> None:
    for other in (["a"], np.array(["a"]), "text", None):
        with pytest.raises(TypeError, match="has none of __arrow_c_stream__"):
            gsst.compress_column(other)  # type: ignore[arg-type]


def test_an_error_of_a_stream_says_what_its_source_says() -> None:
    def batches() -> Any:  # noqa: ANN401
        yield pa.record_batch({"a": ["x"]})
        raise ValueError("the disk is on fire")

    reader = pa.RecordBatchReader.from_batches(pa.schema([("a", pa.string())]), batches())
    with pytest.raises(gsst.Error, match=r"stream: .*the disk is on fire"):
        gsst.compress_column(reader)


def broken(array: pa.Array, buffer: int, at: int, number: int, data_type: pa.DataType) -> pa.Array:
    """An array of which 4 bytes of a buffer are another number."""
    buffers = array.buffers()
    changed = bytearray(buffers[buffer].to_pybytes())
    changed[at : at + 4] = number.to_bytes(4, "little", signed=True)
    buffers[buffer] = pa.py_buffer(bytes(changed))
    return pa.Array.from_buffers(data_type, len(array), buffers)


@pytest.mark.parametrize(
    ("at", "number", "message"),
    [
        (0, -1, "string 0 has a negative length"),
        (8, 7, "string 0 is outside its buffers"),
        (8, -1, "string 0 is outside its buffers"),
        (12, 10**6, "string 0 is outside its buffers"),
        (0, 10**6, "string 0 is outside its buffers"),
    ],
)
def test_views_that_point_elsewhere_are_refused(at: int, number: int, message: str) -> None:
    views = pa.array(["a string that is longer than a view", "b"], pa.string_view())
    with pytest.raises(gsst.Error, match=f"array: {message}"):
        gsst.compress_column(broken(views, 1, at, number, pa.string_view()))


@pytest.mark.parametrize("number", [-1, 2, 10**9])
def test_indices_outside_their_dictionary_are_refused(number: int) -> None:
    indices = pa.array([0, 1, number], pa.int32())
    array = pa.DictionaryArray.from_arrays(indices, pa.array(["a", "b"]), safe=False)
    with pytest.raises(gsst.Error, match="array: index 2 is outside its dictionary"):
        gsst.compress_column(array)


def test_offsets_that_descend_are_refused_in_short_chunks() -> None:
    array = broken(pa.array(["abc", "de", "f"]), 1, 8, 1, pa.string())
    with pytest.raises(gsst.Error, match="array: the offsets of string 1 descend"):
        gsst.compress_column(pa.chunked_array([array, pa.array(["a"])]))


@pytest.mark.parametrize(
    "index", [pa.int8(), pa.uint8(), pa.int16(), pa.uint16(), pa.int64(), pa.uint64()], ids=str
)
def test_dictionaries_have_indices_of_each_width_and_nulls_at_both_places(index: pa.DataType) -> None:
    indices = pa.array([0, None, 2, 1] * 30_000, index)
    array = pa.DictionaryArray.from_arrays(indices, pa.array(["north", None, "south"]))
    assert list(strings_of(array))[:4] == ["north", None, "south", None]
    assert strings_of(array).info.null_count == 60_000
