"""Each stage's stage.md teaches it in a few minutes; what is longer is in the notes.md of its folder."""

from pathlib import Path

import pytest

from tools.repository import ROOT, committable_files
from tools.stage_pages import (
    LINE_LENGTH,
    MOST_WORDS,
    WORDS,
    long_lines,
    notes_problems,
    stage_page_problems,
    unlinked_words,
    word_count,
)

STAGE_PAGES = [path for path in committable_files() if path.match("stages/*/*/stage.md")]
NOTES = [path for path in committable_files() if path.match("stages/*/*/notes.md")]
BEGIN, END = "<!-- measured: begin, written by x -->\n", "<!-- measured: end -->\n"
PARTS = [
    "**The idea** (thesis 1). Words.\n",
    "**The change.** Words.\n",
    "**What should get faster, predicted before measuring.** Words.\n",
    f"{BEGIN}{END}",
    "**When it loses.** Words.\n",
    "**Exercises**\n",
]
PAGE = "\n".join(PARTS)


@pytest.mark.parametrize("page", STAGE_PAGES, ids=str)
def test_a_stage_page_is_short_and_has_its_parts(page: Path) -> None:
    has_notes = page.with_name("notes.md") in NOTES
    assert stage_page_problems((ROOT / page).read_text(encoding="utf-8"), has_notes) == []


@pytest.mark.parametrize("page", NOTES, ids=str)
def test_notes_have_headings_and_lines_that_fit(page: Path) -> None:
    assert notes_problems((ROOT / page).read_text(encoding="utf-8")) == []


def test_every_stage_has_a_page() -> None:
    code = ("stages/*/*/stage.cu", "stages/*/*/cpu.cpp")
    stages = {path.parent for path in committable_files() if any(map(path.match, code))}
    assert stages == {page.parent for page in STAGE_PAGES}


def test_a_good_page_has_no_problems() -> None:
    assert stage_page_problems(PAGE, has_notes=False) == []
    assert stage_page_problems(f"{PAGE}[notes](notes.md)\n", has_notes=True) == []


@pytest.mark.parametrize("missing", range(len(PARTS)))
def test_a_missing_part_is_a_problem(missing: int) -> None:
    (problem,) = stage_page_problems("\n".join(PARTS[:missing] + PARTS[missing + 1 :]), has_notes=False)
    assert problem.endswith(": missing")


def test_parts_in_another_order_are_a_problem() -> None:
    (problem,) = stage_page_problems("\n".join(reversed(PARTS)), has_notes=False)
    assert "not in this order" in problem


def test_lines_of_diffs_and_signs_of_tables_do_not_count_and_generated_words_do() -> None:
    assert word_count("one | two\n\n```diff\n+ more\n- less\n```\n\nthree\n```sh\nfour\n```\n") == 5
    assert word_count(f"{BEGIN}one two\n{END}") - word_count(f"{BEGIN}{END}") == 2
    text = PAGE + "word\n" * (MOST_WORDS - word_count(PAGE))
    assert stage_page_problems(text, has_notes=False) == []
    (problem,) = stage_page_problems(f"{text}word\n", has_notes=False)
    assert problem.startswith(f"{MOST_WORDS + 1} words")


def test_a_long_line_is_a_problem_outside_of_tables() -> None:
    longer = "x" * (LINE_LENGTH + 1)
    assert long_lines(f"{longer[1:]}\n| {longer} |\n{longer}\n") == [3]
    assert len(stage_page_problems(f"{PAGE}{longer}\n", has_notes=False)) == 1
    assert len(notes_problems(f"[stage](stage.md)\n\n## Heading\n\n{longer}\n")) == 1


def test_pages_that_do_not_link_to_each_other_are_a_problem() -> None:
    assert stage_page_problems(PAGE, has_notes=True) == ["no link to notes.md"]
    (problem,) = stage_page_problems(f"{PAGE}[notes](notes.md)\n", has_notes=False)
    assert "not there" in problem
    assert notes_problems("## Heading\n") == ["no link to stage.md"]
    assert notes_problems("[stage](stage.md)\n") == ["no headings"]


def test_the_page_of_words_defines_each_of_them() -> None:
    _, *sections = (ROOT / "docs" / "words.md").read_text(encoding="utf-8").split("\n## ")
    defined = {}
    for section in sections:
        heading, _, text = section.partition("\n")
        defined[heading.lower().replace(" ", "-")] = text
    assert defined.keys() == WORDS.keys()
    for heading, text in defined.items():
        assert word_count(text) > 20, heading


LINK = "[{}](../../../docs/words.md#{})"


@pytest.mark.parametrize(
    ("text", "heading"),
    [
        ("the streaming limit", "streaming-limit"),
        ("the streaming\nlimit", "streaming-limit"),
        ("| parameters |\n| best | 1 |", "common-and-best-parameters"),
        ("the common setting", "common-and-best-parameters"),
        ("two full waves", "full-wave"),
        ("each *strip*", "strip"),
        ("a **run** of blocks", "run"),
        ("the Pareto front", "front"),
        (f"{LINK.format('strip', 'run')}", "strip"),
        (f"a strip, and a {LINK.format('strip', 'strip')}", "strip"),
    ],
)
def test_a_word_whose_first_use_is_no_link_to_its_definition_is_a_problem(text: str, heading: str) -> None:
    assert unlinked_words(text) == [heading]
    assert stage_page_problems(f"{PAGE}{text}\n", has_notes=False) == [
        f"its first use is no link to docs/words.md#{heading}"
    ]


def test_a_word_that_was_linked_once_is_not_linked_again() -> None:
    for text, heading in (("*strips*", "strip"), ("best\nsettings", "common-and-best-parameters")):
        assert unlinked_words(f"the {LINK.format(text, heading)}, and again {text}") == []
    assert unlinked_words("`strips.cuh`, run the tests\n```sh\nrun of strips\n```\nin front of it") == []
