"""Writes one page with the notes on a paper.

python -m experiments.paper_notes_page NOTES.yaml --output results/NOTES.html
"""

import argparse
import sys
from pathlib import Path

from data.files import write_text
from experiments.definition import all_targets, load_experiment
from experiments.page import render_page
from experiments.paper_notes import PaperNotes, PaperNotesError, load_notes

TEMPLATE = "paper_notes_page.html.j2"


def build_page(notes: PaperNotes) -> str:
    """The whole page as text."""
    titles = {target: load_experiment(target).title for target in all_targets()}
    return render_page(TEMPLATE, paper=notes, titles=titles)


def main() -> int:
    """Writes the page; status 1 where the notes are malformed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("notes", type=Path)
    parser.add_argument("--output", type=Path, required=True)
    arguments = parser.parse_args()
    try:
        write_text(arguments.output, build_page(load_notes(arguments.notes)))
    except PaperNotesError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
