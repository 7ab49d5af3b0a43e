"""The devcontainer has what `make check` needs on the CPU, and no CUDA."""

import json
import re

from tools.repository import ROOT

SETTINGS = json.loads((ROOT / ".devcontainer/devcontainer.json").read_text(encoding="utf-8"))


def test_it_is_a_debian_that_installs_what_a_build_needs() -> None:
    assert SETTINGS["image"] == "debian:12"
    assert SETTINGS["onCreateCommand"].startswith("tools/install_dependencies.sh build")
    assert "nvidia" not in json.dumps(SETTINGS).lower()


def test_git_reads_a_clone_of_another_user() -> None:
    """The container's user is root, the clone belongs to the reader; `make grade` reads its commits. The
    editor copies the reader's own settings of git, which must not be there before."""
    assert "git config --system --add safe.directory" in SETTINGS["onCreateCommand"]


def test_what_it_installs_is_what_make_check_asks_for() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    found = re.search(r"^check: .*## .*\n((?:\t.*\n)+)", makefile, re.MULTILINE)
    assert found is not None
    recipe = found[1]
    assert "tools/install_dependencies.sh build;" in recipe
