"""The programs that measure, found by their folders."""

from pathlib import Path

REPOSITORY_ROOT = Path(__file__).parent.parent
# Measures the kinds that have a folder; for any other there is a program of its own.
PROGRAM = "gsst_measure"
_KINDS = Path("experiments", "measure", "kinds")
_PROGRAMS_OF_ONE_KIND = "experiments/measure_*"
# Programs of others that measure too: NVIDIA Nsight Compute and the compiler.
_OF_OTHERS = frozenset({"counters", "ptx"})


def kinds(root: Path = REPOSITORY_ROOT) -> frozenset[str]:
    """The kinds that PROGRAM of a tree measures; none where the tree has no such program."""
    return frozenset(path.name for path in (root / _KINDS).glob("*/"))


def programs(root: Path = REPOSITORY_ROOT) -> frozenset[str]:
    """What a measurement may name as its program: the kinds of PROGRAM and those of other programs."""
    others = {path.name.removeprefix("measure_") for path in root.glob(_PROGRAMS_OF_ONE_KIND)}
    return kinds(root) | others | _OF_OTHERS


def program_of(kind: str) -> str:
    """The name of the built program that measures a kind."""
    return PROGRAM if kind in kinds() else f"{PROGRAM}_{kind}"


def path_of(kind: str, root: Path = REPOSITORY_ROOT) -> str:
    """Where, below the root, the program is that measures a kind. One that is written in Python is beside
    the package that it measures, where `make columns` puts it."""
    is_in_python = (root / f"experiments/measure_{kind}" / "__main__.py").is_file()
    return f"build/{'columns/bin' if is_in_python else 'bin'}/{program_of(kind)}"


def build_target(program: str) -> str:
    """What CMake builds a program by: PROGRAM's name is taken there."""
    return f"{PROGRAM}_program" if program == PROGRAM else program
