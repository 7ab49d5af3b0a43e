import re
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest

from experiments import stages_page as module
from experiments.made_up_results import made_up_result, stages_rows
from experiments.stage_diff import kernel_files, stage_diffs
from experiments.stages_page import (
    build_page,
    highlighted,
    once_each,
    page_stage,
    plain_table,
    read_exercises,
    read_idea,
    read_prediction,
)
from experiments.table_text import TextTable

FIRST = {
    "id": "gsst/01_blocks",
    "base": "",
    "title": "First <b>",
    "section": "4.2.1",
    "operation": "decode",
}
SECOND = {**FIRST, "id": "gsst/02_splits", "base": "gsst/01_blocks", "title": "Second"}
LADDER = {**FIRST, "id": "gsst/08_encoder", "title": "Ladder", "operation": "encode"}
# Elements that HTML does not close.
VOID = {"meta", "br", "img", "input"}


class Elements(HTMLParser):
    """Collects the classes of spans and the anchors, and checks that elements are closed in order."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.classes: list[str] = []
        self.anchors: set[str] = set()
        self.references: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in VOID:
            self.open.append(tag)
        values = dict(attrs)
        if tag == "span":
            self.classes.append(values.get("class") or "")
        if "id" in values:
            assert values["id"] not in self.anchors
            self.anchors.add(values["id"] or "")
        if (values.get("href") or "").startswith("#"):
            self.references.add((values["href"] or "")[1:])

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@pytest.fixture
def stages(tmp_path: Path) -> Path:
    texts = {
        "gsst/01_blocks/kernel.cuh": "same\nold < 1\nlast\n",
        "gsst/02_splits/kernel.cuh": "same\nnew < 2\nmore\nlast\n",
        "gsst/02_splits/stage.cu": "not a kernel\n",
        "gsst/02_splits/stage.md": (
            "**The idea** (thesis 4.2.2). Two `words`\nof it.\n\n**More.** Other.\n\n"
            "**What should get faster, predicted before measuring.** A *lot*\nof [it](x.md).\n\nAll.\n\n"
            "Measured with common parameters:\n\n**Exercises**\n\n1. Read `it`,\n   all.\n2. Change <it>.\n"
        ),
        "gsst/08_encoder/kernel_2_table.cuh": "second\n",
        "gsst/08_encoder/kernel_10_last.cuh": "tenth\n",
        "gsst/08_encoder/kernel_1_naive.cuh": "first\n",
    }
    for name, text in texts.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return tmp_path


def parsed(page: str) -> Elements:
    elements = Elements()
    elements.feed(page)
    assert elements.open == []
    assert elements.references <= elements.anchors
    return elements


def test_a_kernel_is_compared_with_its_base(stages: Path) -> None:
    (diff,) = stage_diffs("gsst/02_splits", "gsst/01_blocks", stages)
    assert (diff.old, diff.new) == ("gsst/01_blocks/kernel.cuh", "gsst/02_splits/kernel.cuh")
    assert [(line.kind, line.text) for line in diff.lines[1:]] == [
        ("same", "same"),
        ("removed", "old < 1"),
        ("added", "new < 2"),
        ("added", "more"),
        ("same", "last"),
    ]
    assert diff.lines[0].kind == "place"
    assert (diff.count("added"), diff.count("removed")) == (2, 1)


def test_a_first_kernel_is_shown_whole(stages: Path) -> None:
    (diff,) = stage_diffs("gsst/01_blocks", "", stages)
    assert diff.old == ""
    assert [line.kind for line in diff.lines] == ["added"] * 3


def test_kernels_of_another_operation_are_shown_whole(stages: Path) -> None:
    folder = stages / "gsst/03_both"
    folder.mkdir()
    for name in ("decode_kernel_1_a", "decode_kernel_2_b", "encode_kernels", "decode_tables"):
        (folder / f"{name}.cuh").write_text(f"{name}\n", encoding="utf-8")
    (stages / "gsst/02_host").mkdir()
    (stages / "gsst/02_host/cpu.cpp").write_text("host\n", encoding="utf-8")
    diffs = stage_diffs("gsst/03_both", "gsst/02_host", stages)
    names = [(Path(diff.old).stem, Path(diff.new).stem) for diff in diffs]
    assert names == [
        ("", "decode_kernel_1_a"),
        ("decode_kernel_1_a", "decode_kernel_2_b"),
        ("", "encode_kernels"),
    ]


def test_a_stage_that_runs_the_kernels_of_another_shows_what_is_around_them(stages: Path) -> None:
    folder = stages / "gsst/04_order"
    folder.mkdir()
    for name in ("host_encode.cuh", "host_decode.cuh", "stage.cu"):
        (folder / name).write_text(f"{name}\n", encoding="utf-8")
    diffs = stage_diffs("gsst/04_order", "gsst/02_splits", stages)
    assert [(diff.old, Path(diff.new).name) for diff in diffs] == [
        ("", "host_decode.cuh"),
        ("", "host_encode.cuh"),
    ]


def test_the_steps_of_a_ladder_are_compared_in_order(stages: Path) -> None:
    names = [path.name for path in kernel_files(stages / "gsst/08_encoder")]
    assert names == ["kernel_1_naive.cuh", "kernel_2_table.cuh", "kernel_10_last.cuh"]
    diffs = stage_diffs("gsst/08_encoder", "gsst/02_splits", stages)
    assert [Path(diff.old).name for diff in diffs] == ["kernel.cuh", *names[:-1]]
    after_ladder = stage_diffs("gsst/01_blocks", "gsst/08_encoder", stages)
    assert after_ladder[0].old == "gsst/08_encoder/kernel_10_last.cuh"


def test_steps_that_include_those_before_add_their_files(stages: Path) -> None:
    ladder = stages / "gsst/08_encoder"
    for name, before in (("kernel_2_table", "kernel_1_naive"), ("kernel_10_last", "kernel_2_table")):
        file = ladder / f"{name}.cuh"
        included = f'#include "stages/gsst/08_encoder/{before}.cuh"\n'
        file.write_text(included + file.read_text(encoding="utf-8"), encoding="utf-8")
    diffs = stage_diffs("gsst/08_encoder", "gsst/02_splits", stages)
    assert [diff.old for diff in diffs] == ["", "", ""]
    assert [Path(diff.new).stem for diff in diffs] == ["kernel_1_naive", "kernel_2_table", "kernel_10_last"]
    assert [(diff.count("added"), diff.count("removed")) for diff in diffs] == [(1, 0), (2, 0), (2, 0)]
    # The last step alone is not what a later stage changes.
    (after_ladder,) = stage_diffs("gsst/01_blocks", "gsst/08_encoder", stages)
    assert after_ladder.old == ""
    page = build_page([page_stage(LADDER, [], stages)])
    parsed(page)
    assert "adds gsst/08_encoder/kernel_2_table.cuh" in page


def test_a_shared_file_is_shown_with_the_first_kernel_that_includes_it(stages: Path) -> None:
    shared = stages / "gsst/shared"
    shared.mkdir()
    (shared / "inner.cuh").write_text("inner\n", encoding="utf-8")
    (shared / "outer.cuh").write_text('#include "stages/gsst/shared/inner.cuh"\n', encoding="utf-8")
    for file in (stages / "gsst/02_splits/kernel.cuh", *kernel_files(stages / "gsst/08_encoder")):
        text = file.read_text(encoding="utf-8")
        file.write_text('#include "stages/gsst/shared/outer.cuh"\n' + text, encoding="utf-8")
    diffs = stage_diffs("gsst/02_splits", "gsst/01_blocks", stages)
    assert [Path(diff.new).name for diff in diffs] == ["inner.cuh", "outer.cuh", "kernel.cuh"]
    assert [diff.old for diff in diffs] == ["", "", "gsst/01_blocks/kernel.cuh"]
    later = stage_diffs("gsst/08_encoder", "gsst/02_splits", stages)
    assert all(Path(diff.new).name.startswith("kernel") for diff in later)


def test_ladders_of_this_repository_change_a_copy_or_add_a_file() -> None:
    for stage in module.registered_stages():
        for diff in stage_diffs(stage["id"], stage["base"], module.STAGES_DIR):
            if diff.old:
                included = f'#include "stages/{diff.old}"'
                assert included not in (module.STAGES_DIR / diff.new).read_text(encoding="utf-8"), diff.new


def test_words_of_a_line_have_their_colours() -> None:
    assert highlighted("  return <4>; // a for b") == (
        '  <i class="keyword">return</i> &lt;<i class="literal">4</i>&gt;; <i class="comment">// a for b</i>'
    )
    assert highlighted("") == ""


def test_tables_have_no_markdown() -> None:
    table = TextTable(("of the [limit](../words.md#limit)",), (("**no**",), ("`a`",)))
    assert plain_table(table) == TextTable(("of the limit",), (("no",), ("a",)))


def test_the_page_shows_diffs_ideas_and_effects(stages: Path) -> None:
    rows = stages_rows({"01_blocks": 2.0, "02_splits": 24.0})
    measured = [made_up_result("gsst_fig_6_1", rows, "h200", gpu="Made-up GPU")]
    page = build_page([page_stage(stage, measured, stages) for stage in (FIRST, SECOND, LADDER)])
    elements = parsed(page)
    assert elements.classes.count("added") == 3 + 2 + 1 + 1 + 1
    assert elements.classes.count("removed") == 1 + 2
    assert {"gsst_01_blocks", "gsst_02_splits", "gsst_08_encoder"} <= elements.anchors
    for part in (
        "Two words of it.",
        '<i class="keyword">new</i> &lt; <i class="literal">2</i>',
        "First &lt;b&gt;",
        "Made-up GPU",
        "<td>12</td>",
        "+2",
        "-1",
    ):
        assert part in page
    assert page.count("not measured yet") == 1, "the ladder"
    assert 'name="viewport"' in page


def test_the_page_names_the_texts_of_a_stage_and_links_to_the_course(stages: Path) -> None:
    (stages / "gsst/02_splits/notes.md").write_text("# Notes\n", encoding="utf-8")
    read = [page_stage(stage, [], stages) for stage in (FIRST, SECOND)]
    page = build_page(read)
    parsed(page)
    assert "<code>stages/gsst/02_splits/stage.md</code>" in page
    assert "<code>stages/gsst/02_splits/notes.md</code>" in page
    assert "stages/gsst/01_blocks/" not in page, "it has no texts"
    assert set(re.findall(r'href="([^#"]*)"', page)) == {"index.html"}, (
        "what is not beside the page is no link"
    )
    linked = build_page(read, {SECOND["id"]: "../site/it.html"})
    assert linked.count('<a href="../site/it.html">in the course</a>') == 1


def test_the_page_has_the_prediction_before_what_was_measured_and_the_exercises_last(stages: Path) -> None:
    page = build_page([page_stage(stage, [], stages) for stage in (FIRST, SECOND)])
    parsed(page)
    parts = ("(written before measuring). A *lot* of it. All.", "<h3>Measured", "<li>Read it, all.</li>")
    places = [page.index(part, page.index('id="gsst_02_splits"')) for part in parts]
    assert places == sorted(places)
    assert "<li>Change &lt;it&gt;.</li>" in page
    assert page.count("<ol>") == 1


def test_every_stage_page_has_its_prediction_and_exercises_read() -> None:
    for stage in module.registered_stages():
        page = module.STAGES_DIR / stage["id"] / "stage.md"
        assert len(read_prediction(page)) > 20, page
        assert read_exercises(page), page


def test_lines_that_change_are_together(stages: Path) -> None:
    (diff,) = stage_diffs("gsst/02_splits", "gsst/01_blocks", stages)
    assert [(changed, len(lines)) for changed, lines in diff.groups] == [(False, 2), (True, 3), (False, 1)]
    page = build_page([page_stage(stage, [], stages) for stage in (FIRST, SECOND)])
    assert parsed(page).classes.count("changed") == 1, "a file that is shown whole has nothing beside it"


def test_an_unchanged_kernel_and_a_stage_without_one_are_said(stages: Path) -> None:
    (stages / "gsst/02_splits/kernel.cuh").write_bytes((stages / "gsst/01_blocks/kernel.cuh").read_bytes())
    (stages / "gsst/09_empty").mkdir()
    empty = {**SECOND, "id": "gsst/09_empty"}
    page = build_page([page_stage(stage, [], stages) for stage in (FIRST, SECOND, empty)])
    parsed(page)
    assert page.count("The kernel is the same") == 1
    assert page.count("There is no kernel file") == 1
    (stages / "gsst/09_empty/description.hpp").write_text(
        'kernels_of = "gsst/01_blocks";\n', encoding="utf-8"
    )
    borrowing = build_page([page_stage(stage, [], stages) for stage in (FIRST, SECOND, empty)])
    assert "There is no kernel file" not in borrowing
    assert borrowing.count("The kernels are those of gsst/01_blocks.") == 1


@pytest.mark.parametrize("begin", ["**The idea**.", "**The idea.**", "**The idea** (thesis 4.3, Fig 4.5)."])
def test_the_idea_is_the_paragraph_of_stage_md(begin: str, stages: Path) -> None:
    page = stages / "gsst/02_splits/stage.md"
    page.write_text(
        f"# 02\n\n{begin} Two [`words`\nof](../it.md) it.\n\n**More.** Other.\n", encoding="utf-8"
    )
    assert read_idea(page) == "Two words of it."
    assert read_idea(stages / "gsst/01_blocks/stage.md") == ""


def test_a_stage_with_two_operations_is_shown_once() -> None:
    stages = once_each([FIRST, {**FIRST, "operation": "encode"}, SECOND])
    assert [(stage["id"], stage["operation"]) for stage in stages] == [
        ("gsst/01_blocks", "decode, encode"),
        ("gsst/02_splits", "decode"),
    ]


def test_every_registered_stage_is_on_the_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    output = tmp_path / "stages.html"
    monkeypatch.setattr(sys, "argv", ["stages_page", "--output", str(output)])
    assert module.main() == 0
    page = output.read_text(encoding="utf-8")
    elements = parsed(page)
    stages = module.registered_stages()
    assert {str(stage["id"]).replace("/", "_") for stage in stages} <= elements.anchors
    headings = re.findall(r"<h2>(\w+)</h2>", page)
    assert headings == ["gsst", "tile_integer", "zero_length", "codag", "search"]
    assert "There is no kernel file" not in page


def test_without_the_command_it_says_what_to_build(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(module, "COMMAND", tmp_path / "gsst")
    monkeypatch.setattr(sys, "argv", ["stages_page", "--output", str(tmp_path / "stages.html")])
    assert module.main() == 1
    assert "make build" in capsys.readouterr().err
    assert not (tmp_path / "stages.html").exists()
