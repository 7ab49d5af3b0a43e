"""What compresses a column of strings and gives it back, each with its defaults but on one thread."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar, Literal, Protocol

from experiments.measure_columns.packages import load
from experiments.measure_columns.text_column import TextColumn, is_equal

ZSTD_LEVEL = 1
_COLUMN = "c"
# Of strings that are found without the others.
_MANY_STRINGS = 1000


class Opened(Protocol):
    """A compressed column that is opened once, to look up strings."""

    def look_up(self, numbers: Sequence[int]) -> list[Any]:
        """The strings of these numbers, one after another."""
        ...


class ColumnCodec(Protocol):
    """Compresses a column and gives it back. `looked_up` strings are looked up at a time; none where a
    string cannot be."""

    stage: str
    variant: str
    parameters: dict[str, Any]
    package: str
    looked_up: int

    def encode(self, column: TextColumn) -> Any:  # noqa: ANN401
        """What is stored."""
        ...

    def decode(self, stored: Any) -> Any:  # noqa: ANN401
        """The values as Arrow has them, or the bytes of the text."""
        ...

    def stored_bytes(self, stored: Any) -> int:  # noqa: ANN401
        """The size of what is stored."""
        ...

    def is_right(self, decoded: Any, column: TextColumn) -> bool:  # noqa: ANN401
        """Whether these are the values of the column."""
        ...

    def open(self, stored: Any) -> Opened:  # noqa: ANN401
        """The column, to look up strings. Called where `looked_up` is not 0."""
        ...


class _OfArrow:
    """Codecs whose values are Arrow's."""

    def is_right(self, decoded: Any, column: TextColumn) -> bool:  # noqa: ANN401
        return is_equal(decoded, column.array)

    def stored_bytes(self, stored: Any) -> int:  # noqa: ANN401
        return len(stored)


@dataclass(frozen=True)
class _Indexed:
    """What gives a string of a number when it is indexed."""

    values: Any

    def look_up(self, numbers: Sequence[int]) -> list[Any]:
        return [self.values[number] for number in numbers]


@dataclass
class GsstCodec(_OfArrow):
    """A column of this project in one of its layouts."""

    layout: Literal["dense", "lookup"]
    level: int
    stage: ClassVar[str] = "library/column"
    package: ClassVar[str] = "gsst"
    looked_up: ClassVar[int] = _MANY_STRINGS

    @property
    def variant(self) -> str:
        return self.layout

    @property
    def parameters(self) -> dict[str, Any]:
        return {"level": self.level}

    def encode(self, column: TextColumn) -> bytes:
        compressed: bytes = load("gsst").compress_column(column.array, self.level, layout=self.layout)
        return compressed

    def decode(self, stored: bytes) -> Any:  # noqa: ANN401
        return load("gsst").Column(stored).to_arrow()

    def open(self, stored: bytes) -> Opened:
        return _Indexed(load("gsst").Column(stored))


class _ParquetRows:
    """A file of Parquet. The row group of a string is decoded to look it up."""

    def __init__(self, stored: Any) -> None:  # noqa: ANN401
        file = load("pyarrow", "parquet").ParquetFile(load("pyarrow").BufferReader(stored))
        self._file = file
        self._starts = [0]
        for group in range(file.num_row_groups):
            self._starts.append(self._starts[-1] + file.metadata.row_group(group).num_rows)

    def look_up(self, numbers: Sequence[int]) -> list[Any]:
        found = []
        for number in numbers:
            group = next(index for index, start in enumerate(self._starts[1:]) if number < start)
            values = self._file.read_row_group(group, columns=[_COLUMN], use_threads=False)
            found.append(values.column(0)[number - self._starts[group]].as_py())
        return found


@dataclass
class ParquetCodec(_OfArrow):
    """A file of Parquet in memory, whose pages zstd compresses."""

    stage: ClassVar[str] = "peer/parquet"
    variant: ClassVar[str] = f"zstd {ZSTD_LEVEL}"
    package: ClassVar[str] = "pyarrow"
    # It decodes as much for one as for others of the same row group.
    looked_up: ClassVar[int] = 1
    parameters: dict[str, Any] = field(default_factory=lambda: {"level": ZSTD_LEVEL})

    def encode(self, column: TextColumn) -> Any:  # noqa: ANN401
        pa = load("pyarrow")
        output = pa.BufferOutputStream()
        table = pa.table({_COLUMN: column.array})
        load("pyarrow", "parquet").write_table(
            table, output, compression="zstd", compression_level=ZSTD_LEVEL
        )
        return output.getvalue()

    def decode(self, stored: Any) -> Any:  # noqa: ANN401
        source = load("pyarrow").BufferReader(stored)
        table = load("pyarrow", "parquet").read_table(source, use_threads=False)
        return table.column(0)

    def stored_bytes(self, stored: Any) -> int:  # noqa: ANN401
        return int(stored.size)

    def open(self, stored: Any) -> Opened:  # noqa: ANN401
        return _ParquetRows(stored)


@dataclass
class ZstdCodec:
    """The text, compressed by zstd as one frame: strings are not known to it."""

    stage: ClassVar[str] = "peer/zstd"
    variant: ClassVar[str] = f"level {ZSTD_LEVEL}"
    package: ClassVar[str] = "pyarrow"
    looked_up: ClassVar[int] = 0
    parameters: dict[str, Any] = field(default_factory=lambda: {"level": ZSTD_LEVEL})
    _text_bytes: int = 0

    @cached_property
    def _codec(self) -> Any:  # noqa: ANN401
        return load("pyarrow").Codec("zstd", compression_level=ZSTD_LEVEL)

    def encode(self, column: TextColumn) -> Any:  # noqa: ANN401
        self._text_bytes = len(column.text)
        return self._codec.compress(column.text)

    def decode(self, stored: Any) -> Any:  # noqa: ANN401
        return self._codec.decompress(stored, self._text_bytes)

    def stored_bytes(self, stored: Any) -> int:  # noqa: ANN401
        return int(stored.size)

    def is_right(self, decoded: Any, column: TextColumn) -> bool:  # noqa: ANN401
        return bool(decoded.equals(load("pyarrow").py_buffer(column.text)))

    def open(self, stored: Any) -> Opened:  # noqa: ANN401
        raise NotImplementedError


@dataclass(frozen=True)
class _VortexScalars:
    """An array of Vortex, of which single values are asked for."""

    values: Any

    def look_up(self, numbers: Sequence[int]) -> list[Any]:
        return [self.values.scalar_at(number).as_py() for number in numbers]


@dataclass
class VortexCodec(_OfArrow):
    """An array of Vortex in memory, in the encodings that it chooses: faster than a file of Vortex."""

    stage: ClassVar[str] = "peer/vortex"
    variant: ClassVar[str] = "array"
    package: ClassVar[str] = "vortex-data"
    looked_up: ClassVar[int] = _MANY_STRINGS
    parameters: dict[str, Any] = field(default_factory=dict)

    def encode(self, column: TextColumn) -> Any:  # noqa: ANN401
        vortex = load("vortex-data")
        return vortex.compress(vortex.array(column.array))

    def decode(self, stored: Any) -> Any:  # noqa: ANN401
        return stored.to_arrow_array()

    def stored_bytes(self, stored: Any) -> int:  # noqa: ANN401
        return int(stored.nbytes)

    def open(self, stored: Any) -> Opened:  # noqa: ANN401
        return _VortexScalars(stored)
