"""Says where the figures are, and which could not be made.

python -m experiments.print_figures
"""

import sys
from pathlib import Path

from experiments.captions import SKIPPED
from experiments.definition import all_targets
from experiments.paper_notes import load_notes, notes_paths, page_name
from experiments.sources import REPOSITORY_ROOT

RESULTS_DIR = REPOSITORY_ROOT / "results"
PAGES = {
    "index.html": "All on one page",
    "stages.html": "The stages, step by step",
    **{page_name(path): load_notes(path).title for path in notes_paths()},
}


def figure_lines(results: Path, targets: list[str]) -> list[str]:
    """One line for each figure, below it what was skipped, and the page at the end."""
    lines = []
    for target in targets:
        image, caption = results / "figures" / f"{target}.png", results / "figures" / f"{target}.txt"
        if not (image.exists() and caption.exists()):
            lines.append(f"  {target}: not made, see {results / 'logs'}")
            continue
        lines.append(f"  {image}")
        text = caption.read_text(encoding="utf-8").splitlines()
        lines += [f"    {line}" for line in text if line.startswith(SKIPPED)]
    for name, title in PAGES.items():
        page = results / name
        if page.exists():
            lines.append(f"{title}: {page}")
    return ["Figures (each also as .svg and .csv):", *lines]


def main() -> int:
    """Prints the list with paths relative to the current folder where possible."""
    here = Path.cwd()
    results = RESULTS_DIR.relative_to(here) if RESULTS_DIR.is_relative_to(here) else RESULTS_DIR
    print("\n".join(figure_lines(results, all_targets())))
    return 0


if __name__ == "__main__":
    sys.exit(main())
