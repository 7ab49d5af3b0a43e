import sys
from pathlib import Path

import pytest

from experiments import thesis_notes_page as module
from experiments.definition import all_targets
from experiments.sources import REPOSITORY_ROOT
from experiments.thesis_notes import NOTES_PATH, Note, Subject, ThesisNotesError, load_notes
from experiments.thesis_notes_page import build_page

NOTES = [note for subject in load_notes() for note in subject.notes]
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


def test_every_note_has_a_place_of_its_own_in_the_page() -> None:
    assert len({note.anchor for note in NOTES}) == len(NOTES)


def changed_copy(folder: Path, old: str, new: str) -> Path:
    text = NOTES_PATH.read_text(encoding="utf-8")
    assert old in text
    path = folder / "notes.yaml"
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("      place: ", "      where: ", r"\$\[0\]\.notes\[0\]"),
        ("2**8 - 1 = 255", "print() = 255", r"\$\[0\]\.notes\[0\]\.arithmetic\[0\]"),
    ],
)
def test_a_wrong_field_is_named(old: str, new: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(ThesisNotesError, match=rf"notes\.yaml: {message}"):
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
    page = build_page([Subject("Sizes", (note,))])
    for part in (
        '<h3 id="two_sizes">Two &lt;sizes&gt;</h3>',
        'href="#two_sizes"',
        "Section 9",
        "It is 2 &amp; 3.",
        "<li>sum: 1 + 1 = 2</li>",
        '<a href="../a/b.md">a/b.md</a>, <a href="index.html#gsst_fig_6_1">Throughput of the seven',
    ):
        assert part in page
    assert 'name="viewport"' in page


def test_every_note_is_on_the_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    output = tmp_path / "thesis_notes.html"
    monkeypatch.setattr(sys, "argv", ["thesis_notes_page", "--output", str(output)])
    assert module.main() == 0
    page = output.read_text(encoding="utf-8")
    assert all(f'id="{note.anchor}"' in page for note in NOTES)
