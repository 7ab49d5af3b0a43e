"""Reads the notes on the thesis: where it contradicts itself, and what was done about it."""

from dataclasses import dataclass
from pathlib import Path

import yaml
from jsonschema import ValidationError

from data.schema import validate
from experiments.definition import EXPERIMENTS_DIR
from experiments.published import PAPERS_DIR

NOTES_PATH = PAPERS_DIR / "gsst_thesis_notes.yaml"
SCHEMA_PATH = EXPERIMENTS_DIR / "schemas" / "thesis_notes.schema.json"


class ThesisNotesError(Exception):
    """The file of the notes is malformed."""


@dataclass(frozen=True)
class Note:
    """One contradiction, as texts. `see` are files of the repository, `targets` figures that show it."""

    title: str
    place: str
    thesis: str
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


def _note(entry: dict) -> Note:
    return Note(
        entry["title"],
        entry["place"],
        entry["thesis"].strip(),
        entry["here"].strip(),
        tuple(entry.get("arithmetic", ())),
        tuple(entry.get("see", ())),
        tuple(entry.get("targets", ())),
    )


def load_notes(path: Path = NOTES_PATH) -> list[Subject]:
    """Reads the notes. Raises ThesisNotesError, which names the file and the field."""
    document = yaml.safe_load(path.read_text(encoding="utf-8"))
    try:
        validate(document, SCHEMA_PATH)
    except ValidationError as error:
        raise ThesisNotesError(f"{path}: {error.json_path}: {error.message}") from error
    return [Subject(entry["subject"], tuple(map(_note, entry["notes"]))) for entry in document]
