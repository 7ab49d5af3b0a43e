"""Pages of Parquet files, valid and damaged, with a list of their own."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from random import Random

from codag_deflate import Bits
from parquet_writer import (
    DELTA_BINARY_PACKED,
    GZIP,
    PLAIN,
    RLE_DICTIONARY,
    UNCOMPRESSED,
    Page,
    ParquetFile,
    Run,
    delta_binary_packed,
    hybrid,
    levels_v1,
    number,
    packed,
    zigzag,
)
from xxh64 import xxh64

FOLDER = "parquet"
ENTRIES = [5, -1, 1 << 31 - 1, 0, 77]


@dataclass(frozen=True)
class Valid:
    """A file, its values that are not null, and which rows have one."""

    name: str
    file: ParquetFile
    values: Sequence[int]
    levels: Sequence[int] = ()


@dataclass(frozen=True)
class Invalid:
    """A file with a page that has a mistake in a field."""

    name: str
    file: ParquetFile
    page: int
    field: str


def bytes_of(values: Sequence[int], bits: int) -> bytes:
    """Values as they are, PLAIN."""
    return b"".join((value % (1 << bits)).to_bytes(bits // 8, "little") for value in values)


def dictionary_of(entries: Sequence[int], bits: int) -> Page:
    return Page(bytes_of(entries, bits), len(entries), PLAIN, is_dictionary=True)


def signed(chance: Random, bits: int, width: int) -> int:
    """A number of a type of `bits` bits, of which `width` are by chance."""
    return (chance.getrandbits(width) - (1 << bits - 1)) if width else 9


def delta_page(
    values: Sequence[int], bits: int, block: int = 128, miniblocks: int = 4, waste: int = 0
) -> Page:
    return Page(delta_binary_packed(values, bits, block, miniblocks, waste), len(values), DELTA_BINARY_PACKED)


# Of the damaged page: values with differences of 7 bits, in one block and two miniblocks.
DAMAGED = [i * i for i in range(60)]


def delta_with(
    block: bytes = number(128),
    miniblocks: bytes = number(4),
    count: bytes = number(len(DAMAGED)),
    first: bytes = number(0),
    least: bytes = number(zigzag(1)),
    widths: bytes = bytes([7, 7, 0, 0]),
) -> bytes:
    """A page of DAMAGED with one field of other bytes."""
    deltas = [after - before - 1 for before, after in pairwise(DAMAGED)]
    body = packed(deltas, 7).ljust(2 * 7 * 4, b"\0")
    return block + miniblocks + count + first + least + widths + body


def valid_deltas() -> Iterator[Valid]:
    """Lengths at borders of blocks and miniblocks, widths, sums that wrap, other blocks than pyarrow's."""
    chance = Random(12)
    for bits in (32, 64):
        cuts = [1, 2, 33, 128, 129, 130, 0, 385]
        values = [signed(chance, bits, chance.choice((0, 3, bits))) for _ in range(sum(cuts))]
        pages = []
        for cut in cuts:
            begin = sum(page.rows for page in pages)
            pages.append(delta_page(values[begin : begin + cut], bits))
        yield Valid(f"lengths_{bits}", ParquetFile(bits, pages), values)
        widths = [signed(chance, bits, width) for width in range(bits + 1) for _ in range(33)]
        yield Valid(f"widths_{bits}", ParquetFile(bits, [delta_page(widths, bits)]), widths)
    # What damaged pages are made of.
    whole = Page(delta_with(), len(DAMAGED), DELTA_BINARY_PACKED)
    yield Valid("undamaged", ParquetFile(64, [whole]), DAMAGED)
    most = (1 << 63) - 1
    extremes = [(-most - 1, most)[i % 2] for i in range(300)]
    yield Valid("extremes", ParquetFile(64, [delta_page(extremes, 64)]), extremes)
    # More blocks than a thread block has threads, so that sums of blocks take a second round.
    long = list(range(0, -7 * 17000, -7))
    yield Valid("many_blocks", ParquetFile(32, [delta_page(long, 32)]), long)
    for block, miniblocks, waste in ((128, 1, 0), (1024, 32, 1), (640, 2, 5)):
        part = [chance.randrange(-50, 4000) for _ in range(1500)]
        name = f"blocks_of_{block}_in_{miniblocks}"
        yield Valid(name, ParquetFile(64, [delta_page(part, 64, block, miniblocks, waste)]), part)


def random_runs(chance: Random, count: int, limit: int, lengths: Sequence[int]) -> list[Run]:
    """Runs of both kinds, the last one packed, which ends within its last group."""
    runs = []
    for _ in range(count):
        length = chance.choice(lengths)
        if chance.randrange(2):
            runs.append(Run([chance.randrange(limit)] * length, False))
        else:
            runs.append(Run([chance.randrange(limit) for _ in range(8 * -(-length // 8))], True))
    return [*runs, Run([chance.randrange(limit) for _ in range(13)], True)]


def values_of(runs: Sequence[Run]) -> list[int]:
    return [value for run in runs for value in run.values]


def valid_indices() -> Iterator[Valid]:
    chance = Random(13)
    for bits, width, lengths in (
        (32, 1, (1, 9, 700)),
        (64, 3, (1, 1, 2, 8)),
        (64, 9, (5, 64, 1030)),
        (32, 32, (1, 8)),
    ):
        entries = [signed(chance, bits, bits) for _ in range(min(1 << width, 300))]
        runs = random_runs(chance, 250 if max(lengths) < 10 else 12, len(entries), lengths)
        page = Page(bytes([width]) + hybrid(runs, width), len(values_of(runs)), RLE_DICTIONARY)
        values = [entries[index] for index in values_of(runs)]
        yield Valid(
            f"indices_{bits}_of_{width}", ParquetFile(bits, [dictionary_of(entries, bits), page]), values
        )
    # More runs in a tile than there are threads.
    singles = [Run([i % 5], False) for i in range(1100)]
    page = Page(bytes([3]) + hybrid(singles, 3), 1100, RLE_DICTIONARY)
    file = ParquetFile(32, [dictionary_of(ENTRIES, 32), page])
    yield Valid("runs_of_one", file, [ENTRIES[i % 5] for i in range(1100)])
    # One entry takes no bits; then values as they are, as where a dictionary got too large.
    zero = Page(bytes([0]) + hybrid([Run([0] * 600, False), Run([0] * 40, True)], 0), 640, RLE_DICTIONARY)
    plain = [signed(chance, 64, 64) for _ in range(700)]
    pages = [dictionary_of([-3], 64), zero, Page(bytes_of(plain, 64), 700, PLAIN)]
    yield Valid("width_0_and_plain", ParquetFile(64, pages), [-3] * 640 + plain)


def valid_nulls() -> Iterator[Valid]:
    chance = Random(14)
    for version in (1, 2):
        pages: list[Page] = []
        values: list[int] = []
        levels: list[int] = []
        for runs in (
            random_runs(chance, 20, 2, (1, 8, 90)),
            [Run([0] * 700, False)],
            [Run([1] * 700, False)],
            [Run([0, 1, 0], True)],
            # No value of it may be stored, not even past the end of all.
            [Run([0] * 3, False)],
        ):
            own = values_of(runs)
            part = [chance.randrange(1000) for _ in range(sum(own))]
            content = levels_v1(runs) if version == 1 else hybrid(runs, 1)
            page = delta_page(part, 32)
            # A page of nulls alone has no bytes for values in one version and a header in the other.
            packed_values = b"" if version == 2 and not part else page.content
            level_bytes = None if version == 1 else len(content)
            pages.append(
                Page(content + packed_values, len(own), DELTA_BINARY_PACKED, level_bytes=level_bytes)
            )
            values += part
            levels += own
        yield Valid(f"nulls_v{version}", ParquetFile(32, pages, is_nullable=True), values, levels)


def invalid_deltas() -> Iterator[Invalid]:
    """One field of the second page of two. 32 bits where the type's limit is the mistake."""
    too_long = b"\xff" * 9 + b"\x02"
    never_ends = b"\x80" * 10 + b"\x00"
    cases: list[tuple[str, str, dict[str, bytes], int]] = [
        ("block_size_0", "block size", {"block": number(0)}, 64),
        ("block_size_64", "block size", {"block": number(64)}, 64),
        ("block_size_192", "block size", {"block": number(192)}, 64),
        ("block_size_65664", "block size", {"block": number(65664)}, 64),
        ("block_size_never_ends", "block size", {"block": never_ends}, 64),
        ("miniblock_count_0", "miniblock count", {"miniblocks": number(0)}, 64),
        ("miniblock_count_3", "miniblock count", {"miniblocks": number(3)}, 64),
        ("miniblock_count_8", "miniblock count", {"miniblocks": number(8)}, 64),
        ("value_count_less", "value count", {"count": number(59)}, 64),
        ("value_count_2_32", "value count", {"count": number(60 + (1 << 32))}, 64),
        ("first_value_2_32", "first value", {"first": number(1 << 32)}, 32),
        ("first_value_2_64", "first value", {"first": too_long}, 64),
        ("min_delta_2_32", "min delta", {"least": number(1 << 32)}, 32),
        ("min_delta_2_64", "min delta", {"least": too_long}, 64),
        ("min_delta_never_ends", "min delta", {"least": never_ends}, 64),
        ("bit_width_33", "bit widths", {"widths": bytes([7, 33, 0, 0])}, 32),
        ("bit_width_65", "bit widths", {"widths": bytes([65, 7, 0, 0])}, 64),
        ("bit_width_more", "miniblock", {"widths": bytes([7, 8, 0, 0])}, 64),
    ]
    for name, field, change, bits in cases:
        page = Page(delta_with(**change), len(DAMAGED), DELTA_BINARY_PACKED)
        yield Invalid(name, ParquetFile(bits, [delta_page(DAMAGED, bits), page]), 1, field)
    # The block size takes two bytes. The least difference takes seven: where a page ends in it, the bytes of
    # the smallest block are still there.
    long_least = delta_with(least=b"\x82\x80\x80\x80\x80\x80\x00")
    for field, length in {
        "block size": 1,
        "miniblock count": 2,
        "value count": 3,
        "first value": 4,
        "min delta": 11,
        "bit widths": 15,
        "miniblock": len(long_least) - 1,
    }.items():
        page = Page(long_least[:length], len(DAMAGED), DELTA_BINARY_PACKED)
        name = f"ends_in_{field.replace(' ', '_')}"
        yield Invalid(name, ParquetFile(64, [delta_page(DAMAGED, 64), page]), 1, field)
    # A million values in a page of a hundred bytes.
    page = Page(delta_with(count=number(1000000)), 1000000, DELTA_BINARY_PACKED)
    yield Invalid("value_count_more_than_bytes", ParquetFile(64, [page]), 0, "value count")
    yield Invalid("plain_ends", ParquetFile(64, [Page(bytes(79), 10, PLAIN)]), 0, "values")


def invalid_runs() -> Iterator[Invalid]:
    """Runs of a page of 20 indices of 3 bits, after a dictionary and a page without a mistake."""
    twelve = Run([4] * 12, False).encoded(3)
    cases: list[tuple[str, str, bytes]] = [
        ("run_header_ends", "run header", twelve),
        ("run_header_ends_in_it", "run header", twelve + b"\x90"),
        ("run_header_2_32", "run header", twelve + number(8 << 1 | 1 << 32) + b"\0"),
        ("run_header_2_64", "run header", twelve + b"\xff" * 9 + b"\x7f"),
        ("run_of_none", "run header", twelve + b"\0\0" + Run([0] * 8, False).encoded(3)),
        ("groups_of_none", "run header", twelve + b"\1" + Run([0] * 8, True).encoded(3)),
        ("run_too_long", "run header", twelve + Run([0] * 9, False).encoded(3)),
        ("groups_too_long", "run header", twelve + Run([0] * 9, True).encoded(3)),
        ("run_value_ends", "run", twelve + number(8 << 1)),
        ("groups_end", "run", twelve + Run([0] * 8, True).encoded(3)[:-1]),
        ("run_value_8", "run value", twelve + number(8 << 1) + b"\x08"),
        ("run_index_5", "index", twelve + Run([5] * 8, False).encoded(3)),
        ("packed_index_7", "index", twelve + Run([0, 0, 0, 0, 0, 0, 0, 7], True).encoded(3)),
    ]
    good = Page(bytes([3]) + twelve, 12, RLE_DICTIONARY)
    for name, field, runs in cases:
        page = Page(bytes([3]) + runs, 20, RLE_DICTIONARY)
        yield Invalid(name, ParquetFile(32, [dictionary_of(ENTRIES, 32), good, page]), 2, field)
    for name, content in (("bit_width_missing", b""), ("bit_width_of_indices_33", bytes([33]) + twelve)):
        page = Page(content, 12, RLE_DICTIONARY)
        yield Invalid(name, ParquetFile(32, [dictionary_of(ENTRIES, 32), good, page]), 2, "bit width")


def invalid_levels() -> Iterator[Invalid]:
    runs = [Run([1] * 40, False), Run([0] * 20, False)]
    levels = levels_v1(runs)
    values = delta_binary_packed(DAMAGED[:40], 32, 128, 4)
    two = Run([2] * 20, False).encoded(2)
    cases: list[tuple[str, str, bytes]] = [
        ("levels_length_ends", "definition levels, length", levels[:3]),
        ("levels_length_more", "definition levels, length", b"\xff\xff\0\0" + levels[4:] + values),
        ("levels_end", "definition levels, run header", b"\2\0\0\0" + levels[4:6] + values),
        (
            "level_of_2",
            "definition levels, run value",
            (4).to_bytes(4, "little") + levels[4:6] + two + values,
        ),
        (
            "levels_too_few_values",
            "value count",
            levels_v1([Run([1] * 39, False), Run([0] * 21, False)]) + values,
        ),
    ]
    good = Page(levels + values, 60, DELTA_BINARY_PACKED)
    for name, field, content in cases:
        page = Page(content, 60, DELTA_BINARY_PACKED)
        yield Invalid(name, ParquetFile(32, [good, page], is_nullable=True), 1, field)


def gzip_member(content: bytes) -> bytes:
    """As gzip has it; the same bytes whatever the version of zlib."""
    header = b"\x1f\x8b\x08\0\0\0\0\0\0\xff"
    numbers = zlib.crc32(content).to_bytes(4, "little") + len(content).to_bytes(4, "little")
    return header + Bits().dynamic(list(content), last=True).bytes() + numbers


def gzip_page(page: Page, cuts: Sequence[int] = ()) -> Page:
    """The page with GZIP: all of it but the levels of version 2, in a member for each part between `cuts`."""
    level_bytes = page.level_bytes or 0
    levels, rest = page.content[:level_bytes], page.content[level_bytes:]
    parts = [rest[begin:end] for begin, end in pairwise([0, *cuts, len(rest)])]
    members = b"".join(gzip_member(part) for part in parts)
    return replace(page, content=levels + members, uncompressed_bytes=len(page.content))


def valid_gzip() -> Iterator[Valid]:
    chance = Random(15)
    values = [chance.randrange(-50, 4000) for _ in range(700)]
    pages = [delta_page(values[:300], 64), delta_page(values[300:301], 64), delta_page(values[301:], 64)]
    yield Valid("gzip_deltas", ParquetFile(64, [gzip_page(page) for page in pages], codec=GZIP), values)
    yield Valid(
        "gzip_members",
        ParquetFile(32, [gzip_page(Page(bytes_of(values, 32), 700, PLAIN), (1, 1001, 1001))], codec=GZIP),
        values,
    )
    runs = random_runs(chance, 20, len(ENTRIES), (1, 8, 90))
    indices = Page(bytes([3]) + hybrid(runs, 3), len(values_of(runs)), RLE_DICTIONARY)
    pages = [gzip_page(page) for page in (dictionary_of(ENTRIES, 32), indices)]
    values = [ENTRIES[index] for index in values_of(runs)]
    yield Valid("gzip_indices", ParquetFile(32, pages, codec=GZIP), values)
    for version in (1, 2):
        own = [Run([1, 0, 1, 1, 0, 0, 1, 0], True), Run([1] * 40, False)]
        part = [chance.randrange(1000) for _ in range(44)]
        content = levels_v1(own) if version == 1 else hybrid(own, 1)
        level_bytes = None if version == 1 else len(content)
        body = content + delta_page(part, 32).content
        page = Page(body, 48, DELTA_BINARY_PACKED, level_bytes=level_bytes)
        none = Run([0] * 3, False)
        no_values = Page(
            levels_v1([none]) + delta_page([], 32).content if version == 1 else hybrid([none], 1),
            3,
            DELTA_BINARY_PACKED,
            level_bytes=None if version == 1 else len(hybrid([none], 1)),
        )
        pages = [gzip_page(page)]
        levels = values_of(own)
        if version == 1:
            pages.append(gzip_page(no_values))
        else:
            # One that says that it is compressed, one that it is not, and one without bytes for values.
            pages += [replace(pages[0], is_compressed=True), replace(page, is_compressed=False)]
            pages.append(no_values)
            part, levels = part * 3, levels * 3
        file = ParquetFile(32, pages, is_nullable=True, codec=GZIP)
        yield Valid(f"gzip_nulls_v{version}", file, part, [*levels, 0, 0, 0])


def invalid_gzip() -> Iterator[Invalid]:
    """The second page of two, whose members or sizes have a mistake."""
    good = gzip_page(delta_page(DAMAGED, 64))
    content, size = good.content, good.uncompressed_bytes
    assert size is not None
    levels = hybrid([Run([1] * len(DAMAGED), False)], 1)
    of_version_2 = gzip_page(
        Page(levels + delta_with(), len(DAMAGED), DELTA_BINARY_PACKED, False, len(levels))
    )
    cases: list[tuple[str, str, Page]] = [
        ("gzip_crc", "GZIP", replace(good, content=content[:-8] + bytes([content[-8] ^ 1]) + content[-7:])),
        ("gzip_size", "GZIP", replace(good, content=content[:-1] + b"\1")),
        ("gzip_magic", "GZIP", replace(good, content=b"\x1e" + content[1:])),
        ("gzip_ends", "GZIP", replace(good, content=content[:-9])),
        ("gzip_no_bytes", "GZIP", replace(good, content=b"")),
        ("gzip_other_bytes", "GZIP", replace(good, content=content + b"\0\1")),
        ("gzip_more", "uncompressed_page_size", replace(good, uncompressed_bytes=size - 1)),
        ("gzip_less", "uncompressed_page_size", replace(good, uncompressed_bytes=size + 1)),
        ("gzip_too_much", "uncompressed_page_size", replace(good, uncompressed_bytes=(1 << 31) - 1)),
        ("gzip_negative", "uncompressed_page_size", replace(good, uncompressed_bytes=-1)),
        ("gzip_within", "block size", gzip_page(Page(delta_with(block=number(64)), 60, DELTA_BINARY_PACKED))),
    ]
    for name, field, page in cases:
        yield Invalid(name, ParquetFile(64, [good, page], codec=GZIP), 1, field)
    in_version_2 = [
        (
            "gzip_levels_more",
            "definition_levels_byte_length",
            replace(of_version_2, level_bytes=len(of_version_2.content) + 1),
        ),
        ("gzip_is_not", "uncompressed_page_size", replace(of_version_2, is_compressed=False)),
    ]
    for name, field, page in in_version_2:
        file = ParquetFile(64, [of_version_2, page], is_nullable=True, codec=GZIP)
        yield Invalid(name, file, 1, field)


def entry_of(name: str, file: ParquetFile) -> dict[str, object]:
    """What a decoder needs that does not read the file's own metadata; of compressed files there is none."""
    if file.codec != UNCOMPRESSED:
        return {"file": name, "bits": file.bits, "is_nullable": file.is_nullable}
    pages = [
        {
            "offset": offset,
            "bytes": len(page.content),
            "rows": page.rows,
            "encoding": page.encoding,
            "is_dictionary": page.is_dictionary,
            "level_bytes": page.level_bytes,
        }
        for offset, page in zip(file.offsets(), file.pages, strict=True)
    ]
    return {"file": name, "bits": file.bits, "is_nullable": file.is_nullable, "pages": pages}


def parquet_files() -> dict[str, bytes]:
    """Every file, by its path below data/golden, and their list."""
    files: dict[str, bytes] = {}
    lists: dict[str, list[dict[str, object]]] = {}
    for suffix, all_valid, all_invalid in (
        (
            "",
            [*valid_deltas(), *valid_indices(), *valid_nulls()],
            [*invalid_deltas(), *invalid_runs(), *invalid_levels()],
        ),
        ("_gzip", [*valid_gzip()], [*invalid_gzip()]),
    ):
        valid = lists.setdefault(f"valid{suffix}", [])
        for good in all_valid:
            name = f"valid/{good.name}.parquet"
            files[f"{FOLDER}/{name}"] = good.file.data()
            values = bytes_of(good.values, good.file.bits)
            digests = {
                "values": len(good.values),
                "values_xxh64": f"{xxh64(values):016x}",
                "levels_xxh64": f"{xxh64(bytes(good.levels)):016x}",
            }
            valid.append(entry_of(name, good.file) | digests)
        invalid = lists.setdefault(f"invalid{suffix}", [])
        for bad in all_invalid:
            name = f"invalid/{bad.name}.parquet"
            assert f"{FOLDER}/{name}" not in files
            files[f"{FOLDER}/{name}"] = bad.file.data()
            invalid.append(entry_of(name, bad.file) | {"page": bad.page, "field": bad.field})
    files[f"{FOLDER}/golden.json"] = (json.dumps(lists, indent=1) + "\n").encode()
    return files
