import sys
from pathlib import Path

import pytest

from experiments import paper_notes_page as module
from experiments.definition import all_targets
from experiments.paper_notes import (
    Note,
    PaperNotes,
    PaperNotesError,
    Subject,
    load_notes,
    notes_paths,
    page_name,
)
from experiments.paper_notes_page import build_page
from experiments.published import PAPERS_DIR
from experiments.sources import REPOSITORY_ROOT

PATHS = notes_paths()
NOTES = [note for path in PATHS for note in load_notes(path).notes]
SUMS = [line for note in NOTES for line in note.arithmetic]


@pytest.mark.parametrize("line", SUMS)
def test_the_arithmetic_is_right(line: str) -> None:
    expression, _, printed = line.partition(": ")[2].partition(" = ")
    decimals = len(printed.partition(".")[2])
    # The schema lets nothing but digits, points, brackets and operators through.
    assert f"{eval(expression):.{decimals}f}" == printed


@pytest.mark.parametrize("note", NOTES, ids=lambda note: note.anchor)
def test_a_note_names_files_and_figures_that_are_there(note: Note) -> None:
    for path in note.see:
        assert (REPOSITORY_ROOT / path).is_file(), path
    assert set(note.targets) <= set(all_targets())


def test_the_thesis_and_the_paper_on_the_encoder_have_notes() -> None:
    assert {path.stem for path in PATHS} >= {"gpu_fsst_encoder_notes", "gsst_thesis_notes"}
    # Notes are on a paper of which numbers are published here.
    assert all((PAPERS_DIR / f"{path.stem.removesuffix('_notes')}.csv").is_file() for path in PATHS)


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_every_note_has_its_own_place_in_the_page(path: Path) -> None:
    notes = load_notes(path).notes
    assert len({note.anchor for note in notes}) == len(notes)


def changed_copy(folder: Path, old: str, new: str) -> Path:
    text = (PAPERS_DIR / "gsst_thesis_notes.yaml").read_text(encoding="utf-8")
    assert old in text
    path = folder / "notes.yaml"
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("        place: ", "        where: ", r"\$\.subjects\[0\]\.notes\[0\]"),
        ("2**8 - 1 = 255", "print() = 255", r"\$\.subjects\[0\]\.notes\[0\]\.arithmetic\[0\]"),
    ],
)
def test_a_wrong_field_is_named(old: str, new: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(PaperNotesError, match=rf"notes\.yaml: {message}"):
        load_notes(changed_copy(tmp_path, old, new))


def test_the_page_shows_a_note_with_what_it_points_to() -> None:
    note = Note(
        "Two <sizes>",
        "Section 9",
        "It is 2 & 3.",
        "It is 2.",
        ("sum: 1 + 1 = 2",),
        ("a/b.md",),
        ("gsst_fig_6_1",),
    )
    page = build_page(PaperNotes("Notes on <it>", "the paper", "A, B", (Subject("Sizes", (note,)),)))
    for part in (
        "<h1>Notes on &lt;it&gt;</h1>",
        "the paper (A, B)",
        '<h3 id="two_sizes">Two &lt;sizes&gt;</h3>',
        'href="#two_sizes"',
        "Section 9",
        "It is 2 &amp; 3.",
        "<li>sum: 1 + 1 = 2</li>",
        '<code>a/b.md</code>, <a href="index.html#gsst_fig_6_1">Throughput of the seven',
    ):
        assert part in page
    assert 'name="viewport"' in page


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_every_note_is_on_the_page(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    output = tmp_path / page_name(path)
    monkeypatch.setattr(sys, "argv", ["paper_notes_page", str(path), "--output", str(output)])
    assert module.main() == 0
    page = output.read_text(encoding="utf-8")
    assert all(f'id="{note.anchor}"' in page for note in load_notes(path).notes)
