"""Puts all that a measurement on a GPU host needs into one folder.

python -m experiments.pack_measurement --target TARGET --points FILE --sources-digest SHA256 --scale-factor N
    --output FOLDER

The host may have no network, repository or Python: the folder holds the measuring program and the text
generator with the libraries that they link, the points, and `run.sh`, which generates the text and measures.
The commit and the digest are written in here. Where the points file holds candidates, the fastest of them are
chosen on the first quarter of the text, and the last three quarters are what is reported.
"""

import argparse
import json
import math
import re
import shlex
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from data.catalogue import Generator, load_catalogue
from data.errors import DataUnavailableError
from data.files import write_text
from data.generate import find_generator
from experiments.definition import DefinitionError, load_experiment
from experiments.environment import commit_and_dirty
from experiments.measuring_programs import PROGRAM, build_target, program_of
from experiments.requirements_of_figures import MEMORY_FOR_EACH_TEXT_BYTE
from experiments.sources import REPOSITORY_ROOT

DATASET = "tpch/l_comment"
# What a program runs besides itself, in its own folder.
RUN_BY = {"gsst_measure_command": ("gsst",)}
RUN_SCRIPT = Path(__file__).parent / "packed_measurement.sh"
# The text is generated in so many parts, at the same time where there are processors; a multiple of 4.
PARTS = 40

# What every glibc host and every driver brings, and what must not be mixed with it.
_LIBRARIES_OF_HOST = re.compile(
    r"(ld-linux.*|linux-vdso|lib(c|m|dl|rt|pthread|resolv|cuda|nvidia-ml))\.so(\..*)?"
)
# Text that the generator makes, per unit of its scale factor; rounded up.
_BYTES_PER_SCALE_FACTOR = 166_000_000


class PackError(Exception):
    """The folder cannot be made."""


@dataclass(frozen=True)
class Measurement:
    """What the packed folder measures, and with what program; `kind` is empty for one without subcommands."""

    target: str
    points: Path
    scale_factor: float
    repetitions: int
    commit: str
    dirty: bool
    sources_digest: str
    program: str
    kind: str
    parts: int = PARTS


def libraries_to_carry(ldd_output: str) -> list[Path]:
    """The libraries in what `ldd` printed that a bare host lacks. Raises PackError where one is not found."""
    libraries = []
    for line in ldd_output.splitlines():
        name, arrow, place = line.strip().partition(" => ")
        if not arrow or _LIBRARIES_OF_HOST.fullmatch(name):
            continue
        path = place.split(" (")[0]
        if not path.startswith("/"):
            raise PackError(f"library {name} is not found")
        libraries.append(Path(path))
    return libraries


def linked_libraries(program: Path) -> list[Path]:
    """The libraries that `program` links and a bare host lacks; none for a script."""
    listing = subprocess.run(["ldd", program], capture_output=True, text=True, check=False)
    if listing.returncode != 0:
        if "not a dynamic executable" in listing.stderr + listing.stdout:
            return []
        raise PackError(f"ldd {program}: {listing.stderr.strip()}")
    return libraries_to_carry(listing.stdout)


def _dataset_name(measurement: Measurement, first_part: int, last_part: int) -> str:
    name = f"{DATASET}_sf{measurement.scale_factor:g}"
    if (first_part, last_part) == (1, measurement.parts):
        return name
    return f"{name}_parts_{first_part}_to_{last_part}_of_{measurement.parts}"


def settings(measurement: Measurement, generator: Generator) -> dict[str, str | int | float]:
    """The shell variables that `run.sh` reads."""
    document = json.loads(measurement.points.read_text(encoding="utf-8"))
    swept = isinstance(document, dict) and bool(document.get("candidates"))
    tuning_parts = measurement.parts // 4 if swept else 0
    text_bytes = math.ceil(measurement.scale_factor * _BYTES_PER_SCALE_FACTOR)
    return {
        "TARGET": measurement.target,
        "PROGRAM": measurement.program,
        "KIND": measurement.kind,
        "COMMIT": measurement.commit,
        "DIRTY": "yes" if measurement.dirty else "no",
        "SOURCES_DIGEST": measurement.sources_digest,
        "REPETITIONS": measurement.repetitions,
        "SCALE_FACTOR": f"{measurement.scale_factor:g}",
        "TABLE": generator.table,
        "FIELD": generator.field,
        "PARTS": measurement.parts,
        "TUNING_PARTS": tuning_parts,
        "TUNING_DATASET": _dataset_name(measurement, 1, tuning_parts) if tuning_parts else "",
        "DATASET": _dataset_name(measurement, tuning_parts + 1, measurement.parts),
        "NEEDED_MEMORY_BYTES": MEMORY_FOR_EACH_TEXT_BYTE * text_bytes,
        # A text is joined from its parts before these are removed.
        "NEEDED_DISK_BYTES": 2 * text_bytes,
    }


def pack(measurement: Measurement, program: Path, generator: Generator, folder: Path) -> None:
    """Writes the folder, which must not exist. Raises PackError and DataUnavailableError."""
    if folder.exists():
        raise PackError(f"{folder} exists already")
    if not program.exists():
        target = build_target(measurement.program)
        raise PackError(f"{program} does not exist: build the target {target}, which needs nvcc")
    others = {name: program.with_name(name) for name in RUN_BY.get(measurement.program, ())}
    programs = {measurement.program: program, **others, generator.program: Path(find_generator(generator))}
    for name in ("bin", "lib"):
        (folder / name).mkdir(parents=True)
    for name, path in programs.items():
        shutil.copy(path, folder / "bin" / name)
        for library in linked_libraries(path):
            shutil.copy(library, folder / "lib" / library.name)
    shutil.copy(RUN_SCRIPT, folder / "run.sh")
    shutil.copy(measurement.points, folder / "points.json")
    lines = [f"{name}={shlex.quote(str(value))}" for name, value in settings(measurement, generator).items()]
    write_text(folder / "settings.sh", "\n".join(lines) + "\n")


def kind_of(target: str) -> str:
    """What `target` measures. Raises PackError where that is not on a GPU."""
    experiment = load_experiment(target)
    if experiment.kind is None or experiment.needs != "gpu":
        raise PackError(f"{target} is not measured on a GPU")
    return experiment.kind


def _generator() -> Generator:
    source = load_catalogue()[DATASET].source
    assert isinstance(source, Generator)
    return source


def _points_file(text: str) -> Path:
    path = Path(text)
    try:
        json.loads(path.read_text(encoding="utf-8"))
    except (OSError, json.JSONDecodeError) as error:
        raise argparse.ArgumentTypeError(str(error)) from error
    return path


def _sha256(text: str) -> str:
    if not re.fullmatch("[0-9a-f]{64}", text):
        raise argparse.ArgumentTypeError("must be 64 lower-case hexadecimal digits")
    return text


def main() -> int:
    """Builds the program and packs the folder; status 1 with the reason where that fails."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--target", required=True)
    parser.add_argument("--points", type=_points_file, required=True)
    parser.add_argument("--sources-digest", type=_sha256, required=True)
    parser.add_argument("--scale-factor", type=float, required=True, help="of the text; 1 is about 165 MB")
    parser.add_argument("--repetitions", type=int, default=10)
    parser.add_argument("--build", type=Path, default=REPOSITORY_ROOT / "build")
    parser.add_argument("--output", type=Path, required=True)
    arguments = parser.parse_args()
    try:
        kind = kind_of(arguments.target)
    except (DefinitionError, PackError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    program = program_of(kind)
    # What is packed is what the commit says.
    build = ["cmake", "--build", arguments.build, "--target", build_target(program)]
    built = subprocess.run(build, check=False)
    if built.returncode != 0:
        return 1
    commit, dirty = commit_and_dirty(REPOSITORY_ROOT)
    measurement = Measurement(
        arguments.target,
        arguments.points,
        arguments.scale_factor,
        arguments.repetitions,
        commit,
        dirty,
        arguments.sources_digest,
        program,
        kind if program == PROGRAM else "",
    )
    try:
        pack(measurement, arguments.build / "bin" / program, _generator(), arguments.output)
    except (PackError, DataUnavailableError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
