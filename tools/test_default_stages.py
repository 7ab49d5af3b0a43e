"""The files stages/<series>/defaults.txt, and what CMake says of mistakes in them."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tools.repository import ROOT
from tools.stages import DefaultStage, default_stages

FILES = ("common/format/gsst/formats.cpp", "common/stage/stage.hpp", "include/gsst/gsst.h")
LINES = """# A comment.

splits decode simt a/01_x  # Another.
splits decode gpu  a/02_y
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project that reads default stages and builds nothing; its file of a series is right."""
    (tmp_path / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.25)\nproject(defaults LANGUAGES NONE)\n"
        f"include({ROOT}/cmake/GsstDefaultStages.cmake)\n"
        'message(STATUS "simt: ${GSST_LIBRARY_STAGES_OF_simt}, gpu: ${GSST_LIBRARY_STAGES_OF_gpu}")\n'
    )
    for file in FILES:
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / file, tmp_path / file)
    for stage in ("a/01_x", "a/02_y"):
        (tmp_path / "stages" / stage).mkdir(parents=True)
        (tmp_path / "stages" / stage / "stage.cu").touch()
    (tmp_path / "stages/a/defaults.txt").write_text(LINES)
    return tmp_path


def cmake(project: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["cmake", *arguments], cwd=project, capture_output=True, text=True, check=False)


def configure(project: Path) -> subprocess.CompletedProcess[str]:
    return cmake(project, "-S", ".", "-B", "build")


def table(project: Path) -> list[str]:
    """The stages of the table that programs are compiled with."""
    return re.findall(r'"([^"]+)"}', (project / "build/default_stages.cpp").read_text())


def test_lines_become_a_table_and_the_stages_of_each_executor(project: Path) -> None:
    done = configure(project)
    assert done.returncode == 0, done.stderr
    assert "simt: a/01_x, gpu: a/02_y" in done.stdout
    assert table(project) == ["a/01_x", "a/02_y"]
    assert default_stages(project) == [
        DefaultStage("splits", "decode", "simt", "a/01_x"),
        DefaultStage("splits", "decode", "gpu", "a/02_y"),
    ]


def test_the_library_has_the_stages_of_the_formats_that_its_interface_names(project: Path) -> None:
    (project / "common/format/other").mkdir()
    (project / "common/format/other/formats.cpp").write_text('.name = "unheard_of"\n')
    (project / "stages/b/01_z").mkdir(parents=True)
    (project / "stages/b/01_z/stage.cu").touch()
    (project / "stages/b/defaults.txt").write_text(
        "unheard_of decode simt b/01_z\nunheard_of decode gpu b/01_z\n"
    )
    done = configure(project)
    assert done.returncode == 0, done.stderr
    assert "simt: a/01_x, gpu: a/02_y" in done.stdout
    assert table(project) == ["a/01_x", "a/02_y", "b/01_z", "b/01_z"]


def test_a_stage_without_a_kernel_needs_no_default_of_kernels(project: Path) -> None:
    (project / "stages/a/03_z").mkdir()
    (project / "stages/a/03_z/cpu.cpp").touch()
    (project / "stages/a/defaults.txt").write_text(LINES + "tiles decode cpu a/03_z\n")
    done = configure(project)
    assert done.returncode == 0, done.stderr
    assert "simt: a/01_x, gpu: a/02_y" in done.stdout


def test_a_fifth_word_has_the_command_run_a_stage_in_place_of_a_codec(project: Path) -> None:
    (project / "stages/a/03_z").mkdir()
    (project / "stages/a/03_z/cpu.cpp").touch()
    (project / "stages/a/defaults.txt").write_text(
        LINES + "tiles decode cpu a/03_z in_place_of_codec\nblocks encode cpu a/03_z\n"
    )
    done = configure(project)
    assert done.returncode == 0, done.stderr
    source = (project / "build/stages_in_place_of_codecs.cpp").read_text()
    assert re.findall(r'if .format == "(\w+)" && operation == Operation::(\w+)', source) == [
        ("tiles", "decode")
    ]
    assert default_stages(project)[2:] == [
        DefaultStage("tiles", "decode", "cpu", "a/03_z"),
        DefaultStage("blocks", "encode", "cpu", "a/03_z"),
    ]


def test_a_build_sees_that_a_file_has_changed(project: Path) -> None:
    assert configure(project).returncode == 0
    defaults = project / "stages/a/defaults.txt"
    defaults.write_text(LINES.replace("02_y", "01_x"))
    done = cmake(project, "--build", "build")
    assert done.returncode == 0, done.stderr
    assert table(project) == ["a/01_x", "a/01_x"]


@pytest.mark.parametrize(
    ("right", "wrong", "message"),
    [
        (
            "simt a/01_x",
            "simt a/03_z",
            "3: there is no stage 'a/03_z' for executor simt: no file stages/a/03_z/stage.cu",
        ),
        (
            "decode simt a/01_x",
            "decode cpu a/01_x",
            "3: there is no stage 'a/01_x' for executor cpu: no file stages/a/01_x/cpu.cpp",
        ),
        ("simt a/01_x", "simt", "3: expected 4 words, format, operation, executor and stage, found 3"),
        ("simt a/01_x", "simt a/01_x;x", "3: there is no stage 'a/01_x?x'"),
        ("splits decode simt", "spilts decode simt", "3: unknown format 'spilts', known are fsst, blocks,"),
        ("decode simt", "decoding simt", "3: unknown operation 'decoding', known are decode, encode"),
        ("decode simt", "decode cuda", "3: unknown executor 'cuda', known are cpu, simt, gpu"),
        (
            "decode gpu ",
            "decode simt",
            "4: splits decode simt has a default already, stages/a/defaults.txt:3",
        ),
        ("a/01_x", "a/01_x fast", "3: unknown fifth word 'fast', known are in_place_of_codec"),
        (
            "a/01_x",
            "a/01_x in_place_of_codec",
            "3: what codecs do is decode and encode for executor cpu, not decode for simt",
        ),
        ("splits decode gpu", "# ", "3: there is no line 'splits decode gpu'"),
        (LINES, "# No line.\n", "no file names a default stage"),
    ],
)
def test_a_mistake_ends_the_configuring_with_file_and_line(
    project: Path, right: str, wrong: str, message: str
) -> None:
    assert right in LINES
    (project / "stages/a/defaults.txt").write_text(LINES.replace(right, wrong))
    done = configure(project)
    assert done.returncode != 0
    said = " ".join(done.stderr.split())
    assert message in said
    assert "stages/a/defaults.txt:" in said or "stages/*/defaults.txt:" in said


def test_two_series_cannot_bring_formats_of_one_name(project: Path) -> None:
    other = project / "common/format/other/formats.cpp"
    other.parent.mkdir()
    other.write_text('{.name = "tiles"}')
    done = configure(project)
    assert done.returncode != 0
    said = " ".join(done.stderr.split())
    assert "other/formats.cpp: format 'tiles' is there already, in common/format/gsst/formats.cpp" in said


def test_a_format_has_one_default_in_all_files(project: Path) -> None:
    (project / "stages/b").mkdir()
    (project / "stages/b/defaults.txt").write_text("splits decode simt a/01_x\n")
    done = configure(project)
    assert done.returncode != 0
    said = " ".join(done.stderr.split())
    assert "stages/b/defaults.txt:1: splits decode simt has a default already" in said
