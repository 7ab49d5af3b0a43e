"""Sphinx extension: the parts of a lesson, and numbers, tables and charts of records.

    {record}`REFERENCE -> TEMPLATE`   a text with numbers of a record (see course/record_text.py)
    {lab}`PAGE`                       a page of results/, linked where it is there
    :::{records} RECORD               a table; `where` selects rows; a line a column: `name: template`
    :::{bars} RECORD                  a chart; `where`, `label`, `value`, `unit`; the content is its caption
    :::{picture} NAME                 a picture that course/pictures.py draws; the content is its caption
    :::{trace} STAGE                  lines of its kernel with their accesses of the given `kinds`
    :::{warps} STAGE/SCENE ...        excerpts of traces, two of them side by side; warps.js draws them
    :::{widget} NAME                  a part that course.js draws
    :::{predict} QUESTION             a box for an answer; the content is folded until something is in it
    :::{quiz} QUESTION                choices, each `- [ ] answer :: why not` or `- [x] answer :: why`
    :::{exercise} TITLE               `effort`, `needs`; holds three `clue` and a `solution`, which are folded

A number that is in no record, and a picture that nobody draws, end the build.
"""

import posixpath
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError
from sphinx.util.docutils import SphinxDirective, SphinxRole

from course.pictures import Bar, PictureError, bar_chart
from course.record_pictures import PICTURES, WIDGETS
from course.record_text import RecordTextError, bars_of, record_table, record_text, source_line
from course.traced_lines import TRACED, TracedLine, load_trace
from course.warp_steps import SCENES, TITLES, Scene, load_scenes, shown_lines, warps_json
from tools.repository import ROOT
from tools.trace_report import KINDS

_Options = dict[str, Callable[[str], Any]]

NEEDS = {"laptop": "a laptop", "nvcc": "nvcc", "GPU": "a GPU", "ncu": "a GPU and ncu"}
_CHOICE = re.compile(r"^- \[(?P<right>[ x])\] (?P<answer>.*?) :: (?P<why>.*)$", re.DOTALL)
_CLUES = ("First hint", "Second hint", "Third hint")


class Folded(nodes.General, nodes.Element):
    """HTML's `details`: `summary` is always seen, the rest when it is opened."""


class Answer(nodes.General, nodes.Element):
    """A field for a prediction."""


def _visit_folded(translator: Any, node: Folded) -> None:  # noqa: ANN401
    classes = " ".join(node["classes"])
    translator.body.append(
        f'<details class="{classes}"><summary>{translator.encode(node["summary"])}</summary>\n'
    )


def _depart_folded(translator: Any, _node: Folded) -> None:  # noqa: ANN401
    translator.body.append("</details>\n")


def _visit_answer(translator: Any, node: Answer) -> None:  # noqa: ANN401
    name = translator.encode(node["name"])
    translator.body.append(
        '<p class="answer"><label>Your prediction <input type="text" autocomplete="off" '
        f'data-prediction="{name}"></label></p>\n'
    )
    raise nodes.SkipNode


class _Directive(SphinxDirective):
    has_content = True

    def place(self) -> str:
        return f"{self.env.docname}:{self.lineno}"

    def fail(self, error: Exception) -> ExtensionError:
        return ExtensionError(f"{self.place()}: {error}")

    def lines(self) -> list[str]:
        return [line for line in self.content if line.strip()]


class RecordRole(SphinxRole):
    """A text with numbers of a record."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        """The text, with its record as a tooltip."""
        try:
            found = record_text(self.text)
        except RecordTextError as error:
            raise ExtensionError(f"{self.env.docname}: {error}") from error
        title = found.origin.replace('"', "'")
        html = f'<span class="number" title="{title}">{nodes.Text(found.text)}</span>'
        return [nodes.raw("", html, format="html")], []


class LabRole(SphinxRole):
    """A page that `make figures` writes: a link where it is there and `make site` builds the site."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        """Its path, as a link or not."""
        path = f"results/{self.text}"
        at_home = Path(self.env.app.outdir) == ROOT / "build" / "site"
        if not (at_home and (ROOT / path).exists()):
            return [nodes.literal("", path)], []
        address = posixpath.relpath(path, posixpath.join("build/site", posixpath.dirname(self.env.docname)))
        return [nodes.reference("", "", nodes.literal("", path), refuri=address)], []


_Cell = str | nodes.paragraph


def _row(cells: Iterable[_Cell]) -> nodes.row:
    paragraphs = (nodes.paragraph("", cell) if isinstance(cell, str) else cell for cell in cells)
    return nodes.row("", *(nodes.entry("", paragraph) for paragraph in paragraphs))


def _table(
    header: Sequence[str],
    lines: Iterable[Iterable[_Cell]],
    widths: Sequence[int] = (),
    classes: Sequence[str] = (),
) -> nodes.table:
    """Columns have one width where none are given."""
    group = nodes.tgroup("", cols=len(header))
    group += [nodes.colspec("", colwidth=width) for width in widths or [1] * len(header)]
    group += nodes.thead("", _row(header))
    group += nodes.tbody("", *map(_row, lines))
    return nodes.table("", group, classes=["numbers", *classes])


def _source(record: str) -> nodes.paragraph:
    return nodes.paragraph("", source_line(record), classes=["source"])


class RecordsDirective(_Directive):
    """A table of rows of a record."""

    required_arguments = 1
    option_spec: ClassVar[_Options] = {"where": directives.unchanged}

    def run(self) -> list[nodes.Node]:
        """The table, and where its numbers come from."""
        record = self.arguments[0]
        columns = [
            (name.strip(), template.strip())
            for name, _, template in (x.partition(": ") for x in self.lines())
        ]
        try:
            table = record_table(record, self.options.get("where", ""), columns)
            return [_table(table.header, table.lines), _source(record)]
        except RecordTextError as error:
            raise self.fail(error) from error


def _figure(svg: str, caption: list[nodes.Node]) -> nodes.container:
    return nodes.container("", nodes.raw("", svg, format="html"), *caption, classes=["picture"])


class BarsDirective(_Directive):
    """A bar for each row of a record."""

    required_arguments = 1
    option_spec: ClassVar[_Options] = dict.fromkeys(
        ("where", "label", "value", "unit"), directives.unchanged_required
    )

    def run(self) -> list[nodes.Node]:
        """The chart, what it shows, and where its numbers come from."""
        record, options = self.arguments[0], self.options
        try:
            found = bars_of(record, options.get("where", ""), options["label"], options["value"])
        except RecordTextError as error:
            raise self.fail(error) from error
        chart = bar_chart([Bar(*one) for one in found], options["unit"], " ".join(self.lines()))
        return [_figure(chart, self.parse_content_to_nodes()), _source(record)]


class PictureDirective(_Directive):
    """A picture drawn from code."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """The picture, and what it shows."""
        name = self.arguments[0]
        if name not in PICTURES:
            raise self.fail(PictureError(f"course/pictures.py draws no {name!r}"))
        return [_figure(PICTURES[name](" ".join(self.lines())), self.parse_content_to_nodes())]


_TRACE_HEADER = ("line", "access", "requests", "lanes of 32", "sectors or passes a request")
_TRACE_WIDTHS = (10, 2, 1, 1, 1)


def _traced_cells(line: TracedLine) -> tuple[_Cell, ...]:
    place = nodes.Text(f" {posixpath.basename(line.file)}:{line.line}")
    return (
        nodes.paragraph("", "", nodes.literal("", line.text), place),
        KINDS[line.kind],
        str(line.requests),
        f"{line.lanes / line.requests:.1f}",
        f"{line.units / line.requests:.1f}",
    )


class TraceDirective(_Directive):
    """The lines of a stage's kernel with their accesses, by the model of `make trace`."""

    required_arguments = 1
    option_spec: ClassVar[_Options] = {"kinds": directives.unchanged_required}

    def run(self) -> list[nodes.Node]:
        """What the table shows, and a line for each line of the kernel and kind of access."""
        stage, kinds = self.arguments[0], self.options["kinds"].split()
        if stage not in TRACED:
            raise self.fail(ValueError(f"course/traced_lines.py names no {stage!r}"))
        lines = [line for line in load_trace(stage) if line.kind in kinds]
        table = _table(_TRACE_HEADER, map(_traced_cells, lines), _TRACE_WIDTHS, ["trace"])
        sums = []
        for kind in kinds:
            of_kind = [line for line in lines if line.kind == kind]
            requests, units = (sum(getattr(line, name) for line in of_kind) for name in ("requests", "units"))
            name = "passes" if kind.startswith("shared") else "sectors"
            sums.append(f"{KINDS[kind]}: {requests} requests, {units} {name}")
        below = f"{stage}, by the model of make trace, on its input. In total, {'; '.join(sums)}."
        return [*self.parse_content_to_nodes(), table, nodes.paragraph("", below, classes=["source"])]


def _steps_table(stage: str, scene: Scene) -> list[nodes.Node]:
    """What the visualiser shows, for readers without a script: a line for each line of the kernel."""
    lines = []
    for number, line in shown_lines(stage, [scene]).items():
        steps = [step for step in scene.steps if step.line == number]
        lanes = sum(address is not None for step in steps for address in step.addresses)
        here = replace(line, requests=len(steps), lanes=lanes, units=sum(step.units for step in steps))
        lines.append(_traced_cells(here))
    title = f"{stage.partition('/')[2]}: {TITLES[scene.name]}, "
    title += f"steps {scene.first + 1} to {scene.first + len(scene.steps)} of the warp"
    return [
        nodes.paragraph("", "", nodes.strong("", title)),
        _table(_TRACE_HEADER, lines, _TRACE_WIDTHS, ["trace"]),
    ]


# Of a visualiser.
_SIDES = 2


class WarpsDirective(_Directive):
    """What the lanes of a warp access, step by step, in two excerpts of traces. The first two are shown, the
    reader can choose the others, and all of the same stages."""

    required_arguments = 1
    final_argument_whitespace = True

    def run(self) -> list[nodes.Node]:
        """What it shows, its data, and the same as tables."""
        shown = [argument.rpartition("/")[::2] for argument in self.arguments[0].split()]
        stages = sorted({stage for stage, _ in shown})
        for stage, scene in shown:
            if scene not in SCENES.get(stage, {}):
                raise self.fail(ValueError(f"course/warp_steps.py has no scene {scene!r} of {stage!r}"))
        data = f'<script type="application/json">{warps_json(stages, shown[:_SIDES])}</script>'
        tables = [
            node for stage in stages for scene in load_scenes(stage) for node in _steps_table(stage, scene)
        ]
        source = nodes.paragraph("", "By the model of make trace, on its input.", classes=["source"])
        return [
            *self.parse_content_to_nodes(),
            nodes.raw("", f'<div class="widget" data-warps>{data}', format="html"),
            nodes.container("", *tables, classes=["as-table"]),
            nodes.raw("", "</div>", format="html"),
            source,
        ]


class WidgetDirective(_Directive):
    """A part that the reader can change; course.js draws it from the data in it."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """What it shows, and its data."""
        name = self.arguments[0]
        if name not in WIDGETS:
            raise self.fail(PictureError(f"course/record_pictures.py has no data for {name!r}"))
        record, data = WIDGETS[name]()
        # A browser reads it as text; its data have no `</script>`.
        html = (
            f'<div class="widget" data-widget="{name}"><script type="application/json">{data}</script></div>'
        )
        source = [_source(record)] if record else []
        return [*self.parse_content_to_nodes(), nodes.raw("", html, format="html"), *source]


class PredictDirective(_Directive):
    """A question, a field for the answer, and the answer."""

    required_arguments = 1
    final_argument_whitespace = True

    def run(self) -> list[nodes.Node]:
        """The question, the field and the folded answer."""
        folded = Folded("", *self.parse_content_to_nodes(), summary="Show the answer", classes=["measured"])
        question = nodes.paragraph(
            "", "", nodes.strong("", "Predict. "), *self.parse_inline(self.arguments[0])[0]
        )
        name = f"{self.env.docname}:{self.env.new_serialno('prediction')}"
        return [nodes.container("", question, Answer(name=name), folded, classes=["predict"])]


class QuizDirective(_Directive):
    """A question with choices, each of which says why it is right or wrong."""

    required_arguments = 1
    final_argument_whitespace = True

    def run(self) -> list[nodes.Node]:
        """The question, and a fold for each choice."""
        quiz = nodes.container("", classes=["quiz"])
        quiz += nodes.paragraph("", "", nodes.strong("", "Quiz. "), *self.parse_inline(self.arguments[0])[0])
        choices = re.split(r"\n(?=- \[)", "\n".join(self.lines()))
        found = [_CHOICE.match(choice) for choice in choices]
        if len(choices) < 2 or not all(found) or sum(match["right"] == "x" for match in found if match) != 1:
            raise self.fail(
                ValueError("a quiz needs two choices or more, one of them right, each with `:: why`")
            )
        for match in filter(None, found):
            is_right = match["right"] == "x"
            why = nodes.paragraph("", "", nodes.strong("", "Right. " if is_right else "No. "))
            why += self.parse_inline(" ".join(match["why"].split()))[0]
            answer = " ".join(match["answer"].split()).replace("`", "")
            quiz += Folded("", why, summary=answer, classes=["choice", "right" if is_right else "wrong"])
        return [quiz]


class ExerciseDirective(_Directive):
    """An exercise with hints and a solution."""

    required_arguments = 1
    final_argument_whitespace = True
    option_spec: ClassVar[_Options] = dict.fromkeys(("effort", "needs"), directives.unchanged_required)

    def run(self) -> list[nodes.Node]:
        """The exercise; its hints are named in their order."""
        if "effort" not in self.options or self.options.get("needs") not in NEEDS:
            raise self.fail(
                ValueError(f"an exercise says its `effort`, and of what it `needs` one of {', '.join(NEEDS)}")
            )
        head = nodes.paragraph("", "", nodes.strong("", "Exercise: "))
        head += self.parse_inline(self.arguments[0])[0]
        effort = nodes.paragraph(
            "", f"{self.options['effort']}, needs {NEEDS[self.options['needs']]}", classes=["effort"]
        )
        exercise = nodes.container("", head, effort, *self.parse_content_to_nodes(), classes=["exercise"])
        clues = [node for node in exercise.findall(Folded) if "clue" in node["classes"]]
        solutions = [node for node in exercise.findall(Folded) if "solution" in node["classes"]]
        if len(clues) != len(_CLUES) or len(solutions) != 1:
            raise self.fail(ValueError(f"an exercise has {len(_CLUES)} clues and a solution"))
        for clue, name in zip(clues, _CLUES, strict=True):
            clue["summary"] = name
        return [exercise]


class ClueDirective(_Directive):
    """A hint of an exercise."""

    def run(self) -> list[nodes.Node]:
        """It is named by the exercise."""
        return [Folded("", *self.parse_content_to_nodes(), summary="", classes=["clue"])]


class SolutionDirective(_Directive):
    """The solution of an exercise."""

    def run(self) -> list[nodes.Node]:
        """It is folded."""
        return [Folded("", *self.parse_content_to_nodes(), summary="Solution", classes=["solution"])]


def setup(app: Sphinx) -> dict[str, Any]:
    """Called by Sphinx."""
    app.add_node(Folded, html=(_visit_folded, _depart_folded))
    app.add_node(Answer, html=(_visit_answer, None))
    app.add_role("record", RecordRole())
    app.add_role("lab", LabRole())
    for name, directive in (
        ("records", RecordsDirective),
        ("bars", BarsDirective),
        ("picture", PictureDirective),
        ("trace", TraceDirective),
        ("warps", WarpsDirective),
        ("widget", WidgetDirective),
        ("predict", PredictDirective),
        ("quiz", QuizDirective),
        ("exercise", ExerciseDirective),
        ("clue", ClueDirective),
        ("solution", SolutionDirective),
    ):
        app.add_directive(name, directive)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
