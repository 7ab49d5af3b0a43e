"""The feed as its users meet it: installed with the library, found by CMake, linked by a program in C."""

import os
import re
import subprocess
from pathlib import Path

import pytest

from library.installed_tree import BUILD, run
from tools.repository import ROOT

pytestmark = pytest.mark.long

WARNINGS = ("-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Werror")
HEADER = "zero_length_feed.h"


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    prefix = tmp_path_factory.mktemp("installed")
    run("cmake", "--install", BUILD, "--component", "codec", "--prefix", prefix)
    return prefix


def test_the_example_writes_a_file_that_the_command_decodes(installed: Path, tmp_path: Path) -> None:
    flags = f"-DCMAKE_C_FLAGS=-std=c99 {' '.join(WARNINGS)}"
    run("cmake", "-S", ROOT / "examples", "-B", tmp_path, f"-DCMAKE_PREFIX_PATH={installed}", flags)
    run("cmake", "--build", tmp_path, "--target", "example_zero_length_feed_c")
    content = bytes(100_000) + b"\xff text" * 30_000
    encoded = tmp_path / "FILE.zle"
    with encoded.open("wb") as output:
        done = subprocess.run(
            [tmp_path / "example_zero_length_feed_c"],
            input=content,
            stdout=output,
            stderr=subprocess.PIPE,
            check=True,
        )
    assert done.stderr.decode() == f"{len(content)} bytes in {-(-len(content) // 65536)} blocks\n"
    run(BUILD / "bin/gsst", "-d", encoded, "-o", tmp_path / "FILE")
    assert (tmp_path / "FILE").read_bytes() == content
    # Blocks of the command's own have the same bytes.
    again = tmp_path / "again.zle"
    run(
        *(BUILD / "bin/gsst", "--format", "zle_bare", "--block-size", "65536"),
        *(tmp_path / "FILE", "-o", again),
    )
    assert again.read_bytes() == encoded.read_bytes()


def test_the_header_is_c99_and_the_one_for_cxx_compiles_alone(installed: Path, tmp_path: Path) -> None:
    includes = f"-I{installed / 'include'}"
    in_c = tmp_path / "header.c"
    in_c.write_text(f"#include <gsst/{HEADER}>\nint main(void) {{ return GSST_OK; }}\n", encoding="utf-8")
    run(os.environ.get("CC", "cc"), "-std=c99", *WARNINGS, "-fsyntax-only", includes, in_c)
    in_cxx = tmp_path / "header.cpp"
    in_cxx.write_text("#include <gsst/zero_length_feed.hpp>\nint main() {}\n", encoding="utf-8")
    run(os.environ.get("CXX", "c++"), "-std=c++20", *WARNINGS, "-fsyntax-only", includes, in_cxx)


def test_structs_can_grow() -> None:
    text = (ROOT / "stages/zero_length/feed/include/gsst" / HEADER).read_text(encoding="utf-8")
    structs = re.findall(r"^typedef struct (gsst_\w+) \{\n(.*?)^\}", text, re.MULTILINE | re.DOTALL)
    assert len(structs) == 3
    for name, body in structs:
        assert re.match(r"(  ///[^\n]*\n)+  uint32_t struct_bytes;\n", body), name


def test_the_archive_exports_the_interface_alone(installed: Path) -> None:
    """Of its own names: others are of the library and hidden too."""
    (archive,) = installed.glob("**/libgsst_zero_length_feed.a")
    text = (installed / "include/gsst" / HEADER).read_text(encoding="utf-8")
    interface = set(re.findall(r"GSST_API [^;(]*?(gsst_\w+)\(", text))
    assert len(interface) == 9
    lines = run("readelf", "--syms", "--wide", archive).splitlines()
    symbols = [line.split() for line in lines if " FUNC " in line and " UND " not in line]
    visible = {words[7] for words in symbols if words[4] == "GLOBAL" and words[5] == "DEFAULT"}
    assert visible == interface
