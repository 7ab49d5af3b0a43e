"""SSB-derived tables: the same bytes whatever the number of parts, and SSB's rules in plain Python."""

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from data import ssb
from data.catalogue import Derived, Digest, Instance, load_catalogue
from data.errors import DataUnavailableError
from data.fetch import Fetcher


def test_bytes_are_the_known_ones_whatever_the_number_of_parts(tmp_path: Path) -> None:
    ssb.make_tables(0.01, tmp_path / "tables", parts=2)
    names = {path.name for path in (tmp_path / "tables").iterdir()}
    assert {"lo_orderdate", "c_city", "s_region", "p_brand1", "d_weeknuminyear", ssb.LISTING} <= names
    assert [path.name for path in tmp_path.iterdir()] == ["tables"]


def test_a_file_of_tables_has_the_columns_that_queries_read(tmp_path: Path) -> None:
    instance = Instance(load_catalogue()["ssb/tables"], scale_factor=0.01)
    path = Fetcher(tmp_path).fetch(instance)
    assert path == tmp_path / "ssb" / "tables_sf0.01"
    whole = path.read_bytes()
    line = whole[: whole.index(b"\n") + 1]
    columns = json.loads(line)["columns"]
    assert tuple(columns) == ssb.COLUMNS_OF_QUERIES
    assert len({columns[name] for name in columns if name.startswith("lo_")}) == 1
    place = len(line)
    for name, values in columns.items():
        assert place % ssb.ALIGNMENT == 0
        if name == "d_year":
            assert np.array_equal(np.frombuffer(whole, "<u4", values, place), ssb.dates()[name])
        place += ssb.VALUE_BYTES * values
        place += -place % ssb.ALIGNMENT
    assert place == len(whole)
    assert [below.name for below in path.parent.iterdir()] == [path.name]


def test_a_file_of_other_tables_leaves_nothing(tmp_path: Path) -> None:
    source = Derived({0.01: Digest(1, "0" * 64)})
    with pytest.raises(DataUnavailableError, match="wrong size"):
        ssb.make_tables_file(source, 0.01, tmp_path / "tables")
    assert not list(tmp_path.iterdir())


def _parts_of_tables(lines: dict[int, list[int]]) -> Callable[..., list[ssb.Numbers]]:
    """In place of read_table(): part p of orders has the keys 10 p to 10 p + 9, lineitem those in `lines`."""

    def read(_: str, __: float, table: str, fields: list[int], ___: int, part: int) -> list[ssb.Numbers]:
        keys = np.arange(10 * part, 10 * part + 10) if table == "orders" else np.array(lines[part])
        return [keys, *(keys + field for field in fields[1:])]

    return read


@pytest.mark.parametrize(
    ("part", "keys"),
    [
        (2, [20, 20, 29]),
        (2, [18, 19, 19, 20]),
        (2, [29, 30]),
        (2, [19, 25, 31]),
        (1, [10, 20]),
        (3, [29, 39]),
    ],
)
def test_rows_of_a_part_may_be_of_orders_of_the_parts_next_to_it(
    part: int, keys: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ssb, "read_table", _parts_of_tables({part: keys}))
    columns = ssb.fact_table("generator", 20, 3, part)
    assert columns["lo_orderkey"].tolist() == keys
    assert columns["lo_orderdate"].tolist() == [key + 5 for key in keys]


@pytest.mark.parametrize(("part", "keys"), [(3, [19]), (1, [30]), (1, [9]), (3, [40]), (2, [9, 20])])
def test_rows_of_orders_that_are_further_away_are_an_error(
    part: int, keys: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ssb, "read_table", _parts_of_tables({part: keys}))
    with pytest.raises(
        DataUnavailableError, match=rf"part {part} of 3 of lineitem has rows of orders of no part near it"
    ):
        ssb.fact_table("generator", 20, 3, part)


def test_a_column_is_made_with_the_others_of_the_fact_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    catalogue = load_catalogue()
    fetcher = Fetcher(tmp_path)
    path = fetcher.fetch(Instance(catalogue["ssb/lo_orderdate"], scale_factor=0.01))
    assert path == tmp_path / "ssb" / "lo_orderdate_sf0.01"
    assert np.fromfile(path, "<u4").min() >= 19920101
    monkeypatch.setattr(ssb, "make_tables", None)
    columns = [name for name in catalogue if name.startswith("ssb/lo_")]
    assert len(columns) == 14
    for name in columns:
        assert fetcher.fetch(Instance(catalogue[name], scale_factor=0.01)).parent == path.parent
    assert len(list(path.parent.iterdir())) == 2 * len(columns)


@pytest.mark.parametrize(
    ("source", "message"),
    [
        (Derived({0.01: Digest(1, "0" * 64)}, "lo_tax"), "wrong size"),
        (Derived({}, "lo_shipmode"), "no column lo_shipmode"),
    ],
)
def test_another_column_leaves_nothing(source: Derived, message: str, tmp_path: Path) -> None:
    with pytest.raises(DataUnavailableError, match=message):
        ssb.make_derived(source, 0.01, tmp_path / "column")
    assert not list(tmp_path.iterdir())


def test_other_bytes_leave_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ssb, "KNOWN", {0.01: "0" * 64})
    with pytest.raises(DataUnavailableError, match="sha256"):
        ssb.make_tables(0.01, tmp_path / "tables", parts=2)
    assert not list(tmp_path.iterdir())


def test_rows_of_the_fact_table_are_those_of_lineitem_with_their_orders() -> None:
    program = ssb.find_generator(ssb.generator())
    fact = ssb.fact_table(program, 0.001, 1, 1)
    # The first rows of TPC-H's lineitem: parts 156 and 68, 17 and 36 pieces, 4 and 9 per cent off; order 1.
    assert len(fact["lo_orderkey"]) == 6005
    first = {name: [int(value) for value in values[:2]] for name, values in fact.items()}
    assert first["lo_orderkey"] == [1, 1]
    assert first["lo_orderdate"] == [19960102, 19960102]
    assert first["lo_quantity"] == [17, 36]
    assert first["lo_discount"] == [4, 9]
    assert first["lo_revenue"] == [
        price * (100 - discount) // 100
        for price, discount in zip(first["lo_extendedprice"], first["lo_discount"], strict=True)
    ]
    assert first["lo_supplycost"] == [
        price // pieces * 6 // 10
        for price, pieces in zip(first["lo_extendedprice"], first["lo_quantity"], strict=True)
    ]
    counts = ssb.row_counts(0.001)
    for column, table in (("lo_custkey", "customer"), ("lo_suppkey", "supplier"), ("lo_partkey", "part")):
        assert fact[column].min() >= 1
        assert fact[column].max() <= counts[table]


def test_row_counts_are_those_of_ssb() -> None:
    assert ssb.row_counts(1) == {"customer": 30_000, "supplier": 2_000, "part": 200_000}
    assert ssb.row_counts(20) == {"customer": 600_000, "supplier": 40_000, "part": 1_000_000}


def test_weeks_and_months_of_dates() -> None:
    columns = ssb.dates()
    assert len(columns["d_datekey"]) == 7 * 365 + 2
    day = {int(key): place for place, key in enumerate(columns["d_datekey"])}
    week_6 = (columns["d_weeknuminyear"] == 6) & (columns["d_year"] == 1994)
    assert columns["d_datekey"][week_6].tolist() == list(range(19940204, 19940211))
    assert columns["d_yearmonthnum"][day[19960229]] == 199602
    assert columns["d_weeknuminyear"][day[19981231]] == 365 // 7 + 1


def test_brands_lie_in_their_categories() -> None:
    table = ssb.parts_table(np.array([11, 12, 55, 55]))
    assert table["p_mfgr"].tolist() == [0, 0, 4, 4]
    assert table["p_category"].tolist() == [0, 1, 24, 24]
    assert (table["p_brand1"] // 40).tolist() == [0, 1, 24, 24]


def test_random_numbers_are_of_each_value_and_the_same_for_a_key() -> None:
    keys = np.arange(1, 10_001)
    digits = ssb.random_below(10, 5, keys)
    assert np.bincount(digits).min() > 850
    assert np.array_equal(digits[500:], ssb.random_below(10, 5, keys[500:]))
    assert not np.array_equal(digits, ssb.random_below(10, 6, keys))
