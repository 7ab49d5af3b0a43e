"""nvcc 13.0 makes the number of bits of the type out of std::countr_zero() and its likes in device code."""

import re
from collections.abc import Iterator
from pathlib import Path

_ROOT = Path(__file__).resolve().parent.parent
_LINE_COMMENT = re.compile(r"//.*")
_COUNT = re.compile(r"\bstd::count[lr]_(?:zero|one)\b")


def counts_in_device_code(source: str) -> Iterator[int]:
    """Numbers of the lines that count on a GPU: all but constants and what only the host compiles."""
    # For each condition around a line: whether it leaves the line to the host, None where it says nothing.
    on_host: list[bool | None] = []
    for number, line in enumerate(source.splitlines(), 1):
        text = _LINE_COMMENT.sub("", line).strip()
        if text.startswith("#if"):
            on_host.append("!defined(__CUDA" in text if "__CUDA" in text else None)
        elif text == "#else":
            on_host[-1] = None if on_host[-1] is None else not on_host[-1]
        elif text.startswith("#endif"):
            on_host.pop()
        elif _COUNT.search(text) and not any(on_host) and not text.startswith("constexpr auto "):
            yield number


def test_counts_in_device_code_are_found() -> None:
    source = """\
int lane = std::countr_zero(mask);
// std::countr_zero(mask)
constexpr auto log2_size = std::countr_zero(size);
#if defined(__CUDA_ARCH__)
int first = std::countl_one(mask);
#else
int first = std::countl_one(mask);
#endif
"""
    assert list(counts_in_device_code(source)) == [1, 5]


def test_no_kernel_counts_with_them() -> None:
    found = [
        f"{path.relative_to(_ROOT)}:{line}"
        for folder in ("common", "experiments", "library", "stages")
        for path in _ROOT.glob(f"{folder}/**/*.cuh")
        if not path.name.startswith("host_")
        for line in counts_in_device_code(path.read_text(encoding="utf-8"))
    ]
    assert not found, f"nvcc 13.0 makes a constant of these: {found}"
