"""FORMAT.md in Python, written apart from the C++ library so that neither can hide the other's mistakes.

Everything that is written remembers where its fields stand, so that a damaged file is a valid one with a
named field changed or with the file cut inside a named field.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from enum import IntEnum

from xxh64 import xxh64, xxh64_tree

ESCAPE = 255
FSST_VERSION = 20190218
STORED_LENGTH_ORDER = (2, 3, 4, 5, 6, 7, 8, 1)
FRAME_MAGIC = b"\x89GSST\r\n\x1a"
TRAILER_MAGIC = b"\x89TSSG\r\n\x1a"


class BlockFormat(IntEnum):
    """Format ids of frames."""

    BLOCKS = 1
    SPLITS = 2
    COALESCED = 3
    TILES = 4


class ChecksumKind(IntEnum):
    """How a frame checks its blocks and its index."""

    XXH64 = 1
    TREE = 2

    def of(self, data: bytes) -> int:
        """The checksum of `data`."""
        return xxh64_tree(data) if self == ChecksumKind.TREE else xxh64(data)


class Layout(IntEnum):
    """Layouts of a block in a frame."""

    RAW = 0
    NARROW = 1
    WIDE = 2


def little(value: int, width: int) -> bytes:
    """An unsigned little-endian integer of `width` bytes."""
    return value.to_bytes(width, "little")


@dataclass(frozen=True)
class Field:
    """Where a named field stands."""

    name: str
    start: int
    end: int


@dataclass
class Written:
    """Bytes and the fields they are made of."""

    data: bytearray = field(default_factory=bytearray)
    fields: list[Field] = field(default_factory=list)

    def add(self, name: str, value: bytes) -> None:
        """Appends a field."""
        self.fields.append(Field(name, len(self.data), len(self.data) + len(value)))
        self.data += value

    def add_all(self, prefix: str, other: Written) -> None:
        """Appends `other`, its field names behind `prefix`."""
        base = len(self.data)
        self.fields += [Field(f"{prefix}/{f.name}", base + f.start, base + f.end) for f in other.fields]
        self.data += other.data

    def find(self, name: str) -> Field:
        """The field of that name."""
        (found,) = (f for f in self.fields if f.name == name)
        return found

    def get(self, name: str) -> bytes:
        """The bytes of a field."""
        found = self.find(name)
        return bytes(self.data[found.start : found.end])

    def set(self, name: str, value: int | bytes) -> None:
        """Overwrites a field; a number is written little-endian."""
        found = self.find(name)
        width = found.end - found.start
        stored = little(value, width) if isinstance(value, int) else value
        if len(stored) != width:
            raise ValueError(f"{name} takes {width} bytes, not {len(stored)}")
        self.data[found.start : found.end] = stored


@dataclass(frozen=True)
class SymbolTable:
    """Symbols in the order of their codes (FORMAT.md, section 2)."""

    symbols: tuple[bytes, ...] = ()
    suffix_limit: int = 0
    terminator: int = 0

    @staticmethod
    def of(*symbols: bytes) -> SymbolTable:
        """A table of these symbols, put into the stored order of lengths."""
        return SymbolTable(tuple(sorted(symbols, key=lambda symbol: STORED_LENGTH_ORDER.index(len(symbol)))))

    def stored(self) -> Written:
        """The table as a block stores it."""
        if any(not 1 <= len(symbol) <= 8 for symbol in self.symbols) or len(self.symbols) > 255:
            raise ValueError("a table has at most 255 symbols of 1 to 8 bytes")
        word = (
            FSST_VERSION << 32 | self.suffix_limit << 24 | self.terminator << 16 | len(self.symbols) << 8 | 1
        )
        histogram = bytes(sum(len(symbol) == length for symbol in self.symbols) for length in range(1, 9))
        written = Written()
        written.add("version word", little(word, 8))
        written.add("zero-terminated flag", b"\0")
        written.add("length histogram", histogram)
        written.add("symbols", b"".join(self.symbols))
        return written

    def encode(self, data: bytes) -> bytes:
        """The codes of `data`: the longest symbol at each position, else an escape."""
        codes = bytearray()
        position = 0
        by_symbol = {symbol: code for code, symbol in reversed(list(enumerate(self.symbols)))}
        while position < len(data):
            for length in range(8, 0, -1):
                code = by_symbol.get(data[position : position + length])
                if code is not None:
                    codes.append(code)
                    position += len(self.symbols[code])
                    break
            else:
                codes += bytes((ESCAPE, data[position]))
                position += 1
        return bytes(codes)


def part(total: int, parts: int) -> int:
    """`total / parts` rounded up (FORMAT.md, section 1)."""
    return -(-total // parts)


@dataclass(frozen=True)
class Payload:
    """What a block holds: codes as stored, and split locations as stored, highest bit included."""

    uncompressed_bytes: int
    table: SymbolTable
    codes: bytes
    locations: tuple[int, ...] = ()

    def written(self, block_format: BlockFormat, layout: Layout) -> Written:
        """The block (FORMAT.md, sections 3 to 5)."""
        wide = layout == Layout.WIDE
        header = Written()
        header.add("block size", bytes(4 if wide else 3))
        header.add("uncompressed size", little(self.uncompressed_bytes, 4))
        if block_format != BlockFormat.BLOCKS:
            header.add("number of splits", little(len(self.locations), 4 if wide else 1))
            for i, location in enumerate(self.locations):
                header.add(f"split location {i}", little(location, 4 if wide else 3))
        header.add_all("table", self.table.stored())
        header.add("codes", self.codes)
        set_block_size(header, layout, len(header.data))
        return header


def set_block_size(block: Written, layout: Layout, size: int) -> None:
    """Writes the block size in the byte order of the layout."""
    block.set("block size", size if layout == Layout.WIDE else size.to_bytes(3, "big"))


def encode_blocks(table: SymbolTable, data: bytes) -> Payload:
    """Section 3."""
    return Payload(len(data), table, table.encode(data))


def encode_splits(table: SymbolTable, data: bytes, split_count: int) -> Payload:
    """Section 4: every split is encoded on its own."""
    size = part(len(data), split_count)
    pieces = [table.encode(data[i * size : (i + 1) * size]) for i in range(split_count)]
    locations = tuple(sum(map(len, pieces[:i])) for i in range(split_count))
    return Payload(len(data), table, b"".join(pieces), locations)


def deal(codes: bytes, split_count: int) -> list[bytes]:
    """Cuts a sequence of codes into the splits of a coalesced block."""
    size, longer = divmod(len(codes), split_count)
    pieces = []
    for i in range(split_count):
        start = i * size + min(i, longer)
        pieces.append(codes[start : start + size + (i < longer)])
    return pieces


def interleave(pieces: Sequence[bytes]) -> bytes:
    """Stores code x of split s at s + x * N; the pieces' lengths differ by at most one, longer ones first."""
    rows = len(pieces[0])
    return bytes(piece[x] for x in range(rows) for piece in pieces if x < len(piece))


def code_outputs(table: SymbolTable, codes: bytes) -> tuple[list[int], list[bool]]:
    """For each code byte: how much it puts out, and whether it is an escaped byte."""
    outputs: list[int] = []
    escaped: list[bool] = []
    for code in codes:
        is_escaped = bool(escaped) and codes[len(escaped) - 1] == ESCAPE and not escaped[-1]
        escaped.append(is_escaped)
        outputs.append(1 if is_escaped else 0 if code == ESCAPE else len(table.symbols[code]))
    return outputs, escaped


def deal_coalesced(table: SymbolTable, codes: bytes, split_count: int, layout: Layout) -> Payload:
    """Section 5: the codes of a whole block, dealt out."""
    bit = 1 << (31 if layout == Layout.WIDE else 23)
    outputs, escaped = code_outputs(table, codes)
    pieces = deal(codes, split_count)
    locations = []
    position = 0
    for piece in pieces:
        starts_escaped = bool(piece) and escaped[position]
        locations.append(sum(outputs[:position]) | (bit if starts_escaped else 0))
        position += len(piece)
    return Payload(sum(outputs), table, interleave(pieces), tuple(locations))


def encode(
    block_format: BlockFormat, layout: Layout, table: SymbolTable, data: bytes, split_count: int
) -> Payload:
    """Encodes `data` as a block of any format of a frame."""
    if block_format == BlockFormat.BLOCKS:
        return encode_blocks(table, data)
    if block_format == BlockFormat.SPLITS:
        return encode_splits(table, data, split_count)
    return deal_coalesced(table, table.encode(data), split_count, layout)


@dataclass(frozen=True)
class Block:
    """A block with what its record says of it."""

    layout: Layout
    payload: Written
    uncompressed_bytes: int
    checksum: int

    def record(self) -> Written:
        """The record header in front of the block."""
        return record_header(1, self.layout, len(self.payload.data), self.uncompressed_bytes, self.checksum)


def raw_block(data: bytes) -> Block:
    """A block stored as it is."""
    payload = Written()
    payload.add("raw bytes", data)
    return Block(Layout.RAW, payload, len(data), xxh64(data))


def encoded_block(
    block_format: BlockFormat, layout: Layout, table: SymbolTable, data: bytes, split_count: int = 1
) -> Block:
    """A block of `data`."""
    if layout == Layout.RAW:
        return raw_block(data)
    payload = encode(block_format, layout, table, data, split_count)
    return Block(layout, payload.written(block_format, layout), len(data), xxh64(data))


def cut_payload(block: Block, size: int) -> Block:
    """The block with only `size` bytes of payload; its block size field agrees where it is still whole."""
    payload = Written(block.payload.data[:size], [f for f in block.payload.fields if f.end <= size])
    if any(f.name == "block size" for f in payload.fields):
        set_block_size(payload, block.layout, size)
    return replace(block, payload=payload)


def record_header(
    kind: int, layout: int, payload_bytes: int, uncompressed_bytes: int, checksum: int
) -> Written:
    """The header of a record (FORMAT.md, section 6)."""
    written = Written()
    written.add("record kind", little(kind, 1))
    written.add("layout", little(layout, 1))
    written.add("reserved", bytes(6))
    written.add("payload bytes", little(payload_bytes, 4))
    written.add("uncompressed bytes", little(uncompressed_bytes, 4))
    written.add("checksum", little(checksum, 8))
    return written


def frame_header(
    block_format: int, block_size: int, split_count: int, kind: ChecksumKind = ChecksumKind.XXH64
) -> Written:
    """The header of a frame."""
    written = Written()
    written.add("magic", FRAME_MAGIC)
    written.add("frame version", b"\1")
    written.add("flags", b"\0")
    written.add("format id", little(block_format, 2))
    written.add("checksum kind", little(kind, 1))
    written.add("reserved", bytes(3))
    written.add("block size", little(block_size, 8))
    written.add("splits per block", little(split_count, 4))
    written.add("second reserved", bytes(4))
    written.add("checksum", little(xxh64(bytes(written.data)), 8))
    return written


def frame_index(blocks: Sequence[Block]) -> Written:
    """The payload of the index record."""
    written = Written()
    payload_offset = 40 + 24
    uncompressed_offset = 0
    for i, block in enumerate(blocks):
        written.add(f"entry {i}/payload offset", little(payload_offset, 8))
        written.add(f"entry {i}/uncompressed offset", little(uncompressed_offset, 8))
        written.add_all(f"entry {i}", block.record())
        payload_offset += len(block.payload.data) + 24
        uncompressed_offset += block.uncompressed_bytes
    written.add("number of blocks", little(len(blocks), 8))
    written.add("uncompressed bytes", little(uncompressed_offset, 8))
    return written


def frame_end(frame: Written, index: Written, kind: ChecksumKind = ChecksumKind.XXH64) -> None:
    """Appends the index record and the trailer."""
    frame.add_all("index record", record_header(2, 0, len(index.data), 0, kind.of(bytes(index.data))))
    frame.add_all("index", index)
    frame.add("trailer/frame bytes", little(len(frame.data) + 24, 8))
    frame.add("trailer/index bytes", little(24 + len(index.data), 8))
    frame.add("trailer/magic", TRAILER_MAGIC)


def frame_of(
    block_format: BlockFormat,
    block_size: int,
    split_count: int,
    blocks: Sequence[Block],
    kind: ChecksumKind = ChecksumKind.XXH64,
) -> Written:
    """A whole frame."""
    frame = Written()
    frame.add_all("frame header", frame_header(block_format, block_size, split_count, kind))
    for i, block in enumerate(blocks):
        frame.add_all(f"block {i}/record", block.record())
        frame.add_all(f"block {i}", block.payload)
    frame_end(frame, frame_index(blocks), kind)
    return frame


def repair_header(frame: Written) -> None:
    """Writes the right checksum of the frame header."""
    frame.set("frame header/checksum", xxh64(bytes(frame.data[:32])))


def repair_index(frame: Written) -> None:
    """Writes the right checksum of the index."""
    start = frame.find("index record/checksum").end
    end = frame.find("trailer/frame bytes").start
    frame.set("index record/checksum", xxh64(bytes(frame.data[start:end])))


def copy_records_to_index(frame: Written) -> None:
    """Repeats the blocks' records in the index and repairs its checksum."""
    for f in list(frame.fields):
        if f.name.startswith("block ") and "/record/" in f.name:
            frame.set(f"index/{f.name.replace('block', 'entry').replace('/record/', '/')}", frame.get(f.name))
    repair_index(frame)


def fsst_block(table: SymbolTable, codes: bytes) -> Written:
    """A block of an fsst file (FORMAT.md, section 7)."""
    written = Written()
    written.add("block size", bytes(3))
    written.add_all("table", table.stored())
    written.add("codes", codes)
    written.set("block size", len(written.data).to_bytes(3, "big"))
    return written


def fsst_file(blocks: Sequence[Written]) -> Written:
    """An fsst file of these blocks."""
    written = Written()
    for i, block in enumerate(blocks):
        written.add_all(f"block {i}", block)
    return written
