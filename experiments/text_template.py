"""Texts with numbers of records in them: `{ratio:.3f} in {parameters.splits} splits`.

In braces is an expression (see experiments/expressions.py), and after a colon its format. Formats of numbers:
none for three digits; `.2f`, `.2g` as in Python; `.1%`, `.2g%` for percent of a share; each with `+` in front
for a sign; `bytes` for `16 KiB`. Formats of texts: `column` for the column of a dataset's name, `last` for
what follows the last slash.
"""

import re
from collections.abc import Callable

from experiments.expressions import NoNumberError, Row, check_expression, number_of, value_of

UNKNOWN = "-"
_FIELD = re.compile(r"\{([^{}:]*)(?::([^{}]*))?\}")
# What follows the column in the name of a dataset.
_AMOUNT = re.compile(r"_tiled_to_|_first_|_sf")
_NUMBER_FORMAT = re.compile(r"(?P<format>\+?\.\d+(?P<kind>[fg]?))(?P<percent>%?)")


def number_text(value: float | None) -> str:
    """Three digits, without an exponent."""
    if value is None:
        return UNKNOWN
    return f"{value:.0f}" if value >= 1000 else f"{value:.3g}"


def bytes_text(count: float) -> str:
    """`256 bytes`, `16 KiB`, `1 MiB`."""
    for unit, name in ((2**20, "MiB"), (2**10, "KiB")):
        if count % unit == 0:
            return f"{count / unit:.0f} {name}"
    return f"{count:.0f} bytes"


def column_name(dataset: str) -> str:
    """`city` for `dbtext/city_tiled_to_1000000000_bytes`, `l_comment` for `tpch/l_comment_sf6`, `gaps_1` for
    `tile_integer/gaps_1_first_1000000000_bytes`."""
    return _AMOUNT.split(dataset.partition("/")[2])[0]


_TEXT_FORMATS: dict[str, Callable[[str], str]] = {
    "column": column_name,
    "last": lambda text: text.rpartition("/")[2],
}


def _number_format(name: str) -> tuple[str, bool] | None:
    """Python's format, and whether it is of percent."""
    match = _NUMBER_FORMAT.fullmatch(name)
    if not match or not (match["kind"] or match["percent"]):
        return None
    return match["format"] + ("" if match["kind"] else "f"), bool(match["percent"])


def check_template(template: str) -> None:
    """Raises ValueError, which names the field, unless every field has an expression and a known format."""
    if re.search(r"[{}]", _FIELD.sub("", template)):
        raise ValueError(f"{template!r} has a brace without its other one")
    for expression, name in _FIELD.findall(template):
        check_expression(expression)
        if name not in ("", "bytes") and name not in _TEXT_FORMATS and _number_format(name) is None:
            raise ValueError(f"{{{expression}:{name}}}: {name!r} is no format")


def _text(expression: str, name: str, row: Row) -> str:
    value = value_of(expression, row)
    if value is None:
        raise NoNumberError(expression)
    if isinstance(value, str):
        if name and name not in _TEXT_FORMATS:
            raise ValueError(f"{expression!r} is the text {value!r}, and has no format {name!r}")
        return _TEXT_FORMATS[name](value) if name else value
    number = number_of(expression, row)
    if name == "bytes":
        return bytes_text(number)
    if not name:
        return number_text(number)
    known = _number_format(name)
    if known is None:
        raise ValueError(f"{expression!r} is the number {number}, and has no format {name!r}")
    digits, is_percent = known
    return f"{100 * number:{digits}} %" if is_percent else format(number, digits)


def fill(template: str, row: Row) -> str:
    """The text with the row's numbers. Raises NoFieldError where the row lacks a field, NoNumberError where
    it is null, ValueError where a value and its format do not fit."""
    return _FIELD.sub(lambda match: _text(match[1], match[2] or "", row), template)
