"""Rows know the numbers that their data was made with."""

from experiments.made_data import with_numbers_of_data


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
