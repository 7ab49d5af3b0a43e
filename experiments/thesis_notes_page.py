"""Writes one page with the notes on the thesis.

python -m experiments.thesis_notes_page --output results/thesis_notes.html
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from data.files import write_text
from experiments.definition import all_targets, load_experiment
from experiments.page import render_page
from experiments.thesis_notes import Subject, ThesisNotesError, load_notes

TEMPLATE = "thesis_notes_page.html.j2"


def build_page(subjects: Sequence[Subject]) -> str:
    """The whole page as text."""
    titles = {target: load_experiment(target).title for target in all_targets()}
    return render_page(TEMPLATE, subjects=subjects, titles=titles)


def main() -> int:
    """Writes the page; status 1 where the notes are malformed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--output", type=Path, required=True)
    arguments = parser.parse_args()
    try:
        write_text(arguments.output, build_page(load_notes()))
    except ThesisNotesError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
