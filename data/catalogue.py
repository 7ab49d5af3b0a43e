"""Reads datasets.yaml: which data sets there are and how each is had."""

import fnmatch
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from types import MappingProxyType

from jsonschema import ValidationError

from data.schema import validate
from data.yaml_file import read_yaml

CATALOGUE_PATH = Path(__file__).parent / "datasets.yaml"
SCHEMA_PATH = Path(__file__).parent / "datasets.schema.json"


class CatalogueError(Exception):
    """datasets.yaml is malformed, or a name is not in it."""


@dataclass(frozen=True)
class Digest:
    """What a file must be."""

    bytes: int
    sha256: str


@dataclass(frozen=True)
class Download:
    """A file that lies at a URL."""

    url: str
    digest: Digest


@dataclass(frozen=True)
class Generator:
    """A column of a table that tpchgen-cli writes in its tbl format; fields count from 1. `values` says how
    its values are stored, as data.columns has them; where it is None, as lines of text."""

    program: str
    version: str
    table: str
    field: int
    known: dict[float, Digest] = field(hash=False)
    values: str | None = None


@dataclass(frozen=True)
class Derived:
    """One file of the tables that data.ssb derives from those of a generator, or one column of the fact table
    alone."""

    known: dict[float, Digest] = field(hash=False)
    column: str | None = None


@dataclass(frozen=True)
class Built:
    """What a program of this repository's build makes. It can make the first bytes alone; `first` has the
    sha256 of those by their number."""

    program: str
    arguments: tuple[str, ...]
    digest: Digest
    first: dict[int, str] = field(hash=False)


@dataclass(frozen=True)
class Paged:
    """A Parquet file that data.parquet_pages writes of the first bytes of `column`, a data set that a program
    of this repository's build makes. `known` has digests of files by the number of these bytes."""

    column: str
    page_values: int
    has_dictionary: bool
    known: dict[int, Digest] = field(hash=False)


@dataclass(frozen=True)
class Joined:
    """The files of other data sets, one after the other."""

    parts: tuple[str, ...]
    digest: Digest


@dataclass(frozen=True)
class OrcFile:
    """An ORC file that data.orc_files writes of `column`, a data set, at the size that is asked for.
    `values`, `run_lengths` and `compression` are what write_orc() takes."""

    column: str
    values: str
    run_lengths: str
    compression: str


# Sources that make data of any scale factor.
OF_A_SCALE = (Generator, Derived)


@dataclass(frozen=True)
class Dataset:
    """One entry of datasets.yaml."""

    name: str
    description: str
    path: str
    licence: str
    substitute: str | None
    source: Download | Generator | Derived | Built | Joined | Paged | OrcFile


@dataclass(frozen=True)
class Instance:
    """A data set at one size: what an experiment reads. `tiled_to_bytes` repeats a small column, at last in
    part, until it has so many bytes. `first_bytes` of a Parquet file, and all sizes of an ORC file, are
    those of its column."""

    dataset: Dataset
    scale_factor: float | None = None
    first_bytes: int | None = None
    tiled_to_bytes: int | None = None

    def __post_init__(self) -> None:
        generated = isinstance(self.dataset.source, OF_A_SCALE)
        # Of an ORC file its column says whether it has one.
        may_have_scale = generated or isinstance(self.dataset.source, OrcFile)
        if generated and self.scale_factor is None:
            raise CatalogueError(f"{self.dataset.name}: generated text needs a scale factor")
        if not may_have_scale and self.scale_factor is not None:
            raise CatalogueError(f"{self.dataset.name}: only generated text has a scale factor")
        if isinstance(self.dataset.source, Paged) and self.first_bytes is None:
            raise CatalogueError(f"{self.dataset.name}: a Parquet file needs the first bytes of its column")
        if self.first_bytes is not None and self.first_bytes <= 0:
            raise CatalogueError(f"{self.dataset.name}: first_bytes must be positive, is {self.first_bytes}")
        if self.first_bytes is not None and self.tiled_to_bytes is not None:
            raise CatalogueError(f"{self.dataset.name}: a text is cut or tiled, not both")

    def of_column(self, column: Dataset) -> "Instance":
        """Of an ORC file of that column: what it is written from. Raises CatalogueError for a column that has
        no such size."""
        return Instance(column, self.scale_factor, self.first_bytes, self.tiled_to_bytes)

    @property
    def is_made_at_size(self) -> bool:
        """Whether the file is made of a column of the size, and is neither cut nor tiled itself."""
        return isinstance(self.dataset.source, OrcFile)

    @property
    def is_made_in_part(self) -> bool:
        """Whether its first bytes are made by themselves and not cut from the whole file."""
        return self.first_bytes is not None and isinstance(self.dataset.source, Built | Paged)

    @property
    def whole_path(self) -> str:
        """Where the file that is found, downloaded or made lies below a data folder."""
        if self.is_made_at_size:
            return self.dataset.path + self._size
        if self.is_made_in_part:
            return f"{self.dataset.path}_first_{self.first_bytes}_bytes"
        if self.scale_factor is None:
            return self.dataset.path
        return self.dataset.path.format(scale_factor=f"{self.scale_factor:g}")

    @property
    def label(self) -> str:
        """The name that results carry, for example `tpch/l_comment_sf1.2_first_1000_bytes`."""
        whole = self.whole_path.removesuffix(".txt")
        if self.is_made_at_size:
            return whole
        if self.first_bytes is not None and not self.is_made_in_part:
            return f"{whole}_first_{self.first_bytes}_bytes"
        return whole if self.tiled_to_bytes is None else f"{whole}_tiled_to_{self.tiled_to_bytes}_bytes"

    @property
    def _size(self) -> str:
        """The size in the name of a file that is made at a size."""
        parts = (
            f"_sf{self.scale_factor:g}" if self.scale_factor is not None else "",
            f"_first_{self.first_bytes}_bytes" if self.first_bytes is not None else "",
            f"_tiled_to_{self.tiled_to_bytes}_bytes" if self.tiled_to_bytes is not None else "",
        )
        return "".join(parts)


def _parse(entry: dict) -> Dataset:
    source: Download | Generator | Derived | Built | Joined | Paged | OrcFile
    if entry["kind"] == "download":
        source = Download(entry["url"], Digest(entry["bytes"], entry["sha256"]))
    elif entry["kind"] == "built":
        whole = Digest(entry["bytes"], entry["sha256"])
        first = {part["bytes"]: part["sha256"] for part in entry["first"]}
        source = Built(entry["program"], tuple(entry["arguments"]), whole, first)
    elif entry["kind"] == "paged":
        files = {k["column_bytes"]: Digest(k["bytes"], k["sha256"]) for k in entry["known"]}
        source = Paged(entry["column"], entry["page_values"], entry["encoding"] == "dictionary", files)
    elif entry["kind"] == "joined":
        source = Joined(tuple(entry["parts"]), Digest(entry["bytes"], entry["sha256"]))
    elif entry["kind"] == "orc":
        source = OrcFile(entry["column"], entry["values"], entry["run_lengths"], entry["compression"])
    else:
        known = {float(k["scale_factor"]): Digest(k["bytes"], k["sha256"]) for k in entry["known"]}
        derived = Derived(known, entry.get("column"))
        source = Generator(**entry["generator"], known=known) if "generator" in entry else derived
    return Dataset(
        entry["name"], entry["description"], entry["path"], entry["licence"], entry["substitute"], source
    )


@cache
def load_catalogue(path: Path = CATALOGUE_PATH) -> Mapping[str, Dataset]:
    """All data sets by name, in the order of the file, which a process reads once: every scale of every
    experiment asks for it."""
    document = read_yaml(path)
    try:
        validate(document, SCHEMA_PATH)
    except ValidationError as error:
        raise CatalogueError(f"{path}: {error.json_path}: {error.message}") from error
    catalogue: dict[str, Dataset] = {}
    for entry in document["datasets"]:
        if entry["name"] in catalogue:
            raise CatalogueError(f"{path}: {entry['name']} is listed twice")
        catalogue[entry["name"]] = _parse(entry)
    for dataset in catalogue.values():
        if dataset.substitute is not None and dataset.substitute not in catalogue:
            raise CatalogueError(f"{path}: {dataset.name}: unknown substitute {dataset.substitute}")
        if isinstance(dataset.source, Paged | OrcFile) and dataset.source.column not in catalogue:
            raise CatalogueError(f"{path}: {dataset.name}: unknown column {dataset.source.column}")
        if isinstance(dataset.source, Joined):
            for part in dataset.source.parts:
                if part not in catalogue or not isinstance(catalogue[part].source, Download):
                    raise CatalogueError(f"{path}: {dataset.name}: {part} is no data set that is downloaded")
    return MappingProxyType(catalogue)


def select(catalogue: Mapping[str, Dataset], pattern: str) -> list[Dataset]:
    """The data sets whose name matches `pattern` (`dbtext/city`, `dbtext/*`)."""
    chosen = [dataset for name, dataset in catalogue.items() if fnmatch.fnmatchcase(name, pattern)]
    if not chosen:
        raise CatalogueError(f"no data set is named {pattern}; there are: {', '.join(catalogue)}")
    return chosen
