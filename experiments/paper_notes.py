"""Reads the notes on papers: what is contradictory or open there, and what was done about it."""

from dataclasses import dataclass
from pathlib import Path

from jsonschema import ValidationError

from data.schema import validate
from data.yaml_file import read_yaml
from experiments.definition import EXPERIMENTS_DIR
from experiments.published import PAPERS_DIR

SCHEMA_PATH = EXPERIMENTS_DIR / "schemas" / "paper_notes.schema.json"


class PaperNotesError(Exception):
    """The file of the notes is malformed."""


@dataclass(frozen=True)
class Note:
    """One place of a paper, as texts: what it says there, and what is done here.

    `see` are files of the repository, `targets` figures that show it.
    """

    title: str
    place: str
    says: str
    here: str
    arithmetic: tuple[str, ...]
    see: tuple[str, ...]
    targets: tuple[str, ...]

    @property
    def anchor(self) -> str:
        """Its place in the page."""
        return "_".join("".join(c if c.isalnum() else " " for c in self.title.lower()).split())


@dataclass(frozen=True)
class Subject:
    """The notes on one subject."""

    title: str
    notes: tuple[Note, ...]


@dataclass(frozen=True)
class PaperNotes:
    """All notes on a paper. `name` is what the page calls it, `source` are its authors, title and year."""

    title: str
    name: str
    source: str
    subjects: tuple[Subject, ...]

    @property
    def notes(self) -> list[Note]:
        """Those on every subject."""
        return [note for subject in self.subjects for note in subject.notes]


def _note(entry: dict) -> Note:
    return Note(
        entry["title"],
        entry["place"],
        entry["says"].strip(),
        entry["here"].strip(),
        tuple(entry.get("arithmetic", ())),
        tuple(entry.get("see", ())),
        tuple(entry.get("targets", ())),
    )


def notes_paths() -> list[Path]:
    """The file of each paper that has notes, `<paper>_notes.yaml`."""
    return sorted(PAPERS_DIR.glob("*_notes.yaml"))


def page_name(path: Path) -> str:
    """The page that shows the notes of a file."""
    return f"{path.stem}.html"


def load_notes(path: Path) -> PaperNotes:
    """Reads the notes of a file. Raises PaperNotesError, which names the file and the field."""
    document = read_yaml(path)
    try:
        validate(document, SCHEMA_PATH)
    except ValidationError as error:
        raise PaperNotesError(f"{path}: {error.json_path}: {error.message}") from error
    subjects = (
        Subject(entry["subject"], tuple(map(_note, entry["notes"]))) for entry in document["subjects"]
    )
    return PaperNotes(document["title"], document["name"], document["source"].strip(), tuple(subjects))
