import json
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from data.catalogue import Generator, load_catalogue
from data.generate import generate
from experiments.measuring_programs import program_of
from experiments.pack_measurement import (
    DATASET,
    Measurement,
    PackError,
    kind_of,
    libraries_to_carry,
    linked_libraries,
    pack,
    settings,
)

GENERATOR = load_catalogue()[DATASET].source
assert isinstance(GENERATOR, Generator)
SCALE_FACTOR = 0.01
SWEPT_POINTS = '{"points": [], "candidates": [1]}'

# Stands in for the measuring program: writes down how it was called, and the output that it was asked for.
PROGRAM = """#!/usr/bin/env bash
printf '%s\\n' "$*" >>calls
if [[ -e interrupt ]]; then rm interrupt; exit 3; fi
while (($#)); do
  if [[ $1 == --output ]]; then echo '{"points": []}' >"$2"; fi
  shift
done
"""

# Stands in for the generator, which takes a second to start: a row that says which part it is of.
GENERATOR_PROGRAM = """#!/usr/bin/env bash
arguments=$*
part=${arguments#*--part }
printf 'x|part %s|x\\n' "${part%% *}"
"""


@pytest.fixture
def measurement(tmp_path: Path) -> Measurement:
    points = tmp_path / "made_points.json"
    points.write_text('{"points": [1]}')
    return Measurement(
        target="gsst_fig_6_1",
        points=points,
        scale_factor=SCALE_FACTOR,
        repetitions=10,
        commit="c" * 40,
        dirty=False,
        sources_digest="d" * 64,
        program="gsst_measure",
        kind="decode",
        parts=4,
    )


@pytest.fixture
def program(tmp_path: Path) -> Path:
    path = tmp_path / "program"
    path.write_text(PROGRAM)
    path.chmod(0o755)
    return path


def run(folder: Path) -> subprocess.CompletedProcess[str]:
    """Runs the packed script as on a bare host: it finds its own folder and the system's tools."""
    environment = {"PATH": "/usr/bin:/bin", "CHECK_MEMORY": "0"}
    return subprocess.run(
        [folder / "run.sh"], env=environment, cwd="/", capture_output=True, text=True, check=False
    )


def calls(folder: Path) -> list[str]:
    return (folder / "calls").read_text().splitlines()


def option(call: str, name: str) -> str:
    return call.split(f"--{name} ")[1].split()[0]


def test_host_and_driver_libraries_stay_behind() -> None:
    listing = """\tlinux-vdso.so.1 (0x00007f)
\tlibbenchmark.so.1debian => /lib/x86_64-linux-gnu/libbenchmark.so.1debian (0x00007f)
\tlibgomp.so.1 => /lib/libgomp.so.1 (0x00007f)
\tlibstdc++.so.6 => /lib/libstdc++.so.6 (0x00007f)
\tlibm.so.6 => /lib/libm.so.6 (0x00007f)
\tlibc.so.6 => /lib/libc.so.6 (0x00007f)
\tlibcuda.so.1 => /lib/libcuda.so.1 (0x00007f)
\t/lib64/ld-linux-x86-64.so.2 (0x00007f)
"""
    carried = [library.name for library in libraries_to_carry(listing)]
    assert carried == ["libbenchmark.so.1debian", "libgomp.so.1", "libstdc++.so.6"]


def test_a_missing_library_is_named() -> None:
    with pytest.raises(PackError, match=r"libbenchmark\.so\.1 is not found"):
        libraries_to_carry("\tlibbenchmark.so.1 => not found\n")


def test_libraries_of_a_real_program_are_files() -> None:
    assert all(library.is_file() for library in linked_libraries(Path(sys.executable).resolve()))
    bash = shutil.which("bash")
    assert bash is not None
    assert "libc.so.6" not in {library.name for library in linked_libraries(Path(bash))}


def test_a_sweep_takes_the_first_quarter_of_the_text(measurement: Measurement) -> None:
    whole = settings(measurement, GENERATOR)
    assert (whole["TUNING_PARTS"], whole["DATASET"]) == (0, "tpch/l_comment_sf0.01")
    measurement.points.write_text(SWEPT_POINTS)
    swept = settings(measurement, GENERATOR)
    assert swept["TUNING_PARTS"] == 1
    assert swept["TUNING_DATASET"] == "tpch/l_comment_sf0.01_parts_1_to_1_of_4"
    assert swept["DATASET"] == "tpch/l_comment_sf0.01_parts_2_to_4_of_4"


def test_the_program_follows_from_the_target() -> None:
    assert program_of(kind_of("gsst_fig_6_1")) == "gsst_measure"
    assert program_of(kind_of("wide_encoder_counters")) == "gsst_measure"
    assert program_of(kind_of("beyond_overlap")) == "gsst_measure_overlap"
    with pytest.raises(PackError, match="gsst_table_5_4 is not measured on a GPU"):
        kind_of("gsst_table_5_4")


def test_an_existing_folder_is_left_alone(measurement: Measurement, program: Path, tmp_path: Path) -> None:
    folder = tmp_path / "packed"
    folder.mkdir()
    with pytest.raises(PackError, match="exists already"):
        pack(measurement, program, GENERATOR, folder)
    with pytest.raises(PackError, match="does not exist: build"):
        pack(measurement, tmp_path / "absent", GENERATOR, tmp_path / "other")
    assert list(folder.iterdir()) == []
    assert not (tmp_path / "other").exists()


def test_the_command_is_packed_with_the_program_that_runs_it(
    measurement: Measurement, program: Path, tmp_path: Path
) -> None:
    program.with_name("gsst").write_text("the command")
    folder = tmp_path / "packed"
    pack(replace(measurement, program="gsst_measure_command"), program, GENERATOR, folder)
    assert (folder / "bin" / "gsst").read_text() == "the command"
    pack(measurement, program, GENERATOR, tmp_path / "other")
    assert not (tmp_path / "other" / "bin" / "gsst").exists()


def test_packed_folder_generates_the_text_and_measures(
    measurement: Measurement, program: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "packed"
    pack(replace(measurement, dirty=True, parts=2), program, GENERATOR, folder)
    result = run(folder)
    assert result.returncode == 0, result.stderr
    assert result.stdout.splitlines()[-1] == str(folder / "results/gsst_fig_6_1.json")
    expected = generate(GENERATOR, SCALE_FACTOR, tmp_path / "expected", 1)
    assert (folder / "data/text").read_bytes() == (tmp_path / "expected").read_bytes()
    (call,) = calls(folder)
    assert call.startswith("decode --target gsst_fig_6_1 --points points.json ")
    assert option(call, "dataset-sha256") == expected.sha256
    assert option(call, "commit") == "c" * 40
    assert option(call, "sources-digest") == "d" * 64
    assert option(call, "repetitions") == "10"
    assert "--dirty" in call.split()
    assert json.loads((folder / "points.json").read_text()) == {"points": [1]}


def test_sweep_and_measurement_have_different_text_and_go_on_after_an_interruption(
    measurement: Measurement, program: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "packed"
    measurement.points.write_text(SWEPT_POINTS)
    pack(measurement, program, replace(GENERATOR, field=2), folder)
    (folder / "bin/tpchgen-cli").write_text(GENERATOR_PROGRAM)
    (folder / "interrupt").touch()
    assert run(folder).returncode == 3
    again = run(folder)
    assert again.returncode == 0, again.stderr
    interrupted, call = calls(folder)
    assert interrupted == call
    assert option(call, "dataset-sha256") != option(call, "tuning-dataset-sha256")
    assert "--tuning-input data/tuning_text" in call
    assert "--dirty" not in call.split()
    assert (folder / "data/tuning_text").read_text() == "part 1\n"
    assert (folder / "data/text").read_text() == "part 2\npart 3\npart 4\n"
    assert run(folder).returncode == 0
    assert len(calls(folder)) == 2, "what is complete is not measured again"


def test_too_little_memory_is_an_error_that_says_so(
    measurement: Measurement, program: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "packed"
    pack(replace(measurement, scale_factor=1e6), program, GENERATOR, folder)
    result = subprocess.run([folder / "run.sh"], capture_output=True, text=True, check=False)
    assert result.returncode == 1
    assert "bytes of memory are free" in result.stderr


def test_a_generator_that_fails_ends_the_run(measurement: Measurement, program: Path, tmp_path: Path) -> None:
    folder = tmp_path / "packed"
    pack(measurement, program, GENERATOR, folder)
    (folder / "bin/tpchgen-cli").write_text("#!/bin/bash\nexit 5\n")
    result = run(folder)
    assert result.returncode == 1
    assert "part 1 of the text could not be generated" in result.stderr
    assert not (folder / "calls").exists()
