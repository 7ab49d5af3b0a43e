"""Sphinx extension: a page with the widget `codec` loads the codec, where it has been built.

The setting `browser_codec` names the script that course/browser_codec/build.py writes.
"""

from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.config import Config


def _copy(_app: Sphinx, config: Config) -> None:
    if Path(config.browser_codec).is_file():
        config.html_static_path.append(config.browser_codec)


def _load(
    app: Sphinx, _page: str, _template: str, context: dict[str, Any], _tree: nodes.document | None
) -> None:
    script = Path(app.config.browser_codec)
    if 'data-widget="codec"' in context.get("body", "") and script.is_file():
        # Before those of the settings, whose priority is 800.
        app.add_js_file(script.name, priority=700, loading_method="defer")


def setup(app: Sphinx) -> dict[str, Any]:
    """Called by Sphinx."""
    app.add_config_value("browser_codec", "", "html", [str])
    app.connect("config-inited", _copy)
    app.connect("html-page-context", _load)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
