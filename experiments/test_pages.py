"""The page with all figures, and the list that is printed at the end."""

from pathlib import Path

from experiments.index_page import build_page, read_figure
from experiments.made_up_results import figure_input, threads_rows
from experiments.make_figure import make_figure
from experiments.print_figures import figure_lines


def make_one(results: Path) -> None:
    inputs = figure_input("gsst_fig_b_1", threads_rows({1: 2.0, 2: 12345.6}), scale="tiny")
    make_figure(inputs, results / "figures")


def test_the_page_holds_picture_caption_and_comparison(tmp_path: Path) -> None:
    make_one(tmp_path)
    page = build_page([read_figure("gsst_fig_b_1", tmp_path / "figures")])
    assert "data:image/svg+xml;base64," in page
    assert "Made-up CPU" in page
    assert "Appendix B" in page or "Figure B.1" in page
    assert "http://" not in page.replace("http://www.w3.org", "")


def test_the_page_names_a_figure_that_could_not_be_made(tmp_path: Path) -> None:
    make_one(tmp_path)
    folder = tmp_path / "figures"
    page = build_page([read_figure("gsst_fig_b_1", folder), read_figure("gsst_fig_5_4", folder)])
    assert "gsst_fig_5_4" in page


def test_the_list_says_where_figures_are_and_which_is_missing(tmp_path: Path) -> None:
    make_one(tmp_path)
    lines = figure_lines(tmp_path, ["gsst_fig_b_1", "gsst_fig_5_4"])
    assert any(line.strip() == str(tmp_path / "figures" / "gsst_fig_b_1.png") for line in lines)
    assert any("gsst_fig_5_4: not made" in line for line in lines)
