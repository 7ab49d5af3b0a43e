from importlib import metadata

import pytest

from tools.missing_python_packages import missing_packages

PYTEST = f"pytest=={metadata.version('pytest')}"


def test_installed_pins_are_not_missing() -> None:
    assert missing_packages(f"# tests\n\n{PYTEST}  # runner\n") == []


def test_another_version_is_missing() -> None:
    assert missing_packages("pytest==0.0.1\n") == ["pytest==0.0.1"]


def test_an_unknown_package_is_missing_and_its_extras_are_ignored() -> None:
    assert missing_packages("no-such-package-for-gsst[all]==1.2\n") == ["no-such-package-for-gsst==1.2"]


def test_a_line_that_is_no_pin_is_refused() -> None:
    with pytest.raises(ValueError, match="line 2"):
        missing_packages(f"{PYTEST}\npandas>=2\n")
