"""Places labels beside their points so that none covers another label or a point."""

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from matplotlib.text import Annotation, Text
from matplotlib.transforms import Bbox

from experiments.plots.style import LABEL_SIZE, text_color

# Offsets in points (1/72 inch), nearest first; the alignment makes the text grow away from its point.
_NEAR = 4.0
_FAR = 11.0
# Distance, in points, of the places on a line that labels keep away from.
_LINE_STEP = 3.0


Point = tuple[float, float]


@dataclass(frozen=True)
class Label:
    """A text that may stand beside any of its points (data coordinates), rather the first than the last."""

    text: str
    anchors: Sequence[Point]
    color: str


def _places(anchors: Sequence[Point]) -> Iterator[tuple[Point, float, float, str, str]]:
    """Anchor, offset and alignment of every place for a label, best first."""
    for distance in (_NEAR, _FAR, 2 * _FAR):
        for anchor in anchors:
            yield anchor, distance, 0.0, "left", "center"
            yield anchor, -distance, 0.0, "right", "center"
            yield anchor, 0.0, distance, "center", "bottom"
            yield anchor, 0.0, -distance, "center", "top"
            yield anchor, distance, distance, "left", "bottom"
            yield anchor, distance, -distance, "left", "top"
            yield anchor, -distance, distance, "right", "bottom"
            yield anchor, -distance, -distance, "right", "top"


def _overlap_area(first: Bbox, second: Bbox) -> float:
    common = Bbox.intersection(first, second)
    return 0.0 if common is None else common.width * common.height


def _boxes(axes: Axes, points: Sequence[Point], half: float) -> list[Bbox]:
    if not points:
        return []
    display = axes.transData.transform(list(points))
    return [Bbox.from_extents(x - half, y - half, x + half, y + half) for x, y in display]


def _line_boxes(axes: Axes, line: Sequence[Point], pixels_per_point: float) -> list[Bbox]:
    """Small boxes along a line, which is straight between its points as it is drawn."""
    if len(line) < 2:
        return []
    half = 0.5 * pixels_per_point
    boxes = []
    corners = axes.transData.transform(list(line))
    for start, end in itertools.pairwise(corners):
        steps = 2 + int(np.hypot(*(end - start)) / (_LINE_STEP * pixels_per_point))
        for x, y in np.linspace(start, end, steps):
            boxes.append(Bbox.from_extents(x - half, y - half, x + half, y + half))
    return boxes


def place_labels(
    axes: Axes,
    labels: Sequence[Label],
    points: Sequence[Point],
    line: Sequence[Point] = (),
    texts: Sequence[Text] = (),
) -> list[Annotation]:
    """Writes the labels, each at the first place that is free, else where it covers least.

    `points` are all points that must stay visible, `line` the corners of a line that must (data
    coordinates), `texts` what is already written. The limits of the axes must be final.
    """
    figure = axes.get_figure()
    assert figure is not None
    figure.canvas.draw()
    renderer = figure.canvas.get_renderer()
    pixels_per_point = figure.dpi / 72
    occupied = _boxes(axes, points, 2.5 * pixels_per_point)
    occupied += _line_boxes(axes, line, pixels_per_point)
    occupied += [text.get_window_extent(renderer) for text in texts]
    frame = axes.get_window_extent(renderer)
    annotations = []
    for label in labels:
        best: tuple[float, Annotation, Bbox] | None = None
        for anchor, dx, dy, horizontal, vertical in _places(label.anchors):
            annotation = axes.annotate(
                label.text,
                anchor,
                xytext=(dx, dy),
                textcoords="offset points",
                ha=horizontal,
                va=vertical,
                color=text_color(label.color),
                fontsize=LABEL_SIZE,
                annotation_clip=False,
            )
            box = annotation.get_window_extent(renderer)
            covered = sum(_overlap_area(box, other) for other in occupied)
            covered += box.width * box.height - _overlap_area(box, frame)
            if best is None or covered < best[0] - 1e-6:
                if best is not None:
                    best[1].remove()
                best = (covered, annotation, box)
            else:
                annotation.remove()
            if best[0] <= 1e-6:
                break
        assert best is not None
        annotations.append(best[1])
        occupied.append(best[2])
    return annotations
