"""What the tests of data have in common."""

import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from data import generate, ssb
from data.catalogue import Generator

# Writes what the generator has written for the same arguments before.
_ONCE = """#!/bin/sh
answer={folder}/$(printf '%s\\n' "$@" | sha256sum | cut -c1-64)
if [ ! -e "$answer" ]; then
  new=$(mktemp {folder}/new.XXXXXXXX) || exit
  {program} "$@" >"$new" || exit
  mv "$new" "$answer" || exit
fi
exec cat "$answer"
"""


@pytest.fixture(autouse=True, scope="session")
def _generator_runs_once_for_the_same_arguments(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """The generator takes a second before it writes the first row, and many tests ask for the same table."""
    folder = tmp_path_factory.mktemp("generated")
    find_generator = generate.find_generator

    def find_and_wrap(generator: Generator) -> str:
        program = find_generator(generator)
        wrapper = folder / Path(program).name
        text = _ONCE.format(folder=shlex.quote(str(folder)), program=shlex.quote(program))
        if not wrapper.exists():
            wrapper.write_text(text, encoding="utf-8")
            wrapper.chmod(0o755)
        assert wrapper.read_text(encoding="utf-8") == text
        return str(wrapper)

    with pytest.MonkeyPatch.context() as patch:
        for module in (generate, ssb):
            patch.setattr(module, "find_generator", find_and_wrap)
        yield
