"""The library as its users meet it: an archive, installed, found by CMake and pkg-config, linked by examples.

Installs build/ into a folder of its own; the environment variable GSST_BUILD_DIR names another build folder.
"""

import hashlib
import os
import re
import subprocess
from pathlib import Path

import pytest

from library.installed_tree import BUILD, HAS_GPU_LIBRARY, cuda_headers, install, run
from tools.repository import ROOT

pytestmark = pytest.mark.long

# Constants that hold addresses, are made at the start or, of instruction sets, when they are first
# asked for; and OpenMP's lock for what a loop throws.
CONSTANTS = {
    *("named_types", "named_values", "escape_match", "found", "has_avx2", "sets"),
    ".gomp_critical_user_gsst_parallel_for_failure",
}
# Of the part on a GPU: texts, stages that register when the program starts; streams and kernels of a thread.
FILLED_AT_START = {
    *("all", "defaults", "description", "encoder", "functions", "phases", "plans", "registration"),
    *("frame_field_names", "payload_field_names", "warps_parameter"),
}
OF_A_THREAD = {"allowed_kernels", "side_streams"}
WARNINGS = ("-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Werror")


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return install(tmp_path_factory.mktemp("installed"))


def project_version() -> str:
    found = re.search(
        r"project\(gsst VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")
    )
    assert found is not None
    return found[1]


def pkg_config(prefix: Path, *arguments: str) -> list[str]:
    folder = next(prefix.glob("**/pkgconfig"))
    return run("pkg-config", *arguments, "gsst", environment={"PKG_CONFIG_PATH": str(folder)}).split()


@pytest.fixture(scope="module")
def examples(installed: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with all examples, built by CMake."""
    folder = tmp_path_factory.mktemp("examples")
    flags = " ".join(WARNINGS)
    run(
        *("cmake", "-S", ROOT / "examples", "-B", folder, f"-DCMAKE_PREFIX_PATH={installed}"),
        *(f"-DCMAKE_C_FLAGS={flags}", f"-DCMAKE_CXX_FLAGS={flags}"),
        f"-DCMAKE_CUDA_ARCHITECTURES={os.environ.get('CUDAARCHS', '90-real')}",
    )
    run("cmake", "--build", folder)
    return folder


def test_examples_build_against_the_installed_tree_with_cmake(examples: Path) -> None:
    said = run(examples / "example_cpu", ROOT / "README.md")
    size = (ROOT / "README.md").stat().st_size
    assert re.fullmatch(rf"{size} -> \d+ bytes in 1 blocks, same\n", said)
    said = run(examples / "example_random_access")
    assert re.fullmatch(r"two lines of 10000: 2 of \d+ splits decoded, same\n", said)
    said = run(examples / "example_arrow")
    assert re.fullmatch(r"3 strings, 1 null, \d+ bytes; string 2 is 'sea shells'\n", said)
    assert run(examples / "example_cpu_c") == f"gsst {project_version()}: same\n"


def test_the_example_of_streams_compresses_and_restores_a_file(examples: Path) -> None:
    text = (ROOT / "README.md").read_bytes()
    program = examples / "example_stream_c"
    frame = subprocess.run([program], input=text, capture_output=True, check=True)
    said = rf"{len(text)} bytes to {len(frame.stdout)} in 1 blocks\n"
    assert re.fullmatch(said, frame.stderr.decode())
    assert subprocess.run([program, "-d"], input=frame.stdout, capture_output=True, check=True).stdout == text
    damaged = subprocess.run([program, "-d"], input=frame.stdout[:-1], capture_output=True, check=False)
    assert damaged.returncode == 1
    assert b"trailer" in damaged.stderr or b"frame" in damaged.stderr


@pytest.mark.skipif(not HAS_GPU_LIBRARY, reason="the library was built without nvcc")
def test_gpu_example_is_built_and_runs_where_there_is_a_gpu(examples: Path) -> None:
    program = examples / "example_gpu"
    assert program.exists()
    if not Path("/dev/nvidiactl").exists():
        pytest.skip("built, not run: no GPU")
    text = (ROOT / "README.md").read_bytes()
    assert re.fullmatch(
        rf"{len(text)} -> \d+ bytes, {text.count(10)} lines\n", run(program, ROOT / "README.md")
    )


@pytest.mark.skipif(not HAS_GPU_LIBRARY, reason="the library was built without nvcc")
def test_the_example_that_searches_on_a_gpu_finds_a_word_where_there_is_a_gpu(examples: Path) -> None:
    program = examples / "example_search_gpu"
    assert program.exists()
    if not Path("/dev/nvidiactl").exists():
        pytest.skip("built, not run: no GPU")
    text = (ROOT / "LICENSE").read_text(encoding="ascii")
    places = [found.start() for found in re.finditer("royalty", text)]
    said = "".join(f"{place}: {text[place : place + 60]}\n" for place in places)
    assert run(program, ROOT / "LICENSE", "royalty") == said


@pytest.mark.skipif(not HAS_GPU_LIBRARY, reason="the library was built without nvcc")
def test_gpu_headers_are_c99(installed: Path, tmp_path: Path) -> None:
    source = tmp_path / "gpu.c"
    source.write_text(
        "#include <gsst/gpu_column.h>\n#include <gsst/gpu_orc_column.h>\n#include <gsst/gpu_search.h>\n"
        "int main(void) { return GSST_GPU_BLOCK_STATUS(256U) + GSST_CHUNK_STATUS(256U) != 0; }\n"
    )
    compiler = os.environ.get("CC", "cc")
    includes = (f"-I{installed / 'include'}", "-isystem", cuda_headers())
    run(compiler, "-std=c99", *WARNINGS, "-fsyntax-only", *includes, source)


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What is in the source archive of the last commit."""
    if not (ROOT / ".git").exists():
        pytest.skip("no clone, of which an archive could be made")
    folder = tmp_path_factory.mktemp("archive")
    run(ROOT / "tools/make_archive.sh", folder)
    (archive,) = folder.glob("*.tar.gz")
    digest = hashlib.sha256(archive.read_bytes()).hexdigest()
    assert Path(f"{archive}.sha256").read_text(encoding="utf-8") == f"{digest}  {archive.name}\n"
    run("tar", "-xzf", archive, "-C", folder)
    (extracted,) = (path for path in folder.iterdir() if path.is_dir())
    assert archive.name == f"{extracted.name}.tar.gz"
    return extracted


@pytest.mark.parametrize("cuda", ["OFF", "ON"])
def test_the_archive_is_enough_for_the_library_and_needs_nothing_that_only_the_rest_needs(
    source: Path, tmp_path: Path, cuda: str
) -> None:
    if cuda == "ON" and not HAS_GPU_LIBRARY:
        pytest.skip("the library was built without nvcc")
    others = ("Boost", "CLI11", "GTest", "benchmark", "nlohmann_json")
    # Configuring finds every file that is compiled; .ci/run builds the Python package of the archive.
    run(
        *("cmake", "-S", source, "-B", tmp_path, "-DGSST_LIBRARY_ONLY=ON", f"-DGSST_CUDA={cuda}"),
        *(f"-DCMAKE_DISABLE_FIND_PACKAGE_{package}=ON" for package in others),
    )
    assert not (tmp_path / "_deps").exists()
    compiled = (tmp_path / "compile_commands.json").read_text(encoding="utf-8")
    assert "library/codec.cpp" in compiled
    assert ("library/gpu_" in compiled) == (cuda == "ON"), "nothing links these"
    version = (tmp_path / "include/gsst/version.h").read_text(encoding="utf-8")
    assert f'"{source.name.removeprefix("gsst-")}"' in version
    assert "## Unreleased" in (source / "CHANGELOG.md").read_text(encoding="utf-8")


def test_a_component_that_was_not_installed_is_named(tmp_path: Path) -> None:
    run("cmake", "--install", BUILD, "--component", "codec", "--prefix", tmp_path / "codec")
    (tmp_path / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.25)\nproject(user LANGUAGES CXX)\n"
        "find_package(gsst REQUIRED COMPONENTS gpu)\n"
    )
    done = subprocess.run(
        ["cmake", "-S", tmp_path, "-B", tmp_path / "build", f"-DCMAKE_PREFIX_PATH={tmp_path / 'codec'}"],
        text=True,
        capture_output=True,
        check=False,
    )
    assert done.returncode != 0
    assert "the component gpu was not installed" in done.stderr


def test_c_example_builds_as_c99_with_pkg_config(installed: Path, tmp_path: Path) -> None:
    program = tmp_path / "cpu"
    compiler = os.environ.get("CC", "cc")
    options = pkg_config(installed, "--cflags", "--libs")
    run(compiler, "-std=c99", *WARNINGS, ROOT / "examples/cpu.c", "-o", program, *options)
    assert run(program).endswith("same\n")


@pytest.mark.parametrize("header", ["gsst.h", "column.h", "lookup.h", "search.h", "stream.h", "table.h"])
def test_c_headers_are_c99(installed: Path, tmp_path: Path, header: str) -> None:
    source = tmp_path / "header.c"
    source.write_text(f"#include <gsst/{header}>\nint main(void) {{ return GSST_OK; }}\n")
    compiler = os.environ.get("CC", "cc")
    run(compiler, "-std=c99", *WARNINGS, "-fsyntax-only", f"-I{installed / 'include'}", source)


def variables_of(archive: Path, kinds: str) -> set[str]:
    """The names of an archive's variables of nm's `kinds`, without those of the language and its library.

    Without constants that hold addresses, which the loader fills in and then protects.
    """
    symbols = run("nm", "--demangle", "--defined-only", archive).splitlines()
    lines = (line for line in symbols if re.match(rf"[0-9a-f]+ [{kinds}] ", line))
    sections = run("objdump", "--syms", "--demangle", archive)
    protected = set(re.findall(r" \.data\.rel\.ro\S*\t[0-9a-f]+ (?:\.hidden )?(.+)$", sections, re.MULTILINE))
    return {
        # The name of a function stands before that of a constant of its own.
        name.rpartition("::")[2]
        for name in (line.split(maxsplit=2)[2].removeprefix("guard variable for ") for line in lines)
        if name not in protected
        and not name.startswith(("typeinfo for ", "typeinfo name for ", "vtable for ", "DW.ref.", "std::"))
    }


def test_the_library_has_no_variables(installed: Path) -> None:
    (archive,) = installed.glob("**/libgsst_codec.a")
    found = variables_of(archive, "bBdDC")
    assert found <= CONSTANTS, f"variables: {found - CONSTANTS}"


@pytest.mark.skipif(not HAS_GPU_LIBRARY, reason="the library was built without nvcc")
def test_the_library_on_a_gpu_changes_no_variables_but_those_of_a_thread(installed: Path) -> None:
    (archive,) = installed.glob("**/libgsst_gpu.a")
    # Two underscores: what nvcc adds to register kernels when the program starts.
    found = {name for name in variables_of(archive, "bBdDCuV") if not name.startswith("__")}
    allowed = FILLED_AT_START | OF_A_THREAD
    assert found <= allowed, f"variables: {found - allowed}"
    assert found >= OF_A_THREAD, "the list above is not of this library"
    # Those of a thread are no others': the linker's sections say so.
    sections = run("objdump", "--syms", "--demangle", archive).splitlines()
    for name in OF_A_THREAD:
        of_a_thread = [line for line in sections if line.endswith(f"::{name}")]
        assert of_a_thread
        assert all(".tbss" in line or ".tdata" in line for line in of_a_thread)


def test_find_package_takes_the_same_minor_version_only(installed: Path, tmp_path: Path) -> None:
    major, minor, _ = (int(number) for number in project_version().split("."))
    versions = [f"{major + 1}.{minor}", f"{major}.{minor + 1}", f"{major}.{minor}"]
    finding = "".join(
        f'find_package(gsst {version} QUIET)\nmessage(STATUS "{version} found: ${{gsst_FOUND}}")\n'
        for version in versions
    )
    (tmp_path / "CMakeLists.txt").write_text(
        f"cmake_minimum_required(VERSION 3.25)\nproject(user LANGUAGES CXX)\n{finding}"
    )
    said = run("cmake", "-S", tmp_path, "-B", tmp_path / "build", f"-DCMAKE_PREFIX_PATH={installed}")
    assert re.findall(r"(\S+) found: (\d)", said) == list(zip(versions, "001", strict=True))


def test_every_place_says_the_same_version(installed: Path) -> None:
    version = project_version()
    assert pkg_config(installed, "--modversion") == [version]
    header = (installed / "include/gsst/version.h").read_text(encoding="utf-8")
    assert f'#define GSST_VERSION_STRING "{version}"\n' in header
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f"\nversion: {version}\n" in citation
    assert f"\n## {version}\n" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_installed_files_name_no_folder_of_the_build(installed: Path) -> None:
    for path in installed.rglob("*"):
        if path.suffix in {".cmake", ".pc", ".h", ".hpp"}:
            text = path.read_text(encoding="utf-8")
            assert str(ROOT) not in text, path
            assert str(installed) not in text, path
