"""Runs each subcommand of gsst_measure_cpu on small data and checks the rows and the errors."""

import hashlib
import json
import os
import random
import subprocess
from pathlib import Path
from typing import Any

import pytest

REPOSITORY_ROOT = Path(__file__).resolve().parents[2]
pytestmark = pytest.mark.measuring

PROGRAM = Path(os.environ.get("GSST_MEASURE_CPU", REPOSITORY_ROOT / "build" / "bin" / "gsst_measure_cpu"))
ROW_KEYS = [
    "stage",
    "variant",
    "operation",
    "parameters",
    "dataset",
    "dataset_sha256",
    "uncompressed_bytes",
    "compressed_bytes",
    "ratio",
    "seconds",
    "throughput_gb_per_s",
    "streaming_limit_gb_per_s",
    "verified",
]
PEERS = ["lz4", "zstd", "snappy", "brotli", "zlib", "bzip2", "lzma", "libdeflate"]
Rows = list[dict[str, Any]]


@pytest.fixture
def text_file(tmp_path: Path) -> Path:
    """About 300 KB of lines that differ."""
    words = [
        "carefully",
        "final",
        "deposits",
        "sleep",
        "quickly",
        "above",
        "ironic",
        "requests",
        "beans",
        "the",
    ]
    lines = (" ".join(words[(line * step) % len(words)] for step in range(1, 9)) for line in range(5000))
    path = tmp_path / "text"
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def run(subcommand: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    assert PROGRAM.exists(), f"{PROGRAM} is not built; GSST_MEASURE_CPU names another"
    return subprocess.run([str(PROGRAM), subcommand, *arguments], capture_output=True, text=True, check=False)


def common_arguments(path: Path) -> list[str]:
    """The options that every subcommand needs; the rows go beside the input."""
    digest = hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else "0" * 64
    output = path.with_name("rows.json")
    return [
        "--input",
        str(path),
        "--dataset",
        "words",
        "--dataset-sha256",
        digest,
        "--output",
        str(output),
    ]


def encoded_rows(path: Path, *arguments: str) -> Rows:
    """The rows of `tables`, which say what the tables hold."""
    done = run("tables", *common_arguments(path), *arguments)
    assert done.returncode == 0, done.stderr
    rows: Rows = json.loads(path.with_name("rows.json").read_text(encoding="utf-8"))
    for row in rows:
        assert list(row) == [*ROW_KEYS, "tables"]
        assert row["operation"] == "encode"
    return rows


def measured_rows(
    path: Path,
    subcommand: str,
    *arguments: str,
    more_keys: tuple[str, ...] = (),
    operation: str = "decode",
    measured_bytes: int | None = None,
) -> tuple[Rows, str]:
    """The rows of a run that must succeed, checked for what all rows have in common, and its messages; they
    are about the whole file, or `measured_bytes` of it."""
    done = run(subcommand, *common_arguments(path), *arguments)
    assert done.returncode == 0, done.stderr
    assert sorted(entry.name for entry in path.parent.iterdir()) == sorted([path.name, "rows.json"])
    rows: Rows = json.loads(path.with_name("rows.json").read_text(encoding="utf-8"))
    size = path.stat().st_size if measured_bytes is None else measured_bytes
    for row in rows:
        check_row({key: value for key, value in row.items() if key not in more_keys}, path, operation, size)
        assert set(more_keys) <= row.keys()
    return rows, done.stderr


def check_row(row: dict[str, Any], path: Path, operation: str, size: int) -> None:
    assert list(row) == ROW_KEYS
    assert row["operation"] == operation
    assert row["dataset"] == "words"
    assert row["dataset_sha256"] == hashlib.sha256(path.read_bytes()).hexdigest()
    assert row["uncompressed_bytes"] == size
    assert row["ratio"] == pytest.approx(row["uncompressed_bytes"] / row["compressed_bytes"])
    assert row["streaming_limit_gb_per_s"] is None
    assert row["verified"] is True
    if row["seconds"] is not None:
        check_seconds(row)


def check_seconds(row: dict[str, Any]) -> None:
    seconds = row["seconds"]
    assert list(seconds) == ["median", "min", "max", "stddev", "repetitions"]
    assert 0 < seconds["min"] <= seconds["median"] <= seconds["max"]
    assert seconds["stddev"] >= 0
    assert row["throughput_gb_per_s"] == pytest.approx(row["uncompressed_bytes"] / seconds["median"] / 1e9)


def test_threads_gives_a_row_for_each_number_of_threads(text_file: Path) -> None:
    rows, _ = measured_rows(text_file, "threads", "--blocks", "7", "--threads", "1,2,5", "--repetitions", "4")
    assert [row["parameters"]["threads"] for row in rows] == [1, 2, 5]
    block_bytes = -(-text_file.stat().st_size // 7)
    for row in rows:
        assert row["stage"] == "reference_cpu/fast"
        assert row["parameters"]["blocks"] == 7
        assert row["parameters"]["block_bytes"] == block_bytes
        assert row["seconds"]["repetitions"] == 4
    assert len({row["compressed_bytes"] for row in rows}) == 1


def test_threads_states_the_blocks_that_exist(tmp_path: Path) -> None:
    """10 bytes in 6 blocks are blocks of 2 bytes, and 5 of those are enough."""
    path = tmp_path / "ten"
    path.write_bytes(b"0123456789")
    rows, _ = measured_rows(path, "threads", "--blocks", "6", "--threads", "1", "--repetitions", "1")
    assert rows[0]["parameters"]["blocks"] == 5


def test_ratio_gives_a_row_for_each_pair(text_file: Path) -> None:
    rows, _ = measured_rows(text_file, "ratio", "--block-bytes", "100000,50000", "--splits", "2,32,256")
    size = text_file.stat().st_size
    parameters = [row["parameters"] for row in rows]
    assert parameters == [
        {"block_bytes": block_bytes, "splits": splits, "blocks": -(-size // block_bytes)}
        for block_bytes in (100000, 50000)
        for splits in (2, 32, 256)
    ]
    assert all(row["seconds"] is None and row["throughput_gb_per_s"] is None for row in rows)


def test_ratio_counts_what_splits_and_blocks_cost(text_file: Path) -> None:
    """Each split stores a location of 3 bytes, and no symbol goes across its end."""
    rows, _ = measured_rows(text_file, "ratio", "--block-bytes", "100000,50000", "--splits", "2,256")
    stored = {(row["parameters"]["block_bytes"], row["parameters"]["splits"]): row for row in rows}
    for block_bytes in (100000, 50000):
        few, many = stored[block_bytes, 2], stored[block_bytes, 256]
        locations = 3 * (256 - 2) * few["parameters"]["blocks"]
        assert many["compressed_bytes"] - few["compressed_bytes"] >= locations


def test_widths_shows_what_a_table_for_each_block_costs(text_file: Path) -> None:
    sizes = ("--block-bytes", "50000,12500", "--code-bits", "8,12", "--level", "3")
    rows, _ = measured_rows(text_file, "widths", *sizes)
    ratios = {
        (row["variant"], row["parameters"]["code_bits"], row["parameters"]["block_bytes"]): row["ratio"]
        for row in rows
    }
    assert len(ratios) == len(rows) == 2 * 2 * 2
    for bits in (8, 12):
        for size in (50000, 12500):
            assert ratios["shared table", bits, size] > ratios["own tables", bits, size]


def test_lengths_shows_what_longer_symbols_save(tmp_path: Path) -> None:
    generator = random.Random(1)
    phrases = [generator.randbytes(16) for _ in range(400)]
    path = tmp_path / "phrases"
    path.write_bytes(b"".join(generator.choices(phrases, k=15001)))
    sizes = ("--longest", "16,8", "--level", "3")
    rows, _ = measured_rows(path, "lengths", *sizes, measured_bytes=15001 * 16 // 2)
    ratios = {(row["variant"], row["parameters"]["longest_symbol"]): row["ratio"] for row in rows}
    assert list(ratios) == [("format tiles", 8), ("study", 8), ("study", 16)]
    assert ratios["study", 16] > 1.3 * ratios["study", 8]
    # The study's own training is as good as that of the format.
    assert ratios["study", 8] > 0.95 * ratios["format tiles", 8]


def test_strings_shows_what_codes_that_start_anew_and_offsets_cost(text_file: Path) -> None:
    lines = text_file.read_bytes().split(b"\n")
    rows, _ = measured_rows(text_file, "strings", measured_bytes=sum(len(line) for line in lines))
    stored = {(row["variant"], row["parameters"]["offsets"]): row["compressed_bytes"] for row in rows}
    assert len(stored) == len(rows) == 2 * 3
    assert {row["parameters"]["strings"] for row in rows} == {len(lines)}
    # No symbol crosses the end of a string.
    assert stored["each string", "none"] > stored["block", "none"]
    for variant in ("block", "each string"):
        offsets = {name: stored[variant, name] - stored[variant, "none"] for name in ("32 bits", "packed")}
        assert offsets["32 bits"] == 4 * (len(lines) + 1)
        # Lengths of less than 64 bytes apart, an entry of 24 bytes for 1024 of them, what stands around.
        assert len(lines) // 8 < offsets["packed"] < len(lines) * 6 // 8 + 24 * 5 + 72 + 5


def test_strings_of_bytes_that_have_no_table_take_as_many_bytes(tmp_path: Path) -> None:
    path = tmp_path / "random"
    path.write_bytes(random.Random(1).randbytes(5000).replace(b"\n", b"") + b"\nlast\n\n")
    rows, _ = measured_rows(path, "strings", measured_bytes=len(path.read_bytes()) - 3)
    stored = {(row["variant"], row["parameters"]["offsets"]): row["compressed_bytes"] for row in rows}
    assert stored["each string", "none"] == stored["block", "none"]
    assert {row["parameters"]["strings"] for row in rows} == {3}


def test_codecs_gives_rows_for_this_project_and_every_peer(text_file: Path) -> None:
    rows, messages = measured_rows(text_file, "codecs", "--repetitions", "3")
    stages = {row["stage"] for row in rows}
    missing = {
        line.removeprefix("missing codec: ") for line in messages.splitlines() if "missing codec" in line
    }
    assert {"reference_cpu/readable", "reference_cpu/fast"} <= stages
    assert stages >= {f"peer/{name}" for name in PEERS if name not in missing}
    assert missing <= set(PEERS)
    assert len({(row["stage"], row["variant"]) for row in rows}) == len(rows)
    for row in rows:
        assert row["seconds"]["repetitions"] == 3
        assert row["parameters"]["threads"] == 1
        assert row["parameters"]["chunking"] == "whole input in one call"


def test_codecs_decoders_of_this_project_read_the_same_bytes(text_file: Path) -> None:
    rows, _ = measured_rows(text_file, "codecs", "--repetitions", "1")
    sizes = {row["compressed_bytes"] for row in rows if row["stage"].startswith("reference_cpu/")}
    assert len(sizes) == 1


LEVEL_KEYS = (
    "training_seconds",
    "trained_tables",
    "encoding_seconds",
    "held_out_bytes",
    "held_out_code_bytes",
)
LEVELS = ("--levels", "1,2,3", "--tile-levels", "3", "--code-bits", "8,12", "--repetitions", "2")


def test_levels_gives_rows_for_blocks_and_for_tiles(text_file: Path) -> None:
    text = text_file.read_bytes()
    # A byte value that only the held-out part has.
    text_file.write_bytes(text[:20_000] + b"~" + text[20_000:39_999])
    rows, _ = measured_rows(text_file, "levels", *LEVELS, more_keys=LEVEL_KEYS)
    blocks, tiles = rows[:3], rows[3:]
    assert [row["parameters"]["level"] for row in blocks] == [1, 2, 3]
    assert {row["variant"] for row in blocks} == {"blocks"}
    sizes = [row["compressed_bytes"] for row in blocks]
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[-1] < sizes[0]
    assert [(row["parameters"]["code_bits"], row["parameters"]["parse"]) for row in tiles] == [
        (bits, parse) for bits in (8, 12) for parse in ("greedy", "optimal")
    ]
    for row in rows:
        # The second of three pieces of 16 KiB is held out.
        assert row["held_out_bytes"] == 16_384
        assert 0 < row["held_out_code_bytes"] < row["held_out_bytes"]
        assert row["trained_tables"] == 1
        assert row["training_seconds"]["median"] > 0
        assert row["encoding_seconds"]["median"] > 0


def test_levels_stores_what_the_command_stores(text_file: Path, tmp_path: Path) -> None:
    command = PROGRAM.with_name("gsst")
    if not command.exists():
        pytest.skip("the command gsst is not built")
    text_file.write_bytes(text_file.read_bytes()[:40_000])
    rows, _ = measured_rows(text_file, "levels", *LEVELS, more_keys=LEVEL_KEYS)
    for row in rows:
        parameters = row["parameters"]
        arguments = [f"-{parameters['level']}", "--format", row["variant"]]
        if row["variant"] == "tiles":
            arguments += ["--code-bits", str(parameters["code_bits"]), "--parse", parameters["parse"]]
        stored = tmp_path / "stored"
        subprocess.run([command, *arguments, "-k", "-f", text_file, "-o", stored], check=True)
        assert row["compressed_bytes"] == stored.stat().st_size


def test_the_program_names_its_compiler() -> None:
    answer = subprocess.run([PROGRAM, "--version"], capture_output=True, text=True, check=True)
    lines = dict(line.split(": ", 1) for line in answer.stdout.splitlines())
    assert list(lines) == ["compiler", "flags"]
    assert any(character.isdigit() for character in lines["compiler"])


def test_compress_gives_a_row_for_each_number_of_threads(text_file: Path) -> None:
    arguments = ["--threads", "1,3", "--repetitions", "2"]
    rows, _ = measured_rows(text_file, "compress", *arguments, more_keys=("end_to_end",), operation="encode")
    assert [row["parameters"]["threads"] for row in rows] == [1, 3]
    for row in rows:
        assert row["stage"] == "reference_cpu/encoder"
        assert row["end_to_end"] is True
        assert row["seconds"]["repetitions"] == 2
        assert row["throughput_gb_per_s"] > 0
    assert len({row["compressed_bytes"] for row in rows}) == 1
    assert rows[0]["ratio"] > 1.5


def test_format_gives_a_row_for_each_block_size_and_value(text_file: Path) -> None:
    arguments = ["--format", "splits", "--block-bytes", "10000,50000", "--option", "splits=2,32"]
    rows, _ = measured_rows(text_file, "format", *arguments, "--repetitions", "3")
    assert [row["parameters"] for row in rows] == [
        {"block_bytes": block_bytes, "threads": 1, "splits": splits}
        for block_bytes in (10000, 50000)
        for splits in (2, 32)
    ]
    for row in rows:
        assert (row["stage"], row["variant"]) == ("reference_cpu/codec", "splits")
        assert row["throughput_gb_per_s"] > 0
        assert row["ratio"] > 1.5
    assert rows[0]["compressed_bytes"] < rows[1]["compressed_bytes"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--format", "zip"], "there is no format 'zip'"),
        (["--format", "splits", "--option", "parse=1"], "format splits has no option 'parse'"),
        (["--format", "splits", "--option", "splits=2,0"], "splits cannot be 0"),
        (["--format", "splits", "--option", "splits="], "'splits=' is not NAME=1,2,3"),
        (["--format", "splits", "--option", "=1"], "'=1' is not NAME=1,2,3"),
        (["--format", "tiles", "--option", "code-bits=9"], "code-bits cannot be 9"),
        (["--format", "tiles", "--option", "parse=2"], "parse cannot be 2"),
        (
            ["--format", "tiles", "--option", "strip-codes=512", "--option", "codes-per-lane=32"],
            "--strip-codes: 512 are fewer",
        ),
    ],
)
def test_what_a_format_does_not_take_is_refused(text_file: Path, arguments: list[str], message: str) -> None:
    done = run(
        "format", *common_arguments(text_file), *arguments, "--block-bytes", "1000", "--repetitions", "1"
    )
    assert done.returncode == 2
    assert message in done.stderr


VALID = {
    "compress": ["--threads", "1", "--repetitions", "1"],
    "lengths": ["--longest", "8", "--level", "3"],
    "levels": ["--levels", "1", "--tile-levels", "3", "--code-bits", "8", "--repetitions", "1"],
    "threads": ["--blocks", "2", "--threads", "1", "--repetitions", "1"],
    "ratio": ["--block-bytes", "1000", "--splits", "2"],
    "strings": [],
    "tables": [
        *("--block-bytes", "1000", "--hash-entries", "9"),
        *("--match-rows", "256", "--match-pairs", "256"),
    ],
    "widths": ["--block-bytes", "1000", "--code-bits", "8", "--level", "1"],
    "codecs": ["--repetitions", "1"],
    "format": ["--format", "blocks", "--block-bytes", "1000", "--repetitions", "1"],
}


def check_refused(path: Path, subcommand: str, arguments: list[str], expected: str) -> None:
    done = run(subcommand, *common_arguments(path), *arguments)
    assert done.returncode == 2, done.stderr
    assert expected in done.stderr
    assert not path.with_name("rows.json").exists()


@pytest.mark.parametrize("subcommand", VALID)
def test_rows_are_named_as_they_are_finished(text_file: Path, subcommand: str) -> None:
    done = run(subcommand, *common_arguments(text_file), *VALID[subcommand])
    rows: Rows = json.loads(text_file.with_name("rows.json").read_text(encoding="utf-8"))
    before, _, after = done.stderr.partition("points: ")
    points, *named = after.splitlines()
    assert 0 < int(points) <= len(rows)
    assert [line.partition(" {")[0] for line in named] == [f"{row['stage']} {row['variant']}" for row in rows]
    assert not set(before.splitlines()) - {f"missing codec: {name}" for name in PEERS}


@pytest.mark.parametrize("subcommand", VALID)
def test_missing_input_is_named(tmp_path: Path, subcommand: str) -> None:
    check_refused(tmp_path / "absent", subcommand, VALID[subcommand], "absent does not exist")


@pytest.mark.parametrize("subcommand", VALID)
def test_folder_as_input_is_refused(tmp_path: Path, subcommand: str) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    check_refused(folder, subcommand, VALID[subcommand], "folder is not a file")


@pytest.mark.parametrize("subcommand", VALID)
def test_empty_input_is_refused(tmp_path: Path, subcommand: str) -> None:
    path = tmp_path / "empty"
    path.touch()
    check_refused(path, subcommand, VALID[subcommand], "empty is empty")


@pytest.mark.parametrize(
    ("subcommand", "arguments", "expected"),
    [
        ("threads", ["--blocks", "0", "--threads", "1", "--repetitions", "1"], "--blocks"),
        ("threads", ["--blocks", "9999999", "--threads", "1", "--repetitions", "1"], "the input has only"),
        ("threads", ["--threads", "1", "--repetitions", "1"], "--blocks is required"),
        ("threads", ["--blocks", "2", "--threads", "1,0", "--repetitions", "1"], "--threads"),
        ("threads", ["--blocks", "2", "--threads", "1,-2", "--repetitions", "1"], "--threads"),
        ("threads", ["--blocks", "2", "--threads", "1,two", "--repetitions", "1"], "--threads"),
        ("threads", ["--blocks", "2", "--threads", "1", "2", "--repetitions", "1"], "not expected"),
        ("threads", ["--blocks", "2", "--threads", "1.5", "--repetitions", "1"], "--threads"),
        ("threads", ["--blocks", "2", "--threads", "", "--repetitions", "1"], "--threads"),
        ("threads", ["--blocks", "2", "--threads", "1", "--repetitions", "0"], "--repetitions"),
        ("ratio", ["--block-bytes", "1000,x", "--splits", "2"], "--block-bytes"),
        ("ratio", ["--block-bytes", "2000000000", "--splits", "2"], "--block-bytes"),
        ("ratio", ["--block-bytes", "1000,900000", "--splits", "2"], "--block-bytes 900000"),
        ("ratio", ["--block-bytes", "1000", "--splits", "65537"], "--splits"),
        ("ratio", ["--block-bytes", "1000"], "--splits is required"),
        ("codecs", ["--repetitions", "many"], "--repetitions"),
        ("codecs", ["--repetitions", "1", "--dataset-sha256", "ABC"], "--dataset-sha256"),
        ("codecs", ["--repetitions", "1", "--unknown"], "--unknown"),
    ],
)
def test_bad_arguments_are_refused(
    text_file: Path, subcommand: str, arguments: list[str], expected: str
) -> None:
    check_refused(text_file, subcommand, arguments, expected)


def test_no_subcommand_is_refused() -> None:
    done = subprocess.run([str(PROGRAM)], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "subcommand" in done.stderr


def test_output_that_cannot_be_written_is_named(text_file: Path) -> None:
    arguments = common_arguments(text_file)
    arguments[-1] = str(text_file.with_name("absent") / "rows.json")
    done = run("ratio", *arguments, *VALID["ratio"])
    assert done.returncode == 2
    assert "absent" in done.stderr


@pytest.mark.parametrize("subcommand", [["compress"], ["threads", "--blocks", "2"]])
def test_fewer_threads_than_asked_for_are_refused(text_file: Path, subcommand: list[str]) -> None:
    """A row for 4 threads must not come from a run with 2."""
    arguments = [*common_arguments(text_file), "--threads", "4", "--repetitions", "1"]
    done = subprocess.run(
        [str(PROGRAM), *subcommand, *arguments],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "OMP_THREAD_LIMIT": "2"},
    )
    assert done.returncode == 2
    assert "asked for 4 threads, OpenMP started 2" in done.stderr
    assert not text_file.with_name("rows.json").exists()


def test_tables_gives_a_row_for_each_combination_of_limits(text_file: Path) -> None:
    limits = ["--hash-entries", "3,256", "--match-rows", "2", "--match-pairs", "1,256"]
    rows = encoded_rows(text_file, "--block-bytes", "1000", *limits)
    settings = [(row["parameters"]["hash_entries"], row["parameters"]["match_pairs"]) for row in rows]
    assert settings == [(3, 1), (3, 256), (256, 1), (256, 256)]
    for row in rows:
        tables = row["tables"]
        assert tables["count"] == -(-text_file.stat().st_size // 1000)
        assert tables["most_rows"] <= 2
        assert tables["mean_rows"] <= tables["most_rows"]
    assert sum(rows[0]["tables"]["symbols_by_length"][2:]) <= 3 * rows[0]["tables"]["count"]
    assert rows[0]["tables"]["most_columns"] == 1


def test_tables_count_rows_and_columns(text_file: Path) -> None:
    text_file.write_bytes(bytes(random.Random(1).choices(b"0123", k=20_000)))
    limits = ["--hash-entries", "1", "--match-rows", "256", "--match-pairs", "256"]
    (row,) = encoded_rows(text_file, "--block-bytes", "20000", *limits)
    tables = row["tables"]
    # Each of the four bytes is a symbol, and so is each pair of them.
    assert tables["symbols_by_length"][:2] == [4, 16]
    assert sum(tables["symbols_by_length"][2:]) == 1
    assert (tables["most_rows"], tables["most_columns"]) == (4, 4)
    assert (tables["mean_rows"], tables["mean_columns"]) == (4.0, 4.0)
    assert tables["mean_short_codes"] == 4 * 256
