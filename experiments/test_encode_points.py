"""The points of the encoder's experiments."""

import json

import pytest

from experiments.definition import all_targets, load_experiment
from experiments.encode_points import PointsError, encode_points
from tools.stages import registered_stages

ENCODED = [target for target in all_targets() if load_experiment(target).encoding is not None]


def test_a_grid_has_every_combination() -> None:
    points = encode_points(load_experiment("encoder_fig_12"))
    assert len(points) == len({json.dumps(point) for point in points}) == 20
    assert {point["block_bytes"] // point["splits"] for point in points} == {
        1 << exponent for exponent in range(10, 15)
    }


def test_each_step_of_the_ladder_is_a_point_with_its_name() -> None:
    points = encode_points(load_experiment("encoder_ladder"))
    assert [point["parameters"]["step"] for point in points] == list(range(1, 9))
    assert [int(point["variant"].split()[0]) for point in points] == list(range(1, 9))


def test_an_experiment_without_encoder_has_no_points() -> None:
    with pytest.raises(PointsError, match="gsst_fig_6_1 measures no encoder"):
        encode_points(load_experiment("gsst_fig_6_1"))


@pytest.mark.parametrize("target", ENCODED)
def test_the_registered_encoder_takes_every_point(target: str) -> None:
    registered = {stage["id"]: stage for stage in registered_stages() if stage["operation"] == "encode"}
    for point in encode_points(load_experiment(target)):
        parameters = {entry["name"]: entry["values"] for entry in registered[point["stage"]]["parameters"]}
        for name, value in point["parameters"].items():
            assert value in parameters[name]
