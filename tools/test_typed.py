"""What a reader copies out of a page is there: paths, targets of make, and breakpoints. Blocks of commands
are run: library/test_consumers.py lists by which tests."""

import re
from pathlib import Path

import pytest

from tools.repository import ROOT, committable_files
from tools.stages import is_own_stage

PAGES = [path for path in committable_files() if path.suffix == ".md"]
FOLDERS = {path.parts[0] for path in committable_files() if len(path.parts) > 1}
TARGETS = set(re.findall(r"^([a-z][a-z-]*):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
KERNEL_FUNCTIONS = {
    name
    for path in ROOT.glob("stages/*/*/*.cuh")
    for name in re.findall(r"__(?:device|global)__[^(;{]*?\b(\w+)\(", path.read_text(encoding="utf-8"))
}

_FENCED = re.compile(r"^```.*?^```$", re.DOTALL | re.MULTILINE)
# What is the text of a link leads where the link does.
_CODE = re.compile(r"(?<!\[)`([^`\n]+)`")
_PATH = re.compile(r"(?:\w[\w.-]*/)+\w[\w.-]*\.[a-z0-9]+")
_MAKE = re.compile(r"\bmake ([a-z][a-z-]*)\b")
_BREAKPOINT = re.compile(r"break (?P<file>\S+):(?P<line>\d+) if (?P<name>\w+)(?:\.[xyz])? ==")
_BREAKPOINT_OF_FUNCTION = re.compile(r"break (?P<function>\w+) if (?P<name>\w+)(?:\.[xyz])? ==")
# The debugger knows them everywhere: common/simt/block_executor.cpp.
_OF_THREADS = ("threadIdx", "blockIdx", "blockDim", "gridDim")


def typed(text: str) -> list[str]:
    """What stands between backticks in the text of a page, outside of blocks."""
    return _CODE.findall(_FENCED.sub("", text))


def missing_paths(text: str, folder: Path) -> list[str]:
    """Paths of this repository that are not there, from its root or from `folder`. Nothing is said of files
    that are built, such as results/index.html, of names to be replaced, which are in capitals, and of a
    reader's own stages."""
    paths = [code for code in typed(text) if _PATH.fullmatch(code) and code.partition("/")[0] in FOLDERS]
    paths = [path for path in paths if not any(Path(part).stem.isupper() for part in path.split("/"))]
    paths = [path for path in paths if not is_own_stage("/".join(path.split("/")[1:3]))]
    return [path for path in paths if not (ROOT / path).exists() and not (folder / path).exists()]


def unknown_targets(text: str) -> set[str]:
    """What `make` is asked for and does not know."""
    return {target for code in typed(text) for target in _MAKE.findall(code)} - TARGETS


def breakpoint_problem(file: str, line: int, name: str, root: Path = ROOT) -> str:
    """Why no debugger stops there and knows the name; empty where it does."""
    if not (root / file).exists():
        return f"{file} is not there"
    lines = (root / file).read_text(encoding="utf-8").splitlines()
    if line > len(lines):
        return f"{file} has {len(lines)} lines"
    # A function begins in the first column, as what ends the one before.
    begins = max((at for at in range(line) if re.match(r"[}\w]", lines[at])), default=0)
    if not re.match(r"\s+\S.*[;{]$", lines[line - 1]):
        return f"no statement is in line {line}: {lines[line - 1]}"
    parameters_and_body = "\n".join(lines[begins : line - 1])
    return (
        ""
        if name in _OF_THREADS or re.search(rf"\b{name}\b", parameters_and_body)
        else f"{name} is not known in line {line}"
    )


@pytest.mark.parametrize("page", PAGES, ids=str)
def test_paths_targets_and_breakpoints_of_a_page_are_there(page: Path) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    assert missing_paths(text, (ROOT / page).parent) == []
    assert unknown_targets(text) == set()
    found = [match for code in typed(text) for match in _BREAKPOINT.finditer(code)]
    problems = [breakpoint_problem(match["file"], int(match["line"]), match["name"]) for match in found]
    assert [problem for problem in problems if problem] == []
    functions = [match for code in typed(text) for match in _BREAKPOINT_OF_FUNCTION.finditer(code)]
    assert [match[0] for match in functions if match["function"] not in KERNEL_FUNCTIONS] == []
    assert [match[0] for match in functions if match["name"] not in _OF_THREADS] == []


def test_what_is_not_there_is_found(tmp_path: Path) -> None:
    text = "`tools/no.py`, `tools/links.md`, `make nothing`, `make test`\n```sh\nmake other\n```\n`x/no.py`\n"
    text += "`stages/a/70_mine/stage.md`"
    assert missing_paths(text, ROOT) == ["tools/no.py", "tools/links.md"]
    assert unknown_targets(text) == {"nothing"}
    before = "int before(int split) {\n  return split;\n}\n"
    code = f"{before}\nint after(int other) {{\n  // no line\n  return other;\n}}\n"
    (tmp_path / "a.cuh").write_text(code, encoding="utf-8")
    problems = [
        breakpoint_problem(file, line, name, tmp_path)
        for file, line, name in (
            ("a.cuh", 2, "split"),
            ("a.cuh", 7, "other"),
            ("a.cuh", 7, "threadIdx"),
            ("a.cuh", 6, "threadIdx"),
            ("a.cuh", 7, "before"),
            ("a.cuh", 4, "split"),
            ("a.cuh", 9, "split"),
            ("b.cuh", 1, "split"),
        )
    ]
    assert [bool(problem) for problem in problems] == [False, False, False, True, True, True, True, True]


def test_a_breakpoint_is_among_them() -> None:
    pages = [(ROOT / page).read_text(encoding="utf-8") for page in PAGES]
    for kind in (_BREAKPOINT, _BREAKPOINT_OF_FUNCTION):
        assert any(kind.search(code) for text in pages for code in typed(text))
    assert "decode_codes" in KERNEL_FUNCTIONS
