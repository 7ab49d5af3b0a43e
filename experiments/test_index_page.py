import base64
import re
import sys
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest
from markupsafe import escape

from experiments import index_page as module
from experiments import page as page_module
from experiments.definition import Statement, Verdict, all_targets, load_experiment
from experiments.index_page import OTHER_PAGES, OUTCOMES, PageFigure, build_page, numbered_title, read_figure
from experiments.made_up_results import figure_input, threads_rows, widths_rows
from experiments.make_figure import make_figure
from experiments.paper_comparison import read_comparison
from experiments.published import load_published

TARGET = "gsst_fig_b_1"


class References(HTMLParser):
    """Collects the tags and what the page loads."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.sources: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.sources += [value or "" for name, value in attrs if name == "src"]


@pytest.fixture
def results(tmp_path: Path) -> Path:
    rows = [{**row, "dataset": "tpch/<script>"} for row in threads_rows({1: 2.0, 2: 3.5})]
    make_figure(figure_input(TARGET, rows), tmp_path / "figures")
    return tmp_path


def written_page(results: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr(page_module, "SITE", results / "site")
    monkeypatch.setattr(sys, "argv", ["index_page", "--output", str(results / "index.html")])
    assert module.main() == 0
    return (results / "index.html").read_text(encoding="utf-8")


def test_figure_caption_and_numbers_are_in_the_page(results: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = written_page(results, monkeypatch)
    references = References()
    references.feed(page)
    thumbnail, source = references.sources
    assert thumbnail.startswith("data:image/png;base64,")
    kind, _, encoded = source.partition(",")
    assert kind == "data:image/svg+xml;base64"
    assert base64.b64decode(encoded) == (results / "figures" / f"{TARGET}.svg").read_bytes()
    for part in ("Made-up CPU", "2026-01-02T03:04:05Z", "throughput gained per thread", "Figure B.1 caption"):
        assert part in page
    assert re.search(r'data-column="yours">1\.5 <span class="difference">x 0\.5</span></td>', page)
    assert "Yours: not measured here" not in page
    assert 'name="viewport"' in page
    assert not {"script", "link", "iframe"} & set(references.tags)
    # The numbers are there where the page is published alone.
    csv = re.search(rf'href="data:text/csv;base64,([^"]+)" download="{TARGET}\.csv"', page)
    assert csv
    assert base64.b64decode(csv[1]) == (results / "figures" / f"{TARGET}.csv").read_bytes()
    assert set(re.findall(r'href="(?!#|data:)([^"]*)"', page)) <= set(OTHER_PAGES)
    assert "&lt;script&gt;" in page


def test_a_figure_that_was_not_made_is_named(results: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = written_page(results, monkeypatch)
    for target in all_targets():
        assert f'id="{target}"' in page
        assert str(escape(load_experiment(target).title)) in page
    assert page.count("could not be made") == len(all_targets()) - 1


def test_a_figure_without_its_caption_counts_as_not_made(results: Path) -> None:
    (results / "figures" / f"{TARGET}.txt").unlink()
    assert read_figure(TARGET, results / "figures").image == ""


@pytest.mark.parametrize("name", sorted(OTHER_PAGES))
def test_another_page_is_linked_where_it_is(
    name: str, results: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert f'href="{name}"' not in written_page(results, monkeypatch)
    (results / name).write_text("page", encoding="utf-8")
    assert f'href="{name}"' in written_page(results, monkeypatch)


def test_the_verdict_stands_at_its_figure() -> None:
    verdict = Verdict("not reproduced", "big_gpu", (Statement("The chip <is> another one."),))
    judged = PageFigure("one", "One", "A paper", True, verdict)
    page = build_page([judged, PageFigure("two", "Two", "A paper", True, None)], {})
    first, second = page.split("<h3 ")[1:]
    assert "Verdict: not reproduced</strong> (judged on the record of big_gpu). The chip &lt;is&gt;" in first
    assert "Verdict: not measured yet." in second


def test_settings_are_below_the_table_of_results(tmp_path: Path) -> None:
    rows = ["size,GB,10,9.9,printed,Section 1", "speed,GB/s,4,8,printed,Section 2"]
    path = tmp_path / "comparison.csv"
    header = "quantity,unit,paper,recorded on big,kind,source\n"
    path.write_text(header + "\n".join(rows) + "\n", encoding="utf-8")
    compared = read_comparison(path)
    figure = PageFigure("a", "A", "P", True, None, "data:", "", ("Caption.",), compared, "data:", ("size",))
    page = build_page([figure], {})
    assert "Settings: size (GB): 10 in the paper, 9.9 recorded on big." in page
    assert "<td>speed (GB/s)" in page
    assert "<td>size" not in page


@pytest.mark.parametrize("target", all_targets())
def test_settings_are_published_quantities(target: str) -> None:
    experiment, published = load_experiment(target), load_published()
    quantities = {number.quantity for name in experiment.published for number in published.of(name)}
    assert set(experiment.settings) <= quantities


def test_the_course_is_linked_where_it_is_built(results: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert module.COURSE not in written_page(results, monkeypatch)
    (results / "site" / "course").mkdir(parents=True)
    (results / "site" / "course" / "index.html").write_text("course", encoding="utf-8")
    assert f'<a href="site/course/index.html">{module.COURSE}</a>' in written_page(results, monkeypatch)


def test_figures_are_listed_by_paper_with_totals() -> None:
    verdicts = [Verdict(outcome, None, ()) for outcome in ("reproduced", "not reproduced", "reproduced")]
    figures = [
        PageFigure("a", "A", "Paper <1>", True, verdicts[0]),
        PageFigure("b", "B", "Paper 2", True, verdicts[1]),
        PageFigure("c", "C", "Paper <1>", True, None),
        PageFigure("d", "D", "Paper <1>", True, verdicts[2]),
    ]
    page = build_page(figures, {})
    assert re.findall(r'<h[23] id="([^"]*)"', page) == ["paper-1-", "a", "c", "d", "paper-2", "b"]
    assert "<td>2 reproduced, 1 not measured yet</td>" in page
    assert "<td>1 not reproduced</td>" in page
    assert "Paper &lt;1&gt;" in page


def test_every_outcome_has_its_place_in_the_totals() -> None:
    verdicts = filter(None, (load_experiment(target).verdict for target in all_targets()))
    assert {verdict.outcome for verdict in verdicts} <= set(OUTCOMES)


@pytest.mark.parametrize(
    ("section", "title"),
    [
        ("Section 6.1, Figure 6.1", "Figure 6.1: T"),
        ("Section 9.3, Figures 8a and 8b", "Figures 8a and 8b: T"),
        ("Section 5.3.3, Table 5.4", "Table 5.4: T"),
        ("beyond Section 6.2, whose Figure 6.2 draws codecs in the same plane", "T"),
        ("beyond Section 6.1, Table 6.1", "T"),
        ("chapters 4 to 6", "T"),
    ],
)
def test_a_title_has_the_number_of_the_figure(section: str, title: str) -> None:
    assert numbered_title("T", section) == title


def test_a_verdict_is_printed_where_the_picture_shows_what_it_judges(tmp_path: Path) -> None:
    target = "beyond_widths"
    verdict = load_experiment(target).verdict
    assert verdict is not None
    assert verdict.machine is not None
    inputs = figure_input(target, widths_rows({(8, 65536): 3.5, (12, 65536): 4.0}))
    assert inputs.result is not None
    here, recorded = inputs.result, replace(inputs.result, machine=verdict.machine)
    opening = escape(verdict.statements[0].text)
    for result, others, printed in ((here, (), False), (here, (recorded,), False), (recorded, (), True)):
        make_figure(replace(inputs, result=result, recorded=others), tmp_path)
        figure = read_figure(target, tmp_path)
        page = build_page([figure], {})
        assert figure.judges_picture is printed
        assert (opening in page) is printed
        assert (f"1 {verdict.outcome}" in page) is printed
        assert ("No verdict." in page) is not printed


def test_skipped_data_stands_out(results: Path) -> None:
    caption = results / "figures" / f"{TARGET}.txt"
    caption.write_text("Title.\nskipped: 3 columns\n", encoding="utf-8")
    page = build_page([read_figure(TARGET, results / "figures")], {})
    assert '<p class="skipped">skipped: 3 columns</p>' in page
