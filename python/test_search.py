"""Searches of frames and columns, held against Python, GNU's rules of matching, Arrow compute and DuckDB.

The environment variable GSST_DATA_DIR names a folder whose files of dbtext/ are searched too.
"""

import os
import random
import re
from collections.abc import Callable
from pathlib import Path

import duckdb
import gsst
import pyarrow as pa
import pyarrow.compute as pc
import pytest

REAL_COLUMNS = ("l_comment", "urls2", "japanese", "genome")
REAL_ROWS = 20_000
# Those of TPC-H that name text, without their other conditions.
TPC_H = (
    *("%green%", "forest%", "PROMO%", "%special%requests%", "%Customer%Complaints%", "MEDIUM POLISHED%"),
    *("%BRASS", "%pending%accounts%"),
)


def generated_rows() -> list[str | None]:
    """Comments of TPC-H's words, with nulls, empty ones, and letters whose cases Unicode knows alone."""
    chosen = random.Random(13)
    words = [
        "special",
        "pending",
        "unusual",
        "express",
        "requests",
        "packages",
        "accounts",
        "deposits",
        "foxes",
    ]
    words += ["Customer", "Complaints", "green", "forest", "PROMO", "BRASS", "Ärger", "ärger", "\u017fpecial"]
    words += ["\u212aiste", "a.b", "50%", "snake_case", "\\", "line\nbreak", "\0", "\u2603"]
    rows: list[str | None] = [" ".join(chosen.choices(words, k=chosen.randint(1, 9))) for _ in range(30_000)]
    for row in chosen.sample(range(len(rows)), 900):
        rows[row] = None
    for row in chosen.sample(range(len(rows)), 900):
        rows[row] = ""
    rows[11] = "special requests " * 20_000
    return rows


def real_rows(name: str) -> list[str]:
    text = (Path(os.environ["GSST_DATA_DIR"]) / "dbtext" / name).read_bytes()
    return text.decode("utf-8", "ignore").split("\n")[:REAL_ROWS]


def has_data() -> bool:
    return "GSST_DATA_DIR" in os.environ


@pytest.fixture(scope="module", params=["generated", *REAL_COLUMNS])
def rows(request: pytest.FixtureRequest) -> pa.Array:
    if request.param == "generated":
        return pa.array(generated_rows())
    if not has_data():
        pytest.skip("GSST_DATA_DIR names no data")
    return pa.array(real_rows(request.param))


@pytest.fixture(scope="module", params=["tiles", "splits"])
def column(request: pytest.FixtureRequest, rows: pa.Array) -> gsst.Column:
    """In parts of several blocks."""
    half = len(rows) // 2
    parts = [
        gsst.compress_column(part, format=request.param, block_bytes=100_000)
        for part in (rows[:half], rows[half:])
    ]
    return gsst.Column(b"".join(parts), threads=2)


def patterns_of(rows: pa.Array, count: int) -> list[str]:
    """Pieces of rows, and such with letters of the other case."""
    chosen = random.Random(7)
    texts = [text for text in rows.to_pylist() if text]
    found = []
    while len(found) < count:
        text = chosen.choice(texts)
        begin = chosen.randrange(len(text))
        piece = text[begin : begin + chosen.randint(1, 12)]
        found.append(piece if chosen.random() < 0.8 else piece.swapcase())
    return found


NAMES = ("match_substring", "starts_with", "ends_with")


@pytest.mark.parametrize("ignore_case", [False, True])
@pytest.mark.parametrize("name", NAMES)
def test_matches_are_those_of_arrow(
    name: str, ignore_case: bool, rows: pa.Array, column: gsst.Column
) -> None:
    for pattern in ["", *patterns_of(rows, 15), "special", "kiste", "ÄRGER"]:
        found = getattr(column, name)(pattern, ignore_case=ignore_case)
        expected = getattr(pc, name)(rows, pattern, ignore_case=ignore_case)
        assert found.equals(expected), pattern


@pytest.mark.parametrize("ignore_case", [False, True])
def test_like_is_that_of_arrow(ignore_case: bool, rows: pa.Array, column: gsst.Column) -> None:
    chosen = random.Random(3)
    patterns = [*TPC_H, "%", "", "_", "%_", r"%50\%%", r"%snake\_case%", "%l_ne%break%", "%\u2603_", "_rger%"]
    for pieces in zip(patterns_of(rows, 20), patterns_of(rows, 40)[20:], strict=True):
        escaped = [re.sub(r"([\\%_])", r"\\\1", piece) for piece in pieces]
        patterns.append(chosen.choice(["%", "", "_"]) + chosen.choice(["%", "_%"]).join(escaped) + "%")
    for pattern in patterns:
        found = column.match_like(pattern, ignore_case=ignore_case)
        assert found.equals(pc.match_like(rows, pattern, ignore_case=ignore_case)), pattern


@pytest.mark.parametrize("ignore_case", [False, True])
def test_expressions_are_those_of_arrow(ignore_case: bool, rows: pa.Array, column: gsst.Column) -> None:
    patterns = [
        "special.*requests",
        "^special",
        "requests$",
        "(green|forest|PROMO)+",
        "[a-f]{3}",
        "x*",
        "\\d{3,}",
    ]
    patterns += [
        "(?i)kiste",
        "\u00e4",
        "[Ä-Ü]",
        r"\x{212A}",
        "a.b",
        "(?s)line.break",
        "line.break",
        r"\bfox",
        r"\pL{15}",
    ]
    patterns += [re.escape(piece).replace("\\\n", "\n").replace("\0", "x") for piece in patterns_of(rows, 10)]
    for pattern in patterns:
        found = column.match_substring_regex(pattern, ignore_case=ignore_case)
        assert found.equals(pc.match_substring_regex(rows, pattern, ignore_case=ignore_case)), pattern


def test_counts_are_those_of_arrow(rows: pa.Array, column: gsst.Column) -> None:
    for pattern in [*patterns_of(rows, 15), "s", "ss"]:
        for ignore_case in (False, True):
            found = column.count_substring(pattern, ignore_case=ignore_case)
            assert found.equals(pc.count_substring(rows, pattern, ignore_case=ignore_case)), pattern


def test_equal_values_are_those_of_arrow(rows: pa.Array, column: gsst.Column) -> None:
    wanted = [rows[row].as_py() for row in range(0, len(rows), 501)]
    for value in [*wanted[:3], "no such row", ""]:
        if value is not None:
            assert column.equal(value).equals(pc.equal(rows, value))
    for values in (wanted, wanted[:2], ["x", None], ["x"], pa.array(wanted)):
        array = pa.array(values, pa.string())
        for skip_nulls in (False, True):
            found = column.is_in(values, skip_nulls=skip_nulls)
            assert found.equals(pc.is_in(rows, value_set=array, skip_nulls=skip_nulls))


def test_predicates_of_tpc_h_are_those_of_duckdb(rows: pa.Array, column: gsst.Column) -> None:
    connection = duckdb.connect()
    connection.register("packed", pa.table({"number": pa.array(range(len(rows))), "comment": rows}))
    for pattern in TPC_H:
        query = "SELECT number FROM packed WHERE comment LIKE $1"
        selected = connection.execute(query, [pattern]).fetchall()
        found = column.match_like(pattern)
        assert pc.indices_nonzero(found).to_pylist() == sorted(number for (number,) in selected)
        assert pa.array(column.filter(found)).equals(rows.filter(found))


def test_a_filter_gives_the_rows_of_a_mask(rows: pa.Array, column: gsst.Column) -> None:
    chosen = random.Random(9)
    masks: list[object] = [column.match_substring("s"), pc.match_substring(rows, "e")]
    masks += [
        pa.array([chosen.choice([True, False, None]) for _ in rows]),
        [False] * len(rows),
        [True] * len(rows),
    ]
    for mask in masks:
        kept = column.filter(mask)
        assert pa.array(kept).equals(rows.filter(pa.array(mask, pa.bool_())))
    assert list(column.filter(pa.chunked_array([masks[2][:5], masks[2][5:]]))) == list(
        column.filter(masks[2])
    )


def damaged_block(data: bytes, at: int) -> bytes:
    changed = bytearray(data)
    changed[at] ^= 0xFF
    return bytes(changed)


def test_a_filter_decodes_no_block_without_a_hit() -> None:
    rows = pa.array([f"row {number} of a comment" for number in range(20_000)])
    data = gsst.compress_column(rows, format="tiles", block_bytes=50_000)
    mask = pa.array([number < 100 for number in range(len(rows))])
    # In the codes of the last blocks, whose checksums would be wrong.
    column = gsst.Column(damaged_block(data, len(data) * 3 // 4))
    with pytest.raises(gsst.Error):
        list(column)
    assert pa.array(column.filter(mask)).equals(rows[:100])


def test_columns_of_bytes_and_large_strings() -> None:
    rows = [b"caf\xe9", None, b"CAF\xc9", b"\0\xff", b""]
    for type in (pa.binary(), pa.large_binary()):
        column = gsst.Column(gsst.compress_column(pa.array(rows, type)))
        assert column.match_substring(b"f\xe9").to_pylist() == [True, None, False, False, False]
        assert column.match_like(b"caf_", ignore_case=True).to_pylist() == [True, None, True, False, False]
        assert column.count_substring(b"\xff").type == (pa.int32() if type == pa.binary() else pa.int64())
    large = gsst.Column(gsst.compress_column(pa.array(["aa", None], pa.large_string())))
    assert large.count_substring("a").equals(pa.array([2, None], pa.int64()))


def test_wrong_arguments_are_refused() -> None:
    column = gsst.Column(gsst.compress_column(pa.array(["a", "b"])))
    for search in (
        lambda: column.count_substring(""),
        lambda: column.filter([True]),
        lambda: column.filter(pa.array([1, 0])),
        lambda: column.match_substring_regex("(a"),
        lambda: column.match_like("a\\"),
        lambda: gsst.Search("a", kind="words"),  # type: ignore[arg-type]
    ):
        refused(search)
    with pytest.raises(gsst.Error, match=r"pattern 0: byte 3: back-references \(\\1\) are not done"):
        gsst.Search("(a)\\1", kind="expression")
    with pytest.raises(gsst.Error, match="captures are not done"):
        gsst.Search("(?P<name>a)", kind="expression")
    refused(lambda: gsst.search(b"no frame", "a"))


def refused(call: Callable[[], object]) -> None:
    with pytest.raises(gsst.Error):
        call()


def lines_of(rows: list[str | None]) -> bytes:
    return "\n".join(row or "" for row in rows).encode()


def expected_in_lines(text: bytes, expression: bytes) -> list[tuple[int, int]]:
    """Where Python's expressions match, of which those here are leftmost and longest too."""
    found: list[tuple[int, int]] = []
    begin = 0
    for line in text.split(b"\n"):
        for match in re.finditer(expression, line):
            if match.end() > match.start():
                found.append((begin + match.start(), match.end() - match.start()))
        begin += len(line) + 1
    return found


@pytest.mark.parametrize("format", ["tiles", "splits", "blocks", "coalesced", "fsst"])
def test_matches_in_frames_are_where_the_text_has_them(format: gsst.Format) -> None:
    text = lines_of(generated_rows())[:1_000_000]
    frame = gsst.compress(text, format=format, block_bytes=70_000)
    kinds: list[tuple[gsst.PatternKind, str, bytes]] = [
        ("substring", "requests", b"requests"),
        ("substring", "s", b"s"),
        ("prefix", "special", b"^special"),
        ("suffix", "foxes", b"foxes$"),
        ("equals", "green", b"^green$"),
        ("like", "%special%requests%", b"^.*special.*requests.*$"),
        ("expression", "f[a-z]+s|[0-9]+%", b"f[a-z]+s|[0-9]+%"),
        ("expression", "e*", b"e*"),
    ]
    for kind, pattern, expression in kinds:
        expected = expected_in_lines(text, expression)
        search = gsst.Search(pattern, kind=kind)
        for threads in (1, 3):
            assert search.find(frame, format=format, threads=threads) == expected, pattern
        assert search.count(frame, format=format) == len(expected)
    both = [(match.start(), len(match[0])) for match in re.finditer(b"unusual express|unusual", text)]
    assert gsst.Search(["unusual", b"unusual express"]).find(frame, format=format) == both


def test_cases_in_frames() -> None:
    frame = gsst.compress("Ärger ärger ÄRGER".encode(), format="tiles")
    assert gsst.search(frame, "rger", ignore_case=True) == [(2, 4), (9, 4), (16, 4)]
    assert gsst.search(frame, "ärger", ignore_case=True) == [(7, 6)]
    assert gsst.search(frame, "ärger", ignore_case=True, utf8=True) == [(0, 6), (7, 6), (14, 6)]
