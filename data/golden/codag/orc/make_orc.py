"""Writes the ORC files of this folder, and their list, with pyarrow.

python data/golden/codag/orc/make_orc.py

Another version of pyarrow may write other bytes, so no test compares the committed files with what this
writes. The list has what pyarrow reads in each column: how many nulls, and the xxh64 of the values,
little-endian, with the listed value in the place of nulls.
"""

from __future__ import annotations

import datetime
import json
import random
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
from pyarrow import orc

sys.path.insert(0, str(Path(__file__).parents[2]))
from xxh64 import xxh64

FOLDER = Path(__file__).parent

# A value of every type but boolean, for which it is 0.
NULL = 77
BITS = {pa.bool_(): 8, pa.int8(): 8, pa.int16(): 16, pa.int32(): 32, pa.int64(): 64, pa.date32(): 32}
NO_ROW_INDEX = "no_row_index"
EPOCH = datetime.date(1970, 1, 1)


@dataclass(frozen=True)
class File:
    """A file, and how it is written."""

    name: str
    table: pa.Table
    options: dict[str, object]


def limits(bits: int) -> tuple[int, int]:
    return -(1 << bits - 1), (1 << bits - 1) - 1


def integers(chance: random.Random, bits: int, count: int) -> list[int]:
    """Repeats, sequences, random values of few bits, outliers among them, and the type's extremes."""
    least, most = limits(bits)
    few = min(bits, 20) - 1
    kinds: Sequence[Callable[[int], list[int]]] = (
        lambda size: [chance.getrandbits(few)] * size,
        lambda size: [5 + 3 * i for i in range(min(size, 40))],
        lambda size: [chance.getrandbits(few) for _ in range(size)],
        lambda size: [most if i % 50 == 49 else chance.getrandbits(3) for i in range(size)],
        lambda size: sorted(chance.getrandbits(few) for _ in range(size)),
        lambda size: [chance.choice((least, most)) for _ in range(min(size, 20))],
    )
    values: list[int] = []
    for i in range(count):
        values += kinds[i % len(kinds)](chance.choice((1, 2, 4, 9, 60, 300)))
        if len(values) >= count:
            break
    return values[:count]


def with_nulls(chance: random.Random, values: Sequence[object]) -> list[object]:
    """Nulls alone, and in runs."""
    is_null = False
    result: list[object] = []
    for value in values:
        if chance.randrange(6) == 0:
            is_null = not is_null
        result.append(None if is_null else value)
    return result


def columns(seed: int, count: int) -> pa.Table:
    """A column of each type without nulls, and one with."""
    chance = random.Random(seed)
    made: dict[str, pa.Array] = {}
    for has_nulls in (False, True):
        nulls = (lambda values: with_nulls(chance, values)) if has_nulls else list
        suffix = "_or_null" if has_nulls else ""
        made[f"bool{suffix}"] = pa.array(nulls([chance.randrange(9) < 4 for _ in range(count)]), pa.bool_())
        for kind, name in (
            (pa.int8(), "tiny"),
            (pa.int16(), "small"),
            (pa.int32(), "int"),
            (pa.int64(), "big"),
        ):
            made[f"{name}{suffix}"] = pa.array(nulls(integers(chance, BITS[kind], count)), kind)
        days = nulls([EPOCH + datetime.timedelta(chance.randrange(-9000, 20000)) for _ in range(count)])
        made[f"date{suffix}"] = pa.array(days, pa.date32())
        words = nulls([f"word {chance.randrange(1, 40) // chance.randrange(1, 9)}" for _ in range(count)])
        made[f"word{suffix}"] = pa.array(words, pa.string())
    return pa.table(made)


def files() -> list[File]:
    made = []
    for version in ("0.11", "0.12"):
        for compression in ("uncompressed", "zlib"):
            name = f"v{version[2:]}_{compression}"
            options = {
                "file_version": version,
                "compression": compression,
                "row_index_stride": 150,
                # A stripe ends with a batch.
                "stripe_size": 4096,
                "batch_size": 400,
            }
            made.append(File(name, columns(int(version[2:]), 1000), options))
            small = pa.table({"c": pa.array(with_nulls(random.Random(3), list(range(3, 43))), pa.int32())})
            made.append(File(f"small_{name}", small, options | {"row_index_stride": 16}))
    # A stream of two chunks, which are 64 KiB before compression.
    long = pa.table({"c": pa.array([(1 << 41) + i * i % 193 for i in range(14000)], pa.int64())})
    stripes = {"stripe_size": 4096, "batch_size": 12000, "row_index_stride": 3000}
    made.append(File("two_chunks", long, {"file_version": "0.11", "compression": "zlib"} | stripes))
    table = pa.table({"c": pa.array(integers(random.Random(1), 64, 500), pa.int64())})
    made.append(File(NO_ROW_INDEX, table, {}))
    made.append(File("no_rows", table.slice(0, 0), {}))
    made.append(File("nulls_only", pa.table({"c": pa.array([None] * 300, pa.int16())}), {}))
    made.append(
        File(
            "not_decoded",
            pa.table({"f": [1.5], "l": [[1]], "s": ["x"]}),
            {"dictionary_key_size_threshold": 0.0},
        )
    )
    made.append(File("snappy", pa.table({"c": [1, 2]}), {"compression": "snappy"}))
    return made


def numbers_of(column: pa.ChunkedArray, stripes: Sequence[int]) -> list[int | None]:
    """A column's values as integers; of strings, their places in the dictionary of their stripe."""
    values = column.to_pylist()
    if pa.types.is_string(column.type):
        indices: list[int | None] = []
        begin = 0
        for rows in stripes:
            part = values[begin : begin + rows]
            # ORC's writers sort a dictionary.
            places = {word: i for i, word in enumerate(sorted({word for word in part if word is not None}))}
            indices += [None if word is None else places[word] for word in part]
            begin += rows
        return indices
    if pa.types.is_date32(column.type):
        return [None if day is None else (day - EPOCH).days for day in values]
    return [None if value is None else int(value) for value in values]


def entry_of(file: File, path: Path) -> dict[str, object]:
    reader = orc.ORCFile(path)
    stripes = [reader.read_stripe(i).num_rows for i in range(reader.nstripes)]
    table = reader.read()
    assert table.equals(file.table)
    listed = []
    for name in table.column_names:
        kind = table[name].type
        if kind not in BITS and not pa.types.is_string(kind):
            continue
        bits = BITS.get(kind, 32)
        null = 0 if pa.types.is_boolean(kind) else NULL
        numbers = [null if number is None else number for number in numbers_of(table[name], stripes)]
        data = b"".join((number % (1 << bits)).to_bytes(bits // 8, "little") for number in numbers)
        listed.append(
            {
                "name": name,
                "type": "indices" if pa.types.is_string(kind) else str(kind),
                "null": null,
                "nulls": table[name].null_count,
                "xxh64": f"{xxh64(data):016x}",
            }
        )
    return {
        "file": path.name,
        "row_index_stride": reader.row_index_stride,
        "stripes": stripes,
        "columns": listed,
    }


def without_row_index(file: bytes) -> bytes:
    """The footer's field rowIndexStride is 10000, and becomes 0; pyarrow writes no file without."""
    stride = b"\x40\x90\x4e"
    assert file.count(stride) == 1
    return file.replace(stride, b"\x40\x80\x00")


def main() -> None:
    entries = []
    for file in files():
        path = FOLDER / f"{file.name}.orc"
        orc.write_table(file.table, path, **({"dictionary_key_size_threshold": 1.0} | file.options))
        if file.name == NO_ROW_INDEX:
            path.write_bytes(without_row_index(path.read_bytes()))
        entries.append(entry_of(file, path))
    (FOLDER / "golden.json").write_text(json.dumps(entries, indent=1) + "\n")


if __name__ == "__main__":
    main()
