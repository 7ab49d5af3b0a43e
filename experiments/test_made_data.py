"""Rows know the numbers that their data was made with, and integers are measured as what they are."""

from dataclasses import replace

import pytest

from data.catalogue import Built, Instance
from experiments.definition import Experiment, all_targets, load_experiment
from experiments.gpu_points import all_points
from experiments.made_data import with_numbers_of_data

# What formats of integers take where nothing is said.
DEFAULT_TYPE = "i32"


def test_the_numbers_of_the_arguments_are_a_field() -> None:
    labels = ["zero_length/runs_62_4", "zero_length/runs_937_252_first_16777216_bytes", "dbtext/city"]
    rows = with_numbers_of_data([{"dataset": label, "ratio": 2.0} for label in labels])
    whole = 268435456
    assert rows[0]["made_with"] == {"bytes": whole, "zeros_per_thousand": 62, "run_bytes": 4}
    assert rows[1]["made_with"] == {"bytes": whole, "zeros_per_thousand": 937, "run_bytes": 252}
    assert rows[2] == {"dataset": "dbtext/city", "ratio": 2.0}


def test_what_an_argument_names_without_a_number_is_left_out() -> None:
    (shuffled,) = with_numbers_of_data([{"dataset": "zero_length/kat7_859_shuffled"}])
    assert shuffled["made_with"] == {"preset": 859}


def test_columns_of_integers_have_numbers_too() -> None:
    labels = [
        "tile_integer/uniform_7_i64",
        "tile_integer/uniform_16_first_2000000000_bytes",
        "tile_integer/zipf_1_5",
    ]
    made = [row["made_with"] for row in with_numbers_of_data([{"dataset": label} for label in labels])]
    assert made == [
        {"width": 7, "values": 2**27},
        {"width": 16, "values": 2**30},
        {"exponent_tenths": 15, "values": 250_000_000},
    ]


def type_of_data(instance: Instance) -> str | None:
    """Of a column's values; None of data that is no column of integers."""
    built = instance.dataset.source
    if not instance.label.startswith("tile_integer/"):
        return None
    assert isinstance(built, Built)
    arguments = (*built.arguments, "--type", DEFAULT_TYPE)
    return arguments[arguments.index("--type") + 1]


def wrong_types(experiment: Experiment) -> list[str]:
    """Columns that points take for values of another type."""
    found = []
    for scale_name, scale in experiment.scales.items():
        for instance in scale.instances:
            wanted = type_of_data(instance)
            if wanted is None:
                continue
            if experiment.needs == "gpu":
                points = all_points(experiment, scale_name, instance.label)
                said = {point.get("type", DEFAULT_TYPE) for point in points}
            else:
                # By its number, as the measuring program has it.
                said = {str(number) for number in scale.options.get("type", ())} or {DEFAULT_TYPE}
            found += [f"{instance.label}: {each}" for each in said - {wanted}]
    return found


@pytest.mark.parametrize("target", all_targets())
def test_integers_are_measured_as_the_type_that_they_are(target: str) -> None:
    assert wrong_types(load_experiment(target)) == []


def test_integers_that_are_taken_for_others_are_found() -> None:
    experiment = load_experiment("tile_ladder")
    first, *others = experiment.points
    assert first.grid is not None
    wide = replace(first, grid={**first.grid, "options": {"type": "i64"}})
    points = (wide, *others)
    assert "tile_integer/uniform_16_first_400000000_bytes: i64" in wrong_types(
        replace(experiment, points=points)
    )
    # Where the points are of other texts, nothing is wrong.
    points = (replace(wide, texts="tile_integer/*_i64*"), *others)
    assert wrong_types(replace(experiment, points=points)) == []
