"""The goals of the encoder that is all on the GPU, met and missed."""

from experiments.encoder_goals import bytes_text, goals_effects
from experiments.made_up_results import encoder_rows, made_up_result
from experiments.results import Result

STAGE = "gsst/10_wide_encoder"
# A made-up row of the throughput 1 takes 1 ms for coding and has 8 MB, so coding is twice as fast as it says.
SHORT, LONG = 2, 128


def _ladder() -> Result:
    rows = encoder_rows({("1 chunks", 128, SHORT): 500.0, ("2 hash", 128, SHORT): 400.0}, STAGE, pieces=1)
    rows += encoder_rows({("2, copier warps", 128, SHORT): 600.0}, STAGE, pieces=8)
    rows += encoder_rows({("2, long splits", 128, 16384): 300.0}, STAGE)
    whole = encoder_rows({("2, one parse", 128, 16384): 200.0}, STAGE)
    for row in whole:
        row["parameters"] |= {"splits": 2, "block_bytes": 2**21}
        row["ratio"] *= 1.01
    tiles = encoder_rows({("2, tiles", 128, SHORT): 9000.0}, STAGE, code_bits=8)
    return made_up_result("wide_encoder_ladder", [*rows, *whole, *tiles], machine="h200")


def _columns() -> Result:
    rows = []
    for column, throughput in (("city", 200.0), ("hex", 400.0)):
        for tile in (256, 16384):
            part = encoder_rows({("", 128, tile): throughput * (1 if tile == 256 else 0.5)}, STAGE)
            rows += [{**row, "dataset": f"dbtext/{column}_tiled_to_8000000_bytes"} for row in part]
    return made_up_result("wide_encoder_columns", rows, machine="h200")


def test_each_goal_stands_beside_the_last_step_and_the_fastest_row() -> None:
    (effect,) = goals_effects([_ladder()], [], STAGE)
    assert effect.machine == "H200"
    assert [line[1:] for line in effect.table.lines] == [
        ("900", "800", "`2 hash`", "missed by 11 %"),
        ("900", "1200", "`2, copier warps`", "met by 33 %"),
        ("500", "200", "`2 hash`", "missed by 60 %"),
        ("500", "300", "`2, copier warps`", "missed by 40 %"),
        ("830", "600", "`2, long splits`", "missed by 28 %"),
    ]
    assert effect.table.lines[4][0].endswith("one parse of the block: splits of 16 KiB")


def test_the_ratio_of_long_splits_stands_beside_that_of_the_longest() -> None:
    (effect,) = goals_effects([_ladder()], [], STAGE)
    assert effect.sentences == (
        "The ratio of splits of 16 KiB is 0.99 % below that of splits of 1 MiB, both in blocks of 2 MiB.",
    )


def test_ratios_of_blocks_of_another_size_are_not_compared() -> None:
    rows = encoder_rows({("2, long splits", 128, 16384): 300.0, ("2, longer", 128, 32768): 300.0}, STAGE)
    (effect,) = goals_effects([made_up_result("wide_encoder_ladder", rows)], [], STAGE)
    assert effect.sentences == ()


def test_columns_are_judged_by_the_slowest_and_told_for_each_length_of_splits() -> None:
    (effect,) = goals_effects([_ladder()], [_columns()], STAGE)
    assert [line[1:] for line in effect.table.lines[-2:]] == [
        ("440", "400", "city", "missed by 9.1 %"),
        ("300", "100", "city", "missed by 67 %"),
    ]
    short, long = effect.sentences[1:]
    assert short == (
        "The 2 columns of DBText in splits of 256 bytes, each tiled to 0.008 GB: encoding + compaction, "
        "table given, from 400 GB/s (city) to 800 (hex); end to end from 100 GB/s (city) to 200 (hex)."
    )
    assert "splits of 16 KiB" in long
    assert "from 200 GB/s (city)" in long


def test_columns_of_another_machine_are_left_out() -> None:
    columns = made_up_result("wide_encoder_columns", list(_columns().rows), machine="b200")
    (effect,) = goals_effects([_ladder()], [columns], STAGE)
    assert len(effect.table.lines) == 5


def test_another_stage_has_no_goals() -> None:
    assert goals_effects([_ladder()], [_columns()], "gsst/08_gpu_encoder") == []


def test_bytes_are_told_in_the_largest_unit() -> None:
    assert [bytes_text(count) for count in (256, 16384, 2**20)] == ["256 bytes", "16 KiB", "1 MiB"]
