"""Mistakes to plant in the source of a kernel, each of which a check must find."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

# A kernel waits for other threads, or for a copy, by one of these.
_BARRIER = re.compile(
    r"\b__syncthreads\s*\(\s*\)\s*;"
    r"|\b__syncwarp\s*\([^;]*\)\s*;"
    r"|\b[\w.]*(?:\.|->)\s*(?:consumer_wait|arrive_and_wait)\s*\(\s*\)\s*;"
    r"|\bcuda::pipeline_consumer_wait_prior\s*<[^;]*>\s*\([^;]*\)\s*;"
)
_COMMENT_OR_STRING = re.compile(r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"", re.DOTALL)
_SHARED_MEMORY = re.compile(r"\bGSST_SHARED_MEMORY\s*\(\s*(\w+)\s*\)\s*;")

# Where the output is in the structures that have all pointers of a kernel; an encoder's frame starts with it.
_OUTPUTS_IN = {
    **{"EncodeJob": "parts.frame", "ParquetOnDevice": "values", "RangesRequest": "output"},
    # Columns of ORC files: of the last kernel; the others leave parts of it for the next one.
    "BatchOnDevice": "output",
    "ChecksumCheck": "piece_terms",
    "ChunkJob": "output",
    "DeflateSizeJob": "size",
    # What kernels leave for the next one.
    "RunLayers": "run_values",
    "MemberWork": "output",
    "PartialSums": "numbers",
}
_RACE_FIRST = ("race", "asan")
_ADDRESSES_FIRST = ("asan", "race")


@dataclass(frozen=True)
class Mutant:
    """A kernel's source with one mistake."""

    line: int
    description: str
    source: str
    builds: tuple[str, ...]
    """The builds that may find it, the one that is meant to first."""


@dataclass(frozen=True)
class _Kernel:
    """A `__global__` function; positions are in the file's text."""

    name: str
    output: str | None
    """What points to its output: its first parameter that may, or the frame of an encoder."""
    body_begin: int
    """Behind the opening brace."""
    body_end: int


def mutants_of(source: str) -> list[Mutant]:
    """Every mutant of a kernel's file, in the order of its lines."""
    code = without_comments(source)
    mutants = list(_without_barriers(source, code))
    for kernel in _kernels(code):
        mutants.extend(_with_planted_mistakes(source, code, kernel))
    return sorted(mutants, key=lambda mutant: mutant.line)


def without_comments(source: str) -> str:
    """The same text with blanks for comments and strings, so that positions stay."""
    return _COMMENT_OR_STRING.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), source)


def line_at(source: str, position: int) -> int:
    """The number of the line that a position is in, counted from 1."""
    return source.count("\n", 0, position) + 1


def _without_barriers(source: str, code: str) -> Iterator[Mutant]:
    for match in _BARRIER.finditer(code):
        yield Mutant(
            line=line_at(source, match.start()),
            description=f"without {match[0].rstrip(';')}",
            source=source[: match.start()] + "{}" + source[match.end() :],
            builds=_RACE_FIRST,
        )


def _matching(code: str, position: int, step: int) -> int:
    """Where the bracket that belongs to the one at `position` stands."""
    depth = 0
    while True:
        if code[position] in "({":
            depth += 1
        elif code[position] in ")}":
            depth -= 1
        if depth == 0:
            return position
        position += step


def _kernels(code: str) -> Iterator[_Kernel]:
    for match in re.finditer(r"\b__global__\b[^{;]*\)\s*\{", code):
        opening_brace = match.end() - 1
        closing_parenthesis = code.rindex(")", match.start(), opening_brace)
        opening_parenthesis = _matching(code, closing_parenthesis, -1)
        name = re.search(r"\w+\s*$", code[:opening_parenthesis])
        if name is None:
            raise ValueError(f"line {line_at(code, match.start())}: a __global__ function without a name")
        yield _Kernel(
            name=name[0].strip(),
            output=_first_output(code[opening_parenthesis + 1 : closing_parenthesis]),
            body_begin=opening_brace + 1,
            body_end=_matching(code, opening_brace, 1),
        )


def _first_output(parameters: str) -> str | None:
    for parameter in parameters.split(","):
        kind, *_, name = parameter.split() or [""]
        if kind in _OUTPUTS_IN:
            return f"{name}.{_OUTPUTS_IN[kind]}"
        if "*" in parameter and not re.search(r"\bconst\b[^*]*\*", parameter):
            return parameter.split()[-1].lstrip("*")
    return None


def _with_planted_mistakes(source: str, code: str, kernel: _Kernel) -> Iterator[Mutant]:
    def planted(position: int, mistake: str, description: str, builds: tuple[str, ...]) -> Mutant:
        return Mutant(
            line=line_at(source, position),
            description=f"{kernel.name} with {description}",
            source=f"{source[:position]}\n{mistake}\n{source[position:]}",
            builds=builds,
        )

    # The other threads are at another barrier then.
    yield planted(
        kernel.body_begin,
        "if (threadIdx.x == 0) __syncthreads();\n__syncthreads();",
        "a barrier in a branch",
        _RACE_FIRST,
    )
    if kernel.output is not None:
        yield planted(
            kernel.body_begin,
            "if (blockIdx.x == 0 && threadIdx.x == 0) "
            f"reinterpret_cast<std::uint8_t*>({kernel.output})[-1] ^= 0x5a;",
            f"a write before {kernel.output}",
            _ADDRESSES_FIRST,
        )
    shared = _SHARED_MEMORY.search(code, kernel.body_begin, kernel.body_end)
    if shared is not None:
        yield planted(
            shared.end(),
            f"if (threadIdx.x == 0) {shared[1]}[::gsst::simt::max_shared_bytes] = 1;",
            "a write behind shared memory",
            _ADDRESSES_FIRST,
        )
        yield planted(
            shared.end(),
            f"static_cast<void>(*static_cast<volatile std::uint8_t*>({shared[1]}));",
            "a read of shared memory that nobody wrote",
            _RACE_FIRST,
        )
