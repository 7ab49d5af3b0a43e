from pathlib import Path

import pytest

from tools.series_boundaries import places, places_in


def test_shared_code_says_nothing_of_a_series() -> None:
    assert not list(places())


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
        ("experiments/test_a.py", 'STAGE = "gsst/09_warp_tiles"'),
        ("experiments/a.py", 'row["tiles"]'),
    ],
)
def test_other_code_may(path: str, line: str) -> None:
    assert list(places_in(Path(path), f"{line}\n")) == []
