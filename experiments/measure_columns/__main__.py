"""Measures columns of strings from Python, next to what else has them, and writes rows of results as JSON.

gsst_measure_columns speed|matches|rows --input TEXT --dataset NAME --dataset-sha256 SHA256 --level LEVEL
    --repetitions N [--questions QUESTIONS.json] --output ROWS.json
"""

import argparse
import json
import platform
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from experiments.measure_columns.column_codecs import (
    ColumnCodec,
    GsstCodec,
    ParquetCodec,
    VortexCodec,
    ZstdCodec,
)
from experiments.measure_columns.engines import QuestionError, questions_of
from experiments.measure_columns.matches import AnsweringColumn
from experiments.measure_columns.packages import (
    MissingPackageError,
    has_package,
    on_one_processor,
    versions,
)
from experiments.measure_columns.row_selections import SelectedColumn
from experiments.measure_columns.speed import speed_rows
from experiments.measure_columns.text_column import TextColumn, TextError, read_text_column
from experiments.measure_columns.timed_ways import MismatchError

Rows = list[dict[str, Any]]
Work = Callable[[], Rows]


def _speed_works(column: TextColumn, arguments: argparse.Namespace) -> Iterator[Work]:
    codecs: list[ColumnCodec] = [GsstCodec("dense", arguments.level), GsstCodec("lookup", arguments.level)]
    codecs += [ParquetCodec(), ZstdCodec()]
    if has_package(VortexCodec.package):
        codecs.append(VortexCodec())
    else:
        print("missing codec: Vortex", file=sys.stderr)
    yield partial(speed_rows, column, codecs, arguments.repetitions)


def _question_works(column: TextColumn, arguments: argparse.Namespace) -> Iterator[Work]:
    document = json.loads(arguments.questions.read_text(encoding="utf-8"))
    questions = questions_of(document)
    if arguments.what == "matches":
        asked = AnsweringColumn(column, arguments.level)
        yield from (partial(asked.rows, question, arguments.repetitions) for question in questions)
        return
    selected = SelectedColumn(column, arguments.level)
    yield from (partial(selected.rows, question, arguments.repetitions) for question in questions)
    yield partial(selected.rows_of_take, arguments.repetitions)


def _measure(arguments: argparse.Namespace) -> Rows:
    column = read_text_column(arguments.input)
    works = list((_speed_works if arguments.what == "speed" else _question_works)(column, arguments))
    print(f"points: {len(works)}", file=sys.stderr, flush=True)
    kept = arguments.output.with_name(f"{arguments.output.name}.partial.jsonl")
    rows: Rows = []
    with kept.open("w", encoding="utf-8") as finished:
        for work in works:
            given = work()
            rows += given
            print(json.dumps(given), file=finished, flush=True)
            for row in given:
                said = f"{row['stage']} {row['variant']} {row['operation']}: {row['throughput_gb_per_s']:.3g}"
                print(said, "GB/s", file=sys.stderr, flush=True)
    kept.unlink()
    return rows


def main() -> int:
    """Writes the rows; status 2 and no file where something is wrong."""
    parser = argparse.ArgumentParser(
        prog="gsst_measure_columns",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    # Two lines, which experiments/environment.py reads. The package was compiled elsewhere.
    version = f"compiler: Python {platform.python_version()}\nflags: {', '.join(versions())}"
    parser.add_argument("--version", action="version", version=version)
    parser.add_argument("what", choices=("speed", "matches", "rows"))
    parser.add_argument("--input", type=Path, required=True)
    parser.add_argument("--dataset", required=True)
    parser.add_argument("--dataset-sha256", required=True)
    parser.add_argument("--level", type=int, required=True)
    parser.add_argument("--repetitions", type=int, required=True)
    parser.add_argument("--questions", type=Path)
    parser.add_argument("--output", type=Path, required=True)
    arguments = parser.parse_args()
    if (arguments.what == "speed") != (arguments.questions is None):
        parser.error("--questions are of matches and of rows")
    try:
        with on_one_processor():
            rows = _measure(arguments)
    except (MismatchError, MissingPackageError, OSError, QuestionError, TextError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    of_data = {"dataset": arguments.dataset, "dataset_sha256": arguments.dataset_sha256}
    arguments.output.write_text(json.dumps([{**row, **of_data} for row in rows]), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
