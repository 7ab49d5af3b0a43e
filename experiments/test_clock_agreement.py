"""The sentence on two clocks, in agreement and not."""

from experiments.clock_agreement import clocks_sentence
from experiments.made_up_results import encoder_rows


def _rows(host_over_device: float) -> list[dict]:
    rows = encoder_rows({("1 naive", 128, 4096): 5.0, ("2 hash", 128, 4096): 20.0})
    rows[1]["host_seconds"] = rows[1]["device_seconds"] * host_over_device
    return rows


def test_rows_within_the_limit_agree() -> None:
    sentence = clocks_sentence(_rows(1.04))
    assert "within 5 % of each other in all 4 rows" in sentence
    assert sentence.endswith("by 4 %, in `1 naive`, end to end.")


def test_a_row_beyond_the_limit_is_counted_out_on_either_side() -> None:
    for factor in (1.06, 0.94):
        sentence = clocks_sentence(_rows(factor))
        assert "in 3 of 4 rows" in sentence
        assert "by 6 %" in sentence


def test_rows_of_one_clock_say_nothing() -> None:
    rows = _rows(1.0)
    for row in rows:
        del row["device_seconds"]
    assert clocks_sentence(rows) == ""
