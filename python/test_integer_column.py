"""Columns of integers, dates, times and decimals, exchanged with pyarrow."""

import decimal
import gc
import random
import struct

import gsst
import pyarrow as pa
import pyarrow.compute
import pytest

# With the smallest and the largest number that stands for a value of the type.
TYPES = {
    pa.int8(): (-(2**7), 2**7 - 1),
    pa.uint8(): (0, 2**8 - 1),
    pa.int16(): (-(2**15), 2**15 - 1),
    pa.uint16(): (0, 2**16 - 1),
    pa.int32(): (-(2**31), 2**31 - 1),
    pa.uint32(): (0, 2**32 - 1),
    pa.int64(): (-(2**63), 2**63 - 1),
    pa.uint64(): (0, 2**64 - 1),
    pa.date32(): (-(2**31), 2**31 - 1),
    # In days, of which alone Arrow allows whole ones.
    pa.date64(): (-(10**6), 10**6),
    pa.time32("s"): (0, 86399),
    pa.time32("ms"): (0, 86399999),
    pa.time64("us"): (0, 86399999999),
    pa.time64("ns"): (0, 86399999999999),
    pa.timestamp("s"): (-(2**63), 2**63 - 1),
    pa.timestamp("ms", "Europe/Berlin"): (-(2**63), 2**63 - 1),
    pa.timestamp("us", "+02:00"): (-(2**63), 2**63 - 1),
    pa.timestamp("ns"): (-(2**63), 2**63 - 1),
    pa.duration("ms"): (-(2**63), 2**63 - 1),
    pa.decimal32(7, 2): (-(10**7 - 1), 10**7 - 1),
    pa.decimal64(18, 4): (-(10**18 - 1), 10**18 - 1),
    pa.decimal128(18, 2): (-(10**18 - 1), 10**18 - 1),
    pa.decimal128(4, -2): (-9999, 9999),
}
MILLISECONDS_OF_DAY = 86_400_000
LENGTHS = (0, 1, 31, 127, 128, 129, 511, 512, 513, 1025)


def array_of(numbers: list[int | None], data_type: pa.DataType) -> pa.Array:
    """An array whose values have these numbers in memory."""
    if data_type.bit_width == 128:
        memory = b"".join((number or 0).to_bytes(16, "little", signed=True) for number in numbers)
        nulls = pa.array([number is not None for number in numbers], pa.bool_())
        validity = nulls.buffers()[1] if None in numbers else None
        return pa.Array.from_buffers(data_type, len(numbers), [validity, pa.py_buffer(memory)])
    if data_type == pa.date64():
        numbers = [None if number is None else number * MILLISECONDS_OF_DAY for number in numbers]
    signed = TYPES[data_type][0] < 0 or not str(data_type).startswith("uint")
    width = data_type.bit_width
    return pa.array(numbers, getattr(pa, f"{'' if signed else 'u'}int{width}")()).view(data_type)


def shaped(shape: str, count: int, least: int, most: int, seed: random.Random) -> list[int]:
    """Numbers from `least` to `most`: of each shape some format makes least, or may break at it."""
    if shape == "random":
        return [seed.randint(least, most) for _ in range(count)]
    if shape == "extremes":
        return [(least, most)[place % 2] for place in range(count)]
    if shape == "ascending":
        return [min(least + 3 * place, most) for place in range(count)]
    return [seed.randint(max(least, 0), min(most, 5)) for place in range(count // 7 + 1) for _ in range(7)][
        :count
    ]


def with_nulls(kind: str, numbers: list[int], seed: random.Random) -> list[int | None]:
    keep = {
        "none": lambda _: True,
        "some": lambda _: seed.random() < 0.7,
        "most": lambda _: seed.random() < 0.02,
        "all": lambda _: False,
    }[kind]
    return [number if keep(number) else None for number in numbers]


def back(data: bytes, **options: bool | int) -> pa.Array:
    array = pa.array(gsst.IntegerColumn(data, **options))
    array.validate(full=True)
    return array


@pytest.mark.parametrize("nulls", ["none", "some", "most", "all"])
@pytest.mark.parametrize("data_type", TYPES, ids=str)
def test_pyarrow_gets_back_what_it_gave(data_type: pa.DataType, nulls: str) -> None:
    seed = random.Random(f"{data_type} {nulls}")
    shapes = ["random", "extremes", "ascending", "runs"]
    formats = ["for", "dfor", "rfor"]
    start = seed.randrange(12)
    for place, length in enumerate(LENGTHS, start):
        numbers = shaped(shapes[place % 4], length, *TYPES[data_type], seed)
        array = array_of(with_nulls(nulls, numbers, seed), data_type)
        data = gsst.compress_column(array, format=formats[place % 3])
        given = back(data)
        assert given.type == array.type
        assert given.equals(array), (place, length)
        assert given.null_count == array.null_count
        assert len(gsst.IntegerColumn(data)) == length
        assert gsst.IntegerColumn(data).info.type == str(data_type)


@pytest.mark.parametrize("format", ["for", "dfor", "rfor", "auto"])
@pytest.mark.parametrize("block_bytes", [40, 1000, 4096, 4 << 20])
def test_slices_go_in_and_come_out(format: gsst.IntegerFormat, block_bytes: int) -> None:
    seed = random.Random(block_bytes)
    numbers = with_nulls("some", shaped("ascending", 2000, 0, 10**9, seed), seed)
    array = pa.array(numbers, pa.int64())
    whole = gsst.IntegerColumn(gsst.compress_column(array, format=format, block_bytes=block_bytes), threads=2)
    for first, count in ((0, 2000), (1, 1999), (5, 3), (127, 2), (511, 700), (1999, 1), (2000, 0)):
        part = array.slice(first, count)
        assert pa.array(whole.slice(first, count)).equals(part)
        assert pa.array(whole.slice(first, count)).null_count == part.null_count
        assert back(gsst.compress_column(part, format=format)).equals(part)


def test_chunks_are_columns_of_their_own_or_one_together() -> None:
    chunked = pa.chunked_array([[1, None, 3], [], [4, 5, None]], pa.int16())
    parts = [back(gsst.compress_column(chunk)) for chunk in chunked.chunks]
    assert pa.chunked_array(parts).equals(chunked)
    assert back(gsst.compress_column(chunked.combine_chunks())).equals(chunked.combine_chunks())


def test_indices_of_a_dictionary_are_a_column() -> None:
    array = pa.array(["b", None, "a", "b"] * 300).dictionary_encode()
    indices = back(gsst.compress_column(array.indices))
    assert pa.DictionaryArray.from_arrays(indices, array.dictionary).equals(array)


def frame_bytes(array: pa.Array, format: str) -> int:
    info = gsst.IntegerColumn(gsst.compress_column(array, format=format)).info
    return info.compressed_bytes - info.null_bytes


@pytest.mark.parametrize("format", ["for", "dfor", "rfor"])
def test_nulls_cost_nothing_in_the_frame(format: str) -> None:
    # In an array the memory of a null holds anything.
    seed = random.Random(format)
    for data_type, least, most in ((pa.int64(), -(2**60), 2**60), (pa.uint32(), 0, 2**32 - 1)):
        constant = array_of([7] * 5000, data_type)
        numbers = [number if seed.random() < 0.5 else None for number in [7] * 5000]
        memory = [seed.randint(least, most) if number is None else number for number in numbers]
        validity = pa.array([number is not None for number in numbers], pa.bool_()).buffers()[1]
        garbage = pa.Array.from_buffers(data_type, 5000, [validity, array_of(memory, data_type).buffers()[1]])
        assert frame_bytes(garbage, format) == frame_bytes(constant, format)


def test_nulls_between_rising_values_cost_nothing_in_dfor() -> None:
    seed = random.Random(1)
    whole = pa.array(range(0, 30000, 3), pa.int32())
    kept = pa.array([seed.random() < 0.5 for _ in range(len(whole))])
    gaps = pa.compute.if_else(kept, whole, None)
    assert gaps.null_count > 4000
    assert frame_bytes(gaps, "dfor") == frame_bytes(whole, "dfor")


@pytest.mark.parametrize("step", [-3, 3, 2**61 + 1])
def test_nulls_at_the_ends_of_chains_cost_nothing_in_dfor(step: int) -> None:
    # Sums wrap with the largest step.
    numbers = [(place * step + 2**63) % 2**64 - 2**63 for place in range(1100)]
    whole = pa.array(numbers, pa.int64())
    ends = (range(100), range(400, 700), range(1000, 1020), range(1090, 1100))
    nulls = {place for end in ends for place in end}
    gaps = pa.array([None if place in nulls else number for place, number in enumerate(numbers)], pa.int64())
    assert back(gsst.compress_column(gaps, format="dfor")).equals(gaps)
    # A gap of many steps may be shorter the other way round.
    if abs(step) < 2**32:
        assert frame_bytes(gaps, "dfor") == frame_bytes(whole, "dfor")


def test_a_null_costs_no_more_than_any_value_in_for() -> None:
    seed = random.Random(2)
    for data_type in (pa.int8(), pa.uint32(), pa.int64()):
        numbers = shaped("random", 3000, *TYPES[data_type], seed)
        gaps = with_nulls("some", [number >> seed.randrange(64) for number in numbers], seed)
        whole = [seed.choice(numbers) if number is None else number for number in gaps]
        gaps_bytes = frame_bytes(array_of(gaps, data_type), "for")
        assert gaps_bytes <= frame_bytes(array_of(whole, data_type), "for")


def test_auto_takes_the_smallest() -> None:
    seed = random.Random(3)
    expected = {
        "for": [seed.randint(0, 1000) for _ in range(3000)],
        "dfor": list(range(10**6, 10**6 + 9000, 3)),
        "rfor": [number for number in range(0, 10**9, 10**7) for _ in range(30)],
    }
    for format, numbers in expected.items():
        array = pa.array(numbers, pa.int32())
        data = gsst.compress_column(array)
        assert gsst.IntegerColumn(data).info.format == format
        assert data == gsst.compress_column(array, format="auto", threads=2)
        assert len(data) == min(len(gsst.compress_column(array, format=name)) for name in expected)


def test_info_says_what_the_column_holds() -> None:
    array = pa.array([1, None, 3] * 1000, pa.decimal128(12, 2))
    data = gsst.compress_column(array, format="rfor", checksum="xxh64-tree")
    assert gsst.IntegerColumn(data).info == gsst.IntegerColumnInfo(
        compressed_bytes=len(data),
        null_bytes=16 + 3000 // 8 + len("d:12,2") + 64,
        value_count=3000,
        null_count=1000,
        value_bytes=3000 * 16,
        format="rfor",
        type="decimal128(12, 2)",
        parts=1,
    )


def test_what_comes_out_outlives_the_column() -> None:
    array = pa.array(range(1000), pa.timestamp("us", "UTC"))
    given = pa.array(gsst.IntegerColumn(bytearray(gsst.compress_column(array))))
    part = pa.Array._import_from_c_device_capsule(
        *gsst.IntegerColumn(gsst.compress_column(array)).slice(5, 10).__arrow_c_device_array__()
    )
    gc.collect()
    assert given.equals(array)
    assert part.equals(array.slice(5, 10))


def test_read_column_reads_both_kinds() -> None:
    numbers, strings = pa.array([1, 2]), pa.array(["a"])
    for array in (numbers, strings):
        column = gsst.read_column(gsst.compress_column(array))
        assert isinstance(column, gsst.IntegerColumn) == (array is numbers)
        assert pa.array(column).equals(array)


def refusal(call: object) -> gsst.Error:
    assert callable(call)
    with pytest.raises(gsst.Error) as refused:
        call()
    return refused.value


@pytest.mark.parametrize(
    ("data_type", "message"),
    [
        (pa.decimal128(19, 2), "array: type is decimal128(19,2), expected strings"),
        (pa.decimal256(5, 2), "array: type is decimal256(5,2), expected strings"),
        (pa.float64(), "array: type is double, expected strings"),
        (pa.bool_(), "array: type is bool, expected strings"),
        (pa.list_(pa.int32()), "array: type is list, expected strings"),
        (pa.dictionary(pa.int32(), pa.float64()), "array: type is dictionary<values=double>, expected"),
        (pa.timestamp("s", "\u00e9"), "array: type is timestamp(s:\u00e9), expected strings"),
    ],
    ids=str,
)
def test_other_types_are_refused(data_type: pa.DataType, message: str) -> None:
    error = refusal(lambda: gsst.compress_column(pa.nulls(3, data_type)))
    assert error.code == gsst.ErrorCode.INVALID_ARGUMENT
    assert str(error).startswith(message)


def test_decimals_that_break_their_type_are_refused() -> None:
    too_large = pa.py_buffer(struct.pack("<qq", 5, 1) * 3)
    array = pa.Array.from_buffers(pa.decimal128(18, 0), 3, [None, too_large])
    assert (
        str(refusal(lambda: gsst.compress_column(array))) == "array: decimal 0 has more digits than its type"
    )
    nulls = pa.Array.from_buffers(pa.decimal128(18, 0), 3, [pa.py_buffer(b"\0"), too_large])
    assert back(gsst.compress_column(nulls)).to_pylist() == [None] * 3
    assert back(gsst.compress_column(pa.array([-5, 5], pa.decimal128(18, 0)))).to_pylist() == [
        decimal.Decimal(-5),
        decimal.Decimal(5),
    ]


def test_wrong_arguments_are_refused() -> None:
    array = pa.array([1, 2, 3])
    column = gsst.IntegerColumn(gsst.compress_column(array))
    for call in (
        lambda: column.slice(1, 3),
        lambda: column.slice(-1, 1),
        lambda: gsst.compress_column(array, format="splits"),
        lambda: gsst.compress_column(array, block_bytes=12),
        lambda: gsst.compress_column(array, level=2),
        lambda: gsst.compress_column(array, splits=2),
        lambda: gsst.compress_column(array, strip_codes=512),
        lambda: gsst.compress_column(array, threads=5000),
        lambda: gsst.compress_column(pa.array(["a"]), format="for"),
        lambda: gsst.compress_column(pa.array(["a"]), format="auto"),
    ):
        assert refusal(call).code == gsst.ErrorCode.INVALID_ARGUMENT
    strings = gsst.compress_column(pa.array(["a"]))
    assert refusal(lambda: gsst.IntegerColumn(strings)).code == gsst.ErrorCode.WRONG_FORMAT
    assert refusal(lambda: gsst.Column(gsst.compress_column(array))).code == gsst.ErrorCode.WRONG_FORMAT


def test_each_damaged_byte_is_found_or_means_nothing() -> None:
    array = pa.array([5, None, 7] * 60, pa.uint8())
    data = gsst.compress_column(array, format="for")
    found = 0
    for place in range(len(data)):
        damaged = bytearray(data)
        damaged[place] ^= 1 << place % 8
        try:
            # As the bits of a packed block that is not full.
            assert back(bytes(damaged)).equals(array), place
        except gsst.Error:
            found += 1
        if place % 7 == 0:
            refusal(lambda place=place: gsst.IntegerColumn(data[:place]))
    assert found > len(data) - 40
    refusal(lambda: gsst.IntegerColumn(data + b"\0"))
