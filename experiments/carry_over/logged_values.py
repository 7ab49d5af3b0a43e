"""Values in a log: the bytes of parameters, some of which a program never writes.

Between the fields of a structure there are bytes that hold what was in memory before. They differ from run to
run, most of all where they are parts of addresses.
"""

import re
from collections.abc import Iterator

# A byte in hexadecimal digits; an address as its place in an allocation; a space before the next parameter.
Values = tuple[str, ...]
_VALUE = re.compile(r"\(#\d+\+\d+\)|[0-9a-f]{2}| ")
_WORD_BYTES = 8
UNWRITTEN = "??"
# The upper bytes of an address of the host: of libraries and the stack, or of the program and its heap.
_UPPER_BYTES = (("7f", "00", "00"), ("55", "00", "00"), ("56", "00", "00"))


def split_values(text: str) -> Values:
    """The values in what runtime/memory.hpp writes."""
    return tuple(_VALUE.findall(text))


def _words(values: Values) -> Iterator[range]:
    """The whole words of 8 bytes, each by the indices of its values; addresses are left out."""
    begin = 0
    for index, value in enumerate((*values, " ")):
        if len(value) != 2:
            begin = index + 1
        elif index + 1 - begin == _WORD_BYTES:
            yield range(begin, index + 1)
            begin = index + 1


def joined(first: Values, second: Values) -> Values | None:
    """The values of two runs: bytes that differ are UNWRITTEN, and so is the rest of an address after them.
    None where other than bytes differ."""
    if first == second:
        return first
    if len(first) != len(second):
        return None
    values = list(first)
    for index, (one, other) in enumerate(zip(first, second, strict=True)):
        if one != other:
            if len(one) != 2 or len(other) != 2:
                return None
            values[index] = UNWRITTEN
    for word in _words(first):
        unwritten = [index for index in word if values[index] == UNWRITTEN]
        uppers = (tuple(run[index] for index in word[5:]) for run in (first, second))
        if unwritten and any(upper in _UPPER_BYTES for upper in uppers):
            values[unwritten[0] : word.stop] = [UNWRITTEN] * (word.stop - unwritten[0])
    return tuple(values)


def same_values(before: Values, after: Values) -> bool:
    """Whether all that is known of both is the same."""
    pairs = zip(before, after, strict=False)
    return len(before) == len(after) and all(a == b or UNWRITTEN in (a, b) for a, b in pairs)
