"""Sphinx extension: the slides of a lecture, made of parts of its lessons.

    :::{slides}
    01_fsst: idea, picture 1, predict 1, quiz 2
    :::

A line names a lesson and its parts in the order of the slides: `idea` is the lesson's first paragraph,
`picture N` its N-th picture or chart, `quiz N` a quiz. `predict N` makes two slides, the question and the
answer, and a third for the answer's tables if it has pictures too. Nothing is written for slides alone.

The pages have their own template without the site's frame. They are plain HTML, which can be printed: tools
that make slides with a framework take them from the headings of pages that are written for it.
"""

import posixpath
import re
from collections.abc import Iterator, Sequence
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util.docutils import SphinxDirective

from course.lesson_parts import Answer, Folded

FEWEST, MOST = 8, 12
_TEMPLATE = "slides.html"
_LINE = re.compile(r"^(?P<lesson>\w+): (?P<parts>.+)$")
_PART = re.compile(r"^(?:idea|(?P<kind>picture|quiz|predict) (?P<number>\d+))$")


class SlidesError(ExtensionError):
    """Slides that cannot be made."""


class Slides(nodes.General, nodes.Element):
    """Stands for the slides until all lessons have been read."""


class SlidesDirective(SphinxDirective):
    """The lessons of a lecture and their parts."""

    has_content = True

    def run(self) -> list[nodes.Node]:
        """What the slides are made of."""
        lines = [line.strip() for line in self.content if line.strip()]
        found = [_LINE.match(line) for line in lines]
        if not lines or not all(found):
            raise SlidesError(f"{self.env.docname}: a line of slides is `lesson: part, part`")
        lessons = [(match["lesson"], match["parts"].split(", ")) for match in found if match]
        return [Slides("", lessons=lessons)]


def _heading(text: str, level: int) -> nodes.rubric:
    return nodes.rubric("", text, **{"heading-level": level})


def _is_kind(kind: str, node: nodes.Node) -> bool:
    return isinstance(node, nodes.container) and kind in node["classes"]


def _section_of(node: nodes.Node) -> str:
    """The title of the section that holds the node."""
    while not isinstance(node, nodes.section):
        node = node.parent
    return node[0].astext()


def _apart(content: Sequence[nodes.Node]) -> list[Sequence[nodes.Node]]:
    """The content of one slide, or of two where tables would leave no room for pictures."""
    tables = [node for node in content if isinstance(node, nodes.table)]
    if not tables or not any(_is_kind("picture", node) for node in content):
        return [content]
    # A line after a table says where its numbers come from.
    second = [one for node in tables for one in content[content.index(node) : content.index(node) + 2]]
    return [[node for node in content if node not in second], second]


class _Lesson:
    def __init__(self, name: str, tree: nodes.document) -> None:
        self.name = name
        self._tree = tree
        self.title = next(iter(tree.findall(nodes.title))).astext()

    def _find(self, kind: str, number: int) -> nodes.Element:
        found = list(self._tree.findall(lambda node: _is_kind(kind, node)))
        if not 0 < number <= len(found):
            raise SlidesError(f"{self.name} has {len(found)} parts `{kind}`, no number {number}")
        return found[number - 1]

    def slides(self, part: str) -> Iterator[tuple[str, Sequence[nodes.Node]]]:
        """The title and the content of each slide of the part."""
        match = _PART.match(part)
        if match is None:
            raise SlidesError(f"{self.name}: {part!r} is no part of a slide")
        if match["kind"] is None:
            yield self.title, [next(iter(self._tree.findall(nodes.paragraph))).deepcopy()]
            return
        node = self._find(match["kind"], int(match["number"]))
        if match["kind"] == "predict":
            question, answer = node.deepcopy(), next(iter(node.findall(Folded)))
            for hidden in [*question.findall(Folded), *question.findall(Answer)]:
                hidden.parent.remove(hidden)
            yield _section_of(node), list(question.children)
            for content in _apart([child.deepcopy() for child in answer.children]):
                yield "The answer", content
            return
        yield _section_of(node), [node.deepcopy()]


def _slide(title: nodes.Node, content: Sequence[nodes.Node], footer: Sequence[nodes.Node]) -> nodes.container:
    below = nodes.paragraph("", "", *footer, classes=["footer"])
    return nodes.container("", title, *content, below, classes=["slide"])


class MakeSlides(SphinxPostTransform):
    """Puts copies of the lessons' parts in place of what stands for them, before links are resolved."""

    default_priority = 5

    def run(self, **_: Any) -> None:  # noqa: ANN401
        """Called once for each page."""
        for node in list(self.document.findall(Slides)):
            node.replace_self(self._slides(node["lessons"]))

    def _slides(self, chosen: Sequence[tuple[str, Sequence[str]]]) -> nodes.container:
        folder = posixpath.dirname(self.env.docname)
        lecture = next(iter(self.document.findall(nodes.title))).astext()
        lessons = [_Lesson(name, self.env.get_doctree(posixpath.join(folder, name))) for name, _ in chosen]
        made = []
        for lesson, (_, parts) in zip(lessons, chosen, strict=True):
            for part in parts:
                made += [(lesson, title, content) for title, content in lesson.slides(part)]
        count = len(made) + 1
        if not FEWEST <= count <= MOST:
            raise SlidesError(f"{self.env.docname}: {count} slides, expected {FEWEST} to {MOST}")
        listed = nodes.bullet_list(
            "", *(nodes.list_item("", nodes.paragraph("", "", _link(x))) for x in lessons)
        )
        box = nodes.container("", classes=["slides"])
        box += _slide(_heading(lecture, 1), [listed], [nodes.Text(f"1 / {count}")])
        for number, (lesson, title, content) in enumerate(made, 2):
            footer = [_link(lesson), nodes.Text(f"  {number} / {count}")]
            box += _slide(_heading(title, 2), content, footer)
        return box


def _link(lesson: _Lesson) -> nodes.reference:
    return nodes.reference("", lesson.title, refuri=f"{lesson.name}.html", internal=True)


def _choose_template(
    _app: Sphinx, _page: str, _template: str, context: dict[str, Any], _tree: nodes.document | None
) -> str | None:
    return _TEMPLATE if '<div class="slides ' in context.get("body", "") else None


def setup(app: Sphinx) -> dict[str, Any]:
    """Called by Sphinx."""
    app.add_node(Slides)
    app.add_directive("slides", SlidesDirective)
    app.add_post_transform(MakeSlides)
    app.connect("html-page-context", _choose_template)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
