"""Finds, downloads or makes data sets and checks every byte of them.

    python -m data.fetch NAME... [--scale-factor SF] [--first-bytes N] [--output DIR]

Looks into the folder that GSST_DATA_DIR names, then into DIR (data/cache), then downloads or makes it in
DIR. Prints the path of each file that is there and right; says what is not, and why; status 1 in that case.
"""

import argparse
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from data import build_output
from data.catalogue import (
    CATALOGUE_PATH,
    Built,
    CatalogueError,
    Dataset,
    Derived,
    Digest,
    Download,
    Instance,
    Joined,
    OrcFile,
    Paged,
    load_catalogue,
    select,
)
from data.download import download
from data.errors import DataUnavailableError, HostUnreachableError
from data.files import (
    CACHE_DIR,
    copy_bytes,
    describe_mismatch,
    digest_of,
    digest_path,
    new_file,
    write_digest,
)
from data.generate import generate
from data.orc_files import write_orc
from data.parquet_pages import write_pages
from data.ssb import make_derived

DATA_DIR_VARIABLE = "GSST_DATA_DIR"


def _say(message: str) -> None:
    print(message, file=sys.stderr, flush=True)


def _known_digest(instance: Instance) -> Digest | None:
    """The digest in datasets.yaml, if there is one."""
    source = instance.dataset.source
    if isinstance(source, Download | Joined):
        return source.digest
    if isinstance(source, Built):
        return build_output.expected_digest(source, instance.first_bytes)
    if isinstance(source, Paged):
        assert instance.first_bytes is not None
        return source.known.get(instance.first_bytes)
    if isinstance(source, OrcFile):
        return None
    assert instance.scale_factor is not None
    return source.known.get(instance.scale_factor)


def _expected_digest(instance: Instance, path: Path) -> Digest | None:
    """What the file at `path` must be; None where nothing says so."""
    known = _known_digest(instance)
    if known is not None:
        return known
    beside = digest_path(path)
    if not beside.exists():
        return None
    size, sha256 = beside.read_text(encoding="utf-8").split()
    return Digest(int(size), sha256)


@dataclass
class Fetcher:
    """Fetches data sets into one folder. It checks a file once, and does not try a host again that could not
    be reached."""

    output_dir: Path = CACHE_DIR
    programs_dir: Path = build_output.PROGRAMS_DIR
    # What Parquet, ORC and joined files are made of.
    catalogue: Mapping[str, Dataset] = field(default_factory=load_catalogue)
    unreachable: dict[str, str] = field(default_factory=dict)
    _checked: dict[str, Path] = field(default_factory=dict)

    def fetch(self, instance: Instance) -> Path:
        """Path of the checked file. Raises DataUnavailableError with every reason."""
        if instance.whole_path not in self._checked:
            self._checked[instance.whole_path] = self._whole_file(instance)
        whole = self._checked[instance.whole_path]
        if instance.is_made_at_size:
            return whole
        if instance.first_bytes is not None and not instance.is_made_in_part:
            return self._cut(instance, whole)
        return whole if instance.tiled_to_bytes is None else self._tile(instance, whole)

    def _whole_file(self, instance: Instance) -> Path:
        reasons: list[str] = []
        folders = [self.output_dir]
        if os.environ.get(DATA_DIR_VARIABLE):
            folders.insert(0, Path(os.environ[DATA_DIR_VARIABLE]))
        for folder in folders:
            path = folder / instance.whole_path
            if not path.exists():
                continue
            problem = self._problem(instance, path)
            if problem is None:
                return path
            _say(f"{path}: {problem}; not used")
            reasons.append(f"{path}: {problem}")
        path = self.output_dir / instance.whole_path
        try:
            self._make(instance, path)
        except DataUnavailableError as error:
            raise DataUnavailableError("; ".join([*reasons, str(error)])) from error
        return path

    @staticmethod
    def _problem(instance: Instance, path: Path) -> str | None:
        """What is wrong with an existing file; None where it is right."""
        try:
            expected = _expected_digest(instance, path)
            if expected is None:
                return f"no digest to check it against (none in datasets.yaml, no {digest_path(path).name})"
            actual = digest_of(path)
        except (OSError, ValueError) as error:
            return f"cannot be checked: {error}"
        return None if actual == expected else describe_mismatch(expected, actual)

    def _make(self, instance: Instance, path: Path) -> None:
        source = instance.dataset.source
        if isinstance(source, Download):
            host = urlsplit(source.url).netloc
            if host in self.unreachable:
                raise DataUnavailableError(self.unreachable[host])
            _say(f"downloading {source.url}")
            try:
                download(source, path)
            except HostUnreachableError as error:
                self.unreachable[host] = str(error)
                raise
            return
        _say(f"generating {path}")
        if isinstance(source, Built):
            actual = build_output.make(source, instance.first_bytes, path, self.programs_dir)
        elif isinstance(source, Joined):
            actual = self._join(source, path)
        elif isinstance(source, Paged):
            actual = self._make_pages(source, instance, path)
        elif isinstance(source, OrcFile):
            actual = self._make_orc(source, instance, path)
        else:
            assert instance.scale_factor is not None
            make = make_derived if isinstance(source, Derived) else generate
            actual = make(source, instance.scale_factor, path)
        if _known_digest(instance) is None:
            write_digest(path, actual)

    def _join(self, source: Joined, path: Path) -> Digest:
        """Writes the files of other data sets, which are fetched too, one after the other."""
        parts = [self.fetch(Instance(self.catalogue[name])) for name in source.parts]
        try:
            with new_file(path) as temporary:
                with temporary.open("wb") as target:
                    for part in parts:
                        with part.open("rb") as file:
                            copy_bytes(file, target)
                actual = digest_of(temporary)
                if actual != source.digest:
                    raise DataUnavailableError(f"{path}: {describe_mismatch(source.digest, actual)}")
        except OSError as error:
            raise DataUnavailableError(f"{path}: {error}") from error
        return actual

    def _make_pages(self, source: Paged, instance: Instance, path: Path) -> Digest:
        """Writes the Parquet file, of a column that is fetched too, and returns its digest."""
        column = self.fetch(Instance(self.catalogue[source.column], first_bytes=instance.first_bytes))
        try:
            with new_file(path) as temporary:
                write_pages(column, source.page_values, source.has_dictionary, temporary)
                actual = digest_of(temporary)
                expected = _known_digest(instance) or actual
                if actual != expected:
                    raise DataUnavailableError(f"{path}: {describe_mismatch(expected, actual)}")
        except OSError as error:
            raise DataUnavailableError(f"{path}: {error}") from error
        return actual

    def _make_orc(self, source: OrcFile, instance: Instance, path: Path) -> Digest:
        """Writes the ORC file, of a column that is fetched too, and returns its digest."""
        column = self.fetch(instance.of_column(self.catalogue[source.column]))
        try:
            with new_file(path) as temporary:
                write_orc(column, source.values, source.run_lengths, source.compression, temporary)
                return digest_of(temporary)
        except OSError as error:
            raise DataUnavailableError(f"{path}: {error}") from error

    def _cut(self, instance: Instance, whole: Path) -> Path:
        """Writes the first bytes of `whole` to a file of their own."""
        assert instance.first_bytes is not None
        size = whole.stat().st_size
        if size < instance.first_bytes:
            raise DataUnavailableError(
                f"{whole}: has {size} bytes, the first {instance.first_bytes} were asked for"
            )
        path = self.output_dir / f"{instance.label}{whole.suffix}"
        with new_file(path) as temporary, whole.open("rb") as source, temporary.open("wb") as target:
            copy_bytes(source, target, limit=instance.first_bytes)
        return path

    def _tile(self, instance: Instance, whole: Path) -> Path:
        """Writes `whole` again and again to a file of its own, the last time in part."""
        assert instance.tiled_to_bytes is not None
        size = whole.stat().st_size
        if not 0 < size <= instance.tiled_to_bytes:
            raise DataUnavailableError(
                f"{whole}: has {size} bytes, which cannot be tiled to {instance.tiled_to_bytes}"
            )
        path = self.output_dir / f"{instance.label}{whole.suffix}"
        with new_file(path) as temporary, whole.open("rb") as source, temporary.open("wb") as target:
            written = 0
            while written < instance.tiled_to_bytes:
                source.seek(0)
                written += copy_bytes(source, target, limit=instance.tiled_to_bytes - written)
        return path


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help="data set, or a pattern such as 'dbtext/*'")
    parser.add_argument("--scale-factor", type=float, help="size of generated text (1 is about 165 MB)")
    parser.add_argument("--first-bytes", type=int, help="only the first N bytes of the file")
    parser.add_argument("--output", type=Path, default=CACHE_DIR, help="folder for new files (%(default)s)")
    parser.add_argument(
        "--catalogue", type=Path, default=CATALOGUE_PATH, help="list of data sets (%(default)s)"
    )
    parser.add_argument(
        "--list", action="store_true", help="print the data sets and what is known of their terms"
    )
    return parser.parse_args()


def main() -> int:
    """Fetches what the command line names; returns the exit status."""
    arguments = _arguments()
    try:
        catalogue = load_catalogue(arguments.catalogue)
        if arguments.list:
            for dataset in catalogue.values():
                print(f"{dataset.name}: {dataset.description}. {dataset.licence}")
            return 0
        instances = [
            Instance(dataset, arguments.scale_factor, arguments.first_bytes)
            for pattern in arguments.names
            for dataset in select(catalogue, pattern)
        ]
    except (CatalogueError, OSError) as error:
        _say(f"error: {error}")
        return 2
    if not instances:
        _say("error: name a data set, or --list them")
        return 2
    fetcher = Fetcher(arguments.output, catalogue=catalogue)
    missing = 0
    for instance in instances:
        try:
            print(fetcher.fetch(instance))
        except DataUnavailableError as error:
            missing += 1
            _say(f"{instance.label}: not available: {error}")
            if instance.dataset.substitute:
                _say(f"{instance.label}: {instance.dataset.substitute} can stand in for it")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
