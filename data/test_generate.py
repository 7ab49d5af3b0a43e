"""Generated text: the same bytes whatever the number of parts, nothing left behind on failure."""

import dataclasses
from pathlib import Path

import pytest

from data.catalogue import Digest, Generator, load_catalogue
from data.errors import DataUnavailableError
from data.files import digest_of
from data.generate import generate


@pytest.fixture
def generator() -> Generator:
    source = load_catalogue()["tpch/l_comment"].source
    assert isinstance(source, Generator)
    return source


def test_bytes_do_not_depend_on_the_number_of_parts(tmp_path: Path, generator: Generator) -> None:
    digests = [generate(generator, 0.002, tmp_path / f"parts_{parts}", parts) for parts in (1, 2)]
    assert len(set(digests)) == 1
    assert digest_of(tmp_path / "parts_2") == digests[0]


def test_pinned_digest_holds(tmp_path: Path, generator: Generator) -> None:
    assert generate(generator, 0.05, tmp_path / "text", 1) == generator.known[0.05]


def test_rows_are_the_comment_column(tmp_path: Path, generator: Generator) -> None:
    generate(generator, 0.001, tmp_path / "text", 1)
    rows = (tmp_path / "text").read_bytes().split(b"\n")
    assert rows[0] == b"egular courts above the"
    assert rows[-1] == b""
    assert len(rows) == 6005 + 1


def test_wrong_digest_leaves_nothing(tmp_path: Path, generator: Generator) -> None:
    wrong = dataclasses.replace(generator, known={0.001: Digest(1, "0" * 64)})
    with pytest.raises(DataUnavailableError, match="wrong size"):
        generate(wrong, 0.001, tmp_path / "text", 1)
    assert list(tmp_path.iterdir()) == []


def test_failing_generator_leaves_nothing(tmp_path: Path, generator: Generator) -> None:
    wrong = dataclasses.replace(generator, table="no_such_table")
    with pytest.raises(DataUnavailableError, match="ended with status"):
        generate(wrong, 0.001, tmp_path / "text")
    assert list(tmp_path.iterdir()) == []


def test_another_version_of_the_generator_is_refused(tmp_path: Path, generator: Generator) -> None:
    wrong = dataclasses.replace(generator, version="0.0.1")
    with pytest.raises(DataUnavailableError, match=r"version 0\.0\.1 is needed"):
        generate(wrong, 0.001, tmp_path / "text")
