"""The 13 queries of the Star Schema Benchmark as SQL, and the strings that codes of data/ssb.py stand for."""

from pathlib import Path

import pandas as pd

from data.ssb import read_column

REGIONS = ["AFRICA", "AMERICA", "ASIA", "EUROPE", "MIDDLE EAST"]
NATIONS = [
    *("ALGERIA", "ARGENTINA", "BRAZIL", "CANADA", "EGYPT", "ETHIOPIA", "FRANCE", "GERMANY", "INDIA"),
    *(
        "INDONESIA",
        "IRAN",
        "IRAQ",
        "JAPAN",
        "JORDAN",
        "KENYA",
        "MOROCCO",
        "MOZAMBIQUE",
        "PERU",
        "CHINA",
        "ROMANIA",
    ),
    *("SAUDI ARABIA", "VIETNAM", "RUSSIA", "UNITED KINGDOM", "UNITED STATES"),
]
CITIES = [f"{nation[:9]:9}{digit}" for nation in NATIONS for digit in range(10)]
MANUFACTURERS = [f"MFGR#{number}" for number in range(1, 6)]
CATEGORIES = [f"{manufacturer}{number}" for manufacturer in MANUFACTURERS for number in range(1, 6)]
BRANDS = [f"{category}{number}" for category in CATEGORIES for number in range(1, 41)]
MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

# Columns of strings: what each code stands for.
STRINGS = {
    **{"c_region": REGIONS, "c_nation": NATIONS, "c_city": CITIES},
    **{"s_region": REGIONS, "s_nation": NATIONS, "s_city": CITIES},
    **{"p_mfgr": MANUFACTURERS, "p_category": CATEGORIES, "p_brand1": BRANDS},
}
TABLES = {"c": "customer", "s": "supplier", "p": "part", "d": "dates", "lo": "lineorder"}

_DISCOUNT = (
    "select sum(lo_extendedprice * lo_discount) from lineorder, dates where lo_orderdate = d_datekey and d_{}"
)
_BRANDS = (
    "select d_year, p_brand1, sum(lo_revenue) from lineorder, dates, part, supplier"
    " where lo_orderdate = d_datekey and lo_partkey = p_partkey and lo_suppkey = s_suppkey and {}"
    " group by d_year, p_brand1"
)
_PLACES = (
    "select c_{0}, s_{0}, d_year, sum(lo_revenue) from customer, lineorder, supplier, dates"
    " where lo_custkey = c_custkey and lo_suppkey = s_suppkey and lo_orderdate = d_datekey and {1}"
    " group by c_{0}, s_{0}, d_year"
)
_PROFIT = (
    "select {0}, sum(lo_revenue - lo_supplycost) from dates, customer, supplier, part, lineorder"
    " where lo_custkey = c_custkey and lo_suppkey = s_suppkey and lo_partkey = p_partkey"
    " and lo_orderdate = d_datekey and {1} group by {0}"
)
_QUANTITY = "lo_quantity between 26 and 35"
_YEARS = "d_year >= 1992 and d_year <= 1997"
_TWO_CITIES = (
    "(c_city = 'UNITED KI1' or c_city = 'UNITED KI5') and (s_city = 'UNITED KI1' or s_city = 'UNITED KI5')"
)
_MANUFACTURERS = "c_region = 'AMERICA' and s_region = 'AMERICA' and (p_mfgr = 'MFGR#1' or p_mfgr = 'MFGR#2')"
_TWO_YEARS = "(d_year = 1997 or d_year = 1998)"

# A query, and the columns that it groups by, in the order of the stage's numbers of groups.
QUERIES: dict[str, tuple[str, tuple[str, ...]]] = {
    "q1.1": (_DISCOUNT.format("year = 1993 and lo_discount between 1 and 3 and lo_quantity < 25"), ()),
    "q1.2": (_DISCOUNT.format(f"yearmonthnum = 199401 and lo_discount between 4 and 6 and {_QUANTITY}"), ()),
    "q1.3": (
        _DISCOUNT.format(
            f"weeknuminyear = 6 and d_year = 1994 and lo_discount between 5 and 7 and {_QUANTITY}"
        ),
        (),
    ),
    "q2.1": (_BRANDS.format("p_category = 'MFGR#12' and s_region = 'AMERICA'"), ("d_year", "p_brand1")),
    "q2.2": (
        _BRANDS.format("p_brand1 between 'MFGR#2221' and 'MFGR#2228' and s_region = 'ASIA'"),
        ("d_year", "p_brand1"),
    ),
    "q2.3": (_BRANDS.format("p_brand1 = 'MFGR#2239' and s_region = 'EUROPE'"), ("d_year", "p_brand1")),
    "q3.1": (
        _PLACES.format("nation", f"c_region = 'ASIA' and s_region = 'ASIA' and {_YEARS}"),
        ("c_nation", "s_nation", "d_year"),
    ),
    "q3.2": (
        _PLACES.format("city", f"c_nation = 'UNITED STATES' and s_nation = 'UNITED STATES' and {_YEARS}"),
        ("c_city", "s_city", "d_year"),
    ),
    "q3.3": (_PLACES.format("city", f"{_TWO_CITIES} and {_YEARS}"), ("c_city", "s_city", "d_year")),
    "q3.4": (
        _PLACES.format("city", f"{_TWO_CITIES} and d_yearmonth = 'Dec1997'"),
        ("c_city", "s_city", "d_year"),
    ),
    "q4.1": (_PROFIT.format("d_year, c_nation", _MANUFACTURERS), ("d_year", "c_nation")),
    "q4.2": (
        _PROFIT.format("d_year, s_nation, p_category", f"{_MANUFACTURERS} and {_TWO_YEARS}"),
        ("d_year", "s_nation", "p_category"),
    ),
    "q4.3": (
        _PROFIT.format(
            "d_year, s_city, p_brand1",
            "c_region = 'AMERICA' and s_nation = 'UNITED STATES' and p_category = 'MFGR#14' and "
            + _TWO_YEARS,
        ),
        ("d_year", "s_city", "p_brand1"),
    ),
}


def read_tables(folder: Path) -> dict[str, pd.DataFrame]:
    """The tables of a folder of columns, with strings in place of codes."""
    tables: dict[str, dict[str, object]] = {name: {} for name in TABLES.values()}
    for path in sorted(folder.iterdir()):
        prefix = path.name.partition("_")[0]
        if prefix not in TABLES:
            continue
        values = read_column(folder, path.name)
        strings = STRINGS.get(path.name)
        column = values if strings is None else [strings[code] for code in values]
        tables[TABLES[prefix]][path.name] = column
        if path.name == "d_yearmonthnum":
            tables["dates"]["d_yearmonth"] = [f"{MONTHS[m % 100 - 1]}{m // 100}" for m in values]
    return {name: pd.DataFrame(columns) for name, columns in tables.items()}


def group_number(keys: tuple[object, ...], columns: tuple[str, ...]) -> int:
    """The number that the stage gives to a group of these keys."""
    number = 0
    for key, column in zip(keys, columns, strict=True):
        if column == "d_year":
            number = number * 7 + int(str(key)) - 1992
        else:
            strings = STRINGS[column]
            number = number * len(strings) + strings.index(str(key))
    return number
