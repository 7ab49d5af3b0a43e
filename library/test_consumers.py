"""Programs of others: the code of the pages as it is printed there, on default compilers, and plugins.

The library is built and installed as docs/library.md says, in a folder that looks like a clone.
"""

import os
import re
import shutil
from dataclasses import dataclass
from pathlib import Path

import pytest

from library.installed_tree import BUILD, HAS_GPU_LIBRARY, cuda_headers, install, run
from tools.repository import ROOT, committable_files

pytestmark = pytest.mark.long

needs_gpu_library = pytest.mark.skipif(not HAS_GPU_LIBRARY, reason="the library was built without nvcc")
_FENCED = re.compile(r"^```(?P<language>\w*)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)

# Each page and language: the test that runs or compiles all of its blocks as they are, or why none does.
CHECKED = {
    ("README.md", "sh"): "test_commands_of_the_readme_run",
    ("README.md", "console"): "test_readme_and_stage_pages_show_what_command_and_records_say_now",
    ("README.md", "cpp"): "test_the_program_of_the_readme_gives_its_text_back",
    ("README.md", "python"): "test_examples_of_the_readme_give_what_is_printed_there",
    ("common/format/FORMAT.md", ""): "not code: the order of bytes",
    ("docs/adding_an_experiment.md", "sh"): "a measurement with placeholders, on a GPU",
    ("docs/adding_an_experiment.md", "json"): "parts of inputs, with dots for what is left out",
    ("docs/carrying_over.md", ""): "commands with placeholders, on commits and a GPU host",
    ("docs/how_fast.md", "sh"): "test_the_commands_of_the_page_make_its_figure",
    ("docs/library.md", "sh"): "test_commands_of_the_library_page_build_a_program",
    ("docs/library.md", "cmake"): "test_a_project_with_the_lines_of_a_page_is_built",
    ("docs/python.md", "sh"): "test_commands_of_the_page_run",
    ("docs/python.md", "python"): "test_examples_of_the_documentation_give_what_is_printed_there",
    ("docs/searching.md", "cpp"): "test_the_program_about_searching_prints_its_line",
    ("docs/searching.md", "python"): "test_examples_of_the_page_about_searching_give_what_is_printed_there",
    ("docs/python_gpu.md", "sh"): "compiles for minutes: tools/compile_python_gpu.sh does it in .ci/run",
    ("docs/python_gpu.md", "python"): "test_examples_of_the_page_give_what_is_printed_there",
    ("docs/reproducing.md", "sh"): "a cluster's names have to be put in",
    (
        "docs/tracing.md",
        "sh",
    ): "needs a build of its own: `make trace`, which .ci/run runs, has the same options",
    ("docs/use_in_an_engine.md", "cmake"): "test_a_project_with_the_lines_of_a_page_is_built",
    ("docs/use_in_an_engine.md", "cpp"): "test_the_code_of_the_engine_page_compiles",
    ("experiments/peers/README.md", "sh"): "downloads nvCOMP: .ci/run does it",
    ("stages/tile_integer/09_queries/stage.md", "diff"): "two of the lines that test_one_line.py compares",
    ("stages/zero_length/01_naive/stage.md", "sh"): "test_commands_of_a_stage_page_run",
    ("stages/zero_length/02_openmp/stage.md", "sh"): "test_commands_of_a_stage_page_run",
    ("stages/zero_length/03_simd/stage.md", "sh"): "test_commands_of_a_stage_page_run",
    ("stages/zero_length/07_markers/stage.md", "sh"): "test_commands_of_a_stage_page_run",
    ("stages/zero_length/08_dictionary/stage.md", "sh"): "test_commands_of_a_stage_page_run",
}
COMPILERS = (("gcc", "g++"), ("clang", "clang++"))


@dataclass(frozen=True)
class Block:
    """Lines between fences, in a page that is named from the root."""

    page: str
    language: str
    text: str


def blocks_of(page: str, language: str | None = None) -> list[Block]:
    """All of a page, or those in `language`."""
    found = _FENCED.finditer((ROOT / page).read_text(encoding="utf-8"))
    blocks = [Block(page, match["language"], match["text"]) for match in found]
    return [block for block in blocks if language is None or block.language == language]


PAGES = [path.as_posix() for path in committable_files() if path.suffix == ".md"]
ALL_BLOCKS = [block for page in PAGES for block in blocks_of(page)]


def test_every_block_of_code_is_run_or_it_is_said_why_not() -> None:
    assert {(block.page, block.language) for block in ALL_BLOCKS} == set(CHECKED)
    sources = "".join(
        (ROOT / path).read_text(encoding="utf-8") for path in committable_files() if path.suffix == ".py"
    )
    tests = [check for check in CHECKED.values() if " " not in check]
    assert [test for test in tests if f"def {test}(" not in sources] == []
    # A fence that the expression above does not see would hide its block.
    fences = sum((ROOT / page).read_text(encoding="utf-8").count("```") for page in PAGES)
    assert fences == 2 * len(ALL_BLOCKS)


@pytest.fixture(params=COMPILERS, ids=lambda compilers: compilers[1])
def compilers(request: pytest.FixtureRequest) -> tuple[str, str]:
    """One for C and one for C++, with the standards that they take where nobody names one."""
    if shutil.which(request.param[1]) is None:
        pytest.skip(f"{request.param[1]} is not installed")
    return request.param


def like_a_clone(folder: Path) -> Path:
    """A folder with all that the root has in it but build folders."""
    folder.mkdir(exist_ok=True)
    for name in {path.parts[0] for path in committable_files()}:
        (folder / name).symlink_to(ROOT / name)
    return folder


def run_lines(block: Block, folder: Path, environment: dict[str, str]) -> str:
    return run("bash", "-euo", "pipefail", "-c", block.text, folder=folder, environment=environment)


def on_path(folder: Path, **programs: str) -> str:
    """A PATH on which these names run these lines of shell, before all others."""
    folder.mkdir()
    for name, line in programs.items():
        (folder / name).write_text(f"#!/bin/sh\n{line}\n", encoding="utf-8")
        (folder / name).chmod(0o755)
    return f"{folder}:{os.environ['PATH']}"


# A build that takes seconds, of an archive that a shared library can hold.
_QUICKLY = """
set(GSST_CUDA OFF CACHE STRING "")
set(CMAKE_CXX_FLAGS_RELEASE -O0 CACHE STRING "")
set(CMAKE_POSITION_INDEPENDENT_CODE ON CACHE BOOL "")
set(GSST_SHARED ON CACHE BOOL "")
set(CMAKE_UNITY_BUILD ON CACHE BOOL "")
set(CMAKE_UNITY_BUILD_BATCH_SIZE 0 CACHE STRING "")
"""


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the lines of docs/library.md, as they are, installed the library."""
    folder = tmp_path_factory.mktemp("documented")
    (folder / "quickly.cmake").write_text(_QUICKLY, encoding="utf-8")
    environment = {
        "CMAKE_TOOLCHAIN_FILE": str(folder / "quickly.cmake"),
        "CMAKE_BUILD_PARALLEL_LEVEL": "2",
        "DESTDIR": str(folder / "destination"),
        # Where ccache is the compiler's launcher, it knows the objects again in a folder of another name.
        "CCACHE_BASEDIR": str(folder),
        "CCACHE_NOHASHDIR": "1",
    }
    install_lines = blocks_of("docs/library.md", "sh")[0]
    run_lines(install_lines, like_a_clone(folder / "clone"), environment)
    return folder / "destination/usr/local"


@pytest.fixture(scope="module")
def installed_with_gpu(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return install(tmp_path_factory.mktemp("installed"))


def pkg_config_path(prefix: Path) -> dict[str, str]:
    (folder,) = prefix.glob("**/pkgconfig")
    return {"PKG_CONFIG_PATH": str(folder)}


def test_commands_of_the_readme_run(tmp_path: Path) -> None:
    folder = like_a_clone(tmp_path / "clone")
    (folder / "LICENSE").unlink()
    shutil.copy(ROOT / "LICENSE", folder)
    (folder / "build").symlink_to(BUILD)
    # What `make` would do is what other tests and .ci/run do. A dry run, too, runs lines that name $(MAKE).
    dry_run = f'{shutil.which("make")} --dry-run SHELL=true "$@" >/dev/null'
    path = on_path(tmp_path / "programs", make=dry_run)
    said = [run_lines(block, folder, {"PATH": path}) for block in blocks_of("README.md", "sh")]
    assert said[-1].endswith((ROOT / "LICENSE").read_text(encoding="utf-8"))


@pytest.mark.packaging
def test_the_program_of_the_readme_gives_its_text_back(
    installed: Path, compilers: tuple[str, str], tmp_path: Path
) -> None:
    (program,) = blocks_of("README.md", "cpp")
    (tmp_path / "main.cpp").write_text(program.text, encoding="utf-8")
    flags = run("pkg-config", "--cflags", "--libs", "gsst", environment=pkg_config_path(installed)).split()
    run(compilers[1], "-std=c++20", "main.cpp", *flags, "-o", "main", folder=tmp_path)
    assert re.fullmatch(r"1000000 bytes from [1-9]\d{0,5}\n", run(tmp_path / "main"))


@pytest.mark.packaging
def test_the_program_about_searching_prints_its_line(
    installed: Path, compilers: tuple[str, str], tmp_path: Path
) -> None:
    (program,) = blocks_of("docs/searching.md", "cpp")
    (tmp_path / "main.cpp").write_text(program.text, encoding="utf-8")
    flags = run("pkg-config", "--cflags", "--libs", "gsst", environment=pkg_config_path(installed)).split()
    run(compilers[1], "-std=c++20", "main.cpp", *flags, "-o", "main", folder=tmp_path)
    assert run(tmp_path / "main") == "packages with special care, as the customer requests\n"


@pytest.mark.parametrize(
    "page", [page for page in PAGES if page.endswith("/stage.md") and blocks_of(page, "sh")]
)
def test_commands_of_a_stage_page_run(page: str, tmp_path: Path) -> None:
    """In a folder with a file FILE, which they leave as it was."""
    content = bytes(1000) + b"text" * 1000
    (tmp_path / "FILE").write_bytes(content)
    path = f"{BUILD / 'bin'}:{os.environ['PATH']}"
    for block in blocks_of(page, "sh"):
        for line in block.text.splitlines():
            if line.startswith("gsst -d"):
                (tmp_path / "FILE").unlink()
            run("bash", "-euc", line, folder=tmp_path, environment={"PATH": path})
    assert (tmp_path / "FILE").read_bytes() == content


@pytest.mark.packaging
def test_commands_of_the_library_page_build_a_program(
    installed: Path, compilers: tuple[str, str], tmp_path: Path
) -> None:
    shutil.copy(ROOT / "examples/cpu.c", tmp_path / "my_program.c")
    _, without_cmake = blocks_of("docs/library.md", "sh")
    path = on_path(tmp_path / "programs", cc=f'exec {compilers[0]} "$@"')
    run_lines(without_cmake, tmp_path, {"PATH": path, **pkg_config_path(installed)})
    assert run(tmp_path / "a.out").endswith("same\n")


def of_the_tree(folder: Path) -> tuple[str, ...]:
    """Options with which CMake takes this tree for what a project fetches, and builds it quickly."""
    (folder / "quickly.cmake").write_text(_QUICKLY, encoding="utf-8")
    tree = like_a_clone(folder / "fetched")
    return (f"-DCMAKE_TOOLCHAIN_FILE={folder / 'quickly.cmake'}", f"-DFETCHCONTENT_SOURCE_DIR_GSST={tree}")


_PROJECT = """cmake_minimum_required(VERSION 3.25)
project(user LANGUAGES C CXX)
add_executable({target} main.cpp)
{lines}"""
_CMAKE_BLOCKS = [block for block in ALL_BLOCKS if block.language == "cmake"]


@pytest.mark.packaging
@pytest.mark.parametrize(
    "block", _CMAKE_BLOCKS, ids=lambda block: f"{block.page}:{block.text.splitlines()[0]}"
)
def test_a_project_with_the_lines_of_a_page_is_built(
    request: pytest.FixtureRequest, compilers: tuple[str, str], tmp_path: Path, block: Block
) -> None:
    on_gpu = "gsst::gsst" in block.text
    if on_gpu and not HAS_GPU_LIBRARY:
        pytest.skip("the library was built without nvcc")
    found = re.search(r"target_link_libraries\((\w+)", block.text)
    assert found is not None
    prefix: Path = request.getfixturevalue("installed_with_gpu" if on_gpu else "installed")
    (tmp_path / "CMakeLists.txt").write_text(
        _PROJECT.format(target=found[1], lines=block.text), encoding="utf-8"
    )
    headers = (
        (
            *("gpu.hpp", "gpu_chunks.hpp", "gpu_column.hpp", "gpu_frames.hpp", "gpu_orc_column.hpp"),
            "gpu_search.hpp",
        )
        if on_gpu
        else ("gsst.hpp", "column.hpp", "lookup.hpp", "search.hpp", "stream.hpp", "table.hpp")
    )
    (tmp_path / "main.cpp").write_text(
        "".join(f"#include <gsst/{header}>\n" for header in headers)
        + "int main() { return gsst::compress({}).has_value() ? 0 : 1; }\n",
        encoding="utf-8",
    )
    fetched = "FetchContent" in block.text
    run(
        *("cmake", "-S", tmp_path, "-B", tmp_path / "build"),
        *(of_the_tree(tmp_path) if fetched else (f"-DCMAKE_PREFIX_PATH={prefix}",)),
        *(f"-DCMAKE_C_COMPILER={compilers[0]}", f"-DCMAKE_CXX_COMPILER={compilers[1]}"),
    )
    run("cmake", "--build", tmp_path / "build", "--parallel", "2")
    run(tmp_path / "build" / found[1])
    if fetched:
        run("cmake", "--install", tmp_path / "build", "--prefix", tmp_path / "destination")
        assert not (tmp_path / "destination").exists(), "the project installs nothing of its own"


@pytest.mark.packaging
@pytest.mark.parametrize(
    "header", ["gsst.hpp", "column.hpp", "lookup.hpp", "search.hpp", "stream.hpp", "table.hpp"]
)
def test_an_older_standard_is_refused_in_words(
    installed: Path, compilers: tuple[str, str], tmp_path: Path, header: str
) -> None:
    source = tmp_path / "user.cpp"
    source.write_text(f"#include <gsst/{header}>\n", encoding="utf-8")
    command = f"{compilers[1]} -fsyntax-only -I{installed / 'include'} {source}"
    run("bash", "-c", f"{command} -std=c++20")
    said = run("bash", "-c", f"! {command} -std=c++17")
    first = next(line for line in said.splitlines() if "error" in line)
    assert "gsst.hpp needs C++20: compile with -std=c++20" in first


# What the code of the engine's page finds around it.
_AROUND_THE_PAGE = """
#include <gsst/column.hpp>
#include <gsst/gpu_column.hpp>
#include <gsst/gpu_frames.hpp>
std::span<const std::byte> frame_in_host_memory, column_in_host_memory, sample_in_host_memory;
std::span<std::byte> frame, input, packed, output, scratch;
std::span<std::uint32_t> status, status_in_host_memory;
std::span<gsst::Range> ranges;
std::vector<std::uint64_t> row_numbers;
std::uint64_t most_bytes, most_blocks;
std::uint64_t* frame_bytes;
gsst::gpu::FrameResult* result;
std::span<gsst::gpu::FramePlace> places;
std::span<gsst::gpu::FrameResult> results;
cudaStream_t stream;
void report(const std::string&);
auto plan = gsst::gpu::DecompressPlan::create(frame_in_host_memory);
#ifdef __CUDACC__
__global__ void my_scan(const std::byte* bytes, std::size_t count);
unsigned blocks, threads;
#endif
"""


@needs_gpu_library
@pytest.mark.parametrize("compiler", ["g++", "clang++", "nvcc"])
def test_the_code_of_the_engine_page_compiles(
    installed_with_gpu: Path, tmp_path: Path, compiler: str
) -> None:
    parts = [block.text for block in blocks_of("docs/use_in_an_engine.md", "cpp")]
    assert len(parts) > 5
    # A launch is nvcc's alone.
    if compiler != "nvcc":
        parts = [part for part in parts if "<<<" not in part]
    functions = [f"void part_{number}() {{\n{part}}}\n" for number, part in enumerate(parts)]
    source = tmp_path / "page.cu"
    source.write_text(_AROUND_THE_PAGE + "".join(functions), encoding="utf-8")
    includes = (f"-I{installed_with_gpu / 'include'}", "-isystem", cuda_headers())
    if compiler == "nvcc":
        program = os.environ.get("CUDACXX") or "nvcc"
        run(program, "-std=c++20", "-arch=sm_90", "-c", "-o", tmp_path / "page.o", *includes, source)
    elif shutil.which(compiler) is None:
        pytest.skip(f"{compiler} is not installed")
    else:
        run(compiler, "-x", "c++", "-std=c++20", "-fsyntax-only", *includes, source)


def test_structs_of_the_interface_can_grow() -> None:
    text = "".join(path.read_text(encoding="utf-8") for path in sorted((ROOT / "include/gsst").glob("*.h")))
    structs = dict(re.findall(r"^typedef struct (gsst_\w+) \{\n(.*?)^\}", text, re.MULTILINE | re.DOTALL))
    without_size = {
        name
        for name, body in structs.items()
        if not re.match(r"(  ///[^\n]*\n)+  uint32_t struct_bytes;\n", body)
    }
    assert len(structs) > 10
    # Of a size that is named in the header; elements of arrays; one that a GPU writes.
    elements = {
        "gsst_range",
        "gsst_chunk",
        "gsst_frame_place",
        "gsst_match",
        "gsst_orc_position",
        "gsst_orc_row_group",
        "gsst_orc_stripe",
        "gsst_pattern",
    }
    assert without_size == {"gsst_message", *elements, "gsst_gpu_frame_result"}


# A plugin of two functions, of which one is others'.
_PLUGIN = """#include <gsst/gsst.hpp>
namespace plugin {
std::size_t compressed_bytes(std::span<const std::byte> bytes) {
  return gsst::compress(bytes).value().size();
}
}  // namespace plugin
extern "C" std::size_t plugin_entry() { return plugin::compressed_bytes({}); }
"""


# Of the library, but for what is inline in its headers.
INTERNAL = r"^gsst_|\bgsst::(cpu|format|library|reference)::"


def exported(library: Path, pattern: str = "") -> set[str]:
    """What a shared library exports, in the words of C++, without what C++ itself puts into every one."""
    lines = run("nm", "--dynamic", "--defined-only", "--demangle", library).splitlines()
    names = {line.split(maxsplit=2)[2] for line in lines}
    return {name for name in names if not re.search(r"\bstd::", name) and re.search(pattern, name)}


def plugin_source(folder: Path) -> Path:
    source = folder / "plugin.cpp"
    source.write_text(_PLUGIN, encoding="utf-8")
    return source


@pytest.mark.packaging
def test_a_plugin_that_cmake_links_exports_nothing_of_the_library(installed: Path, tmp_path: Path) -> None:
    plugin_source(tmp_path)
    (tmp_path / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.25)\nproject(plugin LANGUAGES CXX)\n"
        "find_package(gsst 0.1 REQUIRED)\nadd_library(plugin SHARED plugin.cpp)\n"
        "target_link_libraries(plugin PRIVATE gsst::codec)\n",
        encoding="utf-8",
    )
    run("cmake", "-S", tmp_path, "-B", tmp_path / "build", f"-DCMAKE_PREFIX_PATH={installed}")
    run("cmake", "--build", tmp_path / "build")
    assert exported(tmp_path / "build/libplugin.so", INTERNAL) == set()
    assert "plugin_entry" in exported(tmp_path / "build/libplugin.so")


def interface_of_codec(installed: Path) -> set[str]:
    """The functions of the codec's headers."""
    names = ("gsst.h", "column.h", "lookup.h", "search.h", "stream.h", "table.h")
    headers = "".join((installed / "include/gsst" / name).read_text() for name in names)
    return set(re.findall(r"GSST_API [^;(]*?(gsst_\w+)\(", headers))


@pytest.mark.packaging
def test_a_plugin_exports_of_an_archive_that_it_holds_the_interface_alone(
    installed: Path, tmp_path: Path
) -> None:
    (archive,) = installed.glob("**/libgsst_codec.a")
    plugin = tmp_path / "plugin.so"
    run(
        *("g++", "-std=c++20", "-fPIC", "-shared", f"-I{installed / 'include'}", plugin_source(tmp_path)),
        *("-Wl,--whole-archive", archive, "-Wl,--no-whole-archive", "-fopenmp", "-o", plugin),
    )
    interface = interface_of_codec(installed)
    assert len(interface) > 20
    assert exported(plugin, INTERNAL) == interface


@pytest.mark.packaging
def test_the_shared_library_has_a_version_and_exports_the_interface_alone(
    installed: Path, tmp_path: Path
) -> None:
    (library,) = installed.glob("**/libgsst.so")
    version = re.search(
        r'GSST_VERSION_STRING "((\d+\.\d+)\.\d+)"', (installed / "include/gsst/version.h").read_text()
    )
    assert version is not None
    assert f"soname: [libgsst.so.{version[2]}]" in run("readelf", "--dynamic", library)
    assert library.resolve().name == f"libgsst.so.{version[1]}"
    assert exported(library) == interface_of_codec(installed)

    program = tmp_path / "cpu"
    options = (f"-I{installed / 'include'}", f"-L{library.parent}", "-lgsst")
    run("gcc", "-std=c99", ROOT / "examples/cpu.c", "-o", program, *options)
    said = run(program, environment={"LD_LIBRARY_PATH": str(library.parent)})
    assert said == f"gsst {version[1]}: same\n"


@pytest.mark.packaging
def test_a_plugin_that_pkg_config_links_exports_nothing_of_the_library(
    installed: Path, tmp_path: Path
) -> None:
    options = run("pkg-config", "--cflags", "--libs", "gsst", environment=pkg_config_path(installed)).split()
    plugin = tmp_path / "plugin.so"
    run("g++", "-std=c++20", "-fPIC", "-shared", plugin_source(tmp_path), "-o", plugin, *options)
    assert exported(plugin, INTERNAL) == set()
    assert "plugin_entry" in exported(plugin)
