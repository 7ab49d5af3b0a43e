"""The pictures of the course, as SVG: each is drawn by a function from addresses, texts or numbers."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape

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


def number(value: float) -> str:
    """Three digits, as tables have them."""
    return f"{value:.0f}" if value >= 1000 else f"{value:.3g}"


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
            text(left + width + 6, y + 16, number(bar.value)),
        ]
    parts.append(text(left, len(bars) * _ROW + 18, unit, "small"))
    seen = "; ".join(f"{bar.label}: {number(bar.value)} {unit}" for bar in bars)
    return svg(len(bars) * _ROW + 26, f"{description} {seen}.", parts)


PICTURES: dict[str, Callable[[str], str]] = {}
