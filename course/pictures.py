"""The pictures of the course, as SVG: each is drawn by a function from addresses, texts or numbers."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape

from experiments.text_template import number_text

WIDTH = 640
_ROW = 24
_LETTER = 7.2


class PictureError(Exception):
    """A picture that nobody draws."""


@dataclass(frozen=True)
class Bar:
    """A name and a number."""

    label: str
    value: float


def svg(height: float, description: str, parts: Sequence[str]) -> str:
    """A picture as wide as the page; its colours are those of the page's text and links."""
    body = "\n".join(parts)
    return (
        f'<svg viewBox="0 0 {WIDTH} {height:g}" role="img" aria-label="{escape(description)}" '
        f'xmlns="http://www.w3.org/2000/svg">\n{body}\n</svg>'
    )


def text(x: float, y: float, content: str, kind: str = "", anchor: str = "start") -> str:
    """Words."""
    return f'<text x="{x:g}" y="{y:g}" class="{kind}" text-anchor="{anchor}">{escape(content)}</text>'


def box(x: float, y: float, width: float, height: float, kind: str) -> str:
    """A rectangle; `kind` is its class in course.css."""
    return f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" class="{kind}"/>'


def line(x1: float, y1: float, x2: float, y2: float, kind: str = "thin") -> str:
    """A line."""
    return f'<line x1="{x1:g}" y1="{y1:g}" x2="{x2:g}" y2="{y2:g}" class="{kind}"/>'


def bar_chart(bars: Sequence[Bar], unit: str, description: str) -> str:
    """A horizontal bar for each number."""
    left = 16 + _LETTER * max(len(bar.label) for bar in bars)
    longest = max(bar.value for bar in bars)
    room = WIDTH - left - 60
    parts = []
    for index, bar in enumerate(bars):
        y = index * _ROW
        width = max(1.0, bar.value / longest * room)
        parts += [
            text(left - 8, y + 16, bar.label, anchor="end"),
            box(left, y + 3, width, _ROW - 7, "bar"),
            text(left + width + 6, y + 16, number_text(bar.value)),
        ]
    parts.append(text(left, len(bars) * _ROW + 18, unit, "small"))
    seen = "; ".join(f"{bar.label}: {number_text(bar.value)} {unit}" for bar in bars)
    return svg(len(bars) * _ROW + 26, f"{description} {seen}.", parts)


PICTURES: dict[str, Callable[[str], str]] = {}


def encode(content: bytes, symbols: Sequence[bytes]) -> list[tuple[bytes, tuple[int, ...]]]:
    """FSST's greedy encoder: pieces of the text, each with its code, or with an escape and a byte."""
    pieces, position = [], 0
    while position < len(content):
        fitting = [symbol for symbol in symbols if content.startswith(symbol, position)]
        piece = max(fitting, key=len) if fitting else content[position : position + 1]
        pieces.append((piece, (symbols.index(piece),) if fitting else (ESCAPE, piece[0])))
        position += len(piece)
    return pieces


def decode(codes: Sequence[int], symbols: Sequence[bytes]) -> bytes:
    """The text of the codes."""
    found, rest = b"", list(codes)
    while rest:
        code = rest.pop(0)
        found += bytes([rest.pop(0)]) if code == ESCAPE else symbols[code]
    return found


ESCAPE = 255
# The text and the table of the lesson; codes are given by length: 2 bytes, 3, 4, and last those of one byte.
EXAMPLE = b"the theatre!"
EXAMPLE_SYMBOLS = (b"re", b"the", b"the ", b"a", b"t")


def _encoding(caption: str) -> str:
    """The example's bytes, the symbols that cover them, and their codes."""
    size, parts, position = 44, [], 0
    left = (WIDTH - size * len(EXAMPLE)) / 2
    for index, byte in enumerate(EXAMPLE):
        parts += [
            box(left + index * size, 20, size, 30, "cell"),
            text(left + (index + 0.5) * size, 40, chr(byte).replace(" ", "␣"), "mono", "middle"),
        ]
    parts.append(text(left, 14, f"{len(EXAMPLE)} bytes of text", "small"))
    for piece, codes in encode(EXAMPLE, EXAMPLE_SYMBOLS):
        x, width = left + position * size, len(piece) * size
        is_escaped = codes[0] == ESCAPE
        parts += [
            box(x + 3, 56, width - 6, 8, "other" if is_escaped else "used"),
            line(x + width / 2, 64, x + width / 2, 78),
            box(x + 3, 78, width - 6, 30, "other" if is_escaped else "used"),
            text(x + width / 2, 98, " ".join(map(str, codes)), "mono", "middle"),
        ]
        position += len(piece)
    count = sum(len(codes) for _, codes in encode(EXAMPLE, EXAMPLE_SYMBOLS))
    parts.append(text(left, 126, f"{count} bytes of codes", "small"))
    return svg(134, caption, parts)


SECTOR = 32
LANES = 32
BANKS = 32


def sectors_of(addresses: Sequence[int], width: int) -> list[int]:
    """The sectors that accesses of `width` bytes at these addresses touch."""
    return sorted({byte // SECTOR for address in addresses for byte in (address, address + width - 1)})


def _sectors(caption: str) -> str:
    """Three accesses of a warp, and the sectors that each touches."""
    cases = (
        ("4 bytes a lane, neighbouring", [4 * lane for lane in range(LANES)], 4),
        ("the same, 16 bytes further", [16 + 4 * lane for lane in range(LANES)], 4),
        ("1 byte a lane, neighbouring", list(range(LANES)), 1),
        ("each lane in another sector", [SECTOR * lane for lane in range(LANES)], 1),
    )
    parts = []
    for index, (name, addresses, width) in enumerate(cases):
        y = index * 56
        touched = sectors_of(addresses, width)
        parts.append(text(0, y + 16, f"{name}: {len(touched)} sector{'s' * (len(touched) > 1)}"))
        for sector in range(LANES):
            parts.append(box(sector * 20, y + 22, 20, 18, "used" if sector in touched else "unused"))
    parts.append(
        text(0, len(cases) * 56 + 4, "A cell is a sector of 32 bytes; filled ones are moved.", "small")
    )
    return svg(len(cases) * 56 + 12, caption, parts)


def banks_of(stride: int, offset: int = 0) -> list[list[int]]:
    """For each bank the lanes whose piece of shared memory starts in it."""
    found: list[list[int]] = [[] for _ in range(BANKS)]
    for lane in range(LANES):
        found[(offset + lane * stride) // 4 % BANKS].append(lane)
    return found


def _banks(caption: str) -> str:
    """Where the buffers of the lanes start: 80 bytes a thread, as in stage 03, and 84."""
    parts = []
    for index, stride in enumerate((80, 84)):
        y = index * 120
        banks = banks_of(stride)
        most = max(map(len, banks))
        parts.append(text(0, y + 14, f"{stride} bytes a thread: up to {most} lanes start in the same bank"))
        for bank, lanes in enumerate(banks):
            for height in range(len(lanes)):
                parts.append(
                    box(bank * 20 + 1, y + 78 - height * 14, 18, 13, "used" if most == 1 else "other")
                )
            parts.append(box(bank * 20, y + 92, 20, 4, "unused"))
        parts += [text(0, y + 110, "bank 0", "small"), text(WIDTH, y + 110, "bank 31", "small", "end")]
    return svg(240, caption, parts)


def _threads(caption: str) -> str:
    """Blocks and splits, and which thread decodes what."""
    parts = [
        text(0, 14, "01: one thread decodes a block"),
        text(0, 114, "02: one thread decodes a split of a block"),
    ]
    for block in range(4):
        x = block * 160
        parts += [box(x + 2, 24, 152, 26, "cell"), text(x + 78, 42, f"block {block}", anchor="middle")]
        parts += [line(x + 78, 50, x + 78, 64), text(x + 78, 78, f"thread {block}", "small", "middle")]
        for split in range(4):
            parts.append(box(x + 2 + split * 38, 124, 38, 26, "used" if split % 2 else "cell"))
            parts.append(line(x + 21 + split * 38, 150, x + 21 + split * 38, 162))
            parts.append(text(x + 21 + split * 38, 174, str(split), "small", "middle"))
        parts.append(text(x + 78, 192, f"thread block {block}", "small", "middle"))
    return svg(200, caption, parts)


def _alignment(caption: str) -> str:
    """How 80 bytes from address 24 on are written: bytes up to an aligned address, then transfers."""
    start, count, width, size = 24, 80, 16, 5
    first = start + -start % width
    parts = [
        text(0, 14, "03: one byte at a time"),
        text(0, 84, "04: bytes up to the first aligned address, then 16 at a time"),
    ]
    for byte in range(start, start + count):
        parts.append(box(byte * size, 24, size, 20, "other"))
        if byte < first:
            parts.append(box(byte * size, 94, size, 20, "other"))
    for address in range(first, start + count - width + 1, width):
        parts.append(box(address * size, 94, width * size, 20, "used"))
    last = first + (start + count - first) // width * width
    for byte in range(last, start + count):
        parts.append(box(byte * size, 94, size, 20, "other"))
    for y in (50, 120):
        for sector in range(4):
            parts.append(box(sector * SECTOR * size, y, SECTOR * size, 8, "unused"))
    transfers = (last - first) // width
    single = count - transfers * width
    parts.append(
        text(
            0,
            150,
            f"{count} stores; {single} + {transfers} stores. Below them: sectors of 32 bytes.",
            "small",
        )
    )
    return svg(158, caption, parts)


def dealt_position(split: int, code: int, splits: int) -> int:
    """Where format coalesced stores a code of a split (FORMAT.md, section 5)."""
    return split + code * splits


def _dealing(caption: str) -> str:
    """The same codes in format splits and in format coalesced."""
    splits, each, size = 4, 6, 26
    kinds = ("used", "other", "cell", "unused")
    parts = [text(0, 14, "splits: thread s reads here"), text(0, 84, "coalesced: dealt out like cards")]
    for split in range(splits):
        for code in range(each):
            for y, position in ((22, split * each + code), (92, dealt_position(split, code, splits))):
                parts.append(box(position * size, y, size, 26, kinds[split]))
                parts.append(text((position + 0.5) * size, y + 18, f"{split}.{code}", "small", "middle"))
    parts.append(
        text(0, 140, "2.4: code 4 of split 2. Four threads read codes .0 first, then .1, and so on.", "small")
    )
    return svg(148, caption, parts)


def _flow(caption: str) -> str:
    """The steps of an optimisation."""
    steps = ("limit", "idea", "predict", "change", "check", "trace", "measure", "write up")
    parts = []
    for index, name in enumerate(steps):
        x = index * 80
        parts += [box(x + 2, 14, 68, 34, "used"), text(x + 36, 35, name, anchor="middle")]
        if index + 1 < len(steps):
            parts.append(text(x + 75, 36, ">", "strong", "middle"))
    parts += [line(598, 48, 598, 66, "thin"), line(116, 66, 598, 66, "thin"), line(116, 48, 116, 66, "thin")]
    parts.append(text(357, 82, "the next idea", "small", "middle"))
    return svg(90, caption, parts)


def prefix_sums(values: Sequence[int]) -> list[list[int]]:
    """The numbers of the lanes, and what they are after each step, with distances of 1, 2, 4 ..."""
    rows, distance = [list(values)], 1
    while distance < len(values):
        last = rows[-1]
        rows.append([value + (last[i - distance] if i >= distance else 0) for i, value in enumerate(last)])
        distance *= 2
    return rows


def _prefix_sum(caption: str) -> str:
    """Eight lanes, whose numbers each step adds up further."""
    size, left, height, parts = 60, 150, 56, []
    rows = prefix_sums((2, 4, 1, 3, 5, 1, 2, 4))
    for step, row in enumerate(rows):
        y, distance = step * height, 2**step // 2
        parts.append(text(0, y + 21, f"add {distance} before" if step else "lengths of codes"))
        for lane, value in enumerate(row):
            x = left + lane * size
            parts.append(box(x + 6, y + 4, size - 12, 26, "used" if step == len(rows) - 1 else "cell"))
            parts.append(text(x + size / 2, y + 21, str(value), "mono", "middle"))
            if step and lane >= distance:
                parts.append(line(x + size / 2 - distance * size, y - height + 30, x + size / 2, y + 4))
    return svg(len(rows) * height - 20, caption, parts)


PICTURES |= {
    "alignment": _alignment,
    "banks": _banks,
    "dealing": _dealing,
    "encoding": _encoding,
    "flow": _flow,
    "prefix_sum": _prefix_sum,
    "sectors": _sectors,
    "threads": _threads,
}
