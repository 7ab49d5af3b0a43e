"""Draws from results the tables and goals of the YAML files (see experiments/table_definition.py)."""

import functools
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from statistics import geometric_mean

from experiments.definition import EXPERIMENTS_DIR, all_targets, load_experiment
from experiments.expressions import (
    NoFieldError,
    NoNumberError,
    Row,
    accepts,
    number_of,
    value_of,
)
from experiments.kernel_metrics import kernel_limits
from experiments.made_data import with_numbers_of_data
from experiments.own_sizes import own_ratio_fields
from experiments.published import load_published
from experiments.results import MEASURED_DIR, RECORDED_DIR, Result, recorded_results, results_here
from experiments.table_definition import (
    STAGE_PAGES,
    Cell,
    Conditions,
    Entry,
    Extreme,
    Goal,
    Goals,
    Note,
    Page,
    Pick,
    Table,
)
from experiments.table_text import NOT_MEASURED, TextTable, data_text, machine_title, markdown_table
from experiments.text_template import UNKNOWN, fill

# What is computed for a row besides its fields, by the name that a YAML file gives it.
DERIVED: dict[str, Callable[[Row], Row]] = {
    "kernel_limits": kernel_limits,
    "own_ratio": own_ratio_fields,
}
GOALS_HEADER = ("goal", "at least", "measured", "reached", "above or below it")


class TableError(Exception):
    """A table that cannot be drawn from its record: it names the field, and what is wrong there."""


class _NoColumnError(TableError):
    """No row has a column that a condition names."""


@dataclass(frozen=True)
class DrawnTable:
    """A table of one machine, and the texts above and below it in Markdown."""

    machine: str
    heading: str
    table: TextTable
    notes: tuple[str, ...]

    def markdown(self) -> str:
        """All of it for a page."""
        parts = [f"{self.heading}\n", markdown_table(self.table), *(f"{note}\n" for note in self.notes)]
        return "\n".join(parts)


@dataclass(frozen=True)
class _Line:
    """A row of a record, and what expressions see: its fields, and the rows that it is shown with."""

    row: Row
    fields: Row


_Values = tuple[Hashable, ...]


@dataclass(frozen=True)
class _Source:
    """The records of one machine by target. `own` is the target whose YAML file it is, `stage` the page's."""

    results: Mapping[str, Result]
    own: str
    stage: str
    # What has been asked for: many rows are shown with rows of the same record.
    _rows: dict[str, Sequence[Row]] = field(default_factory=dict)
    _selected: dict[int, tuple[Pick, list[Row], dict[_Values, list[Row]]]] = field(default_factory=dict)

    def rows(self, record: str | None) -> Sequence[Row]:
        """The rows of a target's record, or of its own, with the numbers that their data were made with; none
        without a record."""
        target = record or self.own
        if target not in self._rows:
            result = self.results.get(target)
            self._rows[target] = with_numbers_of_data(result.rows) if result else ()
        return self._rows[target]

    def selected(self, pick: Pick, ours: Row | None, place: str) -> list[Row]:
        """The rows that the pick's `where` asks for; of a row of ours, those that its `same` asks for too."""
        # The pick is kept with them: while it lives, no other one has its identity.
        if id(pick) not in self._selected:
            rows = _select(self.rows(pick.record), pick.where, place)
            self._selected[id(pick)] = (pick, rows, _by_values(pick.same.keys(), rows))
        _, rows, rows_of = self._selected[id(pick)]
        if ours is None:
            return rows
        values = _values(pick.same.values(), ours)
        return rows_of.get(values, []) if values is not None else []


def _select(rows: Sequence[Row], where: Conditions, place: str) -> list[Row]:
    """The rows that `where` asks for. A column that no row has is an error, a row without it is left out."""
    kept = list(rows)
    for column, condition in where.items():
        known, chosen = not kept, []
        for row in kept:
            try:
                value = value_of(column, row)
            except NoFieldError:
                continue
            known = True
            if accepts(condition, value):
                chosen.append(row)
        if not known:
            raise _NoColumnError(f"{place}.where.{column}: no row has this column")
        kept = chosen
    return kept


def _hashable(value: object) -> Hashable:
    if isinstance(value, list):
        return tuple(_hashable(item) for item in value)
    if isinstance(value, Mapping):
        return frozenset((name, _hashable(item)) for name, item in value.items())
    assert isinstance(value, Hashable)
    return value


def _values(expressions: Iterable[str], row: Row) -> _Values | None:
    """What the expressions are in the row; None where it lacks one."""
    try:
        return tuple(_hashable(value_of(expression, row)) for expression in expressions)
    except NoFieldError:
        return None


def _by_values(expressions: Collection[str], rows: Iterable[Row]) -> dict[_Values, list[Row]]:
    """The rows by what the expressions are in them: each row of a long record finds its own at once."""
    rows_of: dict[_Values, list[Row]] = {}
    for row in rows:
        values = _values(expressions, row)
        if values is not None:
            rows_of.setdefault(values, []).append(row)
    return rows_of


def _extreme(lines: Sequence[_Line], take: Extreme, place: str) -> _Line:
    try:
        if take.kind == "mean":
            mean = geometric_mean(number_of(take.by, line.fields) for line in lines)
            return _Line(lines[0].row, {**lines[0].fields, "mean": mean})
        choose = max if take.kind == "max" else min
        return choose(lines, key=lambda line: number_of(take.by, line.fields))
    except NoFieldError as error:
        raise TableError(f"{place}.take: {take.by}: a row has no value of {error}") from error
    except (ValueError, ZeroDivisionError) as error:
        raise TableError(f"{place}.take: {error}") from error


def _taken(
    pick: Pick, lines: list[_Line], ours: _Line | None, rows: Sequence[Row], place: str
) -> _Line | None:
    if not lines:
        return None
    if isinstance(pick.take, Extreme):
        return _extreme(lines, pick.take, place)
    if pick.take == "previous":
        order = [id(row) for row in rows]
        limit = order.index(id(ours.row)) if ours is not None and id(ours.row) in order else len(order)
        before = [line for line in lines if order.index(id(line.row)) < limit]
        return before[-1] if before else None
    if len(lines) > 1:
        raise TableError(f"{place}: {len(lines)} rows, must be one: say more in `where`, `same` or `take`")
    return lines[0]


def _joined(row: Row, joins: Mapping[str, Pick], source: _Source, fields: Row, place: str) -> _Line | None:
    """The row with those that it is shown with, None where one is not there that must be."""
    line = _Line(row, {**row, **fields})
    for name, pick in joins.items():
        other = _picked(pick, line, source, f"{place}.with.{name}")
        if other is None and not pick.optional:
            return None
        if other is not None:
            line = _Line(row, {**line.fields, name: other.fields})
    return line


def _published(pick: Pick, ours: _Line | None, source: _Source, place: str) -> _Line | None:
    """The published number as the field `value`, None where none is printed."""
    try:
        quantity = fill(pick.published, ours.fields if ours else {})
    except NoFieldError as error:
        if pick.optional:
            return None
        raise TableError(f"{place}.published: there is no {error}") from error
    for number in load_published().of(source.own):
        if number.quantity == quantity and number.value is not None:
            return _Line({}, {"value": number.value})
    return None


def _picked(pick: Pick, ours: _Line | None, source: _Source, place: str) -> _Line | None:
    if pick.published:
        return _published(pick, ours, source, place)
    rows = source.rows(pick.record)
    selected = source.selected(pick, ours.fields if ours else None, place)
    joined = (_joined(row, pick.joins, source, {}, place) for row in selected)
    return _taken(pick, [line for line in joined if line is not None], ours, rows, place)


def _of_page(rows: Iterable[Row], source: _Source) -> list[Row]:
    return [row for row in rows if row["stage"] == source.stage]


def _lines_of(line: _Line, expressions: Mapping[str, str], joined: Iterable[str]) -> Iterator[_Line]:
    """The line, or one for each expression that the row has: its `name`, and its `value` in the row and in
    those that it is shown with."""
    if not expressions:
        yield line
    for name, expression in expressions.items():
        try:
            fields: dict[str, object] = {**line.fields, "name": name, "value": value_of(expression, line.row)}
        except NoFieldError:
            continue
        for other in joined:
            with suppress(NoFieldError):
                row = line.fields.get(other)
                if isinstance(row, Mapping):
                    fields[other] = {**row, "value": value_of(expression, row)}
        yield _Line(line.row, fields)


def _derived(name: str | None, row: Row) -> Row:
    return DERIVED[name](row) if name else {}


def _table_lines(table: Table, source: _Source) -> list[_Line]:
    rows = source.rows(None)
    rows = _select(rows if table.all_stages else _of_page(rows, source), table.where, table.place)
    lines: list[_Line] = []
    for row in rows:
        fields = {**_derived(table.derived, row), "of_page": table.stages[source.stage]}
        line = _joined(row, table.joins, source, fields, table.place)
        if line is not None:
            lines += _lines_of(line, table.lines_of, table.joins)
    return lines


def _suits(where: Conditions, fields: Row) -> bool:
    try:
        return all(accepts(condition, value_of(column, fields)) for column, condition in where.items())
    except NoFieldError:
        return False


def _cell_text(cells: Sequence[Cell], fields: Row, place: str) -> str:
    """The first text that can be filled. Raises NoFieldError where a field lacks, TableError for what never
    fits."""
    missing: NoFieldError | None = None
    for cell in cells:
        if not _suits(cell.where, fields):
            continue
        try:
            return fill(cell.text, fields)
        except NoFieldError as error:
            missing = error
        except (ValueError, ZeroDivisionError) as error:
            raise TableError(f"{place}: {error}") from error
    if missing is not None:
        raise missing
    return UNKNOWN


def _column(cells: Sequence[Cell], lines: Sequence[_Line], optional: set[str], place: str) -> list[str]:
    """The texts of a column. What one row lacks is unknown there; what all lack is an error, unless it was
    not measured or is of a row that need not be there."""
    texts, missing = [], []
    for line in lines:
        try:
            texts.append(_cell_text(cells, line.fields, place))
        except NoFieldError as error:
            texts.append(UNKNOWN)
            if not isinstance(error, NoNumberError) and str(error).partition(".")[0] not in optional:
                missing.append(str(error))
    if len(missing) == len(lines):
        raise TableError(f"{place}: no row has {missing[0]}")
    return texts


def _text_table(table: Table, lines: Sequence[_Line]) -> TextTable:
    optional = {name for name, pick in table.joins.items() if pick.optional}
    columns = {}
    for title, cells in table.columns.items():
        with suppress(NoFieldError):
            filled = fill(title, lines[0].fields)
            texts = _column(cells, lines, optional, f"{table.place}.columns.{title}")
            if set(texts) != {UNKNOWN}:
                columns[filled] = texts
    return TextTable(tuple(columns), tuple(zip(*columns.values(), strict=True)))


def _filled(text: str, fields: Row, place: str) -> str:
    try:
        return fill(text, fields)
    except (NoFieldError, ValueError, ZeroDivisionError) as error:
        reason = f"there is no {error}" if isinstance(error, NoFieldError) else error
        raise TableError(f"{place}: {reason}") from error


def _noted(pick: Pick, source: _Source, place: str) -> _Line | None:
    try:
        return _picked(pick, None, source, place)
    except _NoColumnError:
        if pick.optional:
            return None
        raise


def _note_texts(notes: Sequence[Note], source: _Source, place: str) -> tuple[str, ...]:
    """The notes whose rows are all there."""
    texts = []
    for index, note in enumerate(notes):
        here = f"{place}.notes[{index}]"
        rows = {name: _noted(pick, source, f"{here}.with.{name}") for name, pick in note.rows.items()}
        found = {name: line.fields for name, line in rows.items() if line is not None}
        if len(found) == len(rows):
            texts.append(_filled(note.text, found, here))
    return tuple(texts)


def _heading(entry: Entry, source: _Source, row: Row, machine: str) -> str:
    """The text above a table; besides the row's fields it knows the machine and where the record is from."""
    result = source.results[source.own]
    fields = {
        **row,
        "machine": machine,
        "gpu": result.environment["gpu"] or machine,
        "origin": result.origin_text,
        "origin_of": {
            **dict.fromkeys(records_of(entry), NOT_MEASURED),
            **{target: other.origin_text for target, other in source.results.items()},
        },
        "data": data_text(result, row["dataset"], row["uncompressed_bytes"]),
    }
    place = f"{entry.place}.heading"
    try:
        return _cell_text(entry.heading, fields, place)
    except NoFieldError as error:
        raise TableError(f"{place}: there is no {error}") from error


def _each_text(goal: Goal, bounds: Mapping[int, tuple[float, float]], lines: Sequence[_Line]) -> str:
    """`17 of 20 columns; below: wiki, yago, hex`, the worst first."""
    missed = [line for line in lines if not _is_reached(goal, *bounds[id(line)])]
    missed.sort(key=lambda line: bounds[id(line)][0] / bounds[id(line)][1])
    names = ", ".join(_filled(goal.each, line.fields, f"{goal.place}.each.name") for line in missed)
    count = f"{len(lines) - len(missed)} of {len(lines)} {goal.of_each}"
    return f"{count}; below: {names}" if missed else count


def _is_reached(goal: Goal, value: float, bound: float) -> bool:
    assert goal.bound is not None
    return value > bound if goal.bound.strict else value >= bound


def _evaluate(expression: str, fields: Row, place: str) -> float:
    try:
        return number_of(expression, fields)
    except (NoFieldError, ValueError, ZeroDivisionError) as error:
        reason = f"there is no {error}" if isinstance(error, NoFieldError) else error
        raise TableError(f"{place}: {reason}") from error


def _shown(goal: Goal, value: float) -> str:
    return _filled(goal.shown, {"value": value}, f"{goal.place}.shown")


def _difference(goal: Goal, value: float, bound: float) -> str:
    """In points where the goal is a share, else in percent of the bound."""
    if "%" in goal.shown:
        return f"{100 * (value - bound):+.1f} points"
    return f"{100 * (value / bound - 1):+.1f} %"


def _goal_lines(goal: Goal, source: _Source) -> list[_Line]:
    rows = source.rows(goal.row.record)
    rows = _select(rows if goal.all_stages else _of_page(rows, source), goal.row.where, goal.place)
    joined = (_joined(row, goal.row.joins, source, _derived(goal.derived, row), goal.place) for row in rows)
    return [line for line in joined if line is not None]


def _goal_line(goal: Goal, source: _Source) -> tuple[Row, tuple[str, ...]] | None:
    """The row that is measured by the goal, and the texts of its line; None where nothing was measured."""
    lines = _goal_lines(goal, source)
    line = _taken(goal.row, lines, None, source.rows(goal.row.record), goal.place)
    if line is None:
        return None
    value = _evaluate(goal.value, line.fields, f"{goal.place}.value")
    at = [_filled(goal.at, line.fields, f"{goal.place}.at")] if goal.at else []
    if goal.bound is None:
        place = f" ({at[0]})" if at else ""
        measured = f"{_shown(goal, value)}{place}"
        return line.row, (goal.goal, "as far as it goes", measured, UNKNOWN, UNKNOWN)
    where = f"{goal.place}.{'more_than' if goal.bound.strict else 'at_least'}"
    bounds = {
        id(other): (
            _evaluate(goal.value, other.fields, f"{goal.place}.value"),
            _evaluate(goal.bound.expression, other.fields, where),
        )
        for other in (lines if goal.each else [line])
    }
    bound = bounds[id(line)][1]
    at += [_each_text(goal, bounds, lines)] if goal.each else []
    place = f" ({'; '.join(at)})" if at else ""
    is_reached = all(_is_reached(goal, *pair) for pair in bounds.values())
    texts = (
        goal.goal,
        f"{'more than ' if goal.bound.strict else ''}{_shown(goal, bound)}",
        f"{_shown(goal, value)}{place}",
        "yes" if is_reached else "**no**",
        _difference(goal, value, bound),
    )
    return line.row, texts


def _drawn(entry: Entry, source: _Source, machine: str) -> DrawnTable | None:
    """The table, None where its record has no row for it."""
    if isinstance(entry, Goals):
        found = [line for goal in entry.goals if (line := _goal_line(goal, source)) is not None]
        rows, table = [row for row, _ in found], TextTable(GOALS_HEADER, tuple(texts for _, texts in found))
    else:
        lines = _table_lines(entry, source)
        rows = [line.row for line in lines]
        table = _text_table(entry, lines) if lines else TextTable((), ())
    if not rows:
        return None
    heading = _heading(entry, source, rows[-1], machine)
    return DrawnTable(machine, heading, table, _note_texts(entry.notes, source, entry.place))


@functools.cache
def targets_with_tables() -> dict[str, tuple[Entry, ...]]:
    """The committed tables and goals by target; read once."""
    return {
        target: entries
        for target in all_targets(EXPERIMENTS_DIR)
        if (entries := load_experiment(target).tables)
    }


def _records_of_picks(picks: Iterable[Pick]) -> Iterator[str]:
    for pick in picks:
        if pick.record:
            yield pick.record
        yield from _records_of_picks(pick.joins.values())


def records_of(entry: Entry) -> Iterator[str]:
    """The other targets whose records a table needs besides its own."""
    picks = [pick for note in entry.notes for pick in note.rows.values()]
    if isinstance(entry, Goals):
        picks += [goal.row for goal in entry.goals]
    else:
        picks += entry.joins.values()
    yield from _records_of_picks(picks)


def table_targets() -> list[str]:
    """The targets whose records some table needs."""
    names: set[str] = set()
    for target, entries in targets_with_tables().items():
        names |= {target, *(name for entry in entries for name in records_of(entry))}
    return sorted(names)


def recorded_for_tables() -> list[Result]:
    """The committed results that the tables need, of every machine."""
    return recorded_results(table_targets(), RECORDED_DIR)


def measured_for_tables() -> list[Result]:
    """Those that were measured on this machine."""
    return results_here(table_targets(), MEASURED_DIR)


def stage_tables(
    stage: str,
    results: Sequence[Result],
    entries_of: Mapping[str, Sequence[Entry]] | None = None,
    pages: Sequence[Page] = STAGE_PAGES,
) -> list[DrawnTable]:
    """The tables and goals of `stage` on these pages, in their order, for each machine of `results` that
    recorded them. `entries_of` has them by target, those of the committed YAML files where it is left out.

    Raises TableError, which names the target and the field, where a record has not what a table shows."""
    drawn: list[tuple[int, DrawnTable]] = []
    by_machine: dict[str | None, dict[str, Result]] = {}
    for result in results:
        by_machine.setdefault(result.machine, {})[result.target] = result
    known: Mapping[str, Sequence[Entry]] = targets_with_tables() if entries_of is None else entries_of
    for machine, of_machine in by_machine.items():
        for target in sorted(of_machine.keys() & known.keys()):
            for entry in known[target]:
                if stage not in entry.stages or entry.page not in pages:
                    continue
                try:
                    found = _drawn(entry, _Source(of_machine, target, stage), machine_title(machine))
                except TableError as error:
                    raise TableError(f"{target}: {error}") from error
                drawn += [(entry.order, found)] if found else []
    drawn.sort(key=lambda item: (item[0], item[1].machine))
    return [found for _, found in drawn]


@dataclass(frozen=True)
class RowReader:
    """Reads the rows of one result as the YAML file of `target` says at `place`, for a chart. Raises
    TableError, which names the target and the field, where a row lacks what is asked for."""

    target: str
    place: str
    result: Result | None

    def _at(self, field: str) -> str:
        return f"{self.target}: {self.place}{field and '.'}{field}"

    def _source(self) -> _Source:
        return _Source({self.target: self.result} if self.result else {}, self.target, "")

    def select(self, where: Conditions, joins: Mapping[str, Pick], field: str = "") -> list[Row]:
        """The rows that `where` asks for, each with those that it is shown with; none without a result."""
        rows = _select(self.result.rows if self.result else (), where, self._at(field))
        source = self._source()
        found = (_joined(row, joins, source, {}, self._at(field)) for row in rows)
        return [line.fields for line in found if line is not None]

    def suits(self, where: Conditions, row: Row) -> bool:
        """Whether `where` asks for this row."""
        return _suits(where, row)

    def take(self, pick: Pick, field: str) -> Row | None:
        """The row that is taken, None where none is selected."""
        found = _picked(pick, None, self._source(), self._at(field))
        return found.fields if found else None

    def value(self, expression: str, row: Row, field: str) -> object:
        """The row's value of an expression."""
        try:
            return value_of(expression, row)
        except (NoFieldError, ValueError, ZeroDivisionError) as error:
            reason = f"there is no {error}" if isinstance(error, NoFieldError) else error
            raise TableError(f"{self._at(field)}: {reason}") from error

    def number(self, expression: str, row: Row, field: str) -> float:
        """The row's number of an expression."""
        return _evaluate(expression, row, self._at(field))

    def text(self, cells: Sequence[Cell], row: Row, field: str) -> str:
        """The first of the texts that can be filled."""
        try:
            return _cell_text(cells, row, self._at(field))
        except NoFieldError as error:
            raise TableError(f"{self._at(field)}: there is no {error}") from error

    def notes(self, notes: Sequence[Note]) -> list[str]:
        """The texts of the notes whose rows are all there."""
        return list(_note_texts(notes, self._source(), self._at("")))
