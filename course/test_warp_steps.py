"""The excerpts of traces that the visualiser shows: what their addresses cost is what the model counts."""

from collections import Counter
from typing import Any

import pytest

from course.pictures import BANKS, sectors_of
from course.traced_lines import TRACED, TracedLine, load_trace
from course.warp_steps import (
    LANES,
    SCENES,
    STEPS,
    Step,
    WarpStepsError,
    load_scenes,
    scenes_of,
    steps_path,
    warps_json,
)


def passes_of(addresses: list[int], width: int) -> int:
    """Passes over the banks of shared memory, with as many lanes together as it serves."""
    together, passes = LANES * 4 // max(width, 4), 0
    for first in range(0, len(addresses), together):
        served = addresses[first : first + together]
        words = {byte // 4 for address in served for byte in range(address, address + width)}
        passes += max(Counter(word % BANKS for word in words).values())
    return passes


def units_of(step: Step, kind: str) -> int:
    active = [address for address in step.addresses if address is not None]
    return passes_of(active, step.bytes) if kind.startswith("shared") else len(sectors_of(active, step.bytes))


@pytest.mark.parametrize("stage", TRACED)
def test_addresses_cost_what_the_model_counts(stage: str) -> None:
    lines = load_trace(stage)
    scenes = load_scenes(stage)
    assert [scene.name for scene in scenes] == list(SCENES[stage])
    for scene in scenes:
        assert len(scene.steps) == STEPS
        assert all(len(step.addresses) == LANES for step in scene.steps)
        assert [step.units for step in scene.steps] == [
            units_of(step, lines[step.line].kind) for step in scene.steps
        ]


@pytest.mark.parametrize("stage", TRACED)
def test_a_scene_is_a_part_of_its_trace(stage: str) -> None:
    lines = load_trace(stage)
    for scene in load_scenes(stage):
        for number in {step.line for step in scene.steps}:
            steps = [step for step in scene.steps if step.line == number]
            assert len(steps) <= lines[number].requests
            assert sum(step.units for step in steps) <= lines[number].units


def test_a_scene_begins_with_its_line() -> None:
    for stage, starts in SCENES.items():
        lines = load_trace(stage)
        for scene in load_scenes(stage):
            first = lines[scene.steps[0].line]
            assert starts[scene.name].text in first.text
            assert starts[scene.name].kind == first.kind


def test_traces_are_small() -> None:
    assert max(steps_path(stage).stat().st_size for stage in TRACED) < 200_000
    everything = [(stage, name) for stage in TRACED for name in SCENES[stage]]
    assert len(warps_json(TRACED, everything)) < 200_000


def document_of(lanes_of_requests: list[int]) -> dict[str, Any]:
    """A trace of stage 02 with loads of the codes."""
    requests = [
        {"count": 0, "bytes": 1, "sectors": 1, "addresses": [1040] * lanes + [None] * (LANES - lanes)}
        for lanes in lanes_of_requests
    ]
    line = "stages/gsst/02_splits/kernel.cuh:29"
    counts = {"lines": [line], "accesses": "global_load", "requests": 1, "lanes": 1, "bytes": 1, "sectors": 1}
    memory = [{"first": 16, "bytes": 32}, {"first": 1024, "bytes": 100}]
    return {"schema": 1, "counts": [counts], "memory": memory, "requests": requests}


LINES = [
    TracedLine(
        "stages/gsst/02_splits/kernel.cuh",
        29,
        "const std::uint8_t code = codes[position];",
        "global_load",
        1,
        1,
        1,
    )
]


def test_a_scene_begins_where_most_lanes_take_part_first() -> None:
    (scene,) = scenes_of("gsst/02_splits", document_of([1, 3, 7, 2, 7] + [1] * STEPS), LINES)
    assert scene.first == 2
    # From the begin of their piece of memory on.
    assert scene.steps[0] == Step(0, 1, 1, (16,) * 7 + (None,) * 25)


def test_a_scene_does_not_go_past_the_end() -> None:
    (scene,) = scenes_of("gsst/02_splits", document_of([1] * STEPS + [9]), LINES)
    assert scene.first == 0


def test_a_kernel_without_the_line_is_named() -> None:
    with pytest.raises(WarpStepsError, match="gsst/02_splits: no global_load of `code = codes"):
        scenes_of("gsst/02_splits", document_of([]), LINES)


def scene_of(stage: str, name: str) -> tuple[Step, ...]:
    (scene,) = [scene for scene in load_scenes(stage) if scene.name == name]
    return scene.steps


def lanes_in(step: Step) -> int:
    return sum(address is not None for address in step.addresses)


def test_what_the_lessons_say_of_the_scenes() -> None:
    """A stage 01 with four threads; full sectors in stage 05; a buffer written in more than 48 steps, and in
    eight."""
    assert {lanes_in(step) for step in scene_of("gsst/01_blocks", "decode")} <= set(range(1, 5))
    first_of_02 = scene_of("gsst/02_splits", "decode")[0]
    assert lanes_in(first_of_02) == first_of_02.units == LANES
    assert {step.bytes for step in scene_of("gsst/03_shared_memory", "write")} == {1}
    assert [step.bytes for step in scene_of("gsst/04_alignment", "write")[:9]] == [16] * 8 + [1]
    few, all_lanes = scene_of("gsst/04_alignment", "fill")[0], scene_of("gsst/05_coalesced", "fill")[0]
    assert few.units == lanes_in(few) < 8
    assert lanes_in(all_lanes) == LANES
    assert all_lanes.units <= LANES // 2 + 1
