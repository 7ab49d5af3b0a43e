"""Renders the HTML pages of the workflow."""

import jinja2

from experiments.definition import EXPERIMENTS_DIR


def render_page(template: str, **values: object) -> str:
    """The template of this folder with these values, which are escaped; one that is missing is an error."""
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(EXPERIMENTS_DIR), autoescape=True, undefined=jinja2.StrictUndefined
    )
    return environment.get_template(template).render(**values)
