"""The digest of the sources that a result measured: says whether a recorded result is stale.

It is of the tokens of the files, not of their names or places: a moved folder, a renamed file, a comment and
the layout of lines leave it as it is.

python -m experiments.sources TARGET --stages ID [ID ...]    prints the digest of a target's measurement
"""

import argparse
import hashlib
import os
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path

from experiments.definition import load_experiment
from experiments.former_ids import present_id
from experiments.include_closure import CXX_SUFFIXES, include_closure
from experiments.source_tokens import tokens_of
from tools.stages import default_stages

REPOSITORY_ROOT = Path(__file__).parent.parent
# The library's C interface, which names the formats that the library knows.
_INTERFACE = "include/gsst/gsst.h"
# Which stages of a series the library runs.
_DEFAULT_STAGES = "stages/{}/defaults.txt"
# Where series register their formats.
FORMATS = "common/format/*/formats.cpp"
# What an encoder includes, and nothing else of a stage: the contract of encoders.
_CONTRACT_OF_ENCODERS = "common/stage/encode_plans.hpp"
_KERNEL_SUFFIXES = frozenset({".cu", ".cuh"})
_BUILD_FILE = "CMakeLists.txt"
_SEARCH_ON_CPU = re.compile(r'#include "(search/codes/\w+)\.hpp"')
_COMMANDS_OF_TESTS = frozenset({"gsst_add_test", "gsst_add_benchmark"})
SOURCE_SUFFIXES = CXX_SUFFIXES | {".cmake"}

# Of the shared parts of the measuring programs, what the studies on the CPU take.
_SHARED_WITH_CPU = tuple(
    f"experiments/measure/shared/{name}"
    for name in (
        *("error.hpp", "input_file.cpp", "input_file.hpp", "row.cpp", "row.hpp", "statistics.cpp"),
        "statistics.hpp",
    )
)
# Headers, records and index of frames, on the host.
FRAME_SOURCES = (
    "common/frame/checksum.cpp",
    "common/frame/checksum.hpp",
    "common/frame/frame.cpp",
    "common/frame/frame.hpp",
    "common/frame/frame_fields.hpp",
    "common/frame/frame_reader.cpp",
    "common/frame/frame_reader.hpp",
    "common/frame/index_entry.hpp",
    "common/frame/payload_checker.cpp",
    "common/frame/payload_checker.hpp",
)
# Folders and files, below the root, that every measurement of a kind depends on.
CPU_SOURCES = ("common/format", *FRAME_SOURCES, "reference_cpu", "experiments/measure_cpu", *_SHARED_WITH_CPU)
# Training and parsing of the levels above 1, in reference_cpu: only a measurement of levels runs them.
HIGHER_LEVEL_SOURCES = tuple(
    f"reference_cpu/{name}"
    for name in (
        *("cost_lanes.hpp", "length_classes.cpp", "length_classes.hpp", "optimal_encoder.cpp"),
        *("optimal_encoder.hpp", "optimal_parse.cpp", "optimal_parse.hpp", "sample_analysis.cpp"),
        *("sample_analysis.hpp", "sample_strings.cpp", "sample_strings.hpp", "size_measure.hpp"),
        *("symbol_automaton.cpp", "symbol_automaton.hpp", "train_dictionary.cpp", "train_dictionary.hpp"),
    )
)
# Writing of tiles: only measurements of wide codes run it.
TILE_SOURCES = (
    *("common/format/gsst/shared_tables.cpp", "common/format/gsst/shared_tables.hpp"),
    *("common/format/gsst/tiles.cpp", "common/format/gsst/tiles.hpp", "common/format/gsst/tiles_header.hpp"),
    *("reference_cpu/table_sharing.cpp", "reference_cpu/table_sharing.hpp"),
    *("reference_cpu/tile_banks.cpp", "reference_cpu/tile_banks.hpp", "reference_cpu/tile_codec.cpp"),
    *("reference_cpu/tile_codec.hpp", "reference_cpu/tile_matcher.cpp", "reference_cpu/tile_matcher.hpp"),
    *("reference_cpu/tile_parse.hpp", "reference_cpu/tile_plan.cpp", "reference_cpu/tile_plan.hpp"),
    *("reference_cpu/tile_table.cpp", "reference_cpu/tile_table.hpp", "reference_cpu/train_tiles.cpp"),
    "reference_cpu/train_tiles.hpp",
)
# Of the library, what looks up strings of a column.
_LOOKUP_PARTS = (
    *("arrow_strings", "block_lookup", "column", "decompress_plan", "frame_reader", "lookup_column"),
    *("lookup_column_writer", "lookup_plan", "ranges", "string_block", "string_frame", "string_starts"),
)
# Of the Python package, what has columns of strings and searches them: its module's parts, and its own code.
_MODULE_PARTS = ("column", "column_input", "searches")
_PACKAGE_OF_COLUMNS = ("_arrow", "_column", "_column_search", "_parts", "_search", "_values")
# What measures it.
_MODULES_OF_COLUMNS = (
    *("column_codecs", "engines", "matches", "packages", "row_selections", "speed", "text_column"),
    "timed_ways",
)
# Of the library, what compresses columns, gives them back, looks up and searches.
_COLUMN_PARTS = (
    *_LOOKUP_PARTS,
    *("arrow_matches", "block_strings", "column_borders", "column_search", "compress_plan", "frame_search"),
    *("lookup_compress_plan", "searched_frame"),
)
# Of the command, what searches files.
_GREP_PARTS = (
    *("cpu_decoding", "file_descriptor", "file_slices", "grep_command", "input_file"),
    "mapped_file",
)
# Programs on the CPU that measure one kind: what they depend on.
_SOURCES_OF_CPU_KIND = {
    # With its stages, which measured_paths() adds.
    "accesses": (
        *("experiments/measure_accesses", "experiments/model_of_accesses.py", "common/simt", "common/stage"),
        *("experiments/measure/shared/points.cpp", "experiments/measure/shared/points.hpp"),
        *FRAME_SOURCES,
        *_SHARED_WITH_CPU,
    ),
    # With those of its formats' series, which target_digest() adds.
    "codec_speed": (
        *("experiments/measure_codec_speed", "experiments/measure_cpu/verified_timing.cpp"),
        *("experiments/measure_cpu/verified_timing.hpp", "experiments/measure_cpu_stages/memory_copy.cpp"),
        *("experiments/measure_cpu_stages/memory_copy.hpp", "reference_cpu/codec.cpp"),
        *("reference_cpu/codec.hpp", "reference_cpu/parallel.cpp", "reference_cpu/parallel.hpp"),
        *FRAME_SOURCES,
        *_SHARED_WITH_CPU,
    ),
    "cpu_stages": (
        "experiments/measure_cpu_stages",
        *("common/format/zero_length/zero_length.hpp", "common/frame/checksum.cpp"),
        *("common/frame/checksum.hpp", "reference_cpu/parallel.cpp", "reference_cpu/parallel.hpp"),
        *_SHARED_WITH_CPU,
    ),
    "disk": (
        *("experiments/measure_disk", "stages/zero_length/encode"),
        # The stage that compresses.
        *(
            path.relative_to(REPOSITORY_ROOT).as_posix()
            for path in REPOSITORY_ROOT.glob("stages/zero_length/*_simd")
        ),
        *("common/format/zero_length/zero_length.hpp", "reference_cpu/parallel.cpp"),
        *("reference_cpu/parallel.hpp", "reference_cpu/zero_length/file_writer.cpp"),
        "reference_cpu/zero_length/file_writer.hpp",
        *_SHARED_WITH_CPU,
    ),
    "bytes": (
        "experiments/measure_bytes",
        *("common/format/zero_length/zero_length.hpp", "reference_cpu/zero_length/elements.cpp"),
        "reference_cpu/zero_length/elements.hpp",
        *_SHARED_WITH_CPU,
    ),
    # With those of its formats' series, which target_digest() adds.
    "chunks": (
        *("experiments/measure_chunks", "reference_cpu/codec.cpp", "reference_cpu/codec.hpp"),
        *FRAME_SOURCES,
        *_SHARED_WITH_CPU,
    ),
    # The package as it is installed, whose searches and lookups are measured.
    "columns": (
        *("cpu/tiles", "search", "include/gsst/column.hpp", "include/gsst/search.hpp"),
        *(f"python/{name}.cpp" for name in _MODULE_PARTS),
        *(f"experiments/measure_columns/{name}.py" for name in _MODULES_OF_COLUMNS),
        *(f"python/src/gsst/{name}.py" for name in _PACKAGE_OF_COLUMNS),
        *(f"library/{name}.cpp" for name in _COLUMN_PARTS),
        *("reference_cpu", "common/format/gsst", *TILE_SOURCES, *FRAME_SOURCES),
    ),
    "lookups": (
        *("cpu/tiles", "experiments/measure_lookups", "include/gsst/lookup.h", "include/gsst/lookup.hpp"),
        *(f"library/{name}.cpp" for name in _LOOKUP_PARTS),
        *(f"library/{name}.hpp" for name in _LOOKUP_PARTS),
        *(
            "library/column_api.cpp",
            "library/lookup_compress_plan.cpp",
            "library/word.hpp",
            "reference_cpu/block_codec.cpp",
        ),
        "reference_cpu/block_codec.hpp",
        *("reference_cpu/fast_decode_loop.hpp", "reference_cpu/fast_decoder.cpp"),
        *("reference_cpu/fast_decoder.hpp", "common/format/gsst/string_column.cpp"),
        "common/format/gsst/string_column.hpp",
        *FRAME_SOURCES,
        *_SHARED_WITH_CPU,
    ),
    "markers": (
        "experiments/measure_markers",
        *("common/format/zero_length/markers.hpp", "reference_cpu/zero_length/marked_elements.cpp"),
        "reference_cpu/zero_length/marked_elements.hpp",
        *_SHARED_WITH_CPU,
    ),
    # The command is what is timed.
    "search_cpu": (
        *("cpu/tiles", "experiments/measure_search_cpu", "search"),
        *(f"cli/{name}.cpp" for name in _GREP_PARTS),
        *(f"cli/{name}.hpp" for name in _GREP_PARTS),
        *("experiments/measure_command/spawned_command.cpp", "reference_cpu/parallel.cpp"),
        *("experiments/measure_command/spawned_command.hpp", "reference_cpu/parallel.hpp"),
        *("experiments/measure_cpu/verified_timing.cpp", "experiments/measure_cpu/verified_timing.hpp"),
        *FRAME_SOURCES,
        *_SHARED_WITH_CPU,
    ),
    "tiles_speed": (
        *("cpu/tiles", "experiments/measure_tiles_speed", "experiments/measure_cpu/frame_blocks.cpp"),
        *("experiments/measure_cpu/frame_blocks.hpp", "experiments/measure_cpu/verified_timing.cpp"),
        *("experiments/measure_cpu/verified_timing.hpp", "reference_cpu/fast_decode_loop.hpp"),
        *("reference_cpu/fast_decoder.cpp", "reference_cpu/fast_decoder.hpp"),
        *("reference_cpu/fast_decoder_ssse3.cpp", "reference_cpu/tile_codec.cpp"),
        *("reference_cpu/tile_codec.hpp", "reference_cpu/parallel.cpp", "reference_cpu/parallel.hpp"),
        *FRAME_SOURCES,
        *_SHARED_WITH_CPU,
    ),
    # Formats of gsst alone: the folders of other series stay out.
    "peers": (
        *("experiments/measure_peers", "cpu/tiles", "reference_cpu", "common/format/gsst"),
        *("include/gsst/gsst.h", "include/gsst/gsst.hpp"),
        *("library/codec.cpp", "library/decompress_plan.cpp", "library/decompress_plan.hpp"),
        *("experiments/measure_cpu/codec.hpp", "experiments/measure_cpu/frame_blocks.cpp"),
        *("experiments/measure_cpu/frame_blocks.hpp", "experiments/measure_cpu/verified_timing.cpp"),
        *("experiments/measure_cpu/verified_timing.hpp", *HIGHER_LEVEL_SOURCES, *TILE_SOURCES),
        *FRAME_SOURCES,
        *_SHARED_WITH_CPU,
    ),
    # Compressing as a user of the library does, and zstd as for "peers".
    "block_sizes": (
        *("experiments/measure_block_sizes", "experiments/measure_peers", "cpu/block_size", "cpu/tiles"),
        *("reference_cpu", "common/format/gsst", "include/gsst/gsst.h", "include/gsst/gsst.hpp"),
        *("library/codec.cpp", "library/compress_plan.cpp", "library/compress_plan.hpp"),
        *("library/decompress_plan.cpp", "library/decompress_plan.hpp", "library/options.cpp"),
        *("library/options.hpp", "experiments/measure_cpu/verified_timing.cpp"),
        *("experiments/measure_cpu/verified_timing.hpp", *TILE_SOURCES),
        *FRAME_SOURCES,
        *_SHARED_WITH_CPU,
    ),
    "line_rate": (
        *("experiments/measure_line_rate", "stages/zero_length/feed"),
        # The stage whose encoders the feed has.
        *(
            path.relative_to(REPOSITORY_ROOT).as_posix()
            for path in REPOSITORY_ROOT.glob("stages/zero_length/*_simd")
        ),
        *("common/format/zero_length/zero_length.hpp", "reference_cpu/zero_length/elements.cpp"),
        "reference_cpu/zero_length/elements.hpp",
        *_SHARED_WITH_CPU,
    ),
}
# Subcommands of the measuring program for what goes beyond the papers: no other measurement runs them.
STUDY_SOURCES = tuple(
    f"experiments/measure_cpu/{name}{suffix}"
    for name in (
        *("format_command", "lengths_command", "level_row", "levels_command", "levels_of_blocks"),
        "levels_of_tiles",
        *("long_symbols", "strings_command", "widths_command"),
    )
    for suffix in (".cpp", ".hpp")
)
BEYOND_SOURCES = (*HIGHER_LEVEL_SOURCES, *TILE_SOURCES, *STUDY_SOURCES)
_KERNEL_SOURCES = ("common/stage", "common/cuda")
GPU_SOURCES = (
    *_KERNEL_SOURCES,
    "experiments/measure/shared",
)


def _series(stage: str) -> str:
    return stage.partition("/")[0]


def _encoder_sources(stages: Iterable[str]) -> tuple[str, ...]:
    """What these encoders stand on besides: the host's side that the encoders of a series share."""
    return tuple(sorted({f"stages/{_series(stage)}/encode" for stage in stages}))


# What the host includes of these makes and checks what is measured, and is not timed: it counts where it is
# listed for a measurement, or where kernels include it.
UNTIMED_ON_HOST = (
    *("common/format", *FRAME_SOURCES, "reference_cpu", "experiments/measure/series"),
    *sorted(path.relative_to(REPOSITORY_ROOT).as_posix() for path in REPOSITORY_ROOT.glob("stages/*/encode")),
)


def _default_sources(kind: str, stages: Iterable[str]) -> tuple[str, ...]:
    """What says which stages of these series the library runs, where a kind of points is measured through it;
    for ranges the whole decoders of the same formats too. Searches that decode first run the decoder of
    tiles."""
    if kind == "search":
        return tuple(
            source
            for line in default_stages()
            if (line.format, line.operation, line.executor) == ("tiles", "decode", "gpu")
            for source in (_DEFAULT_STAGES.format(_series(line.stage)), f"stages/{line.stage}")
        )
    if kind not in ("checksums", "ranges"):
        return ()
    series = {_series(stage) for stage in stages}
    lines = [line for line in default_stages() if _series(line.stage) in series]
    formats = {line.format for line in lines if line.operation == kind}
    decoders = [line for line in lines if (line.operation, line.executor) == ("decode", "gpu")]
    compared = {f"stages/{line.stage}" for line in decoders if line.format in formats}
    return (*sorted({_DEFAULT_STAGES.format(_series(line.stage)) for line in lines}), *sorted(compared))


def formats_of_library(root: Path = REPOSITORY_ROOT) -> frozenset[str]:
    """The formats that the library's C interface names."""
    names = re.findall(r"\bGSST_FORMAT_(\w+) = ", (root / _INTERFACE).read_text(encoding="utf-8"))
    return frozenset(name.lower() for name in names)


# Random access.
_RANGES_SOURCES = (
    *("library/gpu_decompress_plan.cpp", "library/gpu_decompress_plan.hpp", "library/decompress_plan.cpp"),
    *("library/decompress_plan.hpp", "library/decompress_ranges.cpp", "library/ranges.cpp"),
    *("library/ranges.hpp", "library/block_lookup.cpp", "library/block_lookup.hpp"),
    *("library/frame_reader.cpp", "library/frame_reader.hpp", "reference_cpu/decoder.cpp"),
    "reference_cpu/decoder.hpp",
    *("reference_cpu/part_decoder.cpp", "reference_cpu/part_decoder.hpp", "reference_cpu/tile_codec.cpp"),
)
# All of the library, by the name that it has beside stages.
LIBRARY = "library"
# What the library is built from: the default stages of its formats on a GPU.
LIBRARY_STAGES = tuple(
    sorted(
        {
            line.stage
            for line in default_stages()
            if line.executor == "gpu" and line.format in formats_of_library()
        }
    )
)
_LIBRARY_SOURCES = (
    *("include/gsst", "library", *_KERNEL_SOURCES, *_encoder_sources(LIBRARY_STAGES)),
    *sorted({_DEFAULT_STAGES.format(_series(stage)) for stage in LIBRARY_STAGES}),
    *(f"stages/{stage}" for stage in LIBRARY_STAGES),
    # Chunks that are in no frame, and columns of ORC files: what is compiled, with what that includes.
    *("stages/codag/chunks", "stages/codag/orc/array_kernels.cu", "stages/codag/orc/array_plan.cpp"),
    "stages/gsst/frames",
)
# Frames that only the executor reads are checked by common/frame and by what a series has for its formats.
_DEVICE_FRAME_SOURCES = ("common/frame", "library/device_frame_plan.cpp", "library/device_frame_plan.hpp")
NVCC_SOURCES = (*_KERNEL_SOURCES, "experiments/ptx.py")
# Of rows on something else than a stage, by the first part of their stage: a program of their own makes them.
_SOURCES_OF_SERIES = {
    "nvcomp": ("experiments/peers",),
    "nvcomp_integers": ("experiments/peers", "experiments/peers_integers"),
    # The streams that it decompresses are not its own.
    "nvcomp_zlib": ("experiments/peers", "experiments/peers_on_zlib"),
    "reference_cpu": CPU_SOURCES,
}
# What measures points: the program with a folder for each kind, and programs of one kind.
_PROGRAM = ("experiments/measure/main.cpp", "experiments/measure/CMakeLists.txt")
_KINDS = "experiments/measure/kinds"
_PROGRAM_OF_KIND = "experiments/measure_{}"
# How a stage without a kernel of its own says in its folder whose plans it runs.
_KERNELS_OF = re.compile(r'\bkernels_of = "([^"]+)"')
_GRAPH_TIMER = tuple(f"experiments/measure/kinds/decode/graph_timer{suffix}" for suffix in (".cpp", ".hpp"))
# Of rows on stages, by the kind of their points, besides what measures these.
_SOURCES_OF_KIND = {
    "arithmetic": (
        *("common/pipeline", "experiments/measure_query/device_tools.cpp"),
        *("experiments/measure_query/device_tools.hpp", "experiments/measure_query/query_tools.hpp"),
        *_GRAPH_TIMER,
    ),
    "checksums": (
        "common/frame",
        *("library/gpu_decompress_plan.cpp", "library/gpu_decompress_plan.hpp"),
        *("library/decompress_plan.cpp", "library/decompress_plan.hpp"),
        # The checksums themselves, and the decoders of the CPU.
        *("common/frame/checksum.cpp", "common/frame/checksum.hpp"),
        *("reference_cpu/block_codec.cpp", "reference_cpu/block_codec.hpp"),
        *("reference_cpu/fast_decoder.cpp", "reference_cpu/fast_decoder.hpp"),
        *("reference_cpu/tile_codec.cpp", "reference_cpu/tile_codec.hpp"),
    ),
    # The command, with all that it is made of on the host.
    "command": ("cli", "common/pipeline", "common/streaming", "cpu", *FRAME_SOURCES),
    "files": ("stages/codag/gzip", "stages/codag/orc", *_GRAPH_TIMER),
    # Many frames of one call, next to plans of one frame.
    "frames": (
        "stages/gsst/frames",
        *("library/frames_plan.cpp", "library/frames_plan.hpp"),
        *("library/gpu_decompress_plan.cpp", "library/gpu_decompress_plan.hpp"),
        "common/frame",
    ),
    "gzip": ("stages/codag/gzip",),
    "line_rate_gpu": (
        "common/pipeline",
        # The sources and the rows, which it has in common with the measurement on the CPU.
        *(
            f"experiments/measure_line_rate/{name}{suffix}"
            for name in ("delays", "expected_blocks", "paced_row", "paced_source")
            for suffix in (".cpp", ".hpp")
        ),
    ),
    "overlap": ("common/pipeline",),
    # Frames of the same columns.
    "parquet": ("experiments/measure/kinds/decode",),
    "pipeline": ("common/pipeline",),
    "query": ("common/pipeline", *_GRAPH_TIMER),
    "ranges": _RANGES_SOURCES,
    "search": (
        "common/pipeline",
        # Which part of a pattern is looked for first, which the host chooses.
        *(f"search/codes/{name}.cpp" for name in ("code_reader", "literal", "window", "window_automaton")),
        *(f"experiments/measure_sums/reading_limit{suffix}" for suffix in (".cu", ".hpp")),
    ),
    "selection": (
        *("common/pipeline", "experiments/measure_query/device_tools.cpp"),
        *("experiments/measure_query/device_tools.hpp", "experiments/measure_query/query_tools.hpp"),
        *_GRAPH_TIMER,
    ),
}


def is_encoder(stage: str, root: Path = REPOSITORY_ROOT) -> bool:
    """Whether a stage registers an encoder."""
    host_side = root / "stages" / stage / "stage.cu"
    return host_side.is_file() and root / _CONTRACT_OF_ENCODERS in include_closure({host_side}, root)


def is_shared_part(stage: str) -> bool:
    """Whether this is one of shared_parts() and no stage."""
    return stage.endswith("/shared")


def shared_parts(root: Path = REPOSITORY_ROOT) -> list[str]:
    """What series have kernels in that belong to no stage, named as stages are: `<series>/shared`."""
    folders = {path.parent for path in (root / "stages").glob("*/shared/*.cu")}
    return sorted(folder.relative_to(root / "stages").as_posix() for folder in folders)


def kernel_lenders(folder: Path) -> tuple[str, ...]:
    """The stages whose kernels the stage in `folder` runs besides its own."""
    texts = (path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.hpp")))
    return tuple(lender for text in texts for lender in _KERNELS_OF.findall(text))


def _folders_of_stage(stage: str, root: Path) -> tuple[str, ...]:
    """Its own, and that of the stage whose kernels it runs."""
    own = f"stages/{stage}"
    return (own, *(f"stages/{lender}" for lender in kernel_lenders(root / own)))


def _paths_of_stage(stage: str, root: Path) -> tuple[str, ...]:
    return _SOURCES_OF_SERIES.get(_series(stage)) or _folders_of_stage(stage, root)


def _sources_on_host(stages: Iterable[str], root: Path) -> tuple[str, ...]:
    """What searches on the CPU have that the stages themselves include, besides what all stages do."""
    headers = (path for stage in stages for path in (root / "stages" / stage).glob("*.[ch]*"))
    texts = (path.read_text(encoding="utf-8") for path in headers)
    return tuple(sorted({f"{name}.cpp" for text in texts for name in _SEARCH_ON_CPU.findall(text)}))


def _paths_of_kind(kind: str, stages: Iterable[str], root: Path) -> tuple[str, ...]:
    own = f"{_KINDS}/{kind}"
    paths = (*_PROGRAM, own) if (root / own).is_dir() else (_PROGRAM_OF_KIND.format(kind),)
    encoders = [stage for stage in stages if kind == "encode" or is_encoder(stage, root)]
    if kind == "memory" and encoders:
        paths = (*paths, _PROGRAM_OF_KIND.format("allocation"))
    if kind in ("encode", "line_rate_gpu", "memory", "pipeline"):
        paths = (*paths, *_encoder_sources(encoders))
    on_host = _sources_on_host(stages, root) if kind == "search" else ()
    return (*paths, *_SOURCES_OF_KIND.get(kind, ()), *on_host, *_default_sources(kind, stages))


def _paths_on_host(stages: Iterable[str]) -> tuple[str, ...]:
    """What stages on the executor cpu are compiled from, with what encoders of their series share."""
    measured = sorted(set(stages))
    return (*_encoder_sources(measured), *(f"stages/{stage}" for stage in measured))


def measured_paths(
    needs: str, stages: Iterable[str], kind: str | None = None, root: Path = REPOSITORY_ROOT
) -> tuple[str, ...]:
    """What a measurement that needs `cpu`, `gpu` or `nvcc` depends on, with the folders of its stages; `kind`
    is that of its points on a GPU, or the program's on a CPU."""
    if needs == "cpu":
        paths = _SOURCES_OF_CPU_KIND.get(kind or "", CPU_SOURCES)
        if kind == "accesses":
            return (*paths, *(f"stages/{stage}" for stage in sorted(set(stages))))
        return paths if kind != "cpu_stages" else (*paths, *_paths_on_host(stages))
    common = GPU_SOURCES if needs == "gpu" else NVCC_SOURCES
    measured = set(stages)
    of_stages = {path for stage in measured for path in _paths_of_stage(stage, root)}
    only_others = bool(measured) and all(_series(stage) in _SOURCES_OF_SERIES for stage in measured)
    of_kind = () if only_others or kind is None else _paths_of_kind(kind, measured, root)
    return (*common, *of_kind, *sorted(of_stages))


def _is_measured(path: Path) -> bool:
    """Tests and documentation do not change what is measured."""
    if path.stem.endswith(("_test", "_benchmark")):
        return False
    return path.suffix in SOURCE_SUFFIXES or path.name == _BUILD_FILE


def _files_below(folder: Path) -> set[Path]:
    return {path for path in folder.rglob("*") if path.is_file()}


def _folders_of_series(root: Path) -> dict[str, list[Path]]:
    """The folders that each series has in those of all series, by its name."""
    folders: dict[str, list[Path]] = {}
    for file in (*root.glob(FORMATS), *root.glob("reference_cpu/*/codecs.cpp")):
        folders.setdefault(file.parent.name, []).append(file.parent)
    return folders


def _files_of_unused_series(root: Path, paths: Sequence[str], measured: Collection[Path]) -> set[Path]:
    """The files of the series that neither `paths` name nor the other files of `measured` include: a new
    series makes no result of another one stale."""
    files = {
        series: {path for folder in folders for path in _files_below(folder)}
        for series, folders in _folders_of_series(root).items()
        if not any(str(folder.relative_to(root)) in paths for folder in folders)
    }
    shared = set(measured).difference(*files.values())
    used = include_closure(shared, root)
    return {path for below in files.values() if not below & used for path in below}


def _paths_of_format(name: str, root: Path) -> tuple[str, ...]:
    """The folders of the series that brings the format of that name; none for the empty name."""
    brings = re.compile(rf'\.name = "{re.escape(name)}"')
    for folders in _folders_of_series(root).values():
        files = (folder / Path(FORMATS).name for folder in folders)
        if any(brings.search(file.read_text(encoding="utf-8")) for file in files if file.is_file()):
            return tuple(str(folder.relative_to(root)) for folder in folders)
    return ()


def measured_sources(root: Path = REPOSITORY_ROOT, paths: Sequence[str] = CPU_SOURCES) -> list[Path]:
    """The files whose change makes a result stale, sorted: those of `paths` and what they include. A file
    named in `paths` counts whatever it is.

    Kernels run what they include, and the reference's sources with its headers: an encoder trains with these
    while it is timed. The formats' sources only check frames on the host."""
    named = {root / path for path in paths if (root / path).is_file()}
    beyond = {root / path for path in BEYOND_SOURCES} - named
    of_folders = {path for folder in paths for path in _files_below(root / folder) if _is_measured(path)}
    of_folders -= _files_of_unused_series(root, paths, named | of_folders)
    kernels = {path for path in of_folders if path.suffix in _KERNEL_SUFFIXES}
    of_kernels = include_closure(kernels, root, headers_with_sources="reference_cpu")
    untimed = {path for folder in UNTIMED_ON_HOST for path in _files_below(root / folder)}
    of_host = (named | of_folders) - beyond - of_kernels
    return sorted(of_kernels | include_closure(of_host, root, beyond | untimed | of_kernels))


@cache
def _content_digest(text: str, suffix: str) -> str:
    return hashlib.sha256(" ".join(tokens_of(text, suffix)).encode()).hexdigest()


def _without_tests(tokens: Iterable[str]) -> Iterator[str]:
    """The tokens of a file of CMake without the commands that add tests and benchmarks."""
    depth = 0
    in_test = False
    for token in tokens:
        if depth == 0:
            in_test = token in _COMMANDS_OF_TESTS or (in_test and token == "(")
        depth += {"(": 1, ")": -1}.get(token, 0)
        if not in_test:
            yield token


def _tokens_of_build_file(path: Path, measured: Collection[Path]) -> Iterator[str]:
    """The tokens of a file of CMake, with the contents of the measured sources that it lists in the place of
    all names of sources, in an order that no name changes."""
    listed: list[str] = []
    for token in _without_tests(tokens_of(path.read_text(encoding="utf-8"), path.suffix)):
        source = Path(os.path.normpath(path.parent / token))
        if source.suffix in CXX_SUFFIXES and source.is_file():
            listed += [_digest_of_file(source, measured)] if source in measured else []
            continue
        yield from sorted(listed)
        listed.clear()
        yield token


def _digest_of_file(path: Path, measured: Collection[Path]) -> str:
    if path.name == _BUILD_FILE:
        return hashlib.sha256(" ".join(_tokens_of_build_file(path, measured)).encode()).hexdigest()
    return _content_digest(path.read_text(encoding="utf-8"), path.suffix)


def sources_digest(root: Path = REPOSITORY_ROOT, paths: Sequence[str] = CPU_SOURCES) -> str:
    """sha256 over the sorted sha256 of the contents of the measured sources, each once. Those of this
    repository are read once a process: the same ones belong to many results."""
    return _digest_here(tuple(paths)) if root == REPOSITORY_ROOT else _digest(root, paths)


@cache
def _digest_here(paths: Sequence[str]) -> str:
    return _digest(REPOSITORY_ROOT, paths)


def _digest(root: Path, paths: Sequence[str]) -> str:
    measured = set(measured_sources(root, paths))
    contents = sorted({_digest_of_file(path, measured) for path in measured})
    return hashlib.sha256("".join(f"{content}\n" for content in contents).encode()).hexdigest()


def target_digest(target: str, stages: Iterable[str], root: Path = REPOSITORY_ROOT) -> str:
    """The digest of a measurement of `target` on these stages. Raises DefinitionError if it is unknown."""
    experiment = load_experiment(target)
    paths = measured_paths(experiment.needs, stages, experiment.kind, root)
    is_beyond = experiment.subcommand in ("format", "lengths", "levels", "strings", "widths")
    more = BEYOND_SOURCES if is_beyond else ()
    formats = sorted({name for scale in experiment.scales.values() for name in scale.formats})
    of_formats = (path for name in formats for path in _paths_of_format(name, root))
    return sources_digest(root, (*paths, *more, *of_formats))


def verified_digest(stage: str, root: Path = REPOSITORY_ROOT) -> str:
    """The digest of what the tests of `stage`, or of a part of shared_parts(), or of LIBRARY, on a GPU have
    run."""
    stage = present_id(stage)
    if is_shared_part(stage):
        return sources_digest(root, (*_KERNEL_SOURCES, *_DEVICE_FRAME_SOURCES, f"stages/{stage}"))
    if stage == LIBRARY:
        return sources_digest(root, _LIBRARY_SOURCES)
    of_encoder = _encoder_sources([stage]) if is_encoder(stage, root) else ()
    return sources_digest(root, (*_KERNEL_SOURCES, *of_encoder, *_folders_of_stage(stage, root)))


def main() -> None:
    """Prints one digest, for a measurement on a machine that has no repository."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("target")
    parser.add_argument("--stages", nargs="*", default=[], help="ids of the stages that are measured")
    arguments = parser.parse_args()
    print(target_digest(arguments.target, arguments.stages))


if __name__ == "__main__":
    main()
