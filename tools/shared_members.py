"""Which member of a structure a byte of shared memory belongs to, for messages about kernels.

Kernels lay out shared memory themselves: some begin it with a structure, to which they cast its address.
Where that is seen in the stage's source, a small compiled program says where the members are.
"""

import re
import subprocess
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path

# "SharedHeader& header = *reinterpret_cast<SharedHeader*>(shared)": at the beginning, with nothing added.
_CAST = re.compile(r"GSST_SHARED_MEMORY\((\w+)\);.*?reinterpret_cast<(\w+)\s*\*>\(\1\)", re.DOTALL)
_INCLUDE = re.compile(r'^#include "([^"]+)"', re.MULTILINE)
_BYTE = re.compile(r"byte (\d+) of shared memory")
_MEMBER = re.compile(
    r"^  (?!using\b|static\b|friend\b)[\w:<>,* ]+[ *](\w+)(?:\[[^;]*\])?(?: = [^;]*)?;", re.MULTILINE
)


def included(files: Iterable[Path], root: Path) -> list[Path]:
    """The files and what they include of the repository."""
    found: dict[Path, None] = {}
    left = list(files)
    while left:
        path = left.pop(0)
        if path in found or not path.is_file():
            continue
        found[path] = None
        left += [root / name for name in _INCLUDE.findall(path.read_text(encoding="utf-8"))]
    return list(found)


def definition_of(name: str, files: Sequence[Path]) -> tuple[Path, str, list[str]] | None:
    """The file that defines the structure, its name with namespaces, and its members."""
    for path in files:
        text = path.read_text(encoding="utf-8")
        match = re.search(rf"^struct {name} \{{\n(.*?)^\}};", text, re.DOTALL | re.MULTILINE)
        if match:
            spaces = re.findall(r"^namespace ([\w:]+) \{", text[: match.start()], re.MULTILINE)
            return path, "::".join([*spaces, name]), _MEMBER.findall(match[1])
    return None


def members_of(stage: str, root: Path) -> list[tuple[str, int, int]]:
    """The members of the structure at the beginning of shared memory: name, first byte and bytes. Empty where
    none is seen, or where kernels of the stage have different ones."""
    folder = root / "stages" / stage
    own = sorted(path for path in folder.iterdir() if path.suffix in (".cu", ".cuh"))
    names = {match[2] for path in own for match in _CAST.finditer(path.read_text(encoding="utf-8"))}
    if len(names) != 1:
        return []
    found = definition_of(names.pop(), included(own, root))
    if found is None:
        return []
    path, name, members = found
    lines = [
        f'  show("{name.split("::")[-1]}::{member}", offsetof(S, {member}), sizeof(S::{member}));'
        for member in members
    ]
    source = "\n".join(
        [
            '#include "common/stage/launch.hpp"',
            f'#include "{path.relative_to(root).as_posix()}"',
            "#include <cstddef>",
            "#include <cstdio>",
            f"using S = {name};",
            "void show(const char* name, std::size_t at, std::size_t bytes) {",
            r'  std::printf("%s %zu %zu\n", name, at, bytes);',
            "}",
            "int main() {",
            *lines,
            "}",
        ]
    )
    with tempfile.TemporaryDirectory() as temporary:
        program = Path(temporary) / "members"
        command = ["g++", "-std=c++20", "-O0", "-w", "-DGSST_WITH_CUDA=0", "-I", str(root), "-x", "c++", "-"]
        # The executor, which is only declared, is not called.
        command += ["-o", str(program), "-Wl,--unresolved-symbols=ignore-all"]
        if subprocess.run(command, input=source, text=True, capture_output=True, check=False).returncode != 0:
            return []
        said = subprocess.run([program], capture_output=True, text=True, check=False).stdout
    return [(words[0], int(words[1]), int(words[2])) for words in map(str.split, said.splitlines())]


def with_members(message: str, stage: str, root: Path) -> str:
    """The message with the member behind each "byte N of shared memory", where it is known."""
    if not _BYTE.search(message):
        return message
    members = members_of(stage, root)

    def named(match: re.Match[str]) -> str:
        byte = int(match[1])
        names = [name for name, first, size in members if first <= byte < first + size]
        return f"{match[0]}, {names[0]}," if names else match[0]

    return _BYTE.sub(named, message)
