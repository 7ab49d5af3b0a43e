"""How fast the strings of a column that match are found, row by row, and how fast chosen rows are given."""

import random
from collections.abc import Callable
from functools import partial
from typing import Any

from experiments.measure_columns.engines import DuckTable, Question, match_of, match_of_arrow
from experiments.measure_columns.packages import load, version_of
from experiments.measure_columns.text_column import TextColumn, is_equal
from experiments.measure_columns.timed_ways import Way, row_of, time_ways

FORMAT = "tiles"
TAKEN_STRINGS = 1000
_SEED_OF_TAKEN = 1
_LIBRARY = "search/column"
_DECODED = "search/column_decoded"
_ARROW = "peer/arrow_compute"
_DUCKDB = "peer/duckdb"
_PACKAGES = {_ARROW: "pyarrow", _DUCKDB: "duckdb"}


class SelectedColumn:
    """A column, in both layouts and not compressed, of which rows are selected."""

    def __init__(self, column: TextColumn, level: int) -> None:
        gsst = load("gsst")
        self._column = column
        self._level = level
        self._dense = gsst.Column(gsst.compress_column(column.array, level, format=FORMAT))
        self._lookup = gsst.Column(gsst.compress_column(column.array, level, layout="lookup"))
        # Counts are of a text with its line ends.
        self._frame = gsst.compress(column.text, level, format=FORMAT)
        self._table = DuckTable(column)

    def _way(
        self,
        stage: str,
        output: str,
        run: Callable[[], Any],
        is_right: Callable[[Any], bool],
        layout: str = "dense",
        worked_bytes: int | None = None,
        **fields: Any,  # noqa: ANN401
    ) -> Way:
        is_own = stage not in _PACKAGES
        sizes = {
            "dense": self._dense.info.compressed_bytes,
            "lookup": self._lookup.info.compressed_bytes,
            "frame": len(self._frame),
        }
        return Way(
            *(stage, layout if is_own else "", "query", run, is_right),
            sizes[layout] if is_own else self._column.array.nbytes,
            parameters={"level": self._level} if is_own else {},
            worked_bytes=worked_bytes,
            fields={
                "output": output,
                "strings": self._column.strings,
                "package": version_of(_PACKAGES.get(stage, "gsst")),
                **fields,
            },
        )

    def _ways_to_match(self, question: Question) -> list[Way]:
        compute = load("pyarrow", "compute")
        array, dense, table = self._column.array, self._dense, self._table
        mask = match_of_arrow(array, question)
        matching = array.filter(mask)
        matches = int(compute.sum(compute.count_substring(array, question.pattern)).as_py())
        search = load("gsst").Search(question.pattern)
        table.keep("mask", mask)
        fields = {"question": question.name, "pattern": question.pattern, "matched_strings": len(matching)}
        way = partial(self._way, **fields)
        is_mask = partial(_is_mask, mask=mask)
        is_matching = partial(is_equal, array=matching)
        return [
            way(
                *("search/frame", "count", lambda: search.count(self._frame), lambda count: count == matches),
                layout="frame",
            ),
            way(_LIBRARY, "rows", lambda: match_of(dense, question), is_mask),
            way(_DECODED, "rows", lambda: match_of_arrow(dense.to_arrow(), question), is_mask),
            way(_ARROW, "rows", lambda: match_of_arrow(array, question), is_mask),
            way(_DUCKDB, "rows", lambda: table.match(question), is_mask),
            way(
                *(_LIBRARY, "matching strings"),
                lambda: dense.filter(match_of(dense, question)).to_arrow(),
                is_matching,
            ),
            way(_DECODED, "matching strings", lambda: _matching(dense.to_arrow(), question), is_matching),
            way(_ARROW, "matching strings", lambda: _matching(array, question), is_matching),
            way(_DUCKDB, "matching strings", lambda: table.matching(question), is_matching),
            way(_LIBRARY, "filter", lambda: dense.filter(mask).to_arrow(), is_matching),
            way(_DECODED, "filter", lambda: dense.to_arrow().filter(mask), is_matching),
            way(_ARROW, "filter", lambda: array.filter(mask), is_matching),
            way(_DUCKDB, "filter", lambda: table.filter("mask"), is_matching),
        ]

    def _ways_to_take(self) -> list[Way]:
        pa = load("pyarrow")
        array, dense, lookup, table = self._column.array, self._dense, self._lookup, self._table
        count = min(TAKEN_STRINGS, self._column.strings)
        numbers = sorted(random.Random(_SEED_OF_TAKEN).sample(range(self._column.strings), count))
        indices = pa.array(numbers, pa.int64())
        taken = array.take(indices)
        way = partial(self._way, worked_bytes=taken.nbytes, question=f"{count} rows", matched_strings=count)
        is_taken = partial(is_equal, array=taken)
        return [
            way(_LIBRARY, "take", lambda: dense.take(numbers).to_arrow(), is_taken),
            way(_LIBRARY, "take", lambda: lookup.take(numbers).to_arrow(), is_taken, layout="lookup"),
            way(_DECODED, "take", lambda: dense.to_arrow().take(indices), is_taken),
            way(_ARROW, "take", lambda: array.take(indices), is_taken),
            way(_DUCKDB, "take", lambda: table.take(numbers), is_taken),
        ]

    def _rows(self, ways: list[Way], repetitions: int) -> list[dict[str, Any]]:
        seconds = time_ways(ways, repetitions)
        text_bytes = len(self._column.text)
        return [row_of(way, each, text_bytes) for way, each in zip(ways, seconds, strict=True)]

    def rows(self, question: Question, repetitions: int) -> list[dict[str, Any]]:
        """A row for each way and output. Raises MismatchError where one gives something else."""
        return self._rows(self._ways_to_match(question), repetitions)

    def rows_of_take(self, repetitions: int) -> list[dict[str, Any]]:
        """A row for each way to give some rows that are all over the column."""
        return self._rows(self._ways_to_take(), repetitions)


def _matching(values: Any, question: Question) -> Any:  # noqa: ANN401
    return values.filter(match_of_arrow(values, question))


def _is_mask(booleans: Any, mask: Any) -> bool:  # noqa: ANN401
    pa = load("pyarrow")
    chunked = booleans if isinstance(booleans, pa.ChunkedArray) else pa.chunked_array([booleans])
    return bool(chunked.equals(pa.chunked_array([mask])))
