from collections import Counter
from pathlib import Path

import pytest

from tools.series_boundaries import LEFT, places, places_in


def test_shared_code_says_no_more_of_a_series_than_is_left() -> None:
    assert Counter(place.path.as_posix() for place in places()) == LEFT


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ("common/stage/a.hpp", '#include "stages/gsst/07_tuned/a.cuh"'),
        ("common/frame/a.cpp", '#include "reference_cpu/codec.hpp"'),
        ("common/frame/a.cpp", '#include "common/format/gsst/tiles.hpp"'),
        ("common/simt/a.hpp", 'run("gsst/01_blocks");'),
        ("common/pipeline/a.cpp", "if (format == BlockFormat::tiles) {"),
        ("common/pipeline/a.cpp", 'if (name == "coalesced") {'),
        ("fuzz/a.cpp", '#include "reference_cpu/block_codec.hpp"'),
        ("fuzz/a.cpp", '#include "fuzz/gsst/seed_blocks.hpp"'),
        ("fuzz/kernels/a.cpp", '#include "stages/gsst/shared/decode_plan.hpp"'),
        ("fuzz/kernels/a.hpp", "if (format == BlockFormat::tiles) {"),
        ("experiments/measure/main.cpp", 'run("gsst/01_blocks");'),
        ("experiments/measure/shared/a.cpp", '#include "common/format/gsst/tiles.hpp"'),
        ("experiments/measure/shared/a.hpp", '#include "experiments/measure/series/gsst/a.hpp"'),
        ("experiments/measure/kinds/decode/a.cpp", '#include "reference_cpu/memory_codec.hpp"'),
        ("experiments/measure/kinds/encode/a.cpp", '#include "stages/gsst/encode/encode_plans.hpp"'),
        ("experiments/measure/kinds/ranges/a.cpp", "if (format == BlockFormat::tiles) {"),
        ("experiments/measure/kinds/ranges/a.cpp", 'if (name == "coalesced") {'),
        ("experiments/a.py", 'STAGE = "gsst/09_warp_tiles"'),
    ],
)
def test_what_shared_code_says_of_a_series_is_found(path: str, line: str) -> None:
    assert [place.line for place in places_in(Path(path), f"\n{line}\n")] == [2]


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ("common/stage/a.hpp", '#include "common/format/formats.hpp"'),
        ("common/pipeline/a_test.cpp", 'run("gsst/01_blocks");'),
        ("stages/gsst/07_tuned/a.hpp", 'run("gsst/01_blocks");'),
        ("fuzz/gsst/a.cpp", "if (format == BlockFormat::tiles) {"),
        ("fuzz/kernels/a.cpp", '#include "reference_cpu/codec.hpp"'),
        ("fuzz/kernels/a.cpp", '#include "fuzz/kernels/batch.hpp"'),
        ("experiments/measure/shared/a_test.cpp", 'run("gsst/01_blocks");'),
        ("experiments/measure/shared/a.cpp", '#include "reference_cpu/codec.hpp"'),
        ("experiments/measure/shared/a.cpp", 'point["blocks"] = 1;'),
        ("experiments/measure/series/gsst/a.cpp", "if (format == BlockFormat::tiles) {"),
        ("experiments/measure_overlap/a.cpp", '#include "reference_cpu/memory_codec.hpp"'),
        ("experiments/test_a.py", 'STAGE = "gsst/09_warp_tiles"'),
        ("experiments/a.py", 'row["tiles"]'),
    ],
)
def test_other_code_may(path: str, line: str) -> None:
    assert list(places_in(Path(path), f"{line}\n")) == []
