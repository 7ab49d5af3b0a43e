"""The traces that the course shows are those of the kernels as they are now."""

from collections import Counter

import pytest

from course.traced_lines import TRACED, lines_of, load_trace, text_of
from course.traces import built_program, trace_now
from course.warp_steps import load_scenes, scenes_of

AGAIN = "run `.venv/bin/python -m course.traces`"


@pytest.mark.parametrize("stage", TRACED)
def test_the_lines_of_a_trace_are_those_of_the_kernel(stage: str) -> None:
    lines = load_trace(stage)
    assert lines
    changed = [line for line in lines if text_of(line.file, line.line) != line.text]
    assert changed == [], AGAIN


@pytest.mark.parametrize("stage", TRACED)
def test_tracing_again_counts_the_same(stage: str) -> None:
    program = built_program(stage)
    if not program.exists():
        pytest.skip(f"{program.name} is not built: `make trace STAGE={stage}` builds it")
    document = trace_now(stage, program)
    lines = lines_of(document)
    assert lines == load_trace(stage), AGAIN
    assert scenes_of(stage, document, lines) == load_scenes(stage), AGAIN


def test_a_store_of_each_byte_becomes_one_of_sixteen() -> None:
    sectors = {
        stage: sum(line.units for line in load_trace(stage) if line.kind == "global_store")
        for stage in ("gsst/03_shared_memory", "gsst/04_alignment")
    }
    assert sectors == {"gsst/03_shared_memory": 131072, "gsst/04_alignment": 8192}


def test_a_line_is_counted_once_wherever_it_is_called_from() -> None:
    entry = {"accesses": "global_load", "requests": 2, "lanes": 40, "bytes": 40, "sectors": 9}
    here = "./build/../course/copy_kernel/kernel.cuh"
    callers = ([f"{here}:9", f"{here}:12"], [f"{here}:9", f"{here}:14"], [f"{here}:12"])
    found = lines_of({"schema": 1, "counts": [{**entry, "lines": lines} for lines in callers]})
    assert Counter({line.line: line.requests for line in found}) == {9: 4, 12: 2}
    assert next(line for line in found if line.line == 9).units == 18
