import itertools
import json
import sys
from dataclasses import replace
from pathlib import Path

import pytest
import yaml

from experiments import gpu_points as module
from experiments.definition import EXPERIMENTS_DIR, EncodeGrid, Experiment, all_targets, load_experiment
from experiments.gpu_points import (
    PointsError,
    all_points,
    candidates,
    encode_points,
    fixed_points,
    grid_points,
    query_points,
    range_points,
    resolve_blocks,
    search_points,
    whole_document,
)
from tools.stages import registered_stages

TARGET = "gsst_fig_6_1"
EXPERIMENT = load_experiment(TARGET)


@pytest.mark.parametrize(
    ("blocks", "multiprocessors", "expected"),
    [
        ("16 per SM", 132, 2112),
        ("16 per SM", None, "16 per SM"),
        (1000, 132, 1000),
        ("recommended", 132, "recommended"),
    ],
)
def test_blocks_follow_the_multiprocessors(
    blocks: int | str, multiprocessors: int | None, expected: int | str
) -> None:
    assert resolve_blocks(blocks, multiprocessors) == expected


def test_every_stage_has_the_common_setting_and_those_without_a_sweep_the_best() -> None:
    policies: dict[str, list[str]] = {}
    for point in fixed_points(EXPERIMENT):
        policies.setdefault(point["stage"], []).append(point["row"]["policy"])
    assert policies == {
        entry.stage: ["common"] if entry.sweep else ["common", "best"] for entry in EXPERIMENT.points
    }


def test_the_common_setting_is_the_one_that_the_policy_says() -> None:
    points = {
        point["stage"]: point for point in fixed_points(EXPERIMENT) if point["row"]["policy"] == "common"
    }
    first = points.pop("gsst/01_blocks")
    assert first["blocks"] == f"{16 * 192} per SM"
    assert first["parameters"] == {"active_threads": 32}
    assert {(point["blocks"], point["splits"]) for point in points.values()} == {("16 per SM", 192)}
    aligned = {"alignment": 16, "input_transfers": 1, "output_transfers": 4}
    assert points["gsst/04_alignment"]["parameters"] == aligned


def test_a_sweep_has_every_combination_once() -> None:
    points = [point for point in candidates(EXPERIMENT) if point["stage"] == "gsst/04_alignment"]
    assert len(points) == 5 * 4 * 3 * 2 * 2
    assert len({json.dumps(point) for point in points}) == len(points)
    assert {point["parameters"]["alignment"] for point in points} == {8, 16, 32}


def test_the_common_setting_of_04_is_among_its_candidates() -> None:
    (entry,) = [entry for entry in EXPERIMENT.points if entry.stage == "gsst/04_alignment"]
    settings = [
        (point["blocks"], point["splits"], point["parameters"])
        for point in candidates(EXPERIMENT)
        if point["stage"] == entry.stage
    ]
    assert (entry.common["blocks"], entry.common["splits"], entry.common["parameters"]) in settings


def test_a_sweep_by_itself_has_candidates_and_no_fixed_points() -> None:
    experiment = load_experiment("gsst_tuning")
    assert fixed_points(experiment) == []
    points = candidates(experiment, 132)
    assert len(points) == len({json.dumps(point) for point in points}) == 9 * 5 * 2 * 2 * 4
    assert {point["stage"] for point in points} == {"gsst/07_tuned"}
    assert {point["blocks"] for point in points} == {132 * n for n in (4, 5, 6, 7, 8, 9, 10, 12, 16)}


@pytest.mark.parametrize(
    ("target", "count", "blocks"),
    [
        ("gsst_fig_5_2", 8 * 6, {37766, 18883, 9441, 4720, 2360, 1180, 590, 295}),
        ("gsst_fig_5_3", 8, {16 * 132}),
        ("gsst_fig_5_5", 7 * 7, {132 * n for n in (1, 2, 4, 8, 16, 32, 64)}),
        ("beyond_columns", 10, {132 * n for n in (1, 4, 6, 8, 64)}),
        ("beyond_sizes_multiprocessors", 10, {132 * 21}),
        ("warp_tiles_widths", 4, {132}),
        ("beyond_sizes", 3 * 4 + 2, {132 * n for n in (1, 2, 4, 8)}),
    ],
)
def test_a_grid_has_every_combination_once(target: str, count: int, blocks: set[int]) -> None:
    experiment = load_experiment(target)
    points = fixed_points(experiment, 132)
    assert len(points) == len({json.dumps(point) for point in points}) == count
    assert {point["blocks"] for point in points} == blocks
    assert candidates(experiment) == []


def test_the_points_of_tiles_say_how_they_are_made() -> None:
    *points, unchecked_8, unchecked_12 = fixed_points(load_experiment("warp_tiles_ladder"))
    steps, choices = points[:16], points[16:]
    assert [point["parameters"]["step"] for point in steps] == [*range(1, 10), 9, 9, 9, 9, 9, 10, 10]
    assert {point["blocks"] for point in points} == {128}
    assert points[0]["variant"] == "1 tiles"
    assert (points[0]["code_bits"], points[0]["parse"]) == (8, "greedy")
    assert (steps[-1]["code_bits"], steps[-1]["parse"]) == (12, "optimal")
    assert "codes_per_lane" not in steps[-1], "the encoder chooses"
    assert {point["parse"] for point in choices} == {"greedy"}
    assert all(
        [point.get("codes_per_lane", 32) != 32, point["level"] != 9, "warps" in point["parameters"]].count(
            True
        )
        == 1
        for point in choices
    )
    assert [point["code_bits"] for point in (unchecked_8, unchecked_12)] == [8, 12]
    assert {point["stage"] for point in (unchecked_8, unchecked_12)} == {"gsst/09_warp_tiles_unchecked"}


def test_a_point_of_a_grid_says_how_the_data_was_cut() -> None:
    (row,) = {json.dumps(point["row"]) for point in fixed_points(load_experiment("gsst_fig_5_3"))}
    assert json.loads(row) == {"policy": "grid", "blocks_per_multiprocessor": 16}
    rows = [point["row"] for point in fixed_points(load_experiment("gsst_fig_5_2"))]
    assert rows[0] == {"policy": "grid", "block_bytes": 262144}
    assert rows[-1] == {"policy": "grid", "block_bytes": 33554432}


def test_a_candidate_says_how_the_data_was_cut() -> None:
    points = candidates(load_experiment("gsst_tuning"), 132)
    assert {point["blocks"] // point["row"]["blocks_per_multiprocessor"] for point in points} == {132}
    assert {point["row"]["policy"] for point in points} == {"best"}


def test_blocks_of_a_size_follow_from_the_text_of_the_scale() -> None:
    counts = {
        scale: [point["blocks"] for point in fixed_points(load_experiment("gsst_fig_5_2"), scale=scale)][-1]
        for scale in ("tiny", "default", "paper")
    }
    assert counts == {"tiny": 5, "default": 26, "paper": 295}


def with_scale_of(experiment: Experiment, data: str) -> Experiment:
    """The experiment with the texts of another one at the scale paper."""
    return replace(experiment, scales={"paper": load_experiment(data).scales["paper"]})


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        ("gsst_fig_6_1", "datasets.yaml does not say how many bytes tpch/l_comment_sf80 has"),
        ("beyond_sizes", "262144 bytes each needs one text at the scale paper"),
    ],
)
def test_blocks_of_a_size_need_one_text_of_a_known_size(data: str, reason: str) -> None:
    with pytest.raises(PointsError, match=reason):
        fixed_points(with_scale_of(load_experiment("gsst_fig_5_2"), data))


def run_main(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> int:
    monkeypatch.setattr(sys, "argv", ["gpu_points", *arguments])
    return module.main()


def test_the_file_holds_target_kind_points_and_candidates(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "points.json"
    assert run_main(monkeypatch, TARGET, "--stages", "gsst/01_blocks", "--output", str(path)) == 0
    document = json.loads(path.read_text(encoding="utf-8"))
    assert (document["target"], document["kind"]) == (TARGET, "decode")
    assert [(point["blocks"], point["row"]["policy"]) for point in document["points"]] == [
        (f"{16 * 192} per SM", "common")
    ]
    assert {point["stage"] for point in document["candidates"]} == {"gsst/01_blocks"}


def test_a_point_of_random_access_is_a_list_of_ranges_of_a_frame() -> None:
    access = load_experiment("beyond_random_access").random_access
    assert access is not None
    points = range_points(access)
    assert len(points) == len({json.dumps(point) for point in points}) == access.rows
    frames = [{key: value for key, value in point.items() if key != "ranges"} for point in points]
    changes = sum(one != other for one, other in itertools.pairwise(frames))
    assert changes == len(access.frames) - 1, "those of a frame are together"


def test_a_point_of_a_search_is_a_stage_with_a_pattern_in_a_frame() -> None:
    searches = load_experiment("search_ladder").searches
    assert searches is not None
    points = search_points(searches)
    assert len(points) == len({json.dumps(point) for point in points}) == 9 * 3 * 4 * 2
    variants = [point["variant"] for point in points]
    assert sum(one != other for one, other in itertools.pairwise(variants)) == 2, "those of one are together"
    assert points[10] == {
        "stage": "search/02_byte_automaton_on_codes",
        "variant": "8 bits",
        "block_bytes": 4 << 20,
        "code_bits": 8,
        "level": 6,
        "row": {"frequency": "never", "pattern": "zzqx", "output": "positions"},
    }


def test_a_search_may_have_another_string_for_each_text() -> None:
    searches = load_experiment("search_columns").searches
    assert searches is not None
    frames, texts = len(searches.frames), len(searches.patterns["rare"])
    assert len(search_points(searches)) == frames * texts
    points = search_points(searches, "dbtext/wiki_tiled_to_1000000000_bytes")
    assert [point["row"]["pattern"] for point in points] == ["Einstein"] * frames
    scales = load_experiment("search_columns").scales
    for instance in (each for scale in scales.values() for each in scale.instances):
        assert len(search_points(searches, instance.label)) == frames, "every column has a string"


def test_a_point_of_a_query_is_a_way_to_store_its_columns() -> None:
    queries = load_experiment("tile_beyond_queries").queries
    assert queries is not None
    points = query_points(queries)
    assert len(points) == len({json.dumps(point) for point in points}) == 13 * len(queries.ways)
    named = [point["row"]["query"] for point in points]
    assert sum(one != other for one, other in itertools.pairwise(named)) == 12, "those of one are together"
    assert points[0] == {
        "stage": "tile_integer/09_queries",
        "variant": "plain, all read",
        "parameters": {"skip": 0},
        "block_bytes": 4 << 20,
        "row": {"query": "q1.1", "storage": "plain", "place": "device"},
    }


@pytest.mark.parametrize("target", [name for name in all_targets() if load_experiment(name).queries])
def test_the_stage_of_queries_takes_every_way(target: str) -> None:
    queries = load_experiment(target).queries
    assert queries is not None
    for way in queries.ways:
        wanted = way.get("stage", queries.stage)
        (stage,) = [stage for stage in registered_stages() if stage["id"] == wanted]
        values = {entry["name"]: entry["values"] for entry in stage["parameters"]}
        assert all(value in values[name] for name, value in way.get("parameters", {}).items())


def test_a_target_without_points_is_refused(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_main(monkeypatch, "gsst_fig_b_1") == 1
    assert "gsst_fig_b_1 has no points of its own" in capsys.readouterr().err


@pytest.mark.parametrize("target", [name for name in all_targets() if load_experiment(name).points])
def test_registered_stages_take_every_point(target: str) -> None:
    registered = {stage["id"]: stage for stage in registered_stages() if stage["operation"] != "encode"}
    experiment = load_experiment(target)
    for point in [*fixed_points(experiment), *candidates(experiment)]:
        if point["stage"] not in registered:
            continue
        values = {entry["name"]: entry["values"] for entry in registered[point["stage"]]["parameters"]}
        for name, value in point["parameters"].items():
            assert value in values.get(name, []), f"{point['stage']} does not take {name} = {value}"


def test_batches_and_interconnects_stand_in_the_points_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    output = tmp_path / "points.json"
    monkeypatch.setattr(sys, "argv", ["gpu_points", "beyond_overlap", "--output", str(output)])
    assert module.main() == 0
    document = json.loads(output.read_text(encoding="utf-8"))
    assert document["target"] == "beyond_overlap"
    assert document["batches"][:2] == [1, 2]
    assert document["interconnects"][-1] is None
    assert {point["stage"] for point in document["points"]} == {"gsst/02_splits", "gsst/07_tuned"}


def test_a_grid_may_ask_for_times_of_a_graph() -> None:
    points = fixed_points(load_experiment("beyond_sizes"))
    tiles = [point for point in points if point["stage"] == "gsst/09_warp_tiles"]
    assert [point for point in points if point.get("graph")] == tiles
    assert len(tiles) == 6


ENCODED = [target for target in all_targets() if load_experiment(target).encoding is not None]


def test_a_grid_has_every_combination() -> None:
    points = encode_points(load_experiment("encoder_fig_12"))
    assert len(points) == len({json.dumps(point) for point in points}) == 20
    assert {point["block_bytes"] // point["splits"] for point in points} == {
        1 << exponent for exponent in range(10, 15)
    }


def test_each_step_of_the_ladder_is_a_point_with_its_name() -> None:
    points = encode_points(load_experiment("encoder_ladder"))
    assert [point["parameters"]["step"] for point in points] == list(range(1, 9))
    assert [int(point["variant"].split()[0]) for point in points] == list(range(1, 9))


def test_an_experiment_without_encoder_has_no_points() -> None:
    with pytest.raises(PointsError, match="gsst_fig_6_1 measures no encoder"):
        encode_points(load_experiment("gsst_fig_6_1"))


@pytest.mark.parametrize("target", ENCODED)
def test_the_registered_encoder_takes_every_point(target: str) -> None:
    registered = {stage["id"]: stage for stage in registered_stages() if stage["operation"] == "encode"}
    for point in encode_points(load_experiment(target)):
        parameters = {entry["name"]: entry["values"] for entry in registered[point["stage"]]["parameters"]}
        for name, value in point["parameters"].items():
            assert value in parameters[name]


# As another series' file says them: its formats have no splits, and options of their own.
MADE_UP_POINTS = [
    {
        "stage": "made_up/01_pairs",
        "common": {"block_bytes": 4096, "options": {"longest_pair": 7}},
        "sweep": {"blocks": ["1 per SM", "2 per SM"], "options": {"order": "falling"}},
    },
    {
        "stage": "made_up/02_pairs",
        "grid": {
            "block_bytes": [512, 1024],
            "parameters": {"step": [1, 2]},
            "options": {"longest_pair": 3},
            "row": {"kind": "pairs"},
        },
    },
]


def _made_up_experiment(folder: Path) -> Experiment:
    document = yaml.safe_load((EXPERIMENTS_DIR / f"{TARGET}.yaml").read_text(encoding="utf-8"))
    document["measurement"]["points"] = MADE_UP_POINTS
    (folder / f"{TARGET}.yaml").write_text(json.dumps(document), encoding="utf-8")
    return load_experiment(TARGET, folder)


def test_a_grid_has_a_point_for_every_pace_and_the_file_the_options_of_the_scale() -> None:
    experiment = load_experiment("zle_beyond_line_rate_gpu")
    assert experiment.encoding is not None
    document = whole_document(experiment, "tiny")
    assert document["options"] == {"packet_bytes": 8192, "ring_mib": 256, "longest_milliseconds": 200}
    assert document["points"] == encode_points(experiment)
    minute = [point for point in document["points"] if point["variant"] == "a minute"]
    assert [point["row"] for point in minute] == list(experiment.encoding.grids[0].paces)
    assert minute[0]["row"] == {
        "wanted_gigabits_per_second": 40,
        "wanted_milliseconds": 60000,
        "sources": 2,
    }
    assert "options" not in whole_document(load_experiment("zle_beyond_pipeline"))


def test_points_of_a_format_without_splits_say_its_options(tmp_path: Path) -> None:
    experiment = _made_up_experiment(tmp_path)
    common, *grid = fixed_points(experiment)
    assert common == {
        "stage": "made_up/01_pairs",
        "parameters": {},
        "block_bytes": 4096,
        "longest_pair": 7,
        "row": {"policy": "common"},
    }
    cuts = [
        (point["block_bytes"], point["parameters"]["step"], point["row"]["block_bytes"]) for point in grid
    ]
    assert cuts == [(512, 1, 512), (512, 2, 512), (1024, 1, 1024), (1024, 2, 1024)]
    assert {point["longest_pair"] for point in grid} == {3}
    assert {point["row"]["kind"] for point in grid} == {"pairs"}
    swept = candidates(experiment, 10)
    assert [(point["blocks"], point["order"]) for point in swept] == [(10, "falling"), (20, "falling")]
    assert not any("splits" in point for point in (common, *grid, *swept))
    grids = [
        EncodeGrid("made_up/03_encoder", "", {"block_bytes": (64, 128)}, {}, options={"search_depth": 3})
    ]
    assert [point for grid in grids for point in grid_points(grid)] == [
        {
            "stage": "made_up/03_encoder",
            "variant": "",
            "parameters": {},
            "block_bytes": block_bytes,
            "search_depth": 3,
        }
        for block_bytes in (64, 128)
    ]


def unmeasured(experiment: Experiment) -> list[str]:
    """Texts of the scales that no point is of: whoever measures leaves them out."""
    return [
        f"{name}: {instance.label}"
        for name, scale in experiment.scales.items()
        for instance in scale.instances
        if not all_points(experiment, name, instance.label) and not candidates(experiment)
    ]


@pytest.mark.parametrize("target", all_targets())
def test_every_text_of_a_scale_has_a_point(target: str) -> None:
    experiment = load_experiment(target)
    if experiment.program in ("decode", "encode"):
        assert unmeasured(experiment) == []


def test_a_text_without_a_point_is_found() -> None:
    experiment = load_experiment("tile_beyond_4_gb")
    points = tuple(entry for entry in experiment.points if not entry.are_of("tile_integer/ascending"))
    assert unmeasured(replace(experiment, points=points)) == [
        "tiny: tile_integer/ascending_first_2097152_bytes",
        "default: tile_integer/ascending_first_1000000000_bytes",
        "paper: tile_integer/ascending",
    ]
