"""Output files of `gsst column` and of gsst.open(): what is there stays, new ones are whole or not there."""

import errno
import os
import resource
import secrets
import stat
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import gsst
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet
import pytest
from gsst import _column_command
from gsst._column_command import run
from gsst._command_error import EXIT_INPUT_OUTPUT, EXIT_USAGE

STRINGS = pa.array(["furiously", "", "carefully final", None, "sleep"] * 400)
TEXT = b"final deposits sleep furiously " * 300
MTIME = 1_600_000_000_123_456_789

PACK = ["pack", "a.parquet", "--column", "comment", "-o"]
UNPACK = ["unpack", "a.gssc", "--column", "comment", "-o"]


@pytest.fixture(autouse=True)
def work_in_folder_with_inputs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    pa.parquet.write_table(pa.table({"comment": STRINGS}), "a.parquet")
    Path("a.gssc").write_bytes(gsst.compress_column(STRINGS))


def files_here() -> set[str]:
    return {path.name for path in Path().iterdir()}


def failure(capsys: pytest.CaptureFixture[str], code: int, *arguments: str) -> str:
    before = files_here()
    with pytest.raises(SystemExit) as ended:
        run(arguments)
    message = capsys.readouterr().err
    assert ended.value.code == code, message
    assert files_here() == before
    return message


def write_with_open(path: str) -> None:
    with gsst.open(path, "wb") as file:
        file.write(TEXT)


def holds_strings(path: str) -> bool:
    return pa.array(gsst.Column(Path(path).read_bytes())).equals(STRINGS)


def write_to_pipe(name: str, write: Callable[[], None]) -> bytes:
    """What comes out of a named pipe; it is still one afterwards."""
    os.mkfifo(name)
    received: list[bytes] = []
    reader = threading.Thread(target=lambda: received.append(Path(name).read_bytes()), daemon=True)
    reader.start()
    write()
    is_pipe = stat.S_ISFIFO(Path(name).lstat().st_mode)
    if not is_pipe:
        pytest.fail(f"{name} is no pipe any longer")
    reader.join()
    return received[0]


@pytest.mark.parametrize("force", [[], ["-f"]], ids=["", "force"])
def test_a_column_is_written_into_a_pipe(force: list[str]) -> None:
    column = write_to_pipe("pipe", lambda: run([*PACK, "pipe", *force]))
    assert pa.array(gsst.Column(column)).equals(STRINGS)


@pytest.mark.parametrize("name", ["pipe.parquet", "pipe.arrow"])
def test_files_of_pyarrow_are_written_into_a_pipe(name: str) -> None:
    source = pa.py_buffer(write_to_pipe(name, lambda: run([*UNPACK, name, "-f"])))
    table = pa.parquet.read_table(source) if name == "pipe.parquet" else pa.feather.read_table(source)
    assert table.column("comment").combine_chunks().equals(STRINGS)


def test_a_frame_is_written_into_a_pipe() -> None:
    assert gsst.decompress(write_to_pipe("pipe", lambda: write_with_open("pipe"))) == TEXT


@pytest.mark.parametrize("make_second_name", [os.link, os.symlink, None])
@pytest.mark.parametrize(
    ("arguments", "source"), [(PACK, "a.parquet"), (["unpack", "c.arrow", *UNPACK[2:]], "c.arrow")]
)
def test_input_and_output_must_differ(
    arguments: list[str],
    source: str,
    make_second_name: Callable[[str, str], None] | None,
    capsys: pytest.CaptureFixture[str],
) -> None:
    Path("c.arrow").write_bytes(Path("a.gssc").read_bytes())
    before = Path(source).read_bytes()
    output = f"./{source}"
    if make_second_name is not None:
        output = "second.arrow"
        make_second_name(source, output)
    message = failure(capsys, EXIT_USAGE, *arguments, output, "-f")
    assert message == f"gsst column: {Path(output)}: input and output are the same file\n"
    assert Path(source).read_bytes() == before


@pytest.mark.parametrize(
    "write", [lambda name: run([*PACK, name, "-f"]), write_with_open], ids=["pack", "open"]
)
def test_a_link_stays_and_its_file_is_replaced(write: Callable[[str], None]) -> None:
    Path("folder").mkdir()
    Path("folder/target").write_bytes(b"old")
    Path("link").symlink_to("folder/target")
    write("link")
    assert Path("link").is_symlink()
    assert Path("folder/target").read_bytes() != b"old"
    assert [path.name for path in Path("folder").iterdir()] == ["target"]


def test_a_dangling_link_is_replaced_only_with_force(capsys: pytest.CaptureFixture[str]) -> None:
    Path("dangling").symlink_to("nothing")
    assert "dangling: already exists; -f" in failure(capsys, EXIT_INPUT_OUTPUT, *PACK, "dangling")
    assert Path("dangling").readlink() == Path("nothing")
    run([*PACK, "dangling", "-f"])
    assert holds_strings("dangling")


def without_links(*_: object, **__: object) -> None:
    raise PermissionError(errno.EPERM, os.strerror(errno.EPERM))


def while_it_is_compressed(monkeypatch: pytest.MonkeyPatch, act: Callable[[], object]) -> None:
    compress = _column_command.compress_column
    monkeypatch.setattr(_column_command, "compress_column", lambda *a, **b: (act(), compress(*a, **b))[1])


@pytest.mark.parametrize("has_links", [True, False])
@pytest.mark.parametrize(
    "appear", [lambda: Path("out").write_text("new"), lambda: Path("out").symlink_to("x")]
)
def test_a_file_that_appears_meanwhile_stays(
    appear: Callable[[], object],
    has_links: bool,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    while_it_is_compressed(monkeypatch, appear)
    if not has_links:
        monkeypatch.setattr(os, "link", without_links)
    with pytest.raises(SystemExit) as ended:
        run([*PACK, "out"])
    assert ended.value.code == EXIT_INPUT_OUTPUT
    assert "out: already exists; -f replaces it" in capsys.readouterr().err
    assert Path("out").is_symlink() or Path("out").read_text() == "new"
    assert files_here() == {"a.parquet", "a.gssc", "out"}


def test_file_systems_without_links_get_files_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "link", without_links)
    run([*PACK, "out"])
    assert holds_strings("out")
    assert files_here() == {"a.parquet", "a.gssc", "out"}


def test_unfinished_files_are_the_owners_alone_and_nobody_knows_their_names(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    Path("a.parquet").chmod(0o600)
    seen = []
    while_it_is_compressed(monkeypatch, lambda: seen.extend(Path().glob(".gsst-*")))
    while_it_is_compressed(
        monkeypatch, lambda: seen.append(stat.S_IMODE(next(Path().glob(".gsst-*")).stat().st_mode))
    )
    run([*PACK, "out"])
    run([*PACK, "out", "-f"])
    assert seen[0] == seen[2] == 0o600
    assert seen[1] != seen[3]
    assert len(str(seen[1])) > 20


def test_a_link_in_the_place_of_the_unfinished_file_is_not_followed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(secrets, "token_hex", lambda _: "known")
    Path("precious").write_text("kept")
    Path(".gsst-known").symlink_to("precious")
    assert "File exists: 'out'" in failure(capsys, EXIT_INPUT_OUTPUT, *PACK, "out")
    assert Path("precious").read_text() == "kept"
    assert Path(".gsst-known").is_symlink()


@pytest.mark.parametrize("permissions", [0o600, 0o640])
@pytest.mark.parametrize(("arguments", "output"), [(PACK, "out"), (UNPACK, "out.parquet")])
def test_permissions_and_times_are_the_inputs(arguments: list[str], output: str, permissions: int) -> None:
    source = Path(arguments[1])
    source.chmod(permissions)
    os.utime(source, ns=(1_500_000_000_123_456_789, MTIME))
    run([*arguments, output])
    assert stat.S_IMODE(Path(output).stat().st_mode) == permissions
    assert Path(output).stat().st_mtime_ns == MTIME


def test_a_new_frame_has_the_permissions_that_the_mask_leaves_and_a_replaced_one_its_own() -> None:
    previous = os.umask(0o027)
    try:
        write_with_open("out")
    finally:
        os.umask(previous)
    assert stat.S_IMODE(Path("out").stat().st_mode) == 0o640
    Path("out").chmod(0o600)
    os.utime("out", ns=(MTIME, MTIME))
    write_with_open("out")
    assert stat.S_IMODE(Path("out").stat().st_mode) == 0o600
    assert Path("out").stat().st_mtime_ns > MTIME


def test_folders_are_refused_by_name(capsys: pytest.CaptureFixture[str]) -> None:
    Path("folder").mkdir()
    for output, expected in (("folder", "Is a directory: 'folder'"), ("no/out", "directory: 'no/out'")):
        assert expected in failure(capsys, EXIT_INPUT_OUTPUT, *PACK, output, "-f")
        with pytest.raises(OSError, match=expected):
            write_with_open(output)
    assert files_here() == {"a.parquet", "a.gssc", "folder"}


def run_program(
    program: str, *arguments: str, in_child: Callable[[], None] | None = None, **streams: object
) -> subprocess.CompletedProcess[str]:
    # Where the package is, seen from every folder.
    environment = {**os.environ, "PYTHONPATH": str(Path(gsst.__file__).absolute().parent.parent)}
    environment.pop("PYTHONUNBUFFERED", None)
    return subprocess.run(
        [sys.executable, "-c", program, *arguments],
        **{"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **streams},
        text=True,
        check=False,
        env=environment,
        preexec_fn=in_child,
    )


COMMAND = "from gsst import _column_command as command; command.main()"
OPEN = "import gsst; file = gsst.open('out', 'wb'); file.write(bytes(range(256)) * 9); file.close()"


def limit_file_size() -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (500, 500))


@pytest.mark.parametrize(
    ("program", "arguments"),
    [
        (COMMAND, [*PACK, "out"]),
        (COMMAND, [*UNPACK, "out.parquet"]),
        (COMMAND, [*UNPACK, "out.arrow"]),
        (OPEN, [""]),
    ],
    ids=["pack", "parquet", "arrow", "open"],
)
def test_output_above_the_size_limit_is_named_and_leaves_nothing(program: str, arguments: list[str]) -> None:
    done = run_program(program, *arguments, in_child=limit_file_size)
    assert done.returncode == (EXIT_INPUT_OUTPUT if program is COMMAND else 1), done.stderr
    assert f"File too large: '{arguments[-1] or 'out'}'" in done.stderr
    assert files_here() == {"a.parquet", "a.gssc"}


def test_a_full_device_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    message = failure(capsys, EXIT_INPUT_OUTPUT, *PACK, "/dev/full")
    assert message == "gsst column: [Errno 28] No space left on device: '/dev/full'\n"
    run([*PACK, "/dev/null"])
    assert stat.S_ISCHR(Path("/dev/null").stat().st_mode)


def test_a_pipe_whose_reader_ends_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    os.mkfifo("pipe")
    # Opened for reading until the command has opened it for writing.
    reader = os.open("pipe", os.O_RDONLY | os.O_NONBLOCK)
    with pytest.MonkeyPatch.context() as patched:
        while_it_is_compressed(patched, lambda: os.close(reader))
        assert "Broken pipe: 'pipe'" in failure(capsys, EXIT_INPUT_OUTPUT, *PACK, "pipe")


@pytest.mark.parametrize("arguments", [["show", "a.gssc"], ["--help"]], ids=["show", "help"])
def test_standard_output_that_cannot_be_written_is_named(arguments: list[str]) -> None:
    with Path("/dev/full").open("wb") as full:
        done = run_program(COMMAND, *arguments, stdout=full)
    expected = "gsst column: standard output: cannot write: No space left on device\n"
    assert (done.returncode, done.stderr) == (EXIT_INPUT_OUTPUT, expected)
    read_end, write_end = os.pipe()
    os.close(read_end)
    with os.fdopen(write_end, "wb") as pipe:
        done = run_program(COMMAND, *arguments, stdout=pipe)
    expected = "gsst column: standard output: the program that reads it has ended\n"
    assert (done.returncode, done.stderr) == (EXIT_INPUT_OUTPUT, expected)
    done = run_program(COMMAND, *arguments, in_child=lambda: os.close(1))
    assert done.returncode == EXIT_INPUT_OUTPUT
    assert "gsst column: standard output: cannot write: " in done.stderr


def test_closed_standard_streams_are_no_outputs() -> None:
    # What is written to standard error must not get into the file.
    program = "import os; from gsst import _column_command as command\ncompress = command.compress_column\n"
    program += "def spoil(*a, **b):\n"
    program += "    for number in range(3):\n        try: os.write(number, b'spoiled')\n"
    program += "        except OSError: pass\n    return compress(*a, **b)\n"
    program += "command.compress_column = spoil\ncommand.main()"
    done = run_program(program, *PACK, "out", in_child=lambda: os.closerange(0, 3))
    assert done.returncode == 0
    assert holds_strings("out")
    done = run_program(COMMAND, *PACK, "out", in_child=lambda: os.close(2))
    assert (done.returncode, done.stdout) == (EXIT_INPUT_OUTPUT, "")
