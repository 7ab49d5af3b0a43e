from dataclasses import replace

import pytest

from experiments.captions import build_caption
from experiments.definition import load_experiment
from experiments.made_up_results import (
    Row,
    codecs_rows,
    columns_rows,
    figure_input,
    made_up_result,
    ptx_rows,
    sizes_rows,
    stages_rows,
    threads_rows,
)
from experiments.plots import gsst_fig_2_2
from experiments.results import Carry, carry_over

TARGET = "gsst_fig_b_1"
ROWS = threads_rows({1: 2.0})


def test_it_says_data_machine_date_and_commit() -> None:
    caption = build_caption(figure_input(TARGET, ROWS), ["One more note."])
    for part in (
        "tpch/l_comment_sf0.05, 8.0 MB",
        "TPC-H-derived text, not a TPC-H result",
        "Made-up CPU (4 processors)",
        "made-up compiler 1.0",
        "2026-01-02T03:04:05Z",
        "commit 012345678901 (measured here)",
        "One more note.",
        load_experiment(TARGET).section,
    ):
        assert part in caption
    assert "skipped" not in caption
    assert "Stale" not in caption


def test_a_changed_tree_and_changed_sources_are_said() -> None:
    inputs = figure_input(TARGET, ROWS)
    dirty = made_up_result(TARGET, ROWS, dirty=True)
    assert "with uncommitted changes" in build_caption(replace(inputs, result=dirty), [])
    stale = replace(dirty, sources_digest="0" * 64)
    assert "Stale: the sources have changed" in build_caption(replace(inputs, result=stale), [])


def test_a_carried_record_names_the_commits_and_the_rule() -> None:
    carry = Carry("a" * 40, "b" * 40, "K and L", "2026-01-03T03:04:05Z")
    recorded = carry_over(made_up_result(TARGET, ROWS, machine="big_machine"), carry, "0" * 64)
    caption = build_caption(figure_input(TARGET, ROWS, recorded=(recorded,)), [])
    assert "commit 012345678901, carried over to bbbbbbbbbbbb by K and L (recorded on big_machine)" in caption


def test_every_machine_is_named() -> None:
    other = made_up_result(TARGET, ROWS, machine="big_machine", cpu="Big CPU (80 processors)")
    caption = build_caption(figure_input(TARGET, ROWS, recorded=(other,)), [])
    assert "(measured here)" in caption
    assert "Big CPU (80 processors)" in caption
    assert "(recorded on big_machine)" in caption


def test_data_that_was_not_there_is_counted_and_named() -> None:
    wanted = load_experiment("gsst_fig_2_2").scales["default"].instances
    labels = [instance.label for instance in wanted]
    rows = [
        row for label in labels[2:] for row in codecs_rows({("peer/zstd", "level 3"): 1.0}, dataset=label)
    ]
    caption = build_caption(figure_input("gsst_fig_2_2", rows, scale="default"), [])
    assert f"skipped: 2 columns that were not available: {labels[0]}, {labels[1]}." in caption


def test_data_is_counted_where_another_target_measures_what_is_drawn() -> None:
    wanted = load_experiment("zle_fig_18").scales["default"].instances
    labels = [instance.label for instance in wanted]
    rows = [{**ROWS[0], "dataset": label} for label in labels[1:]]
    caption = build_caption(figure_input("zle_fig_19", rows, scale="default"), [])
    assert f"skipped: 1 columns that were not available: {labels[0]}." in caption


def test_nothing_is_skipped_where_all_data_was_there() -> None:
    label = load_experiment(TARGET).scales["tiny"].instances[0].label
    assert "skipped" not in build_caption(
        figure_input(TARGET, [{**ROWS[0], "dataset": label}], scale="tiny"), []
    )


@pytest.mark.parametrize(
    ("target", "rows"),
    [("gsst_table_5_4", ptx_rows({16: 16.0})), ("gsst_fig_6_1", stages_rows({"01_blocks": 2.0}))],
)
def test_the_scale_of_the_workflow_is_not_that_of_other_programs(target: str, rows: list[Row]) -> None:
    assert "skipped" not in build_caption(figure_input(target, rows, scale="tiny"), [])


def test_policies_are_said_and_what_reads_no_data_names_none() -> None:
    caption = build_caption(figure_input("gsst_fig_6_1", stages_rows({"01_blocks": 2.0})), [])
    assert "Parameters, common: 16 blocks per SM x 192 splits, alignment 16" in caption
    assert "Parameters, best: the fastest of the listed sweep, chosen on other data" in caption
    assert "Data:" not in build_caption(figure_input("gsst_table_5_4", ptx_rows({16: 16.0})), [])


def test_one_column_at_several_sizes_is_named_with_its_sizes() -> None:
    rows = sizes_rows({("07_tuned", 4, size): 100.0 for size in (10**6, 10**7, 10**8)})
    caption = build_caption(figure_input("beyond_sizes", rows), [])
    assert "Data: tpch/l_comment at 3 sizes, 1.0 to 100.0 MB;" in caption


def test_a_title_that_asks_ends_with_its_question_mark() -> None:
    inputs = figure_input(TARGET, ROWS)
    asked = replace(inputs, experiment=replace(inputs.experiment, title="Is it so?"))
    assert build_caption(asked, []).startswith("Is it so? GSST thesis, ")


def test_tiled_columns_are_called_tiled() -> None:
    rows = columns_rows({("city", "07_tuned"): 300.0, ("wiki", "07_tuned"): 310.0})
    assert "Data: dbtext (2 columns, each tiled to 1000 MB), 2000.0 MB in all." in build_caption(
        figure_input("beyond_columns", rows), []
    )


@pytest.mark.parametrize("target", ["gsst_fig_6_3", "gsst_ingestion_model"])
def test_a_figure_without_measurement_says_so(target: str) -> None:
    assert "nothing is measured" in build_caption(figure_input(target, None), [])


def test_codecs_that_the_program_lacks_are_named() -> None:
    codecs = {("reference_cpu/fast", "blocks"): 2.0, ("peer/zstd", "level 3"): 1.0}
    whole = gsst_fig_2_2.draw(figure_input("gsst_fig_2_2", codecs_rows(codecs)))
    assert not any("skipped" in note for note in whole.notes)
    rows = codecs_rows(codecs, missing_codecs=["snappy", "brotli"])
    notes = gsst_fig_2_2.draw(figure_input("gsst_fig_2_2", rows)).notes
    assert any(note.startswith("skipped: 2 codecs") and "brotli, snappy" in note for note in notes)
