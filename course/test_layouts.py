"""The layout explorer draws the bytes that FORMAT.md says."""

import html
import json
import re
from pathlib import Path

import pytest

from course.record_pictures import LAYOUT_CODES, WIDGETS
from tools.headless_browser import CHROMIUM, run_chromium
from tools.repository import ROOT

# Chooses every format and number of splits, and keeps what is drawn.
PAGE = """<!doctype html><meta charset="utf-8">
<div class="widget" data-widget="tile_layouts"><script type="application/json">{data}</script></div>
<script src="{script}"></script>
<script>
const part = document.querySelector(".widget");
const [format, splits] = part.querySelectorAll("select");
const drawn = {{}};
for (const one of format.options) for (const count of splits.options) {{
  format.value = one.value;
  splits.value = count.value;
  splits.dispatchEvent(new Event("change"));
  const cells = [...part.querySelectorAll(".cells span")];
  drawn[one.value + "/" + count.value] = {{
    names: cells.map((cell) => cell.textContent.split("\\n")),
    read: cells.map((cell) => cell.className === "read"),
    said: part.lastChild.textContent
  }};
}}
document.body.dataset.drawn = JSON.stringify(drawn);
</script>
"""


def codes_of_bytes(format_name: str, splits: int) -> list[list[int]]:
    """FORMAT.md, sections 4, 5 and 9: for each byte the codes that are in it, in the order of the output."""
    codes = list(range(LAYOUT_CODES))
    each = LAYOUT_CODES // splits
    whole = [[code] for code in codes]
    match format_name:
        case "splits" | "tiles, 8 bits":
            return whole
        case "coalesced":
            return [[split * each + code] for code in range(each) for split in range(splits)]
        case "tiles, 10 bits":
            eights = [codes[first : first + 8] for first in range(0, LAYOUT_CODES, 8)]
            return whole + [eight[parity::2] for eight in eights for parity in (0, 1)]
        case "tiles, 12 bits":
            return whole + [codes[first : first + 2] for first in range(0, LAYOUT_CODES, 2)]
    raise AssertionError(format_name)


@pytest.mark.skipif(CHROMIUM is None, reason="no chromium is installed")
def test_each_byte_has_its_codes(tmp_path: Path) -> None:
    _, data = WIDGETS["tile_layouts"]()
    script = (ROOT / "course/static/course.js").as_uri()
    page = tmp_path / "page.html"
    page.write_text(PAGE.format(data=data, script=script), encoding="utf-8")
    shown = run_chromium(tmp_path, 800, 600, page, "--dump-dom")
    found = re.search(r'data-drawn="([^"]*)"', shown.stdout)
    assert found is not None, shown.stdout
    drawn = json.loads(html.unescape(found[1]))
    chosen = json.loads(data)
    assert len(drawn) == len(chosen["formats"]) * len(chosen["splits"])
    for name, seen in drawn.items():
        format_name, _, splits = name.partition("/")
        each = LAYOUT_CODES // int(splits)
        expected = codes_of_bytes(format_name, int(splits))
        assert seen["names"] == [[f"{code // each}.{code % each}" for code in codes] for codes in expected]
        is_tile = format_name.startswith("tiles")
        # A lane of a tile reads all its codes at once, a thread the first of its split.
        assert seen["read"] == [is_tile or any(code % each == 0 for code in codes) for codes in expected]
        read = LAYOUT_CODES if is_tile else int(splits)
        assert re.search(rf" {splits} (?:lanes|threads) read {read} codes ", seen["said"])
