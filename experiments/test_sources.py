from pathlib import Path

import pytest

from experiments.sources import measured_sources, sources_digest


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    for name in ("common/format/block.hpp", "reference_cpu/train.cpp", "experiments/measure/main.cpp"):
        path = tmp_path / name
        path.parent.mkdir(parents=True)
        path.write_text(name, encoding="utf-8")
    return tmp_path


def test_a_change_of_a_measured_source_changes_the_digest(tree: Path) -> None:
    before = sources_digest(tree)
    (tree / "reference_cpu" / "train.cpp").write_text("changed", encoding="utf-8")
    assert sources_digest(tree) != before


def test_a_renamed_source_changes_the_digest(tree: Path) -> None:
    before = sources_digest(tree)
    (tree / "reference_cpu" / "train.cpp").rename(tree / "reference_cpu" / "training.cpp")
    assert sources_digest(tree) != before


@pytest.mark.parametrize("name", ["FORMAT.md", "train_test.cpp", "codec_benchmark.cpp"])
def test_tests_and_documentation_do_not(name: str, tree: Path) -> None:
    before = sources_digest(tree)
    (tree / "reference_cpu" / name).write_text("new", encoding="utf-8")
    assert sources_digest(tree) == before


def test_the_repository_has_sources_in_every_folder() -> None:
    names = " ".join(path.as_posix() for path in measured_sources())
    for part in ("common/format/block.", "reference_cpu/train.cpp", "experiments/measure/main.cpp"):
        assert part in names
