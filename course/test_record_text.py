"""Numbers of the course come from rows that are there."""

import pytest

from course.record_text import (
    RecordTextError,
    bars_of,
    parse_conditions,
    record_table,
    record_text,
    recorded,
    source_line,
)

ROW = "h200/gsst_fig_6_1[stage=gsst/04_alignment, policy=common]"
OTHER = "h200/gsst_fig_6_1[stage=gsst/03_shared_memory, policy=common]"


def throughput(stage: str) -> float:
    rows = recorded("h200/gsst_fig_6_1").rows
    (row,) = [row for row in rows if row["stage"] == stage and row["policy"] == "common"]
    return row["throughput_gb_per_s"]


def test_a_text_has_the_number_of_the_row() -> None:
    found = record_text(f"{ROW} -> {{throughput_gb_per_s:.1f}} GB/s")
    assert found.text == f"{throughput('gsst/04_alignment'):.1f} GB/s"
    assert "experiments/recorded/h200/gsst_fig_6_1.json" in found.origin


def test_expressions_see_further_rows_by_their_names() -> None:
    text = record_text(
        f"{ROW} with base={OTHER} -> {{throughput_gb_per_s / base.throughput_gb_per_s:.3f}}"
    ).text
    assert float(text) == pytest.approx(
        throughput("gsst/04_alignment") / throughput("gsst/03_shared_memory"), abs=5e-4
    )


def test_a_paper_s_number_has_its_place() -> None:
    quantity = "03_shared_memory throughput relative to 02_splits"
    assert record_text(f"paper:gsst_fig_6_1[{quantity}] -> {{value}}").text == "3"
    with pytest.raises(RecordTextError, match="no published value"):
        record_text("paper:gsst_fig_6_1[no such quantity] -> {value}")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("h200/no_target[] -> {ratio}", "there is no experiments/recorded/h200/no_target.json"),
        ("h200/gsst_fig_6_1[stage=gsst/99_none] -> {ratio}", "no row"),
        ("h200/gsst_fig_6_1[no_column=1] -> {ratio}", "no row"),
        ("h200/gsst_fig_6_1[policy=common] -> {ratio}", "9 rows"),
        ("h200/gsst_fig_6_1[policy] -> {ratio}", "column=value"),
        (f"{ROW} -> {{no_field}}", "no_field"),
        (f"{ROW} -> {{ratio", "brace"),
        (f"{ROW} {{ratio}}", "not of the form"),
    ],
)
def test_what_is_not_there_is_an_error(text: str, problem: str) -> None:
    with pytest.raises(RecordTextError, match=problem):
        record_text(text)


def test_conditions_have_numbers_texts_and_alternatives() -> None:
    assert parse_conditions("a=1, b.c=x/*, d=true, e=1|2") == {
        "a": 1,
        "b.c": "x/*",
        "d": True,
        "e": [1, 2],
    }


def test_a_table_has_a_line_for_each_row() -> None:
    table = record_table(
        "h200/gsst_fig_6_1", "policy=common", [("stage", "{stage:last}"), ("GB/s", "{throughput_gb_per_s}")]
    )
    assert table.header == ("stage", "GB/s")
    assert [line[0] for line in table.lines][:2] == ["01_blocks", "02_splits"]
    assert "H200" in source_line("h200/gsst_fig_6_1")


def test_bars_need_numbers() -> None:
    bars = bars_of("h200/gsst_fig_6_1", "policy=common", "{stage:last}", "throughput_gb_per_s")
    assert dict(bars)["04_alignment"] == throughput("gsst/04_alignment")
    with pytest.raises(RecordTextError, match="not a number"):
        bars_of("h200/gsst_fig_6_1", "policy=common", "{stage:last}", "stage")
    with pytest.raises(RecordTextError, match="there is no"):
        bars_of("h200/gsst_fig_6_1", "policy=common", "{stage:last}", "no_field")
