"""Files of format rfor (FORMAT.md, section 12.3) with which its run blocks are tested, valid and damaged."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from random import Random

from format_writer import part
from tile_integer_coding import (
    BLOCK_SIZE,
    Coding,
    Invalid,
    Valid,
    cut,
    middle,
    padded_file,
    random_values,
    with_payload,
    wrong,
)
from tile_integer_for import I8, I32, MINIBLOCK_VALUES, TYPES, ValueType, payload_of
from tile_integer_rfor import (
    MOST_LENGTH_WIDTH,
    RFOR_UNITS,
    RUN_BLOCK_VALUES,
    RunBlock,
    Stream,
    run_block_of,
    run_blocks_of,
    stream_of,
)

Runs = list[tuple[int, int]]


def expanded(runs: Sequence[tuple[int, int]]) -> list[int]:
    """The values of runs."""
    return [value for value, length in runs for _ in range(length)]


def lengths_of_number(number: int) -> list[int]:
    """As many lengths, of one run block that is full."""
    share, more = divmod(RUN_BLOCK_VALUES, number)
    return [share + (1 if i < more else 0) for i in range(number)]


def damaged_values() -> list[int]:
    """Run blocks of 512 runs, of 40, of one, of 33, and a last one that is not full."""
    return [
        *expanded([(5 * i % 64, 1) for i in range(RUN_BLOCK_VALUES)]),
        *expanded([(i * i, length) for i, length in enumerate(lengths_of_number(40))]),
        *expanded([(-5, RUN_BLOCK_VALUES)]),
        *expanded([(7 * i % 64, length) for i, length in enumerate(lengths_of_number(33))]),
        *expanded([(9 * i, 1 + i % 5) for i in range(21)]),
    ]


def words_to_widths_end(number: int) -> int:
    """Number of runs, reference and widths of values of a run block of damaged_values()."""
    block = run_blocks_of(I32, damaged_values())[number]
    return 2 + part(len(block.values.widths), 4)


RFOR = Coding("rfor", 34, "rfor_", RFOR_UNITS, run_blocks_of, damaged_values(), words_to_widths_end)


# What encoders make.


def runs_of_lengths(kind: ValueType, lengths: Sequence[int], width: int, seed: str) -> Runs:
    """Runs of these lengths, whose values need up to `width` bits and differ from their neighbours'."""
    random = Random(f"runs of {kind.name} {seed}")
    lowest = kind.minimum + random.getrandbits(kind.bits) % (kind.maximum - kind.minimum - (1 << width) + 2)
    runs: Runs = []
    for length in lengths:
        value = lowest + random.getrandbits(width)
        if runs and value == runs[-1][0]:
            value = lowest + ((value - lowest) ^ 1)
        runs.append((value, length))
    return runs


def lengths_for(count: int, least: int, most: int, seed: str) -> list[int]:
    """Lengths of which the last one may be shorter."""
    random = Random(f"lengths {count} {least} {most} {seed}")
    lengths: list[int] = []
    while sum(lengths) < count:
        lengths.append(min(random.randint(least, most), count - sum(lengths)))
    return lengths


def lengths_of_width(width: int) -> list[int]:
    """Lengths of one run block, of which the longest needs `width` bits more than the shortest."""
    longest = min(1 << width, RUN_BLOCK_VALUES - 1)
    left = RUN_BLOCK_VALUES - longest
    return [1] * (left // 2) + [longest] + [1] * (left - left // 2)


def run_inputs() -> Iterator[tuple[str, ValueType, bytes, int]]:
    """Inputs of encoders: runs of every length, in every number, of values of every width."""
    for kind in TYPES:
        for least, most in ((1, 2), (1, 3), (1, 7), (1, 199), (4, 4), (1, 2000), (511, 513)):
            lengths = lengths_for(1300, least, most, kind.name)
            values = expanded(runs_of_lengths(kind, lengths, 5, f"{least} {most}"))
            yield f"{kind.name}_runs_of_{least}_to_{most}", kind, kind.store(values), BLOCK_SIZE
        for count in (511, 512, 513, 1023, 1024, 1025):
            lengths = lengths_for(count, 1, 9, kind.name)
            values = expanded(runs_of_lengths(kind, lengths, 3, f"count {count}"))
            yield f"{kind.name}_runs_in_{count}_values", kind, kind.store(values), BLOCK_SIZE
        for number in (1, 2, 31, 32, 33, 127, 128, 129, 255, 256, 257, 385, 511, 512):
            runs = runs_of_lengths(kind, lengths_of_number(number), min(7, kind.bits - 1), f"number {number}")
            yield f"{kind.name}_{number}_runs", kind, kind.store(expanded(runs)), BLOCK_SIZE
        for width in range(MOST_LENGTH_WIDTH + 1):
            runs = runs_of_lengths(kind, lengths_of_width(width), 4, f"length width {width}")
            yield f"{kind.name}_lengths_of_width_{width}", kind, kind.store(expanded(runs)), BLOCK_SIZE
        widths = range(1, kind.bits + 1)
        values = [
            value
            for width in widths
            for value in expanded(runs_of_lengths(kind, [3] * MINIBLOCK_VALUES, width, f"width {width}"))
        ]
        yield f"{kind.name}_runs_of_every_width", kind, kind.store(values), BLOCK_SIZE
        # Runs end where blocks of the frame do, and within values.
        values = [kind.minimum] * 700 + [kind.maximum] * 700
        yield f"{kind.name}_runs_across_blocks", kind, kind.store(values), 600 * kind.size
        if kind.size > 1:
            yield f"{kind.name}_runs_across_values", kind, kind.store(values), 601 * kind.size - 1
    # 32 values take 136 bytes raw with their padding. Widths of 18 and 19 give 120, the others 136 too.
    for width in (18, 19, 20, 21):
        data = I32.store(random_values(I32, width, 32))
        yield f"i32_runs_about_raw_width_{width}", I32, data, BLOCK_SIZE


# What no encoder makes and every decoder reads.


def widened(stream: Stream, more: int, most: int) -> Stream:
    """The same numbers with more bits than they need, up to `most`."""
    return replace(stream, widths=tuple(min(width + more + i, most) for i, width in enumerate(stream.widths)))


def lowered(stream: Stream, less: int) -> Stream:
    """The same numbers with a smaller reference."""
    differences = tuple(difference + less for difference in stream.differences)
    bits = max(differences).bit_length()
    return Stream(stream.reference - less, (bits,) * len(stream.widths), differences)


def with_garbage(stream: Stream, count: int) -> Stream:
    """All bits set in what fills the last miniblock up from `count` numbers on."""
    widths = tuple(width or 3 for width in stream.widths)
    filled = ((1 << widths[-1]) - 1,) * (len(stream.differences) - count)
    return replace(stream, widths=widths, differences=(*stream.differences[:count], *filled))


def largest_runs(kind: ValueType, values: Sequence[int]) -> RunBlock:
    """The largest run block, whether neighbours are equal or not."""
    block = run_block_of([(value, 1) for value in values])
    return RunBlock(
        len(values),
        widened(block.values, kind.bits, kind.bits),
        widened(lowered(block.lengths, 1), MOST_LENGTH_WIDTH, MOST_LENGTH_WIDTH),
    )


def runs_of_no_encoder() -> Iterator[Valid]:
    """Files that no encoder writes and every decoder reads."""
    for kind in TYPES:
        runs = runs_of_lengths(kind, [2 + i % 3 for i in range(70)], 4, "no encoder")
        block = run_block_of(runs)
        values = expanded(runs)
        for more in (1, 3, kind.bits):
            wide = RunBlock(
                block.runs,
                widened(block.values, more, kind.bits),
                widened(block.lengths, more, MOST_LENGTH_WIDTH),
            )
            yield padded_file(RFOR, f"run_widths_{more}_more", kind, [wide], values)
        low = replace(block, values=lowered(block.values, 41))
        yield padded_file(RFOR, "run_reference_below", kind, [low], values)
        # Below 0 it wraps.
        for less in (1, 2, 300):
            low = replace(block, lengths=lowered(block.lengths, less))
            yield padded_file(RFOR, f"length_reference_{less}_below", kind, [low], values)
        garbage = RunBlock(block.runs, with_garbage(block.values, 70), with_garbage(block.lengths, 70))
        yield padded_file(RFOR, "garbage_behind_runs", kind, [garbage], values)
        alone = run_block_of([(value, 1) for value in values])
        yield padded_file(RFOR, "equal_neighbours", kind, [alone], values)
        halves = run_block_of([(kind.maximum, 256), (kind.maximum, 256)])
        yield padded_file(RFOR, "one_run_in_halves", kind, [halves], [kind.maximum] * 512)
        for name, reference in (("wraps", kind.maximum - 2), ("of_all_ones", (1 << kind.reference_bits) - 1)):
            moved = replace(block, values=replace(block.values, reference=reference))
            added = [kind.wrapped(reference + value - block.values.reference) for value in values]
            yield padded_file(RFOR, f"run_reference_{name}", kind, [moved], added)
        extremes = [kind.minimum if i % 2 else kind.maximum for i in range(600)]
        yield padded_file(RFOR, "extremes_packed", kind, run_blocks_of(kind, extremes), extremes)
        one = [kind.maximum]
        yield padded_file(RFOR, "one_value_packed", kind, run_blocks_of(kind, one), one)
        squares = [kind.wrapped(middle(kind) + i * i) for i in range(RUN_BLOCK_VALUES)]
        yield padded_file(RFOR, "largest_run_block", kind, [largest_runs(kind, squares)], squares)
    # No payload for 4096 bytes is larger.
    values = [(i * i) % 256 - 128 for i in range(8 * RUN_BLOCK_VALUES)]
    starts = range(0, len(values), RUN_BLOCK_VALUES)
    blocks = [largest_runs(I8, values[i : i + RUN_BLOCK_VALUES]) for i in starts]
    yield padded_file(RFOR, "largest_payload", I8, blocks, values)


# What every decoder refuses.


def wrong_run_block(name: str, number: int, block: RunBlock, why: str, field: str) -> Invalid:
    """The payload that is damaged with another run block, and starts that agree with it."""
    blocks = run_blocks_of(I32, RFOR.values)
    blocks[number] = block
    return wrong(RFOR, name, payload_of(I32, blocks, len(RFOR.values)), why, field)


def wrong_numbers_of_runs() -> Iterator[Invalid]:
    """Numbers of runs out of their range, and such as lengths do not agree with."""
    blocks = run_blocks_of(I32, RFOR.values)
    field = "number of runs"
    in_last = len(RFOR.values) % RUN_BLOCK_VALUES
    for number, runs, why in (
        (0, 0, "there is a run"),
        (0, 513, "512 values have no more than 512 runs"),
        (2, 0, "there is a run"),
        (2, 1 << 31, "512 values have no more than 512 runs"),
        (3, (1 << 32) - 1, "512 values have no more than 512 runs"),
        (4, 0, "there is a run"),
        (4, in_last + 1, f"{in_last} values have no more runs"),
        (4, 512, f"{in_last} values have no more runs"),
    ):
        block = replace(blocks[number], runs=runs)
        yield wrong_run_block(f"{runs}_runs_in_run_block_{number}", number, block, why, field)
    for number, more in ((1, 1), (1, -1), (3, -1), (4, 1), (4, -1)):
        # Widths and miniblocks are those of as many runs, but for 33 runs.
        runs = blocks[number].runs + more
        if part(runs, MINIBLOCK_VALUES) != len(blocks[number].values.widths):
            continue
        name = f"{'one_run_more' if more > 0 else 'one_run_less'}_in_run_block_{number}"
        why = "lengths add up to another number"
        yield wrong_run_block(name, number, replace(blocks[number], runs=runs), why, "lengths")


def wrong_widths_of_runs() -> Iterator[Invalid]:
    """Widths above their limits, and other bytes than 0 after them."""
    for kind in TYPES:
        runs = runs_of_lengths(kind, lengths_of_number(70), 4, "widths")
        output = kind.store(expanded(runs))
        block = run_block_of(runs)
        for miniblock in range(3):
            for name, most in (("values", kind.bits), ("lengths", MOST_LENGTH_WIDTH)):
                stream = block.values if name == "values" else block.lengths
                widths = list(stream.widths)
                widths[miniblock] = most + 1
                changed = replace(block, **{name: replace(stream, widths=tuple(widths))})
                data = with_payload(RFOR, payload_of(kind, [changed], len(expanded(runs))), output, output)
                file = f"{kind.name}_width_{most + 1}_of_{name}_in_miniblock_{miniblock}.gsst"
                yield Invalid(RFOR, file, data, f"{name} are not so wide", "widths", 1)
    blocks = run_blocks_of(I32, RFOR.values)
    for name in ("values", "lengths"):
        stream = blocks[1].values if name == "values" else blocks[1].lengths
        wide = replace(blocks[1], **{name: replace(stream, widths=(255, *stream.widths[1:]))})
        yield wrong_run_block(f"width_255_of_{name}", 1, wide, f"{name} are not so wide", "widths")
        before = 8 if name == "values" else 8 + len(blocks[1].values.stored(I32.reference_bits))
        for place in (2, 3):
            file = f"byte_{place}_of_two_widths_of_{name}"
            yield with_byte(file, 1, before + place, 1, "widths are filled up with 0", "widths")
    # This run block has one run, of 512 values, and no miniblock that has words.
    why = "the reference of lengths is taken for values, the next run block for widths"
    yield with_byte("width_of_values_without_words", 2, 8, 1, why, "widths")
    why = "the next run block is taken for the length, which is 513"
    yield with_byte("width_of_lengths_without_words", 2, 16, 1, why, "lengths")


def with_byte(name: str, number: int, place: int, byte: int, why: str, field: str) -> Invalid:
    """The payload that is damaged with another byte of a run block."""
    packed = bytearray(RFOR.payload.packed)
    starts = RFOR.payload.starts
    packed[4 * (starts[number] - starts[0]) + place] = byte
    return wrong(RFOR, name, replace(RFOR.payload, packed=bytes(packed)), why, field)


def wrong_lengths() -> Iterator[Invalid]:
    """Lengths out of their range, and such as do not add up to a run block."""
    blocks = run_blocks_of(I32, RFOR.values)
    in_last = len(RFOR.values) % RUN_BLOCK_VALUES
    forties = lengths_of_number(40)
    lasts = [1 + i % 5 for i in range(21)]
    for name, number, lengths, why in (
        ("of_0", 1, [0, 24, *forties[2:]], "a run has a value"),
        ("of_0_at_the_end", 1, [*forties[:-2], sum(forties[-2:]), 0], "a run has a value"),
        ("all_0", 0, [0] * RUN_BLOCK_VALUES, "a run has a value"),
        ("all_2", 0, [2] * RUN_BLOCK_VALUES, "the sum is 1024"),
        ("of_513", 1, [513, *forties[1:]], "512 values are no run of 513"),
        ("of_513_alone", 2, [513], "512 values are no run of 513"),
        ("of_511_alone", 2, [511], "the sum is 511"),
        ("of_0_alone", 2, [0], "a run has a value"),
        ("of_2_32_alone", 2, [(1 << 32) - 1], "512 values are no run of so many"),
        ("less", 1, [forties[0] - 1, *forties[1:]], "the sum is 511"),
        ("less_at_the_end", 1, [*forties[:-1], forties[-1] - 1], "the sum is 511"),
        ("more", 1, [forties[0] + 1, *forties[1:]], "the sum is 513"),
        ("more_at_the_end", 1, [*forties[:-1], forties[-1] + 1], "the sum is 513"),
        ("twice", 1, [2 * length for length in forties], "the sum is 1024"),
        ("of_last_less", 4, [1, 1, *lasts[2:]], f"the sum is {in_last - 1}"),
        ("of_last_more", 4, [*lasts[:-1], lasts[-1] + 1], f"the sum is {in_last + 1}"),
        ("of_last_for_512", 4, [24] * 20 + [32], "the sum is 512"),
        ("of_last_long", 4, [in_last + 1, *lasts[1:]], f"{in_last} values are no longer run"),
    ):
        block = replace(blocks[number], lengths=stream_of(lengths))
        yield wrong_run_block(f"lengths_{name}", number, block, why, "lengths")
    # One length is -1 modulo 2^32, and the sum modulo 2^32 is right.
    wrapping = stream_of([forties[0] + forties[1] + 1, -1, *forties[2:]])
    yield wrong_run_block(
        "lengths_wrap", 1, replace(blocks[1], lengths=wrapping), "no run has 2^32 - 1 values", "lengths"
    )


def cut_fields() -> Iterator[Invalid]:
    """Payloads that end before each field of a run block, and in its miniblocks."""
    block = run_block_of(runs_of_lengths(I32, [12 + i % 2 for i in range(40)] + [12], 4, "cut"))
    values_end = 1 + len(block.values.stored(I32.reference_bits)) // 4
    end = len(block.stored(I32)) // 4
    for name, words in (
        ("number_of_runs", 0),
        ("reference_of_values", 1),
        ("widths_of_values", 2),
        ("miniblocks_of_values", 3),
        ("last_word_of_values", values_end - 1),
        ("reference_of_lengths", values_end),
        ("widths_of_lengths", values_end + 1),
        ("miniblocks_of_lengths", values_end + 2),
        ("last_word_of_lengths", end - 1),
    ):
        yield cut_before(name, block, words)


def cut_before(name: str, block: RunBlock, words: int) -> Invalid:
    """A payload that ends before word `words` of this run block, which is the second one."""
    # Payloads end at two words of four; the values of the first run block move the second one there.
    for width in range(1, 12):
        runs = runs_of_lengths(I32, lengths_of_number(20), width, "cut")
        blocks = [run_block_of(runs), block]
        start = payload_of(I32, blocks, 0).starts[1]
        if (start + words) % 4 != 2:
            continue
        output = I32.store([*expanded(runs), *range(RUN_BLOCK_VALUES)])
        whole = bytes(payload_of(I32, blocks, 2 * RUN_BLOCK_VALUES).written().data)
        return cut(RFOR, f"cut_before_{name}", whole, 4 * (start + words), output)
    raise ValueError("no width moves the run block to where it can be cut")


def invalid_runs() -> Iterator[Invalid]:
    """All invalid files of run blocks."""
    yield from wrong_numbers_of_runs()
    yield from wrong_widths_of_runs()
    yield from wrong_lengths()
    yield from cut_fields()
