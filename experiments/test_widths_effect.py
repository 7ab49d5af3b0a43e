"""The widths of codes on columns, on the stage's page and in the figure."""

from pathlib import Path

import pytest

from experiments.made_up_results import figure_input, made_up_result, tile_widths_rows
from experiments.plots import style, warp_tiles_widths
from experiments.results import write_result
from experiments.widths_effect import WIDTHS_TARGET, widths_section

STAGE = "gsst/09_warp_tiles"
ROWS = tile_widths_rows({("wiki", "8 bits"): 2000.0, ("wiki", "12 bits"): 1600.0, ("uuid", "8 bits"): 2500.0})


def test_every_width_of_a_column_stands_on_the_page_of_the_stage(tmp_path: Path) -> None:
    result = made_up_result(WIDTHS_TARGET, ROWS, gpu="Made-up GPU")
    folder = tmp_path / "recorded"
    write_result(result, folder / "h200" / f"{WIDTHS_TARGET}.json")
    text = widths_section(STAGE, folder)
    assert text.startswith("**What the width of codes gives on H200** (Made-up GPU, columns of DBText, each ")
    assert "tiled to 1 GB, 2026-01-02, commit 012345678901)." in text
    assert text.splitlines()[4:] == [
        "| wiki | 8 bits | 2000 | 80.0 % | 333.333 |",
        "| wiki | 12 bits | 1600 | 80.0 % | 333.333 |",
        "| uuid | 8 bits | 2500 | 80.0 % | 333.333 |",
    ]
    assert widths_section("gsst/07_tuned", folder) == ""
    assert widths_section(STAGE, tmp_path / "empty") == ""


def test_the_bars_of_a_column_stand_together() -> None:
    style.apply()
    output = warp_tiles_widths.draw(figure_input(WIDTHS_TARGET, ROWS))
    (axes,) = output.figure.axes
    names = [label.get_text() for label in axes.get_yticklabels()]
    assert names == ["wiki, 8 bits", "wiki, 12 bits", "uuid, 8 bits"]
    places = [bar.get_y() for bar in axes.patches]
    assert places[1] - places[0] == pytest.approx(1)
    assert places[2] - places[1] == pytest.approx(1 + warp_tiles_widths.GAP)
    colors = [bar.get_facecolor() for bar in axes.patches]
    assert colors[0] == colors[2] != colors[1]
    assert [text.get_text() for text in axes.texts][1] == "1600, 80%, 333.33"
    assert list(output.table["share_of_limit"]) == pytest.approx([0.8] * 3)
