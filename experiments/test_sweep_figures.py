"""The figures of the sweeps: which cells are marked, what stands beside the thesis's numbers."""

import pandas as pd
import pytest
from matplotlib.axes import Axes
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from experiments.made_up_results import (
    Row,
    columns_rows,
    data_blocks_rows,
    figure_input,
    made_up_result,
    overlap_rows,
    sizes_rows,
)
from experiments.make_figure import comparison_table
from experiments.plots import (
    beyond_columns,
    beyond_overlap,
    beyond_sizes,
    gsst_fig_5_2,
    heatmap,
    style,
)
from experiments.plots.stages import looks_of
from experiments.published import load_published

Cell = tuple[str, str]


@pytest.fixture(autouse=True)
def common_look() -> None:
    style.apply()


def outlined(figure: Figure, color: str) -> list[Cell]:
    """Names of column and row of the cells with an outline of this colour."""
    (axes,) = figure.axes
    columns, rows = ([label.get_text() for label in labels()] for labels in _labels_of(axes))
    patches = [patch for patch in axes.patches if isinstance(patch, Rectangle)]
    return [
        (columns[round(patch.get_center()[0])], rows[round(patch.get_center()[1])])
        for patch in patches
        if to_hex(patch.get_edgecolor()).upper() == color.upper()
    ]


def _labels_of(axes: Axes) -> tuple:
    return axes.get_xticklabels, axes.get_yticklabels


def cell_texts(figure: Figure) -> list[str]:
    return [text.get_text() for text in figure.axes[0].texts]


def compared(target: str, rows: list[Row]) -> pd.Series:
    return comparison_table(figure_input(target, rows)).set_index("quantity")["yours"]


# A text of 1 GB has 953 blocks of 1 MiB and 476 of 2 MiB.
DATA_BLOCKS = {
    (2**20, 128): 50.0,
    (2**20, 1024): 300.0,
    (2**20, 0): 290.0,
    (2**21, 128): 60.0,
    (2**21, 1024): 250.0,
    (2**21, 0): 280.0,
}


def test_thread_blocks_near_the_data_blocks_are_marked_as_the_thesis_s_best() -> None:
    figure = gsst_fig_5_2.draw(figure_input("gsst_fig_5_2", data_blocks_rows(DATA_BLOCKS))).figure
    assert outlined(figure, style.OURS) == [("1024", "953 x 1")]
    assert outlined(figure, style.BLACK) == [("1024", "953 x 1")], "for 476 blocks none is near"
    assert cell_texts(figure) == ["50", "300", "290", "60", "250", "280"]


def test_without_a_record_the_thesis_s_own_blocks_are_drawn() -> None:
    output = gsst_fig_5_2.draw(figure_input("gsst_fig_5_2", None))
    expected = [("2048", "2359 x 4"), ("1024", "1179 x 8"), ("512", "589 x 16"), ("256", "294 x 32")]
    assert outlined(output.figure, style.BLACK) == expected
    assert outlined(output.figure, style.OURS) == []
    assert cell_texts(output.figure) == []
    assert len(output.table) == 8 * 5


@pytest.mark.parametrize(("fastest", "relation"), [((2**20, 0), 1.0), ((2**20, 1024), 1024 / 953)])
def test_thread_blocks_are_compared_with_data_blocks(fastest: tuple[int, int], relation: float) -> None:
    ours = compared("gsst_fig_5_2", data_blocks_rows({**DATA_BLOCKS, fastest: 500.0}))
    assert ours["thread blocks per data block with the highest throughput"] == pytest.approx(relation)
    assert ours["data blocks of 1048576 bytes"] == 953
    assert ours["most thread blocks"] == 1024
    assert ours["fewest thread blocks"] == 128


def test_each_stage_is_compared_at_the_largest_size() -> None:
    sizes = {
        ("06_async", 1, 10**6): 900.0,
        ("06_async", 1, 10**9): 300.0,
        ("06_async", 8, 10**9): 310.0,
        ("07_tuned", 8, 10**9): 250.0,
    }
    ours = compared("beyond_sizes", sizes_rows(sizes))
    assert ours["06_async decompression throughput"] == pytest.approx(310.0)
    assert ours["07_tuned decompression throughput"] == pytest.approx(250.0)
    assert ours["decompressed size"] == pytest.approx(1.0)
    figure = beyond_sizes.draw(figure_input("beyond_sizes", sizes_rows(sizes))).figure
    assert [axes.get_title(loc="left") for axes in figure.axes] == ["06_async", "07_tuned"]


def test_each_width_of_codes_has_its_part_of_the_limit_below_the_sizes() -> None:
    sizes = [10**6, 10**8]
    rows = sizes_rows({("07_tuned", 1, size): 100.0 for size in sizes})
    for code_bits, blocks in ((8, 1), (8, 2), (12, 1)):
        rows += sizes_rows({("09_warp_tiles", blocks, size): 900.0 + code_bits for size in sizes}, code_bits)
    figure = beyond_sizes.draw(figure_input("beyond_sizes", rows)).figure
    *_, of_tiles, shares = figure.axes
    drawn = {value for line in of_tiles.lines for value in line.get_ydata()}
    assert 908 in drawn
    assert 912 not in drawn, "12 bits are no number of blocks"
    assert [line.get_label() for line in shares.lines] == ["8 bits", "12 bits"]
    assert all(list(line.get_ydata()) == [50, 50] for line in shares.lines)
    ours = beyond_sizes.compare(made_up_result("beyond_sizes", rows), load_published())
    assert ours["09_warp_tiles decompression throughput"] == pytest.approx(908.0)


def dashed(figure: Figure) -> list[list[float]]:
    """The values of the dashed lines of the last plot."""
    return [list(line.get_ydata()) for line in figure.axes[-1].lines if line.get_linestyle() == "--"]


def test_tiles_as_a_graph_are_dashed_lines_and_follow_their_times() -> None:
    sizes = {("09_warp_tiles", 1, 10**6): 50.0, ("09_warp_tiles", 1, 10**8): 1000.0}
    # Of the 20 and 100 microseconds that both sizes take, the host has 10.
    rows = sizes_rows(sizes, 8, host_seconds=10e-6)
    output = beyond_sizes.draw(figure_input("beyond_sizes", rows))
    assert dashed(output.figure) == [pytest.approx([100.0, 1000 / 0.9])]
    assert any(note.startswith("Dashed lines:") for note in output.notes)
    assert not any("not recorded yet" in note for note in output.notes)
    drawn = output.table.dropna(subset="graph_throughput_gb_per_s")
    assert list(drawn["graph_throughput_gb_per_s"]) == pytest.approx([100.0, 1000 / 0.9])
    rows[0]["graph_seconds"]["median"] *= 2
    changed = beyond_sizes.draw(figure_input("beyond_sizes", rows)).figure
    assert dashed(changed) == [pytest.approx([50.0, 1000 / 0.9])]
    assert changed.axes[-1].get_ylim()[1] > 1000 / 0.9


def test_rows_without_times_of_a_graph_have_no_dashed_line() -> None:
    output = beyond_sizes.draw(
        figure_input("beyond_sizes", sizes_rows({("09_warp_tiles", 1, 10**6): 50.0}, 8))
    )
    assert dashed(output.figure) == []
    assert any(note.startswith("Times as a CUDA graph") and "not recorded" in note for note in output.notes)
    assert output.table["graph_throughput_gb_per_s"].isna().all()


def test_the_thesis_stands_beside_its_column_and_columns_are_in_the_order_of_their_ratios() -> None:
    stages = {"04_alignment": 280.0, "07_tuned": 300.0}
    rows = columns_rows(
        {(column, name): gbs for column in ("city", "l_comment") for name, gbs in stages.items()}
    )
    for line in rows[:2]:
        line["ratio"] = 1.5
    ours = compared("beyond_columns", rows)
    assert ours["l_comment 04_alignment decompression throughput"] == pytest.approx(280.0)
    assert ours["l_comment 07_tuned decompression throughput"] == pytest.approx(300.0)
    assert ours["l_comment 07_tuned compression ratio"] == pytest.approx(1000 / 3)
    output = beyond_columns.draw(figure_input("beyond_columns", rows))
    ratios, throughputs = output.figure.axes
    assert [label.get_text() for label in ratios.get_yticklabels()] == ["l_comment", "city"]
    assert [len(line.get_xdata()) for line in throughputs.lines] == [2, 2, 1]
    assert [len(line.get_xdata()) for line in ratios.lines] == [2, 1], "07 has the ratio of 04"
    assert [text.get_text() for text in output.figure.legends[0].get_texts()] == [
        *("04_alignment", "best of 05 to 07", "thesis (A100)"),
    ]
    assert any(note.startswith("skipped: 18 columns") and "wiki" in note for note in output.notes)


def test_no_stage_is_left_without_a_look() -> None:
    names = [f"{number:02}_stage" for number in range(1, 2 * len(style.SERIES))]
    looks = looks_of(names)
    assert list(looks) == names
    assert looks[names[-1]] == (style.OURS, "o")


def test_a_cell_without_a_value_stays_empty() -> None:
    figure, (axes,) = style.new_figure(2.0)
    grid = pd.DataFrame([[1.0, None], [3.0, 2.0]], index=[10, 20], columns=[1, 2])
    heatmap.draw_heatmap(axes, grid, ["1", "2"], ["10", "20"], ".1f")
    assert cell_texts(figure) == ["1.0", "3.0", "2.0"]
    assert heatmap.best_cell(grid) == (0, 1)


def test_each_point_stands_beside_what_the_model_says_of_its_own_parts() -> None:
    rows = overlap_rows({("07_tuned", 22, 1): 36.0, ("07_tuned", None, 4): 45.0, ("07_tuned", 22, 32): 40.0})
    output = beyond_overlap.draw(figure_input("beyond_overlap", rows))
    table = output.table.set_index(["series", "batches"])
    # Ratio 2.5, decompression at 50 GB/s: 22 GB/s of compressed bytes bring 55 GB/s.
    assert table.loc[("22 GB/s", 1), "model_gb_per_s"] == pytest.approx(1 / (1 / 55 + 1 / 50))
    assert table.loc[("22 GB/s", 32), "model_gb_per_s"] == pytest.approx(1 / (1 / 55 / 32 + 1 / 50))
    model = 1 / (1 / 100 / 4 + 1 / 50)
    assert table.loc[("PCIe, unthrottled", 4), "model_gb_per_s"] == pytest.approx(model)
    assert table.loc[("PCIe, unthrottled", 4), "model_error_percent"] == pytest.approx((45 / model - 1) * 100)
    # A batch alone is decompressed half as fast.
    timeline = 1 / (1 / 100 / 4 + 1 / 25)
    assert table.loc[("PCIe, unthrottled", 4), "timeline_gb_per_s"] == pytest.approx(timeline)
    assert table["full_wave"].to_dict()["22 GB/s", 32] is False
    assert any(note.startswith("Batches of less: ") for note in output.notes)
    assert any("(07_tuned, 1 batch, interconnect 22 GB/s)" in note for note in output.notes)
    # The lowest is at -37 %: between -1 and it the axis is logarithmic, which a reader sees by its ticks.
    assert {-10, -5, -2, -1, 0} <= set(output.figure.axes[1].get_yticks())
    assert [axes.get_title(loc="left") for axes in output.figure.axes] == ["07_tuned", ""]


def test_a_short_last_batch_is_as_long_as_it_is_on_the_timeline_only() -> None:
    (row,) = overlap_rows({("07_tuned", 5, 4): 20.0}, last_batch_blocks=200)
    row["blocks_per_batch"] = 360
    transfer, share = 1 / 2.5 / 5, 200 / 1280
    assert beyond_overlap.timeline(row) == pytest.approx(1 / (transfer + share / 25))
    assert beyond_overlap.predicted(row) == pytest.approx(1 / (transfer + 1 / 4 / 50))


def test_without_overlap_the_thesis_s_stage_stands_beside_its_model() -> None:
    rows = overlap_rows({("02_splits", 22, 1): 20.0, ("07_tuned", 22, 1): 41.0, ("07_tuned", 22, 8): 50.0})
    ours = compared("beyond_overlap", rows)
    assert ours["07_tuned ingestion throughput without overlap"] == pytest.approx(41.0)
    assert ours["interconnect throughput"] == pytest.approx(22.0)
    assert compared("beyond_overlap", rows[:1]).isna().all()
