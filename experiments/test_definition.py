import re
from pathlib import Path

import pytest

from experiments.definition import EXPERIMENTS_DIR, DefinitionError, all_targets, load_experiment

TARGETS = ["gsst_fig_2_2", "gsst_fig_5_4", "gsst_fig_6_3", "gsst_fig_b_1", "gsst_ingestion_model"]
NEEDS = {
    "gsst_fig_5_2": "gpu",
    "gsst_fig_5_3": "gpu",
    "gsst_fig_5_5": "gpu",
    "beyond_levels": "cpu",
    "beyond_longer_symbols": "cpu",
    "beyond_overlap": "gpu",
    "beyond_checksums": "gpu",
    "beyond_random_access": "gpu",
    "beyond_columns": "gpu",
    "beyond_sizes": "gpu",
    "beyond_string_ratio": "cpu",
    "beyond_widths": "cpu",
    "beyond_sizes_multiprocessors": "gpu",
    "engine_lookups": "cpu",
    "engine_mixed_text": "cpu",
    "engine_peers": "cpu",
    "engine_tiles_cpu": "cpu",
    "gsst_fig_6_1": "gpu",
    "gsst_fig_6_2": "gpu",
    "gsst_fig_6_4": "gpu",
    "gsst_table_6_1": "gpu",
    "gsst_tuning": "gpu",
    "gsst_table_5_4": "nvcc",
    "gsst_fig_b_1": "cpu",
    "codag_beyond_files": "gpu",
    "engine_batched": "gpu",
    "engine_columns": "cpu",
    "search_columns": "gpu",
    "search_columns_rows": "cpu",
    "search_counters": "gpu",
    "search_cpu": "cpu",
    "search_engines": "cpu",
    "search_ladder": "gpu",
    "search_patterns": "gpu",
    "search_sizes": "gpu",
    "engine_files": "gpu",
    "tile_beyond_instructions": "gpu",
    "tile_beyond_instructions_encoder": "gpu",
    "tile_beyond_instructions_limit": "gpu",
    "tile_beyond_instructions_queries": "gpu",
    "tile_beyond_instructions_sums": "gpu",
    "tile_beyond_instructions_widths": "gpu",
    "tile_beyond_parquet": "gpu",
    "tile_beyond_queries": "gpu",
    "tile_fig_11": "gpu",
    "tile_fig_12": "gpu",
    "tile_layouts_query": "gpu",
    "tile_random_access": "gpu",
    "warp_tiles_counters": "gpu",
    "warp_tiles_ladder": "gpu",
    "warp_tiles_widths": "gpu",
    "wide_encoder_counters": "gpu",
    "wide_encoder_columns": "gpu",
    "wide_encoder_ladder": "gpu",
    "zle_beyond_counters": "gpu",
    "zle_beyond_line_rate_gpu": "gpu",
    "zle_beyond_pipeline": "gpu",
}


def test_the_targets_of_the_thesis_on_the_cpu_are_there() -> None:
    assert set(TARGETS) <= set(all_targets())


@pytest.mark.parametrize("target", all_targets())
def test_every_committed_definition_is_valid(target: str) -> None:
    experiment = load_experiment(target)
    if experiment.program not in (None, "ptx"):
        assert set(experiment.scales) == {"tiny", "default", "paper"}
        assert all(scale.instances for scale in experiment.scales.values())


@pytest.mark.parametrize("target", all_targets())
def test_a_gpu_measures_the_scale_tiny_although_its_text_fits_the_l2_cache(target: str) -> None:
    experiment = load_experiment(target)
    # No cache shortens transfers, and allocations have no time: these programs take any size.
    if experiment.needs == "gpu" and experiment.program not in (None, "memory", "overlap"):
        assert experiment.scales["tiny"].allow_small


def test_a_small_ratio_run_keeps_the_bytes_per_block_of_the_paper() -> None:
    scales = load_experiment("gsst_fig_5_4").scales
    assert scales["default"].block_bytes == scales["paper"].block_bytes
    assert set(scales["tiny"].block_bytes) <= set(scales["paper"].block_bytes)


@pytest.mark.parametrize("target", sorted(NEEDS))
def test_what_a_measurement_needs_follows_from_its_program(target: str) -> None:
    assert load_experiment(target).needs == NEEDS[target]


def test_every_dbtext_column_is_tiled_to_the_same_size() -> None:
    for name, size in (("tiny", 10**7), ("default", 3 * 10**8), ("paper", 10**9)):
        instances = load_experiment("beyond_columns").scales[name].instances
        assert len(instances) == 20
        assert {instance.tiled_to_bytes for instance in instances} == {size}


def test_every_decoder_is_measured_on_the_columns() -> None:
    of_thesis = load_experiment("gsst_fig_6_1").stages
    assert set(load_experiment("beyond_columns").stages) == {*of_thesis, "gsst/09_warp_tiles"}


def test_the_profile_is_taken_at_the_points_of_the_throughput() -> None:
    assert load_experiment("gsst_table_6_1").points == load_experiment("gsst_fig_6_1").points


def test_points_may_be_of_some_texts_only() -> None:
    entries = load_experiment("warp_tiles_counters").points
    assert [entry.are_of("dbtext/wiki_tiled") for entry in entries] == [*[False] * 7, True, True, False]
    assert all(entry.are_of("tpch/x") for entry in load_experiment("warp_tiles_ladder").points)
    encoding = load_experiment("wide_encoder_counters").encoding
    assert encoding is not None
    assert [grid.is_of("tpch/l_comment_sf6") for grid in encoding.grids] == [*[True] * 6, False, True]
    assert encoding.grids[-2].kernels == {"encoding": "encode_groups", "compaction": "copy_groups"}


def test_memory_is_counted_at_the_points_of_the_codecs() -> None:
    assert load_experiment("gsst_fig_6_4").points == load_experiment("gsst_fig_6_2").points


def test_memory_of_further_encoders_is_counted_behind_the_named_points() -> None:
    named, encoding = load_experiment("encoder_fig_11").encoding, load_experiment("encoder_fig_13").encoding
    assert named is not None
    assert encoding is not None
    assert encoding.grids[: len(named.grids)] == named.grids
    assert encoding.stages == ("gsst/08_gpu_encoder", "gsst/10_wide_encoder")


def test_a_figure_may_draw_the_results_of_another_target() -> None:
    assert load_experiment("gsst_fig_6_3").source == "gsst_fig_6_2"
    assert load_experiment("gsst_fig_6_2").source == "gsst_fig_6_2"


def changed_copy(folder: Path, old: str, new: str, target: str = "gsst_fig_b_1") -> None:
    text = (EXPERIMENTS_DIR / f"{target}.yaml").read_text(encoding="utf-8")
    assert old in text
    (folder / f"{target}.yaml").write_text(text.replace(old, new), encoding="utf-8")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("subcommand: threads", "subcommand: guess", r"\$\.measurement\.subcommand"),
        ("target: gsst_fig_b_1", "target: gsst_fig_b_2", "must be gsst_fig_b_1"),
        ("repetitions: 10}", "repetitions: 9}", "repetitions"),
        ("    tiny:", "    small:", "tiny"),
        ("outcome: partly reproduced", "outcome: fine", r"\$\.verdict\.outcome"),
        ("within: 35 %", "within: ten", r"\$\.verdict\.statements\[0\]\.claims\[0\]\.within"),
        ("within: 35 %", "withn: 35 %", r"\$\.verdict\.statements\[0\]\.claims\[0\]: .*withn"),
        ("{compared: ", "{compred: ", r"\$\.verdict\.statements\[0\]\.claims\[0\]\.value: .*compred"),
        ("agrees_with: ", "agrees: ", r"\$\.verdict\.statements\[1\]: .*agrees"),
    ],
)
def test_a_wrong_field_is_named(old: str, new: str, message: str, tmp_path: Path) -> None:
    changed_copy(tmp_path, old, new)
    with pytest.raises(DefinitionError, match=message):
        load_experiment("gsst_fig_b_1", tmp_path)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("16 per SM", "16 per GPU", r"\$\.measurement\.points"),
        ("best: {blocks: recommended", "worst: {blocks: recommended", r"\$\.measurement\.points"),
        ("program: decode", "program: guess", r"\$\.measurement\.program"),
        ("  common: >-", "  usual: >-", r"\$\.policies"),
    ],
)
def test_a_wrong_field_of_a_gpu_measurement_is_named(
    old: str, new: str, message: str, tmp_path: Path
) -> None:
    changed_copy(tmp_path, old, new, "gsst_fig_6_1")
    with pytest.raises(DefinitionError, match=message):
        load_experiment("gsst_fig_6_1", tmp_path)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("  candidate: >-", "  best: >-", r"\$\.policies"),
        ("      sweep:\n", "      best:\n", r"\$\.measurement\.points"),
    ],
)
def test_a_wrong_field_of_a_sweep_by_itself_is_named(
    old: str, new: str, message: str, tmp_path: Path
) -> None:
    changed_copy(tmp_path, old, new, "gsst_tuning")
    with pytest.raises(DefinitionError, match=message):
        load_experiment("gsst_tuning", tmp_path)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("33554432 bytes each", "33554432 bytes", r"\$\.measurement\.points"),
        ("      grid:\n", "      sweep:\n", r"\$\.measurement\.points"),
        ("      grid:\n", "      common: {blocks: 1, splits: 1}\n      grid:\n", r"\$\.measurement\.points"),
        ("      grid:\n", "      texts: ''\n      grid:\n", r"\$\.measurement\.points"),
    ],
)
def test_a_wrong_field_of_a_grid_is_named(old: str, new: str, message: str, tmp_path: Path) -> None:
    changed_copy(tmp_path, old, new, "gsst_fig_5_2")
    with pytest.raises(DefinitionError, match=message):
        load_experiment("gsst_fig_5_2", tmp_path)


def test_a_grid_of_a_decoder_may_be_of_some_texts_only(tmp_path: Path) -> None:
    changed_copy(tmp_path, "      grid:\n", "      texts: dbtext/*\n      grid:\n", "gsst_fig_5_2")
    entries = load_experiment("gsst_fig_5_2", tmp_path).points
    assert [(entry.are_of("dbtext/wiki"), entry.are_of("tpch/x")) for entry in entries] == [(True, False)]
    # A sweep chooses on all of them.
    changed_copy(tmp_path, "      sweep:\n", "      texts: dbtext/*\n      sweep:\n", "gsst_tuning")
    with pytest.raises(DefinitionError, match=r"\$\.measurement\.points"):
        load_experiment("gsst_tuning", tmp_path)


LIMIT = "tile_beyond_instructions_limit"


@pytest.mark.parametrize(
    ("target", "old", "new"),
    [
        ("warp_tiles_counters", "texts: tpch/*", "text: tpch/*"),
        ("wide_encoder_counters", "program: counters", "program: encode"),
        ("wide_encoder_counters", "kernels: {encoding: encode_groups}", "kernels: {}"),
        ("wide_encoder_counters", "      kernels: {encoding: encode_groups}\n", ""),
        ("wide_encoder_counters", "variant: 1", "variants: 1"),
        (LIMIT, "launches_before: 13", "launches_before: 0"),
        (LIMIT, 'function: "stream_tiles<256, 1, 0>"', "function: stream_tiles"),
        (LIMIT, "program: counters", "program: counters\n  kind: sums\n  kernels: {summing: sum_tiles}"),
    ],
)
def test_a_wrong_field_of_a_profile_is_named(target: str, old: str, new: str, tmp_path: Path) -> None:
    changed_copy(tmp_path, old, new, target)
    with pytest.raises(DefinitionError, match=r"\$\.measurement"):
        load_experiment(target, tmp_path)


def launches_of_variants() -> dict[str, int]:
    """Launches of the streaming kernel before the second one of each variant, as the program's sources have
    them."""
    shared = EXPERIMENTS_DIR / "measure" / "shared"
    variants = (shared / "streaming_limit.cu").read_text(encoding="utf-8")
    repetitions = re.search(r"limit_repetitions = (\d+);", (shared / "trial.cpp").read_text(encoding="utf-8"))
    assert repetitions is not None
    # One more warms up.
    launches = int(repetitions[1]) + 1
    names = [
        f"tiles of {threads} threads x {words} words, {blocks} blocks per SM{caching}".replace(
            " 0 blocks per SM", " a block per tile"
        )
        for words in re.findall(r"add_tiles_variants<(\d+)>\(variants\);", variants)
        for threads, shapes in re.findall(r"<(\d+), WordsPerThread>\(variants, \{([\d, ]+)\}\)", variants)
        for blocks in shapes.split(", ")
        for caching in ("", ", streaming")
    ]
    return {name: number * launches + 1 for number, name in enumerate(names)}


def test_the_profiled_launches_are_those_of_the_variants_that_are_named() -> None:
    launches = launches_of_variants()
    kernels = load_experiment(LIMIT).limit_kernels
    assert kernels
    for name, kernel in kernels.items():
        assert kernel.launches_before == launches[name]
        threads, words, caching = re.findall(r"\d+", kernel.function)
        assert name.startswith(f"tiles of {threads} threads x {words} words")
        assert name.endswith(", streaming") == (caching == "1")


def test_a_missing_definition_is_named(tmp_path: Path) -> None:
    with pytest.raises(DefinitionError, match="there is no experiment gsst_fig_b_1"):
        load_experiment("gsst_fig_b_1", tmp_path)


@pytest.mark.parametrize(
    ("target", "old", "new"),
    [
        ("beyond_sizes", "graph: true", "graph: 1"),
        ("beyond_checksums", "splits: [128]}", "splits: [128], graph: true}"),
        ("warp_tiles_counters", "variant: 1 tiles", "graph: true"),
    ],
)
def test_times_of_a_graph_are_asked_of_the_program_that_takes_them_only(
    target: str, old: str, new: str, tmp_path: Path
) -> None:
    changed_copy(tmp_path, old, new, target)
    with pytest.raises(DefinitionError, match=r"\.gr(aph|id): "):
        load_experiment(target, tmp_path)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("    order: 11\n", "", r"\$\.tables\[2\]: 'order' is a required property"),
        ("take: previous", "take: next", r"\$\.tables\[0\]\.with\.before\.take"),
        (
            'ratio: "{ratio:.3f}"',
            'ratio: "{ratio:.3x}"',
            r"\$\.tables\[0\]\.columns\.ratio: .*'\.3x' is no format",
        ),
        ('step: "{variant}"', 'step: "{variant"', r"\$\.tables\[0\]\.columns\.step: .*brace"),
        (
            "same: [parameters.step,",
            "same: [parameters-,",
            r"\$\.tables\[2\]\.with\.usual\.same: .*not a column",
        ),
        ("take: {max: ", "take: {most: ", r"\$\.(chart\.compare|goals).*\.take: .*most"),
        ("at_least: 0.98", "at_least: '0.98 ='", r"\$\.goals\[0\]\.lines\[0\]\.at_least: .*not a column"),
        ("at_least: 0.9\n", "at_least: 0.9\n        more_than: 1\n", r"\$\.goals\[0\]\.lines\[8\]"),
        ('shown: "{value:.1%}"', 'shown: "{val:.1%}"', r"\$\.goals\[0\]\.lines\[\d+\]\.shown"),
        ("derived: own_ratio", "derived: own", r"\$\.goals\[0\]\.lines\[12\]\.derived"),
        ("notes:\n      - text", "notes:\n      - txt", r"\$\.goals\[0\]\.notes\[0\]"),
        ("stages: [gsst/09_warp_tiles]", "stages: []", r"\$\.(tables|goals)\[\d\]\.stages"),
        ("goals:\n", "goals: [\n", "not YAML"),
    ],
)
def test_a_wrong_field_of_a_table_or_a_goal_is_named(
    old: str, new: str, message: str, tmp_path: Path
) -> None:
    changed_copy(tmp_path, old, new, "warp_tiles_ladder")
    with pytest.raises(DefinitionError, match=rf"warp_tiles_ladder\.yaml: {message}"):
        load_experiment("warp_tiles_ladder", tmp_path)
