import itertools

from matplotlib.transforms import Bbox

from experiments.plots import style
from experiments.plots.labels import Label, place_labels


def test_labels_cover_neither_each_other_nor_points_nor_the_line() -> None:
    style.apply()
    figure, (axes,) = style.new_figure(2.5)
    axes.set(xlim=(0, 10), ylim=(0, 10))
    points = [(3.0, 5.0), (3.4, 5.2), (3.2, 4.7), (7.0, 5.0)]
    line = [(3.0, 5.0), (7.0, 5.0)]
    labels = [Label(f"codec {index}", [point], style.BLACK) for index, point in enumerate(points)]
    placed = place_labels(axes, labels, points, line)
    renderer = figure.canvas.get_renderer()
    boxes = [annotation.get_window_extent(renderer) for annotation in placed]
    for first, second in itertools.combinations(boxes, 2):
        assert Bbox.intersection(first, second) is None
    display = axes.transData.transform([*points, *((3 + 0.1 * step, 5.0) for step in range(41))])
    assert not any(box.contains(x, y) for box in boxes for x, y in display)


def test_a_label_goes_to_another_of_its_points_where_the_first_is_crowded() -> None:
    style.apply()
    figure, (axes,) = style.new_figure(2.5)
    axes.set(xlim=(0, 10), ylim=(0, 10))
    crowd = [(5 + 0.3 * dx, 8 + 0.3 * dy) for dx in range(-5, 6) for dy in range(-5, 6)]
    (placed,) = place_labels(axes, [Label("name", [(5, 8), (5, 2)], style.BLACK)], crowd)
    assert placed.xy == (5, 2)
    assert figure is not None
