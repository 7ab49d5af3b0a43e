import base64
import re
import sys
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest
from markupsafe import escape

from experiments import index_page as module
from experiments.definition import Statement, Verdict, all_targets, load_experiment
from experiments.index_page import OTHER_PAGES, PageFigure, build_page, read_figure
from experiments.made_up_results import figure_input, threads_rows, widths_rows
from experiments.make_figure import make_figure

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
    monkeypatch.setattr(sys, "argv", ["index_page", "--output", str(results / "index.html")])
    assert module.main() == 0
    return (results / "index.html").read_text(encoding="utf-8")


def test_figure_caption_and_numbers_are_in_the_page(results: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = written_page(results, monkeypatch)
    references = References()
    references.feed(page)
    (source,) = references.sources
    kind, _, encoded = source.partition(",")
    assert kind == "data:image/svg+xml;base64"
    assert base64.b64decode(encoded) == (results / "figures" / f"{TARGET}.svg").read_bytes()
    for part in ("Made-up CPU", "2026-01-02T03:04:05Z", "throughput gained per thread", "Figure B.1 caption"):
        assert part in page
    assert re.search(r'data-column="yours">1\.5 <span class="difference">-50 %</span></td>', page)
    assert "Yours: not measured here" not in page
    assert 'name="viewport"' in page
    assert not {"script", "link", "iframe"} & set(references.tags)
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
    judged = PageFigure("one", "One", True, verdict)
    page = build_page([judged, PageFigure("two", "Two", True, None)], {})
    first, second = page.split("<h2 ")[1:]
    assert "Verdict: not reproduced</strong> (judged on the record of big_gpu). The chip &lt;is&gt;" in first
    assert "Verdict: not measured yet." in second


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
        assert (f"({verdict.outcome})" in page) is printed
        assert ("No verdict." in page) is not printed


def test_skipped_data_stands_out(results: Path) -> None:
    caption = results / "figures" / f"{TARGET}.txt"
    caption.write_text("Title.\nskipped: 3 columns\n", encoding="utf-8")
    page = build_page([read_figure(TARGET, results / "figures")], {})
    assert '<p class="skipped">skipped: 3 columns</p>' in page
