"""Reads the YAML file of an experiment."""

import functools
from collections.abc import Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, Literal

import yaml
from jsonschema import ValidationError

from data.catalogue import Instance, load_catalogue, select
from data.schema import validate
from data.yaml_file import read_yaml
from experiments.chart_definition import Chart, parse_chart
from experiments.measuring_programs import programs
from experiments.table_definition import Entry, parse_entries

EXPERIMENTS_DIR = Path(__file__).parent
SCHEMA_PATH = EXPERIMENTS_DIR / "schemas" / "experiment.schema.json"
CONFIG_NAME = "config.yaml"
THESIS = "GSST thesis"
# Matches every label.
ALL_TEXTS = "*"
TABLE_LIMITS = ("hash_entries", "match_rows", "match_pairs")


class DefinitionError(Exception):
    """The YAML file of an experiment is malformed or missing."""


@dataclass(frozen=True)
class Scale:
    """The data and the parameters of a measurement at one size.

    `allow_small` has a GPU measure text too that is not several times its L2 cache. `table_limits` are the
    limits of symbol tables that are tried, by name, `code_bits` the widths of codes, `longest_symbol` the
    bytes of the longest symbol, `levels` those of format blocks, `tile_levels` those of format tiles.
    `formats` name the formats whose codecs are measured, one after the other; none where none is. `options`
    are the values of those codecs' options, or of the measuring program's."""

    instances: tuple[Instance, ...]
    block_bytes: tuple[int, ...]
    splits: tuple[int, ...]
    repetitions: int | None
    allow_small: bool = False
    table_limits: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    code_bits: tuple[int, ...] = ()
    longest_symbol: tuple[int, ...] = ()
    levels: tuple[int, ...] = ()
    tile_levels: tuple[int, ...] = ()
    formats: tuple[str, ...] = ()
    options: Mapping[str, tuple[int, ...]] = field(default_factory=dict)


@dataclass(frozen=True)
class StagePoints:
    """What is measured of one stage. A setting holds `blocks` or `block_bytes`, `parameters`, and where the
    format has them `splits` and `options`, as in the file.

    `common` is the setting that all stages share, None where a sweep stands by itself. The best setting is
    either `best`, or the fastest of `sweep`, which holds a list of values where a setting holds one. `grid`
    is written like a sweep; every combination is reported and none is chosen. `texts` is a pattern of the
    texts, by their labels, that are measured at these points."""

    stage: str
    common: Mapping[str, Any] | None
    best: Mapping[str, Any] | None
    sweep: Mapping[str, Any] | None
    grid: Mapping[str, Any] | None = None
    texts: str = ALL_TEXTS

    def are_of(self, label: str) -> bool:
        """Whether the text with this label is measured at these points."""
        return fnmatchcase(label, self.texts)


@dataclass(frozen=True)
class LimitKernel:
    """A variant of the streaming kernel: `function` is its name with the arguments of its template, and
    `launches_before` are those of kernels of this name, with any arguments, before the profiled one."""

    function: str
    launches_before: int


@dataclass(frozen=True)
class PeersBeside:
    """Codecs of others are measured on the texts that have points of `stage`, and their rows have the fields
    `row` too. `series` is the first part of their rows' stage, and names the program that measures them.
    `on_zlib` are the `codecs` that decompress chunks of zlib at a `level` as well."""

    stage: str
    row: Mapping[str, Any] = field(default_factory=dict)
    series: str = "nvcomp"
    on_zlib: Mapping[str, Any] | None = None


# What a grid of an encoder may say of how the data is cut.
_CUTS_OF_ENCODER = ("block_bytes", "splits", "blocks_per_table")


@dataclass(frozen=True)
class EncodeGrid:
    """Settings of the encoder `stage`: every combination of the values is measured, none is chosen.

    `parameters` are the stage's, by name. `cuts` are `block_bytes` and, where the format has them, `splits`
    and `blocks_per_table`, by name; the tile size of the paper is `block_bytes` / `splits`. `kernels` are
    those that are profiled, each by its name in the rows and a part of its function's name. `texts` is a
    pattern of the texts, by their labels, that are measured at these settings."""

    stage: str
    variant: str
    cuts: Mapping[str, tuple[int, ...]]
    parameters: Mapping[str, tuple[int, ...]]
    kernels: Mapping[str, str] = field(default_factory=dict)
    texts: str = ALL_TEXTS
    # Of the format.
    options: Mapping[str, int | str] = field(default_factory=dict)
    # Of paced sources, each with every combination: keys of the point's row.
    paces: tuple[Mapping[str, int], ...] = ()

    def is_of(self, label: str) -> bool:
        """Whether the text with this label is measured at these settings."""
        return fnmatchcase(label, self.texts)


@dataclass(frozen=True)
class Encoding:
    """What is measured of encoder stages."""

    grids: tuple[EncodeGrid, ...]

    @property
    def stages(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(grid.stage for grid in self.grids))


# In the place of a number of threads: one, two, four and so on, up to the processors of the machine.
UP_TO_PROCESSORS = "up to the processors"


@dataclass(frozen=True)
class HostGrid:
    """Settings of the stage `stage` on the executor cpu: every combination of the values is measured.

    `operations` are encode and decode, `formats` those that are written or read. `parameters` are the
    stage's, by name; threads may be UP_TO_PROCESSORS. Those of `where_offered` are measured with the values
    alone that the stage has on the machine. `compiler_vectorisation` says with which of the compiler's
    builds. `texts` is a pattern of the texts, by their labels, that are measured at these settings."""

    stage: str
    variant: str
    operations: tuple[str, ...]
    formats: tuple[str, ...]
    block_bytes: tuple[int, ...]
    parameters: Mapping[str, tuple[int, ...] | str]
    where_offered: tuple[str, ...]
    compiler_vectorisation: tuple[bool, ...]
    texts: str = ALL_TEXTS

    def is_of(self, label: str) -> bool:
        """Whether the text with this label is measured at these settings."""
        return fnmatchcase(label, self.texts)


@dataclass(frozen=True)
class Compilation:
    """What is compiled to PTX: one stage, for compute capabilities written as 10 * major + minor."""

    stage: str
    compute_capabilities: tuple[int, ...]


@dataclass(frozen=True)
class Overlap:
    """How many batches a frame is cut into, and over which interconnects they arrive: GB/s, None as it is."""

    batches: tuple[int, ...]
    interconnects: tuple[float | None, ...]


@dataclass(frozen=True)
class RandomAccess:
    """Frames of which byte ranges are decoded, each with every combination of the other values.

    `stage` decodes them. A frame holds `variant`, `format`, options of the format's codec, and `on_cpu` where
    the CPU is measured as well.
    `selectivities` are the parts of the text that are asked for. Memory traffic is counted at `counted`."""

    stage: str
    frames: tuple[Mapping[str, Any], ...]
    patterns: tuple[str, ...]
    selectivities: tuple[float, ...]
    range_bytes: tuple[int, ...]
    counted: Mapping[str, Any]

    @property
    def rows(self) -> int:
        """How many rows the GPU has."""
        return len(self.frames) * len(self.patterns) * len(self.selectivities) * len(self.range_bytes)


@dataclass(frozen=True)
class Queries:
    """Queries that `stage` answers, each with every way in which its columns may be stored.

    A way holds `variant`, `storage`, `parameters` of the stage where it has some, and `stage` where another
    one answers. Columns are in memory of the `place`, device or host, as frames with blocks of `block_bytes`
    bytes."""

    stage: str
    block_bytes: int
    queries: tuple[str, ...]
    ways: tuple[Mapping[str, Any], ...]
    place: str

    @property
    def stages(self) -> tuple[str, ...]:
        """The stages that answer, each once."""
        return tuple(dict.fromkeys(way.get("stage", self.stage) for way in self.ways))


@dataclass(frozen=True)
class Selections:
    """A column in each of `formats`, of which each of `selectivities`, 0 to 1, is selected at random.

    The loads of `stage` read it, in blocks of `block_bytes` bytes."""

    stage: str
    block_bytes: int
    formats: tuple[str, ...]
    selectivities: tuple[float, ...]


@dataclass(frozen=True)
class Searches:
    """Searches of compressed text: each of `stages` for each of `patterns` in each of `frames`, which answers
    with each of `outputs`, count or positions.

    A frame holds `variant`, `block_bytes` and options of the format's codec. `patterns` are by the
    `frequency` that their rows name: one for all texts, or one for each pattern of labels."""

    stages: tuple[str, ...]
    frames: tuple[Mapping[str, Any], ...]
    patterns: Mapping[str, str | Mapping[str, str]]
    outputs: tuple[str, ...]

    def patterns_of(self, label: str | None) -> list[tuple[str, str]]:
        """What is searched for in the text with this label, in any text without one, each with its
        frequency."""
        return [
            (frequency, pattern)
            for frequency, of_texts in self.patterns.items()
            for labels, pattern in ({ALL_TEXTS: of_texts} if isinstance(of_texts, str) else of_texts).items()
            if label is None or fnmatchcase(label, labels)
        ]


@dataclass(frozen=True)
class Statement:
    """A piece of a verdict's text, and the claims (see experiments/claims.py) that it rests on.

    `agrees_with` and `differs_from` are the places of the paper that say the same, or something else. A
    remark has no claims: it says nothing about measured numbers."""

    text: str
    claims: tuple[Mapping[str, Any], ...] = ()
    agrees_with: str | None = None
    differs_from: str | None = None


@dataclass(frozen=True)
class Verdict:
    """Whether the paper's result was reproduced, and why. It is on what `machine` recorded; None where
    nothing is measured."""

    outcome: Literal["reproduced", "partly reproduced", "not reproduced", "not comparable"]
    machine: str | None
    statements: tuple[Statement, ...]

    @property
    def text(self) -> str:
        """All statements as one paragraph."""
        return " ".join(statement.text for statement in self.statements)


Needs = Literal["cpu", "gpu", "nvcc"]
_NEEDS_NO_GPU: dict[str, Needs] = {
    "accesses": "cpu",
    "block_sizes": "cpu",
    "bytes": "cpu",
    "chunks": "cpu",
    "codec_speed": "cpu",
    "columns": "cpu",
    "cpu": "cpu",
    "cpu_stages": "cpu",
    "disk": "cpu",
    "line_rate": "cpu",
    "lookups": "cpu",
    "markers": "cpu",
    "peers": "cpu",
    "ptx": "nvcc",
    "search_cpu": "cpu",
    "tiles_speed": "cpu",
}


@dataclass(frozen=True)
class Experiment:
    """One figure or table of `paper`.

    `program` is one of programs(), `cpu` for the studies on the CPU, None where nothing is measured;
    `subcommand` is that program's, which those studies and `columns` have.

    `policies` says by what rule the parameters of a measurement were chosen; each row names its policy.
    `counted_kind` is what counters are read of where that is not decoding or encoding, and `kernels` are the
    ones that are profiled there, as EncodeGrid has them. `limit_kernels` are what is profiled in place of a
    decoder's, by their names in the rows.
    `points_of` is the experiment whose points are profiled. `results_of` names another target, whose results
    this one draws without measuring by itself. `peers_beside` says on which of several texts `peers` are
    measured. `verdict` is None as long as nothing is recorded. `tables` are
    those of the stages' pages, goals included. `file_tools` are what compresses a file, a stage or another
    tool, and its threads. `chart` is None where experiments/plots has the figure. `value_types` are those of
    texts, by patterns of their labels. `settings` are published quantities that are chosen, not measured.
    `questions` are patterns that are searched for, by the name of the question; of `columns` a kind and a
    pattern."""

    target: str
    title: str
    section: str
    caption: str
    published: tuple[str, ...]
    peers: tuple[str, ...]
    program: str | None
    subcommand: str | None
    scales: dict[str, Scale]
    policies: dict[str, str] = field(default_factory=dict)
    points: tuple[StagePoints, ...] = ()
    points_of: str | None = None
    compilation: Compilation | None = None
    overlap: Overlap | None = None
    verdict: Verdict | None = None
    results_of: str | None = None
    peers_beside: PeersBeside | None = None
    encoding: Encoding | None = None
    random_access: RandomAccess | None = None
    host_grids: tuple[HostGrid, ...] = ()
    file_tools: tuple[Mapping[str, Any], ...] = ()
    paper: str = THESIS
    tables: tuple[Entry, ...] = ()
    chart: Chart | None = None
    queries: Queries | None = None
    selections: Selections | None = None
    searches: Searches | None = None
    counted_kind: str | None = None
    kernels: Mapping[str, str] = field(default_factory=dict)
    limit_kernels: Mapping[str, LimitKernel] = field(default_factory=dict)
    value_types: Mapping[str, str] = field(default_factory=dict)
    settings: tuple[str, ...] = ()
    questions: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def value_type(self, label: str) -> str | None:
        """The type of the values of the text with this label; None where nothing says one."""
        found = [name for pattern, name in self.value_types.items() if fnmatchcase(label, pattern)]
        return found[0] if found else None

    @property
    def source(self) -> str:
        """The target whose results are drawn."""
        return self.results_of or self.target

    @property
    def stages(self) -> tuple[str, ...]:
        """The stages whose throughput is measured."""
        encoders = self.encoding.stages if self.encoding else ()
        of_ranges = (self.random_access.stage,) if self.random_access else ()
        of_queries = self.queries.stages if self.queries else ()
        of_selections = (self.selections.stage,) if self.selections else ()
        of_searches = self.searches.stages if self.searches else ()
        on_host = tuple(dict.fromkeys(grid.stage for grid in self.host_grids))
        of_files = (entry["tool"] for entry in self.file_tools if "/" in entry["tool"])
        own = (entry.stage for entry in self.points)
        return (*own, *encoders, *of_ranges, *of_queries, *of_selections, *of_searches, *on_host, *of_files)

    @property
    def needs(self) -> Needs:
        """What a machine must have for the measurement; an experiment without one counts as `cpu`."""
        return _NEEDS_NO_GPU.get(self.program or "cpu", "gpu")

    @property
    def shows_peers(self) -> bool:
        """Whether codecs of nvCOMP are measured where that is asked for."""
        beside = self.peers_beside
        return bool(self.peers) or (beside is not None and beside.on_zlib is not None)

    @property
    def reads_counters(self) -> bool:
        """Whether NVIDIA Nsight Compute measures it."""
        return self.program == "counters"

    @property
    def kind(self) -> str | None:
        """What its points are of: the program, or what counters are read of; None without a measurement."""
        if self.reads_counters:
            return self.counted_kind or ("decode" if self.encoding is None else "encode")
        return self.program


def _scale(entry: dict) -> Scale:
    instances = [
        Instance(dataset, item.get("scale_factor"), item.get("first_bytes"), item.get("tiled_to_bytes"))
        for item in entry["data"]
        for dataset in select(load_catalogue(), item["dataset"])
    ]
    parameters = entry["parameters"]
    return Scale(
        tuple(instances),
        tuple(parameters.get("block_bytes", ())),
        tuple(parameters.get("splits", ())),
        parameters.get("repetitions"),
        parameters.get("allow_small", False),
        {name: tuple(parameters[name]) for name in TABLE_LIMITS if name in parameters},
        tuple(parameters.get("code_bits", ())),
        tuple(parameters.get("longest_symbol", ())),
        tuple(parameters.get("levels", ())),
        tuple(parameters.get("tile_levels", ())),
        tuple(parameters.get("formats", ())),
        {name: tuple(values) for name, values in parameters.get("options", {}).items()},
    )


def _points(measurement: dict, folder: Path) -> tuple[StagePoints, ...]:
    """The points of the measurement, or those of the experiment that it names."""
    if "points_of" in measurement:
        return load_experiment(measurement["points_of"], folder).points
    return tuple(
        StagePoints(
            entry["stage"],
            *(entry.get(name) for name in ("common", "best", "sweep", "grid")),
            entry.get("texts", ALL_TEXTS),
        )
        for entry in measurement.get("points", ())
    )


def _compilation(measurement: dict) -> Compilation | None:
    if "compile" not in measurement:
        return None
    entry = measurement["compile"]
    return Compilation(entry["stage"], tuple(entry["compute_capabilities"]))


def _encoding(measurement: dict, folder: Path) -> Encoding | None:
    """The grids of the experiment that the measurement names, and its own."""
    if measurement.get("program") == "cpu_stages":
        return None
    named = load_experiment(measurement["points_of"], folder).encoding if "points_of" in measurement else None
    own = tuple(
        EncodeGrid(
            entry.get("stage") or measurement["stage"],
            entry.get("variant", ""),
            {name: tuple(entry[name]) for name in _CUTS_OF_ENCODER if name in entry},
            {name: tuple(values) for name, values in entry.get("parameters", {}).items()},
            entry.get("kernels", {}),
            entry.get("texts", ALL_TEXTS),
            entry.get("options", {}),
            tuple(entry.get("paces", ())),
        )
        for entry in measurement.get("grids", ())
    )
    grids = (*(named.grids if named else ()), *own)
    return Encoding(grids) if grids else None


def _host_grids(measurement: dict) -> tuple[HostGrid, ...]:
    if measurement.get("program") != "cpu_stages":
        return ()
    return tuple(
        HostGrid(
            entry["stage"],
            entry.get("variant", ""),
            tuple(entry["operations"]),
            tuple(entry["formats"]),
            tuple(entry["block_bytes"]),
            {
                name: values if isinstance(values, str) else tuple(values)
                for name, values in entry.get("parameters", {}).items()
            },
            tuple(entry.get("where_offered", ())),
            tuple(entry.get("compiler_vectorisation", (True,))),
            entry.get("texts", ALL_TEXTS),
        )
        for entry in measurement.get("grids", ())
    )


def _program(measurement: dict, path: Path) -> str | None:
    if not measurement:
        return None
    known = programs()
    program: str = measurement.get("program", "cpu")
    if program not in known:
        raise DefinitionError(
            f"{path}: $.measurement.program: no program measures {program}, but: {', '.join(sorted(known))}"
        )
    return program


def _overlap(measurement: dict) -> Overlap | None:
    if measurement.get("program") != "overlap":
        return None
    return Overlap(tuple(measurement["batches"]), tuple(measurement["interconnects"]))


def _random_access(measurement: dict) -> RandomAccess | None:
    if measurement.get("program") != "ranges":
        return None
    lists = (tuple(measurement[name]) for name in ("frames", "patterns", "selectivities", "range_bytes"))
    return RandomAccess(measurement["stage"], *lists, measurement["counted"])


def _queries(measurement: dict) -> Queries | None:
    if measurement.get("program") != "query":
        return None
    names, ways = tuple(measurement["queries"]), tuple(measurement["ways"])
    return Queries(measurement["stage"], measurement["block_bytes"], names, ways, measurement["place"])


def _selections(measurement: dict) -> Selections | None:
    if measurement.get("program") != "selection":
        return None
    lists = (tuple(measurement[name]) for name in ("formats", "selectivities"))
    return Selections(measurement["stage"], measurement["block_bytes"], *lists)


def _searches(measurement: dict) -> Searches | None:
    if measurement.get("program") != "search":
        return None
    stages, frames, outputs = (tuple(measurement[name]) for name in ("stages", "frames", "outputs"))
    return Searches(stages, frames, measurement["patterns"], outputs)


def _statement(entry: dict) -> Statement:
    if "remark" in entry:
        return Statement(entry["remark"].strip())
    return Statement(
        entry["says"].strip(), tuple(entry["claims"]), entry.get("agrees_with"), entry.get("differs_from")
    )


def _verdict(document: dict) -> Verdict | None:
    if "verdict" not in document:
        return None
    entry = document["verdict"]
    return Verdict(entry["outcome"], entry.get("machine"), tuple(map(_statement, entry["statements"])))


def load_experiment(target: str, folder: Path = EXPERIMENTS_DIR) -> Experiment:
    """Reads `<target>.yaml`; a process reads a committed one once. Raises DefinitionError, which names the
    file and the field."""
    return _committed_experiment(target) if folder == EXPERIMENTS_DIR else _read_experiment(target, folder)


@functools.cache
def _committed_experiment(target: str) -> Experiment:
    return _read_experiment(target, EXPERIMENTS_DIR)


def _read_experiment(target: str, folder: Path) -> Experiment:
    path = folder / f"{target}.yaml"
    if not path.exists():
        raise DefinitionError(f"there is no experiment {target}: {path} does not exist")
    try:
        document = read_yaml(path)
    except yaml.YAMLError as error:
        raise DefinitionError(f"{path}: not YAML: {error}") from error
    try:
        validate(document, SCHEMA_PATH)
    except ValidationError as error:
        raise DefinitionError(f"{path}: {error.json_path}: {error.message}") from error
    if document["target"] != target:
        raise DefinitionError(f"{path}: target is {document['target']}, must be {target}")
    try:
        tables, chart = parse_entries(document), parse_chart(document)
    except ValueError as error:
        raise DefinitionError(f"{path}: {error}") from error
    measurement = document.get("measurement", {})
    program = _program(measurement, path)
    return Experiment(
        target,
        document["title"],
        document["section"],
        document["caption"].strip(),
        tuple(document["published"]),
        tuple(document.get("peers", ())),
        program,
        measurement.get("subcommand"),
        {name: _scale(entry) for name, entry in measurement.get("scales", {}).items()},
        {name: text.strip() for name, text in document.get("policies", {}).items()},
        _points(measurement, folder),
        measurement.get("points_of"),
        _compilation(measurement),
        _overlap(measurement),
        _verdict(document),
        document.get("results_of"),
        PeersBeside(**document["peers_beside"]) if "peers_beside" in document else None,
        _encoding(measurement, folder),
        _random_access(measurement),
        _host_grids(measurement),
        tuple(measurement.get("files", ())),
        document.get("paper", THESIS),
        tables,
        chart,
        _queries(measurement),
        _selections(measurement),
        _searches(measurement),
        measurement.get("kind"),
        measurement.get("kernels", {}),
        {name: LimitKernel(**kernel) for name, kernel in measurement.get("limit_kernels", {}).items()},
        measurement.get("types", {}),
        tuple(document.get("settings", ())),
        {name: tuple(patterns) for name, patterns in measurement.get("questions", {}).items()},
    )


def all_targets(folder: Path = EXPERIMENTS_DIR) -> list[str]:
    """The names of all experiments: the thesis's, other papers', and last those that go beyond them."""
    names = [path.stem for path in folder.glob("*.yaml") if path.name != CONFIG_NAME]
    return sorted(names, key=lambda name: (name.startswith("beyond_"), not name.startswith("gsst_"), name))
