"""Text in pictures can be read: its contrast against what is behind it."""

import pandas as pd
import pytest
from matplotlib.colors import to_hex

from experiments.plots import style
from experiments.plots.heatmap import draw_heatmap


def test_contrast_is_that_of_wcag() -> None:
    assert style.contrast("black", "white") == pytest.approx(21)
    assert style.contrast("white", "white") == 1
    # Of the guideline's examples: the palest grey that passes, and the next one.
    assert style.contrast("#767676", "white") >= style.LEAST_CONTRAST > style.contrast("#777777", "white")


def test_a_word_is_as_dark_as_reading_needs_and_no_darker() -> None:
    assert style.text_color(style.BLUE) == style.BLUE.lower()
    for color in (style.ORANGE, style.SKY_BLUE, style.GREEN, style.VERMILLION, style.PURPLE):
        assert style.LEAST_CONTRAST <= style.contrast(style.text_color(color), "white") < 4.8


def test_the_number_in_each_cell_of_a_heatmap_can_be_read() -> None:
    style.apply()
    figure, (axes,) = style.new_figure(2)
    grid = pd.DataFrame([[float(value) for value in range(64)]])
    draw_heatmap(axes, grid, [""] * 64, [""], ".0f")
    (image,) = axes.images
    for number, text in enumerate(axes.texts):
        cell = to_hex(image.cmap(image.norm(float(number))))
        assert style.contrast(to_hex(text.get_color()), cell) >= style.LEAST_CONTRAST, number
    assert len(axes.texts) == 64
    assert figure.axes
