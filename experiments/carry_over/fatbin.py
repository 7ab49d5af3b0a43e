"""Reads the cubins that nvcc put into a program.

The section .nv_fatbin is a row of fat binaries, each a header and entries: one for each architecture.
`cuobjdump` would list them, but not every toolkit has it.
"""

import struct
from collections.abc import Iterator
from pathlib import Path

from experiments.carry_over.cubin import CubinError, Kernel, read_kernels

_SECTION = b".nv_fatbin\0"
_MAGIC = 0xBA55ED50
_ELF = 2
# Bits of an entry's flags: compressed in one of two ways.
_COMPRESSED = 0x2000 | 0x8000


def _section(data: bytes) -> bytes:
    """The section of all fat binaries; empty where a program has none."""
    (start,) = struct.unpack_from("<Q", data, 0x28)
    entry_bytes, count, names = struct.unpack_from("<HHH", data, 0x3A)
    headers = [struct.unpack_from("<IIQQQQ", data, start + i * entry_bytes) for i in range(count)]
    for name, _, _, _, offset, size in headers:
        if data.startswith(_SECTION, headers[names][4] + name):
            return data[offset : offset + size]
    return b""


def _cubins(section: bytes, architecture: int, place: str) -> Iterator[bytes]:
    at = 0
    while at < len(section):
        magic, _, header_bytes, size = struct.unpack_from("<IHHQ", section, at)
        if magic != _MAGIC:
            # Binaries begin at multiples of 8 bytes.
            at += 8
            continue
        entry, end = at + header_bytes, at + header_bytes + size
        while entry < end:
            kind, _, entry_header_bytes, entry_bytes = struct.unpack_from("<HHIQ", section, entry)
            (found,) = struct.unpack_from("<I", section, entry + 28)
            (flags,) = struct.unpack_from("<Q", section, entry + 40)
            if kind == _ELF and found == architecture:
                if flags & _COMPRESSED:
                    raise CubinError(f"{place}: compressed: build it with -Xfatbin=-no-compress")
                yield section[entry + entry_header_bytes : entry + entry_header_bytes + entry_bytes]
            entry += entry_header_bytes + entry_bytes
        at = end


def kernels_of(program: Path, architecture: int) -> dict[str, Kernel]:
    """The kernels of a program, by their mangled names, for an architecture such as 90. Raises CubinError."""
    data = program.read_bytes()
    if data[:4] != b"\x7fELF":
        raise CubinError(f"{program}: not an ELF file")
    kernels: dict[str, Kernel] = {}
    for cubin in _cubins(_section(data), architecture, str(program)):
        kernels |= {kernel.name: kernel for kernel in read_kernels(cubin)}
    if not kernels:
        raise CubinError(f"{program}: holds no kernel for architecture {architecture}")
    return kernels
