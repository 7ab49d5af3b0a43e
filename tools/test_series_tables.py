"""The tables of what series bring, which cmake/GsstSeries.cmake makes of their folders."""

import subprocess
from pathlib import Path

import pytest

from tools.repository import ROOT

PROJECT = f"""
cmake_minimum_required(VERSION 3.25)
project(series LANGUAGES CXX)
include({ROOT}/cmake/GsstSeries.cmake)
add_executable(list list.cpp)
target_include_directories(list PRIVATE ${{PROJECT_SOURCE_DIR}})
gsst_add_series(list things things.cpp TYPE NameOfSeries RETURNS "const char*" PREFIX name_of_
                TABLE series_with_names NAMESPACE example HEADER names.hpp)
"""
HEADER = """
#pragma once
#include <span>
namespace example {
using NameOfSeries = const char* (*)();
std::span<const NameOfSeries> series_with_names();
}
"""
LIST = """
#include <cstdio>
#include "names.hpp"
int main() {
  for (auto name : example::series_with_names()) std::puts(name());
}
"""


def add_series(project: Path, series: str) -> None:
    folder = project / "things" / series
    folder.mkdir(parents=True)
    (folder / "things.cpp").write_text(
        f"namespace example {{ const char* text_of_{series}(); "
        f"const char* name_of_{series}() {{ return text_of_{series}(); }} }}\n"
    )
    (folder / "text.cpp").write_text(
        f'namespace example {{ const char* text_of_{series}() {{ return "{series}"; }} }}\n'
    )
    (folder / "text_test.cpp").write_text("#error a test is no source of the series\n")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "CMakeLists.txt").write_text(PROJECT)
    (tmp_path / "names.hpp").write_text(HEADER)
    (tmp_path / "list.cpp").write_text(LIST)
    # What has no file of that name is no series.
    (tmp_path / "things/other").mkdir(parents=True)
    (tmp_path / "things/other/text.cpp").write_text("#error\n")
    return tmp_path


def cmake(project: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = ["cmake", *arguments]
    return subprocess.run(command, cwd=project, capture_output=True, text=True, check=False)


def names(project: Path) -> list[str]:
    built = cmake(project, "--build", "build")
    assert built.returncode == 0, built.stdout + built.stderr
    listing = subprocess.run([project / "build/list"], capture_output=True, text=True, check=True)
    return listing.stdout.split()


def test_a_folder_is_a_series_and_a_new_one_is_found_by_the_next_build(project: Path) -> None:
    add_series(project, "first")
    done = cmake(project, "-S", ".", "-B", "build", "-DCMAKE_CXX_STANDARD=20")
    assert done.returncode == 0, done.stderr
    assert names(project) == ["first"]
    add_series(project, "another")
    assert names(project) == ["another", "first"]


def test_a_build_without_series_is_refused(project: Path) -> None:
    done = cmake(project, "-S", ".", "-B", "build")
    assert done.returncode != 0
    assert "things/*/things.cpp: there is no such file" in " ".join(done.stderr.split())
