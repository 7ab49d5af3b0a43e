"""The figure of the widths of codes on columns."""

import pytest

from experiments.made_up_results import figure_input, tile_widths_rows
from experiments.plots import style, warp_tiles_widths

ROWS = tile_widths_rows({("wiki", "8 bits"): 2000.0, ("wiki", "12 bits"): 1600.0, ("uuid", "8 bits"): 2500.0})


def test_the_bars_of_a_column_stand_together() -> None:
    style.apply()
    output = warp_tiles_widths.draw(figure_input("warp_tiles_widths", ROWS))
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
