"""What answers questions about the strings of a column: this project's columns, Arrow and DuckDB."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, cast, get_args

from experiments.measure_columns.packages import load
from experiments.measure_columns.text_column import TextColumn

Kind = Literal["substring", "like", "expression"]


class QuestionError(Exception):
    """A question that is none."""


@dataclass(frozen=True)
class Question:
    """Which strings match: they contain the pattern, or SQL's LIKE or a regular expression matches."""

    name: str
    kind: Kind
    pattern: str


def questions_of(document: dict[str, list[str]]) -> list[Question]:
    """The questions of a target, each a kind and a pattern by its name. Raises QuestionError."""
    questions = []
    for name, asked in document.items():
        if len(asked) != 2 or asked[0] not in get_args(Kind):
            kinds = ", ".join(get_args(Kind))
            raise QuestionError(f"{name}: is {asked}, expected one of {kinds} and a pattern")
        questions.append(Question(name, cast(Kind, asked[0]), asked[1]))
    return questions


def match_of(values: Any, question: Question) -> Any:  # noqa: ANN401
    """Booleans of a column of this project, which decodes little of itself."""
    names = {
        "substring": "match_substring",
        "like": "match_like",
        "expression": "match_substring_regex",
    }
    return getattr(values, names[question.kind])(question.pattern)


def match_of_arrow(values: Any, question: Question) -> Any:  # noqa: ANN401
    """Booleans of pyarrow.compute for values of Arrow."""
    compute = load("pyarrow", "compute")
    functions: dict[str, Callable[..., Any]] = {
        "substring": compute.match_substring,
        "like": compute.match_like,
        "expression": compute.match_substring_regex,
    }
    return functions[question.kind](values, question.pattern)


def count_of(booleans: Any) -> int:  # noqa: ANN401
    """How many are true."""
    return int(load("pyarrow", "compute").sum(booleans).as_py() or 0)


class DuckTable:
    """A table of DuckDB in memory that holds a column, as its own storage has it, asked on one thread."""

    def __init__(self, column: TextColumn) -> None:
        pa = load("pyarrow")
        self._connection = load("duckdb").connect(":memory:", config={"threads": 1})
        self._connection.register("given", pa.table({"string": column.array}))
        # In the order of the rows, as one thread inserts them.
        self._connection.execute("CREATE TABLE strings AS SELECT string FROM given")
        self._connection.unregister("given")

    @staticmethod
    def _condition(question: Question) -> str:
        pattern = question.pattern.replace("'", "''")
        conditions = {
            "substring": f"contains(string, '{pattern}')",
            "like": f"string LIKE '{pattern}'",
            "expression": f"regexp_matches(string, '{pattern}')",
        }
        return conditions[question.kind]

    def _column(self, query: str) -> Any:  # noqa: ANN401
        return self._connection.sql(query).to_arrow_table().column(0)

    def count(self, question: Question) -> int:
        """How many strings match."""
        query = f"SELECT count(*) FROM strings WHERE {self._condition(question)}"
        return int(self._connection.sql(query).fetchall()[0][0])

    def match(self, question: Question) -> Any:  # noqa: ANN401
        """Booleans of Arrow."""
        return self._column(f"SELECT {self._condition(question)} FROM strings")

    def matching(self, question: Question) -> Any:  # noqa: ANN401
        """The strings that match."""
        return self._column(f"SELECT string FROM strings WHERE {self._condition(question)}")

    def keep(self, name: str, booleans: Any) -> None:  # noqa: ANN401
        """Makes a mask a column of a table beside the strings."""
        masks = load("pyarrow").table({"kept": booleans})
        self._connection.register("given", masks)
        self._connection.execute(f"CREATE OR REPLACE TABLE {name} AS SELECT kept FROM given")
        self._connection.unregister("given")

    def filter(self, name: str) -> Any:  # noqa: ANN401
        """The strings that a kept mask selects."""
        query = f"SELECT string FROM strings POSITIONAL JOIN {name} WHERE kept"
        return self._column(query)

    def take(self, numbers: list[int]) -> Any:  # noqa: ANN401
        """The strings of these rows, which rise."""
        listed = ",".join(map(str, numbers))
        return self._column(f"SELECT string FROM strings WHERE rowid IN ({listed}) ORDER BY rowid")
