"""`gsst -d --column` on ORC files that pyarrow writes, against what pyarrow reads, and pyarrow on streams of
gsst.

build/bin/gsst decodes; `make build` makes it read ORC files where libprotobuf is installed.
"""

import json
import os
import random
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pytest
from pyarrow import orc

sys.path.insert(0, str(Path(__file__).parents[1]))
sys.path.insert(0, str(Path(__file__).parents[1] / "data/golden"))
from frame_reader import stored_blocks
from orc_writer import DIRECT, DIRECT_V2, Stripe, orc_file

from data.errors import DataUnavailableError
from data.orc_files import COMPRESSIONS, FILE_VERSIONS, ROW_GROUP_ROWS, write_orc

PROGRAM = Path(os.environ.get("GSST_BINARY", Path(__file__).parents[1] / "build/bin/gsst"))
INTEGERS = [pa.int8(), pa.int16(), pa.int32(), pa.int64()]
NULL = -7


def reads_orc_files() -> bool:
    if not PROGRAM.exists():
        return False
    shown = subprocess.run([PROGRAM, "--help"], capture_output=True, text=True, check=True).stdout
    return "this build reads: ORC" in " ".join(shown.split())


pytestmark = pytest.mark.skipif(
    not reads_orc_files(), reason=f"{PROGRAM} is not built, or reads no ORC files"
)


def decode(file: Path, kind: pa.DataType, null: int | None, device: str = "cpu") -> pa.Array:
    options = [] if null is None else ["--null", str(null)]
    command = [PROGRAM, "-dc", "--column", "c", "--device", device, *options, file]
    done = subprocess.run(command, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
    count = 8 * len(done.stdout) // kind.bit_width
    return pa.Array.from_buffers(kind, count, [None, pa.py_buffer(done.stdout)])


def integers(seed: int, kind: pa.DataType, count: int) -> list[int]:
    """Runs of all kinds that the encodings have, of any length."""
    chance = random.Random(seed)
    bits = kind.bit_width
    least, most = -(1 << bits - 1), (1 << bits - 1) - 1
    values: list[int] = []
    while len(values) < count:
        size = chance.choice((1, 2, 3, 5, 10, 11, 130, 131, 512, 513, 2000))
        width = chance.randrange(1, bits)
        step = chance.randrange(-2, 3)
        values += chance.choice(
            (
                [chance.getrandbits(width)] * size,
                [chance.randrange(-1 << width - 1, 1 << width - 1) for _ in range(size)],
                [most if i % 97 == 5 else chance.getrandbits(max(1, width // 3)) for i in range(size)],
                sorted(chance.getrandbits(width) for _ in range(size)),
                [(step * i) % most for i in range(size)],
                [chance.choice((least, most)) for _ in range(size)],
            )
        )
    return values[:count]


def with_nulls(seed: int, values: list[int]) -> list[int | None]:
    chance = random.Random(seed)
    nulls: list[bool] = []
    while len(nulls) < len(values):
        nulls += [chance.randrange(2) == 0] * chance.choice((1, 2, 9, 300, 1500))
    return [None if is_null else value for is_null, value in zip(nulls, values, strict=False)]


OPTIONS = [
    {"compression": compression, "batch_size": batch, "stripe_size": 4096}
    for compression in ("uncompressed", "zlib")
    for batch in (1024, 30000)
]


@pytest.mark.parametrize("version", ["0.11", "0.12"])
@pytest.mark.parametrize("kind", INTEGERS, ids=str)
@pytest.mark.parametrize(
    "options", OPTIONS, ids=lambda options: f"{options['compression']}-{options['batch_size']}"
)
def test_integers(options: dict[str, object], kind: pa.DataType, version: str, tmp_path: Path) -> None:
    for seed, count in enumerate((1, 2, 9, 513, 10001, 25000)):
        values = integers(seed, kind, count)
        plain = pa.array(values, kind)
        orc.write_table(pa.table({"c": plain}), tmp_path / "a", file_version=version, **options)
        assert decode(tmp_path / "a", kind, None).equals(plain)
        nullable = pa.array(with_nulls(seed, values), kind)
        orc.write_table(pa.table({"c": nullable}), tmp_path / "a", file_version=version, **options)
        expected = nullable.fill_null(NULL)
        assert decode(tmp_path / "a", kind, NULL).equals(expected)
        if count == 25000:
            assert decode(tmp_path / "a", kind, NULL, "simt").equals(expected)


@pytest.mark.parametrize("version", ["0.11", "0.12"])
@pytest.mark.parametrize("compression", ["uncompressed", "zlib"])
def test_dates_booleans_and_dictionaries(compression: str, version: str, tmp_path: Path) -> None:
    chance = random.Random(1)
    options = {"compression": compression, "file_version": version, "dictionary_key_size_threshold": 1.0}
    numbers = [chance.randrange(20000) for _ in range(15000)]
    days = pa.array(with_nulls(1, numbers), pa.int32())
    orc.write_table(pa.table({"c": days.cast(pa.date32())}), tmp_path / "a", **options)
    for device in ("cpu", "simt"):
        assert decode(tmp_path / "a", pa.int32(), NULL, device).equals(days.fill_null(NULL))
    bits = pa.array(with_nulls(2, [number % 3 // 2 for number in numbers]), pa.int8())
    orc.write_table(pa.table({"c": bits.cast(pa.bool_())}), tmp_path / "a", **options)
    for device in ("cpu", "simt"):
        assert decode(tmp_path / "a", pa.int8(), 0, device).equals(bits.fill_null(0))
    # A stripe's dictionary is sorted. There is one stripe.
    places = with_nulls(3, [number % 300 for number in numbers])
    words = pa.array([None if place is None else f"{place:03}" for place in places])
    distinct = sorted({place for place in places if place is not None})
    orc.write_table(pa.table({"c": words}), tmp_path / "a", **options)
    expected = pa.array([999 if place is None else distinct.index(place) for place in places], pa.uint32())
    for device in ("cpu", "simt"):
        assert decode(tmp_path / "a", pa.uint32(), 999, device).equals(expected)


# The format, the type, ORC's encoding, and pyarrow's version of the file.
FORMATS = [
    ("byte_rle", pa.int8(), DIRECT, "0.12"),
    *(("orc_rle_v1", kind, DIRECT, "0.11") for kind in INTEGERS[1:]),
    *(("orc_rle_v2", kind, DIRECT_V2, "0.12") for kind in INTEGERS[1:]),
]


@pytest.mark.parametrize(("name", "kind", "encoding", "version"), FORMATS, ids=str)
def test_frames_hold_streams_that_pyarrow_reads(
    name: str, kind: pa.DataType, encoding: int, version: str, tmp_path: Path
) -> None:
    type_name = f"i{kind.bit_width}"
    options = [] if name == "byte_rle" else ["--type", type_name]
    values = pa.array(integers(9, kind, 60000), kind)
    (tmp_path / "raw").write_bytes(values.buffers()[1].to_pybytes())
    command = [PROGRAM, "--format", name, *options, "--block-size", "64K", "-o", tmp_path / "frame"]
    subprocess.run([*command, tmp_path / "raw"], check=True, capture_output=True)
    blocks = stored_blocks((tmp_path / "frame").read_bytes())
    stripes = []
    for block in blocks:
        # Raw blocks are no streams.
        assert block.layout == 1
        stream = block.payload if name == "byte_rle" else block.payload[1:]
        stripes.append(Stripe(block.uncompressed_bytes * 8 // kind.bit_width, stream))
    (tmp_path / "wrapped").write_bytes(orc_file(type_name, encoding, stripes))
    assert orc.read_table(tmp_path / "wrapped")["c"].combine_chunks().equals(values)
    assert decode(tmp_path / "wrapped", kind, None).equals(values)
    # Next to pyarrow's own stream of the same values.
    orc.write_table(pa.table({"c": values}), tmp_path / "a", file_version=version)
    report = subprocess.run(
        [PROGRAM, "-t", "--json", "--column", "c", tmp_path / "a"], check=True, capture_output=True
    )
    theirs = json.loads(report.stdout)[0]["compressed_bytes"]
    assert sum(len(stripe.stream) for stripe in stripes) <= 1.02 * theirs


def test_what_is_not_decoded_is_named(tmp_path: Path) -> None:
    for compression in ("snappy", "lz4", "zstd"):
        orc.write_table(pa.table({"c": [1]}), tmp_path / "a", compression=compression)
        done = subprocess.run(
            [PROGRAM, "-dc", "--column", "c", tmp_path / "a"], capture_output=True, text=True, check=False
        )
        assert done.returncode == 1
        assert f"compressed with {compression}" in done.stderr


@pytest.mark.parametrize("compression", COMPRESSIONS)
@pytest.mark.parametrize("run_lengths", FILE_VERSIONS)
@pytest.mark.parametrize(
    ("values", "kind"),
    [("i8", pa.int8()), ("i32", pa.int32()), ("days", pa.date32()), ("i64", pa.int64())],
)
def test_measured_files_are_written_as_they_say(
    values: str, kind: pa.DataType, run_lengths: str, compression: str, tmp_path: Path
) -> None:
    of_integers = pa.int32() if values == "days" else kind
    column = pa.array(integers(len(values), of_integers, 30_001), of_integers).cast(kind)
    (tmp_path / "column").write_bytes(column.buffers()[1].to_pybytes()[: 30_001 * kind.bit_width // 8])
    write_orc(tmp_path / "column", values, run_lengths, compression, tmp_path / "a.orc")
    written = orc.ORCFile(tmp_path / "a.orc")
    assert written.file_version == FILE_VERSIONS[run_lengths]
    assert written.compression == COMPRESSIONS[compression].upper()
    assert written.row_index_stride == ROW_GROUP_ROWS
    assert written.read()["c"].combine_chunks().equals(column)
    assert decode(tmp_path / "a.orc", kind, None).equals(column)


def test_no_part_of_a_value_is_written(tmp_path: Path) -> None:
    (tmp_path / "column").write_bytes(bytes(12))
    with pytest.raises(DataUnavailableError, match="has 12 bytes, no whole values of i64"):
        write_orc(tmp_path / "column", "i64", "v1", "none", tmp_path / "a.orc")
    assert not (tmp_path / "a.orc").exists()
