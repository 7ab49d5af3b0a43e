"""Made-up rows of every target that is measured, with one number to follow through the figures."""

from experiments.made_up_results import (
    Row,
    byte_counts_rows,
    checksums_rows,
    codecs_rows,
    columns_rows,
    counters_rows,
    cpu_stages_rows,
    data_blocks_rows,
    encoder_codecs_rows,
    encoder_memory_rows,
    encoder_rows,
    gpu_codecs_rows,
    kernel_counters_rows,
    lengths_rows,
    levels_rows,
    line_rate_gpu_rows,
    line_rate_rows,
    memory_rows,
    overlap_rows,
    pipeline_rows,
    ptx_rows,
    ranges_rows,
    ratio_rows,
    row,
    shared_memory_rows,
    sizes_rows,
    stages_rows,
    strings_rows,
    tables_rows,
    thread_blocks_rows,
    threads_rows,
    tile_widths_rows,
    tiles_rows,
    tuning_rows,
    widths_rows,
    workers_rows,
)

PLANTED = 12345.6


def _lengths_rows(symbols: float) -> list[Row]:
    """Rows of encoder_fig_3 with so many symbols of one byte."""
    (row,) = tables_rows({("dbtext/hex", 256, 256, 256): 2.0})
    return [{**row, "tables": {**row["tables"], "symbols_by_length": [symbols, *[40] * 7]}}]


def _phases_rows(throughput: float) -> list[Row]:
    """Rows of encoder_fig_12, one of them with this throughput of the encoding kernel in GB/s."""
    first, second = encoder_rows({("", 32, 1024): 50.0, ("", 64, 1024): 60.0})[::2]
    more = {"transposition": 0.001, "frame": 0.001}
    phases = {**second["phase_seconds"], **more, "encoding": 1e-9}
    return [
        {**first, "phase_seconds": {**first["phase_seconds"], **more}},
        {**second, "uncompressed_bytes": throughput, "phase_seconds": phases},
    ]


def _columns_of_integers(throughputs: dict[tuple[str, str, int], float], **changes: object) -> list[Row]:
    """Rows on columns of integers: GB/s by stage, column and the threads of a thread block."""
    return [
        row(
            throughput,
            stage=f"tile_integer/{stage}",
            dataset=f"tile_integer/{column}",
            parameters={"threads": threads},
            streaming_limit_gb_per_s=100.0,
            **changes,
        )
        for (stage, column, threads), throughput in throughputs.items()
    ]


def _queries_rows(milliseconds: dict[tuple[str, str, str], float], **changes: object) -> list[Row]:
    """Rows on queries: ms of a query as a graph, by query, variant and storage; else half as much more."""
    seconds = {"min": 0.1, "max": 20.0, "stddev": 0.1, "repetitions": 10}
    return [
        row(
            # So much that the quotient of bytes and throughput is the time.
            1 / (1.5 * value),
            # 10^12 bytes to the second of the streaming limit below.
            10**6,
            stage="tile_integer/09_queries",
            variant=variant,
            operation="query",
            dataset="ssb/tables_sf20",
            parameters={"skip": 1, "block_bytes": 4 << 20},
            query=query,
            storage=storage,
            fact_rows=120_000_000,
            streaming_limit_gb_per_s=1000.0,
            **{
                "place": "device",
                "seconds": {**seconds, "median": 1.5e-3 * value},
                "graph_seconds": {**seconds, "median": 1e-3 * value},
                **changes,
            },
        )
        for (query, variant, storage), value in milliseconds.items()
    ]


def _chunks_rows(throughputs: dict[tuple[str, str], float]) -> list[Row]:
    """Rows on chunks of ORC's run lengths: GB/s by stage and variant."""
    return [
        row(
            throughput,
            stage=f"codag/{stage}",
            variant=variant,
            dataset="tile_integer/runs_4",
            streaming_limit_gb_per_s=1000.0,
        )
        for (stage, variant), throughput in throughputs.items()
    ]


# Rows of every target that is measured, one of them with a value that stands nowhere else.
PLANTED_ROWS: dict[str, list[Row]] = {
    "beyond_checksums": checksums_rows(
        {
            ("gpu", "gpu", "compared"): PLANTED,
            ("gpu", "gpu", "skipped"): 400.0,
            ("cpu", "gpu", "compared"): 20.0,
            ("cpu", "gpu", "skipped"): 400.0,
            ("cpu", "cpu", "compared"): 1.0,
            ("cpu", "cpu", "skipped"): 1.2,
        }
    ),
    "beyond_columns": columns_rows({("l_comment", "07_tuned"): 300.0, ("city", "06_async"): PLANTED}),
    "beyond_levels": levels_rows(
        {("blocks", 8, "greedy", 1): 3.0, ("tiles", 12, "optimal", 9): PLANTED},
        dataset="tpch/l_comment_sf1.2_first_33554432_bytes",
    ),
    "beyond_longer_symbols": lengths_rows(
        {
            ("tpch/l_comment_sf1.2_first_33554432_bytes", "format tiles", 8): 4.2,
            ("tpch/l_comment_sf1.2_first_33554432_bytes", "study", 8): 4.0,
            ("tpch/l_comment_sf1.2_first_33554432_bytes", "study", 16): PLANTED,
            ("dbtext/ps_comment", "study", 16): 5.0,
        }
    ),
    "beyond_model_of_accesses": [
        row(
            None,
            stage="gsst/04_alignment",
            variant="",
            policy="common",
            dataset="tpch/l_comment",
            model={"sectors_per_load": 2.5, "sectors_per_store": PLANTED, "bank_conflicts_per_byte": 0.1},
            counted={"sectors_per_load": 2.0, "sectors_per_store": 1.9, "bank_conflicts_per_byte": 0.2},
        )
    ],
    "beyond_overlap": overlap_rows({("07_tuned", 22, 1): PLANTED, ("07_tuned", 22, 8): 40.0}),
    "beyond_random_access": ranges_rows(
        {
            ("tiles of 12 bits", "scattered", 32, 0.001): PLANTED,
            ("tiles of 12 bits", "scattered", 32, 1): 40.0,
        }
    ),
    "beyond_sizes": sizes_rows({("07_tuned", 4, 1_000_000): 20.0, ("07_tuned", 4, 9_000_000): PLANTED}),
    "beyond_sizes_multiprocessors": thread_blocks_rows({1: 2.0, 7: PLANTED, 64: 100.0}),
    "beyond_string_ratio": strings_rows(
        {
            ("dbtext/city", variant, offsets): PLANTED if (variant, offsets) == ("block", "packed") else 2.0
            for variant in ("block", "each string")
            for offsets in ("none", "32 bits", "packed")
        }
    ),
    "beyond_widths": widths_rows({(8, 65536): 3.5, (12, 65536): PLANTED}),
    "codag_all_thread_alu": [
        {**made, "operations": 4}
        for made in _chunks_rows({("02_warp", "one lane"): 40.0, ("03_all_threads", "all lanes"): PLANTED})
    ],
    "codag_beyond_chunks": [
        {**made, "codec": "rle_v1", "chunk_kib": kib, "parameters": {"blocks": 64}}
        for kib, throughput in ((16, 40.0), (128, PLANTED))
        for made in _chunks_rows({("07_parallel_runs", ""): throughput})
    ],
    "codag_beyond_files": [
        *(
            row(value, stage="codag/orc", column="orderkey", coding="v1", compression=compression)
            for compression, value in (("none", 600.0), ("zlib", 200.0))
        ),
        row(
            PLANTED,
            stage="codag/08_substreams",
            variant="BGZF",
            members="bgzf",
            graph_seconds={"median": 0.5, "min": 0.5, "max": 0.5, "stddev": 0.0, "repetitions": 10},
        ),
    ],
    "codag_beyond_ladder": [
        {**made, "codec": "rle_v1"}
        for made in _chunks_rows({("02_warp", ""): 40.0, ("03_all_threads", ""): PLANTED})
    ],
    "codag_beyond_throughput": [
        {**made, "codec": "rle_v1"}
        for made in _chunks_rows(
            {("05_writes", "stage 05"): 40.0, ("07_parallel_runs", "stage 07"): PLANTED},
        )
    ],
    "codag_buffers": _chunks_rows(
        {("03_all_threads", "no buffer"): 40.0, ("04_reads", "registers"): PLANTED}
    ),
    "codag_fig_5": [
        {**made, "codec": "RLE v1", "dataset": "codag/mc0"}
        for stage, variant, instructions in (
            ("01_thread_block", "a thread block", 20.0),
            ("05_writes", "a warp", PLANTED),
        )
        # So much that a compressed byte takes that many instructions.
        for made in kernel_counters_rows(
            {(variant, "decoding"): instructions}, f"codag/{stage}", compressed_bytes=1
        )
    ],
    "codag_beyond_instructions": [
        {**made, "codec": "rle_v1", "dataset": "lineitem/orderkey"}
        for stage, instructions in (("05_writes", 50.0), ("07_parallel_runs", PLANTED))
        for made in kernel_counters_rows(
            {("", "decoding"): instructions}, f"codag/{stage}", compressed_bytes=1
        )
    ],
    "codag_fig_7": [
        {**made, "codec": "RLE v1"}
        for made in _chunks_rows(
            {("01_thread_block", "a thread block"): 3.0, ("05_writes", "a warp"): PLANTED}
        )
    ],
    "codag_fig_8": _chunks_rows(
        {("01_thread_block", "thread block, rle v1"): 3.0, ("05_writes", "warp, rle v1"): PLANTED}
    ),
    "codag_beyond_member": [
        row(value, stage="codag/10_one_member", variant=variant, work="decode and CRC-32")
        for variant, value in (("level 6, 64 KiB", 25.0), ("level 9, 64 KiB", PLANTED))
    ],
    "codag_gzip_checksums": [
        row(value, stage="codag/08_substreams", work=work)
        for work, value in (
            *(("decode", 200.0), ("CRC-32", PLANTED), ("decode and CRC-32", 180.0)),
            *(("Adler-32", 900.0), ("decode and Adler-32", 190.0)),
        )
    ],
    "codag_single_thread": [
        {**made, "codec": "RLE v1"}
        for made in _chunks_rows({("02_warp", "one lane"): 40.0, ("03_all_threads", "all lanes"): PLANTED})
    ],
    "codag_table_5": [
        row(
            None,
            stage="reference_cpu/codag",
            variant=variant,
            operation="encode",
            dataset="codag/mc0",
            parameters={"block_bytes": 1 << 17, "type": "u64"},
            uncompressed_bytes=20_000,
            compressed_bytes=stored,
            values=2_500,
            symbols=100,
        )
        for variant, stored in (("orc_rle_v1", 500), ("orc_rle_v2", PLANTED), ("deflate", 250))
    ],
    "encoder_fig_3": _lengths_rows(PLANTED),
    "encoder_fig_8": tables_rows({("dbtext/hex", 16, 256, 256): PLANTED, ("dbtext/hex", 256, 256, 256): 2.0}),
    "encoder_fig_9": tables_rows({("dbtext/hex", 256, 32, 8): PLANTED, ("dbtext/hex", 256, 256, 256): 2.0}),
    "encoder_fig_10": encoder_rows({("", 128, 4096): 70.0}, match_pairs=8)
    + encoder_rows({("", 128, 4096): PLANTED}, match_pairs=16),
    "encoder_fig_11": encoder_codecs_rows(
        {
            ("gsst/08_gpu_encoder", "tables given"): (2.8, 140.0),
            ("gsst/08_gpu_encoder", "end to end"): (2.8, PLANTED),
            ("nvcomp/LZ4", "batched"): (2.5, 20.0),
        }
    ),
    "encoder_fig_12": _phases_rows(PLANTED),
    "encoder_fig_13": encoder_memory_rows(
        {("gsst/08_gpu_encoder", ""): PLANTED, ("nvcomp/LZ4", "batched"): 10**9}, output_bytes=1
    ),
    "encoder_ladder": encoder_rows({("1 naive", 128, 4096): 5.0, ("2 hash indirection", 128, 4096): PLANTED}),
    "encoder_table_1": tables_rows({("dbtext/hex", 256, 256, 256): PLANTED}),
    "engine_batched": [
        row(
            throughput,
            size=65_536 * number,
            stage="gsst/09_warp_tiles",
            calls=calls,
            frames=frames,
            large_frame_gb_per_s=20_000.0,
            parameters={"block_bytes": 65_536},
            dataset=f"tpch/l_comment_first_{65_536 * number}_bytes",
        )
        for number in (10, 1000)
        for calls, frames, throughput in (
            ("one", number, PLANTED if number == 1000 else 400.0),
            ("each", number, 30.0),
            ("large frame", 1, 20_000.0),
        )
    ],
    "engine_columns": [
        row(
            throughput,
            stage=stage,
            variant=variant,
            operation=operation,
            ratio=ratio,
            microseconds_each=3.0,
        )
        for stage, variant, ratio in (
            ("library/column", "dense", 3.5),
            ("library/column", "lookup", 3.0),
            ("peer/parquet", "zstd 1", 4.0),
            ("peer/zstd", "level 1", 4.2),
        )
        for operation, throughput in (
            ("encode", 0.4),
            ("decode", PLANTED if variant == "dense" else 2.0),
            *([] if stage == "peer/zstd" else [("query", 0.01)]),
        )
    ],
    "engine_files": [
        row(
            stage="gsst/09_warp_tiles",
            variant=variant,
            device=device,
            format="tiles",
            seconds={"median": seconds, "min": 1.0, "max": 2e4, "stddev": 0.1, "repetitions": 10},
            cp_seconds={"median": 0.5},
            link_gb_per_s={"up": 50.0, "down": 51.0},
        )
        for variant, device, seconds in (
            ("test", "gpu", 5.0),
            ("to a file", "gpu", PLANTED),
            ("to a file", "cpu", 2.0),
        )
    ],
    "engine_lookups": [
        row(
            2.0,
            stage="library/column_lookup",
            variant=variant,
            format="tiles",
            microseconds_each=microseconds,
            first_microseconds=900.0,
            first_microseconds_unchecked=90.0,
            strings=20_000_000,
            looked_up_strings=500_000,
        )
        for variant, microseconds in (("one string", PLANTED), ("batches", 0.125))
    ],
    "engine_mixed_text": [
        row(
            throughput,
            stage="library/tiles",
            variant=variant,
            operation=operation,
            dataset="mixed/dbtext",
            ratio=ratio,
            parameters={"level": 1, "block_bytes": block_bytes, "threads": 1},
            named_block_bytes=block_bytes if variant == "named" else 0,
        )
        for variant, block_bytes, ratio in (
            ("named", 2**18, 2.0),
            ("named", 2**22, 1.5),
            ("chosen", 2**18, 2.0),
        )
        for operation, throughput in (("encode", 0.2), ("decode", PLANTED if block_bytes == 2**22 else 4.0))
    ],
    "engine_peers": [
        row(
            throughput,
            stage="library/tiles",
            variant=f"level {level}",
            operation=operation,
            parameters={"level": level, "threads": 1},
        )
        for level, operation, throughput in (
            (1, "decode", 4.0),
            (1, "encode", 0.4),
            (3, "decode", PLANTED),
            (3, "encode", 0.02),
        )
    ],
    "engine_small_frames": [
        row(
            throughput,
            stage="gsst/09_warp_tiles",
            calls=calls,
            frames=frames,
            large_frame_gb_per_s=20_000.0,
            block_bytes=block_bytes,
        )
        for calls, frames, block_bytes, throughput in (
            ("one", 100, 65_536, PLANTED),
            ("each", 100, 65_536, 30.0),
            ("large frame", 1, 65_536, 20_000.0),
            ("one", 400, 16_384, 8_000.0),
            ("each", 400, 16_384, 8.0),
            ("large frame", 1, 16_384, 20_000.0),
        )
    ],
    "engine_tiles_cpu": [
        row(2.0, stage="cpu/tiles", variant=variant, beside_code_bits=12, times_fsst=times)
        for variant, times in (("portable", 1.5), ("avx2", PLANTED))
    ],
    "gsst_fig_2_2": codecs_rows({("reference_cpu/fast", "blocks"): 3.0, ("peer/zstd", "level 3"): PLANTED}),
    "gsst_fig_5_2": data_blocks_rows({(2**20, 512): 100.0, (2**20, 1024): PLANTED, (2**21, 512): 90.0}),
    "gsst_fig_5_3": shared_memory_rows({0: 100.0, 10: 100.0, 20: 80.0, 40: PLANTED}),
    "gsst_fig_5_4": ratio_rows({(92592593, 32): 2.5, (46296297, 32): PLANTED, (46296297, 64): 2.7}),
    "gsst_fig_5_5": workers_rows({(8, 192): 300.0, (8, 256): PLANTED, (16, 32): 200.0}),
    "gsst_fig_6_1": stages_rows({"01_blocks": 2.0, "02_splits": PLANTED}),
    "gsst_fig_6_2": gpu_codecs_rows(
        {("gsst/07_tuned", ""): (2.8, 400.0), ("nvcomp/ANS", "manager"): (1.8, PLANTED)}
    ),
    "gsst_fig_6_4": memory_rows({("gsst/07_tuned", ""): PLANTED, ("nvcomp/ANS", "manager"): 10**9}),
    "gsst_fig_b_1": threads_rows({1: 2.0, 2: PLANTED, 4: 7.0}),
    "gsst_table_5_4": ptx_rows({16: PLANTED, 32: 16.0}),
    "gsst_table_6_1": counters_rows({"01_blocks": 50.0, "02_splits": PLANTED}),
    "gsst_tuning": tuning_rows({192: 300.0, 256: PLANTED}),
    "tile_beyond_4_gb": _columns_of_integers(
        {("10_wide_tiles", "mixed", 64): 80.0, ("10_wide_deltas", "ascending", 64): PLANTED}
    ),
    "tile_beyond_cpu": [
        {
            **made,
            "stage": f"tile_integer/{stage}",
            "format": "for",
            "dataset": f"tile_integer/uniform_{width}",
        }
        for (stage, width), made in zip(
            (("13_cpu_codec", 1), ("13_cpu_codec", 2)),
            cpu_stages_rows({("codec", "encode", 1, 1): 4.0, ("codec", "decode", 1, 64): PLANTED}),
            strict=True,
        )
    ],
    "tile_beyond_deltas": _columns_of_integers(
        {("10_wide_deltas", "gaps_1", 64): 80.0, ("05_delta", "gaps_2", 64): PLANTED}
    ),
    "tile_beyond_encoder": [
        {
            **made,
            "variant": variant,
            "operation": "encode",
            "end_to_end": False,
            # Together as long as the throughput says without checksums.
            "seconds": {**made["seconds"], "median": made["seconds"]["median"] + 1.0},
            "phase_seconds": {"checksums": 1.0},
        }
        for variant, made in zip(
            ("for, one pass", "dfor, one pass"),
            _columns_of_integers(
                {("11_gpu_encoder", "uniform_1", 256): 80.0, ("11_gpu_encoder", "gaps_1", 256): PLANTED}
            ),
            strict=True,
        )
    ],
    "tile_beyond_instructions": [
        {**made, "dataset": "tile_integer/uniform_16"}
        for stage, instructions in (("01_global", 20.0), ("10_interleaved", PLANTED))
        # So much that a value takes that many instructions.
        for made in kernel_counters_rows(
            {("", "decoding"): instructions}, f"tile_integer/{stage}", uncompressed_bytes=128
        )
    ],
    "tile_beyond_instructions_encoder": [
        {**made, "variant": variant, "operation": "encode", "dataset": "tile_integer/uniform_8"}
        for variant, instructions in (("for, two passes", 20.0), ("for, one pass", PLANTED))
        # So much that a value takes that many instructions.
        for made in kernel_counters_rows(
            {("", "encoding"): instructions},
            "tile_integer/11_gpu_encoder",
            uncompressed_bytes=128,
            made_with={"format": "for"},
        )
    ],
    "tile_beyond_instructions_limit": [
        {**made, "dataset": "tile_integer/uniform_6"}
        for made in kernel_counters_rows(
            {
                ("", "tiles of 256 threads x 1 words, a block per tile"): 5.0,
                ("", "tiles of 1024 threads x 2 words, a block per tile"): PLANTED,
            },
            "tile_integer/10_wide_tiles",
            uncompressed_bytes=128,
        )
    ],
    "tile_beyond_instructions_queries": [
        {**made, "query": "q1.1", "variant": variant, "operation": "query"}
        for variant, instructions in (("plain", 5.0), ("wide", PLANTED))
        # So much that a value takes that many instructions.
        for made in kernel_counters_rows(
            {("", "asking"): instructions}, "tile_integer/09_queries", uncompressed_bytes=128
        )
    ],
    "tile_beyond_instructions_sums": [
        {**made, "dataset": "tile_integer/uniform_16", "operation": "query"}
        for stage, instructions in (("10_wide_sums", 5.0), ("10_interleaved_sums", PLANTED))
        for made in kernel_counters_rows(
            {("", "summing"): instructions}, f"tile_integer/{stage}", uncompressed_bytes=128
        )
    ],
    "tile_beyond_instructions_widths": [
        {**made, "dataset": f"tile_integer/{column}"}
        for column, instructions in (("uniform_6", 5.0), ("uniform_24", PLANTED))
        for made in kernel_counters_rows(
            {("", "decoding"): instructions}, "tile_integer/10_wide_tiles", uncompressed_bytes=128
        )
    ],
    "tile_beyond_interleaved": _columns_of_integers(
        {("10_wide_tiles", "uniform_4", 128): 80.0, ("10_interleaved", "uniform_8", 128): PLANTED}
    ),
    "tile_beyond_parquet": [
        {**made, "dataset": "parquet/gaps_16_pages_4096", "encoding": "delta", "page_values": page_values}
        for page_values, stage, throughput in (
            (4096, "12_parquet_delta", 40.0),
            (16384, "12_parquet_delta", PLANTED),
            (4096, "10_wide_deltas", 80.0),
        )
        for made in _columns_of_integers(
            {(stage, "gaps_16", 64): throughput}, phase_seconds={"finding_pieces": 0.5}
        )
    ],
    "tile_beyond_queries": _queries_rows(
        {("q1.1", "plain", "plain"): 0.3, ("q1.1", "packed", "packed"): PLANTED}
    ),
    "tile_beyond_runs": _columns_of_integers(
        {("06_runs", "runs_1", 0): 80.0, ("06_runs", "runs_2", 0): PLANTED}
    ),
    "tile_beyond_steps": _columns_of_integers(
        {("04_miniblock_offsets", "mixed", 64): 80.0, ("04_miniblock_offsets", "uniform_8", 64): PLANTED}
    ),
    "tile_beyond_sums": _columns_of_integers(
        {("10_wide_sums", "uniform_4", 256): 80.0, ("10_wide_sums", "uniform_8", 256): PLANTED},
        operation="query",
    ),
    "tile_beyond_widths": _columns_of_integers(
        {("10_wide_tiles", "uniform_1", 64): 80.0, ("04_miniblock_offsets", "uniform_2", 64): PLANTED}
    ),
    "tile_beyond_widths_i64": _columns_of_integers(
        {("10_wide_tiles", "uniform_1_i64", 64): 80.0, ("10_wide_tiles", "uniform_2_i64", 256): PLANTED}
    ),
    "tile_compression_speed": [
        row(
            throughput,
            stage="reference_cpu/codec",
            variant=name,
            operation="encode",
            dataset="tile_integer/uniform_16",
            parameters={"block_bytes": 4194304, "threads": 16},
            # So many bytes that the seconds are those of the figure.
            uncompressed_bytes=10**9,
            memcpy_gb_per_s=20.0,
            seconds={"median": seconds, "min": 1.0, "max": 2e4, "stddev": 0.1, "repetitions": 10},
        )
        for name, throughput, seconds in (("for", 0.5, 2.0), ("dfor", 1 / PLANTED, PLANTED))
    ],
    "tile_compression_speed_gpu": [
        row(
            1000 / seconds,
            stage="tile_integer/11_gpu_encoder",
            variant=variant,
            operation="encode",
            end_to_end=True,
            dataset="tile_integer/uniform_16",
            parameters={"passes": 1},
            # So many bytes that the seconds are the milliseconds of the figure.
            uncompressed_bytes=10**12,
            seconds={"median": seconds, "min": 1.0, "max": 2e4, "stddev": 0.1, "repetitions": 10},
        )
        for variant, seconds in (("for, one pass", 2.0), ("dfor, one pass", PLANTED))
    ],
    "tile_fig_9": [
        row(
            2.0,
            stage="reference_cpu/codec",
            variant=name,
            dataset="ssb/lo_orderdate_sf20",
            uncompressed_bytes=4,
            compressed_bytes=stored,
        )
        for name, stored in (("for", 3), ("rfor", 2), ("bp", PLANTED))
    ],
    "tile_fig_10": [
        row(
            throughput,
            stage=f"tile_integer/{stage}",
            variant=variant,
            dataset="ssb/lo_orderdate_sf20",
            streaming_limit_gb_per_s=1000.0,
        )
        for stage, variant, throughput in (
            ("04_miniblock_offsets", "for", 2.0),
            ("07_bit_packing", "bp", PLANTED),
        )
    ],
    "tile_fig_11": _queries_rows(
        {("q1.1", "plain", "plain"): 0.3, ("q1.1", "GPU-*", "smallest"): PLANTED / 1.5}
    ),
    "tile_fig_12": _queries_rows(
        {("q1.1", "plain", "plain"): 0.3, ("q1.1", "GPU-*", "smallest"): PLANTED / 1.5},
        link_gb_per_s=50.0,
        place="host",
        end_to_end=True,
    ),
    "tile_fig_5": [
        row(
            throughput,
            stage=f"tile_integer/{stage}",
            dataset="tile_integer/uniform_16",
            parameters={"blocks_per_tile": 4},
            streaming_limit_gb_per_s=100.0,
        )
        for stage, throughput in (("03_many_blocks", 80.0), ("04_miniblock_offsets", PLANTED))
    ],
    "tile_fig_5_registers": [
        row(
            throughput,
            stage="tile_integer/04_registers",
            variant=variant,
            operation="query",
            dataset="tile_integer/uniform_16",
            parameters={"step": step, "blocks_per_tile": 4},
            streaming_limit_gb_per_s=100.0,
        )
        for variant, step, throughput in (("03_many_blocks", 3, 80.0), ("04_miniblock_offsets", 4, PLANTED))
    ],
    "tile_fig_7b": [
        row(
            2.0,
            stage="reference_cpu/codec",
            variant=name,
            dataset="tile_integer/uniform_16",
            uncompressed_bytes=32,
            compressed_bytes=stored,
        )
        for name, stored in (("for", 17), ("dfor", PLANTED))
    ],
    "tile_fig_7a": [
        {**made, "variant": variant}
        for variant, made in zip(
            ("for", "for, 2 kernels", "dfor"),
            _columns_of_integers(
                {
                    ("04_miniblock_offsets", "uniform_16", 0): PLANTED,
                    ("07_cascaded", "uniform_16", 0): 30.0,
                    ("05_delta", "uniform_4", 0): 80.0,
                },
                # So much that copying takes as long as the throughput of the streaming limit says.
                copy_moved_gb_per_s=200.0,
            ),
            strict=True,
        )
    ],
    "tile_fig_8_d1": _columns_of_integers(
        {("06_runs", "sorted_268435456", 0): 80.0, ("06_runs", "sorted_4", 0): PLANTED}, variant="rfor"
    ),
    "tile_fig_8_d2": [
        {**made, "variant": variant}
        for variant, made in zip(
            ("for", "for", "nsf"),
            _columns_of_integers(
                {
                    ("04_miniblock_offsets", "normal_1073741824", 0): 80.0,
                    ("04_miniblock_offsets", "normal_256", 0): PLANTED,
                    ("07_nsf", "normal_1073741824", 0): 90.0,
                }
            ),
            strict=True,
        )
    ],
    "tile_fig_8_d3": _columns_of_integers(
        {("04_miniblock_offsets", "zipf_1", 0): 80.0, ("05_delta", "zipf_1_5", 0): PLANTED}
    ),
    "tile_ladder": [
        {**made, "stage": f"tile_integer/{stage}", "seconds": {**made["seconds"], "median": seconds}}
        # So many bytes that the seconds are the milliseconds of the figure.
        for made in [
            row(
                20.0,
                2 * 10**12,
                dataset="tile_integer/uniform_16",
                streaming_limit_gb_per_s=100.0,
            )
        ]
        for stage, seconds in (("01_global", 18.0), ("04_miniblock_offsets", PLANTED))
    ],
    "tile_ladder_registers": [
        {
            **made,
            "variant": variant,
            "parameters": {"step": step},
            "seconds": {**made["seconds"], "median": seconds},
        }
        # So many bytes that the seconds are the milliseconds of the figure.
        for made in [
            row(
                20.0,
                2 * 10**12,
                stage="tile_integer/04_registers",
                operation="query",
                dataset="tile_integer/uniform_16",
                streaming_limit_gb_per_s=100.0,
            )
        ]
        for variant, step, seconds in (("01_global", 1, 18.0), ("04_miniblock_offsets", 4, PLANTED))
    ],
    "tile_layouts": [
        {
            **made,
            "stage": f"tile_integer/{stage}",
            "variant": variant,
            "parameters": parameters,
            "seconds": {**made["seconds"], "median": seconds},
        }
        # So many bytes that the seconds are the milliseconds of the figure.
        for made in [row(20.0, 2 * 10**12, dataset="tile_integer/uniform_16", streaming_limit_gb_per_s=100.0)]
        for stage, variant, parameters, seconds in (
            ("04_miniblock_offsets", "D = 16", {"blocks_per_tile": 16}, 18.0),
            ("08_vertical", "step 1", {"step": 1}, PLANTED),
        )
    ],
    "tile_layouts_registers": [
        {
            **made,
            "stage": f"tile_integer/{stage}",
            "variant": variant,
            "parameters": parameters,
            "seconds": {**made["seconds"], "median": seconds},
        }
        # So many bytes that the seconds are the milliseconds of the figure.
        for made in [
            row(
                20.0,
                2 * 10**12,
                operation="query",
                dataset="tile_integer/uniform_16",
                streaming_limit_gb_per_s=100.0,
            )
        ]
        for stage, variant, parameters, seconds in (
            ("04_registers", "D = 16", {"step": 4, "blocks_per_tile": 16}, 18.0),
            ("08_vertical_registers", "step 1", {"step": 1}, PLANTED),
        )
    ],
    "tile_layouts_query": _queries_rows(
        {("q1.1", "GPU-FOR", "packed"): 0.3, ("q1.1", "vertical, as in the paper", "vertical"): PLANTED}
    ),
    "search_columns": [
        row(
            throughput,
            stage="search/05_wide_codes",
            variant=variant,
            operation="query",
            dataset=f"dbtext/{column}_tiled_to_300000000_bytes",
            frequency="rare",
            pattern="Einstein",
            output="count",
            matches_per_mb=2.0,
            streaming_limit_gb_per_s=19000.0,
        )
        for column, throughput in (("wiki", 9000.0), ("yago", PLANTED))
        for variant in ("8 bits", "10 bits", "12 bits")
    ],
    "search_counters": [
        {**made, "code_bits": 12, "operation": "query", "frequency": "rare", "pattern": "final warthogs"}
        for stage, instructions in (("04_queue", 5.0), ("05_wide_codes", PLANTED))
        # So much that a code takes that many instructions.
        for made in kernel_counters_rows(
            {("12 bits", "searching"): instructions}, f"search/{stage}", compressed_bytes=48
        )
    ],
    "search_ladder": [
        row(
            throughput,
            stage=f"search/{stage}",
            variant="10 bits",
            operation="query",
            frequency="rare",
            pattern="final warthogs",
            output=output,
            matches=40,
            matches_per_mb=5.0,
            streaming_limit_gb_per_s=19000.0,
        )
        for stage, output, throughput in (
            *(("01_decode_then_search", output, 1500.0) for output in ("count", "positions")),
            ("04_queue", "count", PLANTED),
            ("04_queue", "positions", 12000.0),
            *(
                (stage, output, 11000.0)
                for stage in ("05_wide_codes", "06_hot_set", "07_automaton", "08_second_look", "09_rows")
                for output in ("count", "positions")
            ),
        )
    ],
    "search_cpu": [
        row(
            throughput,
            stage=stage,
            variant=variant,
            operation="query",
            parameters={"threads": 1},
            question=question,
            matched_lines=40,
        )
        for question in ("a rare string", "expression, no word")
        for stage, variant, throughput in (
            ("search/codes", "8 bits", 6.0),
            ("search/codes", "12 bits", PLANTED if question == "a rare string" else 2.5),
            ("search/decoded", "12 bits", 2.0),
            ("search/decoded_to_grep", "12 bits", 1.0),
            ("peer/zstd_grep", "level 3", 0.5),
            ("peer/grep", "text", 1.5),
        )
    ],
    "search_columns_rows": [
        row(
            throughput,
            stage=stage,
            variant=variant,
            operation="query",
            output=output,
            question="a rare string" if output != "take" else "1000 rows",
            matched_strings=40,
        )
        for output in ("rows", "matching strings", "filter", "take")
        for stage, variant, throughput in (
            ("search/column", "dense", 10.0),
            ("search/column_decoded", "dense", 2.0),
            ("peer/arrow_compute", "", 1.0),
            # Of 8 MB: so many milliseconds.
            ("peer/duckdb", "", 8 / PLANTED if output == "filter" else 1.5),
            *([("search/column", "lookup", 9.0)] if output == "take" else []),
        )
    ]
    + [
        row(
            11.0,
            stage="search/frame",
            variant="frame",
            operation="query",
            output="count",
            question="a rare string",
            matched_strings=40,
        )
    ],
    "search_engines": [
        row(
            throughput,
            stage=stage,
            variant="count",
            operation="query",
            question=question,
            kind=kind,
            pattern="%final%",
            strings=1000,
            matched_strings=40,
        )
        for question, kind in (("a rare string", "like"), ("expression, no word", "expression"))
        for stage, throughput in (
            ("search/column", PLANTED if kind == "like" else 0.5),
            ("search/column_decoded", 0.5),
            ("peer/arrow_compute", 0.6),
            ("peer/duckdb", 1.2),
        )
    ],
    "search_patterns": [
        row(
            throughput,
            stage="search/05_wide_codes",
            variant=variant,
            operation="query",
            frequency=frequency,
            pattern=pattern,
            output=output,
            matches_per_mb=matches_per_mb,
            streaming_limit_gb_per_s=19_000.0,
        )
        for variant in ("8 bits", "10 bits", "12 bits")
        for output in ("count", "positions")
        for frequency, pattern, matches_per_mb, throughput in (
            ("never", "zzqx", 0.0, 15_000.0),
            ("rare", "final warthogs", 5.0, PLANTED if variant == "8 bits" else 11_000.0),
            ("hundred", "special requests", 105.0, 8_000.0),
        )
    ],
    "search_sizes": [
        row(
            throughput,
            size=size,
            stage="search/05_wide_codes",
            variant="10 bits",
            operation="query",
            frequency="rare",
            pattern="final warthogs",
            output="count",
            matches_per_mb=5.0,
            streaming_limit_gb_per_s=19_000.0,
        )
        for size, throughput in ((67_108_864, 2000.0), (1_073_741_824, PLANTED))
    ],
    "tile_random_access": [
        row(
            2.0,
            stage="tile_integer/09_queries",
            variant="plain",
            operation="query",
            dataset="tile_integer/uniform_16",
            parameters={"block_bytes": 4 << 20},
            selectivity=selectivity,
            seconds={"median": seconds / 1000, "min": 1e-4, "max": 20.0, "stddev": 0.1, "repetitions": 10},
        )
        for selectivity, seconds in ((0.001, 0.5), (1, PLANTED))
    ],
    "wide_encoder_columns": [
        {**row, "dataset": "dbtext/l_comment_tiled_to_1000000000_bytes"}
        for row in encoder_rows(
            {("", 128, 4096): PLANTED, ("splits of 16 KiB", 128, 16384): 300.0}, stage="gsst/10_wide_encoder"
        )
    ],
    "wide_encoder_ladder": encoder_rows(
        {("1 warp chunks", 128, 4096): 5.0, ("2 hash entries", 128, 4096): PLANTED},
        stage="gsst/10_wide_encoder",
    ),
    "wide_encoder_counters": kernel_counters_rows(
        {("6 GPU training", "encoding"): PLANTED},
        "gsst/10_wide_encoder",
        operation="encode",
        compressed_bytes=32,
    ),
    "warp_tiles_counters": kernel_counters_rows(
        {("9 one front", "decoding"): PLANTED},
        "gsst/09_warp_tiles",
        compressed_bytes=32,
        tiles={"code_bits": 8, "codes_per_lane": 32, "level": 9, "parse": "optimal"},
    ),
    "warp_tiles_widths": tile_widths_rows({("wiki", "8 bits"): 2000.0, ("wiki", "12 bits"): PLANTED}),
    "warp_tiles_ladder": [
        *tiles_rows({"1 tiles": 1000.0, "2 table copies": PLANTED}),
        *tiles_rows({"2, 9 warps": 1500.0}, warps=9),
    ],
    "zle_beyond_counters": [
        {**made, "dataset": "zero_length/kat7_859"}
        for made in kernel_counters_rows(
            {("one pass", "encoding"): PLANTED},
            "zero_length/05_cuda_scan",
            operation="encode",
            uncompressed_bytes=32,
        )
    ],
    "zle_beyond_decode": [
        row(
            PLANTED,
            stage="zero_length/05_cuda_scan",
            variant="05, step 1",
            dataset="zero_length/kat7_859",
            block_bytes=8192,
            streaming_limit_gb_per_s=PLANTED,
        )
    ],
    "zle_beyond_dictionary": [
        {**made, "format": "zle_dictionary", "parameters": {"block_bytes": 1 << 21, "threads": 1}}
        for made in cpu_stages_rows(
            {("08_dictionary", "encode", 1, 4): 1.0, ("08_dictionary", "decode", 1, 64): PLANTED},
        )
    ],
    "zle_beyond_grid": [
        {**made, "dataset": "zero_length/runs_62_4"}
        for made in cpu_stages_rows(
            {("03_simd", "encode", 1, 64): 4.0, ("03_simd", "decode", 1, 64): PLANTED}
        )
    ],
    "zle_beyond_grid_gpu_decode": [
        row(
            PLANTED,
            stage="zero_length/05_cuda_scan",
            variant="05, step 2",
            dataset="zero_length/runs_62_4",
            streaming_limit_gb_per_s=PLANTED,
        )
    ],
    "zle_beyond_grid_gpu_encode": [
        {**made, "dataset": "zero_length/runs_62_4", "streaming_limit_gb_per_s": PLANTED}
        for made in encoder_rows({("05, one pass", 256, 8192): PLANTED}, stage="zero_length/05_cuda_scan")
    ],
    "zle_beyond_line_rate": line_rate_rows({(40, 1): 35.0, (40, 2): PLANTED}),
    "zle_beyond_line_rate_gpu": line_rate_gpu_rows({("a minute", 40, 16): 40.0, ("", 40, 4): PLANTED}),
    "zle_beyond_marker": [
        row(
            None,
            stage="reference_cpu/zero_length",
            variant="zle_markers",
            operation="encode",
            dataset="zero_length/kat7_859",
            parameters={"block_bytes": 1 << 20, "marker": marker, "runs_of_4": runs},
            uncompressed_bytes=20_000,
            compressed_bytes=stored,
        )
        for marker, runs, stored in (
            ("ff", "two bytes", 19_000),
            ("ff", "one byte", 18_000),
            ("rarest", "two bytes", 18_500),
            ("rarest", "one byte", PLANTED),
        )
    ],
    "zle_beyond_pipeline": pipeline_rows(
        {("encode", 3, 16): 40.0, ("encode", 3, 32): PLANTED, ("decode", 3, 16): 41.0}
    ),
    "zle_cuda": [
        row(
            throughput,
            stage=f"zero_length/{stage}",
            variant=variant,
            operation="encode",
            end_to_end=False,
            dataset="zero_length/kat7_859",
            phase_seconds={"finding": 0.001},
            streaming_limit_gb_per_s=PLANTED,
        )
        for stage, variant, throughput in (
            ("04_cuda_runs", "04, bare", 20.0),
            ("05_cuda_scan", "05, one pass, 256 threads", PLANTED),
        )
    ],
    "zle_fig_17": [
        {
            **made,
            "tool": "zero_length/03_simd",
            "peak_memory_bytes": 9 << 20,
            "idle_memory_bytes": 5 << 20,
            "file_system": "ext4",
            "seconds": {**made["seconds"], "median": PLANTED},
        }
        for made in cpu_stages_rows({("03_simd", "encode", 4, 32): 2.0})
    ],
    "zle_fig_20": [
        *cpu_stages_rows({("02_openmp", "encode", 2, 1): 2.0, ("02_openmp", "decode", 2, 1): 3.0}),
        *cpu_stages_rows({("03_simd", "encode", 1, 32): PLANTED, ("03_simd", "decode", 1, 32): 5.0}),
    ],
    "zle_fig_21": cpu_stages_rows(
        {("03_simd", "encode", 1, 32): 4.0, ("03_simd", "encode", 2, 32): PLANTED / 8}
    ),
    "zle_fig_22": [
        {
            **made,
            "variant": variant,
            "file_system": "ext4",
            "device": "nvme0n1",
            "medium": "not rotational",
            "cached_input_bytes": 0,
        }
        for variant, speed in (("disk to disk", 1.0), ("reading alone", PLANTED / 8), ("writing alone", 2.0))
        for made in cpu_stages_rows({("03_simd", "encode", 1, 64): speed})
    ],
    "zle_fig_23": cpu_stages_rows(
        {("03_simd", "encode", 2, 32): PLANTED / 8, ("03_simd", "decode", 2, 32): 9.0}
    ),
    "zle_intrinsics": cpu_stages_rows(
        {("01_naive", "encode", 1, 1): 1.0, ("03_simd", "encode", 1, 32): PLANTED}
    ),
    "zle_fig_18": byte_counts_rows({"zero_length/kat7_15": 3000.0, "zero_length/kat7_859": PLANTED}),
}
