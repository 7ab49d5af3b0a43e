from pathlib import Path

import pytest

from experiments.made_up_results import (
    encoder_rows,
    kernel_counters_rows,
    made_up_result,
    stages_rows,
    tiles_rows,
)
from experiments.results import Result
from tools.stage_pages import LINE_LENGTH
from tools.stages import DefaultStage
from tools.update_readme import (
    details_section,
    example_session,
    kernels_table,
    measured_section,
    replace_section,
    stage_table,
    stages_of_readme,
    tables_of_series,
    updated_files,
    updated_stage_pages,
    wrapped,
)

_STAGE = {
    "id": "gsst/01_blocks",
    "title": "Blocks",
    "section": "4.2.1",
    "formats": ["blocks"],
    "operation": "decode",
    "minimum_compute_capability": "8.0",
    "parameters": {},
}
_BEGIN = "<!-- stages: begin, written by tools/update_readme.py -->\n"
_END = "<!-- stages: end -->"


def test_a_section_is_replaced_and_the_rest_is_kept() -> None:
    text = f"before\n{_BEGIN}old\n{_END}\nafter\n"
    assert replace_section(text, "stages", "new\n") == f"before\n{_BEGIN}new\n{_END}\nafter\n"


@pytest.mark.parametrize("text", ["", f"{_BEGIN}", f"{_END}\n{_BEGIN}", f"{_BEGIN}{_END}\n{_BEGIN}{_END}"])
def test_a_section_must_be_there_once(text: str) -> None:
    with pytest.raises(ValueError, match="one section 'stages'"):
        replace_section(text, "stages", "new\n")


def test_without_stages_the_table_says_so() -> None:
    assert "No stage is registered yet" in stage_table([])


def test_a_stage_is_a_row() -> None:
    assert stage_table([_STAGE]).splitlines()[2] == (
        "| [gsst/01_blocks](stages/gsst/01_blocks/stage.md) | Blocks | 4.2.1 | blocks | decode | 8.0 "
        "| not measured yet |"
    )
    row = stage_table([{**_STAGE, "formats": ["splits", "tiles"]}]).splitlines()[2]
    assert "| 4.2.1 | splits, tiles | decode |" in row


def throughputs() -> list[Result]:
    """What a machine recorded of two stages."""
    rows = stages_rows({"01_blocks": 2.0, "02_splits": 24.0})
    return [made_up_result("gsst_fig_6_1", rows, "h200", gpu="Made-up GPU")]


def test_the_default_stages_of_a_format_are_a_row() -> None:
    lines = [
        DefaultStage("a", "decode", "simt", "x/03_c"),
        DefaultStage("a", "decode", "gpu", "x/01_a"),
        DefaultStage("b", "ranges", "gpu", "x/02_b"),
        DefaultStage("b", "query", "gpu", "y/01_q"),
    ]
    assert kernels_table(lines).splitlines()[2:] == [
        "| `a` | [x/01_a](../stages/x/01_a/stage.md) |  |  |  |",
        "| `b` |  |  | [x/02_b](../stages/x/02_b/stage.md) | [y/01_q](../stages/y/01_q/stage.md) |",
    ]


def test_a_machine_that_measured_is_a_column() -> None:
    other = {**_STAGE, "id": "gsst/03_shared_memory"}
    header, _, first, second = stage_table([_STAGE, other], throughputs()).splitlines()
    assert header.endswith(
        "| compute capability | GB/s on H200, best parameters | of | ratio | level of the tables |"
    )
    assert first.endswith("| 8.0 | 2.2 | 0.01 GB of l_comment | 2.67 | 1 |")
    assert second.endswith("| 8.0 | not measured yet | - | - | - |")


def test_the_readme_lists_the_stages_that_have_a_throughput_for_it() -> None:
    other = {**_STAGE, "id": "gsst/03_shared_memory"}
    assert stages_of_readme([_STAGE, other], throughputs()) == [_STAGE]


def test_each_series_has_a_heading_and_links_from_docs() -> None:
    other = {**_STAGE, "id": "codag/01_thread_block"}
    lines = tables_of_series([other, _STAGE, {**_STAGE, "id": "gsst/02_splits"}], []).splitlines()
    assert [line for line in lines if line.startswith("#")] == ["## gsst", "## codag"]
    assert [line.split(" |")[0] for line in lines if line.startswith("| [")] == [
        "| [gsst/01_blocks](../stages/gsst/01_blocks/stage.md)",
        "| [gsst/02_splits](../stages/gsst/02_splits/stage.md)",
        "| [codag/01_thread_block](../stages/codag/01_thread_block/stage.md)",
    ]


def test_a_stage_that_was_measured_otherwise_names_its_page() -> None:
    other = {**_STAGE, "id": "zero_length/05_cuda_scan"}
    measured = made_up_result("zle_cuda", encoder_rows({("", 256, 8192): 5.0}, other["id"]), "h100")
    *_, row = stage_table([_STAGE, other], [*throughputs(), measured]).splitlines()
    assert row.endswith("| 8.0 | see its page | - | - | - |")
    *_, row = stage_table([other], [measured]).splitlines()
    assert row.endswith("| 8.0 | see its page |")


def test_a_stage_without_a_record_says_so() -> None:
    assert "**Measured on H200** (Made-up GPU" in measured_section("gsst/02_splits", throughputs())
    text = measured_section("gsst/03_shared_memory", throughputs())
    assert text == "**Measured**: not measured yet.\n"
    assert measured_section("gsst/02_splits", []) == text


def test_an_encoder_shows_its_last_step_with_and_without_training() -> None:
    steps = encoder_rows({("1 naive", 128, 4096): 5.0, ("8 compaction", 128, 4096): 20.0})
    ladder = made_up_result("encoder_ladder", steps, "h200")
    encoder = {**_STAGE, "id": "gsst/08_gpu_encoder", "operation": "encode"}
    row = stage_table([encoder], [ladder]).splitlines()[2]
    assert row.endswith("| 20; 10 with training | 0.01 GB of l_comment | 2.67 | 1 |")


def test_a_decoder_with_two_rows_shows_both_and_what_they_share_once() -> None:
    rows = tiles_rows({"10 symbol halves, 12 bits": 1500.0}, code_bits=12)
    level_1 = {**tiles_rows({"9, 8 bits, level 1": 900.0}, level=1)[0], "ratio": 2.5}
    decoder = {**_STAGE, "id": "gsst/09_warp_tiles", "operation": "decode"}
    row = stage_table(
        [decoder], [made_up_result("warp_tiles_ladder", [*rows, level_1], "h200")]
    ).splitlines()[2]
    assert row.endswith(
        "| 1500; 900 | 0.01 GB of l_comment | 2.67; 2.50 "
        "| 9 (12 bits, greedy parse); 1 (8 bits, greedy parse) |"
    )


def test_what_limits_a_stage_is_a_detail() -> None:
    rows = kernel_counters_rows({("9 one front", "decoding"): 1e6}, "gsst/09_warp_tiles")
    tiles = {"code_bits": 12, "codes_per_lane": 32, "level": 6, "parse": "optimal"}
    rows = [{**row, "tiles": tiles} for row in rows]
    counters = [made_up_result("warp_tiles_counters", rows, "h200", gpu="Made-up GPU")]
    text = details_section("gsst/09_warp_tiles", counters)
    assert "What limits it" not in measured_section("gsst/09_warp_tiles", counters)
    assert text.startswith("**What limits it on H200** (Made-up GPU, counters of NVIDIA Nsight Compute, 2026")
    assert "| 9 one front | l_comment, 12 bits | issue, 80 % | memory, 60 % |" in text


def test_paragraphs_are_wrapped_and_tables_are_not() -> None:
    row = f"| {'cell ' * LINE_LENGTH}|"
    sentence = "word " * LINE_LENGTH
    text = wrapped(f"{sentence}\n\n{row}\nshort\n")
    lines = text.splitlines()
    assert row in lines
    assert lines[-1] == "short"
    assert max(len(line) for line in lines if line != row) == LINE_LENGTH - 1
    assert text.split() == f"{sentence} {row} short".split()
    assert wrapped("") == ""


@pytest.mark.parametrize("sign", ["+", "-", "#", "1.", "%"])
def test_no_line_begins_with_a_sign_that_would_begin_a_list_or_a_heading(sign: str) -> None:
    lines = [wrapped(f"{'x' * length} {sign} sum").splitlines() for length in range(100, LINE_LENGTH)]
    assert not [line for pair in lines for line in pair if line.startswith(sign)]


def test_notes_hold_the_details_of_a_stage(tmp_path: Path) -> None:
    stage, notes = tmp_path / "stage.md", tmp_path / "notes.md"
    section = "<!-- {0}: begin, written by tools/update_readme.py -->\n{1}<!-- {0}: end -->\n"
    stage.write_text(section.format("measured", ""), encoding="utf-8")
    assert updated_stage_pages(tmp_path, "fast", "") == {stage: section.format("measured", "fast\n")}
    with pytest.raises(ValueError, match=r"notes\.md must have one section 'details'"):
        updated_stage_pages(tmp_path, "fast", "detail")
    notes.write_text(section.format("details", "old\n"), encoding="utf-8")
    for details in ("detail\n", ""):
        assert updated_stage_pages(tmp_path, "fast", details)[notes] == section.format("details", details)


def test_a_page_without_the_section_is_named() -> None:
    with pytest.raises(ValueError, match=r"stages/x/stage\.md must have one section 'measured'"):
        replace_section("text", "measured", "new\n", "stages/x/stage.md")


def test_a_failing_example_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match="failed"):
        example_session(tmp_path)


def test_readme_and_stage_pages_show_what_command_and_records_say_now() -> None:
    stale = [path.name for path, text in updated_files().items() if path.read_text(encoding="utf-8") != text]
    assert stale == [], "run `.venv/bin/python -m tools.update_readme`"
