"""Using-declarations and namespace aliases that their file does not use.

clang-tidy looks for them in the file that it is given and not in those which that includes: 45 files would be
read a second time.
"""

import re
from collections.abc import Iterator
from pathlib import Path

_LINE_COMMENT = re.compile(r"//.*")
_DECLARATION = re.compile(r"\busing\s+[\w:]*::(\w+)\s*;|\bnamespace\s+(\w+)\s*=[^;]*;")


def unused_names(source: Path) -> Iterator[str]:
    """A message for each name that is declared and not used."""
    text = _LINE_COMMENT.sub("", source.read_text(encoding="utf-8"))
    for declaration in _DECLARATION.finditer(text):
        name = declaration[1] or declaration[2]
        rest = text[: declaration.start()] + text[declaration.end() :]
        if not re.search(rf"(?<!::)\b{name}\b", rest):
            yield f"{source}: {name} is declared and not used"
