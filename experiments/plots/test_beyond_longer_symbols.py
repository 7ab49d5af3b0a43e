"""Tests of the figure of longer symbols: which data sets are drawn by themselves."""

from experiments.made_up_results import figure_input, lengths_rows, made_up_result
from experiments.plots.beyond_longer_symbols import DBTEXT, MEAN, PUBLISHED_RATIO, TARGET, compare, draw
from experiments.published import load_published


def test_a_text_of_any_size_is_not_one_of_the_other_columns() -> None:
    ratios = {
        "tpch/l_comment_sf1.2_first_33554432_bytes": 4.0,
        "dbtext/ps_comment": 5.0,
        "dbtext/city": 2.0,
        "dbtext/wiki": 8.0,
    }
    rows = lengths_rows({(name, "study", 8): ratio for name, ratio in ratios.items()})
    table = draw(figure_input(TARGET, rows)).table
    means = table[table["dataset"] == MEAN]
    drawn = dict(zip(means["series"], means["ratio"].round(6), strict=True))
    assert drawn == {"l_comment": 4.0, "ps_comment": 5.0, DBTEXT: 4.0}


def test_the_texts_that_gain_are_named_and_the_others_counted() -> None:
    rows = lengths_rows(
        {
            ("dbtext/c_name", "study", 8): 4.0,
            ("dbtext/c_name", "study", 16): 6.0,
            ("dbtext/city", "study", 8): 2.0,
            ("dbtext/city", "study", 16): 2.02,
        }
    )
    notes = "\n".join(draw(figure_input(TARGET, rows)).notes)
    # The limit: (1 + 1/4) / (1 + 1/6).
    assert "dbtext/c_name +50 % (limit +7.1 %); the other 1 texts 5 % more at most." in notes


def test_the_ratio_beside_the_published_one_is_of_symbols_as_long() -> None:
    ratios = {("dbtext/ps_comment", "study", length): 0.5 * length for length in (8, 12, 16)}
    ours = compare(made_up_result(TARGET, lengths_rows(ratios)), load_published())
    assert ours == {PUBLISHED_RATIO: 8.0}
