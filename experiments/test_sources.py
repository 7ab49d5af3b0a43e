import hashlib
from dataclasses import replace
from pathlib import Path

import pytest

from experiments import sources
from experiments.definition import load_experiment
from experiments.measuring_programs import programs
from experiments.sources import (
    BEYOND_SOURCES,
    CPU_SOURCES,
    NVCC_SOURCES,
    REPOSITORY_ROOT,
    TILE_SOURCES,
    measured_paths,
    measured_sources,
    shared_parts,
    sources_digest,
    target_digest,
    verified_digest,
)

GPU_TARGET = "gsst_fig_6_1"
NVCC_TARGET = "gsst_table_5_4"
OVERLAP_TARGET = "beyond_overlap"
RANGES_TARGET = "beyond_random_access"
CHECKSUMS_TARGET = "beyond_checksums"
BUILD_FILE = """add_library(made_up a.cpp b.cpp)
target_compile_options(made_up PRIVATE "-O2")  # as in the paper
gsst_add_test(made_up_test SOURCES a_test.cpp)
"""
FIRST, SECOND = "gsst/01_blocks", "gsst/02_splits"


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    for name in (
        "common/format/block.cpp",
        "common/format/block.hpp",
        "common/stage/launch.hpp",
        "common/cuda/error.cpp",
        "common/pipeline/queue.cpp",
        "reference_cpu/train.cpp",
        "experiments/measure/main.cpp",
        "experiments/measure/kinds/decode/decode_kind.cpp",
        "experiments/measure/kinds/encode/encode_kind.cpp",
        "experiments/measure/kinds/ranges/ranges_kind.cpp",
        "experiments/measure/shared/points.cpp",
        "experiments/measure/shared/row.cpp",
        "experiments/measure/shared/session.cpp",
        "experiments/measure_cpu/main.cpp",
        "experiments/measure_overlap/main.cpp",
        "experiments/ptx.py",
        "library/ranges.cpp",
        "stages/gsst/07_tuned/kernel.cuh",
        "stages/gsst/01_blocks/kernel.cuh",
        "stages/gsst/02_splits/kernel.cuh",
    ):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(name, encoding="utf-8")
    (tmp_path / "common" / "stage" / "raw_block.cuh").write_text(
        '#include "common/stage/frame_on_device.hpp"\n', encoding="utf-8"
    )
    (tmp_path / "common" / "stage" / "frame_on_device.hpp").write_text(
        '#include "common/format/block.hpp"\n', encoding="utf-8"
    )
    return tmp_path


def change(tree: Path, name: str) -> None:
    (tree / name).write_text("changed", encoding="utf-8")


def test_a_change_of_a_measured_source_changes_the_digest(tree: Path) -> None:
    before = sources_digest(tree)
    change(tree, "reference_cpu/train.cpp")
    assert sources_digest(tree) != before


@pytest.mark.parametrize("name", ["reference_cpu/train.cpp", "common/format/block.hpp"])
def test_a_removed_source_changes_the_digest(name: str, tree: Path) -> None:
    before = sources_digest(tree)
    (tree / name).unlink()
    assert sources_digest(tree) != before


def test_an_added_source_changes_the_digest(tree: Path) -> None:
    before = sources_digest(tree)
    (tree / "reference_cpu" / "new.cpp").write_text("new", encoding="utf-8")
    assert sources_digest(tree) != before


def add_series(tree: Path, series: str) -> None:
    """Its formats and its codecs."""
    for name, text in (
        (f"common/format/{series}/formats.cpp", f'{{.name = "format_of_{series}"}}'),
        (f"common/format/{series}/payload.hpp", f"// Of {series}.\nint payload_of_{series};"),
        (f"reference_cpu/{series}/codecs.cpp", f"int codecs_of_{series};"),
    ):
        (tree / name).parent.mkdir(parents=True, exist_ok=True)
        (tree / name).write_text(text, encoding="utf-8")


def test_a_series_concerns_only_measurements_that_use_it(tree: Path) -> None:
    before = sources_digest(tree)
    add_series(tree, "new")
    assert sources_digest(tree) == before
    codec = tree / "reference_cpu/new/codecs.cpp"
    assert codec in measured_sources(tree, (*CPU_SOURCES, "reference_cpu/new"))
    (tree / "reference_cpu/train.cpp").write_text(
        '#include "common/format/new/payload.hpp"\n', encoding="utf-8"
    )
    assert {path.name for path in measured_sources(tree)} >= {"formats.cpp", "payload.hpp", "codecs.cpp"}


def test_a_measurement_of_a_format_depends_on_its_series(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = "beyond_widths"
    experiment = load_experiment(target)
    tiny = replace(experiment.scales["tiny"], formats=("format_of_new",))
    named = replace(experiment, subcommand="format", scales={"tiny": tiny})
    monkeypatch.setattr(sources, "load_experiment", lambda _: named)
    for series in ("new", "other"):
        add_series(tree, series)
    before = target_digest(target, [], tree)
    change(tree, "reference_cpu/other/codecs.cpp")
    assert target_digest(target, [], tree) == before
    change(tree, "reference_cpu/new/codecs.cpp")
    assert target_digest(target, [], tree) != before


@pytest.mark.parametrize("name", ["FORMAT.md", "train_test.cpp", "codec_benchmark.cpp"])
def test_tests_and_documentation_do_not(name: str, tree: Path) -> None:
    before = sources_digest(tree)
    (tree / "reference_cpu" / name).write_text("new", encoding="utf-8")
    assert sources_digest(tree) == before


def test_a_changed_stage_concerns_only_the_measurements_with_that_stage(tree: Path) -> None:
    one, both = target_digest(GPU_TARGET, [FIRST], tree), target_digest(GPU_TARGET, [FIRST, SECOND], tree)
    change(tree, "stages/gsst/02_splits/kernel.cuh")
    assert target_digest(GPU_TARGET, [FIRST], tree) == one
    assert target_digest(GPU_TARGET, [FIRST, SECOND], tree) != both


@pytest.mark.parametrize(
    ("changed", "targets"),
    [
        (
            "common/format/block.hpp",
            {"gsst_fig_b_1", GPU_TARGET, NVCC_TARGET, OVERLAP_TARGET, RANGES_TARGET},
        ),
        ("common/format/block.cpp", {"gsst_fig_b_1"}),
        ("common/stage/launch.hpp", {GPU_TARGET, NVCC_TARGET, OVERLAP_TARGET, RANGES_TARGET}),
        ("common/cuda/error.cpp", {GPU_TARGET, NVCC_TARGET, OVERLAP_TARGET, RANGES_TARGET}),
        ("common/pipeline/queue.cpp", {OVERLAP_TARGET}),
        (
            "experiments/measure/shared/row.cpp",
            {"gsst_fig_b_1", GPU_TARGET, OVERLAP_TARGET, RANGES_TARGET},
        ),
        ("experiments/measure/shared/session.cpp", {GPU_TARGET, OVERLAP_TARGET, RANGES_TARGET}),
        ("experiments/measure/main.cpp", {GPU_TARGET, RANGES_TARGET}),
        ("experiments/measure/kinds/decode/decode_kind.cpp", {GPU_TARGET}),
        ("experiments/measure/kinds/encode/encode_kind.cpp", set()),
        ("experiments/measure/kinds/ranges/ranges_kind.cpp", {RANGES_TARGET}),
        ("experiments/measure_cpu/main.cpp", {"gsst_fig_b_1"}),
        ("experiments/measure_overlap/main.cpp", {OVERLAP_TARGET}),
        ("library/ranges.cpp", {RANGES_TARGET}),
        ("stages/gsst/07_tuned/kernel.cuh", {RANGES_TARGET}),
        ("experiments/ptx.py", {NVCC_TARGET}),
    ],
)
def test_a_change_concerns_the_kinds_of_measurement_that_use_it(
    changed: str, targets: set[str], tree: Path
) -> None:
    all_targets = ("gsst_fig_b_1", GPU_TARGET, NVCC_TARGET, OVERLAP_TARGET, RANGES_TARGET)
    before = {target: target_digest(target, [FIRST], tree) for target in all_targets}
    change(tree, changed)
    assert {target for target in all_targets if target_digest(target, [FIRST], tree) != before[target]} == (
        targets
    )


@pytest.mark.parametrize(
    ("changed", "rows"),
    [
        ("experiments/peers/chunks.cpp", {"nvcomp/ANS", "nvcomp_integers/Cascaded"}),
        ("experiments/peers_integers/nvcomp_cascades.cpp", {"nvcomp_integers/Cascaded"}),
        (
            "experiments/measure/shared/session.cpp",
            {"nvcomp/ANS", "nvcomp_integers/Cascaded", "reference_cpu/fast", FIRST},
        ),
        ("experiments/measure/main.cpp", {FIRST}),
        ("reference_cpu/train.cpp", {"reference_cpu/fast"}),
        ("stages/gsst/01_blocks/kernel.cuh", {FIRST}),
    ],
)
def test_rows_on_something_else_than_a_stage_have_sources_of_their_own(
    changed: str, rows: set[str], tree: Path
) -> None:
    (tree / changed).parent.mkdir(parents=True, exist_ok=True)
    (tree / changed).touch()
    stages = ("nvcomp/ANS", "nvcomp_integers/Cascaded", "reference_cpu/fast", FIRST)
    before = {stage: target_digest("gsst_fig_6_2", [stage], tree) for stage in stages}
    change(tree, changed)
    assert {
        stage for stage in stages if target_digest("gsst_fig_6_2", [stage], tree) != before[stage]
    } == rows


def test_counting_memory_depends_on_the_program_that_counts(tree: Path) -> None:
    before = {target: target_digest(target, [FIRST], tree) for target in ("gsst_fig_6_2", "gsst_fig_6_4")}
    (tree / "experiments" / "measure_memory").mkdir()
    (tree / "experiments" / "measure_memory" / "main.cpp").write_text("counts", encoding="utf-8")
    assert target_digest("gsst_fig_6_2", [FIRST], tree) == before["gsst_fig_6_2"]
    assert target_digest("gsst_fig_6_4", [FIRST], tree) != before["gsst_fig_6_4"]


def test_a_stage_that_runs_the_kernels_of_another_depends_on_it(tree: Path) -> None:
    lending, borrowing = "new/01_kernels", "new/02_order"
    for name, text in (
        (f"stages/{lending}/kernel.cuh", "kernels"),
        (f"stages/{borrowing}/stage.cu", "order"),
        (f"stages/{borrowing}/description.hpp", f'constexpr auto kernels_of = "{lending}";'),
        ("experiments/measure_pipeline/main.cpp", "measures"),
    ):
        (tree / name).parent.mkdir(parents=True, exist_ok=True)
        (tree / name).write_text(text, encoding="utf-8")

    def digests() -> list[str]:
        target = "zle_beyond_pipeline"
        return [target_digest(target, [borrowing], tree), verified_digest(borrowing, tree)]

    for name in (f"stages/{lending}/kernel.cuh", f"stages/{borrowing}/stage.cu"):
        before = digests()
        change(tree, name)
        assert all(now != then for now, then in zip(digests(), before, strict=True)), name
    before = digests()
    change(tree, "common/pipeline/queue.cpp")
    change(tree, "stages/gsst/01_blocks/kernel.cuh")
    measured, verified = digests()
    assert (measured != before[0], verified) == (True, before[1])


def test_counting_an_encoder_s_memory_depends_on_encoding_too(tree: Path) -> None:
    encoder = "gsst/08_gpu_encoder"
    host_side = tree / "stages" / encoder / "stage.cu"
    host_side.parent.mkdir(parents=True)
    host_side.write_text(
        '#include "stages/gsst/encode/encode_plans.hpp"\n#include "reference_cpu/train.hpp"\n',
        encoding="utf-8",
    )
    (tree / "stages/gsst/encode").mkdir()
    (tree / "stages/gsst/encode/encode_plans.hpp").write_text(
        '#include "common/stage/encode_plans.hpp"\n', encoding="utf-8"
    )
    (tree / "common/stage/encode_plans.hpp").touch()
    (tree / "reference_cpu" / "train.hpp").touch()
    stages = {"encoder_fig_13": encoder, "gsst_fig_6_4": FIRST}
    before = {target: target_digest(target, [stage], tree) for target, stage in stages.items()}
    for changed in ("reference_cpu/train.cpp", "stages/gsst/encode/encode_settings.cpp"):
        (tree / changed).parent.mkdir(parents=True, exist_ok=True)
        (tree / changed).write_text(f"new {changed}", encoding="utf-8")
        after = {target: target_digest(target, [stage], tree) for target, stage in stages.items()}
        assert after["encoder_fig_13"] != before["encoder_fig_13"]
        assert after["gsst_fig_6_4"] == before["gsst_fig_6_4"]
        before = after


def test_what_kernels_include_through_other_headers_counts(tree: Path) -> None:
    (tree / "common" / "format" / "block.hpp").write_text('#include "common/format/bytes.hpp"\n')
    (tree / "common" / "format" / "bytes.hpp").write_text("")
    (tree / "common" / "format" / "frame_reader.hpp").write_text("")
    before = target_digest(GPU_TARGET, [FIRST], tree)
    change(tree, "common/format/frame_reader.hpp")
    assert target_digest(GPU_TARGET, [FIRST], tree) == before
    change(tree, "common/format/bytes.hpp")
    assert target_digest(GPU_TARGET, [FIRST], tree) != before


def test_order_and_number_of_rows_do_not_matter(tree: Path) -> None:
    assert target_digest(GPU_TARGET, [FIRST, SECOND], tree) == target_digest(
        GPU_TARGET, [SECOND, FIRST, SECOND], tree
    )


def test_the_digest_of_a_cpu_measurement_does_not_name_its_codecs(tree: Path) -> None:
    assert target_digest("gsst_fig_b_1", ["reference_cpu/fast"], tree) == sources_digest(tree)


@pytest.mark.parametrize("name", ["common/frame/checksum.cuh", "reference_cpu/fast_decoder.cpp"])
def test_the_checksums_and_the_decoders_of_the_cpu_concern_their_measurement(name: str, tree: Path) -> None:
    (tree / name).parent.mkdir(parents=True, exist_ok=True)
    change(tree, name)
    digests = [target_digest(target, [FIRST], tree) for target in (CHECKSUMS_TARGET, GPU_TARGET)]
    (tree / name).unlink()
    assert target_digest(CHECKSUMS_TARGET, [FIRST], tree) != digests[0]
    assert target_digest(GPU_TARGET, [FIRST], tree) == digests[1]


@pytest.mark.parametrize(
    "sources",
    [
        *(CPU_SOURCES, NVCC_SOURCES, measured_paths("cpu", [], "columns")),
        *(
            measured_paths("gpu", [], kind)
            for kind in sorted(programs() - {"columns", "counters", "cpu", "ptx"})
        ),
    ],
)
def test_the_repository_has_every_source(sources: tuple[str, ...]) -> None:
    names = [path.relative_to(REPOSITORY_ROOT).as_posix() for path in measured_sources(paths=sources)]
    for source in sources:
        assert any(name == source or name.startswith(f"{source}/") for name in names), source


def test_counts_of_markers_depend_on_their_program_and_on_their_oracle_alone() -> None:
    paths = measured_paths("cpu", [], "markers")
    names = {path.relative_to(REPOSITORY_ROOT).as_posix() for path in measured_sources(paths=paths)}
    oracle = "reference_cpu/zero_length/marked_elements.cpp"
    assert {"experiments/measure_markers/marker_rows.cpp", oracle} <= names
    assert "common/format/zero_length/markers.hpp" in names
    assert "reference_cpu/zero_length/file_writer.cpp" not in names
    assert not {name for name in names if "gsst/" in name or "measure_cpu" in name or "measure_bytes" in name}


def test_the_speed_of_codecs_depends_on_its_program_and_on_what_all_codecs_stand_on() -> None:
    paths = measured_paths("cpu", [], "codec_speed")
    names = {path.relative_to(REPOSITORY_ROOT).as_posix() for path in measured_sources(paths=paths)}
    assert {"experiments/measure_codec_speed/codec_speed_rows.cpp", "reference_cpu/parallel.cpp"} <= names
    assert {"common/frame/frame.cpp", "experiments/measure_cpu/verified_timing.cpp"} <= names
    assert not {name for name in names if "gsst/" in name or "zero_length" in name or "stage" in name} - {
        "experiments/measure_cpu_stages/memory_copy.cpp",
        "experiments/measure_cpu_stages/memory_copy.hpp",
    }
    of_formats = measured_sources(paths=(*paths, "reference_cpu/tile_integer"))
    assert REPOSITORY_ROOT / "reference_cpu/tile_integer/for_block.cpp" in of_formats


def test_the_comparison_with_peers_depends_on_formats_of_text_alone() -> None:
    paths = measured_paths("cpu", [], "peers")
    names = {path.relative_to(REPOSITORY_ROOT).as_posix() for path in measured_sources(paths=paths)}
    assert {"experiments/measure_peers/zstd_frames.cpp", "cpu/tiles/strip_avx512.cpp"} <= names
    # Levels above 1 train with these, which other measurements leave out.
    assert {"reference_cpu/train_dictionary.cpp", "reference_cpu/train_tiles.cpp"} <= names
    assert {"library/decompress_plan.cpp", "reference_cpu/fast_decoder.cpp"} <= names
    of_others = ("codag", "tile_integer", "zero_length", "stages/", "gpu", "measure_cpu/peer_")
    assert not {name for name in names if any(other in name for other in of_others)}


def test_a_search_depends_on_what_its_stage_chooses_on_the_host() -> None:
    automaton = "search/codes/words_automaton.cpp"
    assert automaton in measured_paths("gpu", ["search/04_queue", "search/06_hot_set"], "search")
    assert automaton not in measured_paths("gpu", ["search/04_queue"], "search")


def test_searches_on_a_processor_depend_on_the_command() -> None:
    paths = measured_paths("cpu", [], "search_cpu")
    names = {path.relative_to(REPOSITORY_ROOT).as_posix() for path in measured_sources(paths=paths)}
    assert {"cli/grep_command.cpp", "search/codes/frame_lines.cpp", "search/word_finder.cpp"} <= names
    assert {"cpu/tiles/frame_decoder.cpp", "experiments/measure_search_cpu/search_ways.cpp"} <= names


def test_lookups_depend_on_what_the_library_looks_up_with() -> None:
    paths = measured_paths("cpu", [], "lookups")
    names = {path.relative_to(REPOSITORY_ROOT).as_posix() for path in measured_sources(paths=paths)}
    assert {"experiments/measure_lookups/lookup_rows.cpp", "include/gsst/lookup.hpp"} <= names
    assert {"library/block_lookup.cpp", "library/frame_reader.cpp", "library/string_starts.cpp"} <= names
    assert {"common/format/gsst/string_column.cpp", "reference_cpu/fast_decoder.cpp"} <= names
    of_others = ("codag", "tile_integer", "zero_length", "stages/", "gpu", "trained_table")
    assert not {name for name in names if any(other in name for other in of_others)}


def test_columns_depend_on_the_package_and_on_what_measures_it() -> None:
    paths = measured_paths("cpu", [], "columns")
    names = {path.relative_to(REPOSITORY_ROOT).as_posix() for path in measured_sources(paths=paths)}
    modules = REPOSITORY_ROOT.glob("experiments/measure_columns/[a-z]*.py")
    measuring = {path.relative_to(REPOSITORY_ROOT).as_posix() for path in modules}
    assert {name for name in measuring if "test_" not in name} <= names
    assert {"python/searches.cpp", "python/src/gsst/_column_search.py"} <= names
    assert {"library/column_search.cpp", "search/strings/like_pattern.cpp"} <= names
    assert {"cpu/tiles/frame_decoder.cpp", "reference_cpu/train_tiles.cpp"} <= names
    of_others = ("codag", "tile_integer", "zero_length", "stages/", "gpu")
    assert not {name for name in names if any(other in name for other in of_others)}


def test_sizes_of_chunks_depend_on_their_program_and_on_their_formats_alone() -> None:
    paths = measured_paths("cpu", [], "chunks")
    names = {path.relative_to(REPOSITORY_ROOT).as_posix() for path in measured_sources(paths=paths)}
    assert {"experiments/measure_chunks/chunk_rows.cpp", "reference_cpu/codec.hpp"} <= names
    assert not {name for name in names if "gsst/" in name or "zero_length" in name or "measure_cpu" in name}
    of_formats = measured_sources(paths=(*paths, "reference_cpu/codag"))
    assert REPOSITORY_ROOT / "reference_cpu/codag/orc_rle_v1_block.cpp" in of_formats


def test_counts_of_bytes_depend_on_their_program_and_on_the_oracle_alone() -> None:
    paths = measured_paths("cpu", [], "bytes")
    names = {path.relative_to(REPOSITORY_ROOT).as_posix() for path in measured_sources(paths=paths)}
    assert {"experiments/measure_bytes/byte_counts.cpp", "reference_cpu/zero_length/elements.cpp"} <= names
    assert "common/format/zero_length/zero_length.hpp" in names
    assert "reference_cpu/zero_length/file_writer.cpp" not in names
    others = {path.relative_to(REPOSITORY_ROOT).as_posix() for path in measured_sources()}
    assert not {name for name in others if "zero_length" in name or "measure_bytes" in name}
    assert not {name for name in names if "gsst/" in name or "measure_cpu" in name}


def test_tiles_concern_no_measurement_on_the_cpu() -> None:
    assert not {path.relative_to(REPOSITORY_ROOT).as_posix() for path in measured_sources()} & set(
        TILE_SOURCES
    )
    assert all((REPOSITORY_ROOT / path).is_file() for path in TILE_SOURCES)
    tiles = measured_sources(paths=measured_paths("gpu", ["gsst/09_warp_tiles"]))
    assert REPOSITORY_ROOT / "common/format/gsst/tiles_header.hpp" in tiles


def test_what_goes_beyond_the_papers_concerns_its_own_measurements_only() -> None:
    names = {path.relative_to(REPOSITORY_ROOT).as_posix() for path in measured_sources()}
    assert "reference_cpu/level.cpp" in names
    assert "experiments/measure_cpu/threads_command.cpp" in names
    assert not names & set(BEYOND_SOURCES)
    assert all((REPOSITORY_ROOT / path).is_file() for path in BEYOND_SOURCES)
    whole = sources_digest(paths=(*CPU_SOURCES, *BEYOND_SOURCES))
    for target in ("beyond_levels", "beyond_longer_symbols", "beyond_widths"):
        assert target_digest(target, ()) == whole
    assert target_digest("gsst_fig_b_1", ()) != whole


def test_the_kernels_of_a_stage_are_sources() -> None:
    paths = measured_paths("gpu", ["gsst/04_alignment"])
    names = {path.name for path in measured_sources(paths=paths)}
    assert {"kernel.cuh", "stage.cu", "stage.hpp", "error.cpp"} <= names
    assert "stage.md" not in names


def test_digests_of_committed_records_keep_their_meaning(tree: Path) -> None:
    """sha256 of the sorted sha256 of each file's tokens: anything else would make every record stale."""
    tokens = [
        "common / format / block . cpp",
        "common / format / block . hpp",
        "experiments / measure / shared / row . cpp",
        "experiments / measure_cpu / main . cpp",
        "reference_cpu / train . cpp",
    ]
    contents = sorted(hashlib.sha256(text.encode()).hexdigest() for text in tokens)
    whole = "".join(f"{content}\n" for content in contents)
    assert sources_digest(tree) == hashlib.sha256(whole.encode()).hexdigest()


TUNED = "stages/gsst/07_tuned"
KERNEL = """#pragma once

#include "common/stage/launch.hpp"
#include "common/cuda/error.hpp"

// One thread for each split.
#define THREADS(count) ((count) * 32)

__global__ void decode(const char* input, char* output) {
  if (input == nullptr) print("http://none");  // nothing to do
  output[0] = input[THREADS(1)] + 1'000;
}
"""


@pytest.fixture
def stage_tree(tree: Path) -> Path:
    (tree / TUNED / "kernel.cuh").write_text(KERNEL, encoding="utf-8")
    (tree / "common/cuda/error.hpp").write_text("void check(int status);\n", encoding="utf-8")
    return tree


def digest_of_stage(tree: Path, folder: str = TUNED) -> str:
    return sources_digest(tree, (folder, "common/stage", "common/cuda"))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("// One thread for each split.\n", "/* One\n   thread. */\n\n"),
        ("  // nothing to do", ""),
        ("(const char* input, char* output)", "(const char *input,\n    char *output)"),
        ('print("http://none")', 'print( /* ours */ "http://none" )'),
        ("#define THREADS(count) ((count) * 32)", "#  define THREADS( count ) \\\n  ((count)*32)  // warps"),
        (
            '#include "common/stage/launch.hpp"\n#include "common/cuda/error.hpp"\n',
            '#include "common/cuda/error.hpp"\n\n#include "common/stage/launch.hpp"\n#include <span>\n',
        ),
    ],
    ids=["comment", "no comment", "layout", "spaces", "directive", "order of includes"],
)
def test_layout_comments_and_the_order_of_includes_do_not_matter(
    old: str, new: str, stage_tree: Path
) -> None:
    before = digest_of_stage(stage_tree)
    assert old in KERNEL
    (stage_tree / TUNED / "kernel.cuh").write_text(KERNEL.replace(old, new), encoding="utf-8")
    assert digest_of_stage(stage_tree) == before


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("THREADS(1)", "THREADS(2)"),
        ("http://none", "http://nothing"),
        ("http://none", "http:// none"),
        ("1'000", "1'001"),
        ("] + 1", "] ++ 1"),
        ("THREADS(count) ((count)", "THREADS (count) ((count)"),
        ("* 32)\n\n", "* 32) "),
        ("const char* input, char*", "const char* input; char*"),
        ("  if (input", "#if 1\n  if (input"),
    ],
    ids=[
        *("number", "text after two slashes", "space in a text", "digits", "sign"),
        *("macro without parameters", "end of a directive", "punctuation", "condition"),
    ],
)
def test_a_changed_token_matters(old: str, new: str, stage_tree: Path) -> None:
    before = digest_of_stage(stage_tree)
    assert old in KERNEL
    (stage_tree / TUNED / "kernel.cuh").write_text(KERNEL.replace(old, new), encoding="utf-8")
    assert digest_of_stage(stage_tree) != before


def test_a_moved_folder_does_not_matter(stage_tree: Path) -> None:
    before = digest_of_stage(stage_tree)
    moved = stage_tree / "stages/thesis/tuned"
    moved.parent.mkdir()
    (stage_tree / TUNED).rename(moved)
    (stage_tree / "common/cuda").rename(stage_tree / "common/device")
    text = KERNEL.replace("common/cuda/", "common/device/")
    (moved / "kernel.cuh").rename(moved / "decode.cuh")
    (moved / "decode.cuh").write_text(text, encoding="utf-8")
    after = sources_digest(stage_tree, ("stages/thesis/tuned", "common/stage", "common/device"))
    assert after == before


def test_a_newly_included_header_matters_wherever_it_is(stage_tree: Path) -> None:
    kernel = stage_tree / TUNED / "kernel.cuh"
    header = stage_tree / "library/tables.hpp"
    header.write_text("constexpr int rows = 4;\n", encoding="utf-8")
    before = digest_of_stage(stage_tree)
    kernel.write_text(
        KERNEL.replace("#include", '#include "library/tables.hpp"\n#include', 1), encoding="utf-8"
    )
    after = digest_of_stage(stage_tree)
    assert after != before
    change(stage_tree, "library/tables.hpp")
    assert digest_of_stage(stage_tree) != after


@pytest.mark.parametrize(
    ("changed", "matters"),
    [
        (BUILD_FILE.replace("a.cpp b.cpp", "b.cpp\n  c.cpp  # renamed\n"), False),
        (BUILD_FILE.replace("-O2", "-O3"), True),
        (BUILD_FILE.replace("a.cpp b.cpp", "b.cpp"), True),
        (BUILD_FILE.replace("a_test.cpp", "a_test.cpp c_test.cpp LIBRARIES all"), False),
        (f"{BUILD_FILE}# flags", False),
    ],
    ids=["renamed source", "flag", "source left out", "test", "comment"],
)
def test_what_a_file_of_cmake_says_of_the_build_matters(changed: str, matters: bool, tree: Path) -> None:
    folder = tree / "reference_cpu"
    for name in ("a", "b", "a_test"):
        (folder / f"{name}.cpp").write_text(f"int {name};", encoding="utf-8")
    (folder / "CMakeLists.txt").write_text(BUILD_FILE, encoding="utf-8")
    before = sources_digest(tree)
    if "c.cpp" in changed:
        (folder / "a.cpp").rename(folder / "c.cpp")
    (folder / "CMakeLists.txt").write_text(changed, encoding="utf-8")
    assert (sources_digest(tree) != before) == matters


def test_what_series_share_has_kernels_of_no_stage(tmp_path: Path) -> None:
    for name in ("gsst/shared/a.cu", "gsst/01_blocks/stage.cu", "other/shared/b.cuh"):
        path = tmp_path / "stages" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("", encoding="utf-8")
    assert shared_parts(tmp_path) == ["gsst/shared"]
    assert shared_parts() == ["gsst/shared"]


@pytest.mark.parametrize("name", ["stages/gsst/shared/payload_check.cuh", "common/frame/frame_check.cuh"])
def test_the_check_of_frames_in_device_memory_is_what_is_shared(name: str, tree: Path) -> None:
    (tree / name).parent.mkdir(parents=True, exist_ok=True)
    change(tree, name)
    before = [verified_digest(part, tree) for part in ("gsst/shared", FIRST)]
    (tree / name).write_text("changed again", encoding="utf-8")
    assert verified_digest("gsst/shared", tree) != before[0]
    assert verified_digest(FIRST, tree) == before[1]
