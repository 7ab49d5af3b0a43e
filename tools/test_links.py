"""Links between the pages of the repository lead somewhere."""

import re

import pytest

from tools.repository import ROOT, committable_files

PAGES = [path for path in committable_files() if path.suffix == ".md"]


@pytest.mark.parametrize("page", PAGES, ids=str)
def test_what_a_page_links_to_is_there(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    links = [link.partition("#")[0] for link in re.findall(r"\]\(([^)\s]+)\)", text)]
    relative = [link for link in links if link and "://" not in link]
    missing = [link for link in relative if not ((ROOT / page).parent / link).exists()]
    assert missing == []
