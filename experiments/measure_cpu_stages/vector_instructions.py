"""Counts the vector instructions of stage zero_length/03_simd in a built program, which objdump disassembles.

What a compiler vectorises by itself is in no source: only the binary says whether a loop has vector
instructions (zero-length thesis, section 5.2).
"""

import re
import shutil
import subprocess
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

STAGE = "zero_length/03_simd"
# The functions of the stage: encode_avx2(), and templates of a type for each instruction set, which are of
# the encoder alone: a decoder is one function.
_FUNCTION = re.compile(
    r"^[0-9a-f]+ <.*gsst::zero_length::(?P<build>simd|simd_unvectorised)::(?:\(anonymous namespace\)::)?"
    r"(?:(?P<operation>encode|decode)_(?P<name>words|sse2|avx2|avx512)\(|(?P<type>Words|Sse2|Avx2|Avx512)>\()"
)
_ANY_FUNCTION = re.compile(r"^[0-9a-f]+ <.*>:$")
_INSTRUCTION = re.compile(r"^\s+[0-9a-f]+:\s+(?P<mnemonic>[a-z]\w*)(?P<operands>.*)$")
# A copy of 16 bytes becomes moves of a vector register in any build: they compute nothing.
_MOVE = re.compile(r"v?mov")
_REGISTERS = ("zmm", "ymm", "xmm")
_VECTOR_BYTES = {"words": 8, "sse2": 16, "avx2": 32, "avx512": 64}


@dataclass(frozen=True)
class Loop:
    """Code of the stage in one of its two builds."""

    operation: str
    vector_bytes: int
    compiler_vectorisation: bool


def _loop(function: re.Match[str]) -> Loop:
    name = function["name"] or function["type"].lower()
    return Loop(function["operation"] or "encode", _VECTOR_BYTES[name], function["build"] == "simd")


def _widest_register(operands: str) -> str | None:
    return next((name for name in _REGISTERS if f"%{name}" in operands), None)


def counted(lines: Iterable[str]) -> dict[Loop, Counter[str]]:
    """For each loop in a disassembly `all` instructions and those that compute with vectors, which are
    `vector` and, by the widest register of each, `xmm`, `ymm` and `zmm`."""
    found: dict[Loop, Counter[str]] = {}
    present: Counter[str] | None = None
    for line in lines:
        if _ANY_FUNCTION.match(line):
            function = _FUNCTION.match(line)
            present = None if function is None else found.setdefault(_loop(function), Counter())
        elif present is not None and (instruction := _INSTRUCTION.match(line)) is not None:
            register = _widest_register(instruction["operands"])
            computes = register is not None and _MOVE.match(instruction["mnemonic"]) is None
            present.update(["all", *(["vector", register] if computes else [])])
    return found


def counted_in(program: Path) -> dict[Loop, Counter[str]]:
    """As counted(), of a built program; empty where there is no objdump."""
    if shutil.which("objdump") is None:
        return {}
    command = ["objdump", "-d", "--demangle", "--no-show-raw-insn", str(program)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        return counted(process.stdout)


def with_instructions(
    rows: Sequence[dict[str, Any]], loops: Mapping[Loop, Counter[str]]
) -> list[dict[str, Any]]:
    """The rows; those of a loop with its numbers, under `instructions`."""
    more = []
    for row in rows:
        key = Loop(row["operation"], row.get("vector_bytes", 0), row.get("compiler_vectorisation", True))
        numbers = loops.get(key) if row["stage"] == STAGE else None
        found = {name: numbers[name] for name in ("all", "vector", *_REGISTERS)} if numbers else None
        more.append({**row, "instructions": found} if found else row)
    return more
