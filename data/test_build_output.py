"""Data that a program of the build makes: digests, first bytes, nothing left behind on failure."""

import hashlib
import sys
from pathlib import Path

import pytest

from data.build_output import expected_digest, make
from data.catalogue import Built, Dataset, Digest, Instance, load_catalogue
from data.errors import DataUnavailableError
from data.fetch import DATA_DIR_VARIABLE, Fetcher
from data.files import digest_path

CONTENT = bytes(range(100))
PROGRAM = """#!{python}
import sys
if "fail" in sys.argv:
    sys.exit("made-up reason")
size = int(sys.argv[sys.argv.index("--first-bytes") + 1]) if "--first-bytes" in sys.argv else 100
with open(sys.argv[sys.argv.index("--output") + 1], "wb") as file:
    file.write(bytes(range(size)))
"""


def sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


@pytest.fixture
def programs(tmp_path: Path) -> Path:
    folder = tmp_path / "bin"
    folder.mkdir()
    program = folder / "gsst_made_up"
    program.write_text(PROGRAM.format(python=sys.executable), encoding="utf-8")
    program.chmod(0o755)
    return folder


def source(*arguments: str, digest: str = sha256(CONTENT)) -> Built:
    return Built("gsst_made_up", arguments, Digest(100, digest), {10: sha256(CONTENT[:10])})


def test_the_whole_and_its_first_bytes_are_made_and_checked(tmp_path: Path, programs: Path) -> None:
    assert make(source(), None, tmp_path / "whole", programs) == Digest(100, sha256(CONTENT))
    assert make(source(), 10, tmp_path / "first", programs) == Digest(10, sha256(CONTENT[:10]))
    assert (tmp_path / "whole").read_bytes() == CONTENT
    assert (tmp_path / "first").read_bytes() == CONTENT[:10]
    assert expected_digest(source(), 11) is None


@pytest.mark.parametrize(
    ("made", "message"),
    [
        (source(digest="0" * 64), "wrong checksum"),
        (source("fail"), "status 1: made-up reason"),
        (Built("gsst_absent", (), Digest(1, "0" * 64), {}), "gsst_absent makes it and is not built"),
    ],
)
def test_a_failure_leaves_nothing(made: Built, message: str, tmp_path: Path, programs: Path) -> None:
    output = tmp_path / "output"
    output.mkdir()
    with pytest.raises(DataUnavailableError, match=message):
        make(made, None, output / "data", programs)
    assert list(output.iterdir()) == []


def test_first_bytes_are_made_and_not_cut_from_the_whole(
    tmp_path: Path, programs: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv(DATA_DIR_VARIABLE, raising=False)
    dataset = Dataset("test/data", "", "test/data", "", None, source())
    cache = tmp_path / "cache"
    instance = Instance(dataset, first_bytes=10)
    assert instance.label == instance.whole_path == "test/data_first_10_bytes"
    assert Fetcher(cache, programs).fetch(instance) == cache / instance.label
    assert (cache / instance.label).read_bytes() == CONTENT[:10]
    assert not (cache / "test" / "data").exists()
    # Of a size that the catalogue does not know, the digest is kept next to the file.
    other = Fetcher(cache, programs).fetch(Instance(dataset, first_bytes=11))
    assert digest_path(other).read_text(encoding="utf-8") == f"11 {sha256(CONTENT[:11])}\n"
    other.write_bytes(CONTENT[1:12])
    assert Fetcher(cache, programs).fetch(Instance(dataset, first_bytes=11)).read_bytes() == CONTENT[:11]
    assert "wrong checksum" in capsys.readouterr().err


def test_the_folder_of_the_variable_comes_first(
    tmp_path: Path, programs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    dataset = Dataset("test/data", "", "test/data", "", None, source())
    shared = tmp_path / "shared"
    monkeypatch.setenv(DATA_DIR_VARIABLE, str(shared))
    (shared / "test").mkdir(parents=True)
    (shared / "test" / "data").write_bytes(CONTENT)
    assert Fetcher(tmp_path / "cache", programs).fetch(Instance(dataset)) == shared / "test" / "data"


def test_the_sets_of_the_thesis_have_their_raw_sizes_and_say_that_they_are_simulated() -> None:
    catalogue = load_catalogue()
    # Section 3.6 of the thesis on zero-length coding, in MiB.
    sizes = {"15": 12.25, "859": 756, "2562": 2182.25, "5060": 4457.25}
    for name, mebibytes in sizes.items():
        dataset = catalogue[f"zero_length/kat7_{name}"]
        assert isinstance(dataset.source, Built)
        assert dataset.source.digest.bytes == mebibytes * 2**20
        assert dataset.description.startswith("KAT-7-like, simulated; shape inferred")


def test_the_first_dumps_are_what_the_catalogue_says(tmp_path: Path) -> None:
    """Made by the program of the build, which a machine with another compiler has as well."""
    catalogue = load_catalogue()
    grid = [name for name in catalogue if name.startswith("zero_length/runs_")]
    assert len(grid) == 32
    columns = [name for name in catalogue if name.startswith("tile_integer/")]
    assert len(columns) == 174
    chunks = [name for name in catalogue if name.startswith("codag/")]
    assert len(chunks) == 8
    for name in ("zero_length/kat7_859", "zero_length/kat7_859_shuffled", *grid, *columns, *chunks):
        built = catalogue[name].source
        assert isinstance(built, Built)
        first = min(built.first)
        assert make(built, first, tmp_path / "data") == Digest(first, built.first[first])


def options_of(built: Built) -> dict[str, str]:
    """The options of the program, by name."""
    arguments = built.arguments[1:]
    return dict(zip(arguments[::2], arguments[1::2], strict=True))


def test_columns_of_integers_are_named_by_what_they_are() -> None:
    columns = {
        name: dataset for name, dataset in load_catalogue().items() if name.startswith("tile_integer/")
    }
    numbers = ("--width", "--unique", "--mean", "--exponent-tenths", "--run-tenths")
    for name, dataset in columns.items():
        built = dataset.source
        assert isinstance(built, Built)
        options = options_of(built)
        of_type = options.get("--type", "i32")
        assert built.digest.bytes == int(options["--values"]) * (8 if of_type == "i64" else 4), name
        said = [int(options[number]) for number in numbers if number in options]
        tenths = "--exponent-tenths" in options or "--run-tenths" in options
        texts = [f"{number / 10:g}".replace(".", "_") if tenths else str(number) for number in said]
        suffix = ["i64"] if of_type == "i64" else []
        assert name == "tile_integer/" + "_".join([built.arguments[0], *texts, *suffix])
        # The only width that signed values of 32 bits do not have.
        assert (of_type == "u32") == (name == "tile_integer/uniform_32")
