"""Compiles the reference codec and its C interface (include/gsst/gsst.h) for a browser, as one script.

    python -m course.browser_codec.build FOLDER     writes FOLDER/gsst_codec.js

Emscripten makes WebAssembly of the sources that CMake's targets name. The script holds it as text: a browser
opens it from the file system. Where Emscripten is missing or does not compile the codec there is no script,
and this says why; the course is built without it.
"""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tools.repository import ROOT

SCRIPT = "gsst_codec.js"
_HERE = Path(__file__).resolve().parent
# The folder of each target, and the target.
_TARGETS = {
    "common/format": "gsst_format",
    "reference_cpu": "gsst_reference",
    "cpu/block_size": "gsst_block_size",
    "cpu/tiles": "gsst_cpu_tiles",
    "library": "gsst_codec",
}
_SERIES = "gsst"
# Columns of strings, searches, streams and tables are other interfaces, which need more of the standard
# library.
# Other sources are for vectors of an x86 processor.
_WITHOUT = re.compile(
    r"column|library/(?:arrow|block_strings|frame_search|lookup|search|str(?:eam|ing))|table_api|trained_table"
    r"|reference_cpu/codec\.cpp|_(?:sse2|avx2|avx512)\.cpp"
)
_FUNCTIONS = (
    "malloc",
    "free",
    "gsst_compress_plan_create",
    "gsst_compress_plan_destroy",
    "gsst_compress_plan_output_bytes",
    "gsst_compress_execute",
    "gsst_decompress_plan_create",
    "gsst_decompress_plan_destroy",
    "gsst_decompress_plan_output_bytes",
    "gsst_decompress_execute",
)
_COMPILE = ("-std=c++20", "-O2", "-fexceptions", "-Wno-c++11-narrowing", "-Wno-unknown-pragmas")
_LINK = (
    "-sSINGLE_FILE",
    "-sMODULARIZE",
    "-sEXPORT_NAME=loadGsstCodec",
    "-sENVIRONMENT=web,node",
    "-sFILESYSTEM=0",
    "-sALLOW_MEMORY_GROWTH",
)
# What cmake/GsstSeries.cmake writes for all series.
_SERIES_TABLE = f"""#include <array>

#include "common/format/formats.hpp"

namespace gsst::format {{

std::span<const Format> formats_of_{_SERIES}();

std::span<const FormatsOfSeries> series_with_formats() {{
  static constexpr std::array<FormatsOfSeries, 1> functions = {{formats_of_{_SERIES}}};
  return functions;
}}

}}  // namespace gsst::format
"""


class BuildError(Exception):
    """The codec does not compile."""


def sources_of(folder: str) -> list[str]:
    """The sources of the folder's target, from the repository's root."""
    text = (ROOT / folder / "CMakeLists.txt").read_text(encoding="utf-8")
    listed = re.search(rf"add_library\({_TARGETS[folder]} STATIC\s([^)]*)\)", text)
    if listed is None:
        raise BuildError(f"{folder}/CMakeLists.txt has no target {_TARGETS[folder]}")
    words = listed[1]
    for variable in re.findall(r"\$\{(\w+)\}", words):
        set_to = re.search(rf"^set\({variable}\s([^)]*)\)", text, re.MULTILINE)
        words += f" {set_to[1]}" if set_to else ""
    names = [name for name in words.split() if not name.startswith("$")]
    paths = [(ROOT / folder / name).resolve().relative_to(ROOT).as_posix() for name in names]
    return [path for path in paths if not _WITHOUT.search(path)]


def _series_sources() -> list[str]:
    folders = (ROOT / "common/format" / _SERIES, ROOT / "reference_cpu" / _SERIES)
    found = sorted(path for folder in folders for path in folder.glob("*.cpp"))
    paths = [path.relative_to(ROOT).as_posix() for path in found if not path.stem.endswith("_test")]
    return [path for path in paths if not _WITHOUT.search(path)]


def _version_header() -> str:
    declared = re.search(
        r"VERSION (\d+)\.(\d+)\.(\d+)", (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")
    )
    if declared is None:
        raise BuildError("CMakeLists.txt has no version")
    text = (ROOT / "include/gsst/version.h.in").read_text(encoding="utf-8")
    values = {
        "": ".".join(declared.groups()),
        "_MAJOR": declared[1],
        "_MINOR": declared[2],
        "_PATCH": declared[3],
    }
    return re.sub(r"@PROJECT_VERSION(\w*)@", lambda name: values[name[1]], text)


def _emcc(arguments: Iterable[str | Path]) -> None:
    # Debian's modules of Node.js, which a Node.js from elsewhere does not find by itself.
    environment = os.environ | {"NODE_PATH": "/usr/share/nodejs"}
    command = ["emcc", *map(str, arguments)]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise BuildError(done.stderr)


def emscripten_problem() -> str | None:
    """Why the codec cannot be compiled here; nothing where it can."""
    if shutil.which("emcc") is None:
        return "Emscripten is not installed (the package emscripten of Debian and Ubuntu)"
    done = subprocess.run(["emcc", "--version"], capture_output=True, text=True, check=False)
    return None if done.returncode == 0 else f"emcc does not run: {done.stderr.strip()}"


def build(folder: Path) -> Path:
    """Compiles the codec. Returns the script."""
    (folder / "include/gsst").mkdir(parents=True, exist_ok=True)
    (folder / "include/gsst/version.h").write_text(_version_header(), encoding="utf-8")
    # One unit for each target: most of the time goes into the standard library's headers.
    units = {target: sources_of(place) for place, target in _TARGETS.items()}
    units[_SERIES] = _series_sources()
    for unit, sources in units.items():
        text = "".join(f'#include "{source}"\n' for source in sources)
        (folder / f"{unit}.cpp").write_text(text, encoding="utf-8")
    (folder / "series.cpp").write_text(_SERIES_TABLE, encoding="utf-8")
    includes = ["-include", _HERE / "missing_cxx20.hpp", "-I.", "-Iinclude", f"-I{folder / 'include'}"]
    # The last one for xxhash.h alone: what Emscripten has is found before.
    includes += [f"-I{_HERE}", "-idirafter", "/usr/include"]

    def compile_unit(unit: str) -> Path:
        compiled = folder / f"{unit}.o"
        _emcc([*_COMPILE, *includes, "-c", folder / f"{unit}.cpp", "-o", compiled])
        return compiled

    with ThreadPoolExecutor(2) as pool:
        objects = list(pool.map(compile_unit, [*units, "series"]))
    exported = f"-sEXPORTED_FUNCTIONS={','.join(f'_{name}' for name in _FUNCTIONS)}"
    _emcc(["-O2", "-fexceptions", *_LINK, exported, *objects, "-o", folder / SCRIPT])
    return folder / SCRIPT


def main() -> None:
    """The command."""
    folder = Path(sys.argv[1]).resolve()
    shutil.rmtree(folder, ignore_errors=True)
    problem = emscripten_problem()
    if problem is None:
        try:
            build(folder)
        except BuildError as error:
            problem = str(error)
    if problem is not None:
        print(f"The course goes without the codec in its pages: {problem}", file=sys.stderr)


if __name__ == "__main__":
    main()
