"""tile_integer/12_parquet_delta and its oracle against pyarrow: each decodes what the other side has written.

build/bin/gsst_parquet decodes; `make build` builds it where libthrift is installed.
"""

import itertools
import json
import os
import random
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

sys.path.insert(0, str(Path(__file__).parents[1]))
sys.path.insert(0, str(Path(__file__).parents[1] / "data/golden"))
from parquet_writer import (
    DELTA_BINARY_PACKED,
    PLAIN,
    RLE_DICTIONARY,
    Page,
    ParquetFile,
    Run,
    delta_binary_packed,
    hybrid,
)
from xxh64 import xxh64

from data.parquet_pages import write_pages

PROGRAM = Path(os.environ.get("GSST_PARQUET", Path(__file__).parents[1] / "build/bin/gsst_parquet"))
DEVICES = ("cpu", "simt")

pytestmark = pytest.mark.skipif(not PROGRAM.exists(), reason=f"{PROGRAM} is not built")


def run(file: Path, device: str, *options: str | Path) -> subprocess.CompletedProcess[str]:
    command = [PROGRAM, file, "c", "--device", device, *options]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def decode(file: Path, kind: pa.DataType, device: str) -> tuple[pa.Array, str]:
    """The column with its nulls, and what the program says of its pages."""
    values, levels = file.with_suffix(".values"), file.with_suffix(".levels")
    done = run(file, device, "--values", values, "--levels", levels)
    assert done.returncode == 0, done.stderr
    content, present = values.read_bytes(), levels.read_bytes()
    found = pa.Array.from_buffers(kind, 8 * len(content) // kind.bit_width, [None, pa.py_buffer(content)])
    if present:
        numbers = itertools.count()
        found = found.take(pa.array([next(numbers) if has else None for has in present], pa.int64()))
    return found, done.stdout


def extremes(bits: int) -> tuple[int, int]:
    return -(1 << bits - 1), (1 << bits - 1) - 1


def patterns(bits: int, count: int) -> dict[str, list[int]]:
    chance = random.Random(count)
    least, most = extremes(bits)
    steps = itertools.accumulate(chance.randrange(-20, 100) for _ in range(count))
    outliers = [chance.randrange(16) for _ in range(count)]
    outliers[:: max(1, count // 3)] = [most] * len(outliers[:: max(1, count // 3)])
    return {
        "constant": [7] * count,
        "ascending": list(range(count)),
        "descending": list(range(0, -3 * count, -3)),
        "extremes": [(least, most)[i % 2] for i in range(count)],
        "random": [chance.randint(least, most) for _ in range(count)],
        "steps": list(steps),
        "outliers": outliers,
    }


def with_nulls(values: Sequence[int], every: int) -> list[int | None]:
    chance = random.Random(every)
    return [None if chance.randrange(every) == 0 else value for value in values]


def write(path: Path, array: pa.Array, **options: object) -> None:
    pq.write_table(pa.table({"c": array}), path, **({"compression": "NONE"} | options))


DELTA = {"use_dictionary": False, "column_encoding": {"c": "DELTA_BINARY_PACKED"}}


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("bits", [32, 64])
@pytest.mark.parametrize("count", [1, 2, 129, 130, 3000])
def test_pages_of_differences_from_pyarrow(bits: int, count: int, device: str, tmp_path: Path) -> None:
    kind = pa.int32() if bits == 32 else pa.int64()
    for name, values in patterns(bits, count).items():
        array = pa.array(values, kind)
        write(tmp_path / name, array, **DELTA)
        found, pages = decode(tmp_path / name, kind, device)
        assert found.equals(array), name
        assert "pages DELTA_BINARY_PACKED 1," in pages


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("version", ["1.0", "2.0"])
@pytest.mark.parametrize("bits", [32, 64])
def test_many_pages_row_groups_and_nulls(bits: int, version: str, device: str, tmp_path: Path) -> None:
    kind = pa.int32() if bits == 32 else pa.int64()
    values = patterns(bits, 7001)["steps"]
    for every in (0, 1, 2, 50):
        array = pa.array(with_nulls(values, every) if every else values, kind)
        write(
            tmp_path / "a",
            array,
            **DELTA,
            data_page_version=version,
            max_rows_per_page=300,
            row_group_size=3000,
        )
        found, pages = decode(tmp_path / "a", kind, device)
        assert found.equals(array), every
        assert "pages DELTA_BINARY_PACKED 24," in pages


@pytest.mark.parametrize("device", DEVICES)
def test_a_column_that_is_required(device: str, tmp_path: Path) -> None:
    schema = pa.schema([pa.field("c", pa.int64(), nullable=False)])
    table = pa.table({"c": pa.array(patterns(64, 1000)["random"], pa.int64())}, schema)
    for version in ("1.0", "2.0"):
        pq.write_table(table, tmp_path / "a", compression="NONE", data_page_version=version, **DELTA)
        assert decode(tmp_path / "a", pa.int64(), device)[0].equals(table["c"].combine_chunks())


@pytest.mark.parametrize("device", DEVICES)
def test_no_rows(device: str, tmp_path: Path) -> None:
    write(tmp_path / "a", pa.array([], pa.int32()), **DELTA)
    assert "rows 0, values 0" in decode(tmp_path / "a", pa.int32(), device)[1]


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("version", ["1.0", "2.0"])
@pytest.mark.parametrize("bits", [32, 64])
def test_pages_of_indices_from_pyarrow(bits: int, version: str, device: str, tmp_path: Path) -> None:
    kind = pa.int32() if bits == 32 else pa.int64()
    chance = random.Random(bits)
    for distinct in (1, 2, 3, 200, 3000):
        entries = [chance.randint(*extremes(bits)) for _ in range(distinct)]
        values = []
        while len(values) < 5000:
            values += [chance.choice(entries)] * chance.choice((1, 1, 1, 5, 9, 700))
        for every in (0, 3):
            array = pa.array(with_nulls(values, every) if every else values, kind)
            write(tmp_path / "a", array, data_page_version=version, data_page_size=1000, write_batch_size=500)
            found, pages = decode(tmp_path / "a", kind, device)
            assert found.equals(array), (distinct, every)
            assert "indices 0" not in pages


@pytest.mark.parametrize("device", DEVICES)
def test_a_dictionary_that_got_too_large(device: str, tmp_path: Path) -> None:
    array = pa.array(patterns(64, 6000)["random"], pa.int64())
    write(tmp_path / "a", array, dictionary_pagesize_limit=8000, data_page_size=2000, write_batch_size=100)
    encodings = pq.ParquetFile(tmp_path / "a").metadata.row_group(0).column(0).encodings
    assert {"PLAIN", "RLE_DICTIONARY"} <= set(encodings)
    assert decode(tmp_path / "a", pa.int64(), device)[0].equals(array)


@pytest.mark.parametrize("device", DEVICES)
def test_strings_decode_to_indices(device: str, tmp_path: Path) -> None:
    words = pa.array(["a", "bc", None, "def"] * 500 + ["x"] * 700)
    write(tmp_path / "a", words)
    expected = pq.read_table(tmp_path / "a", read_dictionary=["c"])["c"].combine_chunks().indices
    assert decode(tmp_path / "a", pa.int32(), device)[0].equals(expected)


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize(
    ("block", "miniblocks", "waste"), [(128, 1, 0), (128, 4, 3), (256, 2, 0), (1024, 32, 1), (384, 4, 64)]
)
@pytest.mark.parametrize("bits", [32, 64])
def test_pages_of_differences_that_both_read(
    bits: int, block: int, miniblocks: int, waste: int, device: str, tmp_path: Path
) -> None:
    kind = pa.int32() if bits == 32 else pa.int64()
    for name, values in patterns(bits, 1200).items():
        cuts = [values[:1], values[1 : block + 2], values[block + 2 :]]
        pages = [
            Page(delta_binary_packed(cut, bits, block, miniblocks, waste), len(cut), DELTA_BINARY_PACKED)
            for cut in cuts
        ]
        (tmp_path / "a").write_bytes(ParquetFile(bits, pages).data())
        expected = pq.read_table(tmp_path / "a")["c"].combine_chunks()
        assert expected.to_pylist() == values, name
        assert decode(tmp_path / "a", kind, device)[0].equals(expected), name


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("width", [1, 3, 8, 13, 17, 32])
def test_runs_that_both_read(width: int, device: str, tmp_path: Path) -> None:
    chance = random.Random(width)
    entries = [chance.randint(*extremes(64)) for _ in range(min(1 << width, 1000))]
    runs: list[Run] = []
    for _ in range(60):
        length = chance.choice((1, 2, 7, 8, 9, 64, 1500))
        if chance.randrange(2):
            runs.append(Run([chance.randrange(len(entries))] * length, False))
        else:
            whole_groups = 8 * -(-length // 8)
            runs.append(Run([chance.randrange(len(entries)) for _ in range(whole_groups)], True))
    # The last run is packed and ends within a group.
    runs.append(Run([0] * 13, True))
    expected = [entries[index] for run_ in runs for index in run_.values]
    dictionary = b"".join(entry.to_bytes(8, "little", signed=True) for entry in entries)
    pages = [
        Page(dictionary, len(entries), PLAIN, is_dictionary=True),
        Page(bytes([width]) + hybrid(runs, width), len(expected), RLE_DICTIONARY),
    ]
    (tmp_path / "a").write_bytes(ParquetFile(64, pages).data())
    assert pq.read_table(tmp_path / "a")["c"].to_pylist() == expected
    assert decode(tmp_path / "a", pa.int64(), device)[0].to_pylist() == expected


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("version", ["1.0", "2.0"])
@pytest.mark.parametrize("encoding", ["delta", "indices", "plain"])
@pytest.mark.parametrize("bits", [32, 64])
def test_pages_with_gzip(bits: int, encoding: str, version: str, device: str, tmp_path: Path) -> None:
    kind = pa.int32() if bits == 32 else pa.int64()
    options = {"delta": DELTA, "indices": {}, "plain": {"use_dictionary": False}}[encoding]
    values = [value % 1000 for value in patterns(bits, 7001)["steps"]]
    for every in (0, 1, 2, 50):
        array = pa.array(with_nulls(values, every) if every else values, kind)
        write(
            tmp_path / "a",
            array,
            **options,
            compression="GZIP",
            data_page_version=version,
            max_rows_per_page=300,
            row_group_size=3000,
        )
        found, pages = decode(tmp_path / "a", kind, device)
        assert found.equals(array), every
        assert "GZIP decompressed by zlib" in pages


@pytest.mark.parametrize("device", DEVICES)
def test_a_column_with_gzip_beside_one_without(device: str, tmp_path: Path) -> None:
    array = pa.array(patterns(64, 3000)["random"], pa.int64())
    table = pa.table({"c": array, "d": array})
    for codecs in ({"c": "GZIP", "d": "ZSTD"}, {"c": "NONE", "d": "GZIP"}):
        pq.write_table(table, tmp_path / "a", compression=codecs, **DELTA)
        assert decode(tmp_path / "a", pa.int64(), device)[0].equals(array)


def test_golden_files_with_gzip_are_what_pyarrow_reads() -> None:
    golden = Path(__file__).parents[1] / "data/golden/parquet"
    entries = json.loads((golden / "golden.json").read_text())["valid_gzip"]
    assert len(entries) == 5
    for entry in entries:
        # pyarrow refuses a page of nulls whose values have no bytes at all, with and without compression.
        if "nulls_v2" in entry["file"]:
            continue
        column = pq.read_table(golden / entry["file"])["c"].combine_chunks().drop_null()
        content = column.buffers()[1].to_pybytes()[: len(column) * entry["bits"] // 8]
        assert f"{xxh64(content):016x}" == entry["values_xxh64"], entry["file"]


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("place", [0.3, 0.6, 0.9])
def test_a_damaged_page_with_gzip_is_named(place: float, device: str, tmp_path: Path) -> None:
    write(tmp_path / "a", pa.array(patterns(64, 3000)["random"], pa.int64()), compression="GZIP", **DELTA)
    content = bytearray((tmp_path / "a").read_bytes())
    pages = pq.ParquetFile(tmp_path / "a").metadata.row_group(0).column(0).total_compressed_size
    content[int(place * pages)] ^= 0x10
    (tmp_path / "a").write_bytes(content)
    done = run(tmp_path / "a", device, "--values", tmp_path / "values")
    assert done.returncode == 1
    assert "page 0: GZIP: " in done.stderr
    assert not (tmp_path / "values").exists()


@pytest.mark.parametrize("codec", ["SNAPPY", "BROTLI", "ZSTD", "LZ4"])
def test_other_codecs_are_named(codec: str, tmp_path: Path) -> None:
    write(tmp_path / "a", pa.array(range(100)), compression=codec)
    done = run(tmp_path / "a", "cpu")
    assert done.returncode == 1
    # pyarrow's LZ4 is Parquet's LZ4_RAW.
    assert f"compressed with {codec}" in done.stderr


def test_what_is_not_decoded_is_named(tmp_path: Path) -> None:
    write(tmp_path / "a", pa.array([[1], [2]]))
    assert "schema: column 'c' is nested" in run(tmp_path / "a", "cpu").stderr
    write(
        tmp_path / "a", pa.array(range(100)), use_dictionary=False, column_encoding={"c": "BYTE_STREAM_SPLIT"}
    )
    assert "page 0: encoding: is 9" in run(tmp_path / "a", "cpu").stderr
    pq.write_table(pa.table({"d": [1]}), tmp_path / "a", compression="NONE")
    assert "has no column 'c'" in run(tmp_path / "a", "cpu").stderr


@pytest.mark.parametrize("page_values", [128, 4096])
@pytest.mark.parametrize(("has_dictionary", "kind"), [(False, "DELTA_BINARY_PACKED"), (True, "with indices")])
def test_measured_files_have_pages_of_their_size(
    has_dictionary: bool, kind: str, page_values: int, tmp_path: Path
) -> None:
    chance = random.Random(page_values)
    column = b"".join(chance.randrange(256).to_bytes(4, "little") for _ in range(10_001))
    (tmp_path / "column").write_bytes(column)
    write_pages(tmp_path / "column", page_values, has_dictionary, tmp_path / "a")
    done = run(tmp_path / "a", "cpu", "--values", tmp_path / "values")
    assert f"{kind} {-(-10_001 // page_values)}" in done.stdout
    assert (tmp_path / "values").read_bytes() == column
