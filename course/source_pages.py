"""Sphinx extension: files of code that pages link to become pages of the site, with words in colours."""

import posixpath
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from docutils import nodes
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_for_filename
from pygments.lexers.c_like import CudaLexer
from pygments.lexers.special import TextLexer
from pygments.util import ClassNotFound
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment

FOLDER = "sources"
_PICTURES = {".svg", ".png"}


def _sources(env: BuildEnvironment) -> dict[str, set[str]]:
    """The linked files by the page that links to them."""
    if not hasattr(env, "course_sources"):
        env.course_sources = {}  # type: ignore[attr-defined]
    return env.course_sources  # type: ignore[attr-defined]


def _target(env: BuildEnvironment, node: addnodes.download_reference) -> str | None:
    """The linked file, relative to the repository's root; None where it is none of its text files."""
    path, full = env.relfn2path(node["reftarget"], env.docname)
    file = Path(full)
    return posixpath.normpath(path) if file.is_file() and file.suffix not in _PICTURES else None


def _link_to_pages(app: Sphinx, doctree: nodes.document) -> None:
    env, found = app.env, set()
    up = "../" * env.docname.count("/")
    for node in list(doctree.findall(addnodes.download_reference)):
        target = _target(env, node)
        if target is not None:
            found.add(target)
            reference = nodes.reference(
                "", "", *node.children, refuri=f"{up}{FOLDER}/{target}.html", internal=True
            )
            node.replace_self(reference)
    _sources(env)[env.docname] = found


def _unlink_folders(app: Sphinx, doctree: nodes.document) -> None:
    """A link to a folder leads somewhere in a clone only: its words stay."""
    page = (Path(app.srcdir) / app.env.docname).parent
    for node in list(doctree.findall(addnodes.pending_xref)):
        if (page / node["reftarget"]).is_dir():
            node.replace_self(node.children)


def _shorten_paths(app: Sphinx, doctree: nodes.document) -> None:
    """A diff of two files names them from the repository's root, not from where this clone is."""
    root = f"{app.srcdir}/"
    for node in doctree.findall(nodes.literal_block):
        if node.get("language") == "udiff":
            node.children = [nodes.Text(node.astext().replace(root, ""))]
            node.rawsource = node.astext()


def _purge(_app: Sphinx, env: BuildEnvironment, docname: str) -> None:
    _sources(env).pop(docname, None)


def _merge(_app: Sphinx, env: BuildEnvironment, docnames: set[str], other: BuildEnvironment) -> None:
    _sources(env).update({name: _sources(other)[name] for name in docnames if name in _sources(other)})


def _colours(path: str, text: str) -> str:
    if path.endswith((".cu", ".cuh")):
        lexer = CudaLexer()
    else:
        try:
            lexer = get_lexer_for_filename(path)
        except ClassNotFound:
            lexer = TextLexer()
    return highlight(text, lexer, HtmlFormatter(cssclass="highlight", linenos="inline"))


def _pages(app: Sphinx) -> Iterator[tuple[str, dict[str, Any], str]]:
    for path in sorted(set().union(*_sources(app.env).values())):
        text = (Path(app.srcdir) / path).read_text(encoding="utf-8")
        title = nodes.Text(path).astext()
        body = f"<section><h1>{title}</h1>\n{_colours(path, text)}</section>"
        yield f"{FOLDER}/{path}", {"title": title, "body": body}, "page.html"


def _start_page(app: Sphinx, error: Exception | None) -> None:
    """index.html at the top leads to the first lesson."""
    if error is None and app.builder.format == "html":
        target = f"{app.config.root_doc}.html"
        title = app.config.html_title
        text = (
            f'<!doctype html>\n<html lang="en"><meta charset="utf-8"><title>{title}</title>\n'
            f'<meta http-equiv="refresh" content="0; url={target}"><a href="{target}">{title}</a></html>\n'
        )
        (Path(app.outdir) / "index.html").write_text(text, encoding="utf-8")


def setup(app: Sphinx) -> dict[str, Any]:
    """Called by Sphinx."""
    # Before Sphinx collects the files that are to be copied.
    app.connect("doctree-read", _link_to_pages, priority=400)
    app.connect("doctree-read", _unlink_folders)
    app.connect("doctree-read", _shorten_paths)
    app.connect("env-purge-doc", _purge)
    app.connect("env-merge-info", _merge)
    app.connect("html-collect-pages", _pages)
    app.connect("build-finished", _start_page)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
