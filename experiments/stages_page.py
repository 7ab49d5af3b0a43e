"""Writes one page with every stage in order: its idea, what changes in its kernel, and what that gained.

python -m experiments.stages_page --output results/stages.html
"""

import argparse
import functools
import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from markupsafe import Markup, escape
from pygments.lexers.c_like import CudaLexer
from pygments.token import Comment, Keyword, Literal, Name

from data.files import write_text
from experiments.page import render_page, site_address
from experiments.results import Result, ResultError
from experiments.sources import REPOSITORY_ROOT, kernel_lenders
from experiments.stage_diff import KernelDiff, stage_diffs
from experiments.table_text import NOT_MEASURED, TextTable
from experiments.tables import TableError, measured_for_tables, recorded_for_tables, stage_tables
from tools.series import by_series
from tools.stages import COMMAND, registered_stages

TEMPLATE = "stages_page.html.j2"
STAGES_DIR = REPOSITORY_ROOT / "stages"
TEXTS = ("stage.md", "notes.md")
# The class of the page for each kind of token that gets a colour.
_COLOURED = {
    Comment.Preproc: "preprocessor",
    Comment: "comment",
    Keyword: "keyword",
    Name.Builtin: "keyword",
    Literal: "literal",
}
_LEXER = CudaLexer(stripnl=False)
_IDEA = re.compile(r"^\*\*The idea\.?\*\*(?: \([^)]*\))?\.?\s*(.*?)(?:\n\s*\n|\Z)", re.DOTALL | re.MULTILINE)
# Up to the measured table and what introduces it.
_PREDICTION = re.compile(
    r"^\*\*What should get faster[^*]*\*\*\s*(.*?)\n\s*\n(?:\*\*|<!--|Measured|\||```)",
    re.DOTALL | re.MULTILINE,
)
_EXERCISES = re.compile(r"^\*\*Exercises\*\*\s*(.*?)(?:\n\s*\n\*\*|\n<!--|\Z)", re.DOTALL | re.MULTILINE)
_ITEM = re.compile(r"^\d+\. ", re.MULTILINE)
_LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")


@dataclass(frozen=True)
class MeasuredEffect:
    """A table of what one machine measured, and the text above it."""

    source: str
    table: TextTable


@dataclass(frozen=True)
class PageStage:
    """One stage of the page. `prediction` and `exercises` are those of its stage.md, `texts` the files of its
    folder that explain it, `lenders` the stages whose kernels it runs."""

    id: str
    base: str
    title: str
    section: str
    operation: str
    idea: str
    prediction: str
    exercises: tuple[str, ...]
    texts: tuple[str, ...]
    diffs: tuple[KernelDiff, ...]
    lenders: tuple[str, ...]
    effects: tuple[MeasuredEffect, ...]

    @property
    def anchor(self) -> str:
        """Its place in the page."""
        return self.id.replace("/", "_")

    def total(self, kind: str) -> int:
        """Lines of this kind in all its diffs."""
        return sum(diff.count(kind) for diff in self.diffs)


def plain_text(markdown: str) -> str:
    """A paragraph in Markdown without its signs and links, which lead elsewhere from a page of HTML."""
    return " ".join(_LINK.sub(r"\1", markdown).split()).replace("`", "").replace("**", "")


def plain_table(table: TextTable) -> TextTable:
    """The table with the text of its cells alone."""
    return TextTable(
        tuple(map(plain_text, table.header)), tuple(tuple(map(plain_text, line)) for line in table.lines)
    )


def read_idea(page: Path) -> str:
    """The paragraph of a stage.md that begins with **The idea**, as plain text; empty without one."""
    if not page.exists():
        return ""
    match = _IDEA.search(page.read_text(encoding="utf-8"))
    return plain_text(match[1]) if match else ""


def read_prediction(page: Path) -> str:
    """What a stage.md expects to get faster, as plain text; empty where it says nothing of it."""
    match = _PREDICTION.search(page.read_text(encoding="utf-8")) if page.exists() else None
    return plain_text(match[1]) if match else ""


def read_exercises(page: Path) -> tuple[str, ...]:
    """The numbered exercises of a stage.md, as plain text."""
    match = _EXERCISES.search(page.read_text(encoding="utf-8")) if page.exists() else None
    return tuple(plain_text(item) for item in _ITEM.split(match[1])[1:]) if match else ()


def page_stage(
    registered: Mapping[str, Any], results: Sequence[Result], stages_dir: Path = STAGES_DIR
) -> PageStage:
    """One stage of the registry with its diffs and effects; `results` are those that its tables need."""
    stage, base = registered["id"], registered["base"]
    return PageStage(
        stage,
        base,
        registered["title"],
        registered["section"],
        registered["operation"],
        read_idea(stages_dir / stage / "stage.md"),
        read_prediction(stages_dir / stage / "stage.md"),
        read_exercises(stages_dir / stage / "stage.md"),
        tuple(name for name in TEXTS if (stages_dir / stage / name).exists()),
        tuple(stage_diffs(stage, base, stages_dir)),
        kernel_lenders(stages_dir / stage),
        # The page is HTML, and the headings are Markdown.
        tuple(
            MeasuredEffect(plain_text(found.heading), plain_table(found.table))
            for found in stage_tables(stage, results)
        ),
    )


def once_each(registered: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Each stage once, with all its operations: a stage that decodes and encodes is registered for both."""
    stages: dict[str, dict[str, Any]] = {}
    for stage in registered:
        known = stages.setdefault(stage["id"], {**stage, "operation": ""})
        known["operation"] += f"{', ' if known['operation'] else ''}{stage['operation']}"
    return list(stages.values())


@functools.cache
def highlighted(line: str) -> Markup:
    """A line of a kernel with its words in colours. Most lines are in the kernels of several stages."""
    parts = []
    # A comment ends with its line.
    for token, text in _LEXER.get_tokens(f"{line}\n"):
        kind = next((name for of, name in _COLOURED.items() if token in of), "")
        shown = text.removesuffix("\n")
        parts.append(Markup('<i class="{}">{}</i>').format(kind, shown) if kind else escape(shown))
    return Markup("").join(parts)


def build_page(stages: Sequence[PageStage], lessons: Mapping[str, str] | None = None) -> str:
    """The whole page as text; `lessons` are the addresses of stages' pages in the course, if it is built."""
    return render_page(
        TEMPLATE,
        series=by_series(stages, lambda stage: stage.id),
        lessons=lessons or {},
        not_measured=NOT_MEASURED,
        highlighted=highlighted,
    )


def main() -> int:
    """Writes the page; status 1 where the command that lists the stages is not built."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--output", type=Path, required=True)
    arguments = parser.parse_args()
    if not COMMAND.exists():
        print(f"error: {COMMAND}, which lists the stages, is not built: run `make build`", file=sys.stderr)
        return 1
    try:
        results = [*measured_for_tables(), *recorded_for_tables()]
        stages = [page_stage(stage, results) for stage in once_each(registered_stages())]
    except (ResultError, TableError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    pages = {stage.id: site_address(f"stages/{stage.id}/stage.html", arguments.output) for stage in stages}
    write_text(arguments.output, build_page(stages, {stage: at for stage, at in pages.items() if at}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
