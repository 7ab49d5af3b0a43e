"""Blocks of format tiles (FORMAT.md, section 9), written apart from the C++ library."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from format_writer import Block, BlockFormat, Layout, Written, frame_of, little
from xxh64 import xxh64

LANES = 32
CLASSES = 16


def padding(size: int) -> bytes:
    """What follows a payload of `size` bytes."""
    return bytes((8 - size) % 16)


@dataclass(frozen=True)
class TileTable:
    """Symbols by class: a length and its symbols for each class that is not fixed."""

    code_bits: int
    escape_free: bool
    classes: tuple[tuple[int, tuple[bytes, ...]], ...] = ()

    @property
    def class_codes(self) -> int:
        """Codes in a class."""
        return (1 << self.code_bits) // CLASSES

    @property
    def fixed_classes(self) -> int:
        """Classes whose symbols are not stored."""
        if self.code_bits == 8:
            return 0 if self.escape_free else 2
        return 256 // self.class_codes

    @staticmethod
    def of(code_bits: int, escape_free: bool, *symbols: bytes) -> TileTable:
        """A table of these symbols, each length in as many classes as it needs."""
        size = (1 << code_bits) // CLASSES
        classes: list[tuple[int, tuple[bytes, ...]]] = []
        for length in range(1, 9):
            chosen = [symbol for symbol in symbols if len(symbol) == length]
            classes += [(length, tuple(chosen[i : i + size])) for i in range(0, len(chosen), size)]
        return TileTable(code_bits, escape_free, tuple(classes))

    def lengths(self) -> bytes:
        """The length of each class."""
        has_escapes = self.code_bits == 8 and not self.escape_free
        fixed = [0, 1] if has_escapes else [1] * self.fixed_classes
        lengths = fixed + [length for length, _ in self.classes]
        return bytes(lengths + [0] * (CLASSES - len(lengths)))

    def stored_symbols(self) -> bytes:
        """The symbols of all classes that are not fixed, a class filled up with zeros."""
        stored = b""
        for length, symbols in self.classes:
            stored += b"".join(symbols).ljust(length * self.class_codes, b"\0")
        return stored

    def code_of(self) -> dict[bytes, int]:
        """The code of each symbol."""
        codes = {}
        if self.code_bits != 8:
            codes = {bytes([byte]): byte for byte in range(256)}
        for i, (_, symbols) in enumerate(self.classes):
            for j, symbol in enumerate(symbols):
                codes.setdefault(symbol, (self.fixed_classes + i) * self.class_codes + j)
        return codes


@dataclass
class Encoded:
    """Codes with where the output of each strip starts."""

    codes: list[int] = field(default_factory=list)
    strips: list[int] = field(default_factory=list)

    def put(self, code: int, position: int, strip_codes: int) -> None:
        """Adds a code whose output starts at `position`."""
        if len(self.codes) % strip_codes == 0:
            self.strips.append(position)
        self.codes.append(code)


def encode_greedily(table: TileTable, data: bytes, strip_codes: int) -> Encoded:
    """The longest symbol at each position, else both halves of a literal byte in one strip."""
    by_symbol = table.code_of()
    encoded = Encoded()
    position = 0
    while position < len(data):
        for length in range(8, 0, -1):
            symbol = data[position : position + length]
            if len(symbol) == length and symbol in by_symbol:
                encoded.put(by_symbol[symbol], position, strip_codes)
                position += length
                break
        else:
            if len(encoded.codes) % strip_codes == strip_codes - 1:
                encoded.put(0, position, strip_codes)
            encoded.put(data[position] >> 4, position, strip_codes)
            encoded.put(16 + (data[position] & 15), position, strip_codes)
            position += 1
    return encoded


def tile_bytes(code_bits: int, codes: Sequence[int]) -> bytes:
    """A whole tile."""
    if code_bits == 8:
        return bytes(codes)
    if code_bits == 12:
        pairs = zip(codes[::2], codes[1::2], strict=True)
        return bytes(code & 255 for code in codes) + bytes(a >> 8 | b >> 8 << 4 for a, b in pairs)
    rest = b""
    for i in range(0, len(codes), 8):
        even, odd = codes[i : i + 8 : 2], codes[i + 1 : i + 8 : 2]
        rest += bytes(sum((code & 3) << 2 * j for j, code in enumerate(some)) for some in (even, odd))
    return bytes(code >> 2 for code in codes) + rest


@dataclass(frozen=True)
class TilesPayload:
    """What a block of tiles holds."""

    table: TileTable
    codes: Sequence[int]
    strips: Sequence[int]
    uncompressed_bytes: int
    codes_per_lane: int = 16
    tiles_per_strip: int = 1
    # How many blocks before this one the block stands that holds the table; 0 for this one.
    dictionary_id: int = 0

    def written(self) -> Written:
        """The block."""
        tile_codes = LANES * self.codes_per_lane
        filled = [*self.codes, *[0] * (-len(self.codes) % tile_codes)]
        tiles = [filled[i : i + tile_codes] for i in range(0, len(filled), tile_codes)]
        block = Written()
        block.add("block size", bytes(4))
        block.add("uncompressed size", little(self.uncompressed_bytes, 4))
        block.add("code bits", little(self.table.code_bits, 1))
        block.add("codes per lane", little(self.codes_per_lane, 1))
        block.add("tiles per strip", little(self.tiles_per_strip, 2))
        block.add("code count", little(len(self.codes), 4))
        block.add("escape-free flag", little(int(self.table.escape_free), 1))
        block.add("reserved", bytes(3))
        block.add("dictionary id", little(self.dictionary_id, 4))
        block.add("second reserved", bytes(8))
        for i, length in enumerate(self.table.lengths()):
            block.add(f"length of class {i}", little(length, 1))
        block.add("codes", b"".join(tile_bytes(self.table.code_bits, tile) for tile in tiles))
        for i, strip in enumerate(self.strips):
            block.add(f"strip offset {i}", little(strip, 4))
        if self.dictionary_id == 0:
            block.add("symbols", self.table.stored_symbols())
        block.add("padding", padding(len(block.data)))
        block.set("block size", len(block.data))
        return block


def tiles_payload(
    table: TileTable,
    data: bytes,
    codes_per_lane: int = 16,
    tiles_per_strip: int = 1,
    dictionary_id: int = 0,
) -> TilesPayload:
    """The payload of `data`."""
    encoded = encode_greedily(table, data, tiles_per_strip * LANES * codes_per_lane)
    return TilesPayload(
        table, encoded.codes, encoded.strips, len(data), codes_per_lane, tiles_per_strip, dictionary_id
    )


def tiles_block(payload: TilesPayload, output: bytes) -> Block:
    """A block that decodes to `output`."""
    return Block(Layout.WIDE, payload.written(), len(output), xxh64(output))


def raw_tiles_block(data: bytes) -> Block:
    """A block that is stored as it is, with its padding."""
    payload = Written()
    payload.add("raw bytes", data)
    payload.add("padding", padding(len(data)))
    return Block(Layout.RAW, payload, len(data), xxh64(data))


def tiles_frame(block_size: int, blocks: Sequence[Block]) -> Written:
    """A frame of format tiles."""
    return frame_of(BlockFormat.TILES, block_size, 1, blocks)
