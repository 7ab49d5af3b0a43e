"""Texts with numbers in them."""

import pytest

from experiments.expressions import NoFieldError, NoNumberError
from experiments.text_template import check_template, fill

ROW = {
    "ratio": 2.6789,
    "share": 0.12345,
    "count": 16384,
    "gb": 1234.5,
    "none": None,
    "dataset": "dbtext/city_tiled_to_1000_bytes",
    "cut": "tile_integer/gaps_1_first_1000_bytes",
    "seconds": {"median": 0.5},
}


@pytest.mark.parametrize(
    ("template", "text"),
    [
        ("{ratio}", "2.68"),
        ("{gb}", "1234"),
        ("{ratio:.3f} of {count}", "2.679 of 16384"),
        ("{share:.1%}", "12.3 %"),
        ("{share - 1:+.1%}", "-87.7 %"),
        ("{share:.2g%}", "12 %"),
        ("{count:bytes}, {count + 1:bytes}, {count * 64:bytes}", "16 KiB, 16385 bytes, 1 MiB"),
        ("{dataset:column}", "city"),
        ("{cut:column}", "gaps_1"),
        ("{dataset:last}", "city_tiled_to_1000_bytes"),
        ("{1000 * seconds.median} ms", "500 ms"),
    ],
)
def test_a_field_is_replaced_by_its_value(template: str, text: str) -> None:
    check_template(template)
    assert fill(template, ROW) == text


@pytest.mark.parametrize(
    ("template", "message"),
    [
        ("{ratio:.3x}", "'.3x' is no format"),
        ("{ratio", "brace"),
        ("{ratio +}", "is not a column"),
        ("{}", "is not a column"),
        ("{len(ratio)}", "neither a field"),
    ],
)
def test_a_malformed_field_is_named(template: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        check_template(template)


@pytest.mark.parametrize("template", ["{ratio:column}", "{dataset:.1f}"])
def test_a_format_that_does_not_fit_the_value_is_an_error(template: str) -> None:
    check_template(template)
    with pytest.raises(ValueError, match="has no format"):
        fill(template, ROW)


def test_what_lacks_and_what_was_not_measured_differ() -> None:
    with pytest.raises(NoFieldError, match=r"^seconds\.mean$"):
        fill("{seconds.mean}", ROW)
    with pytest.raises(NoNumberError, match=r"^none$"):
        fill("{none}", ROW)
