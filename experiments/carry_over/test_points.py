import pytest

from experiments.carry_over.points import DECODED_BYTES, LOGGED, MOST_BLOCKS, point_runs
from experiments.definition import all_targets, load_experiment
from experiments.gpu_points import candidates, fixed_points

MULTIPROCESSORS = 132


def test_every_point_of_a_target_is_run_once() -> None:
    experiment = load_experiment("gsst_fig_6_1")
    runs = point_runs(experiment, MULTIPROCESSORS, experiment.stages)
    points = [str(sorted(point.items(), key=str)) for run in runs for point in run.points]
    assert len(points) == len(set(points))
    all_points = [
        *fixed_points(experiment, MULTIPROCESSORS, "tiny"),
        *candidates(experiment, MULTIPROCESSORS),
    ]
    assert {point["stage"] for run in runs for point in run.points} == {
        point["stage"] for point in all_points
    }
    # A frame is encoded once.
    frames = [(run.points[0]["blocks"], run.points[0]["splits"]) for run in runs]
    assert len(frames) == len(set(frames))
    assert all(point["blocks"] == run.points[0]["blocks"] for run in runs for point in run.points)


def test_only_stages_that_are_asked_for_are_run() -> None:
    experiment = load_experiment("beyond_columns")
    runs = point_runs(experiment, MULTIPROCESSORS, ["gsst/07_tuned"])
    assert [[point["stage"] for point in run.points] for run in runs] == [["gsst/07_tuned"]]


def test_blocks_of_a_size_are_those_of_the_sample_text() -> None:
    experiment = load_experiment("gsst_fig_5_2")
    blocks = {run.points[0]["blocks"] for run in point_runs(experiment, MULTIPROCESSORS, experiment.stages)}
    assert blocks == {max(1, DECODED_BYTES // (size << 18)) for size in (1, 2, 4, 8, 16, 32, 64, 128)}
    many = point_runs(load_experiment("gsst_fig_6_2"), MULTIPROCESSORS, ["gsst/01_blocks"])
    assert [run.points[0]["blocks"] for run in many] == [MOST_BLOCKS]


def test_launches_are_compared_without_graphs_which_hold_the_same_ones() -> None:
    runs = point_runs(load_experiment("beyond_sizes"), MULTIPROCESSORS, ["gsst/09_warp_tiles"])
    assert not any("graph" in point for run in runs for point in run.points)


def test_an_encoder_has_a_run_for_each_point() -> None:
    experiment = load_experiment("wide_encoder_ladder")
    runs = point_runs(experiment, MULTIPROCESSORS, experiment.stages)
    assert all(len(run.points) == 1 and run.kind == "encode" for run in runs)
    assert "1 warp chunks" in runs[0].label


@pytest.mark.parametrize("target", all_targets())
def test_each_target_whose_program_is_known_has_runs(target: str) -> None:
    experiment = load_experiment(target)
    if experiment.kind in LOGGED:
        assert point_runs(experiment, MULTIPROCESSORS, experiment.stages)
