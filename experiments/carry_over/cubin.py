"""Reads kernels out of a cubin: an ELF file with the machine code for one architecture.

Whatever the hardware sees of a kernel goes into its digest, and no name does: names change with folders, with
types, and, in unnamed namespaces, from one compilation to the next.
"""

import hashlib
import re
import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

_TEXT = ".text."
_SYMBOL_TABLE, _RELA, _REL, _NO_BITS = 2, 4, 9, 8
# Where a section of the processor's own says what a kernel needs.
_INFO = ".nv.info"
# Attributes of _INFO: what their value is, by NVIDIA's names.
_REGISTERS, _FRAME_BYTES, _LEAST_STACK, _MOST_STACK = 0x2F, 0x11, 0x12, 0x23
_PARAMETER, _PARAMETER_BANK = 0x17, 0x0A
_DRIVERS_SHARED_BYTES = 1024
_OF_SYMBOLS = frozenset({_REGISTERS, _FRAME_BYTES, _LEAST_STACK, _MOST_STACK})
# What begins the name of an unnamed namespace, which has the length before it.
_UNNAMED = re.compile(r"(\d{2})(?=_GLOBAL__N__)")


class CubinError(Exception):
    """Bytes that are no cubin, or one of a kind that is not known."""


@dataclass(frozen=True)
class Kernel:
    """A kernel. `parts` are digests of its code, constants and so on, by what they are of."""

    name: str
    parts: Mapping[str, str]
    registers: int
    shared_bytes: int
    local_bytes: int
    parameter_bytes: tuple[int, ...]

    @property
    def digest(self) -> str:
        """Equal for kernels that are the same to the hardware."""
        return _digest("\n".join(f"{part} {self.parts[part]}" for part in sorted(self.parts)).encode())


@dataclass(frozen=True)
class _Section:
    name: str
    kind: int
    offset: int
    size: int
    link: int
    info: int


@dataclass(frozen=True)
class _Symbol:
    name: str
    section: int
    value: int
    size: int


def plain_name(name: str) -> str:
    """A mangled name without the components of unnamed namespaces, which change from run to run."""
    match = _UNNAMED.search(name)
    while match is not None:
        name = name[: match.start()] + name[match.end() + int(match[1]) :]
        match = _UNNAMED.search(name)
    return name


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _text(data: bytes, offset: int) -> str:
    return data[offset : data.index(b"\0", offset)].decode()


class _Cubin:
    def __init__(self, data: bytes) -> None:
        if data[:7] != b"\x7fELF\x02\x01\x01":
            raise CubinError("not an ELF file of 64 bits")
        self.data = data
        (start,) = struct.unpack_from("<Q", data, 0x28)
        entry_bytes, count, names = struct.unpack_from("<HHH", data, 0x3A)
        headers = [struct.unpack_from("<IIQQQQIIQQ", data, start + i * entry_bytes) for i in range(count)]
        self.sections = [
            _Section(_text(data, headers[names][4] + name), kind, offset, size, link, info)
            for name, kind, _, _, offset, size, link, info, _, _ in headers
        ]
        self.by_name = {section.name: section for section in self.sections}
        self.symbols = list(self._symbols())

    def bytes_of(self, section: _Section) -> bytes:
        """Its content; of a section that holds only zeros their number."""
        if section.kind == _NO_BITS:
            return f"{section.size} zeros".encode()
        return self.data[section.offset : section.offset + section.size]

    def _symbols(self) -> Iterator[_Symbol]:
        for table in self.sections:
            if table.kind != _SYMBOL_TABLE:
                continue
            names = self.sections[table.link].offset
            for name, _, _, section, value, size in struct.iter_unpack("<IBBHQQ", self.bytes_of(table)):
                yield _Symbol(_text(self.data, names + name), section, value, size)

    def attributes(self, section: _Section) -> Iterator[tuple[int, bytes]]:
        """The attributes of a section of _INFO: their numbers and values."""
        data, at = self.bytes_of(section), 0
        while at < len(data):
            form, attribute, size = struct.unpack_from("<BBH", data, at)
            value = data[at + 4 : at + 4 + size] if form == 4 else data[at + 2 : at + 4]
            yield attribute, value
            at += 4 + len(value) if form == 4 else 4

    def of_symbols(self) -> dict[str, dict[int, int]]:
        """What the section for the whole cubin says of each kernel, by its name."""
        found: dict[str, dict[int, int]] = {}
        for attribute, value in self.attributes(self.by_name[_INFO]) if _INFO in self.by_name else ():
            if attribute in _OF_SYMBOLS:
                symbol, number = struct.unpack("<II", value)
                found.setdefault(self.symbols[symbol].name, {})[attribute] = number
        return found

    def relocations(self, target: _Section) -> list[str]:
        """The relocations in a section: where, of which kind, and to what, without names."""
        lines = []
        for section in self.sections:
            if section.kind not in (_RELA, _REL) or self.sections[section.info] is not target:
                continue
            form = "<QQq" if section.kind == _RELA else "<QQ"
            for offset, info, *addend in struct.iter_unpack(form, self.bytes_of(section)):
                lines.append(f"{offset} {info & 0xFFFFFFFF} {addend} {self._meant(self.symbols[info >> 32])}")
        return sorted(lines)

    def _meant(self, symbol: _Symbol) -> str:
        """What a symbol stands for: the content at its place, or its name where it is not in this cubin."""
        if not 0 < symbol.section < len(self.sections):
            return plain_name(symbol.name)
        section = self.sections[symbol.section]
        kind = ".".join(section.name.split(".")[:3])
        return f"{kind} {symbol.value} {symbol.size} {_digest(self.bytes_of(section))}"

    def constants(self, kernel: str) -> str:
        """A digest of the constants that a kernel has for itself."""
        own = [s for s in self.sections if re.fullmatch(rf"\.nv\.constant\d+\.{re.escape(kernel)}", s.name)]
        lines = [f"{s.name.split('.')[2]} {_digest(self.bytes_of(s))} {self.relocations(s)}" for s in own]
        return _digest("\n".join(sorted(lines)).encode())

    def whole(self) -> str:
        """The constants and variables that all kernels of the cubin share."""
        own = tuple(section.name[len(_TEXT) :] for section in self.sections if section.name.startswith(_TEXT))
        lines = []
        for section in self.sections:
            shared = section.name.startswith((".nv.constant", ".nv.global")) and not section.name.endswith(
                own
            )
            if shared:
                lines.append(f"{section.name} {_digest(self.bytes_of(section))} {self.relocations(section)}")
        return _digest("\n".join(sorted(lines)).encode())


def _needs(cubin: _Cubin, section: _Section | None) -> tuple[str, tuple[int, ...]]:
    """A digest of what a kernel needs, and the sizes of its parameters."""
    lines, sizes = [], {}
    for attribute, value in cubin.attributes(section) if section is not None else ():
        if attribute == _PARAMETER:
            _, ordinal, _, flags = struct.unpack("<IHHI", value)
            sizes[ordinal] = flags >> 18
        # Begins with a symbol's number.
        kept = value[4:] if attribute == _PARAMETER_BANK else value
        lines.append(f"{attribute:x} {kept.hex()}")
    return _digest("\n".join(lines).encode()), tuple(sizes[ordinal] for ordinal in sorted(sizes))


def read_kernels(data: bytes) -> list[Kernel]:
    """The kernels of a cubin. Raises CubinError."""
    try:
        cubin = _Cubin(data)
        of_symbols, whole = cubin.of_symbols(), cubin.whole()
        kernels = []
        for section in cubin.sections:
            if not section.name.startswith(_TEXT):
                continue
            name = section.name[len(_TEXT) :]
            needs, sizes = _needs(cubin, cubin.by_name.get(f"{_INFO}.{name}"))
            numbers = of_symbols.get(name, {})
            shared = cubin.by_name.get(f".nv.shared.{name}")
            parts = {
                "code": _digest(cubin.bytes_of(section)),
                "constants": cubin.constants(name),
                "relocations": _digest("\n".join(cubin.relocations(section)).encode()),
                "parameters and launch bounds": needs,
                "shared memory": str(shared.size if shared else 0),
                "registers and local memory": str(sorted(numbers.items())),
                "constants and variables of all kernels": whole,
            }
            registers, local_bytes = numbers.get(_REGISTERS, 0), numbers.get(_FRAME_BYTES, 0)
            # The first KB is the driver's.
            shared_bytes = max(0, shared.size - _DRIVERS_SHARED_BYTES) if shared else 0
            kernels.append(Kernel(name, parts, registers, shared_bytes, local_bytes, sizes))
    except (IndexError, ValueError, struct.error) as error:
        raise CubinError(f"not a cubin that is known: {error}") from error
    return kernels
