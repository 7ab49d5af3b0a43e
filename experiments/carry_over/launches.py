"""Runs a program on the logged CUDA runtime and reads what it asked for: rule L.

The runtime, in runtime/, runs no kernel: decoders leave zeros, which their verification takes for right, as
the kernel that compares does nothing either. An encoder ends when its frame is missing.
"""

import hashlib
import os
import re
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from data.files import write_text
from experiments.carry_over.cubin import Kernel, plain_name
from experiments.carry_over.gpus import GpuProperties
from experiments.carry_over.logged_values import Values, joined, same_values, split_values

# Status of a program that asks the runtime for something that it does not know.
_UNKNOWN = 70
# The lines that name a kernel.
_OF_KERNEL = re.compile(r"(launch|cudaFunc\w+|cudaOccupancy\w+) (\S+)( .*)?")
_CONTENTS = re.compile(r"\w+ (\d+) bytes .* of contents")
# What stands before the values of parameters, or the bytes that are copied.
_VALUES = re.compile(r" parameters | of (?!contents)")
# How an encoder ends whose kernels have done nothing.
_NO_FRAME = "no frame was written"


class LaunchError(Exception):
    """A program that does not run on the logged CUDA runtime."""


@dataclass(frozen=True)
class Line:
    """A line of a log. `kernel` is the mangled name in it, if it has one; `text` is the rest, up to the
    values of parameters."""

    text: str
    kernel: str | None = None
    values: Values = ()

    def named(self, with_values: bool = False) -> str:
        """For messages."""
        name = "" if self.kernel is None else f" of {plain_name(self.kernel)}"
        return f"{self.text}{name}{''.join((' with ', *self.values)) if with_values else ''}"


@dataclass(frozen=True)
class Log:
    """What a program asked of the runtime, and how it ended: what was missing where it failed."""

    lines: tuple[Line, ...]
    status: int
    message: str

    @property
    def kernels(self) -> frozenset[str]:
        """The mangled names of the kernels that it launched or asked about."""
        return frozenset(line.kernel for line in self.lines if line.kernel is not None)


def write_settings(gpu: GpuProperties, kernels: Mapping[str, Kernel], path: Path) -> None:
    """Writes what the runtime reads: runtime/settings.hpp."""
    lines = [f"device {gpu.name}", f"memory {gpu.memory_bytes}"]
    lines += [f"attribute {name} {value}" for name, value in gpu.attributes.items()]
    for kernel in kernels.values():
        numbers = (kernel.registers, kernel.shared_bytes, kernel.local_bytes, *kernel.parameter_bytes)
        lines.append(f"kernel {kernel.name} {' '.join(map(str, numbers))}")
    write_text(path, "\n".join(lines) + "\n")


def _line(text: str) -> Line:
    values: Values = ()
    before = _VALUES.search(text)
    if before is not None:
        text, values = text[: before.start()], split_values(text[before.end() :])
    of_kernel = _OF_KERNEL.fullmatch(text)
    if of_kernel is None:
        return Line(text, None, values)
    return Line(f"{of_kernel[1]}{of_kernel[3] or ''}", of_kernel[2], values)


def _lines(path: Path, contents: bytes) -> Iterator[Line]:
    at = 0
    for text in path.read_text(encoding="utf-8").splitlines():
        copied = _CONTENTS.fullmatch(text)
        if copied is None:
            yield _line(text)
        else:
            end = at + int(copied[1])
            yield Line(f"{text} {hashlib.sha256(contents[at:end]).hexdigest()}")
            at = end


def run_logged(command: Sequence[str], settings: Path, runtime: Path, folder: Path, fill: int = 0x55) -> Log:
    """Runs a program that is linked to the runtime in the folder `runtime`, in `folder`. `fill` is the byte
    that its stack holds. Raises LaunchError where it does not come to an end that says something."""
    path = folder / "log"
    environment = {
        **os.environ,
        "GSST_LOGGED_CUDA_SETTINGS": str(settings),
        "GSST_LOGGED_CUDA_LOG": str(path),
        "GSST_LOGGED_CUDA_FILL": str(fill),
        "LD_LIBRARY_PATH": str(runtime),
        # Several programs run at the same time.
        "OMP_NUM_THREADS": "1",
    }
    run = subprocess.run(
        command,
        cwd=folder,
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    message = (run.stderr.strip().splitlines() or [""])[-1] if run.returncode != 0 else ""
    if run.returncode == _UNKNOWN or (run.returncode != 0 and not message.endswith(_NO_FRAME)):
        raise LaunchError(f"{Path(command[0]).name} ended with status {run.returncode}: {message}")
    contents = path.with_name("log.contents")
    # Programs may say of which point it is.
    ended = _NO_FRAME if run.returncode != 0 else ""
    log = Log(tuple(_lines(path, contents.read_bytes())), run.returncode, ended)
    contents.unlink()
    return log


def join_runs(first: Log, second: Log) -> Log:
    """The log of two runs of one program: bytes of parameters that differ are those that nobody writes, and
    unknown. Raises LaunchError where more differs."""
    if len(first.lines) != len(second.lines):
        raise LaunchError("two runs of one program differ in the number of calls")
    lines = []
    for one, other in zip(first.lines, second.lines, strict=True):
        values = joined(one.values, other.values)
        if (one.text, one.kernel) != (other.text, other.kernel) or values is None:
            raise LaunchError(f"two runs of one program differ: {one.named()}; {other.named()}")
        lines.append(replace(one, values=values))
    return Log(tuple(lines), first.status, first.message)


@dataclass(frozen=True)
class Difference:
    """Where two logs differ, in words. `unsure` if it is in values alone: more runs may show that nobody
    writes these bytes."""

    text: str
    unsure: bool = False


def difference(
    before: Log, after: Log, kernels_before: Mapping[str, Kernel], kernels_after: Mapping[str, Kernel]
) -> Difference | None:
    """The first difference of two logs; kernels are equal where their machine code is, not their names."""
    for number, (old, new) in enumerate(zip(before.lines, after.lines, strict=False), start=1):
        place = f"call {number}"
        if old.text != new.text or (old.kernel is None) != (new.kernel is None):
            return Difference(f"{place}: before: {old.named()}; after: {new.named()}")
        if old.kernel is not None and new.kernel is not None:
            parts = kernels_before[old.kernel].parts, kernels_after[new.kernel].parts
            changed = [part for part in parts[0] if parts[0][part] != parts[1][part]]
            if changed:
                return Difference(f"{place}: {plain_name(new.kernel)} has other {', other '.join(changed)}")
        if not same_values(old.values, new.values):
            said = f"before: {old.named(with_values=True)}; after: {new.named(with_values=True)}"
            return Difference(f"{place}: {said}", unsure=True)
    if len(before.lines) != len(after.lines):
        longer, which = (before, "before") if len(before.lines) > len(after.lines) else (after, "after")
        shorter = min(len(before.lines), len(after.lines))
        return Difference(f"call {shorter + 1} is only {which}: {longer.lines[shorter].named()}")
    if (before.status, before.message) != (after.status, after.message):
        ends = (f"{log.message or 'well'}" for log in (before, after))
        return Difference(f"the programs end differently: {'; '.join(ends)}")
    return None
