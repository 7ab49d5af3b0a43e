"""How fast a column is compressed, given back, and how fast one of its strings is found."""

import random
from collections.abc import Callable, Sequence
from typing import Any

from experiments.measure_columns.column_codecs import ColumnCodec
from experiments.measure_columns.packages import version_of
from experiments.measure_columns.text_column import TextColumn
from experiments.measure_columns.timed_ways import Way, row_of, time_ways

_SEED_OF_STRINGS = 1


def _numbers_of(column: TextColumn, count: int) -> list[int]:
    """Of strings, all over the column and in random order."""
    return random.Random(_SEED_OF_STRINGS).choices(range(column.strings), k=count)


def _ways_of(codec: ColumnCodec, column: TextColumn) -> list[Way]:
    stored = codec.encode(column)
    size = codec.stored_bytes(stored)
    package = {"package": version_of(codec.package), "strings": column.strings}

    def way(operation: str, run: Callable[[], Any], is_right: Callable[[Any], bool], **more: Any) -> Way:  # noqa: ANN401
        fields = {**package, **more.pop("fields", {})}
        return Way(
            *(codec.stage, codec.variant, operation, run, is_right, size),
            parameters=codec.parameters,
            fields=fields,
            **more,
        )

    def is_text(decoded: Any) -> bool:  # noqa: ANN401
        return codec.is_right(decoded, column)

    ways = [
        way("encode", lambda: codec.encode(column), lambda made: is_text(codec.decode(made))),
        way("decode", lambda: codec.decode(stored), is_text),
    ]
    if codec.looked_up:
        opened = codec.open(stored)
        numbers = _numbers_of(column, codec.looked_up)
        strings = [column.array[number].as_py() for number in numbers]
        ways.append(
            way(
                "query",
                lambda: opened.look_up(numbers),
                lambda found: found == strings,
                worked_bytes=sum(
                    len(string.encode() if isinstance(string, str) else string) for string in strings
                ),
                fields={"looked_up_strings": len(numbers)},
            )
        )
    return ways


def speed_rows(column: TextColumn, codecs: Sequence[ColumnCodec], repetitions: int) -> list[dict[str, Any]]:
    """Rows of each codec: encode, decode, and query where strings can be looked up, with
    `microseconds_each`. Raises MismatchError."""
    ways = [way for codec in codecs for way in _ways_of(codec, column)]
    rows = []
    for way, seconds in zip(ways, time_ways(ways, repetitions), strict=True):
        row = row_of(way, seconds, len(column.text))
        if looked_up := row.get("looked_up_strings"):
            row["microseconds_each"] = row["seconds"]["median"] / looked_up * 1e6
        rows.append(row)
    return rows
