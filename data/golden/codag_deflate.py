"""Files of format deflate (FORMAT.md, section 13.6), valid and damaged, and a reader of its blocks."""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random

from codag_streams import BLOCK_SIZE, ChunkFormat, Invalid, StreamError, Valid, block_of
from format_writer import raw_block
from tile_integer_for import FieldError

DEFLATE = ChunkFormat("deflate", 67, "deflate_")

# The writer.

END = 256
ORDER = (16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15)
FIXED_LITERALS = [8] * 144 + [9] * 112 + [7] * 24 + [8] * 8
FIXED_DISTANCES = [5] * 32
# A literal, or a length and a distance.
Token = int | tuple[int, int]


class Bits:
    """Bits of a stream."""

    def __init__(self) -> None:
        self.bits: list[int] = []

    def number(self, value: int, count: int) -> Bits:
        """The lowest bit first."""
        self.bits += [value >> i & 1 for i in range(count)]
        return self

    def code(self, value: int, count: int) -> Bits:
        """The highest bit first."""
        return self.number(int(f"{value:0{count}b}"[::-1], 2) if count else 0, count)

    def to_byte(self, filled: int = 0) -> Bits:
        """Bits up to the next whole byte."""
        return self.number(filled, -len(self.bits) % 8)

    def bytes(self, filled: int = 0) -> bytes:
        """All of them, filled up to a whole byte."""
        bits = [*self.bits, *[filled] * (-len(self.bits) % 8)]
        return bytes(sum(bits[i + k] << k for k in range(8)) for i in range(0, len(bits), 8))

    def section(self, kind: int, last: bool = False) -> Bits:
        """The first bits of a section."""
        return self.number(int(last), 1).number(kind, 2)

    def stored(self, data: bytes, last: bool = False, filled: int = 0) -> Bits:
        """A stored section."""
        self.section(0, last).to_byte(filled).number(len(data), 16).number(len(data) ^ 0xFFFF, 16)
        for byte in data:
            self.number(byte, 8)
        return self

    def elements(self, tokens: Sequence[Token], literals: Sequence[int], distances: Sequence[int]) -> Bits:
        """Elements and the end of the section, by codes of these lengths."""
        codes, distance_codes = codes_of(literals), codes_of(distances)
        for token in [*tokens, END]:
            if isinstance(token, int):
                self.code(codes[token], literals[token])
                continue
            (symbol, length_bits, extra), (place, distance_bits, more) = symbols_of(token)
            self.code(codes[symbol], literals[symbol]).number(extra, length_bits)
            self.code(distance_codes[place], distances[place]).number(more, distance_bits)
        return self

    def fixed(self, tokens: Sequence[Token], last: bool = False) -> Bits:
        """A section with the fixed codes."""
        return self.section(1, last).elements(tokens, FIXED_LITERALS, FIXED_DISTANCES)

    def lengths(
        self,
        literals: Sequence[int],
        distances: Sequence[int],
        repeats: Sequence[tuple[int, int]] | None = None,
    ) -> Bits:
        """What precedes the elements of a dynamic section: `repeats` are symbols and their numbers."""
        symbols = [(length, 0) for length in [*literals, *distances]] if repeats is None else repeats
        of_lengths = lengths_of(Counter(symbol for symbol, _ in symbols), 19, 7)
        codes = codes_of(of_lengths)
        count = max(i for i in range(19) if of_lengths[ORDER[i]] or i < 4) + 1
        self.number(len(literals) - 257, 5).number(len(distances) - 1, 5).number(count - 4, 4)
        for i in range(count):
            self.number(of_lengths[ORDER[i]], 3)
        for symbol, repeated in symbols:
            self.code(codes[symbol], of_lengths[symbol]).number(
                repeated, {16: 2, 17: 3, 18: 7}.get(symbol, 0)
            )
        return self

    def dynamic(self, tokens: Sequence[Token], last: bool = False) -> Bits:
        """A section with codes that fit its elements."""
        places = [symbols_of(token) for token in tokens if isinstance(token, tuple)]
        counts = Counter([*(token for token in tokens if isinstance(token, int)), END])
        counts.update(length[0] for length, _ in places)
        literals = lengths_of(counts, max([END, *counts]) + 1, 15)
        distance_counts = Counter(distance[0] for _, distance in places)
        distances = lengths_of(distance_counts, max([0, *distance_counts]) + 1, 15)
        repeats = list(repeats_of([*literals, *distances]))
        return (
            self.section(2, last).lengths(literals, distances, repeats).elements(tokens, literals, distances)
        )


def codes_of(lengths: Sequence[int]) -> dict[int, int]:
    """The code of each symbol that has one."""
    codes: dict[int, int] = {}
    code = 0
    for length in range(1, 16):
        code *= 2
        for symbol, its in enumerate(lengths):
            if its == length:
                codes[symbol] = code
                code += 1
    return codes


def lengths_of(counts: Counter[int], symbols: int, most: int) -> list[int]:
    """Lengths of a code with which these symbols take few bits, none above `most`."""
    lengths = [0] * symbols
    if len(counts) == 1:
        lengths[next(iter(counts))] = 1
    while len(counts) > 1:
        heap = [(count, [symbol]) for symbol, count in sorted(counts.items())]
        heapq.heapify(heap)
        depths: Counter[int] = Counter()
        while len(heap) > 1:
            one, other = heapq.heappop(heap), heapq.heappop(heap)
            depths.update(one[1] + other[1])
            heapq.heappush(heap, (one[0] + other[0], one[1] + other[1]))
        if max(depths.values()) <= most:
            for symbol, depth in depths.items():
                lengths[symbol] = depth
            break
        # Flatter, until it fits.
        counts = Counter({symbol: count // 2 + 1 for symbol, count in counts.items()})
    return lengths


def repeats_of(lengths: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Lengths with repeats wherever there are some."""
    place = 0
    while place < len(lengths):
        length = lengths[place]
        run = 1
        while place + run < len(lengths) and lengths[place + run] == length:
            run += 1
        if length == 0 and run >= 3:
            run = min(run, 138)
            yield (17, run - 3) if run <= 10 else (18, run - 11)
        elif place and lengths[place - 1] == length and run >= 3:
            run = min(run, 6)
            yield 16, run - 3
        else:
            run = 1
            yield length, 0
        place += run


def symbols_of(match: tuple[int, int]) -> tuple[tuple[int, int, int], tuple[int, int, int]]:
    """Symbol, number of extra bits and these of a match's length and of its distance."""
    length, distance = match
    if length < 11:
        of_length = (254 + length, 0, 0)
    elif length == 258:
        of_length = (285, 0, 0)
    else:
        bits = (length - 3).bit_length() - 3
        of_length = (261 + 4 * bits + (length - 3 - (4 << bits) >> bits), bits, (length - 3) % (1 << bits))
    if distance < 5:
        return of_length, (distance - 1, 0, 0)
    bits = (distance - 1).bit_length() - 2
    return of_length, (2 * bits + 2 + (distance - 1 >> bits & 1), bits, (distance - 1) % (1 << bits))


def tokens_of(data: bytes) -> list[Token]:
    """Literals and matches with what was seen last."""
    tokens: list[Token] = []
    seen: dict[bytes, int] = {}
    place = 0
    while place < len(data):
        key = data[place : place + 3]
        start = seen.get(key, -1)
        length = 0
        if len(key) == 3 and start >= 0 and place - start <= 32768:
            while (
                place + length < len(data) and length < 258 and data[start + length] == data[place + length]
            ):
                length += 1
        step = max(length, 1)
        tokens.append((length, place - start) if length else data[place])
        for i in range(place, place + step):
            seen[data[i : i + 3]] = i
        place += step
    return tokens


def written(tokens: Sequence[Token], before: bytes = b"") -> bytes:
    """What elements decode to after some output."""
    output = bytearray(before)
    for token in tokens:
        if isinstance(token, int):
            output.append(token)
        else:
            for _ in range(token[0]):
                output.append(output[-token[1]])
    return bytes(output[len(before) :])


# The reader. It takes nothing from the writer.

FIELDS = {
    1: "stream",
    2: "stream",
    3: "stream",
    4: "stream",
    5: "block type",
    6: "stored length",
    7: "number of codes",
    8: "code of code lengths",
    9: "code of code lengths",
    10: "code lengths",
    11: "code lengths",
    12: "code of literals",
    13: "code of literals",
    14: "code of literals",
    15: "code of distances",
    16: "code of distances",
    17: "literal or length",
    18: "distance",
    19: "distance",
}


class DeflateError(StreamError):
    """A stream that is refused, with the status and the byte of the payload."""

    def __init__(self, status: int, byte: int) -> None:
        FieldError.__init__(self, FIELDS[status], f"status {status} at byte {byte}")
        self.status = status
        self.byte = byte


class Code:
    """A prefix code, by how many bits a code has and which."""

    def __init__(self, lengths: Sequence[int]) -> None:
        self.symbols: dict[tuple[int, int], int] = {}
        self.free = 1 << 15
        code = 0
        for length in range(1, 16):
            code *= 2
            for symbol, its in enumerate(lengths):
                if its == length:
                    self.symbols[length, code] = symbol
                    self.free -= 1 << 15 - length
                    code += 1
        self.longest = max([0, *lengths])


class Inflater:
    """The sections of a payload."""

    def __init__(self, payload: bytes, most: int) -> None:
        self.payload = payload
        self.most = most
        self.place = 0
        self.began = 0
        self.output = bytearray()

    def fail(self, status: int) -> DeflateError:
        """What is wrong with what is being read."""
        return DeflateError(status, self.began)

    def begin(self) -> None:
        """The next thing begins here."""
        self.began = self.place // 8

    def bit(self) -> int:
        """The next one."""
        if self.place == 8 * len(self.payload):
            raise self.fail(3)
        self.place += 1
        return self.payload[(self.place - 1) // 8] >> (self.place - 1) % 8 & 1

    def number(self, bits: int) -> int:
        """The lowest bit first."""
        return sum(self.bit() << i for i in range(bits))

    def symbol(self, code: Code, status: int) -> int:
        """The symbol of the code that comes."""
        value = 0
        for length in range(1, max(code.longest, 1) + 1):
            value = 2 * value + self.bit()
            if (length, value) in code.symbols:
                return code.symbols[length, value]
        raise self.fail(status)

    def put(self, data: bytes) -> None:
        """More output."""
        if len(self.output) + len(data) > self.most:
            raise self.fail(2)
        self.output += data

    def run(self) -> bytes:
        """All sections."""
        last = 0
        while not last:
            self.begin()
            last = self.bit()
            kind = self.number(2)
            if kind == 3:
                raise self.fail(5)
            if kind == 0:
                self.stored()
            elif kind == 1:
                lengths = [8] * 144 + [9] * 112 + [7] * 24 + [8] * 8
                self.elements(Code(lengths), Code([5] * 32))
            else:
                self.elements(*self.codes())
        self.place += -self.place % 8
        self.begin()
        if self.began < len(self.payload):
            raise self.fail(4)
        if len(self.output) < self.most:
            raise self.fail(1)
        return bytes(self.output)

    def stored(self) -> None:
        """What follows the type of a stored section."""
        self.place += -self.place % 8
        count = self.number(16)
        if self.number(16) != 0xFFFF - count:
            raise self.fail(6)
        self.begin()
        data = self.payload[self.began : self.began + count]
        if len(data) < count:
            raise self.fail(3)
        self.put(data)
        self.place += 8 * count

    def codes(self) -> tuple[Code, Code]:
        """The codes of a dynamic section."""
        section = self.began
        literals = 257 + self.number(5)
        distances = 1 + self.number(5)
        count = 4 + self.number(4)
        if literals > 286 or distances > 30:
            raise self.fail(7)
        lengths_of_lengths = [0] * 19
        for symbol in (16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15)[:count]:
            lengths_of_lengths[symbol] = self.number(3)
        code = Code(lengths_of_lengths)
        if code.free:
            raise self.fail(8 if code.free < 0 else 9)
        lengths: list[int] = []
        while len(lengths) < literals + distances:
            self.begin()
            symbol = self.symbol(code, 9)
            if symbol < 16:
                lengths.append(symbol)
                continue
            if symbol == 16 and not lengths:
                raise self.fail(10)
            repeated = lengths[-1] if symbol == 16 else 0
            least, bits = {16: (3, 2), 17: (3, 3), 18: (11, 7)}[symbol]
            lengths += [repeated] * (least + self.number(bits))
            if len(lengths) > literals + distances:
                raise self.fail(11)
        self.began = section
        return self.checked(lengths[:literals], 12, True), self.checked(lengths[literals:], 15, False)

    def checked(self, lengths: Sequence[int], status: int, of_literals: bool) -> Code:
        """A code that is complete, or has one bit, or of distances none."""
        code = Code(lengths)
        if code.free < 0:
            raise self.fail(status)
        is_small = len(code.symbols) == 1 and code.longest == 1
        if code.free and not is_small and (of_literals or code.symbols):
            raise self.fail(status + 1)
        if of_literals and not lengths[256]:
            raise self.fail(14)
        return code

    def elements(self, literals: Code, distances: Code) -> None:
        """Those up to the end of the section."""
        while True:
            self.begin()
            symbol = self.symbol(literals, 17)
            if symbol == 256:
                return
            if symbol < 256:
                self.put(bytes((symbol,)))
                continue
            if symbol > 285:
                raise self.fail(17)
            length = self.length(symbol)
            place = self.symbol(distances, 18)
            if place > 29:
                raise self.fail(18)
            bits = max(place // 2 - 1, 0)
            base = place + 1 if place < 4 else (1 << bits + 1) + 1 + (place % 2 << bits)
            distance = base + self.number(bits)
            if distance > len(self.output):
                raise self.fail(19)
            copied = bytearray()
            for i in range(length):
                copied.append(self.output[i - distance] if i < distance else copied[i - distance])
            self.put(bytes(copied))

    def length(self, symbol: int) -> int:
        """A match's, with the extra bits that follow."""
        if symbol < 265:
            return symbol - 254
        if symbol == 285:
            return 258
        bits = (symbol - 261) // 4
        base = {1: 11, 2: 19, 3: 35, 4: 67, 5: 131}[bits]
        return base + ((symbol - 261) % 4 << bits) + self.number(bits)


def inflated(payload: bytes, uncompressed_bytes: int) -> bytes:
    """Decodes a payload of format deflate."""
    if not uncompressed_bytes // 1032 + 1 <= len(payload) <= 2 * uncompressed_bytes + 1024:
        raise FieldError("payload bytes", str(len(payload)))
    return Inflater(payload, uncompressed_bytes).run()


# The files.

TEXT = b"she sells sea shells by the sea shore; the shells she sells are sea shells, surely. " * 3


def every_length() -> list[Token]:
    """Matches of all lengths, most of which overlap what they write."""
    tokens: list[Token] = [*b"abcdefg"]
    for length in range(3, 259):
        tokens += [length % 256, (length, length % 7 + 1)]
    return tokens


def every_distance() -> list[Token]:
    """Matches at the smallest and the largest distance of each symbol."""
    random = Random("every distance")
    tokens: list[Token] = [random.randrange(256) for _ in range(40)]
    # Far enough, in few elements.
    tokens += [token for i in range(130) for token in (i, (258, 37))]
    for symbol in range(30):
        bits = max(symbol // 2 - 1, 0)
        base = symbol + 1 if symbol < 4 else (1 << bits + 1) + 1 + (symbol % 2 << bits)
        tokens += [symbol, (3 + symbol, base), (258 - symbol, base + (1 << bits) - 1)]
    return tokens


def long_codes() -> tuple[bytes, bytes]:
    """A section whose codes have 1 to 15 bits, and its output."""
    lengths = [*range(1, 16), 15]
    symbols = [*range(7, 87, 8), END, 257, 258, 259, 200, 255]
    literals = [0] * 260
    for symbol, length in zip(symbols, lengths, strict=True):
        literals[symbol] = length
    tokens: list[Token] = [symbol for symbol in symbols if symbol < END]
    tokens += [(3 + i % 3, distance) for i, distance in enumerate((1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49))]
    tokens += [(4, 34), (5, 50), (3, 65), *[(5, 5)] * 30, (3, 97), (4, 129), (5, 193), 255]
    repeats = list(repeats_of([*literals, *lengths]))
    bits = Bits().section(2, True).lengths(literals, lengths, repeats)
    return bits.elements(tokens, literals, lengths).bytes(), written(tokens)


def streams() -> Iterator[tuple[str, bytes, bytes]]:
    """Names, streams and their output."""
    random = Random("deflate")
    noise = random.randbytes(300)
    yield "stored", Bits().stored(noise, True).bytes(), noise
    yield "stored_of_bits", Bits().stored(noise, True, 31).bytes(), noise
    pieces = Bits().stored(b"").stored(noise[:1]).stored(b"").stored(noise[1:]).stored(b"", True)
    yield "stored_in_pieces", pieces.bytes(), noise
    everything = bytes(range(256))
    yield "fixed_literals", Bits().fixed(everything, True).bytes(), everything
    yield "fixed_end_of_bits", Bits().fixed(b"a", True).bytes(1), b"a"
    for name, tokens in (("lengths", every_length()), ("distances", every_distance())):
        yield f"fixed_{name}", Bits().fixed(tokens, True).bytes(), written(tokens)
        yield f"dynamic_{name}", Bits().dynamic(tokens, True).bytes(), written(tokens)
    # 258 as the largest length of another symbol.
    bits = Bits().section(1, True).code(0x30 + 97, 8).code(0xC0 + 4, 8).number(31, 5).code(0, 5).code(0, 7)
    yield "length_258_in_two_symbols", bits.bytes(), b"a" * 259
    yield "dynamic_text", Bits().dynamic(tokens_of(TEXT), True).bytes(), TEXT
    yield "dynamic_noise", Bits().dynamic(noise, True).bytes(), noise
    yield "dynamic_of_one_literal", Bits().dynamic(b"aaaaa", True).bytes(), b"aaaaa"
    yield "dynamic_of_one_distance", Bits().dynamic([97, (200, 1)], True).bytes(), b"a" * 201
    yield "dynamic_long_codes", *long_codes()
    yield from crossing_repeat()
    first, second, third = TEXT[:50], TEXT[50:150], TEXT[150:]
    bits = Bits().stored(first).fixed(b"").fixed(second).dynamic([(150, 150), *TEXT[:9]]).stored(noise)
    bits.fixed([(258, 450)]).dynamic(third, True)
    output = TEXT[:150] * 2 + TEXT[:9] + noise
    output += written([(258, 450)], output) + third
    yield "sections_of_all_types", bits.bytes(), output
    # As many bytes as a payload of one byte may have.
    bits = Bits()
    for _ in range(204):
        bits.stored(b"")
    yield "largest_payload", bits.stored(b"a", True).bytes(), b"a"


def crossing_repeat() -> Iterator[tuple[str, bytes, bytes]]:
    """A repeat that begins in the lengths of literals and ends in those of distances."""
    literals = [2] * 1 + [0] * 255 + [2, 2, 2]
    distances = [2, 2, 2, 2]
    repeats = [(2, 0), (18, 127), (18, 106), (2, 0), (16, 3)]
    output = [0, (3, 1), (4, 2)]
    bits = Bits().section(2, True).lengths(literals, distances, repeats)
    yield "repeat_into_distances", bits.elements(output, literals, distances).bytes(), written(output)


def deflate_valid() -> Iterator[Valid]:
    """All valid files. Encoders may make others of the same output."""
    for name, stream, output in streams():
        frame = DEFLATE.frame(BLOCK_SIZE, [block_of(stream, output)])
        yield Valid(DEFLATE, f"{name}.gsst", frame, output)
    yield Valid(DEFLATE, "nothing.gsst", DEFLATE.frame(BLOCK_SIZE, []), b"")
    yield Valid(DEFLATE, "raw.gsst", DEFLATE.frame(BLOCK_SIZE, [raw_block(TEXT)]), TEXT)
    pieces = [TEXT[start : start + 100] for start in range(0, len(TEXT), 100)]
    blocks = [block_of(Bits().dynamic(tokens_of(piece), True).bytes(), piece) for piece in pieces]
    blocks[1] = raw_block(pieces[1])
    yield Valid(DEFLATE, "blocks.gsst", DEFLATE.frame(100, blocks), TEXT)


def damaged() -> Iterator[tuple[str, bytes, bytes, str, int, int]]:
    """Names, streams, what their records say that they decode to, why they are wrong, status and byte."""
    a = Bits().fixed(b"a", True).bytes()
    yield "too_short", a, b"ab", "a byte is missing", 1, len(a)
    yield "too_long", Bits().fixed(b"abc", True).bytes(), b"ab", "a byte too many", 2, 2
    stored = Bits().stored(b"abc", True).bytes()
    yield "stored_too_long", stored, b"ab", "a byte too many", 2, 5
    overlap = Bits().fixed([97, (3, 1)], True).bytes()
    yield "match_too_long", overlap, b"aaa", "a byte too many", 2, 1
    yield "stored_cut", stored[:-1], b"abc", "a byte is missing", 3, 5
    yield "stored_cut_in_length", stored[:4], b"abc", "LEN's complement is cut", 3, 0
    yield "fixed_cut", a[:-1], b"a", "the end of the section is missing", 3, 1
    text = Bits().dynamic(tokens_of(TEXT), True).bytes()
    yield "dynamic_cut_in_numbers", text[:2], b"abc", "cut in the numbers of lengths", 3, 0
    yield "no_last_section", Bits().stored(b"abc").bytes(), b"abc", "no section is the last", 3, 8
    yield "byte_after_end", a + b"\0", b"a", "the stream has ended", 4, len(a)
    yield "type_3", Bits().section(3, True).bytes(), b"a", "there is no such type", 5, 0
    wrong = Bits().section(0, True).to_byte().number(1, 16).number(0xFFFF, 16).number(97, 8)
    yield "stored_length", wrong.bytes(), b"a", "no complement", 6, 0
    second = Bits().fixed(b"abc").section(0, True).to_byte().number(1, 16).number(0, 16).number(97, 8)
    yield "stored_length_later", second.bytes(), b"abca", "no complement", 6, 4
    for name, literals, distances in (("literals", 30, 0), ("distances", 0, 30), ("both", 31, 31)):
        bits = Bits().section(2, True).number(literals, 5).number(distances, 5).number(0, 4)
        yield f"too_many_{name}", bits.bytes(), b"a", "there are fewer", 7, 0
    for name, lengths, status in (
        ("over_subscribed", (1, 1, 1, 0), 8),
        ("incomplete", (1, 2, 0, 0), 9),
        ("of_one_bit", (0, 0, 0, 1), 9),
        ("empty", (0, 0, 0, 0), 9),
    ):
        bits = Bits().section(2, True).number(0, 14)
        for length in lengths:
            bits.number(length, 3)
        yield f"code_lengths_{name}", bits.bytes() + b"\0", b"a", "it is not complete", status, 0
    yield from damaged_codes()
    for symbol in (286, 287):
        bits = Bits().fixed(b"a").section(1, True).code(0xC0 + symbol - 280, 8).number(0, 16)
        yield f"length_{symbol}", bits.bytes(), b"aaaa", "it means nothing", 17, 2
    for symbol in (30, 31):
        bits = Bits().section(1, True).code(0x30 + 97, 8).code(1, 7).code(symbol, 5).number(0, 16)
        yield f"distance_{symbol}", bits.bytes(), b"aaaa", "it means nothing", 18, 1
    for name, distance in (("one", 2), ("all", 32768)):
        yield (
            f"distance_before_by_{name}",
            Bits().fixed([97, (3, distance)], True).bytes(),
            b"aaaa",
            "only one byte is there",
            19,
            1,
        )


def damaged_codes() -> Iterator[tuple[str, bytes, bytes, str, int, int]]:
    """Those of dynamic sections."""
    start = Bits().section(2, True).number(0, 10).number(14, 4)
    for symbol in ORDER[:18]:
        start.number({16: 2, 17: 2, 18: 2, 1: 2}.get(symbol, 0), 3)
    # Codes 00 for 1, 01 for 16, 10 for 17, 11 for 18.
    at = len(start.bits) // 8

    def after(*numbers: tuple[int, int]) -> bytes:
        bits = Bits()
        bits.bits = [*start.bits]
        for value, count in numbers:
            bits.code(value, 2).number(0, 0)
            bits.number(count, {0: 0, 1: 2, 2: 3, 3: 7}[value])
        return bits.bytes()

    yield "repeat_first", after((1, 0), (1, 0)), b"a", "none to repeat", 10, at
    past = after((3, 127), (3, 127), (0, 0))
    yield "repeat_past_end", past, b"a", "there are 258", 11, (len(start.bits) + 9) // 8

    def coded(literals: dict[int, int], distances: Sequence[int]) -> bytes:
        lengths = [literals.get(symbol, 0) for symbol in range(max(257, *literals) + 1)]
        return Bits().section(2, True).lengths(lengths, distances).number(0, 16).bytes()

    good = {97: 1, END: 1}
    for name, literals, distances, status in (
        ("over_subscribed_literals", {97: 1, 98: 1, END: 1}, [0], 12),
        ("incomplete_literals", {97: 2, END: 2}, [0], 13),
        ("one_literal_of_two_bits", {END: 2}, [0], 13),
        ("no_end", {97: 1, 98: 1}, [0], 14),
        ("over_subscribed_distances", good, [1, 1, 1], 15),
        ("incomplete_distances", good, [2, 2], 16),
        ("one_distance_of_two_bits", good, [2], 16),
    ):
        yield name, coded(literals, distances), b"a", "no such code", status, 0
    bits = Bits().section(2, True).lengths([0] * 256 + [1], [0])
    place = len(bits.bits) // 8
    yield "unused_literal", bits.number(1, 1).bytes(), b"a", "1 is no code", 17, place
    lengths = [0] * 97 + [1] + [0] * 158 + [2, 2]
    for name, distances in (("unused_distance", [1]), ("match_without_distances", [0])):
        bits = Bits().section(2, True).lengths(lengths, distances).code(0, 1)
        place = len(bits.bits) // 8
        yield name, bits.code(3, 2).number(1, 1).bytes(), b"aaaa", "1 is no code", 18, place


def deflate_invalid() -> Iterator[Invalid]:
    """All invalid files: the second of two blocks, of which the first is good."""
    for name, stream, output, why, status, byte in damaged():
        first = bytes(len(output))
        good = block_of(Bits().fixed(first, True).bytes(), first)
        data = DEFLATE.frame(len(output), [good, block_of(stream, output)])
        yield Invalid(DEFLATE, f"{name}.gsst", data, why, FIELDS[status], 1, status, byte)
    # What a decoder on a GPU never sees.
    first = bytes(3000)
    good = block_of(Bits().dynamic(tokens_of(first), True).bytes(), first)
    few = block_of(b"\3\0", first)
    data = DEFLATE.frame(3000, [good, few])
    yield Invalid(
        DEFLATE, "two_bytes_for_3000.gsst", data, "1032 for each at most", "payload bytes", 1, None, None
    )
