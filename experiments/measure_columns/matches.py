"""How fast questions about the strings of a column are answered with a count."""

from collections.abc import Callable
from functools import partial
from typing import Any

from experiments.measure_columns.engines import DuckTable, Question, count_of, match_of, match_of_arrow
from experiments.measure_columns.packages import load, version_of
from experiments.measure_columns.text_column import TextColumn
from experiments.measure_columns.timed_ways import Way, row_of, time_ways

FORMAT = "tiles"


class AnsweringColumn:
    """A column, compressed and not, of which questions are asked."""

    def __init__(self, column: TextColumn, level: int) -> None:
        gsst = load("gsst")
        self._text_bytes = len(column.text)
        self._array = column.array
        self._level = level
        self._packed = gsst.Column(gsst.compress_column(column.array, level, format=FORMAT))
        self._table = DuckTable(column)

    def _ways(self, question: Question) -> list[Way]:
        packed, array, table = self._packed, self._array, self._table
        expected = count_of(match_of_arrow(array, question))

        def way(stage: str, package: str, run: Callable[[], int], stored_bytes: int) -> Way:
            return Way(
                *(stage, "count", "query", run, lambda count: count == expected, stored_bytes),
                parameters={"level": self._level} if stage.startswith("search/") else {},
                fields={
                    "question": question.name,
                    "pattern": question.pattern,
                    "kind": question.kind,
                    "strings": len(array),
                    "matched_strings": expected,
                    "package": version_of(package),
                },
            )

        compressed = packed.info.compressed_bytes
        return [
            way("search/column", "gsst", lambda: count_of(match_of(packed, question)), compressed),
            way(
                *("search/column_decoded", "gsst"),
                lambda: count_of(match_of_arrow(packed.to_arrow(), question)),
                compressed,
            ),
            way(
                *("peer/arrow_compute", "pyarrow"),
                lambda: count_of(match_of_arrow(array, question)),
                array.nbytes,
            ),
            way("peer/duckdb", "duckdb", partial(table.count, question), array.nbytes),
        ]

    def rows(self, question: Question, repetitions: int) -> list[dict[str, Any]]:
        """A row for each way to answer. Raises MismatchError where one counts otherwise."""
        ways = self._ways(question)
        seconds = time_ways(ways, repetitions)
        return [row_of(way, each, self._text_bytes) for way, each in zip(ways, seconds, strict=True)]
