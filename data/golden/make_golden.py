"""Writes the golden files and their list, golden.json.

    python3 data/golden/make_golden.py

The files in fsst_tool/ were written by FSST's own command line tool; the list takes them as they are.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from pathlib import Path

from codag_files import codag_files
from column_files import invalid_columns, valid_columns
from fsst_reader import decode_fsst_file
from invalid_files import invalid_files
from lookup_column_files import invalid_lookup_columns, valid_lookup_columns
from parquet_files import parquet_files
from separated_column_files import invalid_separated_columns, valid_separated_columns
from tile_integer_files import tile_integer_files
from valid_files import FSST, valid_files
from valid_tiles import valid_tiles
from value_files import value_files
from xxh64 import xxh64
from zero_length_files import zero_length_files

FOLDER = Path(__file__).resolve().parent
# Below it, those with files that are written.
FOLDERS = (
    "valid",
    "invalid",
    "zero_length/valid",
    "zero_length/invalid",
    "tile_integer/valid",
    "tile_integer/invalid",
    "codag/valid",
    "codag/invalid",
    "parquet/valid",
    "parquet/invalid",
    "values/valid",
    "values/invalid",
)
Entry = dict[str, str | int | None]


def valid_entry(file: str, container: str, output: bytes) -> Entry:
    """What a valid file must decode to."""
    return {
        "file": file,
        "container": container,
        "size": len(output),
        "sha256": hashlib.sha256(output).hexdigest(),
        "xxh64": f"{xxh64(output):016x}",
    }


def fsst_tool_entries() -> list[Entry]:
    """The files of FSST's own tool; what they decode to must have the digest that came with them."""
    entries = []
    for line in (FOLDER / "fsst_tool/decompressed.sha256").read_text().splitlines():
        digest, name = line.split()
        file = f"fsst_tool/{name}.fsst"
        entry = valid_entry(file, FSST, decode_fsst_file((FOLDER / file).read_bytes()))
        if entry["sha256"] != digest:
            raise ValueError(f"{file} decodes to {entry['sha256']}, its list says {digest}")
        entries.append(entry)
    return sorted(entries, key=lambda entry: str(entry["file"]))


def column_entries(files: dict[str, bytes]) -> dict[str, list[Entry]]:
    """The lists of columns, which are added to `files`."""
    valid: list[Entry] = []
    for good in [*valid_columns(), *valid_lookup_columns(), *valid_separated_columns()]:
        files[f"valid/{good.name}"] = good.data
        valid.append(
            {
                "file": f"valid/{good.name}",
                "kind": good.kind,
                "offset_width": good.offset_width,
                "strings": len(good.strings),
                "nulls": sum(string is None for string in good.strings),
                "xxh64": f"{good.digest():016x}",
            }
        )
    invalid: list[Entry] = []
    for bad in [*invalid_columns(), *invalid_lookup_columns(), *invalid_separated_columns()]:
        files[f"invalid/{bad.name}"] = bad.data
        invalid.append({"file": f"invalid/{bad.name}", "why": bad.why, "field": bad.field})
    return {"valid_columns": valid, "invalid_columns": invalid}


def golden_files() -> dict[str, bytes]:
    """Every file that is written, by its path below data/golden."""
    files: dict[str, bytes] = {}
    valid: list[Entry] = []
    for good in [*valid_files(), *valid_tiles()]:
        files[f"valid/{good.name}"] = good.data
        valid.append(valid_entry(f"valid/{good.name}", good.container, good.output))
    invalid: list[Entry] = []
    for bad in invalid_files():
        path = f"invalid/{bad.name}"
        if path in files:
            raise ValueError(f"two files are called {path}")
        files[path] = bad.data
        entry: Entry = {
            "file": path,
            "container": bad.container,
            "why": bad.why,
            "field": bad.expected.field,
            "block": bad.expected.block,
        }
        if bad.stream != bad.expected:
            entry["stream_field"] = bad.stream.field
            entry["stream_block"] = bad.stream.block
        invalid.append(entry)
    listed = {"valid": valid + fsst_tool_entries(), "invalid": invalid, **column_entries(files)}
    files["golden.json"] = (json.dumps(listed, indent=1) + "\n").encode()
    return (
        files | zero_length_files() | tile_integer_files() | codag_files() | parquet_files() | value_files()
    )


def main() -> None:
    """Replaces the folders of files, and the lists."""
    files = golden_files()
    for folder in FOLDERS:
        shutil.rmtree(FOLDER / folder, ignore_errors=True)
        (FOLDER / folder).mkdir(parents=True)
    for path, data in files.items():
        (FOLDER / path).write_bytes(data)
    print(f"{len(files)} files, with the lists")


if __name__ == "__main__":
    main()
