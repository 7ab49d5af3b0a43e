from experiments.carry_over.logged_values import UNWRITTEN, joined, same_values, split_values

STACK = "01f0a4b6ff7f0000"
OTHER_STACK = "0140137afd7f0000"


def test_values_are_bytes_places_and_ends_of_parameters() -> None:
    assert split_values("(#3+16)0a0b 0c") == ("(#3+16)", "0a", "0b", " ", "0c")


def test_bytes_that_differ_are_unwritten() -> None:
    values = joined(split_values("(#1+0)0a0b0c"), split_values("(#1+0)0aff0c"))
    assert values == ("(#1+0)", "0a", UNWRITTEN, "0c")


def test_the_rest_of_an_address_is_unwritten_too() -> None:
    values = joined(split_values(STACK), split_values(OTHER_STACK))
    assert values == ("01", *[UNWRITTEN] * 7)
    # The second word of a parameter that begins with a place; the next parameter is not touched.
    values = joined(split_values(f"(#1+0){STACK} 7f00"), split_values(f"(#1+0){OTHER_STACK} 7f00"))
    assert values == ("(#1+0)", "01", *[UNWRITTEN] * 7, " ", "7f", "00")


def test_a_number_keeps_its_bytes() -> None:
    values = joined(split_values("0100000002000000"), split_values("0100000003000000"))
    assert values == ("01", "00", "00", "00", UNWRITTEN, "00", "00", "00")


def test_places_that_differ_are_no_unwritten_bytes() -> None:
    assert joined(split_values("(#1+0)"), split_values("(#2+0)")) is None
    assert joined(split_values("(#1+0)"), split_values("0102030405060708")) is None


def test_values_are_the_same_where_all_that_is_known_is() -> None:
    assert same_values(("01", UNWRITTEN), ("01", "02"))
    assert not same_values(("01", UNWRITTEN), ("02", "02"))
    assert not same_values(("01",), ("01", "02"))
