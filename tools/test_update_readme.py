from pathlib import Path

import pytest

from tools.update_readme import example_session, replace_section, stage_table, updated_readme

_ROOT = Path(__file__).resolve().parent.parent

_STAGE = {
    "id": "gsst/01_blocks",
    "title": "Blocks",
    "section": "4.2.1",
    "format": "blocks",
    "operation": "decode",
    "minimum_compute_capability": "8.0",
    "parameters": {},
}
_BEGIN = "<!-- stages: begin, written by tools/update_readme.py -->\n"
_END = "<!-- stages: end -->"


def test_a_section_is_replaced_and_the_rest_is_kept() -> None:
    text = f"before\n{_BEGIN}old\n{_END}\nafter\n"
    assert replace_section(text, "stages", "new\n") == f"before\n{_BEGIN}new\n{_END}\nafter\n"


@pytest.mark.parametrize("text", ["", f"{_BEGIN}", f"{_END}\n{_BEGIN}", f"{_BEGIN}{_END}\n{_BEGIN}{_END}"])
def test_a_section_must_be_there_once(text: str) -> None:
    with pytest.raises(ValueError, match="one section 'stages'"):
        replace_section(text, "stages", "new\n")


def test_without_stages_the_table_says_so() -> None:
    assert "No stage is registered yet" in stage_table([])


def test_a_stage_is_a_row() -> None:
    assert stage_table([_STAGE]).splitlines()[2] == (
        "| gsst/01_blocks | Blocks | 4.2.1 | blocks | decode | 8.0 |"
    )


def test_a_failing_example_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match="failed"):
        example_session(tmp_path)


def test_the_readme_shows_what_the_command_prints_now() -> None:
    readme = (_ROOT / "README.md").read_text(encoding="utf-8")
    assert updated_readme(readme) == readme, "run `.venv/bin/python -m tools.update_readme`"
