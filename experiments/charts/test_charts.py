"""Figures that are described in YAML: their points, and that they follow their record."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from experiments.chart_definition import parse_chart
from experiments.charts.drawing import Charted, drawing_of
from experiments.definition import EXPERIMENTS_DIR, DefinitionError, all_targets, load_experiment
from experiments.made_up_results import figure_input, row, widths_rows
from experiments.plots import style
from experiments.plots.interface import FigureInput, FigureOutput
from experiments.published import load_published
from experiments.results import Result, load_result, recorded_paths
from experiments.tables import TableError

TARGET = "beyond_widths"
ROWS = widths_rows({(8, 65536): 3.5, (12, 65536): 4.5, (8, 1048576): 4.0})
THESIS = {"name": "thesis", "y": "GSST compression ratio"}
X = {"value": "parameters.block_bytes", "label": "block size"}
CHARTED = [target for target in all_targets() if load_experiment(target).chart is not None]
# Figures that a module of their own draws. The list may only shrink: a new figure has a chart in its YAML.
DRAWN_BY_MODULES = {
    *("beyond_columns", "beyond_levels", "beyond_overlap", "beyond_random_access", "beyond_sizes"),
    *("encoder_fig_10", "encoder_fig_11", "encoder_fig_13", "encoder_fig_8", "gsst_fig_2_2", "gsst_fig_5_2"),
    *("gsst_fig_6_2", "gsst_fig_6_3", "gsst_fig_6_4", "gsst_fig_b_1", "gsst_ingestion_model"),
    *("gsst_table_5_4", "gsst_table_6_1", "gsst_tuning", "warp_tiles_counters", "wide_encoder_counters"),
}
# What is measured of a row; a number that a chart shows follows one of these.
MEASURED = (
    *(("throughput_gb_per_s",), ("ratio",), ("compressed_bytes",), ("streaming_limit_gb_per_s",)),
    *(("phase_seconds", "encoding"), ("phase_seconds", "compaction"), ("tables", "most_rows")),
    *(("tables", "mean_rows"), ("tables", "symbols_by_length"), ("byte_counts",), ("run_counts",)),
    *(("counters", "memory_percent"), ("parallel_memcpy_gb_per_s",), ("model", "sectors_per_store")),
)


def draw(inputs: FigureInput) -> FigureOutput:
    style.apply()
    return drawing_of(inputs.experiment).draw(inputs)


def changed(**fields: object) -> FigureInput:
    """What TARGET's figure is drawn from, with these fields of its chart replaced."""
    inputs = figure_input(TARGET, ROWS)
    document: dict[str, Any] = {
        "kind": "lines",
        "height": 2.0,
        "x": {**X, "scale": "log", "tick": "{parameters.block_bytes:bytes}"},
        "y": {"label": "ratio", "panels": [{"value": "ratio"}]},
        "series": "{parameters.code_bits} bits",
        "legend": "above",
    }
    chart = parse_chart({"chart": {**document, **fields}})
    return replace(inputs, experiment=replace(inputs.experiment, chart=chart))


def test_rows_of_a_series_are_a_line() -> None:
    output = draw(changed(y={"label": "ratio", "panels": [{"value": "ratio", "published": [THESIS]}]}))
    (axes,) = output.figure.axes
    lines = {line.get_label(): (list(line.get_xdata()), list(line.get_ydata())) for line in axes.lines[:2]}
    assert lines == {"8 bits": ([65536, 1048576], [3.5, 4.0]), "12 bits": ([65536], [4.5])}
    paper = load_published().value(TARGET, "GSST compression ratio")
    assert axes.lines[2].get_label() == f"thesis: {paper:g}"
    assert list(axes.lines[2].get_ydata()) == [paper, paper]
    assert [tick.get_text() for tick in axes.get_xticklabels()] == ["64 KiB", "1 MiB"]
    assert list(output.table.columns) == ["series", "hollow", "panel", "block size", "y", "kind"]
    assert list(output.table["y"]) == [3.5, 4.5, 4.0, paper]


def test_hollow_rows_are_a_line_by_themselves_in_the_color_of_their_series() -> None:
    output = draw(changed(hollow={"parameters.block_bytes": 1048576}, hollow_name="large blocks"))
    drawn = [line for line in output.figure.axes[0].lines if len(line.get_ydata())]
    full, hollow, _ = sorted(drawn, key=lambda line: line.get_ydata()[0])
    assert full.get_color() == hollow.get_color()
    assert (full.get_linestyle(), hollow.get_linestyle()) == ("-", "--")
    assert hollow.get_markerfacecolor() == "white"
    assert "large blocks" in [text.get_text() for text in output.figure.legends[0].get_texts()]


def test_marks_in_the_same_places_are_of_different_sizes() -> None:
    same = widths_rows(
        {(8, 65536): 3.5, (12, 65536): 3.5, (8, 1048576): 4.5, (12, 1048576): 4.5, (10, 65536): 4.0}
    )
    output = draw(replace(changed(), result=replace(figure_input(TARGET, same).result, rows=tuple(same))))
    (axes,) = output.figure.axes
    sizes = {line.get_label(): line.get_markersize() for line in axes.lines}
    assert sizes["8 bits"] > sizes["12 bits"] == sizes["10 bits"]


@pytest.mark.parametrize(
    ("limit", "scale", "place", "align"),
    [
        (40.0, "linear", 3.5, "left"),
        (3.6, "linear", 3.6, "left"),
        (1.0, "linear", 3.5, "left"),
        (4000.0, "log", 3.5, "left"),
        (4.0, "log", 3.5, "right"),
    ],
)
def test_the_text_of_a_bar_is_beside_it_or_past_the_limit_that_is_in_its_way(
    limit: float, scale: str, place: float, align: str
) -> None:
    bars: dict[str, Any] = {
        "chart": {
            "kind": "bars",
            "height": 2.0,
            "x": {"value": "ratio", "label": "ratio", "scale": scale},
            "line": "{parameters.code_bits}",
            "text": "{ratio} of all",
            "limit": {"value": str(limit), "name": "limit"},
        }
    }
    inputs = figure_input(TARGET, widths_rows({(8, 65536): 3.5}))
    output = draw(replace(inputs, experiment=replace(inputs.experiment, chart=parse_chart(bars))))
    (text,) = (found for found in output.figure.axes[0].texts if "of all" in found.get_text())
    assert text.xy[0] == place
    assert text.get_horizontalalignment() == align


def test_each_panel_has_its_own_value_of_the_same_rows() -> None:
    panels = [{"title": "ratio", "value": "ratio"}, {"title": "half", "value": "ratio / 2"}]
    first, second = draw(changed(y={"label": "y", "panels": panels, "from_zero": True})).figure.axes
    assert [axes.get_title(loc="left") for axes in (first, second)] == ["ratio", "half"]
    assert list(second.lines[0].get_ydata()) == [1.75, 2.0]
    assert second.get_ylim()[0] == 0


def test_of_rows_that_are_chosen_from_the_least_stays_and_all_of_these_are_pooled() -> None:
    choose = {
        "group": [{"show": "narrow", "where": {"parameters.code_bits": {"at_most": 8}}}, "wide"],
        "by": ["parameters.block_bytes"],
        "least": "ratio",
    }
    # Of the blocks of 64 KiB, the ones of 8 bits would be chosen if the group did not say otherwise.
    assert list(draw(changed(choose=choose)).table["y"]) == [3.5, 4.5, 4.0]
    output = draw(changed(choose={**choose, "group": "all"}, series="{choice}"))
    assert list(output.table["y"]) == [3.5, 4.0]
    assert set(output.table["series"]) == {"all"}
    least = [{"value": "0 - ratio", "where": {"parameters.block_bytes": 65536}}, {"value": "ratio"}]
    output = draw(changed(choose={**choose, "group": "all", "least": least}))
    assert list(output.table["y"]) == [4.5, 4.0]
    pool = {"group": "sum", "by": ["choice"], "total": {"ratio": "ratio"}}
    output = draw(changed(choose={**choose, "group": "all"}, pool=pool, series="{choice}"))
    assert list(output.table["y"].dropna()) == [7.5]


def test_ours_is_compared_as_the_chart_says() -> None:
    most = {"where": {"parameters.code_bits": 8}, "take": {"max": "ratio"}, "value": "ratio * 2"}
    inputs = changed(compare={"double": most})
    compare = drawing_of(inputs.experiment).compare
    assert compare(inputs.result, inputs.published) == {"double": 8.0}
    assert compare(None, inputs.published) == {}


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"where": {"parameters.bits": 8}}, r"where\.parameters\.bits: no row has this column"),
        ({"series": "{bits}"}, r"series: there is no bits"),
        ({"x": {"value": "block", "label": ""}}, r"x\.value: there is no block"),
        ({"y": {"label": "", "panels": [{"value": "variant"}]}}, r"y\.panels\[0\]\.value: .*not a number"),
    ],
)
def test_what_a_record_has_not_is_named(fields: Mapping[str, Any], message: str) -> None:
    with pytest.raises(TableError, match=rf"{TARGET}: \$\.chart\.{message}"):
        draw(changed(**fields))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("kind: lines", "kind: circles", r"\$\.chart"),
        ("legend: inside", "legends: inside", r"\$\.chart: .*legend"),
        ("[{value: ratio,", "[{value: ratio +,", r"\$\.chart\.y\.panels\[0\]: .*not a column"),
        ('"{parameters.code_bits} bits"', '"{parameters.code_bits bits"', r"\$\.chart\.series: .*brace"),
        ("take: {max: ratio}", "take: {best: ratio}", r"\$\.chart\.compare\['GSST.*'\]\.take"),
    ],
)
def test_a_wrong_field_of_a_chart_is_named(old: str, new: str, message: str, tmp_path: Path) -> None:
    text = (EXPERIMENTS_DIR / f"{TARGET}.yaml").read_text(encoding="utf-8")
    assert old in text
    (tmp_path / f"{TARGET}.yaml").write_text(text.replace(old, new), encoding="utf-8")
    with pytest.raises(DefinitionError, match=message):
        load_experiment(TARGET, tmp_path)


def _scaled(row: Mapping[str, Any], path: Sequence[str], factor: float) -> dict[str, Any]:
    """The row with this number, or the numbers of this list, times `factor`; as it is where it has none."""
    name, *rest = path
    value = row.get(name)
    if rest:
        return {**row, name: _scaled(value, rest, factor)} if isinstance(value, Mapping) else dict(row)
    if isinstance(value, list):
        # Each by another factor: a share of their sum changes too.
        return {**row, name: [part * factor**place for place, part in enumerate(value, start=1)]}
    return {**row, name: value * factor} if value else dict(row)


def _changed(result: Result, path: Sequence[str], rows: range) -> Result:
    """The result with this number of these rows changed, of each by another factor."""

    def change(index: int, row: Mapping[str, Any]) -> Mapping[str, Any]:
        if index not in rows:
            return row
        factor = 0.5 + 0.3 * index / len(result.rows)
        if path == ("throughput_gb_per_s",) and row.get("seconds"):
            ends = {name: row["seconds"][name] / factor for name in ("min", "median", "max")}
            row = {**row, "seconds": {**row["seconds"], **ends}}
        return _scaled(row, path, factor)

    return replace(result, rows=tuple(change(index, row) for index, row in enumerate(result.rows)))


def _picture(inputs: FigureInput) -> bytes:
    figure = draw(inputs).figure
    # Where things are is not asked, and to find it takes as long as to draw; many pixels take as long again.
    figure.set_layout_engine("none")
    figure.set_dpi(25)
    figure.canvas.draw()
    return bytes(figure.canvas.buffer_rgba())


RECORDED = [target for target in CHARTED if recorded_paths(load_experiment(target).source)]


@pytest.mark.parametrize("target", RECORDED)
def test_a_committed_chart_follows_its_record(target: str) -> None:
    experiment, published = load_experiment(target), load_published()
    result = load_result(recorded_paths(experiment.source)[0])
    drawing = drawing_of(experiment)
    assert isinstance(drawing, Charted)

    def numbers(drawn: Result) -> list[str]:
        # What is relative to itself is always 1 or 100 %, and none of something stays none.
        lines = drawing.numbers(drawn, published).to_numpy().tolist()
        fixed = (0.0, 1.0, 100.0)
        return [str(line) for line in lines if not any(isinstance(x, float) and x in fixed for x in line)]

    before, of_picture = numbers(result), None
    assert before
    still = set(before)
    for path in MEASURED:
        of_all = numbers(_changed(result, path, range(len(result.rows))))
        still &= set(of_all)
        # Not all rows: what is relative to another row would stay as it is.
        for step in range(2, len(result.rows) + 2) if of_picture is None and of_all != before else ():
            some = _changed(result, path, range(0, len(result.rows), step))
            if numbers(some) != before:
                of_picture = some
                break
    assert not still
    assert of_picture is not None
    inputs = FigureInput(experiment, published, result)
    assert _picture(inputs) != _picture(replace(inputs, result=of_picture))


def test_modules_draw_only_the_figures_that_always_had_one() -> None:
    modules = {path.stem for path in (EXPERIMENTS_DIR / "plots").glob("*.py")}
    assert modules & set(all_targets()) == DRAWN_BY_MODULES
    assert set(CHARTED) == set(all_targets()) - DRAWN_BY_MODULES


def test_a_figure_without_a_result_says_so() -> None:
    inputs = FigureInput(load_experiment("encoder_fig_12"), load_published(), None)
    output = draw(inputs)
    assert output.table.empty
    assert "no measurement" in [text.get_text() for text in output.figure.axes[0].texts]


def test_cascades_of_nvcomp_are_compared_with_the_same_layers_and_by_the_smallest() -> None:
    schemes = (
        ("tile_integer/04_miniblock_offsets", "for", 100.0, 20),
        ("tile_integer/06_runs", "rfor", 60.0, 10),
        ("tile_integer/07_bit_packing", "bp", 500.0, 1),
        ("nvcomp_integers/Cascaded", "FOR+BitPack", 25.0, 22),
        ("nvcomp_integers/Cascaded", "RLE+FOR+BitPack", 40.0, 15),
    )
    rows = [
        row(throughput, stage=stage, variant=variant, dataset=f"ssb/{column}_sf20", compressed_bytes=stored)
        for stage, variant, throughput, stored in schemes
        for column in ("lo_orderdate", "lo_custkey")
    ]

    def compared(target: str) -> Mapping[str, float]:
        inputs = figure_input(target, rows)
        found = drawing_of(inputs.experiment).compare(inputs.result, inputs.published)
        assert set(found) <= {number.quantity for number in inputs.published.of(target)}
        return found

    assert compared("tile_fig_10_schemes") == {
        "time of nvCOMP's FOR+BitPacking over GPU-FOR": pytest.approx(4),
        "time of nvCOMP's RLE+FOR+BitPacking over GPU-RFOR": pytest.approx(1.5),
    }
    assert compared("tile_fig_9_nvcomp") == {"size of nvCOMP over that of GPU-*": pytest.approx(1.5)}
    of_systems = compared("tile_fig_10")
    assert of_systems["geometric mean, time of nvCOMP over that of GPU-*"] == pytest.approx(2.5)
