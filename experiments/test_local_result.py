from dataclasses import replace
from pathlib import Path

import pytest

from experiments.captions import build_caption
from experiments.definition import load_experiment
from experiments.local_result import (
    MAX_TYPICAL_SPREAD,
    choose_result,
    column_of,
    disturbances,
    local_text,
    shortcomings,
)
from experiments.made_up_results import (
    Row,
    figure_input,
    made_up_result,
    stages_rows,
    tables_rows,
    threads_rows,
)
from experiments.make_figure import comparison_table, make_figure
from experiments.plots import style
from experiments.results import Result

THREADS = load_experiment("gsst_fig_b_1")
TABLES = load_experiment("encoder_fig_3")
STAGES = load_experiment("gsst_fig_6_1")
TEXTS = ("tpch/l_comment_sf1.2", "dbtext/hex", "dbtext/uuid")


def tables(*texts: str, machine: str | None = None) -> Result:
    rows = tables_rows({(text, 256, 256, 256): 2.0 for text in texts})
    return made_up_result(TABLES.target, rows, machine=machine)


def threads(machine: str | None = None, **changes: object) -> Result:
    return made_up_result(THREADS.target, threads_rows({1: 2.0, 2: 3.5}), machine=machine, **changes)


def stretched(rows: list[Row], spread: float) -> list[Row]:
    """The rows with a median repetition of `spread` times the fastest."""
    return [
        {**row, "seconds": {**row["seconds"], "min": row["seconds"]["median"] / spread}}
        if row["seconds"]
        else row
        for row in rows
    ]


def loaded(taken: float, processors: int = 2) -> Result:
    return threads(load={"processors": processors, "taken_by_others": taken})


def test_measured_here_comes_before_recorded_and_recorded_before_nothing() -> None:
    measured, empty = threads(), made_up_result(THREADS.target, [])
    recorded = (threads("a"), threads("b"))
    for here, records, result, others in (
        (measured, recorded, measured, recorded),
        (empty, recorded, recorded[0], recorded[1:]),
        (None, recorded, recorded[0], recorded[1:]),
        (empty, (), empty, ()),
        (None, (), None, ()),
    ):
        choice = choose_result(here, records, THREADS)
        assert (choice.result, choice.recorded, choice.not_drawn) == (result, others, None)


def test_a_result_without_some_texts_of_a_record_is_not_drawn() -> None:
    partial, record = tables(*TEXTS[:2]), tables(*TEXTS, machine="a")
    choice = choose_result(partial, [record], TABLES)
    assert (choice.result, choice.not_drawn) == (record, partial)
    assert choice.reasons == ("it lacks 1 texts of the record (dbtext/uuid)",)
    # As much or more is enough, and so is a partial result where there is no record, or one of fewer texts.
    complete = tables(*TEXTS)
    assert choose_result(complete, [record], TABLES).result is complete
    assert choose_result(complete, [tables(*TEXTS[1:], machine="a")], TABLES).result is complete
    assert choose_result(partial, [], TABLES).result is partial


def test_the_record_that_has_more_is_drawn_first() -> None:
    partial, small, large = (
        tables(*TEXTS[:2]),
        tables(*TEXTS[:1], machine="a"),
        tables(*TEXTS, machine="b"),
    )
    choice = choose_result(partial, [small, large], TABLES)
    assert (choice.result, choice.recorded, choice.not_drawn) == (large, (small,), partial)


@pytest.mark.parametrize(
    ("dataset", "column"),
    [
        ("tpch/l_comment_sf1.2_first_16777216_bytes", "tpch/l_comment"),
        ("tpch/l_comment_sf80, last three quarters", "tpch/l_comment"),
        ("dbtext/c_name_tiled_to_1000000000_bytes", "dbtext/c_name"),
        ("dbtext/l_comment", "dbtext/l_comment"),
    ],
)
def test_a_text_of_another_size_is_the_same_text(dataset: str, column: str) -> None:
    assert column_of(dataset) == column


def test_stages_that_the_experiment_wants_may_not_be_missing_and_peers_may() -> None:
    rows = stages_rows({"01_blocks": 2.0, "02_splits": 18.0})
    one = [row for row in rows if row["stage"] == "gsst/01_blocks"]
    peer = {**rows[0], "stage": "nvcomp/ANS"}
    record = made_up_result(STAGES.target, [*rows, peer], machine="a")
    both, partial = (made_up_result(STAGES.target, part) for part in (rows, one))
    assert shortcomings(partial, record, STAGES) == ["it lacks 1 stages of the record (gsst/02_splits)"]
    assert shortcomings(both, record, STAGES) == []


@pytest.mark.parametrize(
    ("taken", "processors", "is_disturbed"), [(0.19, 2, False), (0.21, 2, True), (0.3, 16, False)]
)
def test_others_may_take_a_tenth_of_the_processors(taken: float, processors: int, is_disturbed: bool) -> None:
    result, record = loaded(taken, processors), threads("a")
    assert bool(disturbances(result)) == is_disturbed
    choice = choose_result(result, [record], THREADS)
    assert choice.result is (record if is_disturbed else result)
    # Times are what others disturb: a result that only counts bytes stays.
    counted = replace(tables(*TEXTS), environment=result.environment)
    assert disturbances(counted) == []


@pytest.mark.parametrize(("factor", "is_disturbed"), [(0.99, False), (1.01, True)])
def test_repetitions_that_differ_show_a_disturbance(factor: float, is_disturbed: bool) -> None:
    calm, rows = threads_rows({1: 2.0, 2: 3.5, 4: 7.0}), threads_rows({8: 7.0, 16: 7.0})
    spread = MAX_TYPICAL_SPREAD * factor
    result = made_up_result(THREADS.target, stretched(calm, spread) + rows)
    assert bool(disturbances(result)) == is_disturbed
    # Two points of five are the fault of nobody.
    assert disturbances(made_up_result(THREADS.target, calm + stretched(rows, 2.0))) == []


def test_a_result_of_the_scale_for_trying_out_is_drawn_without_a_record_only() -> None:
    tiny = threads(command="python -m experiments.run_measurement gsst_fig_b_1 --scale tiny")
    record = threads("a")
    choice = choose_result(tiny, [record], THREADS)
    assert (choice.result, choice.not_drawn) == (record, tiny)
    assert "tiny" in choice.reasons[0]
    assert choose_result(tiny, [], THREADS).result is tiny
    assert "speeds mean nothing" in build_caption(replace(figure_input(THREADS.target, []), result=tiny), [])
    assert "speeds mean nothing" not in build_caption(
        figure_input(THREADS.target, threads_rows({1: 2.0})), []
    )


def test_the_caption_and_the_comparison_say_what_is_not_drawn() -> None:
    inputs = replace(
        figure_input(TABLES.target, []),
        result=tables(*TEXTS, machine="a"),
        not_drawn=tables(TEXTS[0]),
        reasons=("it lacks 2 texts of the record (dbtext/hex, dbtext/uuid)",),
    )
    caption = build_caption(inputs, [])
    assert (
        "skipped: what was measured here on 2026-01-02 is not drawn: it lacks 2 texts of the record "
        "(dbtext/hex, dbtext/uuid)." in caption
    )
    assert {"recorded on a", "yours (not drawn)"} <= set(comparison_table(inputs).columns)


def test_a_disturbed_result_that_is_drawn_says_so() -> None:
    inputs = figure_input(THREADS.target, [])
    caption = build_caption(replace(inputs, result=loaded(0.83)), [])
    assert "Disturbed: other programs took 0.8 of 2 processors while it was measured." in caption
    assert "Disturbed" not in build_caption(replace(inputs, result=loaded(0.1)), [])


@pytest.mark.parametrize(
    ("result", "text"),
    [
        (threads(), "measured here"),
        (loaded(0.83), "measured here, disturbed by other programs"),
        (threads(command="... --scale tiny"), "measured here, at the scale tiny"),
        (threads("a"), ""),
        (made_up_result(THREADS.target, []), ""),
    ],
)
def test_the_picture_says_what_was_measured_here(
    result: Result, text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert local_text(result) == text
    said: list[str] = []
    monkeypatch.setattr(style, "say_below", lambda _, line: said.append(line))
    if result.rows:
        make_figure(replace(figure_input(THREADS.target, []), result=result), tmp_path)
        assert said == [text] * bool(text)


def test_a_line_below_leaves_the_plots_as_they_are() -> None:
    sizes = []
    for text in ("", "measured here"):
        figure, (axes,) = style.new_figure(2.2)
        axes.plot([1, 2], [1, 2])
        if text:
            style.say_below(figure, text)
            assert [each.get_text().strip() for each in figure.texts] == [text]
        figure.draw_without_rendering()
        sizes.append(axes.get_window_extent().size)
    assert sizes[0] == pytest.approx(sizes[1], abs=1)
