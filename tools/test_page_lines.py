"""Lines of the pages are text, wherever they are shown."""

import re

import pytest

from tools.repository import ROOT, committable_files

PAGES = [path for path in committable_files() if path.suffix == ".md"]
_CODE = re.compile(r"^```.*?^```", re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize("page", PAGES, ids=str)
def test_no_line_is_a_comment_of_the_site(page: str) -> None:
    # MyST leaves out a line that begins with a percent sign, whose number is then alone.
    text = _CODE.sub("", (ROOT / page).read_text(encoding="utf-8"))
    assert re.findall(r"^\s*%.*", text, re.MULTILINE) == []
