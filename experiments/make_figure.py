"""Draws one figure: SVG, PNG, CSV of what is drawn, caption, and the comparison with the paper.

python -m experiments.make_figure TARGET --output-dir DIR [--result RESULT.json] [--recorded RESULT.json ...]
"""

import argparse
import io
import re
import sys
from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path

import pandas as pd
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure

from data.files import new_file, write_text
from experiments.captions import NOT_MEASURED, SKIPPED, build_caption, why_not_measured
from experiments.charts.drawing import drawing_of
from experiments.definition import Experiment, load_experiment
from experiments.local_result import choose_result, local_text
from experiments.paper_comparison import RECORDED, YOURS
from experiments.plots import style
from experiments.plots.interface import FigureInput, FigureOutput
from experiments.published import load_published
from experiments.results import Result, ResultError, check_one_timing, load_result
from experiments.tables import TableError


def alternative_text(inputs: FigureInput) -> str:
    """What is drawn, what the verdict says of it where it judges what is drawn, and where the numbers are."""
    experiment, verdict = inputs.experiment, inputs.experiment.verdict
    parts = [experiment.caption]
    if verdict and (inputs.result is None or inputs.result.machine == verdict.machine):
        parts.append(verdict.text)
    return " ".join([*parts, f"{experiment.target}.csv has the numbers."])


# Matplotlib's, whatever the figure says.
_SVG_DOTS_PER_INCH = 72
_DIGITS = 12
_SVG_BEGINS = re.compile(r"<svg [^>]*>")


def with_alternative_text(svg: str, title: str, description: str) -> str:
    """`svg` with what is read aloud in place of the picture, and shown when a pointer rests on it."""
    begin = _SVG_BEGINS.search(svg)
    assert begin is not None
    named = begin[0].replace("<svg ", '<svg role="img" aria-labelledby="title description" ', 1)
    texts = f'<title id="title">{escape(title)}</title><desc id="description">{escape(description)}</desc>'
    return f"{svg[: begin.start()]}{named}\n {texts}{svg[begin.end() :]}"


def find_layout(figure: Figure) -> None:
    """Finds the layout that an SVG has, for all files of the figure. `savefig` would find the same one, but
    draw the whole figure first for nothing."""
    if (engine := figure.get_layout_engine()) is not None:
        canvas, dots = figure.canvas, figure.dpi
        FigureCanvasSVG(figure)
        figure.dpi = _SVG_DOTS_PER_INCH
        engine.execute(figure)
        # Not "none", which puts another engine in its place: `savefig` would draw the figure once more first.
        figure.set_layout_engine(None)
        figure.dpi = dots
        figure.set_canvas(canvas)
    round_places(figure)


def round_places(figure: Figure) -> None:
    """Rounds where plots are: the last digits of a layout depend on where its solver's objects lie in memory,
    and names inside an SVG depend on the last digits."""
    for axes in figure.axes:
        left, bottom, width, height = (
            round(part, _DIGITS) for part in axes.get_position(original=True).bounds
        )
        axes.set_position((left, bottom, width, height))


def save_svg(figure: Figure, path: Path, title: str, description: str) -> None:
    """Writes the same bytes for the same figure."""
    find_layout(figure)
    drawn = io.StringIO()
    figure.savefig(drawn, format="svg", metadata={"Date": None, "Creator": None})
    write_text(path, with_alternative_text(drawn.getvalue(), title, description))


def save_png(figure: Figure, path: Path) -> None:
    """Writes the same bytes for the same figure."""
    with new_file(path) as temporary:
        dots = style.PNG_DOTS_PER_INCH
        figure.savefig(temporary, format="png", dpi=dots, metadata={"Software": None})


def comparison_table(inputs: FigureInput) -> pd.DataFrame:
    """The paper's numbers of the experiment and ours; a column for each machine and policy, that of what is
    drawn before the others."""
    drawing = drawing_of(inputs.experiment)
    columns: dict[str, Mapping[str, float]] = {}
    if inputs.experiment.program is None:
        columns["ours (model)"] = drawing.compare(None, inputs.published)
    for result in (inputs.result, *inputs.recorded, inputs.not_drawn):
        if result is None:
            continue
        name = f"{RECORDED}{result.machine}" if result.machine else YOURS
        name += " (not drawn)" if result is inputs.not_drawn else ""
        if not inputs.experiment.policies:
            columns[name] = drawing.compare(result, inputs.published)
        for policy in inputs.experiment.policies:
            columns[f"{name}, {policy}"] = drawing.compare(result.with_policy(policy), inputs.published)
    rows = []
    for target in inputs.experiment.published:
        for number in inputs.published.of(target):
            values = [column.get(number.quantity) for column in columns.values()]
            rows.append([number.quantity, number.unit, number.value, *values, number.kind, number.source])
    return pd.DataFrame(rows, columns=["quantity", "unit", "paper", *columns, "kind", "source"])


def compared_number(value: float) -> str:
    """Four significant digits, and all digits before the point: 0.8661, 17.45, 1056, 12345.6."""
    return f"{value:.4g}" if abs(value) < 1000 else f"{value:.1f}".removesuffix(".0")


def make_figure(inputs: FigureInput, output_dir: Path) -> FigureOutput:
    """Draws and writes all files of one figure below `output_dir`. Raises ResultError where its results have
    times that mean different things."""
    check_one_timing([result for result in (inputs.result, *inputs.recorded) if result is not None])
    style.apply()
    output = drawing_of(inputs.experiment).draw(inputs)
    local = local_text(inputs.result) if inputs.result is not None else ""
    if local:
        style.say_below(output.figure, local)
    stem = output_dir / inputs.experiment.target
    save_svg(output.figure, stem.with_suffix(".svg"), inputs.experiment.title, alternative_text(inputs))
    save_png(output.figure, stem.with_suffix(".png"))
    write_text(stem.with_suffix(".csv"), output.table.to_csv(index=False, float_format="%.6g"))
    comparison = comparison_table(inputs).to_csv(index=False, float_format=compared_number)
    write_text(output_dir / f"{inputs.experiment.target}.comparison.csv", comparison)
    write_text(stem.with_suffix(".txt"), build_caption(inputs, output.notes))
    return output


def judged_first(recorded: Sequence[Result], experiment: Experiment) -> list[Result]:
    """The records, that on which the verdict is before the others: what is drawn is what is judged."""
    judged = experiment.verdict.machine if experiment.verdict else None
    return sorted(recorded, key=lambda result: result.machine != judged)


def main(command_line: Sequence[str] | None = None) -> int:
    """Draws the figure of the command line; status 1 where there is nothing to draw it from."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("target")
    parser.add_argument("--output-dir", type=Path, required=True)
    parser.add_argument("--result", type=Path, help="what was measured here")
    parser.add_argument("--recorded", type=Path, nargs="*", default=[], help="results of other machines")
    parser.add_argument("--scale", help="scale that was measured, to say which data is missing")
    arguments = parser.parse_args(command_line)
    experiment = load_experiment(arguments.target)
    try:
        choice = choose_result(
            load_result(arguments.result) if arguments.result else None,
            judged_first([load_result(path) for path in arguments.recorded], experiment),
            experiment,
        )
    except ResultError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    result = choice.result
    if result is None or not result.rows:
        # Only what any machine can measure must be there; the rest is drawn without, and its caption says so.
        if experiment.program is not None:
            why = why_not_measured(experiment)
            if why == NOT_MEASURED["cpu"]:
                print(f"error: {experiment.target}: {why}", file=sys.stderr)
                return 1
            print(f"{experiment.target}: {SKIPPED} {why}", file=sys.stderr)
        result = None
    inputs = FigureInput(
        experiment,
        load_published(),
        result,
        choice.recorded,
        arguments.scale,
        choice.not_drawn,
        choice.reasons,
    )
    try:
        make_figure(inputs, Path(arguments.output_dir))
    except (ResultError, TableError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
