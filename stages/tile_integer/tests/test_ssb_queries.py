"""The 13 queries of the Star Schema Benchmark: DuckDB's answers, and the kernels', about the same columns."""

import subprocess
from pathlib import Path

import duckdb
import numpy as np
import pytest

from data.ssb import dates, make_tables, write_columns
from stages.tile_integer.tests.ssb_sql import QUERIES, group_number, read_tables
from tools.repository import ROOT

PROGRAM = ROOT / "build" / "tests" / "ssb_answers"
SEED = 93
UNITED_KINGDOM, UNITED_STATES = 23, 24
REGION_OF_NATION = np.array([0, 1, 1, 1, 4, 0, 3, 3, 2, 2, 4, 4, 2, 4, 0, 0, 0, 1, 2, 3, 4, 2, 3, 3, 1])

Sums = dict[tuple[str, int], int]


def made_up_columns(rows: int) -> dict[str, np.ndarray]:
    """Columns of which each query wants many rows: there are few strings besides those that it asks for."""
    random = np.random.default_rng(SEED)
    columns = dates()
    for prefix, key, count in (("c", "c_custkey", 900), ("s", "s_suppkey", 110)):
        nation = random.choice([*[UNITED_KINGDOM, UNITED_STATES] * 12, *range(25)], count)
        columns[key] = np.arange(1, count + 1)
        columns[f"{prefix}_nation"] = nation
        columns[f"{prefix}_region"] = REGION_OF_NATION[nation]
        columns[f"{prefix}_city"] = nation * 10 + random.choice([1, 1, 5, 5, *range(10)], count)
    # MFGR#1201 to 1240, 1401 to 1440, 2221 to 2228 and 2239, and any.
    brands = [*range(40, 80), *range(120, 160), *[*range(260, 268), 278] * 5, *range(1000)]
    brand = random.choice(brands, 2500)
    columns |= {"p_partkey": np.arange(1, 2501), "p_brand1": brand}
    columns |= {"p_category": brand // 40, "p_mfgr": brand // 200}
    # A row's order, of one to seven rows.
    order = np.repeat(np.arange(rows), random.integers(1, 8, rows))[:rows]
    # Of December of 1997, of February 3 to 11 of 1994, and any.
    day_of_order = random.choice([*[*range(2161, 2192)] * 40, *[*range(764, 773)] * 80, *range(2557)], rows)
    price = random.integers(90_000, 10_500_000, rows)
    columns["lo_custkey"] = random.integers(1, 901, rows)[order]
    columns["lo_orderdate"] = columns["d_datekey"][day_of_order[order]]
    columns["lo_partkey"] = random.integers(1, 2501, rows)
    columns["lo_suppkey"] = random.integers(1, 111, rows)
    columns["lo_quantity"] = random.integers(1, 51, rows)
    columns["lo_discount"] = random.integers(0, 11, rows)
    columns["lo_extendedprice"] = price
    columns["lo_revenue"] = price * 9 // 10
    columns["lo_supplycost"] = random.integers(50_000, 130_000, rows)
    return columns


@pytest.fixture(scope="module", params=["ssb_derived", "made_up"])
def folder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("tables") / request.param
    if request.param == "ssb_derived":
        make_tables(0.01, path)
    else:
        path.mkdir()
        write_columns(made_up_columns(40_000), path)
    return path


@pytest.fixture(scope="module")
def expected(folder: Path) -> Sums:
    """DuckDB's sums by query and number of the group."""
    database = duckdb.connect()
    for name, table in read_tables(folder).items():
        database.register(name, table)
    sums: Sums = {}
    for question, (sql, columns) in QUERIES.items():
        for *keys, value in database.execute(sql).fetchall():
            # No row is wanted: one sum, which is null.
            if value is None:
                continue
            assert value > 0, "the stage gives no group with the sum 0"
            sums[question, group_number(tuple(keys), columns)] = int(value)
    return sums


@pytest.mark.parametrize(
    ("stage", "storage"),
    [
        ("09_queries", "plain"),
        ("09_queries", "packed"),
        ("09_queries", "smallest"),
        ("10_wide_queries", "packed"),
        ("10_wide_queries", "smallest"),
    ],
)
def test_answers_are_those_of_duckdb(folder: Path, expected: Sums, stage: str, storage: str) -> None:
    assert PROGRAM.exists(), f"{PROGRAM} is missing: `make build` makes it"
    command = [PROGRAM, f"tile_integer/{stage}", "simt", storage, folder]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    answers: Sums = {}
    for line in done.stdout.splitlines():
        question, group, value = line.split()
        answers[question, int(group)] = int(value)
    for question in QUERIES:
        wanted = {key: value for key, value in expected.items() if key[0] == question}
        assert {key: value for key, value in answers.items() if key[0] == question} == wanted
    assert answers == expected


def test_every_query_has_rows_in_one_of_the_tables(folder: Path, expected: Sums) -> None:
    missing = set(QUERIES) - {question for question, _ in expected}
    # 60 thousand rows and 20 suppliers are few for cities.
    assert missing <= ({"q3.2", "q3.3", "q3.4"} if folder.name == "ssb_derived" else set())
