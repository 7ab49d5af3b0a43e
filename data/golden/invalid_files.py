"""The files that every decoder must reject, with the field and the block that its error must name."""

from __future__ import annotations

from invalid_blocks import payload_truncations, wrong_block_headers, wrong_split_headers, wrong_tables
from invalid_codes import wrong_coalesced_codes, wrong_codes
from invalid_file import InvalidFile
from invalid_frames import (
    truncated_frames,
    wrong_frame_headers,
    wrong_index_entries,
    wrong_index_records,
    wrong_indexes,
    wrong_records,
    wrong_trailers,
)
from invalid_fsst_files import fsst_errors
from invalid_tiles import tiles_errors


def invalid_files() -> list[InvalidFile]:
    """Every invalid file, in the order of the list."""
    return [
        *truncated_frames(),
        *wrong_frame_headers(),
        *wrong_records(),
        *wrong_index_records(),
        *wrong_index_entries(),
        *wrong_indexes(),
        *wrong_trailers(),
        *payload_truncations(),
        *wrong_block_headers(),
        *wrong_tables(),
        *wrong_split_headers(),
        *wrong_codes(),
        *wrong_coalesced_codes(),
        *tiles_errors(),
        *fsst_errors(),
    ]
