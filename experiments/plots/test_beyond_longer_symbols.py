"""Tests of the figure of longer symbols: which data sets are drawn by themselves."""

from experiments.made_up_results import figure_input, lengths_rows
from experiments.plots.beyond_longer_symbols import DBTEXT, MEAN, TARGET, draw


def test_a_text_of_any_size_is_not_one_of_the_other_columns() -> None:
    ratios = {
        "tpch/l_comment_sf1.2_first_33554432_bytes": 4.0,
        "dbtext/ps_comment": 5.0,
        "dbtext/city": 2.0,
        "dbtext/l_comment": 8.0,
    }
    rows = lengths_rows({(name, "study", 8): ratio for name, ratio in ratios.items()})
    table = draw(figure_input(TARGET, rows)).table
    means = table[table["dataset"] == MEAN]
    drawn = dict(zip(means["series"], means["ratio"].round(6), strict=True))
    assert drawn == {"l_comment": 4.0, "ps_comment": 5.0, DBTEXT: 4.0}
