"""The goals of the decoder of tiles beside made-up records."""

from pathlib import Path

import pytest

from experiments.made_up_results import columns_rows, made_up_result, sizes_rows, tiles_rows
from experiments.results import write_result
from experiments.tile_goals import STAGE, goals_section

TILES = {"code_bits": 8, "codes_per_lane": 32, "level": 9, "parse": "greedy"}


def section(folder: Path, target: str, rows: list[dict]) -> str:
    write_result(made_up_result(target, rows), folder / "h200" / f"{target}.json")
    return goals_section(STAGE, folder)


@pytest.mark.parametrize(("limit", "text"), [(1020.0, "98.0 % | 98.0 % (step 1) | yes"), (1100.0, "**no**")])
def test_the_step_nearest_to_the_limit_is_held_to_the_goal(limit: float, text: str, tmp_path: Path) -> None:
    rows = tiles_rows({"1 tiles": 1000.0, "9 one front": 900.0})
    for row in rows:
        row["streaming_limit_gb_per_s"] = limit
    line = next(
        line
        for line in section(tmp_path, "warp_tiles_ladder", rows).splitlines()
        if line.startswith("| l_comment, 8 bits, greedy parse: of the streaming limit")
    )
    assert text in line


def test_another_choice_than_the_stage_s_is_held_to_no_goal(tmp_path: Path) -> None:
    rows = tiles_rows({"1 tiles": 1000.0}) + tiles_rows({"1, level 1": 1000.0}, level=1)
    rows[1] |= {"streaming_limit_gb_per_s": 1000.0, "ratio": 9.0}
    text = section(tmp_path, "warp_tiles_ladder", rows)
    assert "of the streaming limit | 98.0 % | 50.0 % (step 1) | **no**" in text
    assert "9.000" not in text


def test_columns_below_a_bound_are_named(tmp_path: Path) -> None:
    columns = {"city": 2500.0, "wiki": 1900.0, "hex": 2100.0}
    rows = columns_rows({(name, "09_warp_tiles"): value for name, value in columns.items()})
    rows += columns_rows({(name, "07_tuned"): 400.0 for name in columns})
    for row, limit in zip(rows, (2600.0, 2500.0, 2200.0, *[3000.0] * 3), strict=True):
        row |= {"streaming_limit_gb_per_s": limit, "ratio": 2.0 if "07" in row["stage"] else 2.5}
        row |= {"tiles": TILES} if "09" in row["stage"] else {}
    rows[0]["ratio"] = 1.5
    text = section(tmp_path, "beyond_columns", rows)
    assert "76.0 % (wiki; 2 of 3 columns; below: wiki) | **no** | -9.0 points" in text
    assert "1900 GB/s (wiki; 2 of 3 columns; below: wiki) | **no** | -5.0 %" in text
    assert "more than 2.000 (city) | 1.500 (city; 2 of 3 columns; not: city) | **no** | -25.0 %" in text
    assert "DBText, each column once" in text


def test_small_sizes_are_those_nearest_to_the_goal_s(tmp_path: Path) -> None:
    seconds = {(1, 10**6): 30.0, (2, 10**6): 40.0, (1, 10**8): 62.0, (1, 3 * 10**8): 125.0, (1, 10**9): 400.0}
    rows = sizes_rows(
        {("09_warp_tiles", blocks, size): size / 1e3 / us for (blocks, size), us in seconds.items()}
    )
    for row in rows:
        # Moves 1 MB in 10 microseconds at first, then 100 MB in 40.
        limit = {10**6: 100.0, 10**8: 2500.0}.get(row["uncompressed_bytes"], 3000.0)
        row |= {"streaming_limit_gb_per_s": limit, "tiles": TILES}
    text = section(tmp_path, "beyond_sizes", rows)
    assert "80.0 % (300 MB, the nearest size recorded) | **no** | -13.0 points" in text
    assert "as far as it goes | 64.5 % (100 MB, the nearest size recorded) | - | - |" in text
    assert "From 1 MB to 300 MB a call takes 20 (1 MB) to 25 (300 MB) microseconds" in text
    assert "CUDA graph" not in text


def test_what_the_host_takes_of_small_sizes_follows_from_the_times_of_graphs(tmp_path: Path) -> None:
    rows = []
    for size, us, of_host in ((10**6, 30.0, 12e-6), (10**8, 62.0, 14e-6), (10**9, 400.0, 99e-6)):
        rows += sizes_rows({("09_warp_tiles", 1, size): size / 1e3 / us}, 8, of_host)
    assert "the same calls take 12 to 14 microseconds less" in section(tmp_path, "beyond_sizes", rows)
    rows[1]["graph_seconds"]["median"] -= 2e-6
    assert "the same calls take 12 to 16 microseconds less" in section(tmp_path, "beyond_sizes", rows)
    del rows[0]["graph_seconds"]
    assert "CUDA graph" not in section(tmp_path, "beyond_sizes", rows)


def test_a_goal_s_own_size_is_taken_with_every_width_of_codes(tmp_path: Path) -> None:
    sizes = {256 << 20: 2000.0, 300_000_000: 2700.0}
    rows = [
        row | {"streaming_limit_gb_per_s": limit}
        for code_bits, limit in ((12, 2500.0), (8, 2100.0))
        for row in sizes_rows({("09_warp_tiles", 1, size): value for size, value in sizes.items()}, code_bits)
    ]
    lines = section(tmp_path, "beyond_sizes", rows).splitlines()
    what = "| l_comment, 256 MiB, {} bits: of the streaming limit | 93.0 % | {} |"
    assert what.format(8, "95.2 % | yes | +2.2 points") in lines
    assert what.format(12, "80.0 % | **no** | -13.0 points") in lines
    assert any("64 MiB, 12 bits" in line and "80.0 % (268 MB, the nearest" in line for line in lines)


def test_other_stages_and_no_records_have_no_goals(tmp_path: Path) -> None:
    assert goals_section("gsst/07_tuned") == ""
    assert goals_section(STAGE, tmp_path) == ""
