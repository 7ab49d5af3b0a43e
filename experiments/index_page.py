"""Writes one page with every figure by paper: picture, verdict, the paper's numbers, recorded ones and yours.

The pictures are inside the file.

python -m experiments.index_page --output results/index.html
"""

import argparse
import base64
import io
import re
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from PIL import Image

from data.files import write_text
from experiments.definition import Verdict, all_targets, load_experiment
from experiments.page import render_page, site_address
from experiments.paper_comparison import RECORDED, ComparedLine, Comparison, read_comparison
from experiments.paper_notes import load_notes, notes_paths, page_name

TEMPLATE = "index_page.html.j2"
_NOTES_SHOW = "what is contradictory or open there, and what was done about it"
# Pages that are linked where they lie beside this one, with what they show.
OTHER_PAGES = {
    "stages.html": "The stages, step by step: what changes from kernel to kernel, and what it gains",
    **{page_name(path): f"{load_notes(path).title}: {_NOTES_SHOW}" for path in notes_paths()},
}
SUFFIXES = (".svg", ".png", ".csv")
COURSE = "The course: lessons on the stages, with exercises"
NOT_MEASURED_YET = "not measured yet"
NOT_JUDGED = "measured here, not judged"
# The words of totals, in their order.
OUTCOMES = (
    "reproduced",
    "partly reproduced",
    "not reproduced",
    "not comparable",
    NOT_JUDGED,
    NOT_MEASURED_YET,
)
# Twice the pixels that the page shows, for screens with small ones.
THUMBNAIL_PIXELS = 256
_NUMBER = re.compile(r"(?:^|, )((?:Figures?|Table) [^,]+)$")


@dataclass(frozen=True)
class PageFigure:
    """One figure of the page; `image` and `numbers`, the address of its CSV, are empty where it could not be
    made, `thumbnail` where there is no PNG, `verdict` None where nothing that could be judged is recorded.
    `measures` is False for a model, of which there is no measurement. `settings` are quantities that were
    chosen, not measured."""

    target: str
    title: str
    paper: str
    measures: bool
    verdict: Verdict | None
    image: str = ""
    thumbnail: str = ""
    caption: tuple[str, ...] = ()
    comparison: Comparison = field(default_factory=Comparison)
    numbers: str = ""
    settings: tuple[str, ...] = ()

    @property
    def results(self) -> list[ComparedLine]:
        """The compared quantities that were measured."""
        return [line for line in self.comparison.lines if line.quantity not in self.settings]

    @property
    def chosen(self) -> list[ComparedLine]:
        """The compared quantities that were set."""
        return [line for line in self.comparison.lines if line.quantity in self.settings]

    @property
    def judges_picture(self) -> bool:
        """Whether the verdict is on what the picture shows; true for a model and without a picture."""
        if self.verdict is None or self.verdict.machine is None or self.comparison.drawn is None:
            return True
        return self.comparison.drawn == f"{RECORDED}{self.verdict.machine}"

    @property
    def outcome(self) -> str:
        """The verdict in a few words."""
        if not self.judges_picture:
            return NOT_JUDGED
        return self.verdict.outcome if self.verdict else NOT_MEASURED_YET


@dataclass(frozen=True)
class PagePaper:
    """A paper with its figures."""

    name: str
    figures: Sequence[PageFigure]

    @property
    def anchor(self) -> str:
        return re.sub(r"[^a-z0-9]+", "-", self.name.lower())

    @property
    def totals(self) -> Mapping[str, int]:
        """How many figures have which outcome, in the order of OUTCOMES."""
        found = Counter(figure.outcome for figure in self.figures)
        return {outcome: found[outcome] for outcome in OUTCOMES if found[outcome]}


def numbered_title(title: str, section: str) -> str:
    """The title with the number that the figure or table has in the paper, where it has one."""
    # What goes beyond a figure of the paper is not that figure.
    number = None if section.startswith("beyond") else _NUMBER.search(section)
    return f"{number[1]}: {title}" if number else title


def _data_address(kind: str, content: bytes) -> str:
    return f"data:{kind};base64,{base64.b64encode(content).decode('ascii')}"


def small_picture(png: Path) -> bytes:
    """The picture as PNG, its upper part where it is higher than wide, small enough for a list."""
    written = io.BytesIO()
    with Image.open(png) as picture:
        side = picture.width
        part = picture.convert("RGB").crop((0, 0, side, min(side, picture.height)))
        part.thumbnail((THUMBNAIL_PIXELS, THUMBNAIL_PIXELS))
        part.quantize(32).save(written, format="png", optimize=True)
    return written.getvalue()


def read_figure(target: str, folder: Path) -> PageFigure:
    """The files of one figure; a figure without all of them counts as not made."""
    experiment = load_experiment(target)
    title = numbered_title(experiment.title, experiment.section)
    heading = (target, title, experiment.paper, experiment.program is not None, experiment.verdict)
    files = {suffix: folder / f"{target}{suffix}" for suffix in (".svg", ".txt", ".csv", ".comparison.csv")}
    png = folder / f"{target}.png"
    if not all(path.exists() for path in files.values()):
        return PageFigure(*heading)
    return PageFigure(
        *heading,
        _data_address("image/svg+xml", files[".svg"].read_bytes()),
        _data_address("image/png", small_picture(png)) if png.exists() else "",
        tuple(files[".txt"].read_text(encoding="utf-8").splitlines()),
        read_comparison(files[".comparison.csv"]),
        _data_address("text/csv", files[".csv"].read_bytes()),
        experiment.settings,
    )


def by_paper(figures: Sequence[PageFigure]) -> list[PagePaper]:
    """The papers in the order of their first figures."""
    names = dict.fromkeys(figure.paper for figure in figures)
    return [PagePaper(name, [figure for figure in figures if figure.paper == name]) for name in names]


def build_page(figures: Sequence[PageFigure], other_pages: Mapping[str, str]) -> str:
    """The whole page as text, with links to the other pages: what each shows, by file name."""
    return render_page(TEMPLATE, papers=by_paper(figures), suffixes=SUFFIXES, other_pages=other_pages)


def main() -> int:
    """Writes the page beside the folder `figures`."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--output", type=Path, required=True)
    arguments = parser.parse_args()
    folder = arguments.output.parent / "figures"
    figures = [read_figure(target, folder) for target in all_targets()]
    other_pages = {
        name: shows for name, shows in OTHER_PAGES.items() if arguments.output.with_name(name).exists()
    }
    if course := site_address("course/index.html", arguments.output):
        other_pages[course] = COURSE
    write_text(arguments.output, build_page(figures, other_pages))
    return 0


if __name__ == "__main__":
    sys.exit(main())
