"""What a result was measured on and with: the `environment` of the result contract."""

import os
import platform
import subprocess
from datetime import UTC, datetime
from pathlib import Path

UNKNOWN = "unknown"


def processor(cpuinfo: Path = Path("/proc/cpuinfo")) -> str:
    """Model of the processor and how many are usable, for example `Some CPU 8380 (80 processors)`."""
    model = platform.processor() or platform.machine()
    if cpuinfo.exists():
        for line in cpuinfo.read_text(encoding="utf-8").splitlines():
            name, _, value = line.partition(":")
            if name.strip() == "model name":
                model = value.strip()
                break
    return f"{model} ({usable_processors()} processors)"


def usable_processors() -> int:
    """How many processors this process may run on."""
    return len(os.sched_getaffinity(0))


def _cmake_cache(build_dir: Path) -> dict[str, str]:
    path = build_dir / "CMakeCache.txt"
    if not path.exists():
        return {}
    entries: dict[str, str] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith(("#", "//")) or "=" not in line:
            continue
        name, _, value = line.partition("=")
        entries[name.partition(":")[0]] = value
    return entries


def compiler(build_dir: Path) -> str:
    """First line of what the build's compiler says of itself."""
    path = _cmake_cache(build_dir).get("CMAKE_CXX_COMPILER")
    if not path:
        return UNKNOWN
    try:
        answer = subprocess.run([path, "--version"], capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return UNKNOWN
    return answer.stdout.splitlines()[0]


def compiler_flags(build_dir: Path) -> str:
    """The flags of the build type, as CMake's cache has them."""
    cache = _cmake_cache(build_dir)
    if not cache:
        return UNKNOWN
    build_type = cache.get("CMAKE_BUILD_TYPE", "")
    names = ["CMAKE_CXX_FLAGS"]
    if build_type:
        names.append(f"CMAKE_CXX_FLAGS_{build_type.upper()}")
    flags = " ".join(cache[name] for name in names if cache.get(name))
    return f"{build_type or 'no build type'}: {flags}".strip()


def _git(root: Path, *arguments: str) -> str | None:
    try:
        run = subprocess.run(["git", "-C", str(root), *arguments], capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return None
    return run.stdout.strip()


def commit_and_dirty(root: Path) -> tuple[str, bool]:
    """The commit, and whether the tree differs from it; a tree without git counts as dirty."""
    commit = _git(root, "rev-parse", "HEAD")
    status = _git(root, "status", "--porcelain")
    if commit is None or status is None:
        return UNKNOWN, True
    return commit, status != ""


def describe_environment(root: Path, build_dir: Path, command: str) -> dict[str, str | bool | None]:
    """All fields, for a measurement on the CPU that starts now."""
    commit, dirty = commit_and_dirty(root)
    return {
        "gpu": None,
        "driver": None,
        "cuda": None,
        "clocks": None,
        "ecc": None,
        "cpu": processor(),
        "compiler": compiler(build_dir),
        "flags": compiler_flags(build_dir),
        "commit": commit,
        "dirty": dirty,
        "date": datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "command": command,
    }
