import json
from pathlib import Path
from typing import Any

import pytest

from experiments.command_times import (
    PLACE,
    check_command_times,
    command_times_section,
    load_command_times,
    readme_commands,
)
from experiments.made_up_results import made_up_command_times
from experiments.results import ResultError
from experiments.sources import REPOSITORY_ROOT

COMMANDS = ("make one", "make two")


def recorded(folder: Path, record: dict[str, Any], machine: str = "some_machine") -> Path:
    path = folder / machine / PLACE
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps(record), encoding="utf-8")
    return path


def test_the_commands_are_those_of_the_section() -> None:
    text = "```sh\nmake no\n```\n## Check the figures\nA\n```sh\nmake one\n```\nB\n```sh\nmake two\n```\n"
    assert readme_commands(f"{text}## More\n```sh\nmake other\n```\n") == list(COMMANDS)
    assert readme_commands(text) == list(COMMANDS)
    with pytest.raises(ValueError, match="no commands below '## Check the figures'"):
        readme_commands("## More\n```sh\nmake other\n```\n")


def test_the_readme_has_two_commands() -> None:
    text = (REPOSITORY_ROOT / "README.md").read_text(encoding="utf-8")
    assert readme_commands(text) == ["make test", "make figures"]


def test_a_record_is_a_paragraph(tmp_path: Path) -> None:
    recorded(tmp_path, made_up_command_times())
    assert command_times_section(COMMANDS, tmp_path) == (
        "In a clean clone on Made-up CPU (2 processors) with 8 GB of memory, `make one` took 1.5 h, "
        "then `make two` took 25 min (2026-01-02, commit 0123456789ab). "
        "All packages were installed, and `GSST_DATA_DIR` named a folder of data sets. "
        "They compiled with GNU 12.2.0 and nvcc 13.0.88, without a compiler cache. There was no GPU.\n"
    )


def test_each_machine_has_a_paragraph_with_what_it_has(tmp_path: Path) -> None:
    other = made_up_command_times()
    other["environment"] |= {"gpu": "Made-up GPU", "nvcc": None, "has_data_folder": False}
    recorded(tmp_path, made_up_command_times())
    recorded(tmp_path, other, "the_other")
    _, paragraph = command_times_section(COMMANDS, tmp_path).split("\n\n")
    assert "with 8 GB of memory, Made-up GPU, `make one` took" in paragraph
    assert paragraph.endswith(
        "All packages were installed. They compiled with GNU 12.2.0 without nvcc, without a compiler cache.\n"
    )


def test_of_other_commands_nothing_is_said(tmp_path: Path) -> None:
    not_measured = "How long these commands take is not measured yet.\n"
    assert command_times_section(COMMANDS, tmp_path) == not_measured
    recorded(tmp_path, made_up_command_times())
    assert command_times_section(("make one", "make two SCALE=tiny"), tmp_path) == not_measured
    assert command_times_section(("make one",), tmp_path) == not_measured


@pytest.mark.parametrize(
    ("of", "name", "value"),
    [
        ("environment", "compiler", None),
        ("environment", "commit", "unknown"),
        ("environment", "more", 1),
        ("command", "status", 2),
        ("command", "seconds", 0),
        ("command", "load", {"processors": 2}),
    ],
)
def test_a_record_that_breaks_the_schema_is_refused(of: str, name: str, value: object) -> None:
    record = made_up_command_times()
    check_command_times(record, "place")
    (record["environment"] if of == "environment" else record["commands"][1])[name] = value
    with pytest.raises(ResultError, match=r"^place: \$"):
        check_command_times(record, "place")


def test_a_record_is_read(tmp_path: Path) -> None:
    path = recorded(tmp_path, made_up_command_times())
    assert load_command_times(path) == made_up_command_times()
    path.write_text("{}", encoding="utf-8")
    with pytest.raises(ResultError, match=r"times\.json"):
        load_command_times(path)
