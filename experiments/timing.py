"""What `seconds` mean, as a number for each kind of measurement.

The number of a program is raised when its times begin to mean something else, such as another clock or
another first event. Results of two numbers are about two quantities: they never share a figure.
"""

from functools import cache

from experiments.definition import DefinitionError, Program, load_experiment

TIMING: dict[Program, int] = {
    "checksums": 1,
    "counters": 1,
    "cpu": 1,
    "decode": 1,
    "encode": 1,
    "memory": 1,
    "overlap": 1,
    "ptx": 1,
    "ranges": 1,
}


@cache
def _program_of(target: str) -> Program:
    program = load_experiment(target).program
    if program is None:
        raise DefinitionError(f"{target}: nothing is measured")
    return program


def timing_of(target: str) -> int:
    """The present number of what measures `target`. Raises DefinitionError where nothing measures it."""
    return TIMING[_program_of(target)]
