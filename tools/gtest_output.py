"""What the output of a test program in GoogleTest's form says of its first failure."""

import os
import re
from dataclasses import dataclass
from pathlib import Path

from tools.repository import ROOT

# What common/simt says before a report of AddressSanitizer, and of a kernel that must stop.
_WRONG_ACCESS = re.compile(r"^(block \(.*\) thread \(.*\) (?:reads|writes) .*, at .*)$", re.MULTILINE)
_NO_MEMORY = re.compile(
    r"^(block \(.*\) thread \(.*\) accesses an address where there is no memory, at) #0:\n"
    r"(?:.*\n)*? +#0 .* (\S+:\d+)(?::\d+)?$",
    re.MULTILINE,
)
_SANITIZER = re.compile(
    r"ERROR: AddressSanitizer: ([\w-]+)"
    r"|^(block \(.*\) thread \(.*\) does what C\+\+ leaves undefined:\n)?(\S+) runtime error: (.*)$",
    re.MULTILINE,
)
_EXCEPTION = re.compile(r"C\+\+ exception with description \"(.*?)(?:\" thrown in .*)?$", re.MULTILINE)
# Of an assertion that says what is wrong, of FAIL(), and of any other.
_ASSERTION = re.compile(r"^\S+: Failure\n.*\n +Actual: (?:true|false) \((.*)\)\nExpected: ", re.MULTILINE)
_FAILED = re.compile(r"^\S+: Failure\nFailed\n(.+)$", re.MULTILINE)
_FAILURE = re.compile(r"^(\S+: Failure\n.*)$", re.MULTILINE)
_BEGIN_OF_TEST = re.compile(r"^\[ RUN      \] (\S+)$", re.MULTILINE)
_DETOUR = re.compile(r"[\w./+-]*/\.\./[\w./+-]*")
_TRACE = re.compile(r"^Google Test trace:\n((?:\S+:\d+: .*\n)+)", re.MULTILINE)


@dataclass(frozen=True)
class Failure:
    """The first failure of a test program."""

    test: str
    """Its name; empty if the program failed between tests."""
    case: str
    """Which input it was, if the test says so."""
    reason: str


def _first_match(output: str) -> re.Match[str] | None:
    patterns = (_WRONG_ACCESS, _NO_MEMORY, _SANITIZER, _ASSERTION, _FAILED, _EXCEPTION, _FAILURE)
    return next((match for pattern in patterns if (match := pattern.search(output))), None)


def _reason_of(match: re.Match[str], root: str) -> str:
    text = " ".join(group for group in match.groups() if group)
    # A compiler names files from its folder, which is below the root or beside it.
    text = _DETOUR.sub(lambda path: os.path.normpath(path[0]), " ".join(text.split())).replace(root, "")
    return re.sub(rf"(?<![\w./-])\.\./(?:{re.escape(Path(root).name)}/)?|(?<![\w./-])\./", "", text)


def first_reason(output: str, root: str = f"{ROOT}/") -> str:
    """What the first failure says, in one line, with files below `root`; empty if there is none."""
    match = _first_match(output)
    return _reason_of(match, root) if match else ""


def last_test(output: str) -> str:
    """The name of the last test that began; empty if there is none."""
    return next(reversed(_BEGIN_OF_TEST.findall(output)), "")


def first_failure(output: str, root: str = f"{ROOT}/") -> Failure | None:
    """The first failure in the output of a program that stopped at it; None if it tells of none."""
    match = _first_match(output)
    if match is None:
        return None
    trace = _TRACE.search(output)
    # The innermost comes first.
    cases = [line.split(": ", 1)[1] for line in trace[1].splitlines()] if trace else []
    # Tests that are left out behind it begin too.
    return Failure(last_test(output[: match.start()]), "; ".join(reversed(cases)), _reason_of(match, root))
