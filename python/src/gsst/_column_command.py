"""The command `gsst column`: columns of strings or integers of Parquet and Arrow files, compressed and back.

The package installs it as gsst-column, which the command gsst runs for `gsst column`.
"""

from __future__ import annotations

import argparse
import errno
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn, get_args

from gsst._column import Column, ColumnInfo, compress_column, read_column
from gsst._command_error import EXIT_DAMAGED, EXIT_INPUT_OUTPUT, EXIT_USAGE, CommandError
from gsst._error import Error, ErrorCode
from gsst._integer_column import IntegerColumn, IntegerColumnInfo
from gsst._options import ALL_THREADS, INTEGER_FORMAT_NUMBERS, AutoLayout, Checksum, Format, Layout
from gsst._output_file import output_file
from gsst._parts import map_file, part_named, split_parts, values_from
from gsst._termination import start_termination_watch

if TYPE_CHECKING:
    import pyarrow as pa

# A part ends with the batch of values in which it comes to one of these.
PART_STRINGS = 1 << 20
PART_INTEGERS = 1 << 23
PART_BYTES = 64 << 20

# What is left that the library refuses is damage.
_EXIT_CODES = {ErrorCode.INVALID_ARGUMENT: EXIT_USAGE, ErrorCode.OUT_OF_MEMORY: EXIT_INPUT_OUTPUT}

FORMATS = [name for name in get_args(Format) if name != "fsst"] + list(INTEGER_FORMAT_NUMBERS)


def _parts_of(batches: Iterator[pa.Array], data_type: pa.DataType, most: int) -> Iterator[pa.Array]:
    """The values as arrays that are parts of about `most`; one without values where there are none."""
    import pyarrow as pa

    gathered: list[pa.Array] = []
    values = value_bytes = 0
    is_first = True
    for batch in batches:
        gathered.append(batch)
        values += len(batch)
        value_bytes += batch.nbytes
        if values >= most or value_bytes >= PART_BYTES:
            yield pa.concat_arrays(gathered)
            gathered, values, value_bytes, is_first = [], 0, 0, False
    if values or is_first:
        yield pa.concat_arrays([pa.array([], data_type), *gathered])


def pack(arguments: argparse.Namespace) -> None:
    """Compresses a column of a Parquet or Arrow file."""
    from gsst._arrow_files import holds_integers, open_column

    with (
        open_column(arguments.file, arguments.column) as (data_type, batches),
        output_file(arguments.output, source=arguments.file, replace=arguments.force) as file,
    ):
        most = PART_INTEGERS if holds_integers(data_type) else PART_STRINGS
        first = 0
        for values in _parts_of(batches, data_type, most):
            with values_from(first):
                part = compress_column(
                    values,
                    format=arguments.format,
                    level=arguments.level,
                    threads=arguments.threads,
                    strip_codes=arguments.strip_codes,
                    checksum=arguments.checksum,
                    layout=arguments.layout,
                    separator=arguments.separator,
                )
            file.write(part)
            first += len(values)


def _columns(parts: list[memoryview], threads: int) -> Iterator[Column | IntegerColumn]:
    """The parts of a column, each checked when its turn comes."""
    for number, part in enumerate(parts):
        with part_named(number, len(parts)):
            column = read_column(part, threads=threads)
        yield column


def _infos(parts: list[memoryview]) -> list[ColumnInfo | IntegerColumnInfo]:
    return [column.info for column in _columns(parts, threads=1)]


def _common_type(infos: Sequence[ColumnInfo | IntegerColumnInfo]) -> str:
    """The type of every part. Raises Error where they differ."""
    for number, info in enumerate(infos):
        if info.type != infos[0].type:
            raise Error(ErrorCode.DAMAGED, f"part {number} is of type {info.type}, part 0 of {infos[0].type}")
    return infos[0].type


def unpack(arguments: argparse.Namespace) -> None:
    """Decompresses a column to a Parquet or Arrow file."""
    import pyarrow as pa

    from gsst._arrow_files import is_parquet, write_column

    is_parquet(arguments.output)
    with output_file(arguments.output, source=arguments.file, replace=arguments.force) as file:
        parts = split_parts(map_file(arguments.file))
        _common_type(_infos(parts))
        data_type = pa.array(read_column(parts[0]).slice(0, 0)).type
        with write_column(file, arguments.output, arguments.column, data_type) as writer:
            for number, column in enumerate(_columns(parts, arguments.threads)):
                with part_named(number, len(parts)):
                    writer.write(pa.array(column))


def _name_of_separator(separator: bytes | None) -> str:
    return "none" if separator is None else f"0x{separator.hex()}"


def _lines_of_strings(infos: list[ColumnInfo]) -> dict[str, int | str]:
    string_bytes = sum(info.string_bytes for info in infos)
    compressed_bytes = sum(info.compressed_bytes for info in infos)
    return {
        "layout": ", ".join(sorted({layout for info in infos for layout in info.layouts})),
        "separator": ", ".join(sorted({_name_of_separator(info.separator) for info in infos})),
        "strings": sum(info.string_count for info in infos),
        "nulls": sum(info.null_count for info in infos),
        "bytes of strings": string_bytes,
        "compressed": compressed_bytes,
        "of it lengths and nulls": sum(info.length_bytes for info in infos),
        "ratio": f"{string_bytes / compressed_bytes:.3f}",
    }


def _lines_of_integers(infos: list[IntegerColumnInfo]) -> dict[str, int | str]:
    value_bytes = sum(info.value_bytes for info in infos)
    compressed_bytes = sum(info.compressed_bytes for info in infos)
    return {
        "format": ", ".join(sorted({info.format for info in infos})),
        "values": sum(info.value_count for info in infos),
        "nulls": sum(info.null_count for info in infos),
        "bytes of values": value_bytes,
        "compressed": compressed_bytes,
        "of it nulls": sum(info.null_bytes for info in infos),
        "ratio": f"{value_bytes / compressed_bytes:.3f}",
    }


def show(arguments: argparse.Namespace) -> None:
    """Prints what a compressed column holds."""
    infos = _infos(split_parts(map_file(arguments.file)))
    lines: dict[str, int | str] = {"type": _common_type(infos)}
    # There are those of one kind only, since they are of one type.
    strings = [info for info in infos if isinstance(info, ColumnInfo)]
    integers = [info for info in infos if isinstance(info, IntegerColumnInfo)]
    lines |= _lines_of_strings(strings) if strings else _lines_of_integers(integers)
    lines["parts"] = len(infos)
    _print("".join(f"{name:24}{value}\n" for name, value in lines.items()))


def _parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="gsst column",
        description="Compresses columns of strings or integers of Parquet and Arrow files, and back.",
    )
    commands = parser.add_subparsers(dest="command", required=True)
    packs = commands.add_parser("pack", help="compress a column of a .parquet, .arrow or .feather file")
    unpacks = commands.add_parser("unpack", help="decompress to a .parquet, .arrow or .feather file")
    shows = commands.add_parser("show", help="say what a compressed column holds")
    packs.add_argument("file", type=Path, metavar="FILE", help="the file with the column")
    for command in (unpacks, shows):
        command.add_argument("file", type=Path, metavar="FILE.gssc", help="the compressed column")
    packs.add_argument("--column", type=_column_name, required=True, metavar="NAME", help="the column's name")
    unpacks.add_argument(
        "--column", type=_column_name, required=True, metavar="NAME", help="the name that the column gets"
    )
    for command in (packs, unpacks):
        command.add_argument(
            "-o", "--output", type=Path, required=True, metavar="FILE", help="the file to write"
        )
        command.add_argument("-f", "--force", action="store_true", help="replace an existing file")
        command.add_argument(
            "-T",
            "--threads",
            type=_number(1, 1024),
            default=ALL_THREADS,
            metavar="N",
            help="worker threads (default: one per core)",
        )
    packs.add_argument(
        "--format", choices=FORMATS, help="the frame's (default: tiles for strings, auto for integers)"
    )
    packs.add_argument(
        "--level", type=_number(1, 9), metavar="N", help="of strings: 1 (default, fast) to 9 (small)"
    )
    packs.add_argument(
        "--strip-codes",
        type=int,
        choices=(512, 1024, 2048),
        help="most codes of a strip of format tiles: short ones read less for a string (default: 2048)",
    )
    packs.add_argument(
        "--checksum",
        choices=get_args(Checksum),
        help="the frame's (default: xxh64-tree for tiles at levels 1 and 2, else xxh64)",
    )
    packs.add_argument(
        "--layout",
        choices=get_args(Layout) + get_args(AutoLayout),
        help="of strings: dense (default, small), lookup, in which one string is decoded alone, or auto:"
        " lookup where it takes at most a quarter more",
    )
    packs.add_argument(
        "--separator",
        type=_byte,
        metavar="BYTE",
        help="of strings: store this byte, such as 10 or 0x0a, which no string holds, after each string",
    )
    return parser.parse_args(arguments)


def _column_name(text: str) -> str:
    try:
        text.encode()
    except UnicodeEncodeError:
        # As the bytes of the command line stand for those that are no text.
        raise argparse.ArgumentTypeError(f"{text!r} is not UTF-8") from None
    return text


def _number(smallest: int, largest: int) -> Callable[[str], int]:
    def parse(text: str) -> int:
        number = int(text)
        if not smallest <= number <= largest:
            raise argparse.ArgumentTypeError(f"{text} is not between {smallest} and {largest}")
        return number

    return parse


def _byte(text: str) -> bytes:
    try:
        return bytes([int(text, 0)])
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is no number from 0 to 255") from None


def _end(code: int, message: str) -> NoReturn:
    # Where there is no standard error, print() would take standard output.
    if sys.stderr is not None:
        with suppress(OSError):
            print(f"gsst column: {message}", file=sys.stderr)
    raise SystemExit(code)


def _print(text: str) -> None:
    """Prints at once, which Python may only try when the process ends. Raises SystemExit."""
    if sys.stdout is None:
        _end(EXIT_INPUT_OUTPUT, "standard output: cannot write: it is closed")
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except OSError as error:
        # What is left in the buffer goes nowhere.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if error.errno == errno.EPIPE:
            _end(EXIT_INPUT_OUTPUT, "standard output: the program that reads it has ended")
        _end(EXIT_INPUT_OUTPUT, f"standard output: cannot write: {error.strerror}")


def run(arguments: Sequence[str] | None = None) -> None:
    """Does what the arguments say. Raises SystemExit with a message on standard error where that fails."""
    try:
        parsed = _parse(arguments)
    except SystemExit as ended:
        if ended.code == 0:
            # The help is printed.
            _print("")
        raise
    try:
        {"pack": pack, "unpack": unpack, "show": show}[parsed.command](parsed)
    except CommandError as error:
        _end(error.code, str(error))
    except Error as error:
        _end(_EXIT_CODES.get(error.code, EXIT_DAMAGED), f"{parsed.file}: {error}")
    except MemoryError:
        _end(EXIT_INPUT_OUTPUT, f"{parsed.file}: out of memory")
    except OSError as error:
        _end(EXIT_INPUT_OUTPUT, str(error))
    except ModuleNotFoundError as error:
        if error.name is None or not error.name.startswith("pyarrow"):
            raise
        _end(EXIT_USAGE, f"{parsed.command} needs pyarrow, which is not installed: pip install pyarrow")


def _reserve_standard_descriptors() -> None:
    """No file that is opened later gets the number of a standard stream that the caller closed."""
    for descriptor in range(3):
        try:
            os.fstat(descriptor)
        except OSError:
            # The wrong way round, so that using it fails. The lowest free number is taken: this one.
            os.open(os.devnull, os.O_WRONLY if descriptor == 0 else os.O_RDONLY)


def main() -> None:
    """The command itself. A signal that ends it leaves nothing half-written either."""
    _reserve_standard_descriptors()
    start_termination_watch()
    run()
