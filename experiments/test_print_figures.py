from pathlib import Path

from experiments.made_up_results import figure_input, threads_rows
from experiments.make_figure import make_figure
from experiments.print_figures import PAGES, figure_lines

TARGETS = ["gsst_fig_6_3", "gsst_fig_b_1"]


def test_it_says_where_a_figure_is_and_what_is_missing(tmp_path: Path) -> None:
    make_figure(figure_input("gsst_fig_b_1", threads_rows({1: 2.0}), scale="tiny"), tmp_path / "figures")
    caption = tmp_path / "figures" / "gsst_fig_b_1.txt"
    caption.write_text("Title.\nskipped: 3 columns that were not available: a, b, c.\n", encoding="utf-8")
    lines = figure_lines(tmp_path, TARGETS)
    assert any("gsst_fig_6_3: not made" in line for line in lines)
    assert f"  {tmp_path / 'figures' / 'gsst_fig_b_1.png'}" in lines
    assert "    skipped: 3 columns that were not available: a, b, c." in lines
    assert not any("index.html" in line for line in lines)


def test_it_names_the_pages(tmp_path: Path) -> None:
    for name in PAGES:
        (tmp_path / name).write_text("", encoding="utf-8")
        assert figure_lines(tmp_path, [])[-1].endswith(name)
