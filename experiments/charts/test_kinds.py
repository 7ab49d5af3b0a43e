"""What each kind of chart makes of rows."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
from matplotlib.axes import Axes
from matplotlib.colors import to_hex
from matplotlib.patches import Rectangle

from experiments.chart_definition import parse_chart
from experiments.charts.drawing import drawing_of
from experiments.made_up_results import (
    Row,
    encoder_rows,
    figure_input,
    ratio_rows,
    stages_rows,
    tables_rows,
    tiles_rows,
)
from experiments.plots import style
from experiments.plots.interface import FigureOutput

BARS = {
    "kind": "bars",
    "height": 2.0,
    "x": {"value": "throughput_gb_per_s", "label": "GB/s"},
    "line": "{variant}",
    "text": "{throughput_gb_per_s}",
}


def draw(target: str, rows: list[Row], chart: Mapping[str, Any] | None = None) -> FigureOutput:
    """The target's figure of these rows, with another chart where one is given."""
    style.apply()
    inputs = figure_input(target, rows)
    if chart is not None:
        inputs = replace(inputs, experiment=replace(inputs.experiment, chart=parse_chart({"chart": chart})))
    return drawing_of(inputs.experiment).draw(inputs)


def names(axes: Axes) -> list[str]:
    return [label.get_text() for label in axes.get_yticklabels()]


def test_bars_of_a_line_stand_together_and_each_series_has_its_color() -> None:
    rows = encoder_rows({("1 naive", 128, 4096): 5.0, ("2 hash", 128, 4096): 20.0})
    (axes,) = draw("encoder_ladder", rows).figure.axes
    assert names(axes) == ["1 naive", "2 hash"]
    bars = {round(bar.get_y() + bar.get_height() / 2, 2): bar for bar in axes.patches}
    assert {y: bar.get_width() for y, bar in bars.items()} == {-0.21: 5, 0.21: 2.5, 0.79: 20, 1.21: 10}
    assert {to_hex(bars[y].get_facecolor()).upper() for y in (-0.21, 0.79)} == {style.OURS}
    assert sorted(text.get_text() for text in axes.texts) == ["10", "2.5", "20", "5"]


def test_other_choices_have_a_heading_and_a_limit_is_marked_in_each_line() -> None:
    rows = tiles_rows({"1 tiles": 1000.0}) + tiles_rows({"1, K 16": 1050.0}, codes_per_lane=16)
    (axes,) = draw("warp_tiles_ladder", rows).figure.axes
    assert names(axes) == ["1 tiles", "1, K 16", "the ladder", "other choices"]
    assert "1000, 50 %, 2.67" in [text.get_text() for text in axes.texts]
    _, labels = axes.get_legend_handles_labels()
    assert labels == ["streaming limit", "thesis (A100): 191"]


def test_a_published_number_near_zero_is_a_whole_mark() -> None:
    axes = draw("gsst_fig_6_1", stages_rows({"01_blocks": 2.0})).figure.axes[0]
    marks = [line for line in axes.lines if line.get_marker() == "D" and len(line.get_xdata())]
    assert marks
    assert not any(mark.get_clip_on() for mark in marks)


def test_lines_are_in_the_order_of_a_value_and_marks_on_a_logarithmic_axis() -> None:
    rows = tiles_rows({"small": 10.0, "large": 1000.0})
    (axes,) = draw("warp_tiles_ladder", rows, {**BARS, "order": "throughput_gb_per_s"}).figure.axes
    assert names(axes) == ["large", "small"]
    (axes,) = draw("warp_tiles_ladder", rows, {**BARS, "x": {**BARS["x"], "scale": "log"}}).figure.axes
    assert not axes.patches
    assert [list(line.get_xdata()) for line in axes.lines] == [[10.0, 1000.0]]


def test_the_best_cells_here_and_in_the_paper_are_outlined() -> None:
    cells = {(45_000_000, 32): 2.8, (45_000_000, 64): 2.9, (90_000_000, 32): 2.7, (90_000_000, 64): 2.6}
    output = draw("gsst_fig_5_4", ratio_rows(cells))
    (axes,) = output.figure.axes
    outlined = [patch for patch in axes.patches if isinstance(patch, Rectangle)]
    places = {
        to_hex(patch.get_edgecolor()): tuple(round(x) for x in patch.get_center()) for patch in outlined
    }
    assert places[style.OURS.lower()] == (1, 0)
    assert places[style.BLACK] == (0, 0)
    assert [text.get_text() for text in axes.texts] == ["2.800", "2.900", "2.700", "2.600"]
    assert any("11.54 % apart" in note for note in output.notes)
    without = {key: ratio for key, ratio in cells.items() if key[0] > 45_000_000}
    assert any(
        "not measured at this scale" in note for note in draw("gsst_fig_5_4", ratio_rows(without)).notes
    )


def test_rows_of_a_group_become_one() -> None:
    rows = tables_rows({("dbtext/city", 256, 256, 256): 2.0, ("dbtext/hex", 256, 256, 256): 3.0})
    rows[0]["tables"]["most_rows"], rows[1]["tables"]["most_rows"] = 7, 9
    rows[0]["tables"] |= {"count": 3, "mean_rows": 4.0}
    rows[1]["tables"] |= {"count": 1, "mean_rows": 8.0}
    table = draw("encoder_table_1", rows).table
    (line,) = table[table["kind"] == "measured"].itertuples()
    assert (line.name, line[4], line[5]) == ("DBText", "9", "5")
    assert list(table[table["kind"] == "published"]["most rows"]) == ["26", "36", "38"]


@pytest.mark.parametrize(
    "target", ["encoder_ladder", "gsst_fig_5_5", "beyond_ratio_and_speed", "beyond_checksums"]
)
def test_nothing_is_drawn_of_ours_without_a_measurement(target: str) -> None:
    output = draw(target, [])
    measured = output.table[output.table["kind"].isna()] if "kind" in output.table else output.table
    assert measured.empty


def test_a_line_is_as_high_as_its_series_and_groups_have_headings() -> None:
    rows = [
        *tiles_rows({"a": 10.0, "b": 20.0}, code_bits=12),
        *tiles_rows({"a": 30.0}, code_bits=8),
    ]
    chart = {**BARS, "group": "level {tiles.level}", "series": "{tiles.code_bits} bits"}
    rows[1]["tiles"] = {**rows[1]["tiles"], "level": 1}
    output = draw("warp_tiles_ladder", rows, chart)
    (axes,) = output.figure.axes
    first, second = (f"level {rows[place]['tiles']['level']}" for place in (0, 1))
    assert names(axes) == ["a", "b", first, second]
    assert [label.get_fontweight() for label in axes.get_yticklabels()] == ["normal"] * 2 + ["bold"] * 2
    a, b, above_a, above_b = axes.get_yticks()
    # A line of two bars is 1 high, one of a bar 0.42 less, and a heading 0.7.
    assert [round(place, 2) for place in (above_a, a, above_b, b)] == [-0.08, 0.7, 1.62, 2.19]
    middles = sorted(round(bar.get_y() + bar.get_height() / 2, 2) for bar in axes.patches)
    assert middles == [0.49, 0.91, 2.19]
    assert list(output.table["group"]) == [first, second, first]
