"""Writes one page with every figure: picture, verdict, the paper's numbers, recorded ones and yours.

The pictures are inside the file.

python -m experiments.index_page --output results/index.html
"""

import argparse
import base64
import sys
from dataclasses import dataclass, field
from pathlib import Path

from data.files import write_text
from experiments.definition import Verdict, all_targets, load_experiment
from experiments.page import render_page
from experiments.paper_comparison import RECORDED, Comparison, read_comparison
from experiments.paper_notes import load_notes, notes_paths, page_name

TEMPLATE = "index_page.html.j2"
_NOTES_SHOW = "what is contradictory or open there, and what was done about it"
# Pages that are linked where they lie beside this one, with what they show.
OTHER_PAGES = {
    "stages.html": "The stages, step by step: what changes from kernel to kernel, and what it gains",
    **{page_name(path): f"{load_notes(path).title}: {_NOTES_SHOW}" for path in notes_paths()},
}
LINKED_SUFFIXES = (".svg", ".png", ".csv")
NOT_MEASURED_YET = "not measured yet"
NOT_JUDGED = "measured here, not judged"


@dataclass(frozen=True)
class PageFigure:
    """One figure of the page; `image` is empty where it could not be made, `verdict` None where nothing that
    could be judged is recorded. `measures` is False for a model, of which there is no measurement."""

    target: str
    title: str
    measures: bool
    verdict: Verdict | None
    image: str = ""
    caption: tuple[str, ...] = ()
    comparison: Comparison = field(default_factory=Comparison)

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


def read_figure(target: str, folder: Path) -> PageFigure:
    """The files of one figure; a figure without all of them counts as not made."""
    experiment = load_experiment(target)
    heading = (target, experiment.title, experiment.program is not None, experiment.verdict)
    svg, caption = folder / f"{target}.svg", folder / f"{target}.txt"
    comparison = folder / f"{target}.comparison.csv"
    if not (svg.exists() and caption.exists() and comparison.exists()):
        return PageFigure(*heading)
    encoded = base64.b64encode(svg.read_bytes()).decode("ascii")
    return PageFigure(
        *heading,
        f"data:image/svg+xml;base64,{encoded}",
        tuple(caption.read_text(encoding="utf-8").splitlines()),
        read_comparison(comparison),
    )


def build_page(figures: list[PageFigure], other_pages: dict[str, str]) -> str:
    """The whole page as text, with links to the other pages: what each shows, by file name."""
    return render_page(TEMPLATE, figures=figures, suffixes=LINKED_SUFFIXES, other_pages=other_pages)


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
    write_text(arguments.output, build_page(figures, other_pages))
    return 0


if __name__ == "__main__":
    sys.exit(main())
