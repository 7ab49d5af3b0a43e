"""Ratios of the DBText columns as they are, and what the figure of the columns says of them."""

import pytest

from experiments.made_up_results import columns_rows, figure_input
from experiments.own_sizes import own_ratios
from experiments.plots import beyond_columns


def test_every_column_has_the_ratio_of_its_best_width() -> None:
    ratios = own_ratios()
    assert len(ratios) == 20
    city = ratios["city"]
    assert city.uncompressed_bytes == 133_839
    assert 1 < city.level_1 < city.tiles < 4
    assert city.code_bits in (8, 10, 12)


def test_the_figure_shows_tiles_of_the_column_itself_beside_the_repeated_ones() -> None:
    stages = ("07_tuned", "09_warp_tiles")
    rows = columns_rows({(column, name): 300.0 for column in ("city", "hex") for name in stages})
    for line in rows:
        line["ratio"] = 3.0 if line["stage"] == "gsst/09_warp_tiles" else 2.0
    rows[0]["ratio"] = 3.5
    output = beyond_columns.draw(figure_input("beyond_columns", rows))
    own = own_ratios()
    hollow = output.figure.axes[0].lines[-2]
    assert list(hollow.get_xdata()) == pytest.approx([own["city"].tiles, own["hex"].tiles])
    table = output.table[output.table["series"] == beyond_columns.ONCE]
    assert set(table["uncompressed_bytes"]) == {133_839, own["hex"].uncompressed_bytes}
    notes = "\n".join(output.notes)
    assert "Repeated, 1 of 2 columns are smallest in tiles (not city)." in notes
    assert "of 2 columns are smaller than in a block with FSST's way of training" in notes
    most = max(3 / own[column].tiles - 1 for column in ("city", "hex"))
    assert f"by {100 * most:.0f} % at most (hex)" in notes
