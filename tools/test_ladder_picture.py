import re
import xml.etree.ElementTree as ET

import pytest

from experiments.made_up_results import made_up_result, stages_rows, tiles_rows
from tools.ladder_picture import AXIS, TITLE, Bar, description, ladder_bars, ladder_picture

_SVG = "{http://www.w3.org/2000/svg}"


def _stage(name: str, operation: str = "decode") -> dict[str, object]:
    return {"id": name, "operation": operation}


def test_each_decoder_of_the_series_is_a_bar_and_each_of_its_levels() -> None:
    stages = made_up_result("gsst_fig_6_1", stages_rows({"01_blocks": 2.0, "02_splits": 24.0}), "h200")
    level_1 = tiles_rows({"9, 8 bits, level 1": 900.0}, level=1)
    tiles = [*tiles_rows({"10 symbol halves, 12 bits": 1500.0}, code_bits=12), *level_1]
    results = [stages, made_up_result("warp_tiles_ladder", tiles, "h200")]
    known = [
        *map(_stage, ("gsst/01_blocks", "gsst/02_splits", "gsst/03_shared_memory", "gsst/09_warp_tiles")),
        *(_stage("gsst/08_gpu_encoder", "encode"), _stage("codag/01_thread_block")),
    ]
    assert ladder_bars(known, results) == [
        Bar("01_blocks", 2.2),
        Bar("02_splits", 26.4),
        Bar("09_warp_tiles, level 1", 900.0),
        Bar("09_warp_tiles, level 9", 1500.0),
    ]


def test_other_machines_have_no_bars() -> None:
    stages = made_up_result("gsst_fig_6_1", stages_rows({"01_blocks": 2.0}), "a100")
    assert ladder_bars([_stage("gsst/01_blocks")], [stages]) == []


def test_the_picture_says_all_in_text() -> None:
    bars = [Bar("01_a", 50.0), Bar("02_b & c", 200.0)]
    root = ET.fromstring(ladder_picture(bars))
    assert [text.text for text in root.iter(f"{_SVG}text")] == ["01_a", "50", "02_b & c", "200", AXIS]
    assert root.findtext(f"{_SVG}title") == TITLE
    assert root.findtext(f"{_SVG}desc") == description(bars) == "01_a: 50; 02_b & c: 200."


def test_lengths_are_in_proportion() -> None:
    picture = ladder_picture([Bar("01_a", 50.0), Bar("02_b", 200.0)])
    short, long = map(float, re.findall(r'<rect x="[0-9]+" y="[0-9]+" width="([0-9.]+)"', picture))
    assert long == pytest.approx(4 * short)
