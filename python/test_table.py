"""Tables that small values share."""

import pickle
import random
from concurrent.futures import ThreadPoolExecutor

import gsst
import numpy as np
import pytest

WORDS = [b"carefully", b"final", b"furiously", b"regular", b"deposits", b"sleep", b"the", b"packages"]


def texts(count: int, seed: int = 1) -> list[bytes]:
    chosen = random.Random(seed)
    return [b" ".join(chosen.choices(WORDS, k=chosen.randrange(12))) for _ in range(count)]


@pytest.fixture(scope="module")
def table() -> gsst.Table:
    return gsst.Table(texts(500))


@pytest.mark.parametrize("names_table", [False, True])
def test_values_come_back_and_small_ones_are_smaller(table: gsst.Table, names_table: bool) -> None:
    others = [b"", b"\xff" * 100, bytes(range(256)), b"the " * 50_000, random.Random(2).randbytes(70_000)]
    values = [table.compress(text, names_table=names_table) for text in [*texts(300, seed=3), *others]]
    assert [table.decompress(value) for value in values] == [*texts(300, seed=3), *others]
    assert all(len(value) <= len(text) + 1 for value, text in zip(values[-5:], others, strict=True))
    assert sum(map(len, values[:300])) < sum(map(len, texts(300, seed=3))) / 2


def test_a_value_that_names_its_table_is_refused_by_another(table: gsst.Table) -> None:
    other = gsst.Table([b"something else entirely"] * 9)
    assert other.id != table.id
    value = table.compress(b"the final packages sleep", names_table=True)
    with pytest.raises(gsst.Error, match=f"table id: the value is of table {table.id}") as caught:
        other.decompress(value)
    assert caught.value.code == gsst.ErrorCode.INVALID_ARGUMENT


def test_a_saved_table_is_the_same(table: gsst.Table) -> None:
    value = table.compress(b"furiously final deposits")
    for same in (
        gsst.Table.load(table.save()),
        gsst.Table.load(np.frombuffer(table.save(), np.uint8)),
        pickle.loads(pickle.dumps(table)),
        gsst.Table(iter(texts(500))),
    ):
        assert (same, hash(same), same.id, same.save()) == (table, hash(table), table.id, table.save())
        assert same.decompress(value) == b"furiously final deposits"
    assert table != gsst.Table([])
    assert table != table.save()


def test_what_is_no_table_and_no_value_is_refused(table: gsst.Table) -> None:
    with pytest.raises(gsst.Error, match="this is not a gsst table"):
        gsst.Table.load(b"")
    with pytest.raises(gsst.Error, match="table checksum"):
        gsst.Table.load(table.save()[:-1] + bytes((table.save()[-1] ^ 1,)))
    with pytest.raises(gsst.Error, match="value kind"):
        table.decompress(b"")
    with pytest.raises(TypeError):
        table.compress("text")  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        gsst.Table(["text"])  # type: ignore[list-item]
    with pytest.raises(TypeError):
        gsst.Table(3)  # type: ignore[arg-type]


def test_threads_share_a_table(table: gsst.Table) -> None:
    with ThreadPoolExecutor(4) as pool:
        values = list(pool.map(table.compress, texts(2_000)))
        assert list(pool.map(table.decompress, values)) == texts(2_000)
