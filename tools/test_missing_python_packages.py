from importlib import metadata

import pytest
from packaging.specifiers import SpecifierSet

from tools.missing_python_packages import installed_version, missing_packages
from tools.repository import ROOT

PYTEST = f"pytest=={metadata.version('pytest')}"
# A pin that asks for a later 3.11 installs on a developer's machine and fails on a reader's.
PYTHON_OF_DEBIAN_12 = "3.11.2"


def test_installed_pins_are_not_missing() -> None:
    assert missing_packages(f"# tests\n\n{PYTEST}  # runner\n") == []


def test_another_version_is_missing() -> None:
    assert missing_packages("pytest==0.0.1\n") == ["pytest==0.0.1"]


def test_an_unknown_package_is_missing_and_its_extras_are_ignored() -> None:
    assert missing_packages("no-such-package-for-gsst[all]==1.2\n") == ["no-such-package-for-gsst==1.2"]


def test_a_line_that_is_no_pin_is_refused() -> None:
    with pytest.raises(ValueError, match="line 2"):
        missing_packages(f"{PYTEST}\npandas>=2\n")


@pytest.mark.parametrize("file", ["requirements.txt", "course/requirements.txt"])
def test_every_pin_installs_on_the_python_of_debian_12(file: str) -> None:
    lines = (ROOT / file).read_text(encoding="utf-8").splitlines()
    pins = [line.split("==") for line in lines if "==" in line and not line.startswith("#")]
    installed = [name for name, version in pins if installed_version(name) == version]
    if not installed:
        pytest.skip("none of them is installed")
    asked = {name: metadata.metadata(name).get("Requires-Python", "") for name in installed}
    refused = {name: of for name, of in asked.items() if not SpecifierSet(of).contains(PYTHON_OF_DEBIAN_12)}
    assert refused == {}
