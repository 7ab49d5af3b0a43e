"""What `seconds` mean, as a number for each kind of measurement.

The number of a program is raised when its times begin to mean something else, such as another clock or
another first event. Results of two numbers are about two quantities: they never share a figure.
"""

from functools import cache

from experiments.definition import DefinitionError, load_experiment

# Of programs whose times have begun to mean something else: all others have the first number.
RAISED: dict[str, int] = {}
FIRST = 1


@cache
def _program_of(target: str) -> str:
    program = load_experiment(target).program
    if program is None:
        raise DefinitionError(f"{target}: nothing is measured")
    return program


def timing_of(target: str) -> int:
    """The present number of what measures `target`. Raises DefinitionError where nothing measures it."""
    return RAISED.get(_program_of(target), FIRST)
