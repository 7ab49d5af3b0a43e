"""Parquet files written page by page, by the format's documents alone: what pyarrow does not write."""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

Field = tuple[int, int, bytes]

_TRUE, _FALSE, _I32, _I64, _BINARY, _LIST, _STRUCT = 1, 2, 5, 6, 8, 9, 12
_MAGIC = b"PAR1"

UNCOMPRESSED, GZIP = 0, 2
PLAIN, RLE, DELTA_BINARY_PACKED, RLE_DICTIONARY = 0, 3, 5, 8


def number(value: int) -> bytes:
    """ULEB128: 7 bits a byte, the lowest first."""
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def zigzag(value: int) -> int:
    return -2 * value - 1 if value < 0 else 2 * value


def packed(values: Sequence[int], width: int) -> bytes:
    """Values of `width` bits, from the lowest bit of each byte on."""
    bits = sum(value << (i * width) for i, value in enumerate(values))
    return bits.to_bytes((len(values) * width + 7) // 8, "little")


def _wrapped(value: int, bits: int) -> int:
    """The signed number of that many bits that is equal to `value` modulo 2^bits."""
    return (value + (1 << bits - 1)) % (1 << bits) - (1 << bits - 1)


def delta_binary_packed(
    values: Sequence[int], bits: int, block: int, miniblocks: int, waste: int = 0
) -> bytes:
    """A page's values of 32 or 64 bits. `waste` bits are added to each width, as far as there are more."""
    first = values[0] if values else 0
    out = number(block) + number(miniblocks) + number(len(values)) + number(zigzag(first))
    deltas = [_wrapped(after - before, bits) for before, after in itertools.pairwise(values)]
    miniblock = block // miniblocks
    for begin in range(0, len(deltas), block):
        part = deltas[begin : begin + block]
        least = min(part)
        parts = [part[i : i + miniblock] for i in range(0, len(part), miniblock)]
        # Differences from the least one are taken modulo 2^bits, so they fit in that many bits.
        relative = [[(delta - least) % (1 << bits) for delta in piece] for piece in parts]
        widths = [min(bits, max(piece).bit_length() + waste) for piece in relative]
        # Widths of miniblocks without values may be any.
        out += number(zigzag(least)) + bytes(widths) + bytes([0xFF] * (miniblocks - len(parts)))
        for piece, width in zip(relative, widths, strict=True):
            out += packed(piece + [0] * (miniblock - len(piece)), width)
    return out


@dataclass(frozen=True)
class Run:
    """A run of the RLE/bit-packed hybrid: one value repeated, or values packed in groups of 8."""

    values: Sequence[int]
    is_packed: bool

    def encoded(self, width: int) -> bytes:
        if not self.is_packed:
            return number(len(self.values) << 1) + self.values[0].to_bytes((width + 7) // 8, "little")
        groups = -(-len(self.values) // 8)
        padding = [0] * (8 * groups - len(self.values))
        return number(groups << 1 | 1) + packed([*self.values, *padding], width)


def hybrid(runs: Sequence[Run], width: int) -> bytes:
    return b"".join(run.encoded(width) for run in runs)


def _struct(*fields: Field) -> bytes:
    """Of Thrift's compact protocol, with fields by rising number."""
    out = bytearray()
    before = 0
    for field, kind, content in fields:
        assert 0 < field - before < 16
        out.append(field - before << 4 | kind)
        out += content
        before = field
    return bytes(out) + b"\0"


def _integer(value: int) -> bytes:
    return number(zigzag(value))


def _text(text: str) -> bytes:
    return number(len(text)) + text.encode()


def _list(kind: int, elements: Sequence[bytes]) -> bytes:
    assert len(elements) < 15
    return bytes([len(elements) << 4 | kind]) + b"".join(elements)


@dataclass(frozen=True)
class Page:
    """A page as it is stored. `level_bytes` make a data page one of version 2.

    Where the codec of the file compresses, `uncompressed_bytes` are those of the page before; a page of
    version 2 says whether it is compressed if that is given.
    """

    content: bytes
    rows: int
    encoding: int
    is_dictionary: bool = False
    level_bytes: int | None = None
    uncompressed_bytes: int | None = None
    is_compressed: bool | None = None

    def header(self) -> bytes:
        """Of the page, which its content follows."""
        rows, encoding = (1, _I32, _integer(self.rows)), _integer(self.encoding)
        kind: int
        own: Field
        if self.is_dictionary:
            kind, own = 2, (7, _STRUCT, _struct(rows, (2, _I32, encoding)))
        elif self.level_bytes is None:
            levels = [(3, _I32, _integer(RLE)), (4, _I32, _integer(RLE))]
            kind, own = 0, (5, _STRUCT, _struct(rows, (2, _I32, encoding), *levels))
        else:
            # Nobody reads how many nulls there are, and all rows have one value.
            numbers = [(2, _I32, _integer(0)), (3, _I32, _integer(self.rows)), (4, _I32, encoding)]
            lengths = [(5, _I32, _integer(self.level_bytes)), (6, _I32, _integer(0))]
            # The type of a Boolean field is its value.
            flags = [] if self.is_compressed is None else [(7, _TRUE if self.is_compressed else _FALSE, b"")]
            kind, own = 3, (8, _STRUCT, _struct(rows, *numbers, *lengths, *flags))
        size = len(self.content)
        before = size if self.uncompressed_bytes is None else self.uncompressed_bytes
        sizes = (2, _I32, _integer(before)), (3, _I32, _integer(size))
        return _struct((1, _I32, _integer(kind)), *sizes, own)


def levels_v1(runs: Sequence[Run]) -> bytes:
    """Definition levels as a page of version 1 begins with them."""
    content = hybrid(runs, 1)
    return len(content).to_bytes(4, "little") + content


@dataclass(frozen=True)
class ParquetFile:
    """A file with one row group of one column `c` of 32- or 64-bit integers."""

    bits: int
    pages: Sequence[Page]
    is_nullable: bool = False
    codec: int = UNCOMPRESSED

    @property
    def rows(self) -> int:
        return sum(page.rows for page in self.pages if not page.is_dictionary)

    def offsets(self) -> list[int]:
        """Where the contents of pages are."""
        found = []
        place = len(_MAGIC)
        for page in self.pages:
            found.append(place + len(page.header()))
            place = found[-1] + len(page.content)
        return found

    def data(self) -> bytes:
        """The whole file."""
        kind = _integer(1 if self.bits == 32 else 2)
        body = _MAGIC + b"".join(page.header() + page.content for page in self.pages)
        size, rows = _integer(len(body) - len(_MAGIC)), _integer(self.rows)
        first = _integer(len(_MAGIC))
        has_dictionary = self.pages[0].is_dictionary
        second = len(_MAGIC) + len(self.pages[0].header() + self.pages[0].content)
        column = _struct(
            (1, _I32, kind),
            (2, _LIST, _list(_I32, [_integer(RLE)])),
            (3, _LIST, _list(_BINARY, [_text("c")])),
            (4, _I32, _integer(self.codec)),
            (5, _I64, rows),
            (6, _I64, size),
            (7, _I64, size),
            (9, _I64, _integer(second) if has_dictionary else first),
            *([(11, _I64, first)] if has_dictionary else []),
        )
        chunk = _struct((2, _I64, first), (3, _STRUCT, column))
        group = _struct((1, _LIST, _list(_STRUCT, [chunk])), (2, _I64, size), (3, _I64, rows))
        root = _struct((4, _BINARY, _text("schema")), (5, _I32, _integer(1)))
        leaf = _struct((1, _I32, kind), (3, _I32, _integer(int(self.is_nullable))), (4, _BINARY, _text("c")))
        footer = _struct(
            (1, _I32, _integer(1)),
            (2, _LIST, _list(_STRUCT, [root, leaf])),
            (3, _I64, rows),
            (4, _LIST, _list(_STRUCT, [group])),
        )
        return body + footer + len(footer).to_bytes(4, "little") + _MAGIC
