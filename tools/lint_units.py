"""The units that clang-tidy reads: many files in one, because it spends most of its time on the headers of
libraries, once for each unit.

The preset `lint` describes each target as one unit. Those of a folder of the root are joined further: its
libraries to one, its tests to another, which is checked less. A program stays by itself, for two have a
main() each.
"""

import json
import re
import shlex
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

_INCLUDE = re.compile(r'^\s*#\s*include\s*["<]([^">]+)[">]', re.MULTILINE)
_ENTRY_POINT = re.compile(r"\bint main\(|\bLLVMFuzzerTestOneInput\(")
_KINDS = ("_test", "_benchmark", "")
# What is read without the rest of its folder: in one unit names that nobody outside sees meet.
_APART = frozenset({"experiments/measure_lookups/lookup_rows.cpp", "experiments/measure_peers/peer_rows.cpp"})


@dataclass(frozen=True)
class Unit:
    """Files that are read together, with the options of the compiler for them."""

    files: tuple[Path, ...]
    options: tuple[str, ...]
    # CMake was told to leave the file out of its target's unit.
    stays_alone: bool = False


def included_files(source: Path) -> list[str]:
    """What `source` includes, as it is written there."""
    return _INCLUDE.findall(source.read_text(encoding="utf-8"))


def _files_of(described: Path) -> tuple[Path, ...]:
    """The files that a unit of CMake stands for: those that it includes by absolute path, else itself."""
    return tuple(Path(name) for name in included_files(described) if Path(name).is_absolute()) or (described,)


def _options(command: str, described: str) -> tuple[str, ...]:
    """The options of a compiler's command line, without the names of its files."""
    words = shlex.split(command)[1:]
    output = words.index("-o")
    words = words[:output] + words[output + 2 :]
    return tuple(word for word in words if word not in ("-c", described))


def read_units(database: Path) -> list[Unit]:
    """The units of a compile_commands.json."""
    entries = json.loads(database.read_text(encoding="utf-8"))
    units = []
    for entry in entries:
        files = _files_of(Path(entry["file"]))
        stays_alone = files == (Path(entry["file"]),)
        units.append(Unit(files, _options(entry["command"], entry["file"]), stays_alone))
    return units


def _is_program(file: Path) -> bool:
    return _ENTRY_POINT.search(file.read_text(encoding="utf-8")) is not None


def _group(unit: Unit, root: Path) -> tuple[str, str] | None:
    """Units of the same group are joined; None for one that stays by itself."""
    if unit.stays_alone or any(map(_is_program, unit.files)):
        return None
    if any(file.relative_to(root).as_posix() in _APART for file in unit.files if file.is_relative_to(root)):
        return None
    return unit.files[0].relative_to(root).parts[0], _kind(unit.files[0])


def _kind(file: Path) -> str:
    return next(kind for kind in _KINDS if file.stem.endswith(kind))


def _by_kind(files: Iterable[Path]) -> list[tuple[Path, ...]]:
    """The files in groups of one kind: a test's program may have files that are no tests."""
    groups: dict[str, list[Path]] = {}
    for file in files:
        groups.setdefault(_kind(file), []).append(file)
    return [tuple(group) for group in groups.values()]


def join_units(units: Iterable[Unit], wanted: Iterable[Path], root: Path) -> list[Unit]:
    """Units with each of the `wanted` files once, the largest first.

    Files that are in none of `units`, because other builds have them, are read with the options of their
    folder's libraries, each program by itself. Where there is no library, they are left out.
    """
    left = set(wanted)
    joined: dict[tuple[str, str], list[Unit]] = {}
    alone: list[Unit] = []
    for unit in units:
        for files in _by_kind(file for file in unit.files if file in left):
            left_unit = replace(unit, files=files)
            group = _group(left_unit, root)
            if group is None:
                alone.append(left_unit)
            else:
                joined.setdefault(group, []).append(left_unit)
                left.difference_update(files)
    # A library's file may be in a program too: what a program has alone is left to it.
    for unit in alone:
        files = tuple(file for file in unit.files if file in left)
        left.difference_update(files)
        if files:
            joined[str(files[0]), "alone"] = [replace(unit, files=files)]
    whole = [_one(group) for group in joined.values()]
    for folder in {file.relative_to(root).parts[0] for file in left}:
        if (folder, "") in joined:
            others = sorted(file for file in left if file.relative_to(root).parts[0] == folder)
            options = _one(joined[folder, ""]).options
            programs = [file for file in others if _is_program(file)]
            whole.extend(Unit((program,), options) for program in programs)
            whole.extend(
                Unit(files, options) for files in _by_kind(file for file in others if file not in programs)
            )
    return sorted(whole, key=lambda unit: -len(unit.files))


def _one(units: Sequence[Unit]) -> Unit:
    files = dict.fromkeys(file for unit in units for file in unit.files)
    options = dict.fromkeys(option for unit in units for option in _joined_words(unit.options))
    return Unit(tuple(files), tuple(word for option in options for word in option))


def _joined_words(options: Sequence[str]) -> list[tuple[str, ...]]:
    """The options, each with the word that belongs to it."""
    grouped: list[tuple[str, ...]] = []
    for word in options:
        if grouped and grouped[-1] == ("-isystem",):
            grouped[-1] = ("-isystem", word)
        else:
            grouped.append((word,))
    return grouped


def write_units(units: Sequence[Unit], folder: Path) -> list[Path]:
    """Writes the units and their compile_commands.json to `folder`; the paths in the order of `units`."""
    folder.mkdir(exist_ok=True)
    paths = [folder / f"unit_{number}.cpp" for number in range(len(units))]
    entries = []
    for path, unit in zip(paths, units, strict=True):
        path.write_text("".join(f'#include "{file}"\n' for file in unit.files), encoding="utf-8")
        arguments = ["clang++", *unit.options, "-c", str(path)]
        entries.append({"directory": str(folder), "file": str(path), "arguments": arguments})
    (folder / "compile_commands.json").write_text(json.dumps(entries), encoding="utf-8")
    return paths
