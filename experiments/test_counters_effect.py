from pathlib import Path

from experiments.counters_effect import COUNTERS_TARGETS, counters_effects, counters_here, recorded_counters
from experiments.definition import load_experiment
from experiments.made_up_results import kernel_counters_rows, made_up_result
from experiments.results import write_result

DECODER, ENCODER = "gsst/09_warp_tiles", "gsst/10_wide_encoder"
TILES = {"code_bits": 12, "codes_per_lane": 32, "level": 6, "parse": "optimal"}
OF_DECODER = made_up_result(
    "warp_tiles_counters",
    kernel_counters_rows(
        {("9 one front", "decoding"): 1_250_000.0},
        DECODER,
        tiles=TILES,
        dataset="dbtext/wiki_tiled_to_1000_bytes",
    ),
    machine="h200",
    gpu="Made-up GPU",
)
OF_ENCODER = made_up_result(
    "wide_encoder_counters",
    kernel_counters_rows(
        {("6 GPU training", "encoding"): 1e6, ("6 GPU training", "compaction"): 1e6},
        ENCODER,
        operation="encode",
    ),
)


def test_the_targets_are_those_that_read_counters_at_points_of_their_own() -> None:
    for target in COUNTERS_TARGETS:
        experiment = load_experiment(target)
        assert experiment.reads_counters
        assert experiment.points_of is None


def test_a_kernel_s_line_names_the_unit_nearest_to_its_peak_and_the_second() -> None:
    (effect,) = counters_effects([OF_DECODER, OF_ENCODER], DECODER)
    assert effect.machine == "H200"
    assert effect.source.startswith("Made-up GPU, counters of NVIDIA Nsight Compute, 2026-01-02, commit 0123")
    (line,) = effect.table.lines
    assert line[:4] == ("9 one front", "wiki, 12 bits", "issue, 80 %", "memory, 60 %")
    assert line[4] == "the fixed time of the instruction before (9)"
    assert line[5] == "20"
    assert len(line) == len(effect.table.header)


def test_a_kernel_that_the_stage_is_not_about_is_named() -> None:
    (effect,) = counters_effects([OF_DECODER, OF_ENCODER], ENCODER)
    assert [line[:2] for line in effect.table.lines] == [
        ("6 GPU training", "l_comment"),
        ("6 GPU training, compaction", "l_comment"),
    ]


def test_another_stage_has_no_effect() -> None:
    assert counters_effects([OF_DECODER, OF_ENCODER], "gsst/07_tuned") == []


def test_what_was_read_here_and_what_is_recorded_is_found(tmp_path: Path) -> None:
    write_result(OF_DECODER, tmp_path / "recorded" / "h200" / "warp_tiles_counters.json")
    write_result(OF_ENCODER, tmp_path / "measured" / "wide_encoder_counters.json")
    assert [result.machine for result in recorded_counters(tmp_path / "recorded")] == ["h200"]
    assert [result.target for result in counters_here(tmp_path / "measured")] == ["wide_encoder_counters"]
