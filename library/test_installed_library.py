"""The library as its users meet it: installed, found by CMake and by pkg-config, linked by the examples.

Installs build/ into a folder of its own; the environment variable GSST_BUILD_DIR names another build folder.
"""

import os
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
BUILD = Path(os.environ.get("GSST_BUILD_DIR", ROOT / "build")).absolute()
WARNINGS = ("-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Werror")


def run(*command: str | Path, environment: dict[str, str] | None = None) -> str:
    """Runs `command` and gives what it prints; fails with all of it."""
    done = subprocess.run(
        [str(word) for word in command],
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
        env={**os.environ, **(environment or {})},
    )
    assert done.returncode == 0, done.stdout
    return done.stdout


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    assert (BUILD / "library/libgsst_codec.a").exists(), f"{BUILD} has no library: `make build` makes it"
    prefix = tmp_path_factory.mktemp("installed")
    run("cmake", "--install", BUILD, "--component", "codec", "--prefix", prefix)
    return prefix


def project_version() -> str:
    found = re.search(
        r"project\(gsst VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")
    )
    assert found is not None
    return found[1]


def pkg_config(prefix: Path, *arguments: str) -> list[str]:
    folder = next(prefix.glob("**/pkgconfig"))
    return run("pkg-config", *arguments, "gsst", environment={"PKG_CONFIG_PATH": str(folder)}).split()


def test_examples_build_against_the_installed_tree_with_cmake(installed: Path, tmp_path: Path) -> None:
    flags = " ".join(WARNINGS)
    run(
        *("cmake", "-S", ROOT / "examples", "-B", tmp_path, f"-DCMAKE_PREFIX_PATH={installed}"),
        *(f"-DCMAKE_C_FLAGS={flags}", f"-DCMAKE_CXX_FLAGS={flags}"),
    )
    run("cmake", "--build", tmp_path)
    said = run(tmp_path / "example_cpu", ROOT / "README.md")
    size = (ROOT / "README.md").stat().st_size
    assert re.fullmatch(rf"{size} -> \d+ bytes in 1 blocks, same\n", said)
    said = run(tmp_path / "example_random_access")
    assert re.fullmatch(r"two lines of 10000: 2 of \d+ splits decoded, same\n", said)
    said = run(tmp_path / "example_arrow")
    assert re.fullmatch(r"3 strings, 1 null, \d+ bytes; string 2 is 'sea shells'\n", said)
    assert run(tmp_path / "example_cpu_c") == f"gsst {project_version()}: same\n"


def test_c_example_builds_as_c99_with_pkg_config(installed: Path, tmp_path: Path) -> None:
    program = tmp_path / "cpu"
    compiler = os.environ.get("CC", "cc")
    options = pkg_config(installed, "--cflags", "--libs")
    run(compiler, "-std=c99", *WARNINGS, ROOT / "examples/cpu.c", "-o", program, *options)
    assert run(program).endswith("same\n")


def test_every_place_says_the_same_version(installed: Path) -> None:
    version = project_version()
    assert pkg_config(installed, "--modversion") == [version]
    header = (installed / "include/gsst/version.h").read_text(encoding="utf-8")
    assert f'#define GSST_VERSION_STRING "{version}"\n' in header
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f"\nversion: {version}\n" in citation


def test_installed_files_name_no_folder_of_the_build(installed: Path) -> None:
    for path in installed.rglob("*"):
        if path.suffix in {".cmake", ".pc", ".h", ".hpp"}:
            text = path.read_text(encoding="utf-8")
            assert str(ROOT) not in text, path
            assert str(installed) not in text, path
