"""Settings of Sphinx for the course: `make site` builds it into build/site.

The folder of sources is the repository's root, so that links between lessons, pages of stages and files of
code are the same in the built site and in the file system.
"""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from course.browser_codec.build import SCRIPT  # noqa: E402

project = "GPU optimisation step by step, on a laptop"
author = "The maintainers of the GSST reproduction"
# The same bytes from the same sources.
html_last_updated_fmt = None
html_show_copyright = False
html_show_sphinx = False

extensions = [
    "myst_parser",
    "course.lesson_parts",
    "course.source_pages",
    "course.browser_codec.page",
    "course.slides",
]
root_doc = "course/index"
include_patterns = [
    "course/*.md",
    "stages/*/*/stage.md",
    "stages/*/*/notes.md",
    "docs/*.md",
    "common/format/*.md",
    "common/format/**/*.md",
    "reference_cpu/training.md",
    "experiments/peers/README.md",
    "teach/*.md",
    "tools/new_series/tree/**/*.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "README.md",
]
# Not looked through.
exclude_patterns = ["build*", ".*", "results", "data/cache", "experiments/recorded"]
# JSON with dots for what is left out.
suppress_warnings = ["misc.highlighting_failure"]

myst_enable_extensions = ["colon_fence"]
# Pages link to the headings of others.
myst_heading_anchors = 4

html_theme = "furo"
html_title = project
html_static_path = ["static"]
templates_path = ["templates"]
html_css_files = ["course.css"]
# Pages load them in this order.
html_js_files = [
    (f"{name}.js", {"defer": "defer"}) for name in ("codec", "format", "demo", "course", "warps")
]
# Where `make site` has put the codec that pages run.
browser_codec = str(ROOT / "build/browser_codec" / SCRIPT)
html_copy_source = False
html_show_sourcelink = False
# A browser refuses to read pages from the file system for it.
html_show_search_summary = False
pygments_style = "friendly"
