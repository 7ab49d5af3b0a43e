"""Decodes fsst files that are known to be whole: for the digests of the files that FSST's own tool wrote."""

from __future__ import annotations

from format_writer import ESCAPE, STORED_LENGTH_ORDER


def _read_symbols(block: bytes) -> tuple[list[bytes], int]:
    """The symbols of a block in the order of their codes, and where its codes start."""
    symbols = []
    position = 20
    for length in STORED_LENGTH_ORDER:
        for _ in range(block[12 + length - 1]):
            symbols.append(block[position : position + length])
            position += length
    return symbols, position


def _decode_block(block: bytes) -> bytes:
    symbols, position = _read_symbols(block)
    output = bytearray()
    codes = iter(block[position:])
    for code in codes:
        if code == ESCAPE:
            output.append(next(codes))
        else:
            output += symbols[code]
    return bytes(output)


def decode_fsst_file(data: bytes) -> bytes:
    """What a whole and undamaged fsst file decodes to."""
    output = bytearray()
    position = 0
    while position < len(data):
        size = int.from_bytes(data[position : position + 3], "big")
        output += _decode_block(data[position : position + size])
        position += size
    return bytes(output)
