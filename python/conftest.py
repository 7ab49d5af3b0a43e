"""Rows for the tests of data frames."""

import random
import string

import pytest

ROWS = 240_000


@pytest.fixture(scope="session")
def comments() -> list[str | None]:
    """Sentences of a few words, as a table of orders has them: some null, some empty, some of 100 kB."""
    chosen = random.Random(27)
    words = ["".join(chosen.choices(string.ascii_lowercase, k=chosen.randint(2, 11))) for _ in range(900)]
    words += ["naïve", "Straße", "\u2603"]
    rows: list[str | None] = [" ".join(chosen.choices(words, k=chosen.randint(3, 9))) for _ in range(ROWS)]
    for row in chosen.sample(range(ROWS), ROWS // 40):
        rows[row] = None
    for row in chosen.sample(range(ROWS), ROWS // 50):
        rows[row] = ""
    for row in (0, 131_071, ROWS - 1):
        rows[row] = " ".join(chosen.choices(words, k=15_000))
    return rows
