"""Files of series codag by their second reader."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from codag_byte_rle import bytes_of
from codag_orc_rle_v1 import v1_of
from codag_orc_rle_v2 import v2_of
from codag_streams import StreamError
from format_writer import Layout
from frame_reader import Stored, stored_blocks
from tile_integer_for import FieldError
from xxh64 import xxh64

FOLDER = Path(__file__).resolve().parent / "codag"
# By the number of the format.
READERS = {64: bytes_of, 65: v1_of, 66: v2_of}


def output_of(block: Stored) -> bytes:
    """What a block decodes to."""
    if block.layout == Layout.RAW:
        return block.payload
    return READERS[block.format_id](block.payload, block.uncompressed_bytes)


def listed(folder: str) -> list[Any]:
    """The entries of the list."""
    return json.loads((FOLDER / "golden.json").read_text())[folder]


def test_reader_gives_back_every_valid_file() -> None:
    for entry in listed("valid"):
        output = b""
        for block in stored_blocks((FOLDER / entry["file"]).read_bytes()):
            assert xxh64(output_of(block)) == block.checksum, entry["file"]
            output += output_of(block)
        assert (len(output), f"{xxh64(output):016x}") == (entry["size"], entry["xxh64"]), entry["file"]


def test_reader_refuses_every_invalid_file() -> None:
    for entry in listed("invalid"):
        for i, block in enumerate(stored_blocks((FOLDER / entry["file"]).read_bytes())):
            if i != entry["block"]:
                assert xxh64(output_of(block)) == block.checksum
                continue
            with pytest.raises(FieldError) as error:
                output_of(block)
            assert error.value.field == entry["field"], entry["file"]
            if entry["status"] is not None:
                assert isinstance(error.value, StreamError), entry["file"]
                assert (error.value.status, error.value.byte) == (entry["status"], entry["byte"]), entry[
                    "file"
                ]


def test_invalid_files_have_every_mistake() -> None:
    found = {(entry["format"], entry["status"]) for entry in listed("invalid")}
    assert found == {
        *(("byte_rle", status) for status in (1, 2, 3, 7)),
        *(("orc_rle_v1", status) for status in (None, 1, 2, 3, 4, 7)),
        *(("orc_rle_v2", status) for status in (None, 1, 2, 3, 4, 5, 6, 7)),
    }
