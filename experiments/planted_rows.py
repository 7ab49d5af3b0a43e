"""Made-up rows of every target that is measured, with one number to follow through the figures."""

from experiments.made_up_results import (
    Row,
    codecs_rows,
    columns_rows,
    counters_rows,
    data_blocks_rows,
    gpu_codecs_rows,
    levels_rows,
    memory_rows,
    overlap_rows,
    ptx_rows,
    ratio_rows,
    shared_memory_rows,
    sizes_rows,
    stages_rows,
    thread_blocks_rows,
    threads_rows,
    tuning_rows,
    workers_rows,
)

PLANTED = 12345.6
# Rows of every target that is measured, one of them with a value that stands nowhere else.
PLANTED_ROWS: dict[str, list[Row]] = {
    "beyond_columns": columns_rows({("l_comment", "07_tuned"): 300.0, ("city", "06_async"): PLANTED}),
    "beyond_levels": levels_rows({1: 3.0, 9: PLANTED}),
    "beyond_overlap": overlap_rows({("07_tuned", 22, 1): PLANTED, ("07_tuned", 22, 8): 40.0}),
    "beyond_sizes": sizes_rows({("07_tuned", 4, 1_000_000): 20.0, ("07_tuned", 4, 9_000_000): PLANTED}),
    "beyond_sizes_multiprocessors": thread_blocks_rows({1: 2.0, 7: PLANTED, 64: 100.0}),
    "gsst_fig_2_2": codecs_rows({("reference_cpu/fast", "blocks"): 3.0, ("peer/zstd", "level 3"): PLANTED}),
    "gsst_fig_5_2": data_blocks_rows({(2**20, 512): 100.0, (2**20, 1024): PLANTED, (2**21, 512): 90.0}),
    "gsst_fig_5_3": shared_memory_rows({0: 100.0, 10: 100.0, 20: 80.0, 40: PLANTED}),
    "gsst_fig_5_4": ratio_rows({(92592593, 32): 2.5, (46296297, 32): PLANTED, (46296297, 64): 2.7}),
    "gsst_fig_5_5": workers_rows({(8, 192): 300.0, (8, 256): PLANTED, (16, 32): 200.0}),
    "gsst_fig_6_1": stages_rows({"01_blocks": 2.0, "02_splits": PLANTED}),
    "gsst_fig_6_2": gpu_codecs_rows(
        {("gsst/07_tuned", ""): (2.8, 400.0), ("nvcomp/ANS", "manager"): (1.8, PLANTED)}
    ),
    "gsst_fig_6_4": memory_rows({("gsst/07_tuned", ""): 2112, ("nvcomp/ANS", "manager"): PLANTED}),
    "gsst_fig_b_1": threads_rows({1: 2.0, 2: PLANTED, 4: 7.0}),
    "gsst_table_5_4": ptx_rows({16: PLANTED, 32: 16.0}),
    "gsst_table_6_1": counters_rows({"01_blocks": 50.0, "02_splits": PLANTED}),
    "gsst_tuning": tuning_rows({192: 300.0, 256: PLANTED}),
}
