"""Stages without their checks of damaged input, which only the measuring program has."""

_SUFFIX = "_unchecked"


def checked_stage(stage: str) -> str:
    """The registered stage that `stage` is, or is the unchecked variant of."""
    return stage.removesuffix(_SUFFIX)
