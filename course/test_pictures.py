"""What the pictures of the course show is computed, and the lessons' solutions say the same."""

import json
import re
from itertools import accumulate
from xml.etree import ElementTree

import pytest

from course.pictures import (
    ESCAPE,
    EXAMPLE,
    EXAMPLE_SYMBOLS,
    Bar,
    banks_of,
    bar_chart,
    dealt_position,
    decode,
    encode,
    prefix_sums,
    sectors_of,
)
from course.record_pictures import PICTURES, WIDGETS, limit_of
from course.record_text import one_row
from tools.repository import ROOT

COURSE = ROOT / "course"


def codes_of(content: bytes) -> list[int]:
    return [code for _, codes in encode(content, EXAMPLE_SYMBOLS) for code in codes]


@pytest.mark.parametrize("name", sorted(PICTURES))
def test_a_picture_is_whole_and_says_what_it_shows(name: str) -> None:
    picture = ElementTree.fromstring(PICTURES[name]("A picture of < and &."))
    assert picture.get("aria-label") == "A picture of < and &."
    _, _, width, height = map(float, str(picture.get("viewBox")).split())
    for part in picture:
        if part.tag.endswith("rect"):
            x, y, w, h = (float(str(part.get(key))) for key in ("x", "y", "width", "height"))
            assert x >= 0
            assert y >= 0
            assert x + w <= width
            assert y + h <= height


def test_the_table_of_the_lesson_is_the_picture_s() -> None:
    page = (COURSE / "01_fsst.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (\d) \| `(.+)` \| (\d) \|$", page, re.M)
    assert [(int(code), symbol.replace("␣", " "), int(length)) for code, symbol, length in rows] == [
        (code, symbol.decode(), len(symbol)) for code, symbol in enumerate(EXAMPLE_SYMBOLS)
    ]


@pytest.mark.parametrize("content", [EXAMPLE, b"at the rear", b"", b"\xff\x00"])
def test_codes_decode_to_the_text(content: bytes) -> None:
    assert decode(codes_of(content), EXAMPLE_SYMBOLS) == content


def test_solutions_of_the_lesson_on_fsst() -> None:
    page = (COURSE / "01_fsst.md").read_text(encoding="utf-8")
    assert codes_of(b"at the rear") == [3, 4, ESCAPE, 32, 2, 0, 3, ESCAPE, 114]
    assert "3, 4, 255 32, 2, 0, 3, 255 114: nine bytes for eleven" in page
    assert codes_of(EXAMPLE)[-2:] == [ESCAPE, ord("!")]


def test_sectors_are_those_of_the_page_on_tracing() -> None:
    lanes = range(32)
    assert len(sectors_of([4 * lane for lane in lanes], 4)) == 4
    assert len(sectors_of([16 + 4 * lane for lane in lanes], 4)) == 5
    assert len(sectors_of([16 * lane for lane in lanes], 16)) == 16
    assert len(sectors_of(list(lanes), 1)) == 1
    assert len(sectors_of([32 * lane for lane in lanes], 1)) == 32


def test_banks_of_the_lesson_on_shared_memory() -> None:
    shared = banks_of(80)
    (with_lane_5,) = [lanes for lanes in shared if 5 in lanes]
    assert with_lane_5 == [5, 13, 21, 29]
    assert shared.index(with_lane_5) == 4
    assert {len(lanes) for lanes in banks_of(84)} == {1}


def test_dealing_of_the_lesson_on_coalescing() -> None:
    assert [dealt_position(1, code, 4) for code in range(3)] == [1, 5, 9]


def test_prefix_sums_of_the_lesson_on_warp_tiles() -> None:
    values = [3, 1, 4, 1, 5, 2, 6, 5]
    page = (COURSE / "09_warp_tiles.md").read_text(encoding="utf-8")
    rows = prefix_sums(values)
    assert rows[-1] == list(accumulate(values))
    for distance, row in zip((1, 2, 4), rows[1:], strict=True):
        assert f"distance {distance}: {', '.join(map(str, row))}." in page


def test_the_limit_is_the_recorded_one() -> None:
    row = one_row("h200/gsst_fig_6_1[stage=gsst/07_tuned, policy=best]")
    assert limit_of(row["streaming_limit_moved_gb_per_s"], row["ratio"]) == pytest.approx(
        row["streaming_limit_gb_per_s"], rel=0.01
    )


def test_bars_are_as_long_as_their_numbers() -> None:
    chart = ElementTree.fromstring(bar_chart([Bar("a", 10), Bar("b", 40)], "GB/s", "Two."))
    first, second = (float(str(part.get("width"))) for part in chart if part.tag.endswith("rect"))
    assert second == pytest.approx(4 * first)
    assert "a: 10 GB/s; b: 40 GB/s" in str(chart.get("aria-label"))


def test_every_row_of_the_sweep_is_in_the_sliders() -> None:
    record, data = WIDGETS["occupancy"]()
    assert record == "h200/gsst_tuning"
    assert data.count("],[") + 1 == 720


@pytest.mark.parametrize("name", ["layouts", "tile_layouts"])
def test_the_layouts_have_splits_of_equal_length(name: str) -> None:
    record, data = WIDGETS[name]()
    assert record is None
    layouts = json.loads(data)
    assert all(layouts["codes"] % splits == 0 for splits in layouts["splits"])
