"""The checksums of the recorded results: a number that is changed in one of them does not go unseen.

The file is what `sha256sum` writes, sorted by name; `experiments.record` keeps it.
"""

from pathlib import Path

from data.files import digest_of, write_text
from experiments.command_times import command_times_paths

NAME = "checksums.txt"


def read_checksums(folder: Path) -> dict[str, str]:
    """The sha256 of each recorded result by its place, `<machine>/<target>.json`; empty without the file."""
    path = folder / NAME
    if not path.exists():
        return {}
    lines = [line.split() for line in path.read_text(encoding="utf-8").splitlines()]
    return {place: sha256 for sha256, place in lines}


def add_checksum(recorded: Path, folder: Path) -> None:
    """Writes down what the file `recorded`, somewhere in `folder`, holds now."""
    checksums = read_checksums(folder)
    checksums[recorded.relative_to(folder).as_posix()] = digest_of(recorded).sha256
    write_text(folder / NAME, "".join(f"{checksums[place]}  {place}\n" for place in sorted(checksums)))


def changed_records(folder: Path) -> list[str]:
    """A message for each recorded result that is not what was recorded, or is missing."""
    checksums = read_checksums(folder)
    messages = []
    for path in sorted([*folder.glob("*/*.json"), *command_times_paths(folder)]):
        place = path.relative_to(folder).as_posix()
        expected = checksums.pop(place, None)
        if expected is None:
            messages.append(f"{place}: not in {NAME}: record it with `python -m experiments.record`")
        elif expected != digest_of(path).sha256:
            messages.append(f"{place}: changed since it was recorded; no number is edited by hand")
    return messages + [f"{place}: in {NAME}, but there is no such file" for place in checksums]
