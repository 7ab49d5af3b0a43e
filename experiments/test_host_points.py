"""The points of stages on the executor cpu, made of a definition."""

from experiments.definition import UP_TO_PROCESSORS, HostGrid, load_experiment
from experiments.host_points import host_points, numbers_of_threads
from experiments.sources import REPOSITORY_ROOT, measured_paths, measured_sources, target_digest


def names_of(paths: tuple[str, ...]) -> set[str]:
    return {path.relative_to(REPOSITORY_ROOT).as_posix() for path in measured_sources(paths=paths)}


def test_threads_are_powers_of_two_and_all_processors() -> None:
    assert numbers_of_threads(1) == [1]
    assert numbers_of_threads(2) == [1, 2]
    assert numbers_of_threads(16) == [1, 2, 4, 8, 16]
    # 0 is all of them.
    assert numbers_of_threads(24) == [1, 2, 4, 8, 16, 0]


def test_every_combination_is_a_point() -> None:
    experiment = load_experiment("zle_intrinsics")
    points = host_points(experiment, "zero_length/kat7_859", 2)
    assert len(points) == 2 + 2 * 4 * 2
    assert len({str(point) for point in points}) == len(points)
    assert {
        "operation": "decode",
        "stage": "zero_length/03_simd_unvectorised",
        "format": "zle_bare",
        "block_bytes": 1 << 20,
        "parameters": {"threads": 1, "vector_bytes": 64},
        "where_offered": ["vector_bytes"],
    } in points


def test_threads_follow_the_machine() -> None:
    points = host_points(load_experiment("zle_fig_21"), "zero_length/kat7_859", 4)
    assert sorted({point["parameters"]["threads"] for point in points}) == [1, 2, 4]


def test_a_grid_may_be_of_some_texts() -> None:
    grid = HostGrid(
        "zero_length/02_openmp",
        "",
        ("encode",),
        ("zle",),
        (4,),
        {"threads": UP_TO_PROCESSORS},
        (),
        (True,),
        "a*",
    )
    assert grid.is_of("a1")
    assert not grid.is_of("b1")


def test_a_result_depends_on_its_stages_and_on_no_other() -> None:
    paths = measured_paths("cpu", ["zero_length/03_simd"], "cpu_stages")
    names = names_of(paths)
    assert "stages/zero_length/03_simd/decode_loop.hpp" in names
    assert "stages/zero_length/encode/encode_plans.cpp" in names
    assert "experiments/measure_cpu_stages/stage_works.cpp" in names
    assert not [name for name in names if "01_naive" in name or "stages/gsst" in name or "/kinds/" in name]
    digests = {target_digest("zle_intrinsics", stages) for stages in ((), ("zero_length/03_simd",))}
    assert len(digests) == 2
