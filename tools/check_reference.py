"""Fails where a header or an enumerator has no comment: Doxygen 1.9.4, of Debian 12, does not warn of these.

Of a header without a `@file` comment it leaves out all functions, and warns of none of them.

python -m tools.check_reference FOLDER    FOLDER holds the XML that Doxygen wrote
"""

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree


def _has_comment(element: ElementTree.Element) -> bool:
    descriptions = [element.find(part) for part in ("briefdescription", "detaileddescription")]
    return any(part is not None and "".join(part.itertext()).strip() for part in descriptions)


def _described(compound: ElementTree.Element) -> Iterator[tuple[str, bool]]:
    """The name of a header and of each enumerator, and whether it has a comment."""
    if compound.get("kind") == "file" and compound.get("language") == "C++":
        yield compound.findtext("compoundname", ""), _has_comment(compound)
    for enum in compound.iter("memberdef"):
        for value in enum.iter("enumvalue"):
            scope = enum.findtext("qualifiedname") or enum.findtext("name")
            yield f"{scope}::{value.findtext('name')}", _has_comment(value)


def undocumented(folder: Path) -> list[str]:
    """The headers and the enumerators (ENUM::ENUMERATOR) without a comment, sorted. An error if there are
    no headers at all."""
    compounds = [
        compound for file in folder.glob("*.xml") for compound in ElementTree.parse(file).iter("compounddef")
    ]
    described = dict(pair for compound in compounds for pair in _described(compound))
    if not described:
        raise FileNotFoundError(f"{folder}: no description of a header")
    return sorted(name for name, has_comment in described.items() if not has_comment)


def main() -> int:
    parser = argparse.ArgumentParser(description="Fail where a header or an enumerator has no comment.")
    parser.add_argument("folder", type=Path, help="the XML that Doxygen wrote")
    names = undocumented(parser.parse_args().folder)
    for name in names:
        print(f"{name} is not documented", file=sys.stderr)
    return 1 if names else 0


if __name__ == "__main__":
    sys.exit(main())
