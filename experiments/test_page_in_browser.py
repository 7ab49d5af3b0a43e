"""The pages as a phone shows them, in headless Chromium."""

import html
import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from matplotlib import image

from experiments import paper_notes_page, stages_page
from experiments.definition import all_targets
from experiments.index_page import OTHER_PAGES, build_page, read_figure
from experiments.made_up_results import figure_input, made_up_result, stages_rows
from experiments.make_figure import make_figure
from experiments.paper_notes import load_notes, notes_paths
from tools.headless_browser import CHROMIUM, run_chromium
from tools.stages import registered_stages

PHONE_PIXELS = 400
TARGET = "gsst_fig_6_1"

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no chromium is installed")

# A window of Chromium cannot be as narrow as a phone, a frame in it can. The pages themselves have no script.
# The frame scrolls to the figure, which is then in the window however much is above it.
FRAME = """<!doctype html><body style="margin: 0">
<iframe style="border: 0; width: {width}px; height: {height}px" srcdoc="{page}"></iframe>
<script>
addEventListener("load", () => {{
  const page = document.querySelector("iframe").contentDocument;
  const picture = page.querySelector("img.figure, body > img");
  picture?.scrollIntoView();
  const box = picture ? picture.getBoundingClientRect() : {{left: 0, top: 0, width: 0, height: 0}};
  const loaded = picture ? picture.naturalWidth : 0;
  const sizes = [page.documentElement.scrollWidth, loaded, box.left, box.top, box.width, box.height];
  document.body.dataset.sizes = sizes.map(Math.round).join(" ");
}});
</script>
"""


@dataclass(frozen=True)
class Shown:
    """What a browser shows of a page, in pixels: how wide the page is, and its first figure.

    A picture that the browser could not read is not loaded: in its place stands its title."""

    width: int
    loaded: bool
    picture: np.ndarray


def sizes_of(page: str, folder: Path, height: int = 4000) -> list[int]:
    """What FRAME says of the page at the width of a phone: how wide it is, and its first figure."""
    frame = folder / "frame.html"
    text = FRAME.format(width=PHONE_PIXELS, height=height, page=html.escape(page))
    frame.write_text(text, encoding="utf-8")
    dumped = run_chromium(folder, 2 * PHONE_PIXELS, height, frame, "--dump-dom").stdout
    sizes = re.search(r'data-sizes="([^"]*)"', dumped)
    assert sizes, dumped[:1000]
    return [int(size) for size in sizes[1].split()]


def show(page: str, folder: Path, height: int = 4000) -> Shown:
    """Opens the page at the width of a phone."""
    width, loaded, left, top, picture_width, picture_height = sizes_of(page, folder, height)
    screenshot = folder / "screenshot.png"
    run_chromium(folder, 2 * PHONE_PIXELS, height, folder / "frame.html", f"--screenshot={screenshot}")
    pixels = image.imread(screenshot)[:, :, :3]
    return Shown(width, loaded > 0, pixels[top : top + picture_height, left : left + picture_width])


def colours(picture: np.ndarray) -> int:
    return len(np.unique(picture.reshape(-1, 3), axis=0)) if picture.size else 0


@pytest.fixture
def figures(tmp_path: Path) -> Path:
    """The files of one figure, with columns of this machine and of two others."""
    rows = stages_rows({"01_blocks": 2.0, "02_splits": 18.0, "03_shared_memory": 54.0})
    recorded = tuple(
        made_up_result(TARGET, rows, machine, gpu="Made-up GPU " * 4) for machine in ("one", "a_longer_name")
    )
    make_figure(figure_input(TARGET, rows, recorded), tmp_path / "figures")
    return tmp_path / "figures"


def test_the_page_of_figures_fits_a_phone_and_shows_the_picture(figures: Path, tmp_path: Path) -> None:
    pages = [read_figure(target, figures) for target in all_targets()]
    shown = show(build_page(pages, OTHER_PAGES), tmp_path)
    assert shown.width == PHONE_PIXELS
    assert shown.loaded
    assert shown.picture.shape[1] > PHONE_PIXELS * 0.8
    assert colours(shown.picture) > 10, "the picture is blank"


@pytest.mark.parametrize("path", notes_paths(), ids=lambda path: path.stem)
def test_the_notes_on_a_paper_fit_a_phone(path: Path, tmp_path: Path) -> None:
    width, *_ = sizes_of(paper_notes_page.build_page(load_notes(path)), tmp_path)
    assert width == PHONE_PIXELS


def test_the_page_of_stages_fits_a_phone(tmp_path: Path) -> None:
    # With diffs, exercises, and lines that are longer than the screen is wide.
    stages = [stages_page.page_stage(stage, []) for stage in registered_stages()]
    some = [stage for stage in stages if any(diff.old for diff in stage.diffs)][:3]
    assert some[0].exercises
    width, *_ = sizes_of(stages_page.build_page(some), tmp_path)
    assert width == PHONE_PIXELS


def test_a_page_that_is_too_wide_and_a_blank_picture_are_seen(tmp_path: Path) -> None:
    blank = "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' width='600' height='50'/>"
    shown = show(f'<!doctype html><body style="margin: 0"><img src="{blank}">', tmp_path, 400)
    assert shown.width == 600
    assert colours(shown.picture[:, :PHONE_PIXELS]) == 1
