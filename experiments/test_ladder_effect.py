"""The table of the steps of an encoder, and of a decoder with a ladder."""

from pathlib import Path

from experiments.ladder_effect import ladder_effect, ladder_effects, ladders_here
from experiments.made_up_results import encoder_rows, made_up_result, tiles_rows
from experiments.plots import encoder_ladder
from experiments.published import load_published
from experiments.results import write_result

STAGE = "gsst/08_gpu_encoder"
LADDER = made_up_result(
    "encoder_ladder",
    encoder_rows({("1 naive", 128, 4096): 5.0, ("2 hash indirection", 128, 4096): 20.0}),
    machine="h200",
    gpu="Made-up GPU",
)


def test_each_step_stands_beside_the_one_before() -> None:
    effect = ladder_effect(LADDER, STAGE)
    assert effect is not None
    coding = "GB/s, encoding + compaction"
    header = ("step", "GB/s", "times the step before", "GB/s end to end", coding, "ratio")
    phases = ("checksums (ms)", "encoding (ms)", "compaction (ms)")
    assert effect.table.header == (*header, *phases, "host time / event time; end to end")
    first, second = effect.table.lines
    assert first[:5] == ("1 naive", "5", "-", "2.5", "10")
    assert second[:5] == ("2 hash indirection", "20", "4", "10", "40")
    assert second[6:] == ("1000", "0.15", "0.05", "1.005; 1.005")


def test_a_ladder_of_one_clock_says_nothing_of_two() -> None:
    rows = encoder_rows({("1 naive", 128, 4096): 5.0})
    del rows[1]["host_seconds"]
    effect = ladder_effect(made_up_result("encoder_ladder", rows), STAGE)
    assert effect is not None
    assert effect.table.header[-1] == "compaction (ms)"


def test_memory_is_that_of_the_encoding_with_training() -> None:
    rows = [
        {**row, "device_bytes_beyond_input": 3_000_000_000 if row["end_to_end"] else 2_000_000_000}
        for row in encoder_rows({("1 naive", 128, 4096): 5.0})
    ]
    effect = ladder_effect(made_up_result("encoder_ladder", rows), STAGE)
    assert effect is not None
    assert effect.table.header[-2] == "GPU memory beyond the input (GB)"
    assert effect.table.lines[0][-2] == "3"


def test_tiles_have_no_phases_that_only_code() -> None:
    rows = encoder_rows({("6, tiles", 128, 4096): 5.0}, code_bits=8)
    effect = ladder_effect(made_up_result("encoder_ladder", rows), STAGE)
    assert effect is not None
    assert effect.table.lines[0][4] == "-"


def test_the_last_step_stands_for_the_stage() -> None:
    (effect,) = ladder_effects([LADDER], STAGE)
    assert (effect.machine, effect.given, effect.end_to_end) == ("H200", 20.0, 10.0)
    assert effect.source.startswith("Made-up GPU, 0.008 GB of tpch/l_comment")


def test_another_cut_of_the_text_is_no_step() -> None:
    throughputs = {
        ("1 naive", 128, 4096): 5.0,
        ("2 hash", 128, 4096): 20.0,
        ("2, long splits", 8, 65536): 40.0,
    }
    result = made_up_result("encoder_ladder", encoder_rows(throughputs))
    effect = ladder_effect(result, STAGE)
    assert effect is not None
    assert [line[2] for line in effect.table.lines] == ["-", "4", "-"]
    assert effect.given == 20.0


def test_another_stage_has_no_effect() -> None:
    assert ladder_effects([LADDER], "gsst/10_wide_encoder") == []


def test_each_encoder_has_a_ladder_of_its_own(tmp_path: Path) -> None:
    of_another = made_up_result(
        "wide_encoder_ladder", encoder_rows({("1 warp chunks", 128, 4096): 7.0}, stage="gsst/10_wide_encoder")
    )
    for result in (LADDER, of_another):
        write_result(result, tmp_path / f"{result.target}.json")
    effects = [ladder_effects(ladders_here(tmp_path), stage) for stage in (STAGE, "gsst/10_wide_encoder")]
    assert [[effect.given for effect in of_stage] for of_stage in effects] == [[20.0], [7.0]]


def test_a_step_of_a_decoder_stands_beside_the_last_one_with_the_same_codes() -> None:
    throughputs = {"8 loads": 1000.0, "9 front": 1500.0, "9, 12 bits": 1600.0, "10 halves, 12 bits": 2000.0}
    rows = tiles_rows(throughputs)
    for row, code_bits in zip(rows, (8, 8, 12, 12), strict=True):
        row["tiles"] = {"code_bits": code_bits, "codes_per_lane": 32, "level": 9, "parse": "greedy"}
    effect = ladder_effect(made_up_result("warp_tiles_ladder", rows), "gsst/09_warp_tiles")
    assert effect is not None
    assert [line[1:4] for line in effect.table.lines] == [
        ("1000", "-", "50.0 %"),
        ("1500", "1.5", "50.0 %"),
        ("1600", "-", "50.0 %"),
        ("2000", "1.25", "50.0 %"),
    ]
    assert (effect.given, effect.end_to_end) == (2000.0, None)


def test_another_choice_of_a_decoder_stands_beside_the_step_that_differs_in_nothing_else() -> None:
    rows = tiles_rows({"1 tiles": 1000.0, "2 front": 2000.0}) + tiles_rows(
        {"2, optimal": 2500.0}, parse="optimal"
    )
    rows += tiles_rows({"2, K 16": 1900.0}, codes_per_lane=16) + tiles_rows({"2, 9 warps": 3000.0}, warps=9)
    rows += tiles_rows({"2, level 1, K 16": 10.0}, level=1, codes_per_lane=16)
    rows += tiles_rows({"2, level 1": 1800.0}, level=1) + tiles_rows(
        {"2, 10 bits, K 16": 1.0}, code_bits=10, codes_per_lane=16
    )
    for row in rows[1:]:
        row["parameters"] = {**row["parameters"], "step": 2}
    rows[-2]["ratio"] = rows[0]["ratio"] / 2
    effect = ladder_effect(made_up_result("warp_tiles_ladder", rows), "gsst/09_warp_tiles")
    assert effect is not None
    assert [line[0] for line in effect.table.lines] == ["1 tiles", "2 front", "2, optimal"]
    assert effect.given == 2500.0
    assert effect.choices is not None
    assert [(line[0], *line[4:]) for line in effect.choices.lines] == [
        ("2, optimal", "2 front", "1.250", "1.000"),
        ("2, K 16", "2 front", "0.950", "1.000"),
        ("2, 9 warps", "2 front", "1.500", "1.000"),
        ("2, level 1", "2 front", "0.900", "0.500"),
    ]


def test_the_fastest_row_stands_for_a_decoder() -> None:
    effect = ladder_effect(
        made_up_result("warp_tiles_ladder", tiles_rows({"10, greedy": 2000.0, "10, optimal": 1900.0})),
        "gsst/09_warp_tiles",
    )
    assert effect is not None
    assert effect.given == 2000.0


def test_the_last_step_is_compared_with_the_paper_whatever_is_measured_after_it() -> None:
    rows = encoder_rows({("1 naive", 128, 4096): 5.0, ("2 hash", 128, 4096): 20.0}, stage=STAGE)
    others = encoder_rows({("2, long splits", 8, 65536): 40.0}, stage=STAGE)
    published = load_published()
    result = made_up_result("encoder_ladder", [*rows, *others])
    assert encoder_ladder.compare(result, published) == {"compression throughput": 10.0}
