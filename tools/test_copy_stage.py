import re
from pathlib import Path

import pytest

from tools.copy_stage import CopyError, copy_stage
from tools.repository import ROOT
from tools.stage_pages import stage_page_problems
from tools.stages import OWN_STAGES, is_own_stage
from tools.update_readme import measured_section, updated_stage_pages

BASES = sorted(
    path.parent.relative_to(ROOT / "stages").as_posix() for path in ROOT.glob("stages/*/*/stage.cu")
)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "stages/a/01_b"
    folder.mkdir(parents=True)
    (folder / "stage.cu").write_text('.id = "a/01_b",\n.base = "",\n#include "stages/a/01_b/kernel.cuh"\n')
    (folder / "kernel.cuh").write_text("// The kernel.\n")
    (folder / "stage.md").write_text("Measured: 478 GB/s. [Notes](notes.md)\n")
    (folder / "notes.md").write_text("479 GB/s.\n")
    return tmp_path


def test_a_copy_has_its_own_id_and_the_copied_stage_for_its_base(root: Path) -> None:
    own = copy_stage("a/01_b", "a/70_mine", root)
    assert own == root / "stages/a/70_mine"
    assert (own / "stage.cu").read_text() == (
        '.id = "a/70_mine",\n.base = "a/01_b",\n#include "stages/a/70_mine/kernel.cuh"\n'
    )
    assert (own / "kernel.cuh").read_text() == "// The kernel.\n"


def test_a_copy_shows_no_numbers_and_its_page_needs_no_update(root: Path) -> None:
    own = copy_stage("a/01_b", "a/70_mine", root)
    page = (own / "stage.md").read_text(encoding="utf-8")
    assert "GB/s" not in page
    assert not (own / "notes.md").exists()
    assert stage_page_problems(page, has_notes=False) == []
    assert updated_stage_pages(own, measured_section("a/70_mine", ()), "") == {own / "stage.md": page}


@pytest.mark.parametrize(
    ("base", "own", "problem"),
    [
        ("", "a/70_mine", "say which: make copy FROM="),
        ("a/01_b", "", "say which: make copy FROM="),
        ("a/09_c", "a/70_mine", "there is no stage 'a/09_c' to copy"),
        ("a/01_b", "b/70_mine", "must be a/NN_name"),
        ("a/01_b", "a/mine", "must be a/NN_name"),
        ("a/01_b", "a/02_mine", f"numbers below {OWN_STAGES} are the repository's"),
    ],
)
def test_what_cannot_be_copied_is_said(root: Path, base: str, own: str, problem: str) -> None:
    with pytest.raises(CopyError, match=re.escape(problem)):
        copy_stage(base, own, root)


def test_nothing_is_overwritten(root: Path) -> None:
    copy_stage("a/01_b", "a/70_mine", root)
    with pytest.raises(CopyError, match="stages/a/70_mine is there already"):
        copy_stage("a/01_b", "a/70_mine", root)


def test_no_stage_of_the_lists_has_the_number_of_an_own_one() -> None:
    listed = re.findall(
        r"^\| \[(\w+/\w+)\]", (ROOT / "docs/stages.md").read_text(encoding="utf-8"), re.MULTILINE
    )
    assert listed
    assert not any(map(is_own_stage, listed))
    assert is_own_stage("gsst/70_mine")


@pytest.mark.parametrize("base", BASES)
def test_every_stage_names_its_base_in_a_way_that_a_copy_can_replace(base: str) -> None:
    sources = (ROOT / "stages" / base).glob("*")
    text = "".join(path.read_text(encoding="utf-8") for path in sources if path.suffix in (".cu", ".hpp"))
    assert len(re.findall(r"\.base = ", text)) == len(re.findall(r'\.base = "[^"]*"', text))
