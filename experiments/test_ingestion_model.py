import math

import pytest

from experiments.ingestion_model import (
    crossover,
    ingestion_seconds,
    leading_range,
    regime_boundary,
    throughput_decompression_bound,
    throughput_transfer_bound,
    throughput_with_overlap,
    throughput_without_overlap,
    timeline_seconds,
)

RATIO, DECOMPRESSION = 2.74, 190.0
INTERCONNECTS = [0.5, 22.0, 69.0, 70.0, 300.0]


def test_the_value_of_section_6_3() -> None:
    assert throughput_without_overlap(RATIO, DECOMPRESSION, 22) == pytest.approx(45.76, abs=0.005)


@pytest.mark.parametrize("interconnect", INTERCONNECTS)
def test_one_block_makes_all_equations_equal(interconnect: float) -> None:
    expected = throughput_without_overlap(RATIO, DECOMPRESSION, interconnect)
    for equation in (throughput_transfer_bound, throughput_decompression_bound, throughput_with_overlap):
        assert equation(RATIO, DECOMPRESSION, interconnect, 1) == pytest.approx(expected)


def test_equation_3_4_is_size_by_the_time_of_equation_3_1() -> None:
    seconds = ingestion_seconds(1e9, RATIO * 1e9, 22, DECOMPRESSION)
    assert RATIO / seconds == pytest.approx(throughput_without_overlap(RATIO, DECOMPRESSION, 22))


@pytest.mark.parametrize("interconnect", INTERCONNECTS)
def test_many_blocks_reach_the_slower_of_transfer_and_decompression(interconnect: float) -> None:
    bound = min(RATIO * interconnect, DECOMPRESSION)
    value = throughput_with_overlap(RATIO, DECOMPRESSION, interconnect, 10**6)
    assert value == pytest.approx(bound, rel=1e-4)
    assert value < bound


def timeline_throughput(shares: list[float], interconnect: float, decompressions: list[float]) -> float:
    """GB/s for blocks with these shares of one GB of text, block by block decompressed at these GB/s."""
    return 1 / timeline_seconds(
        [share / RATIO / interconnect for share in shares],
        [share / value for share, value in zip(shares, decompressions, strict=True)],
    )


@pytest.mark.parametrize("interconnect", INTERCONNECTS)
@pytest.mark.parametrize("blocks", [1, 2, 8, 64])
def test_overlap_is_what_a_timeline_of_equal_blocks_gives(interconnect: float, blocks: int) -> None:
    expected = timeline_throughput([1 / blocks] * blocks, interconnect, [DECOMPRESSION] * blocks)
    assert throughput_with_overlap(RATIO, DECOMPRESSION, interconnect, blocks) == pytest.approx(expected)


@pytest.mark.parametrize("interconnect", INTERCONNECTS)
@pytest.mark.parametrize("blocks", [1, 2, 8, 64])
def test_overlap_hides_the_shorter_of_both_but_for_one_block(interconnect: float, blocks: int) -> None:
    """With few blocks little is gained: of one block nothing is hidden, of two half."""
    transfer, decompression = 1 / RATIO / interconnect, 1 / DECOMPRESSION
    hidden = 1 / throughput_without_overlap(RATIO, DECOMPRESSION, interconnect) - 1 / throughput_with_overlap(
        RATIO, DECOMPRESSION, interconnect, blocks
    )
    assert hidden == pytest.approx((1 - 1 / blocks) * min(transfer, decompression))


def test_a_short_last_block_is_faster_than_the_model_where_the_transfer_is_the_slower() -> None:
    """Equal blocks are assumed. What the model adds to the transfer is the decompression of a whole block."""
    shares = [0.3, 0.3, 0.3, 0.1]
    slow, fast = 5.5, 300.0
    model = throughput_with_overlap(RATIO, DECOMPRESSION, slow, 4)
    actual = timeline_throughput(shares, slow, [DECOMPRESSION] * 4)
    assert 1 / actual == pytest.approx(1 / model - (0.25 - 0.1) / DECOMPRESSION)
    # Where the decompression is the slower, what counts is the first block, which is longer than a quarter.
    model = throughput_with_overlap(RATIO, DECOMPRESSION, fast, 4)
    actual = timeline_throughput(shares, fast, [DECOMPRESSION] * 4)
    assert 1 / actual == pytest.approx(1 / model + (0.3 - 0.25) / RATIO / fast)


def test_small_blocks_that_are_decompressed_slowly_are_slower_than_the_model() -> None:
    """The throughput of decompression is assumed not to depend on the block's size."""
    shares, slowly = [1 / 8] * 8, [DECOMPRESSION / 3] * 8
    model = throughput_with_overlap(RATIO, DECOMPRESSION, 300.0, 8)
    assert timeline_throughput(shares, 300.0, slowly) == pytest.approx(model / 3, rel=0.05)
    # Hidden behind a slow transfer, only the last block's decompression shows it.
    model = throughput_with_overlap(RATIO, DECOMPRESSION, 5.5, 8)
    assert timeline_throughput(shares, 5.5, slowly) == pytest.approx(model, rel=0.02)


def test_at_the_boundary_both_regimes_give_the_same() -> None:
    boundary = regime_boundary(RATIO, DECOMPRESSION)
    assert throughput_transfer_bound(RATIO, DECOMPRESSION, boundary, 8) == pytest.approx(
        throughput_decompression_bound(RATIO, DECOMPRESSION, boundary, 8)
    )


def test_codecs_are_equally_fast_at_their_crossover() -> None:
    zstd = (RATIO * 1.23, DECOMPRESSION / 19.58)
    at = crossover((RATIO, DECOMPRESSION), zstd)
    assert at == pytest.approx(0.70, abs=0.005)
    assert throughput_without_overlap(RATIO, DECOMPRESSION, at) == pytest.approx(
        throughput_without_overlap(*zstd, at)
    )


@pytest.mark.parametrize(
    ("others", "expected"),
    [
        ([(1.0, 100.0)], (0, math.inf)),
        ([(4.0, 100.0)], (crossover((3.0, 200.0), (4.0, 100.0)), math.inf)),
        ([(2.0, 300.0)], (0, crossover((3.0, 200.0), (2.0, 300.0)))),
        ([(3.0, 200.0)], (0, math.inf)),
        ([(3.0, 300.0)], None),
        ([(4.0, 300.0)], None),
        ([(2.9, 300.0), (3.2, 190.0)], None),
    ],
)
def test_the_range_in_which_a_codec_leads(
    others: list[tuple[float, float]], expected: tuple[float, float] | None
) -> None:
    assert leading_range((3.0, 200.0), others) == expected


def test_a_codec_leads_within_its_range_and_not_outside() -> None:
    codec, others = (3.0, 200.0), [(4.0, 50.0), (2.0, 400.0), (2.5, 210.0)]
    found = leading_range(codec, others)
    assert found is not None

    def leads(interconnect: float) -> bool:
        ours = throughput_without_overlap(*codec, interconnect)
        return all(ours > throughput_without_overlap(*other, interconnect) for other in others)

    lowest, highest = found
    assert leads(1.01 * lowest)
    assert leads(0.99 * highest)
    assert not leads(0.99 * lowest)
    assert not leads(1.01 * highest)


def test_a_codec_that_is_better_in_both_has_no_crossover() -> None:
    with pytest.raises(ValueError, match="no crossover"):
        crossover((3.0, 200.0), (2.0, 100.0))
