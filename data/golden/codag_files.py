"""Files of series codag (FORMAT.md, section 13), valid and damaged, with a list of their own."""

from __future__ import annotations

from collections.abc import Iterator

from codag_byte_rle import byte_rle_invalid, byte_rle_valid
from codag_deflate import deflate_invalid, deflate_valid
from codag_orc_rle_v1 import v1_invalid, v1_valid
from codag_orc_rle_v2 import v2_invalid, v2_valid
from codag_streams import Invalid, Valid
from listed_files import files_with_list
from xxh64 import xxh64

FOLDER = "codag"


def valid() -> Iterator[Valid]:
    """All valid files."""
    yield from byte_rle_valid()
    yield from v1_valid()
    yield from v2_valid()
    yield from deflate_valid()


def invalid() -> Iterator[Invalid]:
    """All invalid files."""
    yield from byte_rle_invalid()
    yield from v1_invalid()
    yield from v2_invalid()
    yield from deflate_invalid()


def valid_entry(good: Valid) -> dict[str, object]:
    """What the list says of a valid file."""
    return {
        "file": f"valid/{good.coding.prefix}{good.name}",
        "format": good.coding.name,
        "size": len(good.output),
        "xxh64": f"{xxh64(good.output):016x}",
        "block_size": good.block_size,
        "options": good.options or {},
    }


def invalid_entry(bad: Invalid) -> dict[str, object]:
    """What the list says of an invalid file."""
    return {
        "file": f"invalid/{bad.coding.prefix}{bad.name}",
        "format": bad.coding.name,
        "why": bad.why,
        "field": bad.field,
        "block": bad.block,
        "status": bad.status,
        "byte": bad.byte,
    }


def codag_files() -> dict[str, bytes]:
    """Every file, by its path below data/golden, with the list of them."""
    return files_with_list(
        FOLDER,
        ((valid_entry(good), good.data) for good in valid()),
        ((invalid_entry(bad), bad.data) for bad in invalid()),
    )
