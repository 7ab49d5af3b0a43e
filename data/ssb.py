"""SSB-derived tables: columns of the Star Schema Benchmark (SSB), derived from TPC-H-derived tables.

    python -m data.ssb [--scale-factor SF] [--output DIR]

Makes DIR/ssb_sf<SF>/, with each column as a file of little-endian 32-bit numbers, and prints its path.
make_tables_file() has all columns that SSB's queries read in one file, make_column_files() those of the
fact table in a file each. The bytes depend on the scale factor
alone. What is measured on them is SSB-derived, and no result of SSB.

Rules are SSB's (O'Neil, O'Neil, Chen, Revilak: The Star Schema Benchmark, revision 3):

- A row of the fact table is a row of TPC-H's lineitem with its order. Prices are cents, discounts and taxes
  per cent, dates yyyymmdd. lo_revenue is the price less the discount, lo_supplycost six tenths of the part's
  price.
- There are fewer customers, suppliers and parts (row_counts()): TPC-H's first ones. Keys of the fact table
  are taken modulo their number. Price and cost stay those of TPC-H's part.
- Dates are the days of seven years; d_weeknuminyear is the day of the year divided by 7, plus 1.

Strings are codes: regions and nations TPC-H's keys; a city 10 times its nation plus its digit; MFGR#1 to
MFGR#5 are 0 to 4, MFGR#11 to MFGR#55 0 to 24, and MFGR#111 to MFGR#5540 40 times the code of the category
plus the brand's number less 1. TPC-H has no cities and fewer brands: digits and numbers are random, by the
row's key.
"""

import argparse
import hashlib
import json
import os
import string
import subprocess
import sys
import tempfile
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from data.catalogue import Derived, Digest, Generator, load_catalogue
from data.errors import DataUnavailableError
from data.files import CACHE_DIR, copy_bytes, describe_mismatch, digest_of, new_file, write_digest
from data.generate import find_generator

Numbers = NDArray[np.int64]
Columns = dict[str, Numbers]

FIRST_YEAR = 1992
YEARS = 7
SEED_OF_CITIES = 1
SEED_OF_BRANDS = 2

# By scale factor: the sha256 of the file LISTING of a folder, which lists all of its columns.
KNOWN = {0.01: "101353455a97e7e2ee5f1efabef6983b70e206e24c897ddf5e1ef2cec10cedd6"}
LISTING = "columns.sha256"

# What the 13 queries read, in the order of make_tables_file()'s file.
COLUMNS_OF_QUERIES = (
    *("lo_orderdate", "lo_quantity", "lo_discount", "lo_extendedprice", "lo_custkey", "lo_partkey"),
    *("lo_suppkey", "lo_revenue", "lo_supplycost"),
    *("d_datekey", "d_year", "d_yearmonthnum", "d_weeknuminyear"),
    *("c_custkey", "c_city", "c_nation", "c_region", "s_suppkey", "s_city", "s_nation", "s_region"),
    *("p_partkey", "p_mfgr", "p_category", "p_brand1"),
)
VALUE_BYTES = 4
# The file's first line and each column begin at a multiple of so many bytes.
ALIGNMENT = 64

# Rows of the fact table that one process has in memory, roughly.
ROWS_OF_PART = 2_000_000
ROWS_OF_SCALE_1 = 6_000_000

# All that is no digit of a number: of dates, of decimals with two digits and of "Brand#23".
NO_DIGITS = (string.ascii_letters + "#-.").encode()
TO_SPACES = bytes.maketrans(b"|\n", b"  ")


def row_counts(scale_factor: float) -> dict[str, int]:
    """Rows of SSB's tables of customers, suppliers and parts."""
    doublings = max(int(scale_factor), 1).bit_length() - 1
    return {
        "customer": max(round(30_000 * scale_factor), 1),
        "supplier": max(round(2_000 * scale_factor), 1),
        "part": max(round(200_000 * min(scale_factor, 1.0)), 1) * (1 + doublings),
    }


def random_below(limit: int, seed: int, keys: Numbers) -> Numbers:
    """A number from 0 to `limit` - 1 for each key, the same wherever it is asked for (SplitMix64)."""
    state = keys.astype(np.uint64) + np.uint64(seed << 40)
    state = state * np.uint64(0x9E3779B97F4A7C15)
    state = (state ^ (state >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    state = (state ^ (state >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return ((state ^ (state >> np.uint64(31))) % np.uint64(limit)).astype(np.int64)


def generator() -> Generator:
    """The generator of TPC-H-derived data, in the version that the catalogue pins."""
    source = load_catalogue()["tpch/l_comment"].source
    assert isinstance(source, Generator)
    return source


def read_table(
    program: str, scale_factor: float, table: str, fields: list[int], parts: int = 1, part: int = 1
) -> list[Numbers]:
    """The digits of fields, which count from 1 and rise, as numbers: 1996-03-13 is 19960313, 0.04 is 4."""
    command = [
        *(program, "tbl", "--scale-factor", f"{scale_factor:g}", "--tables", table, "--parts", str(parts)),
        *("--part", str(part), "--num-threads", "1", "--stdout", "--quiet"),
    ]
    made = subprocess.Popen(command, stdout=subprocess.PIPE)
    cut = subprocess.run(
        ["cut", "-d|", "-f" + ",".join(map(str, fields))],
        stdin=made.stdout,
        stdout=subprocess.PIPE,
        env={**os.environ, "LC_ALL": "C"},
        check=False,
    )
    assert made.stdout is not None
    made.stdout.close()
    if made.wait() != 0 or cut.returncode != 0:
        raise DataUnavailableError(f"{program}: table {table} could not be made")
    text = cut.stdout.translate(TO_SPACES, NO_DIGITS).decode()
    rows = np.fromstring(text, dtype=np.int64, sep=" ").reshape(-1, len(fields))
    return [np.ascontiguousarray(column) for column in rows.T]


def dates() -> Columns:
    """The table of dates, without its strings."""
    days = np.arange(f"{FIRST_YEAR}-01-01", f"{FIRST_YEAR + YEARS}-01-01", dtype="datetime64[D]")
    years = days.astype("datetime64[Y]")
    months = days.astype("datetime64[M]")
    year = years.astype(np.int64) + 1970
    month = months.astype(np.int64) % 12 + 1
    day_of_year = (days - years).astype(np.int64) + 1
    return {
        "d_datekey": year * 10_000 + month * 100 + (days - months).astype(np.int64) + 1,
        "d_year": year,
        "d_yearmonthnum": year * 100 + month,
        "d_weeknuminyear": day_of_year // 7 + 1,
    }


def places(prefix: str, key: str, nation: Numbers, region_of_nation: Numbers, seed: int) -> Columns:
    """The table of customers or suppliers, of which row i has the nation `nation[i]`."""
    keys = np.arange(1, len(nation) + 1, dtype=np.int64)
    return {
        key: keys,
        f"{prefix}_city": nation * 10 + random_below(10, seed, keys),
        f"{prefix}_nation": nation,
        f"{prefix}_region": region_of_nation[nation],
    }


def parts_table(brand: Numbers) -> Columns:
    """The table of parts. `brand`: TPC-H's, 11 to 55, whose digits are SSB's manufacturer and category."""
    keys = np.arange(1, len(brand) + 1, dtype=np.int64)
    manufacturer = brand // 10 - 1
    category = manufacturer * 5 + brand % 10 - 1
    return {
        "p_partkey": keys,
        "p_mfgr": manufacturer,
        "p_category": category,
        "p_brand1": category * 40 + random_below(40, SEED_OF_BRANDS, keys),
    }


def dimension_tables(program: str, scale_factor: float) -> Columns:
    """All columns but those of the fact table."""
    counts = row_counts(scale_factor)
    _, region = read_table(program, scale_factor, "nation", [1, 3])
    columns = dates()
    for number, (prefix, key, table) in enumerate(
        (("c", "c_custkey", "customer"), ("s", "s_suppkey", "supplier"))
    ):
        _, nation = read_table(program, scale_factor, table, [1, 4])
        columns |= places(prefix, key, nation[: counts[table]], region, SEED_OF_CITIES + 16 * number)
    _, brand = read_table(program, scale_factor, "part", [1, 4])
    return columns | parts_table(brand[: counts["part"]])


def orders_of(keys: Numbers, program: str, scale_factor: float, parts: int, part: int) -> list[Numbers]:
    """Keys, customers, total prices and dates of the orders of a part, and of parts next to it that `keys`,
    which rise, reach into: the generator splits lineitem by an estimate of its number of rows."""
    fields = [1, 2, 4, 5]
    orders = read_table(program, scale_factor, "orders", fields, parts, part)
    pieces = [orders]
    if part > 1 and len(keys) and keys[0] < orders[0][0]:
        pieces.insert(0, read_table(program, scale_factor, "orders", fields, parts, part - 1))
    if part < parts and len(keys) and keys[-1] > orders[0][-1]:
        pieces.append(read_table(program, scale_factor, "orders", fields, parts, part + 1))
    return [np.concatenate(columns) for columns in zip(*pieces, strict=True)]


def fact_table(program: str, scale_factor: float, parts: int, part: int) -> Columns:
    """Columns of part `part` (1 to `parts`) of the fact table: TPC-H's rows of orders, with their orders."""
    counts = row_counts(scale_factor)
    lines = read_table(program, scale_factor, "lineitem", [1, 2, 3, 4, 5, 6, 7, 8, 12], parts, part)
    keys, part_keys, suppliers, numbers, quantities, prices, discounts, taxes, commit_dates = lines
    orders = orders_of(keys, program, scale_factor, parts, part)
    order_keys, customers, total_prices, order_dates = orders
    order = np.searchsorted(order_keys, keys)
    if len(keys) and (keys[-1] > order_keys[-1] or not np.array_equal(order_keys[order], keys)):
        raise DataUnavailableError(
            f"part {part} of {parts} of lineitem has rows of orders of no part near it"
        )
    return {
        "lo_orderkey": keys,
        "lo_linenumber": numbers,
        "lo_custkey": (customers[order] - 1) % counts["customer"] + 1,
        "lo_partkey": (part_keys - 1) % counts["part"] + 1,
        "lo_suppkey": (suppliers - 1) % counts["supplier"] + 1,
        "lo_orderdate": order_dates[order],
        "lo_quantity": quantities,
        "lo_extendedprice": prices,
        "lo_ordtotalprice": total_prices[order],
        "lo_discount": discounts,
        "lo_revenue": prices * (100 - discounts) // 100,
        "lo_supplycost": 6 * (prices // quantities) // 10,
        "lo_tax": taxes,
        "lo_commitdate": commit_dates,
    }


def write_columns(columns: Columns, folder: Path) -> None:
    """Writes each column to the file of its name."""
    for name, values in columns.items():
        if len(values) and not 0 <= values.min() <= values.max() < 1 << 32:
            raise DataUnavailableError(f"{name}: a value has more than 32 bits")
        (folder / name).write_bytes(values.astype("<u4").tobytes())


def _write_part(program: str, scale_factor: float, parts: int, part: int, folder: Path) -> None:
    folder.mkdir()
    write_columns(fact_table(program, scale_factor, parts, part), folder)


def make_tables(scale_factor: float, destination: Path, parts: int | None = None) -> None:
    """Writes all columns to the new folder `destination`.

    The fact table is made in `parts` parts; the bytes do not depend on it. Raises DataUnavailableError and
    leaves nothing behind on any failure, such as another content than the known one.
    """
    program = find_generator(generator())
    processes = os.cpu_count() or 1
    parts = parts or max(processes, round(scale_factor * ROWS_OF_SCALE_1 / ROWS_OF_PART))
    destination.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".ssb.", dir=destination.parent) as temporary:
        whole = Path(temporary) / "whole"
        whole.mkdir()
        write_columns(dimension_tables(program, scale_factor), whole)
        folders = [Path(temporary) / f"part_{part}" for part in range(1, parts + 1)]
        with ProcessPoolExecutor(min(processes, parts)) as pool:
            jobs = [
                pool.submit(_write_part, program, scale_factor, parts, part, folder)
                for part, folder in enumerate(folders, start=1)
            ]
            for job in jobs:
                job.result()
        for name in sorted(path.name for path in folders[0].iterdir()):
            with (whole / name).open("wb") as column:
                for folder in folders:
                    with (folder / name).open("rb") as part_of_column:
                        copy_bytes(part_of_column, column)
                    (folder / name).unlink()
        names = sorted(path.name for path in whole.iterdir())
        listing = "".join(f"{digest_of(whole / name).sha256}  {name}\n" for name in names)
        (whole / LISTING).write_text(listing, encoding="utf-8")
        actual = hashlib.sha256(listing.encode()).hexdigest()
        expected = KNOWN.get(scale_factor, actual)
        if actual != expected:
            raise DataUnavailableError(f"{destination}: {LISTING} has the sha256 {actual}, not {expected}")
        whole.rename(destination)


def _padding(size: int) -> int:
    return -size % ALIGNMENT


def write_tables_file(folder: Path, path: Path) -> None:
    """Writes the columns of a folder that make_tables() has written, those that queries read, to one file.

    Its first line is JSON with the number of values of each column, by its name, followed by spaces; the
    columns are behind it in this order, each followed by zeros up to a multiple of ALIGNMENT bytes."""
    sizes = {name: (folder / name).stat().st_size for name in COLUMNS_OF_QUERIES}
    head = json.dumps({"columns": {name: size // VALUE_BYTES for name, size in sizes.items()}})
    with path.open("wb") as whole:
        whole.write(f"{head}{' ' * _padding(len(head) + 1)}\n".encode())
        for name, size in sizes.items():
            with (folder / name).open("rb") as column:
                copy_bytes(column, whole)
            whole.write(bytes(_padding(size)))


def make_tables_file(source: Derived, scale_factor: float, destination: Path) -> Digest:
    """Writes write_tables_file()'s file and returns its digest, which must be the known one if there is one.
    Raises DataUnavailableError and leaves nothing behind on any failure."""
    destination.parent.mkdir(parents=True, exist_ok=True)
    try:
        with tempfile.TemporaryDirectory(prefix=".ssb.", dir=destination.parent) as temporary:
            folder = Path(temporary) / "tables"
            make_tables(scale_factor, folder)
            with new_file(destination) as whole:
                write_tables_file(folder, whole)
                actual = digest_of(whole)
                expected = source.known.get(scale_factor, actual)
                if actual != expected:
                    raise DataUnavailableError(f"{destination}: {describe_mismatch(expected, actual)}")
    except OSError as error:
        raise DataUnavailableError(f"{destination}: {error}") from error
    return actual


def make_column_files(source: Derived, scale_factor: float, destination: Path) -> Digest:
    """Writes a column of the fact table to `destination`, its values alone, and returns its digest, which
    must be the known one if there is one. The other columns are made with it: they are left next to it, under
    their names and with their digests, unless they are there. Raises DataUnavailableError and leaves nothing
    behind on any failure."""
    assert source.column is not None
    destination.parent.mkdir(parents=True, exist_ok=True)
    try:
        with tempfile.TemporaryDirectory(prefix=".ssb.", dir=destination.parent) as temporary:
            folder = Path(temporary) / "tables"
            make_tables(scale_factor, folder)
            if not (folder / source.column).exists():
                raise DataUnavailableError(f"{destination}: there is no column {source.column}")
            actual = digest_of(folder / source.column)
            expected = source.known.get(scale_factor, actual)
            if actual != expected:
                raise DataUnavailableError(f"{destination}: {describe_mismatch(expected, actual)}")
            for column in folder.glob("lo_*"):
                path = destination.with_name(destination.name.replace(source.column, column.name, 1))
                if path == destination or not path.exists():
                    write_digest(path, digest_of(column))
                    column.replace(path)
    except OSError as error:
        raise DataUnavailableError(f"{destination}: {error}") from error
    return actual


def make_derived(source: Derived, scale_factor: float, destination: Path) -> Digest:
    """Writes the tables' file, or that of the source's column."""
    make = make_tables_file if source.column is None else make_column_files
    return make(source, scale_factor, destination)


def read_column(folder: Path, name: str) -> Numbers:
    """A column of a folder that make_tables() has written."""
    return np.fromfile(folder / name, dtype="<u4").astype(np.int64)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m data.ssb", description=__doc__)
    parser.add_argument("--scale-factor", type=float, default=0.01)
    parser.add_argument("--output", type=Path, default=CACHE_DIR)
    options = parser.parse_args()
    folder = options.output / f"ssb_sf{options.scale_factor:g}"
    try:
        if not folder.exists():
            make_tables(options.scale_factor, folder)
    except DataUnavailableError as error:
        print(f"data.ssb: {error}", file=sys.stderr)
        return 1
    print(folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
