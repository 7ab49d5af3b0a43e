"""The columns of the encoder that is all on the GPU: two ways to cut the text."""

from matplotlib import pyplot

from experiments.made_up_results import encoder_rows, figure_input, made_up_result
from experiments.plots import wide_encoder_columns
from experiments.published import load_published

TARGET = "wide_encoder_columns"
ROWS = [
    {
        **row,
        "dataset": "dbtext/l_comment_tiled_to_1000000000_bytes",
        "ratio": 2.6 if row["variant"] == "" else 2.8,
    }
    for row in encoder_rows(
        {("", 128, 256): 600.0, ("splits of 16 KiB", 128, 16384): 500.0}, stage="gsst/10_wide_encoder"
    )
]


def test_both_ways_to_cut_a_column_stand_in_its_line() -> None:
    output = wide_encoder_columns.draw(figure_input(TARGET, ROWS))
    (axes,) = output.figure.axes
    assert [label.get_text() for label in axes.get_yticklabels()] == ["l_comment, 2.60 and 2.80"]
    bars = sorted(round(bar.get_y(), 3) for bar in axes.patches)
    assert len(set(bars)) == 4
    assert list(output.table["cut"]) == ["", "", "splits of 16 KiB", "splits of 16 KiB"]
    pyplot.close(output.figure)


def test_short_splits_are_compared() -> None:
    compared = wide_encoder_columns.compare(made_up_result(TARGET, ROWS), load_published())
    assert list(compared.values()) == [300.0]
