"""Writes one page with every figure, its caption and the paper's numbers; the figures are inside the file.

python -m experiments.index_page --output results/index.html
"""

import argparse
import base64
import csv
import sys
from dataclasses import dataclass
from pathlib import Path

import jinja2

from data.files import write_text
from experiments.definition import EXPERIMENTS_DIR, all_targets, load_experiment

TEMPLATE = "index_page.html.j2"
STAGES_PAGE = "stages.html"
LINKED_SUFFIXES = (".svg", ".png", ".csv")
NOT_IN_TEXT = "not in the text"


@dataclass(frozen=True)
class Cell:
    """One cell of a table."""

    text: str
    number: bool


@dataclass(frozen=True)
class PageFigure:
    """One figure of the page; `image` is empty where it could not be made."""

    target: str
    title: str
    image: str = ""
    caption: tuple[str, ...] = ()
    header: tuple[str, ...] = ()
    comparison: tuple[tuple[Cell, ...], ...] = ()


def _cell(name: str, text: str) -> Cell:
    if name in ("quantity", "unit", "kind", "source"):
        return Cell(text, number=False)
    if not text:
        return Cell(NOT_IN_TEXT if name == "paper" else "", number=False)
    return Cell(text, number=True)


def read_figure(target: str, folder: Path) -> PageFigure:
    """The files of one figure; a figure without all of them counts as not made."""
    title = load_experiment(target).title
    svg, caption = folder / f"{target}.svg", folder / f"{target}.txt"
    comparison = folder / f"{target}.comparison.csv"
    if not (svg.exists() and caption.exists() and comparison.exists()):
        return PageFigure(target, title)
    with comparison.open(encoding="utf-8", newline="") as file:
        header, *rows = list(csv.reader(file))
    encoded = base64.b64encode(svg.read_bytes()).decode("ascii")
    return PageFigure(
        target,
        title,
        f"data:image/svg+xml;base64,{encoded}",
        tuple(caption.read_text(encoding="utf-8").splitlines()),
        tuple(header),
        tuple(tuple(_cell(*pair) for pair in zip(header, row, strict=True)) for row in rows),
    )


def build_page(figures: list[PageFigure], stages_page: str = "") -> str:
    """The whole page as text, with a link to the page of stages unless that is empty."""
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(EXPERIMENTS_DIR), autoescape=True, undefined=jinja2.StrictUndefined
    )
    return environment.get_template(TEMPLATE).render(
        figures=figures, suffixes=LINKED_SUFFIXES, stages_page=stages_page
    )


def main() -> int:
    """Writes the page beside the folder `figures`."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--output", type=Path, required=True)
    arguments = parser.parse_args()
    folder = arguments.output.parent / "figures"
    figures = [read_figure(target, folder) for target in all_targets()]
    has_stages_page = arguments.output.with_name(STAGES_PAGE).exists()
    write_text(arguments.output, build_page(figures, STAGES_PAGE if has_stages_page else ""))
    return 0


if __name__ == "__main__":
    sys.exit(main())
