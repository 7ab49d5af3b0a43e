"""Places labels beside their points so that none covers another label or a point."""

from collections.abc import Sequence
from dataclasses import dataclass

from matplotlib.axes import Axes
from matplotlib.text import Annotation
from matplotlib.transforms import Bbox

from experiments.plots.style import LABEL_SIZE

# Offsets in points (1/72 inch), nearest first; the alignment makes the text grow away from its point.
_NEAR = 4.0
_FAR = 11.0


@dataclass(frozen=True)
class Label:
    """A text for a point in data coordinates."""

    text: str
    x: float
    y: float
    color: str


def _candidates() -> list[tuple[float, float, str, str]]:
    places = []
    for distance in (_NEAR, _FAR, 2 * _FAR):
        places += [
            (distance, 0.0, "left", "center"),
            (-distance, 0.0, "right", "center"),
            (0.0, distance, "center", "bottom"),
            (0.0, -distance, "center", "top"),
            (distance, distance, "left", "bottom"),
            (distance, -distance, "left", "top"),
            (-distance, distance, "right", "bottom"),
            (-distance, -distance, "right", "top"),
        ]
    return places


def _overlap_area(first: Bbox, second: Bbox) -> float:
    common = Bbox.intersection(first, second)
    return 0.0 if common is None else common.width * common.height


def place_labels(
    axes: Axes, labels: Sequence[Label], points: Sequence[tuple[float, float]], taken: Sequence[Bbox] = ()
) -> list[Annotation]:
    """Writes the labels, each at the first place that is free, else where it covers least.

    `points` are all points that must stay visible (data coordinates), `taken` further boxes (display
    coordinates). The limits of the axes must be final.
    """
    figure = axes.get_figure()
    assert figure is not None
    figure.canvas.draw()
    renderer = figure.canvas.get_renderer()
    marker = 2.5 * figure.dpi / 72
    occupied = list(taken)
    for x, y in axes.transData.transform(list(points)) if points else ():
        occupied.append(Bbox.from_extents(x - marker, y - marker, x + marker, y + marker))
    frame = axes.get_window_extent(renderer)
    annotations = []
    for label in labels:
        best: tuple[float, Annotation, Bbox] | None = None
        for dx, dy, horizontal, vertical in _candidates():
            annotation = axes.annotate(
                label.text,
                (label.x, label.y),
                xytext=(dx, dy),
                textcoords="offset points",
                ha=horizontal,
                va=vertical,
                color=label.color,
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
