from pathlib import Path

import pytest

from experiments.paper_comparison import NOT_IN_TEXT, difference, read_comparison

HEADER = "quantity,unit,paper,yours,recorded on big,kind,source\n"


@pytest.mark.parametrize(
    ("paper", "ours", "unit", "text"),
    [
        ("4", "5", "ratio", "+25 %"),
        ("200", "199", "bytes", "-0.5 %"),
        ("1.21", "17.45", "GB/s", "x 14.4"),
        ("2.39", "2.837", "ms", "x 1.19"),
        ("16", "16.0", "bytes", "same"),
        ("50", "62.5", "%", "+12.5 points"),
        ("", "5", "GB/s", ""),
        ("4", "", "GB/s", ""),
        ("0", "5", "GB/s", ""),
    ],
)
def test_the_difference_is_in_percent_of_the_paper_s_number_or_a_factor_where_the_chip_decides(
    paper: str, ours: str, unit: str, text: str
) -> None:
    assert difference(paper, ours, unit) == text


def test_recorded_stands_before_yours_and_what_only_the_paper_has_is_apart(tmp_path: Path) -> None:
    path = tmp_path / "figure.comparison.csv"
    rows = [
        "speed,GB/s,4,8,2,printed,Section 1",
        "bar,GB/s,,3,,derived,a picture",
        "other,GB/s,5,,,printed,p",
    ]
    path.write_text(HEADER + "\n".join(rows) + "\n", encoding="utf-8")
    comparison = read_comparison(path)
    assert comparison.columns == ("recorded on big", "yours")
    assert comparison.has_yours
    speed, bar = comparison.lines
    assert [(value.text, value.difference) for value in speed.values] == [("2", "x 0.5"), ("8", "x 2")]
    assert bar.paper == NOT_IN_TEXT
    assert bar.source == "derived: a picture"
    assert [(value.text, value.difference) for value in bar.values] == [("", ""), ("3", "")]
    assert [line.quantity for line in comparison.paper_only] == ["other"]


def test_a_figure_from_records_alone_has_nothing_of_yours(tmp_path: Path) -> None:
    path = tmp_path / "figure.comparison.csv"
    path.write_text(HEADER.replace("yours,", "") + "speed,GB/s,4,2,printed,Section 1\n", encoding="utf-8")
    assert not read_comparison(path).has_yours


@pytest.mark.parametrize(
    ("columns", "drawn"),
    [
        ("yours,recorded on big,", "yours"),
        ("recorded on big,recorded on small,", "recorded on big"),
        ("ours (model),recorded on big,", "recorded on big"),
        ('"yours, common","yours, best",recorded on big,', "yours"),
        ("ours (model),", None),
        ("", None),
    ],
)
def test_what_is_drawn_is_the_first_result(columns: str, drawn: str | None, tmp_path: Path) -> None:
    path = tmp_path / "figure.comparison.csv"
    path.write_text(HEADER.replace("yours,recorded on big,", columns), encoding="utf-8")
    assert read_comparison(path).drawn == drawn


def test_a_machine_without_any_value_has_no_column(tmp_path: Path) -> None:
    path = tmp_path / "figure.comparison.csv"
    path.write_text(HEADER + "speed,GB/s,4,,2,printed,Section 1\n", encoding="utf-8")
    comparison = read_comparison(path)
    assert comparison.columns == ("recorded on big",)
    assert comparison.has_yours, "something was measured, though nothing that can be compared"
