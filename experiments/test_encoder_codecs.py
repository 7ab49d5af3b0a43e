"""The figures that set the GPU encoder beside other compressors."""

import csv
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest

from experiments.made_up_results import Row, encoder_codecs_rows, encoder_memory_rows, figure_input
from experiments.make_figure import comparison_table, make_figure
from experiments.plots import encoder_fig_10, encoder_fig_11, encoder_fig_13
from experiments.results import load_result, recorded_paths

ENCODER, LZ4, ZSTD = "gsst/08_gpu_encoder", "nvcomp/LZ4", "nvcomp/Zstd"
POINTS = {
    (ENCODER, "tables given"): (2.8, 150.0),
    (ENCODER, "end to end"): (2.8, 100.0),
    (LZ4, "manager"): (2.0, 20.0),
    (LZ4, "batched"): (2.5, 25.0),
    ("reference_cpu/encoder", "1"): (2.9, 0.25),
    ("reference_cpu/encoder", "16"): (2.9, 4.0),
}


def compared(target: str, rows: list[Row]) -> pd.Series:
    return comparison_table(figure_input(target, rows)).set_index("quantity")["yours"]


def test_the_encoder_end_to_end_is_compared_with_the_faster_interface_and_the_cpu() -> None:
    ours = compared("encoder_fig_11", encoder_codecs_rows(POINTS))
    assert ours["compression throughput"] == pytest.approx(100.0)
    assert ours["throughput relative to LZ4"] == pytest.approx(4.0)
    assert ours["ratio relative to LZ4"] == pytest.approx(1.12)
    assert ours["throughput relative to FSST, one thread"] == pytest.approx(400.0)
    assert ours["throughput relative to FSST, all threads"] == pytest.approx(25.0)
    assert pd.isna(ours["throughput relative to Zstd"])
    assert pd.isna(ours["LC throughput"])


def test_one_cpu_thread_is_not_taken_for_all() -> None:
    rows = encoder_codecs_rows({key: POINTS[key] for key in POINTS if key[1] != "16"})
    ours = compared("encoder_fig_11", rows)
    assert ours["throughput relative to FSST, one thread"] == pytest.approx(400.0)
    assert pd.isna(ours["throughput relative to FSST, all threads"])


def test_the_paper_s_factors_become_throughputs(tmp_path: Path) -> None:
    make_figure(figure_input("encoder_fig_11", encoder_codecs_rows(POINTS)), tmp_path)
    with (tmp_path / "encoder_fig_11.csv").open(encoding="utf-8") as file:
        lines = {(line["series"], line["codec"]): line for line in csv.DictReader(file)}
    # 74 / 3.86
    assert float(lines["paper, derived", "LZ4"]["throughput_gb_per_s"]) == pytest.approx(19.17, abs=0.01)
    assert float(lines["paper, cited", "GPULZ at best"]["throughput_gb_per_s"]) == 29.0
    assert lines["paper, derived", "LZ4"]["ratio"] == ""
    front = {codec for (_, codec), line in lines.items() if line["pareto"] == "True"}
    # The codec with given tables is faster, but the others are measured end to end.
    assert front == {"end to end", "FSST, 16 CPU threads"}


def test_the_paper_s_percents_are_drawn_from_our_points_on() -> None:
    (record,) = recorded_paths("encoder_fig_10")
    result = load_result(record)
    throughputs, ratios = encoder_fig_10.draw(
        replace(figure_input("encoder_fig_10", []), result=result)
    ).figure.axes
    for axes, label, factor in ((throughputs, "paper: -3 %", 0.97), (ratios, "paper, DBText: +2 %", 1.02)):
        (line,) = (line for line in axes.lines if line.get_label() == label)
        start, end = line.get_ydata()
        assert end == pytest.approx(factor * start)
        ours = {float(y) for drawn in axes.lines if drawn is not line for y in drawn.get_ydata()}
        assert float(start) in ours


def test_codecs_that_were_not_measured_are_named() -> None:
    notes = encoder_fig_11.draw(figure_input("encoder_fig_11", encoder_codecs_rows(POINTS))).notes
    assert any("nvCOMP manager Zstd" in note and "LZ4" not in note for note in notes), notes
    ours = encoder_codecs_rows({key: POINTS[key] for key in POINTS if key[0] == ENCODER})
    notes = encoder_fig_11.draw(figure_input("encoder_fig_11", ours)).notes
    assert any("nvCOMP was not measured" in note for note in notes), notes


def test_memory_is_compared_in_sizes_of_the_output() -> None:
    rows = encoder_memory_rows({(ENCODER, ""): 20_000_000, (ZSTD, "batched"): 10}, output_bytes=16_000_000)
    assert compared("encoder_fig_13", rows)["buffers beyond input and output"] == pytest.approx(1.25)


def test_allocations_are_named_in_gigabytes_per_second() -> None:
    (row,) = encoder_memory_rows({(ENCODER, ""): 20_000_000})
    seconds = {"median": 0.001, "min": 0.001, "max": 0.001, "stddev": 0.0, "repetitions": 10}
    times = {"without_allocations": seconds, "with_allocations": {**seconds, "median": 0.002}}
    rows = [{**row, "end_to_end_seconds": times}]
    notes = encoder_fig_13.draw(figure_input("encoder_fig_13", rows)).notes
    assert any("compresses 8 GB/s, and 4 GB/s where" in note for note in notes), notes
    assert not any(
        "End to end" in note for note in encoder_fig_13.draw(figure_input("encoder_fig_13", [row])).notes
    )


def test_a_codec_that_needs_less_through_one_interface_is_counted_once() -> None:
    beyond = {
        ("gsst/08_gpu_encoder", ""): 20_000_000,
        ("nvcomp/LZ4", "manager"): 30_000_000,
        ("nvcomp/LZ4", "batched"): 10_000_000,
        ("nvcomp/ANS", "manager"): 1_000,
        ("nvcomp/ANS", "batched"): 1_000,
        ("nvcomp/Zstd", "manager"): 20_000_001,
    }
    assert compared("encoder_fig_13", encoder_memory_rows(beyond))["compressors that need less memory"] == 2


def test_the_paper_s_buffer_is_drawn_as_large_as_our_output() -> None:
    rows = encoder_memory_rows({(ENCODER, ""): 20_000_000}, output_bytes=16_000_000)
    figure = encoder_fig_13.draw(figure_input("encoder_fig_13", rows)).figure
    texts = [text.get_text() for text in figure.axes[0].texts]
    assert any("1 buffer like the output,\n16 MB here" in text for text in texts), texts
