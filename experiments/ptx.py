"""Compiles a stage to PTX and finds how its kernel moves data between global and shared memory (Table 5.4).

python -m experiments.ptx TARGET --output RESULT.json

Needs nvcc, no GPU. A transfer is a load whose registers go to a store, changed by nothing but a move.
"""

import argparse
import hashlib
import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from experiments.compiler import NvccMissingError, find_nvcc, nvcc_version
from experiments.definition import Compilation, load_experiment
from experiments.environment import describe_environment
from experiments.results import Result, ResultError, write_result
from experiments.sources import REPOSITORY_ROOT, target_digest

# As the build compiles a stage for a GPU (cmake/GsstStages.cmake); headers are included from the root.
FLAGS = ("-std=c++20", "--expt-relaxed-constexpr")
NO_DATA = "none"

_INSTRUCTION = re.compile(r"^\s*(?:@!?%p\d+\s+)?([a-z][\w.]*)\s+([^;]*);", re.MULTILINE)
_REGISTER = re.compile(r"%\w+")
_ENTRY = re.compile(r"^(?:\.visible |\.weak )?\.entry (\S+?)\(", re.MULTILINE)
_TEMPLATE_ARGUMENT = re.compile(r"Li(\d+)E")
_WIDTH = re.compile(r"(?:\.v(\d))?\.[busf](\d+)$")


class PtxError(Exception):
    """The stage does not compile, or its PTX has no kernel with the transfers that are looked for."""


@dataclass(frozen=True)
class Transfer:
    """A load and the store that takes its registers, as PTX names them without their modifiers."""

    load: str
    store: str
    bytes_per_transfer: int


def compile_to_ptx(stage: str, compute_capability: int, root: Path = REPOSITORY_ROOT) -> str:
    """The PTX of `stages/<stage>/stage.cu`. Raises PtxError with nvcc's message, or NvccMissingError."""
    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder) / "stage.ptx"
        command = [find_nvcc(), *FLAGS, f"-I{root}", "-ptx", f"-arch=compute_{compute_capability}"]
        command += ["-o", str(output), str(root / "stages" / stage / "stage.cu")]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise PtxError(f"{stage} for compute capability {compute_capability}: {done.stderr.strip()}")
        return output.read_text(encoding="utf-8")


def kernels(ptx: str) -> Iterator[tuple[tuple[int, ...], str]]:
    """The integer template arguments and the text of each kernel, in the order of the file."""
    starts = list(_ENTRY.finditer(ptx))
    for index, start in enumerate(starts):
        end = starts[index + 1].start() if index + 1 < len(starts) else len(ptx)
        template = re.search(r"I((?:Li\d+E)+)E", start[1])
        arguments = _TEMPLATE_ARGUMENT.findall(template[1]) if template else []
        yield tuple(int(value) for value in arguments), ptx[start.end() : end]


def instructions(kernel: str) -> Iterator[tuple[str, str]]:
    """Name with modifiers, and operands, of each instruction of a kernel."""
    for match in _INSTRUCTION.finditer(kernel):
        yield match[1], match[2]


def _space(name: str) -> str:
    """`shared` or `global`. A generic access is one of global memory: nvcc finds the shared ones."""
    return "shared" if ".shared" in name else "global"


def access_bytes(name: str) -> int:
    """Bytes that a load or a store moves, for example 16 for `ld.global.v4.u32`."""
    match = _WIDTH.search(name)
    if match is None:
        raise PtxError(f"cannot read the width of {name}")
    return int(match[1] or 1) * int(match[2]) // 8


def _moved(operands: str) -> tuple[list[str], list[str]]:
    """The registers that a move writes and those that it reads; either side may be a `{...}` vector."""
    written, closing, read = operands.partition("}") if operands.startswith("{") else operands.partition(",")
    return _REGISTER.findall(written + closing), _REGISTER.findall(read)


def transfers(kernel: str, source: str, destination: str) -> Counter[Transfer]:
    """The transfers from memory `source` to `destination` (`global` or `shared`), with their occurrences."""
    # Which load a register holds unchanged data of.
    origins: dict[str, tuple[int, str]] = {}
    found: Counter[Transfer] = Counter()

    def only_origin(registers: list[str]) -> tuple[int, str] | None:
        of_registers = {origins.get(register) for register in registers}
        return of_registers.pop() if len(of_registers) == 1 else None

    for index, (name, operands) in enumerate(instructions(kernel)):
        before, _, after = operands.partition("]")
        if name.startswith("ld.") and ".param" not in name and _space(name) == source:
            written = before.partition("[")[0]
            origins.update(dict.fromkeys(_REGISTER.findall(written), (index, name)))
        elif name.startswith("mov."):
            written, read = _moved(operands)
            origin = only_origin(read)
            if origin is not None:
                origins.update(dict.fromkeys(written, origin))
        elif name.startswith("st.") and _space(name) == destination:
            origin = only_origin(_REGISTER.findall(after))
            if origin is not None:
                _, load = origin
                found[Transfer(load, name, min(access_bytes(load), access_bytes(name)))] += 1
    return found


def widest_transfer(kernel: str, source: str, destination: str) -> tuple[Transfer, int]:
    """The widest transfer and how often it stands in the kernel. Raises PtxError where there is none."""
    found = transfers(kernel, source, destination)
    if not found:
        raise PtxError(f"no transfer from {source} to {destination} memory")
    widest = max(found, key=lambda transfer: transfer.bytes_per_transfer)
    return widest, found[widest]


def _row(stage: str, compute_capability: int, arguments: tuple[int, ...], kernel: str) -> dict[str, Any]:
    alignment = arguments[0]
    row: dict[str, Any] = {
        "stage": stage,
        "variant": None,
        "operation": "decode",
        "parameters": {"alignment": alignment, "compute_capability": compute_capability},
        "dataset": NO_DATA,
        "dataset_sha256": hashlib.sha256().hexdigest(),
        "uncompressed_bytes": 0,
        "compressed_bytes": 0,
        "ratio": 0,
        "seconds": None,
        "throughput_gb_per_s": None,
        "streaming_limit_gb_per_s": None,
        "verified": True,
    }
    for side, source, destination in (("input", "global", "shared"), ("output", "shared", "global")):
        transfer, count = widest_transfer(kernel, source, destination)
        row |= {
            f"{side}_load": transfer.load,
            f"{side}_store": transfer.store,
            f"{side}_bytes_per_transfer": transfer.bytes_per_transfer,
            f"{side}_transfers_per_alignment": -(-alignment // transfer.bytes_per_transfer),
            f"{side}_occurrences": count,
        }
    return row


def table_rows(compilation: Compilation, root: Path = REPOSITORY_ROOT) -> list[dict[str, Any]]:
    """A row for each compute capability and alignment: the first kernel with that alignment, buffers of one
    transfer where there are such."""
    rows = []
    for compute_capability in compilation.compute_capabilities:
        by_alignment: dict[int, tuple[tuple[int, ...], str]] = {}
        for arguments, kernel in kernels(compile_to_ptx(compilation.stage, compute_capability, root)):
            if not arguments:
                raise PtxError(f"{compilation.stage}: a kernel without template arguments has no alignment")
            by_alignment.setdefault(arguments[0], (arguments, kernel))
        for _, (arguments, kernel) in sorted(by_alignment.items()):
            rows.append(_row(compilation.stage, compute_capability, arguments, kernel))
    return rows


def main() -> int:
    """Writes the result file; status 1 with the reason where that is not possible."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("target")
    parser.add_argument("--output", type=Path, required=True)
    arguments = parser.parse_args()
    compilation = load_experiment(arguments.target).compilation
    if compilation is None:
        print(f"error: {arguments.target} compiles nothing to PTX", file=sys.stderr)
        return 1
    try:
        environment = describe_environment(
            REPOSITORY_ROOT, Path(), f"python -m experiments.ptx {arguments.target}"
        )
        version = nvcc_version()
        environment |= {"compiler": f"nvcc {version}", "cuda": version, "flags": " ".join(FLAGS)}
        rows = table_rows(compilation)
        digest = target_digest(arguments.target, [compilation.stage])
        write_result(Result(arguments.target, environment, digest, tuple(rows)), arguments.output)
    except (NvccMissingError, PtxError, ResultError) as error:
        print(f"error: {arguments.target}: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
