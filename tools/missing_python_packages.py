"""List the pinned packages of requirements files that this Python does not have in that version."""

import re
import sys
from importlib import metadata
from pathlib import Path

_PIN = re.compile(r"^(?P<name>[A-Za-z0-9._-]+)(\[[^\]]*\])?\s*==\s*(?P<version>[^\s;#]+)")


def installed_version(name: str) -> str | None:
    """The installed version of a distribution, or None."""
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


def missing_packages(requirements: str) -> list[str]:
    """The pins (`name==version`) among the lines of `requirements` that are not met.

    Raises ValueError on a line that is neither empty, a comment nor a pin: it could not be checked.
    """
    missing = []
    for number, line in enumerate(requirements.splitlines(), start=1):
        text = line.split("#", maxsplit=1)[0].strip()
        if not text:
            continue
        pin = _PIN.match(text)
        if pin is None:
            raise ValueError(f"line {number}: '{text}' is not of the form name==version")
        if installed_version(pin["name"]) != pin["version"]:
            missing.append(f"{pin['name']}=={pin['version']}")
    return missing


def main() -> None:
    missing = []
    for name in sys.argv[1:]:
        try:
            missing += missing_packages(Path(name).read_text(encoding="utf-8"))
        except ValueError as error:
            sys.exit(f"{name}: {error}")
    print("\n".join(missing), end="\n" if missing else "")


if __name__ == "__main__":
    main()
