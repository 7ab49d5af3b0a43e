from pathlib import Path

from experiments.format_choice import choice_section, cpu_table, gpu_table, vector_table
from experiments.made_up_results import made_up_result, tiles_rows

_CPU_ROW = {"dataset": "tpch/l_comment_sf1.2", "uncompressed_bytes": 8_000_000, "ratio": 2.5}


def cpu_row(variant: str, level: int, throughput: float, **changed: object) -> dict:
    parameters = {"level": level, "code_bits": 8, "parse": "greedy"}
    return {
        **_CPU_ROW,
        "variant": variant,
        "stage": "reference_cpu/x",
        "parameters": parameters,
        "throughput_gb_per_s": throughput,
        **changed,
    }


def gpu_row(stage: str, throughput: float, **changed: object) -> dict:
    return {**_CPU_ROW, "stage": stage, "variant": "", "throughput_gb_per_s": throughput, **changed}


def test_the_lowest_and_the_highest_level_of_each_format_are_shown() -> None:
    rows = [cpu_row("blocks", level, 5.0 + level) for level in (1, 2, 3)] + [cpu_row("tiles", 3, 0.25)]
    others = [cpu_row("blocks", 1, 99.0, dataset="dbtext/wiki")]
    table = cpu_table(made_up_result("beyond_levels", [*rows, *others]))
    assert table is not None
    assert [(line[0], line[1], line[4]) for line in table.lines] == [
        ("blocks", "1", "6"),
        ("blocks", "3", "8"),
        ("tiles, reference decoder", "3", "0.25"),
    ]
    assert cpu_table(made_up_result("beyond_levels", others)) is None


def test_decoders_with_vectors_have_a_column_for_each_width() -> None:
    rows = [
        cpu_row(variant, 3, throughput, stage=stage, beside_code_bits=bits)
        for bits in (12, 8)
        for stage, variant, throughput in (
            ("cpu/tiles", "avx2", 4.0 + bits / 10),
            ("reference_cpu/fast", "portable", 3.0),
            ("reference_cpu/tiles", "oracle", 0.2),
        )
    ]
    others = [cpu_row("avx2", 3, 99.0, stage="cpu/tiles", beside_code_bits=8, dataset="dbtext/wiki")]
    table = vector_table(made_up_result("engine_tiles_cpu", [*rows, *others]))
    assert table is not None
    assert table.header == ("decoder", "GB/s, codes of 8 bits", "GB/s, codes of 12 bits")
    assert table.lines == (("blocks, FSST's loop", "3", "3"), ("tiles, AVX2", "4.8", "5.2"))
    assert vector_table(made_up_result("engine_tiles_cpu", others)) is None


def test_formats_and_codecs_stand_in_the_order_of_their_throughput() -> None:
    rows = [
        gpu_row("gsst/07_tuned", 400.0),
        gpu_row("gsst/02_splits", 50.0),
        gpu_row("nvcomp/Zstd", 80.0, variant="batched"),
        gpu_row("nvcomp/Zstd", 79.0, variant="manager"),
        gpu_row("reference_cpu/fast", 3.5, variant="blocks"),
    ]
    tiles = tiles_rows({"10 symbol halves, 12 bits": 1500.0}, code_bits=12)
    ladder = made_up_result("warp_tiles_ladder", tiles, "h200")
    table = gpu_table(made_up_result("gsst_fig_6_2", rows, "h200"), [ladder])
    assert [(line[0], line[2]) for line in table.lines] == [
        ("tiles, level 9, codes of 12 bits", "1500"),
        ("splits", "400"),
        ("nvCOMP Zstd", "80"),
    ]


def test_what_is_not_recorded_is_said(tmp_path: Path) -> None:
    assert choice_section(tmp_path) == "not measured yet\n"
