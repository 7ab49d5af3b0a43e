"""The command `gsst column`: files of pyarrow are packed, unpacked and read by pyarrow again."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import gsst
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet
import pytest
from gsst import _column_command
from gsst._column_command import run
from gsst._command_error import EXIT_DAMAGED, EXIT_INPUT_OUTPUT, EXIT_USAGE
from gsst._parts import map_file, split_parts
from gsst._termination import ENDING_SIGNALS

WORDS = ["furiously", "", "carefully final", None, "deposits \u2603", "sleep"]
VALUES = [WORDS[(line * line) % 6] for line in range(3000)]


@pytest.fixture(autouse=True)
def work_in_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def write(path: str, strings: pa.Array | pa.ChunkedArray, *, rows: int = 1000) -> None:
    """A file with the strings between other columns, in several row groups or record batches."""
    numbers = pa.array(range(len(strings)))
    table = pa.table(
        {
            "number": numbers,
            "comment": strings,
            "share": numbers.cast(pa.float64()),
            "other": numbers.cast(pa.string()),
        }
    )
    if path.endswith(".parquet"):
        pa.parquet.write_table(table, path, row_group_size=rows)
    else:
        with pa.ipc.new_file(path, table.schema) as file:
            file.write_table(table, max_chunksize=rows)


def read(path: str) -> pa.ChunkedArray:
    table = pa.parquet.read_table(path) if path.endswith(".parquet") else pa.feather.read_table(path)
    assert table.column_names == ["text"]
    table.validate(full=True)
    return table.column(0)


def pack(path: str, *options: str) -> None:
    run(["pack", path, "--column", "comment", "-o", "comment.gssc", "--threads", "2", *options])


def unpack(path: str, *options: str) -> None:
    run(["unpack", "comment.gssc", "--column", "text", "-o", path, *options])


def failure(
    capsys: pytest.CaptureFixture[str], code: int, *arguments: str, leaves: tuple[str, ...] = ()
) -> str:
    """The message of a call that must fail, and may leave no file but these."""
    before = {path.name for path in Path().iterdir()}
    with pytest.raises(SystemExit) as ended:
        run(arguments)
    message = capsys.readouterr().err
    assert ended.value.code == code, message
    assert {path.name for path in Path().iterdir()} == before | set(leaves)
    return message


@pytest.mark.parametrize(
    "data_type", [pa.string(), pa.large_string(), pa.binary(), pa.large_binary()], ids=str
)
@pytest.mark.parametrize(
    ("source", "target"),
    [
        ("a.parquet", "b.parquet"),
        ("a.parquet", "b.feather"),
        ("a.arrow", "b.parquet"),
        ("a.arrow", "b.arrow"),
    ],
)
def test_a_column_comes_back(data_type: pa.DataType, source: str, target: str) -> None:
    strings = pa.array(VALUES).cast(data_type)
    write(source, strings)
    pack(source)
    unpack(target)
    back = read(target)
    assert back.type == data_type
    assert back.combine_chunks().equals(strings)
    assert back.null_count == strings.null_count


@pytest.mark.parametrize(
    "strings",
    [pa.array(VALUES).dictionary_encode(), pa.array(VALUES, pa.string_view())],
    ids=["dictionary", "view"],
)
@pytest.mark.parametrize("source", ["a.parquet", "a.arrow"])
def test_dictionaries_and_views_become_strings(strings: pa.Array, source: str) -> None:
    write(source, strings)
    pack(source)
    unpack("b.arrow")
    assert read("b.arrow").combine_chunks().equals(pa.array(VALUES))


@pytest.mark.parametrize("values", [[], [None] * 5, [""]], ids=str)
@pytest.mark.parametrize("path", ["a.parquet", "a.arrow"])
def test_columns_with_few_bytes_come_back(values: list[str | None], path: str) -> None:
    write(path, pa.array(values, pa.string()))
    pack(path)
    unpack("b" + path)
    assert read("b" + path).combine_chunks().equals(pa.array(values, pa.string()))


NUMBERS = [None if line % 11 == 3 else line * line % 120 for line in range(3000)]
INTEGER_TYPES = [
    pa.int8(),
    pa.uint16(),
    pa.int32(),
    pa.uint64(),
    pa.date32(),
    pa.time64("us"),
    pa.timestamp("ms", "Europe/Berlin"),
    pa.decimal128(12, 2),
]


@pytest.mark.parametrize("data_type", INTEGER_TYPES, ids=str)
@pytest.mark.parametrize("path", ["a.parquet", "a.arrow"])
def test_columns_of_integers_come_back(data_type: pa.DataType, path: str) -> None:
    array = pa.array(NUMBERS, data_type)
    write(path, array)
    pack(path)
    unpack("b.parquet")
    unpack("b.arrow")
    for back in (read("b.parquet"), read("b.arrow")):
        assert back.type == data_type
        assert back.combine_chunks().equals(array)


@pytest.mark.parametrize("limit", ["PART_INTEGERS", "PART_BYTES"])
def test_a_long_column_of_integers_has_parts(
    limit: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(_column_command, limit, 10_000)
    array = pa.array(NUMBERS * 10, pa.int32())
    # Integers are read in larger batches than strings, but by record batches in any case.
    write("a.arrow", array)
    pack("a.arrow", "--format", "rfor", "--checksum", "xxh64-tree")
    columns = [gsst.read_column(part) for part in split_parts(map_file(Path("comment.gssc")))]
    assert sum(map(len, columns)) == len(array)
    assert len(columns) > 1
    unpack("b.parquet")
    assert read("b.parquet").combine_chunks().equals(array)
    assert pa.parquet.ParquetFile("b.parquet").num_row_groups == len(columns)
    run(["show", "comment.gssc"])
    info = columns[0].info
    assert isinstance(info, gsst.IntegerColumnInfo)
    value_bytes = 4 * len(array)
    compressed = Path("comment.gssc").stat().st_size
    assert capsys.readouterr().out.splitlines() == [
        "type                    int32",
        "format                  rfor",
        f"values                  {len(array)}",
        f"nulls                   {array.null_count}",
        f"bytes of values         {value_bytes}",
        f"compressed              {compressed}",
        f"of it nulls             {sum(column.info.null_bytes for column in columns)}",
        f"ratio                   {value_bytes / compressed:.3f}",
        f"parts                   {len(columns)}",
    ]


def test_dictionaries_of_integers_are_decoded() -> None:
    array = pa.array(NUMBERS, pa.int64())
    write("a.arrow", array.dictionary_encode(), rows=3000)
    pack("a.arrow")
    unpack("b.arrow")
    assert read("b.arrow").combine_chunks().equals(array)


def test_what_columns_of_integers_cannot_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    write("a.arrow", pa.array([100, None, 300], pa.decimal128(18, -2)))
    arguments = ["pack", "a.arrow", "--column", "comment", "-o", "comment.gssc"]
    message = failure(capsys, EXIT_USAGE, *arguments, "--format", "splits")
    assert "a.arrow: format is 'splits', expected one of auto, for, dfor, rfor" in message
    message = failure(capsys, EXIT_USAGE, *arguments, "--level", "3")
    assert "a.arrow: level is 3, columns of integers have none" in message
    pack("a.arrow")
    arguments = ["unpack", "comment.gssc", "--column", "text", "-o", "b.parquet"]
    assert "b.parquet: " in failure(capsys, EXIT_USAGE, *arguments)
    whole = bytearray(Path("comment.gssc").read_bytes())
    whole[-70] ^= 1
    Path("comment.gssc").write_bytes(whole)
    message = failure(capsys, EXIT_DAMAGED, *arguments)
    assert "comment.gssc: column checksum: is " in message


@pytest.mark.parametrize("limit", ["PART_STRINGS", "PART_BYTES"])
def test_a_long_column_has_parts(
    limit: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(_column_command, limit, 10_000)
    values = VALUES * 10
    write("a.parquet", pa.array(values))
    pack("a.parquet")
    sizes = [len(gsst.Column(part)) for part in split_parts(map_file(Path("comment.gssc")))]
    assert sum(sizes) == len(values)
    assert len(sizes) > 1
    unpack("b.parquet")
    assert read("b.parquet").combine_chunks().equals(pa.array(values))
    assert pa.parquet.ParquetFile("b.parquet").num_row_groups == len(sizes)
    run(["show", "comment.gssc"])
    assert f"parts                   {len(sizes)}\n" in capsys.readouterr().out


def test_only_a_part_is_in_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_column_command, "PART_STRINGS", 10_000)
    seen = []
    compress = _column_command.compress_column
    monkeypatch.setattr(
        _column_command,
        "compress_column",
        lambda strings, **options: (seen.append(len(strings)), compress(strings, **options))[1],
    )
    write("a.arrow", pa.array(VALUES * 20), rows=60_000)
    pack("a.arrow")
    # 8192 strings are read together.
    assert seen == [16384, 16384, 16384, 10848]


def test_show_says_what_a_column_holds(capsys: pytest.CaptureFixture[str]) -> None:
    write("a.parquet", pa.array(VALUES))
    pack("a.parquet", "--format", "tiles", "--level", "2")
    run(["show", "comment.gssc"])
    shown = dict(line.rsplit(maxsplit=1) for line in capsys.readouterr().out.splitlines())
    info = gsst.Column(Path("comment.gssc").read_bytes()).info
    assert shown == {
        "type": "string",
        "layout": "dense",
        "separator": "none",
        "strings": "3000",
        "nulls": "500",
        "bytes of strings": str(info.string_bytes),
        "compressed": str(info.compressed_bytes),
        "of it lengths and nulls": str(info.length_bytes),
        "ratio": f"{info.string_bytes / info.compressed_bytes:.3f}",
        "parts": "1",
    }


def test_the_options_reach_the_frame() -> None:
    write("a.parquet", pa.array(VALUES))
    pack("a.parquet", "--format", "blocks", "--level", "2")
    data = Path("comment.gssc").read_bytes()
    assert data == gsst.compress_column(pa.array(VALUES), format="blocks", level=2)
    pack("a.parquet", "-f", "--format", "tiles", "--strip-codes", "512", "--checksum", "xxh64-tree")
    data = Path("comment.gssc").read_bytes()
    assert data == gsst.compress_column(
        pa.array(VALUES), format="tiles", strip_codes=512, checksum="xxh64-tree"
    )
    assert pa.array(gsst.Column(data)).equals(pa.array(VALUES))


def test_columns_with_a_separator_are_packed_shown_and_unpacked(capsys: pytest.CaptureFixture[str]) -> None:
    write("a.parquet", pa.array(VALUES))
    for byte in ("10", "0x0a"):
        pack("a.parquet", "--separator", byte, "-f")
        assert Path("comment.gssc").read_bytes() == gsst.compress_column(pa.array(VALUES), separator=b"\n")
    run(["show", "comment.gssc"])
    shown = dict(line.rsplit(maxsplit=1) for line in capsys.readouterr().out.splitlines())
    assert shown["separator"] == "0x0a"
    run(["unpack", "comment.gssc", "--column", "comment", "-o", "b.arrow"])
    with pa.ipc.open_file("b.arrow") as file:
        assert file.read_all().column("comment").combine_chunks().equals(pa.array(VALUES))
    pack("a.parquet", "-f")
    run(["show", "comment.gssc"])
    shown = dict(line.rsplit(maxsplit=1) for line in capsys.readouterr().out.splitlines())
    assert shown["separator"] == "none"


def test_a_separator_that_cannot_be_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    write("a.parquet", pa.array(VALUES))
    arguments = ["pack", "a.parquet", "--column", "comment", "-o", "out.gssc", "--separator"]
    for byte in ("256", "-1", "x", ""):
        assert "argument --separator" in failure(capsys, EXIT_USAGE, *arguments, byte)
    message = failure(capsys, EXIT_USAGE, *arguments, "0x20")
    assert "a.parquet: array: string " in message
    assert "holds the separator 0x20" in message
    assert not Path("out.gssc").exists()


def test_columns_for_lookups_are_packed_shown_and_unpacked(capsys: pytest.CaptureFixture[str]) -> None:
    write("a.parquet", pa.array(VALUES))
    pack("a.parquet", "--layout", "lookup")
    assert Path("comment.gssc").read_bytes() == gsst.compress_column(pa.array(VALUES), layout="lookup")
    run(["show", "comment.gssc"])
    shown = dict(line.rsplit(maxsplit=1) for line in capsys.readouterr().out.splitlines())
    assert shown["layout"] == "lookup"
    run(["unpack", "comment.gssc", "--column", "comment", "-o", "b.arrow"])
    with pa.ipc.open_file("b.arrow") as file:
        assert file.read_all().column("comment").combine_chunks().equals(pa.array(VALUES))


def test_existing_files_are_replaced_only_with_force(capsys: pytest.CaptureFixture[str]) -> None:
    write("a.parquet", pa.array(VALUES))
    Path("comment.gssc").write_text("kept")
    arguments = ["pack", "a.parquet", "--column", "comment", "-o", "comment.gssc"]
    assert "comment.gssc: already exists; -f replaces it" in failure(capsys, EXIT_INPUT_OUTPUT, *arguments)
    assert Path("comment.gssc").read_text() == "kept"
    pack("a.parquet", "-f")
    Path("b.arrow").write_text("kept")
    arguments = ["unpack", "comment.gssc", "--column", "text", "-o", "b.arrow"]
    assert "b.arrow: already exists; -f replaces it" in failure(capsys, EXIT_INPUT_OUTPUT, *arguments)
    assert Path("b.arrow").read_text() == "kept"
    unpack("b.arrow", "--force")
    assert len(read("b.arrow")) == 3000


def test_what_no_file_has_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    write("a.parquet", pa.array(VALUES))
    write("a.arrow", pa.array(VALUES))
    for path in ("a.parquet", "a.arrow"):
        arguments = ["pack", path, "-o", "out.gssc", "--column"]
        message = failure(capsys, EXIT_USAGE, *arguments, "comments")
        assert (
            f"{path}: there is no column 'comments'; columns of strings or integers: number, comment, other"
            in message
        )
        message = failure(capsys, EXIT_USAGE, *arguments, "share")
        assert f"{path}: column 'share' is of type double, not of strings or integers" in message
    twice = pa.Table.from_arrays([pa.array(["a"])] * 2, names=["comment", "comment"])
    pa.feather.write_feather(twice, "twice.feather")
    message = failure(capsys, EXIT_USAGE, "pack", "twice.feather", "-o", "out.gssc", "--column", "comment")
    assert "2 columns are named 'comment'" in message
    message = failure(capsys, EXIT_USAGE, "pack", "a.csv", "-o", "out.gssc", "--column", "comment")
    assert "a.csv: the name ends in none of .arrow, .feather, .ipc, .parquet, .pq" in message
    Path("folder.parquet").mkdir()
    message = failure(
        capsys, EXIT_INPUT_OUTPUT, "pack", "folder.parquet", "-o", "out.gssc", "--column", "comment"
    )
    assert "Is a directory: 'folder.parquet'" in message
    for command in (["pack", "a.parquet"], ["unpack", "a.gssc"]):
        message = failure(capsys, EXIT_USAGE, *command, "-o", "out.arrow", "--column", os.fsdecode(b"\xff"))
        assert "'\\udcff' is not UTF-8" in message
    message = failure(
        capsys, EXIT_INPUT_OUTPUT, "pack", "missing.parquet", "-o", "out.gssc", "--column", "comment"
    )
    assert "missing.parquet" in message


@pytest.mark.parametrize("columns", [["a", "a.b"], ["a.b", "a"]])
@pytest.mark.parametrize("path", ["dots.parquet", "dots.arrow"])
def test_a_column_whose_name_is_the_path_of_a_field(path: str, columns: list[str]) -> None:
    table = pa.table({"a": pa.array([{"b": "inner"}] * 3), "a.b": ["outer"] * 3}).select(columns)
    if path.endswith(".parquet"):
        pa.parquet.write_table(table, path)
    else:
        pa.feather.write_feather(table, path)
    run(["pack", path, "--column", "a.b", "-o", "out.gssc"])
    assert pa.array(gsst.Column(Path("out.gssc").read_bytes())).to_pylist() == ["outer"] * 3


@pytest.mark.parametrize("path", ["a.parquet", "a.arrow"])
def test_damaged_arrow_files_are_refused(path: str, capsys: pytest.CaptureFixture[str]) -> None:
    write(path, pa.array(VALUES))
    Path(path).write_bytes(Path(path).read_bytes()[:-100])
    message = failure(capsys, EXIT_DAMAGED, "pack", path, "-o", "out.gssc", "--column", "comment")
    assert message.startswith(f"gsst column: {path}: ")


def test_a_damaged_name_is_damage(capsys: pytest.CaptureFixture[str]) -> None:
    table = pa.table({"other": pa.array([{"field": 1}]), "comment": ["a"]})
    pa.parquet.write_table(table, "a.parquet", store_schema=False)
    whole = Path("a.parquet").read_bytes()
    assert whole.count(b"field") > 1
    Path("a.parquet").write_bytes(whole.replace(b"field", b"\xffield"))
    message = failure(capsys, EXIT_DAMAGED, "pack", "a.parquet", "-o", "out.gssc", "--column", "comment")
    assert message.startswith("gsst column: a.parquet: ")


def test_damaged_columns_are_refused(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_column_command, "PART_STRINGS", 1000)
    write("a.parquet", pa.array(VALUES * 4))
    pack("a.parquet", "--format", "splits")
    whole = Path("comment.gssc").read_bytes()
    damaged_header = bytearray(whole)
    damaged_header[-70] ^= 1
    # Seen when its block is decoded.
    damaged_code = bytearray(whole)
    damaged_code[len(whole) - len(split_parts(map_file(Path("comment.gssc")))[-1]) + 3000] ^= 1
    for data, expected in (
        (b"", "this is not a gsst column"),
        (b"some text", "this is not a gsst column"),
        (whole[:-1], "column trailer magic: "),
        (whole[1:], "this is not a gsst column"),
        (damaged_header, "part 1 of 2: column checksum: "),
        (damaged_code, "part 1 of 2: block 0: "),
    ):
        Path("damaged.gssc").write_bytes(data)
        message = failure(
            capsys, EXIT_DAMAGED, "unpack", "damaged.gssc", "--column", "text", "-o", "b.parquet"
        )
        assert message.startswith(f"gsst column: damaged.gssc: {expected}")


def test_parts_of_other_types_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    parts = [gsst.compress_column(pa.array(["a"], data_type)) for data_type in (pa.string(), pa.binary())]
    Path("both.gssc").write_bytes(b"".join(parts))
    message = failure(capsys, EXIT_DAMAGED, "show", "both.gssc")
    assert "part 1 is of type binary, part 0 of string" in message


def run_program(program: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    # Where the package is, seen from every folder.
    environment = {**os.environ, "PYTHONPATH": str(Path(gsst.__file__).absolute().parent.parent)}
    command = [sys.executable, "-c", program, *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, env=environment)


def test_missing_pyarrow_is_said() -> None:
    program = "import sys; sys.modules['pyarrow'] = None; from gsst import _column_command as c; c.run()"
    done = run_program(program, "pack", "a.parquet", "--column", "a", "-o", "a.gssc")
    assert done.returncode == EXIT_USAGE
    assert done.stderr == "gsst column: pack needs pyarrow, which is not installed: pip install pyarrow\n"
    Path("a.gssc").write_bytes(gsst.compress_column(pa.array(VALUES)))
    done = run_program(program, "show", "a.gssc")
    assert done.returncode == 0
    assert "strings                 3000\n" in done.stdout


@pytest.mark.parametrize("number", sorted(ENDING_SIGNALS))
def test_a_signal_leaves_nothing_half_written(number: signal.Signals) -> None:
    write("a.parquet", pa.array(VALUES))
    # The signal comes while the first part is compressed, which here takes until then.
    program = (
        "import os, resource, signal, threading; from gsst import _column_command as command\n"
        f"number = signal.Signals({number})\n"
        "signal.signal(number, signal.default_int_handler if number == signal.SIGINT else signal.SIG_DFL)\n"
        "resource.setrlimit(resource.RLIMIT_CORE, (0, 0))\n"
        "def compress(*arguments, **options):\n"
        "    assert any(name.startswith('.gsst-') for name in os.listdir())\n"
        "    os.kill(os.getpid(), number)\n"
        "    threading.Event().wait()\n"
        "command.compress_column = compress\n"
        "command.main()"
    )
    done = run_program(program, "pack", "a.parquet", "--column", "comment", "-o", "a.gssc")
    assert done.returncode == -number, done.stderr
    assert [path.name for path in Path().iterdir()] == ["a.parquet"]


def test_an_ignored_signal_stays_ignored() -> None:
    write("a.parquet", pa.array(VALUES))
    program = (
        "import os, signal; from gsst import _column_command as command\n"
        "signal.signal(signal.SIGHUP, signal.SIG_IGN)\n"
        "compress = command.compress_column\n"
        "hang_up = lambda: os.kill(os.getpid(), signal.SIGHUP)\n"
        "command.compress_column = lambda *a, **b: (hang_up(), compress(*a, **b))[1]\n"
        "command.main()"
    )
    done = run_program(program, "pack", "a.parquet", "--column", "comment", "-o", "a.gssc")
    assert done.returncode == 0, done.stderr
    assert len(gsst.Column(Path("a.gssc").read_bytes())) == 3000


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (gsst.Error(gsst.ErrorCode.INVALID_ARGUMENT, "array: too long"), EXIT_USAGE),
        (gsst.Error(gsst.ErrorCode.OUT_OF_MEMORY, "out of memory"), EXIT_INPUT_OUTPUT),
        (MemoryError(), EXIT_INPUT_OUTPUT),
        (pa.ArrowMemoryError("malloc failed"), EXIT_INPUT_OUTPUT),
    ],
    ids=repr,
)
def test_only_damage_has_the_exit_code_of_damage(
    error: Exception, code: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(_column_command, "compress_column", fail)
    write("a.parquet", pa.array(VALUES))
    message = failure(capsys, code, "pack", "a.parquet", "-o", "out.gssc", "--column", "comment")
    assert message.startswith("gsst column: a.parquet: ")


@pytest.mark.parametrize("level", ["0", "10", "x"])
def test_wrong_levels_are_refused(level: str, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["pack", "a.parquet", "--column", "comment", "-o", "a.gssc", "--level", level]
    assert "--level" in failure(capsys, EXIT_USAGE, *arguments)


def test_the_package_installs_the_command() -> None:
    from importlib import metadata

    (entry,) = metadata.entry_points(group="console_scripts", name="gsst-column")
    assert entry.load() is _column_command.main
