"""Files of series codag by their second reader."""

from __future__ import annotations

import json
import zlib
from pathlib import Path
from typing import Any

import pytest
from codag_byte_rle import bytes_of
from codag_deflate import inflated
from codag_orc_rle_v1 import v1_of
from codag_orc_rle_v2 import v2_of
from codag_streams import StreamError
from format_writer import Layout
from frame_reader import Stored, stored_blocks
from tile_integer_for import FieldError
from xxh64 import xxh64

FOLDER = Path(__file__).resolve().parent / "codag"
# By the number of the format.
READERS = {64: bytes_of, 65: v1_of, 66: v2_of, 67: inflated}


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
        *(("deflate", status) for status in (None, *range(1, 20))),
    }


def test_zlib_decides_on_streams_of_deflate_as_the_reader_does() -> None:
    for folder in ("valid", "invalid"):
        for entry in listed(folder):
            if entry["format"] != "deflate":
                continue
            for i, block in enumerate(stored_blocks((FOLDER / entry["file"]).read_bytes())):
                if block.layout == Layout.RAW:
                    continue
                decoder = zlib.decompressobj(-15)
                try:
                    output = decoder.decompress(block.payload) + decoder.flush()
                except zlib.error:
                    output = None
                is_whole = decoder.eof and not decoder.unused_data
                is_good = is_whole and output is not None and len(output) == block.uncompressed_bytes
                assert is_good == (i != entry.get("block")), entry["file"]
                assert not is_good or xxh64(output) == block.checksum
