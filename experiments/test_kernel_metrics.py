import re

from experiments.kernel_metrics import (
    DURATION,
    KERNEL_METRICS,
    codes,
    conflict_share,
    instructions_per_byte,
    instructions_per_code,
    memory_bytes_per_byte,
    most_frequent_stall,
    unit_shares,
)
from experiments.made_up_results import row

COUNTERS = {"memory_percent": 60.0, "l1_wavefronts_percent": 70.0, "bank_reads_percent": 90.0}


def test_no_counter_is_asked_for_twice() -> None:
    assert len({metric.key for metric in KERNEL_METRICS}) == len(KERNEL_METRICS)
    assert len({metric.name for metric in KERNEL_METRICS}) == len(KERNEL_METRICS)
    assert KERNEL_METRICS[0].key == DURATION


def test_every_counter_has_a_name_of_ncu() -> None:
    for metric in KERNEL_METRICS:
        assert re.fullmatch(
            r"[a-z0-9]+__[a-z0-9_]+(\.(sum|ratio|avg\.pct_of_peak_sustained_\w+))?", metric.name
        )


def test_a_unit_is_as_busy_as_its_busiest_counter_and_the_nearest_to_its_peak_comes_first() -> None:
    assert list(unit_shares(COUNTERS).items()) == [("shared memory, L1", 90.0), ("memory", 60.0)]


def test_a_unit_whose_counters_the_gpu_has_not_is_left_out() -> None:
    assert unit_shares({**COUNTERS, "l2_percent": None}).keys() == {"shared memory, L1", "memory"}
    assert unit_shares({}) == {}


def test_warps_that_are_ready_wait_for_nothing() -> None:
    found = most_frequent_stall({"stall_not_selected": 9.0, "stall_wait": 2.0, "stall_barrier": 3.0})
    assert found is not None
    assert (found[0].key, found[1]) == ("stall_barrier", 3.0)
    assert most_frequent_stall({"stall_wait": None}) is None


def test_instructions_are_those_of_a_lane_for_a_code_of_its_width() -> None:
    counted = row(
        size=6000,
        compressed_bytes=1500,
        tiles={"code_bits": 12},
        counters={"instructions": 2000.0, "memory_read_bytes": 1500.0, "memory_written_bytes": 6000.0},
    )
    assert codes(counted) == 1000
    assert instructions_per_code(counted) == 64
    assert instructions_per_byte(counted) == 32 * 2000 / 6000
    assert memory_bytes_per_byte(counted) == 1.25
    del counted["tiles"]
    assert codes(counted) == 1500


def test_what_follows_from_a_missing_counter_is_unknown() -> None:
    counters = {"instructions": None, "memory_read_bytes": None, "memory_written_bytes": 1.0}
    counted = row(counters=counters)
    assert instructions_per_code(counted) is None
    assert memory_bytes_per_byte(counted) is None


def test_conflicts_are_a_share_of_the_passes() -> None:
    assert conflict_share({"shared_wavefronts": 8.0, "shared_bank_conflicts": 2.0}) == 0.25
    assert conflict_share({"shared_wavefronts": 0.0, "shared_bank_conflicts": 0.0}) is None
    assert conflict_share({"shared_wavefronts": 8.0, "shared_bank_conflicts": None}) is None
