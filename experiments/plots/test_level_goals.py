import pytest

from experiments.made_up_results import levels_rows, made_up_result
from experiments.plots.beyond_levels import TARGET, by_dataset
from experiments.plots.level_goals import check_goals

CITY = {"dataset": "dbtext/city"}


def goals(rows: list[dict]) -> str:
    return "\n".join(check_goals(by_dataset(made_up_result(TARGET, rows))))


@pytest.mark.parametrize(
    ("seconds", "sentence"),
    [
        (
            0.05,
            "level 3, 8 bits in blocks, optimal parse (dbtext/city): 50 ms (at most 50 ms)",
        ),
        (0.051, "Goal not reached: slowest training of a table at level 3"),
    ],
)
def test_a_bound_on_time_is_the_largest_that_is_reached(seconds: float, sentence: str) -> None:
    # Of two tables.
    changes = {"training_seconds": {"median": 2 * seconds}, "trained_tables": 2, **CITY}
    assert sentence in goals(levels_rows({("blocks", 8, "optimal", 3): 1.0}, **changes))


@pytest.mark.parametrize(("code_bytes", "outcome"), [(1_200_000, "not reached"), (900_000, "reached")])
def test_a_bound_on_a_ratio_is_the_smallest_that_is_reached(code_bytes: int, outcome: str) -> None:
    rows = levels_rows({("tiles", 12, "optimal", 9): 1.0}, held_out_code_bytes=code_bytes)
    assert f"Goal {outcome}: codes alone of held-out l_comment at level 9, 12 bits in tiles" in goals(rows)


@pytest.mark.parametrize(("ratio", "outcome"), [(2.19, "not reached"), (2.2, "reached")])
def test_the_gain_is_that_over_level_1_on_dbtext(ratio: float, outcome: str) -> None:
    first = levels_rows(
        {("blocks", 8, "greedy", 1): 1.0}, held_out_bytes=2_000_000, held_out_code_bytes=1_000_000, **CITY
    )
    bytes_now = {"held_out_bytes": round(ratio * 1_000_000), "held_out_code_bytes": 1_000_000}
    last = levels_rows({("blocks", 8, "optimal", 9): 1.0}, **bytes_now, **CITY)
    assert f"Goal {outcome}: held-out ratio of DBText at level 9 over level 1" in goals([*first, *last])


def test_a_text_that_grows_with_the_level_is_named() -> None:
    def blocks(level: int, parse: str, ratio: float) -> dict:
        (row,) = levels_rows({("blocks", 8, parse, level): 1.0}, ratio=ratio, **CITY)
        return row

    smaller = [blocks(1, "greedy", 2.0), blocks(2, "optimal", 2.0), blocks(3, "optimal", 2.1)]
    compared = "no text is larger at a higher level than at a lower, in either parse: 8 bits in blocks at"
    assert f"{compared} levels 1, 2, 3." in goals(smaller)
    larger = [blocks(1, "greedy", 2.0), blocks(2, "optimal", 1.9)]
    assert "larger at a higher level than at a lower: dbtext/city (blocks, 8 bits" in goals(larger)


def test_training_counts_for_both_parses() -> None:
    slow = {"training_seconds": {"median": 0.06}, "trained_tables": 1}
    rows = levels_rows({("tiles", 8, "greedy", 3): 1.0}, **slow, **CITY)
    assert "Goal not reached: slowest training of a table at level 3, 8 bits in tiles, greedy parse" in goals(
        rows
    )


@pytest.mark.parametrize(("seconds", "outcome"), [(0.01, "reached"), (1000.0, "not reached")])
def test_columns_must_encode_fast_too_and_the_slowest_is_named(seconds: float, outcome: str) -> None:
    fast = levels_rows({("tiles", 12, "optimal", 9): 1.0}, dataset="dbtext/hex")
    rows = levels_rows({("tiles", 12, "optimal", 3): 1.0}, encoding_seconds={"median": seconds}, **CITY)
    rows[0]["uncompressed_bytes"] = fast[0]["uncompressed_bytes"] = 100_000_000
    fast[0]["encoding_seconds"] = {"median": 0.001}
    text = goals([*fast, *rows])
    assert f"Goal {outcome}: slowest encoding of DBText with the optimal parse, 12 bits in tiles" in text
    assert "12 bits in tiles (dbtext/city)" in text
