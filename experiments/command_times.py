"""How long the commands of README.md take: the records of tools/time_commands.py, and what README.md says.

A record is never stale: it says at which commit the commands ran. Of other commands than those that README.md
has now, nothing is said.
"""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from jsonschema import ValidationError

from data.schema import validate
from experiments.results import RECORDED_DIR, ResultError, read_document
from experiments.row_progress import duration_text
from experiments.table_text import NOT_MEASURED

Document = dict[str, Any]
SCHEMA_PATH = Path(__file__).parent / "schemas" / "command_times.schema.json"
# In the folder of a machine.
PLACE = "commands/times.json"
_HEADING = "## Check the figures"
_SECTION = re.compile(rf"^{_HEADING}\n(.*?)(?=^## |\Z)", re.DOTALL | re.MULTILINE)
_BLOCK = re.compile(r"^```sh\n(.*?)\n```$", re.DOTALL | re.MULTILINE)


def readme_commands(text: str) -> list[str]:
    """The commands, as README.md, whose text this is, has them. Raises ValueError where there are none."""
    section = _SECTION.search(text)
    commands = _BLOCK.findall(section[1]) if section else []
    if not commands:
        raise ValueError(f"README.md: no commands below '{_HEADING}'")
    return commands


def check_command_times(document: object, place: str) -> None:
    """Raises ResultError, which names the place and the field, where a document is not as the schema says."""
    try:
        validate(document, SCHEMA_PATH)
    except ValidationError as error:
        raise ResultError(f"{place}: {error.json_path}: {error.message}") from error


def load_command_times(path: Path) -> Document:
    """Reads and checks a record. Raises ResultError."""
    document = read_document(path)
    check_command_times(document, str(path))
    return document


def command_times_paths(folder: Path = RECORDED_DIR) -> list[Path]:
    """The records, one for each machine."""
    return sorted(folder.glob(f"*/{PLACE}"))


def _machine(environment: Mapping[str, Any]) -> str:
    memory = f"{environment['memory_bytes'] / 1e9:.0f} GB of memory"
    gpu = f", {environment['gpu']}" if environment["gpu"] else ""
    return f"{environment['cpu']} with {memory}{gpu}"


def _conditions(environment: Mapping[str, Any]) -> str:
    """Sentences on what was there and what was not."""
    data = ", and `GSST_DATA_DIR` named a folder of data sets" if environment["has_data_folder"] else ""
    nvcc = f"and nvcc {environment['nvcc']}" if environment["nvcc"] else "without nvcc"
    gpu = "" if environment["gpu"] else " There was no GPU."
    compilers = f"They compiled with {environment['compiler']} {nvcc}, without a compiler cache."
    return f"All packages were installed{data}. {compilers}{gpu}"


def _paragraph(record: Document) -> str:
    environment = record["environment"]
    took = [f"`{each['command']}` took {duration_text(each['seconds'])}" for each in record["commands"]]
    origin = f"{environment['date'][:10]}, commit {environment['commit'][:12]}"
    return (
        f"In a clean clone on {_machine(environment)}, {', then '.join(took)} ({origin}). "
        f"{_conditions(environment)}\n"
    )


def command_times_section(commands: Sequence[str], folder: Path = RECORDED_DIR) -> str:
    """A paragraph for each machine that ran these commands, in Markdown."""
    records = [load_command_times(path) for path in command_times_paths(folder)]
    ran = [record for record in records if [each["command"] for each in record["commands"]] == [*commands]]
    return "\n".join(map(_paragraph, ran)) or f"How long these commands take is {NOT_MEASURED}.\n"
