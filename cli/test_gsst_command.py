"""The `gsst` command as its users meet it: files, pipes, terminals, messages and exit codes.

Runs build/bin/gsst; the environment variable GSST_BINARY names another one.
"""

import functools
import gzip
import hashlib
import json
import os
import pty
import random
import re
import resource
import select
import signal
import stat
import struct
import subprocess
import threading
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest

from tools.stages import default_stages

BINARY = Path(
    os.environ.get("GSST_BINARY", Path(__file__).resolve().parent.parent / "build/bin/gsst")
).absolute()
FRAME_FORMATS = ["blocks", "splits", "coalesced", "tiles"]
FORMATS = ["fsst", *FRAME_FORMATS]
INTEGER_FORMATS = ["for", "dfor", "rfor", "ifor", "vfor", "ofor"]
SEED = 20240719

INVALID_INPUT = 1
USAGE = 2
INPUT_OUTPUT = 3

Result = subprocess.CompletedProcess[bytes]


@pytest.fixture(autouse=True)
def work_in_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert BINARY.exists(), f"{BINARY} is missing: `make build` makes it, GSST_BINARY names another one"
    print(f"seed of the random bytes: {SEED}")
    monkeypatch.chdir(tmp_path)


def gsst(
    *arguments: str | bytes | Path,
    stdin: bytes = b"",
    user: int | None = None,
    in_child: Callable[[], None] | None = None,
) -> Result:
    """Runs the command; `user` has no groups but its own, `in_child` is called before the command starts."""
    groups: list[int] | None = None if user is None else []
    return subprocess.run(
        [BINARY, *arguments],
        input=stdin,
        capture_output=True,
        check=False,
        user=user,
        group=user,
        extra_groups=groups,
        preexec_fn=in_child,
    )


def succeed(*arguments: str | bytes | Path, stdin: bytes = b"") -> Result:
    result = gsst(*arguments, stdin=stdin)
    assert result.returncode == 0, result.stderr.decode()
    return result


def fail(code: int, *arguments: str | bytes | Path, stdin: bytes = b"") -> str:
    """Runs a command that must fail with `code`; gives its message, which starts with the program's name."""
    result = gsst(*arguments, stdin=stdin)
    message = result.stderr.decode()
    assert result.returncode == code, f"exit code {result.returncode}, message: {message}"
    assert message.startswith("gsst: ")
    return message


@functools.cache
def words_of_text() -> bytes:
    words = [
        b"carefully",
        b"final",
        b"deposits",
        b"sleep",
        b"quickly",
        b"the",
        b"regular",
        b"ironic",
        b"packages",
    ]
    return b" ".join(random.Random(SEED).choices(words, k=200_000))


def text_of(size: int) -> bytes:
    """`size` bytes that compress like text."""
    text = words_of_text()
    return (text * (size // len(text) + 1))[:size]


@functools.cache
def changing_text() -> bytes:
    """8 MiB whose words and letters change 16 times."""
    chosen = random.Random(SEED)
    pieces = []
    for _ in range(16):
        letters = chosen.sample(range(33, 127), 12)
        words = [bytes(chosen.choices(letters, k=chosen.randint(3, 9))) + b" " for _ in range(300)]
        pieces.append(b"".join(chosen.choices(words, k=200_000))[: 512 << 10])
    return b"".join(pieces)


def random_bytes(size: int) -> bytes:
    return random.Random(SEED).randbytes(size)


def files_here() -> set[str]:
    return {path.name for path in Path().iterdir()}


CONTENTS = {
    "empty": b"",
    "one_byte": b"a",
    "zeros": bytes(100_000),
    "escapes": b"\xff" * 70_001,
    "random": random_bytes(100_000),
    "every_byte": bytes(range(256)) * 40,
    "text_with_nul": text_of(300_000).replace(b" ", b"\0"),
    "several_blocks": text_of(9_000_000),
}


# ---- round trips


@pytest.mark.parametrize("format_name", FORMATS)
def test_levels_round_trip_and_never_make_larger_files(format_name: str) -> None:
    content = text_of(30_000)
    Path("a").write_bytes(content)
    sizes = []
    for level in ("1", "2", "3", "6"):
        succeed(f"-{level}", "--format", format_name, "a", "-o", f"a{level}")
        sizes.append(Path(f"a{level}").stat().st_size)
        assert succeed("-d", "-c", "--format", format_name, f"a{level}").stdout == content
    assert sizes == sorted(sizes, reverse=True)
    # A block of tiles has whole tiles: a small gain does not show.
    assert sizes[-1] < sizes[0] or format_name == "tiles"
    succeed("--format", format_name, "a", "-o", "default")
    assert Path("default").read_bytes() == Path("a1").read_bytes()


def test_verbose_says_what_a_level_does() -> None:
    Path("a").write_bytes(text_of(10_000))
    splits = ("--format", "splits", "-v", "-f")
    assert b"level 1 (table from up to 16 KiB of each block, greedy parse)" in succeed(*splits, "a").stderr
    message = succeed(*splits, "-3", "a").stderr
    assert b"level 3 (table from up to 32 KiB of each block, optimal parse)" in message
    assert b"level" not in succeed("-v", "-t", "a.gsst").stderr
    assert b" 3 blocks of at most 4096 bytes, " in succeed(*splits, "--block-size", "4K", "a").stderr


@pytest.mark.parametrize("level", [[], ["-3"]])
@pytest.mark.parametrize("device", [[], ["--device", "simt"]], ids=["cpu", "simt"])
def test_without_a_format_files_are_of_tiles(device: list[str], level: list[str]) -> None:
    Path("a").write_bytes(text_of(100_000))
    succeed(*device, *level, "a")
    (listing,) = json.loads(succeed("-l", "--json", "a.gsst").stdout)
    assert listing["format"] == "tiles"
    assert Path("a.gsst").read_bytes() == succeed(*device, *level, "--format", "tiles", "-c", "a").stdout
    assert succeed("-dc", "a.gsst").stdout == text_of(100_000)


def test_options_of_another_format_need_its_name() -> None:
    Path("a").write_bytes(text_of(10_000))
    message = fail(USAGE, "--splits", "8", "a")
    assert message == (
        "gsst: --splits: only formats splits and coalesced take it; name one with --format (the default is "
        "tiles)\n"
    )
    succeed("--format", "splits", "--splits", "8", "a")
    assert json.loads(succeed("-l", "--json", "a.gsst").stdout)[0]["splits"] == 8
    succeed("--code-bits", "12", "-f", "a")
    assert json.loads(succeed("-l", "--json", "a.gsst").stdout)[0]["format"] == "tiles"


def test_verbose_says_what_was_chosen_for_tiles() -> None:
    Path("a").write_bytes(text_of(300_000))
    message = succeed("-v", "-3", "--format", "tiles", "--block-size", "64K", "a").stderr.decode()
    chosen = re.search(
        r"; format tiles, (\d+)-bit codes \(expected ratio ([\d.]+); (\d+) bits [\d.]+, (\d+) bits [\d.]+\), "
        r"(\d+) a lane \(rounds of a store [^)]+\), strips of 2048 codes, optimal parse, level 3, "
        r"1 table for 5 blocks of at most 65536 bytes, ",
        message,
    )
    assert chosen, message
    assert sorted(int(chosen[group]) for group in (1, 3, 4)) == [8, 10, 12]
    ratio = float(message.partition("ratio ")[2].partition(";")[0])
    assert float(chosen[2]) == pytest.approx(ratio, rel=0.1)


@pytest.mark.parametrize("content", CONTENTS.values(), ids=CONTENTS.keys())
@pytest.mark.parametrize("format_name", FORMATS)
def test_round_trip_of_a_file(format_name: str, content: bytes) -> None:
    suffix = "fsst" if format_name == "fsst" else "gsst"
    Path("a").write_bytes(content)
    succeed("--format", format_name, "a")
    assert files_here() == {"a", f"a.{suffix}"}
    assert Path("a").read_bytes() == content
    succeed("-t", f"a.{suffix}")
    Path("a").unlink()
    succeed("-d", f"a.{suffix}")
    assert Path("a").read_bytes() == content
    assert files_here() == {"a", f"a.{suffix}"}


@pytest.mark.parametrize("content", CONTENTS.values(), ids=CONTENTS.keys())
@pytest.mark.parametrize("format_name", FORMATS)
def test_round_trip_through_pipes(format_name: str, content: bytes) -> None:
    compressed = succeed("--format", format_name, stdin=content).stdout
    fsst = ["--format", "fsst"] if format_name == "fsst" else []
    assert succeed("-d", *fsst, stdin=compressed).stdout == content
    assert files_here() == set()


@pytest.mark.parametrize("format_name", ["splits", "coalesced"])
@pytest.mark.parametrize("splits", [1, 2, 3, 32, 255, 256, 65536])
def test_round_trip_with_splits(format_name: str, splits: int) -> None:
    content = text_of(100_000) + b"\xff" * 600 + random_bytes(10_000)
    compressed = succeed(
        "--format", format_name, "--splits", str(splits), "--block-size", "64K", stdin=content
    ).stdout
    assert succeed("-d", stdin=compressed).stdout == content


@pytest.mark.parametrize("format_name", FORMATS)
def test_file_and_pipe_and_thread_counts_give_the_same_bytes(format_name: str) -> None:
    content = text_of(3_000_000)
    Path("a").write_bytes(content)
    options = ["--format", format_name, "--block-size", "256K"]
    outputs = [succeed(*options, "-c", "-T", threads, "a").stdout for threads in ("0", "1", "3")]
    outputs.append(succeed(*options, stdin=content).stdout)
    assert len(set(outputs)) == 1


@pytest.mark.parametrize("code_bits", [8, 10, 12])
def test_round_trip_of_each_code_width(code_bits: int) -> None:
    content = text_of(60_000) + random_bytes(500)
    compressed = succeed("--format", "tiles", "--code-bits", str(code_bits), stdin=content).stdout
    assert succeed("-d", stdin=compressed).stdout == content
    Path("a.gsst").write_bytes(compressed)
    succeed("-t", "--device", "simt", "a.gsst")


@pytest.mark.parametrize("strip_codes", [512, 1024, 2048])
def test_round_trip_of_strips_and_checksums_of_pieces(strip_codes: int) -> None:
    content = text_of(60_000)
    Path("a").write_bytes(content)
    options = ("--format", "tiles", "--checksum", "xxh64-tree", "--strip-codes", str(strip_codes))
    report = succeed(*options, "-v", "a").stderr
    assert f"strips of {strip_codes} codes".encode() in report
    assert succeed("-d", "-c", "a.gsst").stdout == content
    succeed("-t", "--device", "simt", "a.gsst")
    listing = json.loads(succeed("-l", "--json", "a.gsst").stdout)[0]
    assert (listing["checksum"], listing["strip_codes"]) == ("xxh64-tree", strip_codes)
    summary = json.loads(succeed(*options, "-f", "--json", "a").stdout)
    assert summary[0]["strip_codes"] == strip_codes


def test_tiles_have_checksums_of_pieces_at_low_levels_by_default() -> None:
    Path("a").write_bytes(text_of(60_000))
    for options, kind in (
        (("-1",), "xxh64-tree"),
        (("-1", "--checksum", "xxh64"), "xxh64"),
        (("-2", "--parse", "optimal"), "xxh64-tree"),
        (("-3",), "xxh64"),
    ):
        succeed("--format", "tiles", *options, "-f", "a")
        assert json.loads(succeed("-l", "--json", "a.gsst").stdout)[0]["checksum"] == kind
        succeed("-t", "a.gsst")
        succeed("-t", "--device", "simt", "a.gsst")


def block_bytes_of(name: str) -> int:
    return int(json.loads(succeed("-l", "--json", name).stdout)[0]["block_bytes"])


def test_blocks_of_tiles_fit_a_text_that_changes() -> None:
    Path("a").write_bytes(changing_text())
    report = succeed("--format", "tiles", "-v", "a").stderr.decode()
    chosen = block_bytes_of("a.gsst")
    assert chosen == 256 << 10
    assert f"; format tiles, blocks of {chosen} bytes chosen: " in report
    assert succeed("-dc", "a.gsst").stdout == changing_text()
    succeed("-t", "--device", "simt", "a.gsst")
    frame = Path("a.gsst").read_bytes()
    assert succeed("--format", "tiles", "-c", "-T1", "a").stdout == frame
    assert succeed("--format", "tiles", stdin=changing_text()).stdout == frame
    # What follows what the program before has read.
    Path("b").write_bytes(b"read before" + changing_text())
    with Path("b").open("rb", buffering=0) as file:
        file.read(len(b"read before"))
        rest = subprocess.run([BINARY, "--format", "tiles"], stdin=file, capture_output=True, check=True)
    assert rest.stdout == frame
    succeed("--format", "tiles", "--block-size", "4M", "-f", "a")
    assert len(frame) < 0.9 * Path("a.gsst").stat().st_size


@pytest.mark.parametrize("options", [["--block-size", "4M"], ["--blocks", "2"], ["-3"]])
def test_a_named_size_and_long_training_leave_no_choice(options: list[str]) -> None:
    Path("a").write_bytes(changing_text())
    report = succeed("--format", "tiles", *options, "-v", "a").stderr
    assert b" chosen: " not in report
    assert block_bytes_of("a.gsst") == 4 << 20


def test_blocks_of_tiles_stay_large_where_the_text_does_not_change() -> None:
    Path("a").write_bytes(text_of(9_000_000))
    assert b", blocks of 4194304 bytes chosen: " in succeed("--format", "tiles", "-v", "a").stderr
    assert block_bytes_of("a.gsst") == 4 << 20
    for content in (b"", b"a"):
        frame = succeed("--format", "tiles", stdin=content).stdout
        assert succeed("-dc", stdin=frame).stdout == content


def test_many_blocks() -> None:
    content = text_of(1500 * 1024 + 1)
    Path("a").write_bytes(content)
    succeed("--format", "coalesced", "--splits", "4", "--block-size", "1KiB", "a")
    listing = json.loads(succeed("-l", "--json", "a.gsst").stdout)
    assert listing[0]["blocks"] == 1501
    assert succeed("-dc", "a.gsst").stdout == content


def test_blocks_cut_the_input_into_equal_parts() -> None:
    Path("a").write_bytes(text_of(1_000_000))
    succeed("--blocks", "7", "a")
    listing = json.loads(succeed("-l", "--json", "a.gsst").stdout)
    assert (listing[0]["blocks"], listing[0]["block_bytes"]) == (7, 142_858)
    with Path("a").open("rb") as file:
        file.seek(500_000)
        # The size of what is left of a file on standard input is known.
        result = subprocess.run([BINARY, "--blocks", "2"], stdin=file, capture_output=True, check=True)
    Path("half.gsst").write_bytes(result.stdout)
    assert json.loads(succeed("-l", "--json", "half.gsst").stdout)[0]["block_bytes"] == 250_000


# ---- names of inputs and outputs


def test_dash_is_standard_input_and_output() -> None:
    content = text_of(1000)
    compressed = succeed("-", stdin=content).stdout
    assert compressed == succeed("-", "-o", "-", stdin=content).stdout
    succeed("-", "-o", "a.gsst", stdin=content)
    assert Path("a.gsst").read_bytes() == compressed
    assert succeed("-d", "-", stdin=compressed).stdout == content
    assert succeed("-d", "a.gsst", "-o", "-").stdout == content
    assert succeed("-dc", "a.gsst").stdout == content


def test_output_name() -> None:
    Path("a").write_bytes(b"text")
    succeed("a", "-o", "b")
    succeed("-d", "b", "-o", "c")
    assert Path("c").read_bytes() == b"text"
    assert files_here() == {"a", "b", "c"}


def test_unknown_suffix_needs_an_output_name() -> None:
    Path("a.bin").write_bytes(succeed(stdin=b"text").stdout)
    message = fail(USAGE, "-d", "a.bin")
    assert message.startswith("gsst: a.bin: the name does not end in .gsst, .fsst, .zle, .gz or .zz,")
    assert "-o" in message
    assert succeed("-dc", "a.bin").stdout == b"text"


def test_several_files() -> None:
    for name in "abc":
        Path(name).write_bytes(name.encode() * 1000)
    succeed("a", "b", "c")
    for name in "abc":
        Path(name).unlink()
    succeed("-d", "a.gsst", "b.gsst", "c.gsst")
    assert Path("b").read_bytes() == b"b" * 1000
    assert succeed("-dc", "a.gsst", "c.gsst").stdout == b"a" * 1000 + b"c" * 1000


def test_a_failure_does_not_stop_the_other_files() -> None:
    Path("a").write_bytes(b"a")
    Path("broken.gsst").write_bytes(b"no frame")
    assert "missing" in fail(INPUT_OUTPUT, "missing", "a")
    assert Path("a.gsst").exists()
    # The code is that of the first failure.
    fail(INVALID_INPUT, "-t", "broken.gsst", "missing", "a.gsst")
    fail(INPUT_OUTPUT, "-t", "missing", "broken.gsst", "a.gsst")


def test_odd_file_names() -> None:
    names = [b"two words", b"-d", b"\xff\xfe not utf-8", b"new\nline", b"n" * 250]
    for name in names:
        Path(os.fsdecode(name)).write_bytes(b"text")
    summary = succeed("--json", "--", *names)
    assert [entry["blocks"] for entry in json.loads(summary.stdout)] == [1] * len(names)
    for name in names:
        assert succeed("-dc", "--", name + b".gsst").stdout == b"text"


def test_several_frames_are_not_written_to_one_output() -> None:
    Path("a").write_bytes(b"a")
    assert "one frame" in fail(USAGE, "-c", "a", "a")
    compressed = succeed("-c", "--format", "fsst", "a", "a").stdout
    assert succeed("-d", "--format", "fsst", stdin=compressed).stdout == b"aa"


# ---- overwriting


@pytest.mark.parametrize("arguments", [["a"], ["a", "-o", "a.gsst"]])
def test_existing_output_stays_without_force(arguments: list[str]) -> None:
    Path("a").write_bytes(b"text")
    Path("a.gsst").write_bytes(b"precious")
    message = fail(INPUT_OUTPUT, *arguments)
    assert message == "gsst: a.gsst: already exists; -f replaces it\n"
    assert Path("a.gsst").read_bytes() == b"precious"
    succeed("-f", *arguments)
    assert succeed("-dc", "a.gsst").stdout == b"text"
    assert files_here() == {"a", "a.gsst"}


def test_force_keeps_the_old_output_if_the_new_one_fails() -> None:
    Path("a.gsst").write_bytes(b"no frame")
    Path("a").write_bytes(b"precious")
    fail(INVALID_INPUT, "-df", "a.gsst")
    assert Path("a").read_bytes() == b"precious"
    assert files_here() == {"a", "a.gsst"}


@pytest.mark.parametrize("make_second_name", [os.link, os.symlink])
def test_input_and_output_must_differ(make_second_name: Callable[[str, str], None]) -> None:
    Path("a").write_bytes(b"text")
    make_second_name("a", "b")
    for output in ("a", "./a", "b"):
        assert "same file" in fail(USAGE, "-f", "a", "-o", output)
    with Path("a").open("r+b") as file:
        result = subprocess.run([BINARY, "-c", "a"], stdout=file, stderr=subprocess.PIPE, check=False)
    assert result.returncode == USAGE
    assert b"same file" in result.stderr
    assert Path("a").read_bytes() == b"text"


def test_output_through_a_symbolic_link() -> None:
    Path("a").write_bytes(b"text")
    Path("folder").mkdir()
    Path("folder/target").write_bytes(b"old")
    Path("link").symlink_to("folder/target")
    Path("dangling").symlink_to("nothing")
    assert "already exists" in fail(INPUT_OUTPUT, "a", "-o", "link")
    assert "already exists" in fail(INPUT_OUTPUT, "a", "-o", "dangling")
    succeed("-f", "a", "-o", "link")
    assert Path("link").is_symlink()
    assert succeed("-dc", "folder/target").stdout == b"text"


def test_permissions_and_times_are_kept() -> None:
    Path("a").write_bytes(b"text")
    Path("a").chmod(0o640)
    os.utime("a", ns=(1_500_000_000_123_456_789, 1_600_000_000_123_456_789))
    succeed("a")
    Path("a").unlink()
    succeed("-d", "a.gsst")
    for name in ("a.gsst", "a"):
        status = Path(name).stat()
        assert stat.S_IMODE(status.st_mode) == 0o640
        assert status.st_mtime_ns == 1_600_000_000_123_456_789


def test_output_from_a_pipe_has_default_permissions() -> None:
    previous = os.umask(0o027)
    try:
        succeed("-", "-o", "a.gsst", stdin=b"text")
    finally:
        os.umask(previous)
    assert stat.S_IMODE(Path("a.gsst").stat().st_mode) == 0o640


# ---- inputs that cannot be read


def test_missing_file_and_folder() -> None:
    assert fail(INPUT_OUTPUT, "missing") == "gsst: missing: cannot open: No such file or directory\n"
    Path("folder").mkdir()
    for operation in (["folder"], ["-d", "folder"], ["-t", "folder"], ["-l", "folder"]):
        assert fail(INPUT_OUTPUT, *operation) == "gsst: folder: is a directory, not a file\n"
    Path("a").write_bytes(b"text")
    assert "folder: is a directory" in fail(INPUT_OUTPUT, "-f", "a", "-o", "folder")
    assert "'nowhere'" in fail(INPUT_OUTPUT, "a", "-o", "nowhere/b")
    assert files_here() == {"a", "folder"}


def test_unreadable_file() -> None:
    Path("a").write_bytes(b"text")
    Path("a").chmod(0)
    nobody = 65534
    try:
        result = gsst("a", user=nobody if os.geteuid() == 0 else None)
    except PermissionError:
        pytest.skip("the superuser reads every file, and another user cannot start the command")
    assert result.returncode == INPUT_OUTPUT
    assert b"a: cannot open: Permission denied" in result.stderr


def test_read_error_leaves_no_output() -> None:
    # Address 0 of a process cannot be read.
    assert "/proc/self/mem: cannot read: Input/output error" in fail(
        INPUT_OUTPUT, "/proc/self/mem", "-o", "a"
    )
    assert files_here() == set()


@pytest.mark.parametrize("operation", [["--format", "splits"], ["-d"]])
def test_input_that_shrinks_while_it_is_read(operation: list[str]) -> None:
    """The output is a named pipe that nobody empties until the input was cut, so that the command waits."""
    content = random_bytes(16 << 20)
    Path("a").write_bytes(succeed(stdin=content).stdout if operation == ["-d"] else content)
    os.mkfifo("pipe")
    with subprocess.Popen([BINARY, "-T1", *operation, "a", "-o", "pipe"], stderr=subprocess.PIPE) as process:
        assert process.stderr is not None
        with Path("pipe").open("rb") as pipe:
            assert pipe.read(1)
            os.truncate("a", 9 << 20)
            pipe.read()
        message = process.stderr.read().decode()
    assert process.returncode == INPUT_OUTPUT
    assert "a: changed while it was read" in message


@pytest.mark.parametrize("device", [[], ["--device", "simt"]], ids=["cpu", "simt"])
def test_an_empty_file_is_cut_into_no_blocks(device: list[str]) -> None:
    Path("a").write_bytes(b"")
    succeed("--blocks", "4", *device, "a")
    assert succeed("-dc", "a.gsst").stdout == b""
    assert json.loads(succeed("-l", "--json", "a.gsst").stdout)[0]["blocks"] == 0


def test_a_file_that_calls_itself_empty_and_is_not() -> None:
    text = Path("/proc/version").read_bytes()
    assert succeed("-dc", "-", stdin=succeed("-c", "/proc/version").stdout).stdout == text
    assert "/proc/version: --blocks needs an input" in fail(USAGE, "--blocks", "4", "-c", "/proc/version")


def test_blocks_are_refused_for_a_pipe() -> None:
    message = fail(USAGE, "--blocks", "4", stdin=b"text")
    assert message == "gsst: standard input: --blocks needs an input whose size is known; use --block-size\n"


# ---- damaged inputs


@pytest.mark.parametrize("format_name", FRAME_FORMATS)
def test_every_damaged_byte_is_found(format_name: str) -> None:
    content = text_of(3000)
    options = ["--splits", "8"] if format_name in ("splits", "coalesced") else []
    # A block of tiles pays from two tiles on.
    block_size = "4K" if format_name == "tiles" else "1K"
    compressed = succeed("--format", format_name, "--block-size", block_size, *options, stdin=content).stdout
    undetected = []
    for position in range(0, len(compressed), 7):
        damaged = bytearray(compressed)
        damaged[position] ^= 0x55
        result = gsst("-t", stdin=bytes(damaged))
        # Two bytes of a table are for encoders only and may have any value: the output must be right then.
        if result.returncode == 0 and succeed("-d", stdin=bytes(damaged)).stdout != content:
            undetected.append(position)
        assert result.returncode in (0, INVALID_INPUT), position
        assert result.returncode == 0 or b"standard input: " in result.stderr
    assert undetected == []


@pytest.mark.parametrize("format_name", FORMATS)
def test_truncated_file(format_name: str) -> None:
    name = "a.fsst" if format_name == "fsst" else "a.gsst"
    compressed = succeed("--format", format_name, "--block-size", "1K", stdin=text_of(5000)).stdout
    for size in sorted({1, 8, 39, 40, 41, 64, 100, 1000, len(compressed) - 24, len(compressed) - 1}):
        Path(name).write_bytes(compressed[:size])
        assert f"{name}: " in fail(INVALID_INPUT, "-d", name)
        assert f"{name}: " in fail(INVALID_INPUT, "-t", name)
        assert f"{name}: " in fail(INVALID_INPUT, "-l", name)
        assert files_here() == {name}


def test_message_names_file_block_and_field() -> None:
    compressed = bytearray(succeed("--format", "blocks", "--block-size", "1K", stdin=text_of(4000)).stdout)
    Path("a.gsst").write_bytes(compressed)
    third_block = json.loads(succeed("-l", "--json", "a.gsst").stdout)[0]["compressed_bytes"] // 2
    compressed[third_block] ^= 1
    Path("a.gsst").write_bytes(compressed)
    message = fail(INVALID_INPUT, "-t", "a.gsst")
    assert message.startswith("gsst: a.gsst: block "), message
    assert files_here() == {"a.gsst"}


def test_bytes_after_the_frame() -> None:
    Path("a.gsst").write_bytes(succeed(stdin=b"text").stdout + b"x")
    for operation in ("-t", "-l", "-d"):
        assert "a.gsst: " in fail(INVALID_INPUT, operation, "a.gsst")
    assert files_here() == {"a.gsst"}


def test_what_is_no_compressed_file() -> None:
    Path("a.gsst").write_bytes(text_of(1000))
    Path("a.fsst").write_bytes(text_of(1000))
    Path("empty.gsst").write_bytes(b"")
    for operation in ("-d", "-t", "-l"):
        message = fail(INVALID_INPUT, operation, "a.gsst")
        assert "a.gsst: is no gsst frame" in message
        assert "--format fsst" in message
        assert "a.fsst: block 0: " in fail(INVALID_INPUT, operation, "a.fsst")
        assert "empty.gsst: is empty" in fail(INVALID_INPUT, operation, "empty.gsst")
    assert "standard input: is empty" in fail(INVALID_INPUT, "-d")


def test_format_of_a_frame_can_be_asked_for() -> None:
    Path("a.gsst").write_bytes(succeed("--format", "blocks", stdin=b"text").stdout)
    assert succeed("-dc", "--format", "blocks", "a.gsst").stdout == b"text"
    for operation in ("-d", "-t", "-l"):
        assert fail(INVALID_INPUT, operation, "--format", "splits", "a.gsst") == (
            "gsst: a.gsst: has format blocks, not splits\n"
        )


# ---- outputs that fail


def test_full_disk() -> None:
    Path("a").write_bytes(text_of(100_000))
    with Path("/dev/full").open("wb") as full:
        for arguments in (["-c", "a"], ["--help"], ["--list-stages"]):
            result = subprocess.run([BINARY, *arguments], stdout=full, stderr=subprocess.PIPE, check=False)
            assert result.returncode == INPUT_OUTPUT
            assert result.stderr == b"gsst: standard output: cannot write: No space left on device\n"
    message = fail(INPUT_OUTPUT, "a", "-o", "/dev/full")
    assert message == "gsst: /dev/full: cannot write: No space left on device\n"


def test_output_above_the_size_limit_leaves_nothing() -> None:
    Path("a").write_bytes(random_bytes(1 << 20))

    def limit_file_size() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))

    result = gsst("a", in_child=limit_file_size)
    assert result.returncode == INPUT_OUTPUT
    assert b"a.gsst: cannot write: File too large" in result.stderr
    assert files_here() == {"a"}


def test_several_threads_read_and_write_large_pieces() -> None:
    data = text_of(9_000_001)
    Path("a").write_bytes(data)
    threads = ("--threads", "8")
    for block_size in ("1M", "8M"):
        for device in ("cpu", "simt"):
            arguments = ("-f", "--format", "tiles", "--block-size", block_size, "--device", device)
            succeed(*arguments, *threads, "a")
            alone = succeed(*arguments, "--threads", "1", "-c", "a").stdout
            assert Path("a.gsst").read_bytes() == alone
            succeed("-d", "-f", "--device", device, *threads, "a.gsst", "-o", "b")
            assert Path("b").read_bytes() == data


def test_input_is_left_where_reading_ended() -> None:
    """A program that reads the same file after the command."""
    Path("a").write_bytes(random_bytes(3_000_000))
    with Path("a").open("rb") as file:
        subprocess.run([BINARY, "--threads", "8"], stdin=file, stdout=subprocess.DEVNULL, check=True)
        assert os.lseek(file.fileno(), 0, os.SEEK_CUR) == 3_000_000


def test_several_threads_leave_nothing_above_the_size_limit() -> None:
    data = random_bytes(3_000_000)
    Path("a.gsst").write_bytes(succeed(stdin=data).stdout)

    def limit_file_size() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (2_000_000, 2_000_000))

    result = gsst("-d", "--threads", "8", "a.gsst", "-o", "b", in_child=limit_file_size)
    assert result.returncode == INPUT_OUTPUT
    assert result.stderr == b"gsst: b: cannot write: File too large\n"
    assert files_here() == {"a.gsst"}


def test_several_threads_leave_nothing_on_a_full_disk(tmp_path: Path) -> None:
    """On a file system of 4 MB in memory, which the test makes in a namespace of its own."""
    (tmp_path / "small").mkdir()
    (tmp_path / "a.gsst").write_bytes(succeed(stdin=random_bytes(6_000_000)).stdout)
    mount = "mount -t tmpfs -o size=4m none small"
    unshare = ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c"]
    if subprocess.run([*unshare, mount], cwd=tmp_path, capture_output=True, check=False).returncode != 0:
        pytest.skip("this machine lets no user mount a file system")
    script = f'{mount} && "$0" -d --threads 8 a.gsst -o small/a; echo $?; ls -A small'
    result = subprocess.run([*unshare, script, BINARY], cwd=tmp_path, capture_output=True, check=True)
    assert result.stdout.decode().split() == [str(INPUT_OUTPUT)]
    assert result.stderr == b"gsst: small/a: cannot write: No space left on device\n"


@pytest.mark.parametrize(
    ("restore_signals", "code", "message"),
    [
        (True, -signal.SIGPIPE, b""),
        (False, INPUT_OUTPUT, b"gsst: standard output: the program that reads it has ended\n"),
    ],
    ids=["SIGPIPE", "EPIPE"],
)
def test_reader_that_ends_early(restore_signals: bool, code: int, message: bytes) -> None:
    # Python ignores SIGPIPE, and its children do so too unless it restores the signal.
    Path("a.gsst").write_bytes(succeed(stdin=text_of(1_000_000)).stdout)
    read_end, write_end = os.pipe()
    os.close(read_end)
    try:
        result = subprocess.run(
            [BINARY, "-dc", "a.gsst"],
            stdout=write_end,
            stderr=subprocess.PIPE,
            restore_signals=restore_signals,
            check=False,
        )
    finally:
        os.close(write_end)
    assert (result.returncode, result.stderr) == (code, message)


def test_closed_standard_streams() -> None:
    Path("a").write_bytes(b"text")
    Path("a.gsst").write_bytes(succeed(stdin=b"text").stdout)
    for command in ('"$0" -c a >&-', '"$0" <&-', '"$0" -l a.gsst >&-'):
        assert (
            subprocess.run(["sh", "-c", command, BINARY], capture_output=True, check=False).returncode
            == INPUT_OUTPUT
        )
    subprocess.run(["sh", "-c", '"$0" -v a -o b <&- >&- 2>&-', BINARY], check=True)
    assert Path("b").read_bytes() == Path("a.gsst").read_bytes()


def test_output_to_a_device_needs_no_force() -> None:
    Path("a").write_bytes(b"text")
    succeed("a", "-o", "/dev/null")
    assert stat.S_ISCHR(Path("/dev/null").stat().st_mode)


# ---- signals


ENDING_SIGNALS = [
    signal.SIGALRM,
    signal.SIGHUP,
    signal.SIGINT,
    signal.SIGQUIT,
    signal.SIGTERM,
    signal.SIGUSR1,
    signal.SIGUSR2,
    signal.SIGXCPU,
]


def take_default_actions() -> None:
    """Tests that were started in the background or by nohup inherit signals that are ignored."""
    for number in ENDING_SIGNALS:
        signal.signal(number, signal.SIG_DFL)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def start_and_wait_until_it_reads(
    in_child: Callable[[], None] = take_default_actions,
) -> subprocess.Popen[bytes]:
    """Starts a compression; returns when it took more than the pipe holds, and so has opened its output."""
    process = subprocess.Popen([BINARY, "-", "-o", "a.gsst"], stdin=subprocess.PIPE, preexec_fn=in_child)
    assert process.stdin is not None
    process.stdin.write(text_of(1 << 21))
    process.stdin.flush()
    (unfinished,) = files_here()
    assert unfinished.startswith(".gsst-")
    return process


@pytest.mark.parametrize("number", ENDING_SIGNALS)
def test_a_signal_removes_the_unfinished_output(number: signal.Signals) -> None:
    with start_and_wait_until_it_reads() as process:
        process.send_signal(number)
        assert process.wait() == -number
    assert files_here() == set()


def test_an_ignored_signal_stays_ignored() -> None:
    def ignore_hangup() -> None:
        signal.signal(signal.SIGHUP, signal.SIG_IGN)

    with start_and_wait_until_it_reads(ignore_hangup) as process:
        process.send_signal(signal.SIGHUP)
        process.communicate()
    assert process.returncode == 0
    assert files_here() == {"a.gsst"}


# ---- messages


def test_summary_lines() -> None:
    Path("a").write_bytes(text_of(10_000))
    result = succeed("--format", "blocks", "a")
    size = Path("a.gsst").stat().st_size
    assert result.stdout == b""
    assert result.stderr.decode() == f"a -> a.gsst: 10000 -> {size} bytes, ratio {10_000 / size:.3f}\n"
    assert succeed("-df", "a.gsst").stderr.decode() == f"a.gsst -> a: {size} -> 10000 bytes\n"
    assert succeed("-t", "a.gsst").stderr.decode() == f"a.gsst: intact, {size} -> 10000 bytes\n"
    assert "; format blocks, 1 block, " in succeed("-tv", "a.gsst").stderr.decode()
    # Data on standard output keeps the command silent unless told otherwise.
    assert succeed("-c", "a").stderr == b""
    assert succeed("-cv", "a").stderr != b""
    for arguments in (["-qf", "a"], ["-qt", "a.gsst"]):
        assert succeed(*arguments).stderr == b""


def test_json_summary() -> None:
    Path("a").write_bytes(text_of(10_000))
    result = succeed("--json", "--format", "splits", "--block-size", "4K", "a")
    assert result.stderr == b""
    size = Path("a.gsst").stat().st_size
    (entry,) = json.loads(result.stdout)
    assert entry.pop("seconds") > 0
    assert entry == {
        "operation": "compress",
        "input": "a",
        "output": "a.gsst",
        "format": "splits",
        "blocks": 3,
        "uncompressed_bytes": 10_000,
        "compressed_bytes": size,
        "ratio": 10_000 / size,
        "level": 1,
    }
    (entry,) = json.loads(succeed("--json", "-t", "a.gsst").stdout)
    assert "level" not in entry
    assert (entry["operation"], entry["output"], entry["uncompressed_bytes"]) == ("test", None, 10_000)
    result = succeed("--json", "-dc", "a.gsst")
    assert result.stdout == text_of(10_000)
    assert json.loads(result.stderr)[0]["output"] == "standard output"


def test_json_lists_what_succeeded() -> None:
    Path("a").write_bytes(b"text")
    result = gsst("--json", "missing", "a")
    assert result.returncode == INPUT_OUTPUT
    assert [entry["input"] for entry in json.loads(result.stdout)] == ["a"]
    assert json.loads(gsst("--json", "missing").stdout) == []


def test_listing() -> None:
    content = text_of(10_000)
    Path("a").write_bytes(content)
    succeed("--format", "fsst", "--block-size", "4K", "a")
    succeed("--format", "coalesced", "--block-size", "4K", "--splits", "16", "a")
    entries = json.loads(succeed("-l", "--json", "a.fsst", "a.gsst").stdout)
    sizes = [Path(name).stat().st_size for name in ("a.fsst", "a.gsst")]
    assert entries == [
        {
            "file": "a.fsst",
            "format": "fsst",
            "blocks": 3,
            "block_bytes": None,
            "splits": None,
            "strip_codes": None,
            "compressed_bytes": sizes[0],
            "uncompressed_bytes": 10_000,
            "ratio": 10_000 / sizes[0],
            "checksum": None,
        },
        {
            "file": "a.gsst",
            "format": "coalesced",
            "blocks": 3,
            "block_bytes": 4096,
            "splits": 16,
            "strip_codes": None,
            "compressed_bytes": sizes[1],
            "uncompressed_bytes": 10_000,
            "ratio": 10_000 / sizes[1],
            "checksum": "xxh64",
        },
    ]
    header, *rows = succeed("-l", "a.fsst", "a.gsst").stdout.decode().splitlines()
    assert " ".join(header.split()) == (
        "format blocks block size splits compressed uncompressed ratio check file"
    )
    assert [row.split() for row in rows] == [
        ["fsst", "3", "-", "-", str(sizes[0]), "10000", f"{10_000 / sizes[0]:.3f}", "none", "a.fsst"],
        [
            "coalesced",
            "3",
            "4096",
            "16",
            str(sizes[1]),
            "10000",
            f"{10_000 / sizes[1]:.3f}",
            "xxh64",
            "a.gsst",
        ],
    ]


def test_listing_of_empty_inputs() -> None:
    Path("a").write_bytes(b"")
    succeed("a")
    succeed("--format", "fsst", "a")
    frame, fsst = json.loads(succeed("-l", "--json", "a.gsst", "a.fsst").stdout)
    assert (frame["blocks"], frame["ratio"]) == (0, 0.0)
    assert (fsst["blocks"], fsst["ratio"]) == (0, None)
    assert " - " in succeed("-l", "a.fsst").stdout.decode()


def test_listing_needs_a_file_and_ignores_payloads() -> None:
    assert "not a regular file" in fail(USAGE, "-l", stdin=b"text")
    compressed = bytearray(succeed("--format", "blocks", stdin=text_of(10_000)).stdout)
    compressed[1000] ^= 1
    Path("a.gsst").write_bytes(compressed)
    succeed("-l", "a.gsst")
    fail(INVALID_INPUT, "-t", "a.gsst")


def test_list_stages() -> None:
    stages = json.loads(succeed("--list-stages", "--json").stdout)
    assert [stage["id"] for stage in stages] == sorted(stage["id"] for stage in stages)
    first = next(stage for stage in stages if stage["id"] == "gsst/01_blocks")
    assert first["format"] == "blocks"
    assert first["formats"] == ["blocks"]
    ranges = next(stage for stage in stages if stage["operation"] == "ranges")
    assert ranges["formats"] == ["splits", "tiles"]
    assert all(stage["format"] in stage["formats"] for stage in stages)
    assert all(set(stage["default_for"]) <= set(stage["formats"]) for stage in stages)
    assert first["operation"] == "decode"
    assert first["minimum_compute_capability"] == "8.0"
    assert "simt" in first["devices"]
    assert first["recommended"] is None
    assert {"name", "description", "values", "default", "compile_time"} == set(first["parameters"][0])
    lines = succeed("--list-stages").stdout.decode().splitlines()
    assert [line.split()[0] for line in lines] == [stage["id"] for stage in stages]


def test_the_list_of_stages_marks_the_default_ones() -> None:
    stages = json.loads(succeed("--list-stages", "--json").stdout)
    listed = [
        (format_name, stage["operation"], device, stage["id"])
        for stage in stages
        for format_name, devices in stage["default_for"].items()
        for device in devices
    ]
    assert sorted(listed) == sorted(default_stages())
    lines = succeed("--list-stages").stdout.decode().splitlines()
    assert [" default for " in line for line in lines] == [bool(stage["default_for"]) for stage in stages]
    assert next(line for line in lines if "10_wide" in line).endswith(", default for splits and tiles")


@pytest.mark.parametrize(
    ("format_name", "stage"),
    [
        ("blocks", "gsst/01_blocks"),
        ("splits", "gsst/02_splits"),
        ("splits", None),
        ("coalesced", None),
        ("tiles", None),
    ],
)
def test_decompress_with_a_stage(format_name: str, stage: str | None) -> None:
    text = text_of(30_000)
    splits = ["--splits", "8"] if format_name in ("splits", "coalesced") else []
    Path("a.gsst").write_bytes(
        succeed("--format", format_name, "--block-size", "4K", *splits, stdin=text).stdout
    )
    chosen = [] if stage is None else ["--stage", stage]
    assert succeed("-d", "-c", "--device", "simt", *chosen, "a.gsst").stdout == text
    succeed("-t", "--device", "simt", *chosen, "a.gsst")


DECODERS = {
    "blocks": ["01_blocks"],
    "splits": ["02_splits", "03_shared_memory", "04_alignment", "06_async_splits", "07_tuned"],
    "coalesced": ["05_coalesced", "06_async", "06_async_pipeline"],
}


@pytest.mark.parametrize("level", ["3", "9"])
@pytest.mark.parametrize("format_name", DECODERS)
def test_the_thesis_s_stages_decode_better_tables(format_name: str, level: str) -> None:
    text = text_of(6_000)
    splits = [] if format_name == "blocks" else ["--splits", "8"]
    cut = ("--format", format_name, "--block-size", "4K", *splits)
    frame = succeed(f"-{level}", *cut, stdin=text).stdout
    assert frame != succeed("-1", *cut, stdin=text).stdout
    Path("a.gsst").write_bytes(frame)
    for stage in DECODERS[format_name]:
        chosen = ("--device", "simt", "--stage", f"gsst/{stage}")
        assert succeed("-d", "-c", *chosen, "a.gsst").stdout == text, stage


@pytest.mark.parametrize("chosen", [[], ["--stage", "gsst/08_gpu_encoder"]])
def test_compress_with_a_stage(chosen: list[str]) -> None:
    text = text_of(100_000)
    Path("a").write_bytes(text)
    cut = ["--format", "splits", "--block-size", "40000", "--splits", "33"]
    succeed("--device", "simt", *chosen, *cut, "a")
    assert succeed("-d", "-c", "a.gsst").stdout == text
    Path("empty").write_bytes(b"")
    succeed("--device", "simt", "empty")
    assert succeed("-d", "-c", "empty.gsst").stdout == b""


def test_a_stage_compresses_files_that_are_larger_than_its_memory() -> None:
    text = text_of(50_000)
    Path("a").write_bytes(text)
    stage = ("--device", "simt", "--format", "splits", "--block-size", "4K", "--splits", "16")
    whole = succeed(*stage, "-c", "a").stdout
    message = fail(USAGE, *stage, "--memory", "10K", "a")
    assert message.startswith("gsst: a: --memory: blocks of this size need ")
    needed = int(message.partition("need ")[2].split()[0])
    for memory in (needed, needed + 60_000):
        assert succeed(*stage, "-c", "--memory", str(memory), "a").stdout == whole
    assert succeed(*stage, "--memory", str(needed), stdin=text).stdout == whole
    assert files_here() == {"a"}


def test_the_last_encoder_of_the_format_compresses() -> None:
    Path("a").write_bytes(text_of(20_000))
    splits = ("--device", "simt", "--format", "splits", "-c", "a")
    by_name = {
        stage: succeed(*splits, "--stage", f"gsst/{stage}").stdout
        for stage in ("08_gpu_encoder", "10_wide_encoder")
    }
    assert succeed(*splits).stdout == by_name["10_wide_encoder"]
    assert by_name["08_gpu_encoder"] != by_name["10_wide_encoder"]


def test_a_stage_without_a_format_writes_the_default_one_or_its_own() -> None:
    Path("a").write_bytes(text_of(20_000))
    for stage, format_name in (("08_gpu_encoder", "splits"), ("10_wide_encoder", "tiles")):
        chosen = ("--device", "simt", "--stage", f"gsst/{stage}", "-c", "a")
        assert succeed(*chosen).stdout == succeed(*chosen, "--format", format_name).stdout


def test_compressing_stage_writes_its_format_only() -> None:
    Path("a").write_bytes(b"text")
    message = fail(USAGE, "--device", "simt", "--format", "blocks", "a")
    assert message == "gsst: a: no stage writes format blocks\n"
    encoder = ["--stage", "gsst/08_gpu_encoder"]
    message = fail(USAGE, "--device", "simt", *encoder, "--format", "coalesced", "a")
    assert message == "gsst: a: stage gsst/08_gpu_encoder does not write format coalesced\n"
    assert files_here() == {"a"}


def test_stage_compresses_to_tiles_in_pieces() -> None:
    text = text_of(300_000)
    Path("a").write_bytes(text)
    tiles = ("--device", "simt", "--format", "tiles", "--block-size", "32K", "--memory", "2M", "--code-bits")
    for bits in ("8", "12"):
        report = succeed(*tiles, bits, "-v", "-f", "a").stderr
        assert f"{bits}-bit codes".encode() in report
        # One for each piece.
        assert b" tables for 10 blocks" in report
        assert succeed("-d", "-c", "a.gsst").stdout == text
        assert succeed("-d", "-c", "--device", "simt", "a.gsst").stdout == text
    message = fail(USAGE, *tiles, "8", "--parse", "optimal", "-f", "a")
    assert message == "gsst: a: --parse optimal: stages encode greedily\n"
    message = fail(USAGE, *tiles, "8", "--strip-codes", "512", "-f", "a")
    assert message == "gsst: a: --strip-codes 512: stages write strips of 2048; --device cpu writes others\n"
    message = fail(USAGE, *tiles, "8", "--checksum", "xxh64", "-f", "a")
    assert message == "gsst: a: --checksum xxh64: stages write xxh64-tree; --device cpu writes it\n"
    message = fail(USAGE, *tiles, "8", "--stage", "gsst/08_gpu_encoder", "-f", "a")
    assert message == "gsst: a: stage gsst/08_gpu_encoder does not write format tiles\n"
    Path("empty").touch()
    succeed("--device", "simt", "--format", "tiles", "empty")
    assert succeed("-d", "-c", "empty.gsst").stdout == b""


def test_a_stage_refuses_levels_that_it_does_not_make() -> None:
    content = text_of(200_000)
    Path("a").write_bytes(content)
    for level in ("2", "9"):
        message = fail(USAGE, "--device", "simt", "--format", "splits", f"-{level}", "a")
        assert message == (
            f"gsst: a: -{level}: stages write format splits at level 1 only; add --format tiles, "
            "or compress with --device cpu\n"
        )
    message = fail(USAGE, "--device", "simt", "--stage", "gsst/08_gpu_encoder", "-3", "a")
    assert "or compress without --stage" in message
    assert files_here() == {"a"}
    # The way out: a higher level makes a smaller file there.
    sizes = []
    for level in ("1", "6"):
        report = succeed("--device", "simt", f"-{level}", "-v", "-f", "a").stderr
        assert f"greedy parse, level {level}, ".encode() in report
        sizes.append(Path("a.gsst").stat().st_size)
        assert succeed("-d", "-c", "a.gsst").stdout == content
    assert sizes[1] < sizes[0]
    report = succeed("--device", "simt", "--format", "splits", "-1", "-v", "-f", "a").stderr
    assert b"level 1 (table from up to 16 KiB of each block, greedy parse)" in report


def test_stage_errors() -> None:
    Path("a.gsst").write_bytes(succeed("--format", "coalesced", stdin=text_of(5_000)).stdout)
    assert "no stage 'gsst/none'" in fail(USAGE, "-d", "--device", "cpu", "--stage", "gsst/none", "a.gsst")
    for device in ("cpu", "simt"):
        message = fail(USAGE, "-t", "--device", device, "--stage", "gsst/01_blocks", "a.gsst")
        assert message == "gsst: a.gsst: has format coalesced, stage gsst/01_blocks decompresses blocks\n"
    succeed("-t", "--device", "cpu", "--stage", "gsst/05_coalesced", "a.gsst")
    damaged = bytearray(succeed("--format", "blocks", stdin=text_of(10_000)).stdout)
    damaged[1_000] ^= 1
    Path("b.gsst").write_bytes(damaged)
    fail(INVALID_INPUT, "-t", "--device", "simt", "b.gsst")


def test_a_stage_decodes_files_that_are_larger_than_its_memory() -> None:
    text = text_of(300_000)
    compressed = succeed("--format", "splits", "--block-size", "4K", "--splits", "8", stdin=text).stdout
    Path("a.gsst").write_bytes(compressed)
    stage = ("--device", "simt", "--memory", "200K")
    succeed("-d", *stage, "a.gsst")
    assert Path("a").read_bytes() == text
    assert succeed("-d", *stage, stdin=compressed).stdout == text
    assert b"300000" in succeed("-t", "-v", *stage, "a.gsst").stderr


def test_a_stage_names_the_damaged_block_of_a_later_batch() -> None:
    splits = ("--format", "splits", "--block-size", "4K", "--splits", "8")
    compressed = bytearray(succeed(*splits, stdin=text_of(300_000)).stdout)
    # In the codes of a block far behind the first batch.
    compressed[len(compressed) // 2] ^= 1
    Path("a.gsst").write_bytes(compressed)
    of_reference = fail(INVALID_INPUT, "-t", "a.gsst")
    assert ": block 3" in of_reference
    assert (
        fail(INVALID_INPUT, "-d", "--device", "simt", "--memory", "200K", "a.gsst").split(": ")[:3]
        == (of_reference.split(": ")[:3])
    )
    assert files_here() == {"a.gsst"}


def test_memory_of_a_stage_is_checked() -> None:
    Path("a.gsst").write_bytes(succeed("--block-size", "64K", stdin=text_of(100_000)).stdout)
    assert "'2X' is no size" in fail(USAGE, "-t", "--device", "simt", "--memory", "2X", "a.gsst")
    assert "--memory: is for --device gpu and simt" in fail(USAGE, "-t", "--memory", "2G", "a.gsst")
    message = fail(USAGE, "-d", "--device", "simt", "--memory", "50K", "a.gsst")
    assert message.startswith("gsst: a.gsst: --memory: blocks of this size need ")
    assert files_here() == {"a.gsst"}
    needed = message.partition("need ")[2].split()[0]
    succeed("-t", "--device", "simt", "--memory", needed, "a.gsst")


@pytest.mark.parametrize(
    ("stage", "memory"),
    [
        (["--stage", "gsst/08_gpu_encoder"], "64K"),
        (["--stage", "gsst/08_gpu_encoder", "--splits", "1"], "1M"),
        (["--format", "splits", "--stage", "gsst/10_wide_encoder"], "2M"),
        (["--format", "tiles", "--code-bits", "8"], "2M"),
        (["--format", "tiles", "--code-bits", "12"], "2M"),
    ],
)
def test_a_stage_compresses_a_short_input_in_little_memory(stage: list[str], memory: str) -> None:
    for size in (0, 1, 1000):
        text = text_of(size)
        Path("a").write_bytes(text)
        large = ("--device", "simt", *stage, "--block-size", "1G", "--memory", memory)
        of_file = succeed(*large, "-c", "a").stdout
        assert succeed(*large, stdin=text).stdout == of_file
        assert succeed("-d", stdin=of_file).stdout == text
    # No more is read of a longer one than the memory could hold.
    Path("a").write_bytes(text_of(3_000_000))
    message = fail(USAGE, *large, "a")
    assert message.startswith("gsst: a: --memory: blocks of this size need ")


@pytest.mark.parametrize("format_name", FRAME_FORMATS)
def test_a_short_file_of_large_blocks_takes_a_stage_little_memory(format_name: str) -> None:
    for size in (0, 1, 1000):
        text = text_of(size)
        Path("a").write_bytes(text)
        compressed = succeed("--format", format_name, "--block-size", "1G", "-c", "a").stdout
        Path("a.gsst").write_bytes(compressed)
        small = ("-d", "-c", "--device", "simt", "--memory", "64K")
        assert succeed(*small, "a.gsst").stdout == text
        assert succeed(*small, stdin=compressed).stdout == text


@pytest.fixture
def orc_file() -> Path:
    """Of 40 rows: in row i, column c has i + 3 or is null."""
    if b"this build reads: ORC" not in b" ".join(succeed("--help").stdout.split()):
        pytest.skip("built without libprotobuf: no ORC files")
    return BINARY.parents[2] / "data/golden/codag/orc/small_v12_zlib.orc"


def test_a_column_of_an_orc_file(orc_file: Path) -> None:
    column = ("--column", "c", "--null", "-1", orc_file)
    on_simt = succeed("-dc", "--device", "simt", *column).stdout
    for output in (succeed("-dc", *column).stdout, on_simt, None):
        if output is None:
            succeed("-d", "--column", "c", "--null", "-1", "-o", "values", orc_file)
            output = Path("values").read_bytes()
        values = struct.unpack("<40i", output)
        assert -1 in values
        assert all(value in (-1, i + 3) for i, value in enumerate(values))
    report = json.loads(succeed("-t", "--json", "--column", "c", "--null", "-1", orc_file).stdout)[0]
    assert (report["format"], report["rows"], report["nulls"]) == ("ORC", 40, values.count(-1))


def test_a_column_that_cannot_be_decoded_leaves_no_output(orc_file: Path) -> None:
    column = ("-d", "--column", "c", "-o", "values")
    assert "column 'c' has nulls" in fail(USAGE, *column, orc_file)
    assert "column 'c' has nulls" in fail(USAGE, *column, "--device", "simt", orc_file)
    assert "--null: 2147483648 is no value of" in fail(USAGE, *column, "--null", "2147483648", orc_file)
    assert "is a file of columns, of ORC" in fail(USAGE, "-d", "-o", "values", orc_file)
    assert "has no column 'd'" in fail(INVALID_INPUT, "-d", "--column", "d", "-o", "values", orc_file)
    Path("cut.orc").write_bytes(orc_file.read_bytes()[:-1])
    message = fail(INVALID_INPUT, *column, "--null", "-1", "cut.orc")
    assert message.startswith("gsst: cut.orc: postscript: ")
    Path("other").write_bytes(b"no such file")
    assert "is no file of columns" in fail(INVALID_INPUT, *column, "other")
    assert files_here() == {"cut.orc", "other"}
    message = fail(USAGE, "-dc", "--column", "c", stdin=orc_file.read_bytes())
    assert message.startswith("gsst: standard input: is not a regular file; ")


def test_help_and_version() -> None:
    text = succeed("--help").stdout.decode()
    assert "Exit codes:" in text
    assert max(len(line) for line in text.splitlines()) <= 100
    assert succeed("-h").stdout.decode() == text
    assert succeed("--version").stdout.decode().startswith("gsst 0.")


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (["--frmat", "fsst"], "--frmat"),
        (["-dt", "a"], "-d and -t exclude each other"),
        (["--splits", "0", "a"], "--splits"),
        (["--block-size", "4X", "a"], "'4X' is no size"),
        (["--format", "zip", "a"], "'zip'"),
        (["-o", "b", "a", "c"], "2 inputs"),
    ],
)
def test_usage_errors(arguments: list[str], part: str) -> None:
    assert part in fail(USAGE, *arguments)


def test_keep_is_accepted() -> None:
    Path("a").write_bytes(b"text")
    succeed("-k", "a")
    assert files_here() == {"a", "a.gsst"}


# ---- terminals


class Terminal:
    """A terminal, and what a command wrote to it."""

    def __init__(self) -> None:
        self._master, self.descriptor = pty.openpty()

    def run(
        self, *arguments: str, stdin: int | None = None, stdout: int | None = None, stderr: int | None = None
    ) -> tuple[int, str]:
        """Runs the command; gives its exit code and what appeared on the terminal."""
        process = subprocess.Popen([BINARY, *arguments], stdin=stdin, stdout=stdout, stderr=stderr)
        written = bytearray()
        # Once the last program on a terminal has closed it, its last bytes may be lost: it stays open here.
        ended = os.pidfd_open(process.pid)
        while self._master in select.select([self._master, ended], [], [])[0]:
            written += os.read(self._master, 65536)
        for descriptor in (ended, self._master, self.descriptor):
            os.close(descriptor)
        return process.wait(), written.decode(errors="replace")


def test_compressed_bytes_go_to_a_terminal_only_by_force() -> None:
    Path("a").write_bytes(b"text")
    for force, code in (([], USAGE), (["-f"], 0)):
        terminal = Terminal()
        result, written = terminal.run(
            "-c", *force, "a", stdout=terminal.descriptor, stderr=subprocess.DEVNULL
        )
        assert result == code
        assert ("GSST" in written) == (code == 0)


def test_decompressed_bytes_may_go_to_a_terminal() -> None:
    Path("a.gsst").write_bytes(succeed(stdin=b"some text").stdout)
    terminal = Terminal()
    assert terminal.run("-dc", "a.gsst", stdout=terminal.descriptor) == (0, "some text")


@pytest.mark.parametrize("operation", [[], ["-d"], ["-t"]])
def test_a_terminal_is_not_read_without_force(operation: list[str]) -> None:
    terminal = Terminal()
    code, written = terminal.run(
        *operation, stdin=terminal.descriptor, stdout=subprocess.DEVNULL, stderr=terminal.descriptor
    )
    assert code == USAGE
    assert "standard input: is a terminal; name a FILE" in written


@pytest.mark.parametrize(
    "arguments",
    [
        ["-f", "-T1", "a"],
        ["-df", "-T1", "a.gsst"],
        ["-df", "--device", "simt", "--stage", "gsst/02_splits", "--memory", "6M", "a.gsst"],
    ],
    ids=["compress", "decompress", "stage"],
)
def test_progress_on_a_terminal(arguments: list[str]) -> None:
    Path("a").write_bytes(text_of(9_000_000))
    succeed("-q", "--format", "splits", "--block-size", "512K", "a")
    terminal = Terminal()
    code, written = terminal.run(*arguments, stderr=terminal.descriptor)
    assert code == 0
    first, *_, last = written.split("\r")[1:-1]
    for part in ("[#", " %  ", "B/s", " left"):
        assert part in first
    # The line is wiped before the summary.
    assert last.startswith("\033[K")
    assert " bytes" in last


@pytest.mark.parametrize("option", ["-q", None])
def test_no_progress_when_quiet_or_not_on_a_terminal(option: str | None) -> None:
    Path("a").write_bytes(text_of(1_000_000))
    if option is None:
        assert b"\r" not in succeed("a").stderr
        return
    terminal = Terminal()
    assert terminal.run(option, "a", stderr=terminal.descriptor) == (0, "")


# ---- memory


@pytest.mark.parametrize("format_name", ["splits", "tiles", "fsst"])
def test_memory_stays_bounded(format_name: str) -> None:
    """A pipe longer than the memory that is allowed, there and back."""
    piece = text_of(1 << 20)
    pieces = 640
    limit_kib = 512 << 10
    compress = subprocess.Popen(
        [BINARY, "--format", format_name], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    decompress = subprocess.Popen(
        [BINARY, "-d", "--format", format_name], stdin=compress.stdout, stdout=subprocess.PIPE
    )
    assert compress.stdout is not None
    assert decompress.stdout is not None
    compress.stdout.close()

    def feed() -> None:
        assert compress.stdin is not None
        for _ in range(pieces):
            compress.stdin.write(piece)
        compress.stdin.close()

    feeder = threading.Thread(target=feed)
    feeder.start()
    digest = hashlib.sha256()
    while received := decompress.stdout.read(1 << 20):
        digest.update(received)
    feeder.join()
    decompress.stdout.close()
    expected = hashlib.sha256()
    for _ in range(pieces):
        expected.update(piece)
    assert digest.digest() == expected.digest()
    for process in (compress, decompress):
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        assert process.returncode == 0
        assert usage.ru_maxrss < limit_kib


def test_memory_of_a_stage_stays_bounded() -> None:
    """A file whose output is longer than the memory that the command may have."""
    limit = 64 << 20

    def limit_memory() -> None:
        resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))

    Path("a").write_bytes(text_of(2 * limit))
    succeed("--format", "splits", "--block-size", "256K", "--splits", "32", "a")
    test = ("-t", "--device", "simt", "a.gsst", "--memory")
    assert gsst(*test, "8M", in_child=limit_memory).returncode == 0
    too_much = gsst(*test, "1G", in_child=limit_memory)
    assert too_much.returncode == INPUT_OUTPUT
    assert b"out of memory; use smaller blocks, fewer threads or less --memory" in too_much.stderr


def test_column_is_handed_over_to_the_python_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "gsst-column"
    program.write_text('#!/bin/sh\nprintf "%s," "$@"\ncat\nexit 7\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    result = gsst("column", "pack", "a b", "-o", "c", stdin=b"input")
    assert (result.returncode, result.stdout, result.stderr) == (7, b"pack,a b,-o,c,input", b"")


def test_column_without_the_python_package_says_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    assert "cannot run gsst-column: it is not in PATH" in fail(USAGE, "column", "pack")


def test_a_file_may_be_named_column() -> None:
    Path("column").write_bytes(text_of(1000))
    succeed("./column")
    assert Path("column.gsst").exists()


def test_zero_length_coding_in_both_forms() -> None:
    content = b"\0" * 700 + text_of(3_000) + b"\xff\0\0\0\0" * 200 + random_bytes(1_000)
    Path("a").write_bytes(content)
    succeed("--format", "zle", "--block-size", "2K", "a")
    succeed("--format", "zle_bare", "--block-size", "2K", "a")
    assert succeed("-d", "-c", "a.gsst").stdout == content
    assert succeed("-d", "-c", "a.zle").stdout == content
    bare = Path("a.zle").read_bytes()
    assert bare[-8:] == bytes(8)
    assert succeed("-d", "--format", "zle_bare", stdin=bare).stdout == content
    assert "--format zle_bare" in fail(INVALID_INPUT, "-d", stdin=bare)
    frame, file = json.loads(succeed("-l", "--json", "a.gsst", "a.zle").stdout)
    assert (frame["format"], frame["block_bytes"], frame["checksum"]) == ("zle", 2048, "xxh64")
    assert (file["format"], file["block_bytes"], file["checksum"]) == ("zle_bare", 2048, None)
    assert frame["uncompressed_bytes"] == file["uncompressed_bytes"] == len(content)


@pytest.mark.parametrize("format_name", ["zle", "zle_bare"])
def test_a_stage_without_a_kernel_compresses_on_the_cpu(format_name: str) -> None:
    content = b"\0" * 700 + text_of(3_000)
    stage = ("--device", "cpu", "--stage", "zero_length/01_naive")
    compressed = succeed("--format", format_name, stdin=content).stdout
    assert succeed("--format", format_name, *stage, stdin=content).stdout == compressed
    message = fail(USAGE, "--format", "blocks", *stage, stdin=content)
    assert "zero_length/01_naive does not write format blocks" in message
    assert "--memory" in fail(USAGE, "--format", format_name, *stage, "--memory", "1K", stdin=content)
    if format_name == "zle":
        assert succeed("-d", *stage, stdin=compressed).stdout == content


@pytest.mark.parametrize("marker", ["rarest", "ff"])
@pytest.mark.parametrize("runs_of_4", ["one-byte", "two-bytes"])
def test_zero_length_coding_with_markers_of_each_block(marker: str, runs_of_4: str) -> None:
    content = b"\0" * 700 + text_of(3_000) + b"\xff\0\0\0\0" * 200 + random_bytes(1_000)
    options = ("--format", "zle_markers", "--marker", marker, "--runs-of-4", runs_of_4, "--block-size", "2K")
    stage = ("--device", "cpu", "--stage", "zero_length/07_markers")
    compressed = succeed(*options, stdin=content).stdout
    assert succeed(*options, *stage, stdin=content).stdout == compressed
    assert succeed("-d", stdin=compressed).stdout == content
    assert succeed("-d", *stage, stdin=compressed).stdout == content
    is_default = (marker, runs_of_4) == ("rarest", "one-byte")
    by_default = succeed("--format", "zle_markers", "--block-size", "2K", stdin=content).stdout
    assert (by_default == compressed) == is_default


@pytest.mark.parametrize("format_name", INTEGER_FORMATS)
@pytest.mark.parametrize(
    ("name", "code"), [("i8", "b"), ("i16", "h"), ("i32", "i"), ("u32", "I"), ("i64", "q"), ("u64", "Q")]
)
def test_values_of_each_type_are_packed_and_come_back_without_naming_it(
    name: str, code: str, format_name: str
) -> None:
    content = struct.pack(f"<3000{code}", *(100 + i % 17 for i in range(3000)))
    packed = succeed("--format", format_name, "--type", name, stdin=content).stdout
    # Five bits of a value, and less than two for the rest.
    assert len(packed) < 3000 * 7 / 8 + 300
    assert succeed("-d", stdin=packed).stdout == content
    assert succeed("-d", "--device", "simt", stdin=packed).stdout == content


@pytest.mark.parametrize("format_name", ["nsf", "bp"])
@pytest.mark.parametrize(("value_bytes", "code"), [(2, "H"), (4, "I"), (8, "Q")])
def test_values_lose_what_none_of_them_needs(format_name: str, value_bytes: int, code: str) -> None:
    content = struct.pack(f"<3000{code}", *(100 + i % 150 for i in range(3000)))
    packed = succeed("--format", format_name, "--value-bytes", str(value_bytes), stdin=content).stdout
    assert len(packed) < 3000 + 400
    assert succeed("-d", stdin=packed).stdout == content
    assert succeed("-d", "--device", "simt", stdin=packed).stdout == content
    assert "value-bytes" in fail(USAGE, "--format", format_name, "--value-bytes", "3", stdin=content)


def test_values_are_stored_as_differences_in_whole_bytes() -> None:
    content = struct.pack("<3000I", *(10**6 + 100 * i for i in range(3000)))
    packed = succeed("--format", "delta_nsf", stdin=content).stdout
    assert len(packed) < 3000 + 300
    assert succeed("-d", stdin=packed).stdout == content


def test_values_are_stored_as_their_places_in_a_dictionary() -> None:
    content = struct.pack("<3000I", *(2 ** (i % 32) for i in range(3000)))
    packed = succeed("--format", "dict", stdin=content).stdout
    assert len(packed) < 3000 + 4 * 32 + 200
    assert succeed("-d", stdin=packed).stdout == content
    assert succeed("-d", "--device", "simt", stdin=packed).stdout == content


def test_each_value_has_as_many_bytes_as_it_needs() -> None:
    content = struct.pack("<3000I", *(2 ** (i % 32) for i in range(3000)))
    packed = succeed("--format", "nsv", stdin=content).stdout
    # A quarter of a byte, and one to four.
    assert len(packed) < 3000 * 2.75 + 200
    assert succeed("-d", stdin=packed).stdout == content


@pytest.mark.parametrize(("format_name", "bytes_of_a_run"), [("rle", 12), ("rle_nsf", 2)])
def test_runs_are_stored_as_values_and_lengths(format_name: str, bytes_of_a_run: int) -> None:
    content = struct.pack("<3000Q", *(100 + i // 30 for i in range(3000)))
    packed = succeed("--format", format_name, "--value-bytes", "8", stdin=content).stdout
    assert len(packed) < 100 * bytes_of_a_run + 200
    assert succeed("-d", stdin=packed).stdout == content


@pytest.mark.parametrize("format_name", ["orc_rle_v1", "orc_rle_v2"])
@pytest.mark.parametrize(("name", "code"), [("i8", "b"), ("u32", "I"), ("i64", "q")])
def test_values_are_stored_in_runs_as_orc_has_them(format_name: str, name: str, code: str) -> None:
    content = struct.pack(f"<3000{code}", *(i // 30 for i in range(3000)))
    packed = succeed("--format", format_name, "--type", name, "--block-size", "4K", stdin=content).stdout
    # Runs of 30 take 2 to 5 bytes.
    assert len(packed) < 100 * 5 + 1000
    assert succeed("-d", stdin=packed).stdout == content
    # Byte 1 of the first block's stream: a run has another difference, or other values.
    damaged = bytearray(packed)
    damaged[40 + 24 + 2] ^= 0x40
    assert "block 0" in fail(INVALID_INPUT, "-d", stdin=bytes(damaged))


def test_packed_numbers_have_aligned_or_tight_widths() -> None:
    content = struct.pack("<3000I", *(i * 7919 % 2**21 for i in range(3000)))
    chosen = ("--format", "orc_rle_v2", "--type", "u32")
    aligned = succeed(*chosen, stdin=content).stdout
    assert succeed(*chosen, "--packing", "aligned", stdin=content).stdout == aligned
    tight = succeed(*chosen, "--packing", "tight", stdin=content).stdout
    assert len(tight) < len(aligned) * 22 / 24
    assert succeed("-d", stdin=tight).stdout == succeed("-d", stdin=aligned).stdout == content
    assert "--packing" in fail(USAGE, "--format", "orc_rle_v1", "--packing", "tight", stdin=content)


def test_bytes_are_stored_in_runs_as_orc_has_them() -> None:
    content = b"".join(bytes((i % 256,)) * (1 + i % 5) for i in range(3000))
    packed = succeed("--format", "byte_rle", stdin=content).stdout
    assert len(packed) < len(content)
    assert succeed("-d", stdin=packed).stdout == content


@pytest.mark.parametrize("format_name", ["for", "dfor", "rfor"])
@pytest.mark.parametrize(("name", "code"), [("i32", "i"), ("i64", "q")])
def test_kernels_pack_values_as_the_codec_does(format_name: str, name: str, code: str) -> None:
    content = struct.pack(f"<5000{code}", *(i * 3 + i % 17 - 7000 for i in range(5000)))
    chosen = ("--format", format_name, "--type", name, "--block-size", "9K", "--checksum", "xxh64-tree")
    packed = succeed(*chosen, stdin=content).stdout
    assert succeed(*chosen, "--device", "simt", stdin=content).stdout == packed
    assert succeed("-d", "--device", "simt", stdin=packed).stdout == content
    Path("values").write_bytes(content)
    encoder = ("--device", "simt", "--stage", "tile_integer/11_gpu_encoder")
    assert succeed(*chosen, *encoder, "-c", "values").stdout == packed
    report = succeed(*chosen, *encoder, "-v", "values").stderr
    assert f"values of type {name}".encode() in report
    of_one_chain = ("--format", format_name, "--device", "simt", "--checksum", "xxh64")
    assert "writes xxh64-tree" in fail(USAGE, *of_one_chain, "-c", "values")


@pytest.mark.parametrize(
    ("format_name", "decoder", "other"),
    [
        ("for", "13_cpu_codec", "01_global"),
        ("dfor", "13_cpu_deltas", "05_delta"),
        ("rfor", "13_cpu_runs", "06_runs"),
    ],
)
@pytest.mark.parametrize("threads", [(), ("-T", "1"), ("-T", "3")], ids=["all", "one", "three"])
def test_on_the_cpu_stages_take_the_place_of_codecs_and_write_their_bytes(
    format_name: str, decoder: str, other: str, threads: tuple[str, ...]
) -> None:
    content = struct.pack("<9000h", *(i // 7 * 3 - 5000 for i in range(9000)))
    Path("values").write_bytes(content)
    chosen = ("--format", format_name, "--type", "i16", "--block-size", "4K", "-v", "-f", *threads)
    report = succeed(*chosen, "values").stderr
    assert f"; format {format_name}, stage tile_integer/13_cpu_codec, values of type i16".encode() in report
    # A stage without code for the CPU leaves the work to the codec.
    codec = succeed(*chosen, "--device", "cpu", "--stage", "tile_integer/11_gpu_encoder", "-c", "values")
    assert b"stage" not in codec.stderr
    assert codec.stdout == Path("values.gsst").read_bytes() == succeed(*chosen, stdin=content).stdout

    decoded = succeed("-d", "-c", "-v", *threads, "values.gsst")
    assert decoded.stdout == content == succeed("-d", *threads, stdin=codec.stdout).stdout
    assert f"; format {format_name}, stage tile_integer/{decoder}, 5 blocks, ".encode() in decoded.stderr
    by_codec = ("--device", "cpu", "--stage", f"tile_integer/{other}")
    decoded = succeed("-d", "-c", "-v", *by_codec, *threads, "values.gsst")
    assert (decoded.stdout, b"stage" in decoded.stderr) == (content, False)

    damaged = bytearray(codec.stdout)
    damaged[64] = 0xFF  # The type, at the start of the first payload.
    for broken in (bytes(damaged), codec.stdout[:300]):
        message = fail(INVALID_INPUT, "-d", *threads, stdin=broken)
        assert message.startswith("gsst: standard input: block 0: ")
        of_codec = fail(INVALID_INPUT, "-d", *by_codec, stdin=broken)
        assert message.split(":")[:4] == of_codec.split(":")[:4]
    assert "--memory: is for --device gpu and simt" in fail(USAGE, "--memory", "1K", *chosen, "-c", "values")


@pytest.mark.parametrize("format_name", ["zle", "zle_markers", "ifor", "splits"])
def test_on_the_cpu_other_formats_are_left_to_their_codecs(format_name: str) -> None:
    Path("values").write_bytes(bytes(5000))
    assert b"stage" not in succeed("--format", format_name, "-v", "values").stderr
    assert b"stage" not in succeed("-t", "-v", "values.gsst").stderr


@pytest.mark.parametrize("format_name", INTEGER_FORMATS)
def test_a_file_that_is_no_whole_values_is_refused(tmp_path: Path, format_name: str) -> None:
    path = tmp_path / "values"
    path.write_bytes(bytes(4001))
    options = ("--format", format_name, "--type", "i32")
    message = fail(USAGE, *options, path)
    assert f"{path}: 4001 bytes are no whole values of --type i32, which have 4 each" in message
    assert list(tmp_path.iterdir()) == [path]
    assert "4001 bytes are no whole" in fail(USAGE, *options, stdin=bytes(4001))
    # Without a type the bytes at the end stay as they are.
    packed = succeed("--format", format_name, stdin=bytes(4001)).stdout
    assert succeed("-d", stdin=packed).stdout == bytes(4001)


def array_file(numpy_type: str, values: bytes) -> bytes:
    """A file of numpy, version 1.0 of its format."""
    header = f"{{'descr': '{numpy_type}', 'fortran_order': False, 'shape': (3000,), }}".encode()
    header = header.ljust(117) + b"\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header + values


@pytest.mark.parametrize(("numpy_type", "code"), [("|i1", "b"), ("<i2", "h"), ("<u4", "I"), ("<i8", "q")])
def test_the_header_of_an_array_says_its_type(numpy_type: str, code: str) -> None:
    array = array_file(numpy_type, struct.pack(f"<3000{code}", *(100 + i % 17 for i in range(3000))))
    packed = succeed("--format", "for", stdin=array).stdout
    assert len(packed) < 3000 * 7 / 8 + 500
    assert succeed("-d", stdin=packed).stdout == array
    Path("values.npy").write_bytes(array)
    succeed("--format", "for", "--blocks", "3", "values.npy")
    assert len(Path("values.npy.gsst").read_bytes()) < 3000 * 7 / 8 + 700
    succeed("-d", "-f", "values.npy.gsst")
    assert Path("values.npy").read_bytes() == array


VALUES_FOR_FORMATS = {
    "for": [i * 7919 % 1000 for i in range(5000)],
    "dfor": [10 * i + i % 3 for i in range(5000)],
    "rfor": [i // 40 * 7919 % 1000 for i in range(5000)],
}


@pytest.mark.parametrize("name", VALUES_FOR_FORMATS)
def test_the_format_that_makes_an_input_smallest_is_chosen(name: str) -> None:
    content = struct.pack("<5000i", *VALUES_FOR_FORMATS[name])
    Path("values").write_bytes(content)
    run = succeed("--format", "auto", "--type", "i32", "-v", "values")
    packed = Path("values.gsst").read_bytes()
    assert packed == succeed("--format", name, "--type", "i32", stdin=content).stdout
    said = run.stderr.decode()
    stage = "stage tile_integer/13_cpu_codec"
    assert f"format {name}, {stage}, chosen: of the first 20000 bytes for makes " in said
    assert f"{name} makes {len(packed)}" in said
    # Of a pipe, and of an array that says its type.
    assert succeed("--format", "auto", "--type", "i32", stdin=content).stdout == packed
    array = array_file("<i4", content)
    from_array = succeed("--format", "auto", stdin=array).stdout
    assert from_array == succeed("--format", name, stdin=array).stdout
    assert succeed("-d", stdin=from_array).stdout == array


def test_a_format_is_chosen_of_any_input_and_for_compression_alone() -> None:
    for content in (b"", b"abc", random_bytes(1_000_003)):
        assert succeed("-d", stdin=succeed("--format", "auto", stdin=content).stdout).stdout == content
    message = fail(USAGE, "-d", "--format", "auto", stdin=b"")
    assert "--format auto is for compression; -d finds the format in the file" in message
    assert "and auto" in fail(USAGE, "--format", "zip", stdin=b"")
    assert "10000000001 bytes" in fail(USAGE, "--format", "auto", "--block-size", "10000000001", stdin=b"")


def test_an_array_of_other_values_needs_a_type() -> None:
    for numpy_type in ("<f4", ">i4", "<u2"):
        array = array_file(numpy_type, bytes(12_000))
        Path("values.npy").write_bytes(array)
        message = fail(INVALID_INPUT, "--format", "for", "values.npy")
        assert f"values.npy: an array of numpy type '{numpy_type}'; name the --type" in message
        assert "i8, i16, i32, u32, i64, u64" in message
        assert files_here() == {"values.npy"}
        packed = succeed("--format", "for", "--type", "u32", stdin=array).stdout
        assert succeed("-d", stdin=packed).stdout == array
    # Other formats take its bytes.
    assert succeed("-d", stdin=succeed("--format", "zle", stdin=array).stdout).stdout == array


def test_runs_are_stored_as_such_and_sorted_values_as_their_differences() -> None:
    content = struct.pack("<9000i", *(1000 * (i // 100) for i in range(9000)))
    sizes = [len(succeed("--format", name, stdin=content).stdout) for name in ("rfor", "for")]
    assert 3 * sizes[0] < sizes[1]
    content = struct.pack("<9000i", *(1000 * i for i in range(9000)))
    sizes = [len(succeed("--format", name, stdin=content).stdout) for name in ("dfor", "for", "rfor")]
    assert 3 * sizes[0] < min(sizes[1:])


def test_other_stages_and_formats_refuse_markers_of_each_block() -> None:
    compressed = succeed("--format", "zle_markers", stdin=bytes(1000)).stdout
    for stage in ("zero_length/01_naive", "zero_length/05_cuda_scan"):
        device = "cpu" if stage.endswith("naive") else "simt"
        chosen = ("--device", device, "--stage", stage)
        message = fail(USAGE, "-d", *chosen, stdin=compressed)
        assert f"has format zle_markers, stage {stage} decompresses zle" in message
        message = fail(USAGE, "--format", "zle_markers", *chosen, stdin=bytes(1000))
        assert f"stage {stage} does not write format zle_markers" in message
    for format_name in ("zle", "zle_bare"):
        assert "--marker" in fail(USAGE, "--format", format_name, "--marker", "ff", stdin=bytes(1000))


def test_a_bare_file_that_is_cut_short_leaves_nothing() -> None:
    content = b"\0" * 70 + b"\xffabc" * 5 + b"\0" * 9
    bare = succeed("--format", "zle_bare", stdin=content).stdout
    for size in range(len(bare)):
        message = fail(INVALID_INPUT, "-d", "--format", "zle_bare", stdin=bare[:size])
        assert "block" in message
    Path("a.zle").write_bytes(bare[:-1])
    fail(INVALID_INPUT, "-d", "a.zle")
    assert files_here() == {"a.zle"}


def test_gzip_files_are_known_by_their_magic_with_all_members(tmp_path: Path) -> None:
    text = b"several words and several more of them\n" * 3000
    members = [gzip.compress(text, 9), gzip.compress(b""), gzip.compress(text[:77], 1), gzip.compress(b"")]
    (tmp_path / "a.bin").write_bytes(b"".join(members))
    result = succeed("-d", "-v", "a.bin", "-o", "a")
    assert (tmp_path / "a").read_bytes() == text + text[:77]
    assert b"format gzip, decoded by zlib, 4 blocks" in result.stderr
    (tmp_path / "empty.gz").write_bytes(gzip.compress(b""))
    succeed("-d", "empty.gz")
    assert (tmp_path / "empty").read_bytes() == b""


def test_memory_does_not_follow_from_the_size_of_a_gzip_file() -> None:
    """One member whose output is longer than the memory that the command may have."""
    limit = 32 << 20

    def limit_memory() -> None:
        resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))

    Path("a.gz").write_bytes(gzip.compress(bytes(4 * limit), 1))
    assert gsst("-t", "a.gz", in_child=limit_memory).returncode == 0


@pytest.mark.parametrize(("place", "said"), [(-8, "data check"), (-4, "length check"), (None, "cut short")])
def test_a_damaged_gzip_file_leaves_no_output(tmp_path: Path, place: int | None, said: str) -> None:
    damaged = bytearray(gzip.compress(b"some words " * 100_000))
    if place is None:
        damaged = damaged[:-9]
    else:
        damaged[place] ^= 1
    (tmp_path / "a.gz").write_bytes(gzip.compress(b"good") + damaged)
    message = fail(INVALID_INPUT, "-d", "a.gz")
    assert "block 1: member: " in message
    assert said in message
    assert list(tmp_path.iterdir()) == [tmp_path / "a.gz"]


def member_with_size(text: bytes, level: int = 6) -> bytes:
    """As bgzip writes it."""
    member = gzip.compress(text, level, mtime=0)
    extra = struct.pack("<HBBHH", 6, 66, 67, 2, len(member) + 8 - 1)
    return member[:3] + b"\4" + member[4:10] + extra + member[10:]


def test_a_stage_decodes_the_members_of_gzip_files() -> None:
    text = b"several words and several more of them\n" * 1000
    small = text[:77]
    parts = (member_with_size(text), member_with_size(b""), member_with_size(small, 0))
    Path("sized.gz").write_bytes(b"".join(parts))
    run = succeed("-d", "-v", "--device", "simt", "sized.gz", "-o", "a")
    assert Path("a").read_bytes() == text + small
    assert b"3 members with a stated size, CRC-32 checked on simt, 3 blocks" in run.stderr
    with gzip.GzipFile("named.gz", "wb") as named:
        named.write(text)
    Path("plain.gz").write_bytes(gzip.compress(small, 1) + Path("named.gz").read_bytes())
    chosen = ("--device", "simt", "--stage", "codag/08_substreams")
    run = succeed("-d", "-v", *chosen, "plain.gz", "-o", "b")
    assert Path("b").read_bytes() == small + text
    assert (
        b"stage codag/08_substreams, 2 members found by their headers, CRC-32 checked on simt" in run.stderr
    )
    report = json.loads(succeed("-d", "--json", "--device", "simt", "plain.gz", "-o", "c").stdout)[0]
    assert (report["members_with_size"], report["members_found"], report["members_by_zlib"]) == (0, 2, 0)
    message = fail(USAGE, "-d", "--device", "simt", stdin=gzip.compress(text))
    assert "not a regular file; a stage looks for its parts all over it" in message
    for stage in ("gsst/04_alignment", "codag/05_writes"):
        message = fail(USAGE, "-d", "--device", "simt", "--stage", stage, "plain.gz", "-o", "d")
        assert f"plain.gz: has format gzip, stage {stage} decompresses " in message


def test_no_stage_is_named_where_zlib_decodes_all_members() -> None:
    text = b"several words\n" * 1000
    # Bytes 0 after it hide where the member ends.
    Path("padded.gz").write_bytes(gzip.compress(text) + bytes(9))
    run = succeed("-d", "-v", "--device", "simt", "padded.gz", "-o", "a")
    assert Path("a").read_bytes() == text
    assert b"format gzip, from member 0 on decoded by zlib, since " in run.stderr
    assert b"stage" not in run.stderr


@pytest.mark.parametrize(
    ("place", "said"), [(-8, "CRC-32: is not"), (-4, "than stated"), (0, "header check")]
)
def test_damage_that_a_stage_finds_in_a_gzip_file_leaves_no_output(place: int, said: str) -> None:
    damaged = bytearray(member_with_size(b"some words " * 1000))
    damaged[place] ^= 1
    Path("a.gz").write_bytes(member_with_size(b"good") + damaged + member_with_size(b"good"))
    message = fail(INVALID_INPUT, "-d", "--device", "simt", "a.gz")
    assert "block 1: " in message
    assert said in message
    assert " of the file" in message
    assert files_here() == {"a.gz"}


def test_members_of_bgzf_are_written_and_decoded_as_units() -> None:
    text = random.Random(SEED).randbytes(1000) * 200
    Path("a").write_bytes(text)
    run = succeed("--format", "gzip", "--members", "bgzf", "-v", "a", "-o", "a.gz")
    assert b"5 blocks of at most 65280 bytes" in run.stderr
    assert gzip.decompress(Path("a.gz").read_bytes()) == text
    run = succeed("-d", "-v", "--device", "simt", "a.gz", "-o", "b")
    assert b"5 members with a stated size, CRC-32 checked on simt" in run.stderr
    assert Path("b").read_bytes() == text
    bgzf = ("--format", "gzip", "--members", "bgzf")
    assert "a member of BGZF has at most 65280 bytes" in fail(
        USAGE, *bgzf, "--block-size", "64K", "a", "-o", "c.gz"
    )


def test_files_of_zlib_are_known_by_their_suffix_or_by_the_option() -> None:
    text = b"several words and several more of them\n" * 3000
    Path("a.zz").write_bytes(zlib.compress(text, 9))
    Path("a.bin").write_bytes(zlib.compress(b""))
    run = succeed("-d", "-v", "a.zz")
    assert Path("a").read_bytes() == text
    assert b"format zlib, decoded by zlib, 1 block" in run.stderr
    assert "a file of zlib needs --format zlib" in fail(INVALID_INPUT, "-d", "a.bin", "-o", "b")
    assert succeed("-d", "--format", "zlib", "-c", "a.bin").stdout == b""
    assert json.loads(succeed("-l", "--json", "a.zz").stdout)[0]["uncompressed_bytes"] == len(text)
    run = succeed("-d", "-v", "--device", "simt", "a.zz", "-o", "c")
    assert Path("c").read_bytes() == text
    assert b"stage codag/08_substreams, one stream, which is one chunk and slow" in run.stderr
    assert b"Adler-32 checked on simt, 1 block" in run.stderr
    report = json.loads(succeed("-d", "--json", "--device", "simt", "a.zz", "-o", "d").stdout)[0]
    assert report["streams_by_zlib"] == 0


@pytest.mark.parametrize("device", ["cpu", "simt"])
@pytest.mark.parametrize(
    ("place", "value", "said"),
    [
        (-1, None, "Adler-32: is not that of the decompressed bytes"),
        (1, 0xBB, "FDICT: is set: the stream needs a dictionary"),
        (1, 0, "FCHECK: is not that of a header of zlib"),
        (None, b"\0", "stream: is followed by other bytes"),
        (None, None, "stream: is cut short"),
    ],
)
def test_a_damaged_file_of_zlib_leaves_no_output(
    device: str, place: int | None, value: int | bytes | None, said: str
) -> None:
    damaged = bytearray(zlib.compress(b"some words " * 1000))
    if place is not None:
        damaged[place] = value if isinstance(value, int) else damaged[place] ^ 1
    elif isinstance(value, bytes):
        damaged += value
    else:
        damaged = damaged[:-9]
    Path("a.zz").write_bytes(damaged)
    assert said in fail(INVALID_INPUT, "-d", "--device", device, "a.zz")
    assert files_here() == {"a.zz"}


@pytest.mark.parametrize("format_name", ["deflate", "gzip", "zlib"])
@pytest.mark.parametrize("level", ["0", "1", "9", "10", "12"])
def test_deflate_has_levels_of_two_libraries(tmp_path: Path, format_name: str, level: str) -> None:
    text = random.Random(SEED).randbytes(1000) * 500
    (tmp_path / "a").write_bytes(text)
    result = succeed("--format", format_name, "--level", level, "-v", "a", "-o", "a.packed")
    library = "libdeflate" if int(level) > 9 else "zlib"
    assert f"level {level} of {library}, ".encode() in result.stderr
    succeed("-d", *(("--format", "zlib") if format_name == "zlib" else ()), "a.packed", "-o", "b")
    assert (tmp_path / "b").read_bytes() == text
    if level == "9":
        assert succeed("--format", format_name, "-9c", "a").stdout == (tmp_path / "a.packed").read_bytes()
    if format_name == "gzip":
        assert gzip.decompress((tmp_path / "a.packed").read_bytes()) == text
    elif format_name == "zlib":
        assert zlib.decompress((tmp_path / "a.packed").read_bytes()) == text
    else:
        assert json.loads(succeed("--list", "--json", "a.packed").stdout)[0]["block_bytes"] == 128 << 10
