"""Renders the HTML pages of the workflow."""

import os
from pathlib import Path

import jinja2

from experiments.definition import EXPERIMENTS_DIR
from tools.repository import ROOT

SITE = ROOT / "build" / "site"


def site_address(page: str, output: Path) -> str:
    """Where a page of the course is, seen from `output`; empty where `make site` has not built it."""
    path = SITE / page
    return Path(os.path.relpath(path, output.resolve().parent)).as_posix() if path.exists() else ""


def render_page(template: str, **values: object) -> str:
    """The template of this folder with these values, which are escaped; one that is missing is an error."""
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(EXPERIMENTS_DIR), autoescape=True, undefined=jinja2.StrictUndefined
    )
    return environment.get_template(template).render(**values)
