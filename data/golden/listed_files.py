"""Golden files of a series, with a list of their own."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping

# What the list says of a file, and its bytes.
Listed = tuple[Mapping[str, object], bytes]


def files_with_list(folder: str, valid: Iterable[Listed], invalid: Iterable[Listed]) -> dict[str, bytes]:
    """Every file, by its path below data/golden, and folder/golden.json, which lists them. The field `file`
    of an entry is the path below the folder. Raises ValueError where two files are called the same."""
    files: dict[str, bytes] = {}
    listed: dict[str, list[Mapping[str, object]]] = {"valid": [], "invalid": []}
    for kind, named in (("valid", valid), ("invalid", invalid)):
        for entry, data in named:
            path = f"{folder}/{entry['file']}"
            if path in files:
                raise ValueError(f"two files are called {path}")
            files[path] = data
            listed[kind].append(entry)
    files[f"{folder}/golden.json"] = (json.dumps(listed, indent=1) + "\n").encode()
    return files
