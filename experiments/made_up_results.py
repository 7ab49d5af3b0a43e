"""Results with made-up rows, for the tests of everything that reads results."""

from typing import Any

from experiments.definition import load_experiment
from experiments.kernel_metrics import KERNEL_METRICS
from experiments.ncu_metrics import METRICS
from experiments.plots.interface import FigureInput
from experiments.published import load_published
from experiments.results import Result
from experiments.sources import target_digest

Row = dict[str, Any]


def environment(**changes: object) -> dict[str, Any]:
    """The environment of a clean measurement, with some fields replaced."""
    fields: dict[str, Any] = {
        "gpu": None,
        "driver": None,
        "cuda": None,
        "clocks": None,
        "ecc": None,
        "cpu": "Made-up CPU (4 processors)",
        "compiler": "made-up compiler 1.0",
        "flags": "Release: -O3",
        "commit": "0123456789" * 4,
        "dirty": False,
        "date": "2026-01-02T03:04:05Z",
        "command": "python -m experiments.run_measurement",
    }
    return {**fields, **changes}


def row(throughput: float | None = 2.0, size: int = 8_000_000, **changes: object) -> Row:
    """One row of a text of `size` bytes; `throughput` None makes one that only counts bytes."""
    seconds = None
    if throughput is not None:
        median = size / throughput / 1e9
        seconds = {
            "median": median,
            "min": 0.9 * median,
            "max": 1.2 * median,
            "stddev": 0.1 * median,
            "repetitions": 10,
        }
    fields: Row = {
        "stage": "reference_cpu/fast",
        "variant": "blocks",
        "operation": "decode",
        "parameters": {},
        "dataset": "tpch/l_comment_sf0.05",
        "dataset_sha256": "ab" * 32,
        "uncompressed_bytes": size,
        "compressed_bytes": 3_000_000,
        "ratio": size / 3_000_000,
        "seconds": seconds,
        "throughput_gb_per_s": throughput,
        "streaming_limit_gb_per_s": None,
        "verified": True,
    }
    return {**fields, **changes}


def threads_rows(throughputs: dict[int, float]) -> list[Row]:
    """Rows of gsst_fig_b_1: GB/s by threads."""
    return [
        row(value, parameters={"threads": threads, "blocks": 6}) for threads, value in throughputs.items()
    ]


def ratio_rows(ratios: dict[tuple[int, int], float]) -> list[Row]:
    """Rows of gsst_fig_5_4: ratio by bytes per block and splits."""
    return [
        row(None, ratio=ratio, parameters={"block_bytes": size, "splits": splits, "blocks": 2})
        for (size, splits), ratio in ratios.items()
    ]


def widths_rows(ratios: dict[tuple[int, int], float], variant: str = "shared table") -> list[Row]:
    """Rows of beyond_widths: ratio by bits of a code and bytes per block."""
    return [
        row(
            None,
            ratio=ratio,
            variant=variant,
            parameters={"code_bits": bits, "block_bytes": size, "level": 9, "blocks": 2},
        )
        for (bits, size), ratio in ratios.items()
    ]


def lengths_rows(ratios: dict[tuple[str, str, int], float]) -> list[Row]:
    """Rows of beyond_longer_symbols: ratio by data set, variant and bytes of the longest symbol."""
    return [
        row(
            None,
            ratio=ratio,
            dataset=dataset,
            variant=variant,
            parameters={"longest_symbol": longest, "code_bits": 12, "table_bytes": 1000},
        )
        for (dataset, variant, longest), ratio in ratios.items()
    ]


def strings_rows(ratios: dict[tuple[str, str, str], float]) -> list[Row]:
    """Rows of beyond_string_ratio: ratio by data set, variant and kind of offsets."""
    return [
        row(
            None, ratio=ratio, dataset=dataset, variant=variant, parameters={"offsets": offsets, "strings": 9}
        )
        for (dataset, variant, offsets), ratio in ratios.items()
    ]


def codecs_rows(throughputs: dict[tuple[str, str], float], **changes: object) -> list[Row]:
    """Rows of gsst_fig_2_2: GB/s by stage and variant."""
    return [
        row(value, stage=stage, variant=variant, **changes) for (stage, variant), value in throughputs.items()
    ]


def stages_rows(throughputs: dict[str, float]) -> list[Row]:
    """Rows of gsst_fig_6_1: GB/s by stage, `best` a tenth above `common`."""
    return [
        row(value * factor, stage=f"gsst/{stage}", policy=policy, streaming_limit_gb_per_s=20_000.0)
        for stage, value in throughputs.items()
        for policy, factor in (("common", 1.0), ("best", 1.1))
    ]


def tuning_rows(throughputs: dict[int, float]) -> list[Row]:
    """Rows of gsst_tuning for 10 multiprocessors: GB/s of the candidates by splits, with 8 blocks per
    multiprocessor; the fastest one is chosen and reaches 1 GB/s more on another text."""
    fixed = {"blocks": 80, "alignment": 32, "input_transfers": 1, "output_transfers": 4, "registers": 56}
    tried = [
        row(
            value,
            stage="gsst/07_tuned",
            parameters={**fixed, "splits": splits},
            dataset="tpch/l_comment_sf0.05, first quarter",
            policy="candidate",
            multiprocessors=10,
        )
        for splits, value in throughputs.items()
    ]
    fastest = max(tried, key=lambda line: line["throughput_gb_per_s"])
    other = "tpch/l_comment_sf0.05, last three quarters"
    value = fastest["throughput_gb_per_s"] + 1
    return [*tried, {**fastest, "throughput_gb_per_s": value, "dataset": other, "policy": "chosen"}]


def data_blocks_rows(throughputs: dict[tuple[int, int], float]) -> list[Row]:
    """Rows of gsst_fig_5_2 for a text of 1 GB: GB/s by bytes of a data block and thread blocks."""
    return [
        row(
            value,
            stage="gsst/07_tuned",
            parameters={"blocks": 1_000_000_000 // size, "splits": 256, "thread_blocks": thread_blocks},
            policy="grid",
            block_bytes=size,
        )
        for (size, thread_blocks), value in throughputs.items()
    ]


def shared_memory_rows(throughputs: dict[int, float]) -> list[Row]:
    """Rows of gsst_fig_5_3: GB/s by KiB of shared memory."""
    return [
        row(
            value,
            stage="gsst/07_tuned",
            parameters={"blocks": 160, "splits": 32, "shared_kilobytes": size},
            policy="grid",
            blocks_per_multiprocessor=16,
        )
        for size, value in throughputs.items()
    ]


def workers_rows(throughputs: dict[tuple[int, int], float]) -> list[Row]:
    """Rows of gsst_fig_5_5 for 10 multiprocessors: GB/s by blocks per multiprocessor and splits."""
    return [
        row(
            value,
            stage="gsst/07_tuned",
            parameters={"blocks": 10 * blocks, "splits": splits},
            policy="grid",
            blocks_per_multiprocessor=blocks,
        )
        for (blocks, splits), value in throughputs.items()
    ]


def sizes_rows(
    throughputs: dict[tuple[str, int, int], float],
    code_bits: int | None = None,
    host_seconds: float | None = None,
) -> list[Row]:
    """Rows of beyond_sizes: GB/s by stage, blocks per multiprocessor and bytes of the text. `code_bits` makes
    them rows of tiles at half of the streaming limit; with `host_seconds` graphs take so much less time."""
    of_tiles: Row = {}
    if code_bits is not None:
        of_tiles["tiles"] = {"code_bits": code_bits, "codes_per_lane": 32, "level": 6, "parse": "optimal"}
    rows = [
        row(
            value,
            size,
            stage=f"gsst/{stage}",
            parameters={"blocks": 10 * blocks, "splits": 256},
            dataset=f"tpch/l_comment_sf60_first_{size}_bytes",
            policy="grid",
            blocks_per_multiprocessor=blocks,
            streaming_limit_gb_per_s=None if code_bits is None else 2 * value,
            **of_tiles,
        )
        for (stage, blocks, size), value in throughputs.items()
    ]
    if host_seconds is not None:
        for made in rows:
            median = made["seconds"]["median"] - host_seconds
            made["graph_seconds"] = {**made["seconds"], "median": median}
    return rows


def levels_rows(throughputs: dict[tuple[str, int, str, int], float], **changes: object) -> list[Row]:
    """Rows of beyond_levels: GB/s of decoding by format, bits of a code, parse and level."""
    seconds = {"median": 0.05, "min": 0.04, "max": 0.06, "stddev": 0.01, "repetitions": 10}
    fields = {
        "training_seconds": seconds,
        "trained_tables": 1,
        "encoding_seconds": seconds,
        "held_out_bytes": 4_000_000,
        "held_out_code_bytes": 1_500_000,
    }
    shared = {"block_bytes": 4 << 20, "threads": 1}
    return [
        row(
            value,
            variant=variant,
            parameters={"level": level, "code_bits": bits, "parse": parse, **shared},
            **{**fields, **changes},
        )
        for (variant, bits, parse, level), value in throughputs.items()
    ]


def ranges_rows(
    throughputs: dict[tuple[str, str, int, float], float], read: dict[str, int] | None = None
) -> list[Row]:
    """Rows of beyond_random_access on a text of 100 MB: GB/s of the wanted bytes by variant, pattern, bytes
    of a range and selectivity. A variant that begins with CPU is the CPU's. `read` is what rows at a
    thousandth, scattered, hold as the memory traffic."""
    rows = []
    for (variant, pattern, range_bytes, selectivity), value in throughputs.items():
        is_cpu = variant.startswith("CPU ")
        count = round(100_000_000 * selectivity / range_bytes)
        made = row(
            value / selectivity,
            100_000_000,
            stage="library/cpu_ranges" if is_cpu else "gsst/11_random_access",
            variant=variant.removeprefix("CPU "),
            parameters={"block_bytes": 4 << 20, "splits": 1},
            throughput_gb_per_s=value,
            pattern=pattern,
            selectivity=selectivity,
            range_bytes=range_bytes,
            range_count=count,
            wanted_bytes=count * range_bytes,
        )
        if not is_cpu:
            made["full_decode_gb_per_s"] = 300.0
        if read is not None and not is_cpu and (pattern, selectivity) == ("scattered", 0.001):
            made["dram_bytes_read"] = read
        rows.append(made)
    return rows


def overlap_rows(
    throughputs: dict[tuple[str, float | None, int], float],
    decode_gb_per_s: float = 50.0,
    last_batch_blocks: int | None = None,
) -> list[Row]:
    """Rows of beyond_overlap for 1280 blocks of ratio 2.5 on an interconnect of 40 GB/s: GB/s by stage,
    GB/s that copies are held back to (None: not held back), and batches."""
    return [
        row(
            value,
            5_000_000_000,
            stage=f"gsst/{stage}",
            parameters={"blocks": 1280, "splits": 256},
            compressed_bytes=2_000_000_000,
            ratio=2.5,
            policy="grid",
            end_to_end=True,
            batches=batches,
            blocks_per_batch=1280 // batches,
            last_batch_blocks=last_batch_blocks or 1280 // batches,
            full_wave_blocks=80,
            interconnect_gb_per_s=interconnect,
            transfer_gb_per_s=interconnect or 40.0,
            decode_gb_per_s=decode_gb_per_s,
            batch_decode_gb_per_s=decode_gb_per_s / 2,
        )
        for (stage, interconnect, batches), value in throughputs.items()
    ]


def pipeline_rows(throughputs: dict[tuple[str, int, int], float], copy_gb_per_s: float = 50.0) -> list[Row]:
    """Rows of zle_beyond_pipeline: GB/s by operation, slots and MiB of a batch, beside one copy."""
    return [
        row(
            value,
            800_000_000,
            stage="zero_length/06_pipeline",
            variant="",
            operation=operation,
            dataset="zero_length/kat7_859",
            parameters={"slots": slots, "batch_mib": batch_mib, "block_bytes": 1 << 20},
            compressed_bytes=776_000_000,
            ratio=800 / 776,
            end_to_end=True,
            batch_bytes=batch_mib << 20,
            batches=-(-763 // batch_mib),
            device_bytes=3 * slots * batch_mib << 20,
            two_way_copy_gb_per_s=copy_gb_per_s,
        )
        for (operation, slots, batch_mib), value in throughputs.items()
    ]


def _paced(reached: float, wanted: int, **more: object) -> Row:
    """A row of sources that wanted so many Gb/s; one of eight blocks was lost."""
    return row(
        reached / 8 * 7 / 8,
        700 << 20,
        operation="encode",
        compressed_bytes=680 << 20,
        ratio=700 / 680,
        wanted_gigabits_per_second=wanted,
        reached_gigabits_per_second=reached,
        offered_blocks=800,
        lost_blocks=100,
        delay_seconds_of_half=0.001,
        delay_seconds_of_99_percent=0.002,
        delay_seconds_of_99_9_percent=0.003,
        longest_delay_seconds=0.004,
        **more,
    )


def line_rate_rows(gigabits: dict[tuple[int, int], float]) -> list[Row]:
    """Rows of zle_beyond_line_rate: Gb/s reached by Gb/s wanted and threads."""
    return [
        _paced(
            value,
            wanted,
            stage="zero_length/feed",
            variant="AVX2",
            dataset="zero_length/kat7_859_shuffled",
            parameters={"block_bytes": 262144, "threads": threads, "vector_bytes": 32},
        )
        for (wanted, threads), value in gigabits.items()
    ]


def line_rate_gpu_rows(gigabits: dict[tuple[str, int, int], float]) -> list[Row]:
    """Rows of zle_beyond_line_rate_gpu: Gb/s reached by variant, Gb/s wanted and MiB of a batch."""
    return [
        _paced(
            value,
            wanted,
            stage="zero_length/06_pipeline",
            variant=variant,
            dataset="zero_length/kat7_859, first 352321536 bytes",
            parameters={"slots": 3, "batch_mib": batch_mib, "block_bytes": 1 << 20},
            sources=1,
            batches=100,
            end_to_end=True,
        )
        for (variant, wanted, batch_mib), value in gigabits.items()
    ]


def checksums_rows(throughputs: dict[tuple[str, str, str], float]) -> list[Row]:
    """Rows of beyond_checksums: GB/s by what wrote the frame, what decompresses it, and the checksums."""
    return [
        row(
            value,
            stage="gsst/07_tuned",
            parameters={"block_bytes": 1048576, "splits": 1024},
            format="splits",
            written_by=writer,
            executor=executor,
            checksums=checksums,
        )
        for (writer, executor, checksums), value in throughputs.items()
    ]


def columns_rows(throughputs: dict[tuple[str, str], float], size: int = 1_000_000_000) -> list[Row]:
    """Rows of beyond_columns: GB/s by column and stage."""
    return [
        row(
            value,
            size,
            stage=f"gsst/{stage}",
            parameters={"blocks": 40, "splits": 256},
            dataset=f"dbtext/{column}_tiled_to_{size}_bytes",
            policy="grid",
            blocks_per_multiprocessor=4,
        )
        for (column, stage), value in throughputs.items()
    ]


def tiles_rows(throughputs: dict[str, float], warps: int = 0, **tiles: object) -> list[Row]:
    """Rows of warp_tiles_ladder: GB/s by variant; the streaming limit is twice as high. `tiles` replace parts
    of how the frame was made."""
    return [
        row(
            value,
            stage="gsst/09_warp_tiles",
            variant=variant,
            parameters={"blocks": 512, "splits": 1, "step": 1, "warps": warps},
            streaming_limit_gb_per_s=2 * value,
            policy="grid",
            block_bytes=2**23,
            tiles={"code_bits": 8, "codes_per_lane": 32, "level": 9, "parse": "greedy", **tiles},
        )
        for variant, value in throughputs.items()
    ]


def tile_widths_rows(throughputs: dict[tuple[str, str], float], size: int = 1_000_000_000) -> list[Row]:
    """Rows of warp_tiles_widths: GB/s, four fifths of the streaming limit, by column and variant, for example
    `12 bits, step 9`."""
    rows = []
    for (column, variant), value in throughputs.items():
        (made,) = columns_rows({(column, "09_warp_tiles"): value}, size)
        code_bits = int(variant.partition(" ")[0])
        tiles = {"code_bits": code_bits, "codes_per_lane": 32, "level": 6, "parse": "optimal"}
        rows.append({**made, "variant": variant, "streaming_limit_gb_per_s": 1.25 * value, "tiles": tiles})
    return rows


def thread_blocks_rows(throughputs: dict[int, float]) -> list[Row]:
    """Rows of beyond_sizes_multiprocessors for 10 multiprocessors: GB/s by thread blocks."""
    return [
        row(
            value,
            stage="gsst/07_tuned",
            parameters={"blocks": 210, "splits": 256, "thread_blocks": thread_blocks},
            policy="grid",
            blocks_per_multiprocessor=21,
        )
        for thread_blocks, value in throughputs.items()
    ]


def counters_rows(memory_percents: dict[str, float]) -> list[Row]:
    """Rows of gsst_table_6_1: percent of the memory throughput by stage, every other counter 7."""
    return [
        row(
            None,
            stage=f"gsst/{stage}",
            policy="common",
            counters={metric.key: 7.0 for metric in METRICS} | {"memory_percent": value},
            l2_write_bytes_per_output_byte=1.5,
        )
        for stage, value in memory_percents.items()
    ]


def kernel_counters_rows(
    instructions: dict[tuple[str, str], float], stage: str, **changes: object
) -> list[Row]:
    """Rows of a stage's profiled kernels: instructions of its warps by variant and kernel. Memory is 60 %
    busy, the issue of instructions 80 %, 9 warps wait for the instruction before, other counters are 7."""
    set_counters = {"memory_percent": 60.0, "issue_percent": 80.0, "stall_wait": 9.0}
    return [
        row(
            None,
            stage=stage,
            variant=variant,
            kernel=kernel,
            kernel_function=f"void {kernel}<8>()",
            counters={metric.key: 7.0 for metric in KERNEL_METRICS} | set_counters | {"instructions": value},
            **changes,
        )
        for (variant, kernel), value in instructions.items()
    ]


def ptx_rows(bytes_per_transfer: dict[int, float]) -> list[Row]:
    """Rows of gsst_table_5_4 for compute capability 8.0: bytes of a transfer by alignment."""
    sides = {
        f"{side}_{key}": value
        for side in ("input", "output")
        for key, value in {
            "load": "ld.u32",
            "store": "st.u32",
            "transfers_per_alignment": 2,
            "occurrences": 4,
        }.items()
    }
    return [
        row(
            None,
            stage="gsst/04_alignment",
            parameters={"alignment": alignment, "compute_capability": 80},
            **sides,
            input_bytes_per_transfer=value,
            output_bytes_per_transfer=value,
        )
        for alignment, value in bytes_per_transfer.items()
    ]


def tables_rows(ratios: dict[tuple[str, int, int, int], float]) -> list[Row]:
    """Rows of the encoder's figures on symbol tables: ratio by data set, entries of the hash table, rows and
    pairs of the match table. Each has two tables of 20 symbols of each length, in 10 rows."""
    return [
        row(
            None,
            operation="encode",
            dataset=dataset,
            ratio=ratio,
            uncompressed_bytes=ratio,
            compressed_bytes=1,
            parameters={
                "block_bytes": 4_194_304,
                "hash_entries": hash_entries,
                "match_rows": match_rows,
                "match_pairs": match_pairs,
            },
            tables={
                "count": 2,
                "symbols_by_length": [40] * 8,
                "mean_short_codes": 1000 * ratio,
                "most_rows": 12,
                "mean_rows": 10.0,
                "most_columns": ratio,
                "mean_columns": 2.0,
            },
        )
        for (dataset, hash_entries, match_rows, match_pairs), ratio in ratios.items()
    ]


def byte_counts_rows(rarest: dict[str, float]) -> list[Row]:
    """Rows of zle_fig_18: number of the rarest byte by data set, of 1,000,000 bytes with 60,000 zeros."""
    return [
        row(
            None,
            size=1_000_000,
            stage="reference_cpu/zero_length",
            variant="zle_bare",
            operation="encode",
            dataset=dataset,
            parameters={"block_bytes": 1 << 20},
            byte_counts=[60_000, *[3_600] * 254, 25_600],
            rarest_byte=7,
            rarest_count=count,
            run_counts=[0, 0, 0, 20, 14_000, 500, 100, 1, 90],
            longer_runs=1,
            saved_by_longer_runs=183,
            longest_run=185,
        )
        for dataset, count in rarest.items()
    ]


def cpu_stages_rows(throughputs: dict[tuple[str, str, int, int], float], **changes: object) -> list[Row]:
    """Rows of stages of the executor cpu: GB/s by stage, operation, threads and bytes at a time."""
    return [
        row(
            value,
            stage=f"zero_length/{stage}",
            variant="",
            operation=operation,
            dataset="zero_length/kat7_859",
            parameters={"block_bytes": 1 << 20, "threads": threads},
            format="zle_bare",
            threads=threads,
            processors=2,
            vector_bytes=vector_bytes,
            compiler_vectorisation=True,
            from_dram=True,
            memcpy_gb_per_s=10.0,
            parallel_memcpy_gb_per_s=10.0 * threads,
            **{"compressed_bytes": 7_744_000, **changes},
        )
        for (stage, operation, threads, vector_bytes), value in throughputs.items()
    ]


def encoder_rows(
    throughputs: dict[tuple[str, int, int], float], stage: str = "gsst/08_gpu_encoder", **parameters: int
) -> list[Row]:
    """Rows of the encoder's figures on throughput: GB/s by variant, threads of a block and bytes of a tile.

    End to end is half as fast; without it encoding takes three quarters of the time beside the checksums."""
    return [
        row(
            value / (2 if end_to_end else 1),
            stage=stage,
            variant=variant,
            operation="encode",
            end_to_end=end_to_end,
            parameters={"threads_per_block": threads, "block_bytes": tile * 128, "splits": 128, **parameters},
            phase_seconds={"checksums": 1.0, "encoding": 0.003 / value, "compaction": 0.001 / value},
            device_seconds=0.004 / value,
            host_seconds=0.00402 / value,
        )
        for (variant, threads, tile), value in throughputs.items()
        for end_to_end in (False, True)
    ]


def made_up_result(target: str, rows: list[Row], machine: str | None = None, **changes: object) -> Result:
    """A result that is not stale; `changes` replace fields of its environment."""
    digest = target_digest(target, (row["stage"] for row in rows))
    return Result(target, environment(**changes), digest, tuple(rows), machine)


def figure_input(
    target: str, rows: list[Row] | None, recorded: tuple[Result, ...] = (), scale: str | None = None
) -> FigureInput:
    """What a figure is drawn from; `rows` None where nothing is measured."""
    result = None if rows is None else made_up_result(load_experiment(target).source, rows)
    return FigureInput(load_experiment(target), load_published(), result, recorded, scale)


def gpu_codecs_rows(points: dict[tuple[str, str], tuple[float, float]], **changes: object) -> list[Row]:
    """Rows of gsst_fig_6_2: ratio and GB/s by stage and variant."""
    return [
        row(
            throughput,
            stage=stage,
            variant=variant,
            ratio=ratio,
            compressed_bytes=round(8_000_000 / ratio),
            **changes,
        )
        for (stage, variant), (ratio, throughput) in points.items()
    ]


def memory_rows(beyond: dict[tuple[str, str], float], size: int = 8_000_000) -> list[Row]:
    """Rows of gsst_fig_6_4: bytes beyond input and output by stage and variant."""
    return [
        row(
            None,
            size,
            stage=stage,
            variant=variant,
            gpu_memory={"beyond_input_and_output_bytes": value, "free_memory_drop_bytes": value + 2**21},
        )
        for (stage, variant), value in beyond.items()
    ]


def encoder_codecs_rows(points: dict[tuple[str, str], tuple[float, float]]) -> list[Row]:
    """Rows of encoder_fig_11: ratio and GB/s by stage and variant, ours by `tables given` and `end to end`,
    FSST on the CPU by its threads."""
    rows = []
    for (stage, variant), point in points.items():
        changes: Row = {"operation": "encode", "end_to_end": variant != "tables given"}
        if stage.startswith("reference_cpu/"):
            changes["parameters"] = {"threads": int(variant)}
        rows += gpu_codecs_rows({(stage, variant): point}, **changes)
    return rows


def encoder_memory_rows(beyond: dict[tuple[str, str], float], output_bytes: int = 16_000_000) -> list[Row]:
    """Rows of encoder_fig_13: bytes beyond input and output by stage and variant."""
    return [
        {**line, "operation": "encode", "gpu_memory": {**line["gpu_memory"], "output_bytes": output_bytes}}
        for line in memory_rows(beyond)
    ]


def made_up_command_times() -> dict[str, Any]:
    """A record of how long two commands took."""
    load = {"processors": 2, "taken_by_others": 0.01}
    return {
        "schema": 1,
        "environment": {
            "cpu": "Made-up CPU (2 processors)",
            "memory_bytes": 8_000_000_000,
            "gpu": None,
            "nvcc": "13.0.88",
            "compiler": "GNU 12.2.0",
            "has_data_folder": True,
            "commit": "0123456789abcdef0123456789abcdef01234567",
            "date": "2026-01-02T03:04:05Z",
        },
        "commands": [
            {"command": "make one", "seconds": 5400.0, "status": 0, "load": load},
            {"command": "make two", "seconds": 1500.5, "status": 0, "load": load},
        ],
    }
