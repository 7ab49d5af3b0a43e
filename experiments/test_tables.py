"""Tables and goals, from made-up rows and from the committed records."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from experiments.made_up_results import counters_rows, made_up_result, row, sizes_rows, stages_rows
from experiments.results import RECORDED_DIR, Result
from experiments.table_definition import STAGE_PAGES, Cell, Entry, Goals, parse_entries
from experiments.tables import (
    DERIVED,
    DrawnTable,
    TableError,
    recorded_for_tables,
    records_of,
    stage_tables,
    targets_with_tables,
)

TARGET, OTHER = "warp_tiles_ladder", "beyond_columns"
STAGE = "gsst/09_warp_tiles"
TABLE = {"heading": "**On {machine}**", "stages": [STAGE], "order": 1, "columns": {"step": "{variant}"}}
GOAL = {"goal": "fast", "value": "throughput_gb_per_s", "shown": "{value} GB/s"}
# One number of each kind that a table shows.
MEASURED = (
    *(("throughput_gb_per_s",), ("ratio",), ("seconds", "median"), ("phase_seconds", "encoding")),
    *(("counters", "instructions"), ("streaming_limit_moved_gb_per_s",), ("l2_write_bytes_per_output_byte",)),
    *(("counters", name) for name in ("memory_percent", "compute_percent", "warps_active_percent")),
    *(
        ("counters", f"stall_{name}")
        for name in ("long_scoreboard", "short_scoreboard", "mio_throttle", "barrier")
    ),
    *(("counters", name) for name in ("sectors_per_load", "sectors_per_store", "registers_per_thread")),
    *(("end_to_end_seconds", name, "median") for name in ("without_allocations", "with_allocations")),
    *(("graph_seconds", "median"), ("offered_blocks",)),
)


def step(variant: str, throughput: float, **changes: object) -> dict[str, Any]:
    return row(throughput, stage=STAGE, variant=variant, dataset="dbtext/city_tiled_to_8_bytes", **changes)


ROWS = [step("1", 10.0), step("2", 15.0, ratio=4.0), step("3", 12.0, parameters={"cut": 2})]


def draw(document: Mapping[str, Any], *results: Result, stage: str = STAGE) -> list[DrawnTable]:
    used = results or (made_up_result(TARGET, ROWS, "h200", gpu="Made-up GPU"),)
    return stage_tables(stage, used, {TARGET: parse_entries(document)})


def lines(changes: Mapping[str, Any], *results: Result) -> list[tuple[str, ...]]:
    (drawn,) = draw({"tables": [{**TABLE, **changes}]}, *results)
    return list(drawn.table.lines)


def goals(*entries: Mapping[str, Any], notes: object = None) -> DrawnTable:
    document = {
        "heading": "Goals",
        "stages": [STAGE],
        "order": 2,
        "lines": [{**GOAL, **one} for one in entries],
    }
    (drawn,) = draw({"goals": [{**document, **({"notes": notes} if notes else {})}]})
    return drawn


def test_a_row_is_a_line_and_a_column_what_its_text_says() -> None:
    (drawn,) = draw(
        {"tables": [{**TABLE, "columns": {"step": "{variant}", "GB/s": "{throughput_gb_per_s:.1f}"}}]}
    )
    assert drawn.markdown() == (
        "**On H200**\n\n| step | GB/s |\n|---|---|\n| 1 | 10.0 |\n| 2 | 15.0 |\n| 3 | 12.0 |\n"
    )


def test_the_heading_says_where_the_record_is_from() -> None:
    (drawn,) = draw({"tables": [{**TABLE, "heading": f"{{gpu}}; {{data}}; {{origin_of.{TARGET}}}"}]})
    origin = "2026-01-02, commit 012345678901"
    assert (
        drawn.heading
        == f"Made-up GPU; Made-up GPU, 0.008 GB of dbtext/city_tiled_to_8_bytes, {origin}; {origin}"
    )


def test_a_heading_says_of_another_record_that_is_not_there_that_nothing_was_measured() -> None:
    origin = f"{{origin_of.{OTHER}}}"
    joined = {"other": {"record": OTHER, "optional": True}}
    (drawn,) = draw({"tables": [{**TABLE, "heading": origin, "with": joined}]})
    assert drawn.heading == "not measured yet"
    results = [made_up_result(name, ROWS[:1], "h200") for name in (TARGET, OTHER)]
    (drawn,) = draw({"tables": [{**TABLE, "heading": origin, "with": joined}]}, *results)
    assert drawn.heading == "2026-01-02, commit 012345678901"


def test_rows_are_selected_by_stage_and_condition() -> None:
    assert lines({"where": {"throughput_gb_per_s": {"at_least": 12}}}) == [("2",), ("3",)]
    assert draw({"tables": [{**TABLE, "where": {"variant": "4"}}]}) == []
    assert draw({"tables": [TABLE]}, stage="gsst/07_tuned") == []
    elsewhere = {**TABLE, "stages": ["gsst/07_tuned"]}
    assert draw({"tables": [elsewhere]}, stage="gsst/07_tuned") == []
    (of_any,) = draw({"tables": [{**elsewhere, "all_stages": True}]}, stage="gsst/07_tuned")
    assert list(of_any.table.lines) == [("1",), ("2",), ("3",)]


def test_the_first_text_of_a_column_that_a_row_can_fill_counts() -> None:
    cells = ["{parameters.cut} pieces", {"show": "slow", "where": {"throughput_gb_per_s": {"at_most": 11}}}]
    assert lines({"columns": {"cut": cells}}) == [("slow",), ("-",), ("2 pieces",)]


def test_a_row_is_shown_beside_the_one_before_it() -> None:
    before = {"take": "previous", "same": ["ratio"], "where": {"stage": STAGE}, "optional": True}
    columns = {"step": "{variant}", "times": "{throughput_gb_per_s / before.throughput_gb_per_s:.2f}"}
    shown = lines({"with": {"before": before}, "columns": columns})
    assert shown == [("1", "-"), ("2", "-"), ("3", "1.20")]
    needed = {name: value for name, value in before.items() if name != "optional"}
    assert lines({"with": {"before": needed}, "columns": columns}) == [("3", "1.20")]


def test_a_row_is_shown_beside_the_fastest_of_another_record_on_the_same_machine() -> None:
    others = [step("a", 30.0, parameters={"cut": 2}), step("b", 60.0, parameters={"cut": 2}), step("c", 90.0)]
    results = [
        made_up_result(TARGET, ROWS, "h200"),
        made_up_result(OTHER, others, "h200"),
        made_up_result(OTHER, [step("d", 99.0, parameters={"cut": 2})], "b200"),
    ]
    fastest = {
        "record": OTHER,
        "same": {"parameters.cut": "parameters.cut"},
        "take": {"max": "throughput_gb_per_s"},
    }
    columns = {"step": "{variant}", "other": "{other.variant}: {other.throughput_gb_per_s}"}
    assert lines({"with": {"other": fastest}, "columns": columns}, *results) == [("3", "b: 60")]


def test_a_row_has_a_line_for_each_of_these_expressions_beside_that_of_another_row() -> None:
    timed = step("1", 10.0, times={"cold": 2.0, "warm": 1.0})
    other = {**ROWS[1], "stage": "gsst/01_blocks", "times": {"cold": 4.0}}
    table = {
        "where": {"variant": "1"},
        "with": {"other": {"where": {"stage": "gsst/01_blocks"}}},
        "lines_of": {"again": "times.warm", "at first": "times.cold", "never": "times.none"},
        "columns": {"when": "{name}", "ms": "{value}", "other": "{other.value}"},
    }
    result = made_up_result(TARGET, [timed, other], "h200")
    assert lines(table, result) == [("again", "1", "-"), ("at first", "2", "4")]


def test_a_stage_has_its_own_base_and_what_the_thesis_prints_of_it() -> None:
    throughputs = stages_rows({"01_blocks": 2.0, "02_splits": 24.0})
    throughputs[1]["throughput_gb_per_s"] = 5.28
    results = [made_up_result("gsst_fig_6_1", throughputs, "h200", gpu="Made-up GPU")]
    (first,) = stage_tables("gsst/01_blocks", results)
    assert first.table.header == ("parameters", "GB/s", "share of the streaming limit")
    (second,) = stage_tables("gsst/02_splits", results)
    assert second.heading.startswith("**Measured on H200** (Made-up GPU, 0.008 GB of tpch/l_comment_sf0.05")
    assert second.table.header[:4] == ("parameters", "GB/s", "times 01_blocks", "in the thesis")
    assert second.table.lines == (("common", "24", "12", "9", "0.12 %"), ("best", "26.4", "5", "9", "0.13 %"))
    assert stage_tables("gsst/03_shared_memory", results) == []


def test_counters_stand_beside_those_of_the_base() -> None:
    counters = counters_rows({"01_blocks": 50.0, "02_splits": 60.0})
    (drawn,) = stage_tables("gsst/02_splits", [made_up_result("gsst_table_6_1", counters, "h200")])
    assert drawn.table.header == ("counter", "02_splits", "01_blocks")
    assert drawn.table.lines[0] == ("memory (%)", "60", "50")


def test_tables_stand_in_their_order_and_not_in_that_of_the_file() -> None:
    first, last = {**TABLE, "heading": "first", "order": 1}, {**TABLE, "heading": "last", "order": 9}
    assert [drawn.heading for drawn in draw({"tables": [last, first]})] == ["first", "last"]


def test_a_goal_is_held_against_the_row_that_it_takes() -> None:
    most = {"take": {"max": "throughput_gb_per_s"}, "at": "step {variant}"}
    drawn = goals({**most, "at_least": 15}, {**most, "more_than": 15}, most)
    assert drawn.table.lines == (
        ("fast", "15 GB/s", "15 GB/s (step 2)", "yes", "+0.0 %"),
        ("fast", "more than 15 GB/s", "15 GB/s (step 2)", "**no**", "+0.0 %"),
        ("fast", "as far as it goes", "15 GB/s (step 2)", "-", "-"),
    )


def test_a_share_differs_from_its_goal_by_points() -> None:
    share = {"value": "throughput_gb_per_s / 20", "shown": "{value:.1%}", "where": {"variant": "3"}}
    assert goals({**share, "at_least": 0.5}).table.lines[0][1:] == ("50.0 %", "60.0 %", "yes", "+10.0 points")


def test_rows_that_miss_a_goal_are_named_the_worst_first() -> None:
    each = {"each": {"of": "steps", "name": "{variant}"}, "take": {"min": "throughput_gb_per_s"}}
    assert goals({**each, "at_least": 13}).table.lines[0][2:4] == (
        "10 GB/s (1 of 3 steps; below: 1, 3)",
        "**no**",
    )
    assert goals({**each, "at_least": 10}).table.lines[0][2:4] == ("10 GB/s (3 of 3 steps)", "yes")


def test_a_goal_may_be_of_the_geometric_mean_and_of_rows_of_other_stages() -> None:
    other = {**step("4", 40.0), "stage": "gsst/08_coalesced"}
    result = made_up_result(TARGET, [step("1", 10.0), other], "h200", gpu="Made-up GPU")
    mean = {**GOAL, "take": {"mean": "throughput_gb_per_s"}, "value": "mean", "at_least": 20}
    entry = {"heading": "Goals", "stages": [STAGE], "order": 1, "lines": [mean, {**mean, "all_stages": True}]}
    (drawn,) = draw({"goals": [entry]}, result)
    assert [line[2:4] for line in drawn.table.lines] == [("10 GB/s", "**no**"), ("20 GB/s", "yes")]


def test_a_goal_of_a_record_that_is_not_there_has_no_line() -> None:
    drawn = goals({"record": OTHER, "at_least": 1}, {"where": {"variant": "1"}, "at_least": 1})
    assert len(drawn.table.lines) == 1


def test_a_note_is_left_out_where_a_row_that_it_names_is_not_there() -> None:
    least = {"take": {"min": "throughput_gb_per_s"}}
    notes = [
        {"text": "At least {least.throughput_gb_per_s}.", "with": {"least": least}},
        {"text": "Or {other.ratio}.", "with": {"least": least, "other": {"record": OTHER}}},
    ]
    drawn = goals({"where": {"variant": "1"}, "at_least": 1}, notes=notes)
    assert drawn.notes == ("At least 10.",)
    assert drawn.markdown().endswith("|\n\nAt least 10.\n")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"where": {"parameters.cuts": 2}}, r"tables\[0\]\.where\.parameters\.cuts: no row has this column"),
        ({"columns": {"a": "{ratios}"}}, r"tables\[0\]\.columns\.a: no row has ratios"),
        ({"columns": {"a": "{variant:.1f}"}}, r"tables\[0\]\.columns\.a: .*has no format '.1f'"),
        ({"columns": {"a": "{variant * 2}"}}, r"tables\[0\]\.columns\.a: .*not a number"),
        ({"heading": "{sourc}"}, r"tables\[0\]\.heading: there is no sourc"),
        ({"with": {"other": {"where": {"stage": STAGE}}}}, r"tables\[0\]\.with\.other: 3 rows, must be one"),
        (
            {"with": {"other": {"take": {"max": "rati"}}}},
            r"tables\[0\]\.with\.other\.take: rati: a row has no",
        ),
    ],
)
def test_what_a_record_has_not_is_named(changes: Mapping[str, Any], message: str) -> None:
    with pytest.raises(TableError, match=rf"{TARGET}: \$\.{message}"):
        lines(changes)


def test_the_schema_knows_what_can_be_derived() -> None:
    used = {
        name
        for entries in targets_with_tables().values()
        for entry in entries
        for name in ([goal.derived for goal in entry.goals] if isinstance(entry, Goals) else [entry.derived])
    }
    assert used - {None} == set(DERIVED)


# Of targets that are recorded: a new one is defined before it is measured.
COMMITTED = [
    (target, stage, index)
    for target, entries in targets_with_tables().items()
    if (RECORDED_DIR / "h200" / f"{target}.json").exists()
    for index, entry in enumerate(entries)
    for stage in entry.stages
]


def _halved(row: Mapping[str, Any], path: Sequence[str]) -> dict[str, Any] | None:
    """The row with this number halved, None where it has none."""
    name, *rest = path
    value = row.get(name)
    inner = _halved(value, rest) if rest and isinstance(value, Mapping) else value and value / 2
    return {**row, name: inner} if inner else None


def _changed(results: list[Result], stage: str | None, targets: set[str]) -> Iterator[list[Result]]:
    """The results with one measured number of `stage`, or of any where it is None, halved, for each."""
    for place, result in enumerate(results):
        for index, old in enumerate(result.rows if result.target in targets else ()):
            for path in MEASURED if stage in (None, old["stage"]) else ():
                if (new := _halved(old, path)) is not None:
                    rows = (*result.rows[:index], new, *result.rows[index + 1 :])
                    yield [*results[:place], replace(result, rows=rows), *results[place + 1 :]]


def _pieces(entry: Entry) -> Iterator[Entry]:
    """A table, or each goal as one; without notes. Sizes of columns as they are do not come from a record."""
    if not isinstance(entry, Goals):
        yield replace(entry, notes=())
        return
    for goal in entry.goals:
        if goal.derived != "own_ratio":
            yield replace(entry, goals=(goal,), heading=(Cell("", {}),), notes=())


def _lines(entry: Entry, target: str, stage: str, results: list[Result]) -> tuple[tuple[str, ...], ...]:
    (drawn,) = stage_tables(stage, results, {target: [entry]}, pages=(entry.page,))
    return drawn.table.lines


SAME_RUN = "the same run"


def heading_problems(entry: Entry, others: Sequence[Entry] = ()) -> list[str]:
    """What the heading of a table on a stage's page does not say of where its numbers are from; `others` are
    the tables of the same target."""
    texts = [cell.text for cell in entry.heading]
    wanted = ["{machine}", *(f"{{origin_of.{name}}}" for name in records_of(entry))]
    problems = [f"no {name}" for text in texts for name in dict.fromkeys(wanted) if name not in text]
    lines = entry.goals if isinstance(entry, Goals) else entry.columns.values()
    # Where lines are of several texts, each says of which.
    name_texts = isinstance(entry, Goals) or "{dataset:column}" in str(lines)
    for text in texts:
        if "{data}" in text or ("{origin}" in text and name_texts):
            continue
        if SAME_RUN not in text:
            problems.append("neither data, commit and date nor another table of the same run")
        elif not any(
            set(entry.stages) <= set(other.stages)
            and other.page in STAGE_PAGES
            and not heading_problems(other)
            for other in others
            if SAME_RUN not in other.heading[0].text
        ):
            problems.append("no other table of this run says where it is from")
    return problems


@pytest.mark.parametrize(
    ("target", "index"),
    [
        (target, index)
        for target, entries in targets_with_tables().items()
        for index, entry in enumerate(entries)
        if entry.page in STAGE_PAGES
    ],
)
def test_every_heading_names_its_record_or_the_table_of_the_same_run(target: str, index: int) -> None:
    entries = targets_with_tables()[target]
    assert heading_problems(entries[index], entries) == []


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"heading": "**On {machine}** ({data})"}, None),
        ({"heading": "**On {machine}** ({origin})", "columns": {"text": "{dataset:column}"}}, None),
        ({"heading": "**On {machine}**, in the same run"}, None),
        ({"heading": "**Measured** ({data})"}, "no {machine}"),
        ({"heading": "**On {machine}**"}, "neither data"),
        ({"heading": "**On {machine}** ({origin})"}, "neither data"),
        ({"heading": ["**On {machine}** ({data})", "**On {machine}**"]}, "neither data"),
        ({"heading": "**On {machine}**, in the same run", "stages": ["gsst/07_tuned"]}, "no other table"),
        ({"heading": "**On {machine}** ({data})", "with": {"o": {"record": OTHER}}}, "no {origin_of"),
    ],
)
def test_a_heading_that_does_not_say_where_its_numbers_are_from_is_a_problem(
    changes: Mapping[str, Any], problem: str | None
) -> None:
    first = {**TABLE, "heading": "**Measured on {machine}** ({data})"}
    entries = parse_entries({"tables": [first, {**TABLE, **changes}]})
    found = heading_problems(entries[1], entries)
    assert [text.startswith(problem or "") for text in found] == ([True] if problem else [])


@cache
def _recorded() -> list[Result]:
    return recorded_for_tables()


@pytest.mark.parametrize(("target", "stage", "index"), COMMITTED)
def test_every_line_follows_the_numbers_of_its_record(target: str, stage: str, index: int) -> None:
    results = [result for result in _recorded() if result.machine == "h200"]
    for entry in _pieces(targets_with_tables()[target][index]):
        before = _lines(entry, target, stage, results)
        # Half of nothing is nothing.
        still = {number for number, line in enumerate(before) if set(line[1:]) != {"0"}}
        assert still
        of_any = entry.goals[0].all_stages if isinstance(entry, Goals) else entry.all_stages
        for changed in _changed(results, None if of_any else stage, {target, *records_of(entry)}):
            after = _lines(entry, target, stage, changed)
            still -= {number for number in still if after[number] != before[number]}
            if not still:
                break
        assert not still, [before[number] for number in sorted(still)]


def test_what_the_host_takes_of_small_sizes_follows_from_the_times_of_graphs() -> None:
    rows: list[dict[str, Any]] = []
    for size, us, of_host in ((10**6, 30.0, 12e-6), (10**8, 62.0, 14e-6), (10**9, 400.0, 99e-6)):
        rows += sizes_rows({("09_warp_tiles", 1, size): size / 1e3 / us}, 8, of_host)

    def notes() -> str:
        recorded = [
            result
            for result in _recorded()
            if (result.machine, result.target) in (("h200", TARGET), ("h200", OTHER))
        ]
        drawn = stage_tables(STAGE, [*recorded, made_up_result("beyond_sizes", rows, "h200")])
        return "\n".join(note for table in drawn for note in table.notes)

    assert "12 to 14 microseconds of this are the host's work" in notes()
    rows[1]["graph_seconds"]["median"] -= 2e-6
    assert "12 to 16 microseconds of this are the host's work" in notes()
    for made in rows:
        del made["graph_seconds"]
    assert "microseconds more than the streaming limit" in notes()
    assert "host's work" not in notes()


def test_tables_of_the_same_order_come_in_that_of_their_targets() -> None:
    names = sorted(targets_with_tables(), reverse=True)[:8]
    results = [made_up_result(name, ROWS, "h200", gpu="Made-up GPU") for name in names]
    entries = {
        name: parse_entries({"tables": [{**TABLE, "heading": f"{name} on {{machine}} ({{data}})"}]})
        for name in names
    }
    drawn = stage_tables(STAGE, results, entries)
    assert [table.heading.split()[0].strip("*") for table in drawn] == sorted(names)


def test_a_note_on_a_column_that_no_row_has_is_left_out_only_where_it_is_optional() -> None:
    note = {"text": "{one.ratio}", "with": {"one": {"where": {"new_column": 1}, "optional": True}}}
    assert goals({"take": {"max": "ratio"}}, notes=[note]).notes == ()
    note["with"] = {"one": {"where": {"new_column": 1}}}
    with pytest.raises(TableError, match="new_column: no row has this column"):
        goals({"take": {"max": "ratio"}}, notes=[note])
