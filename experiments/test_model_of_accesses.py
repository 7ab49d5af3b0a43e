"""The model of accesses beside recorded counters: what follows from counts, and that the record has them."""

import pytest

from experiments.definition import load_experiment
from experiments.model_of_accesses import (
    COUNTED_MACHINE,
    COUNTED_TARGET,
    COUNTED_TEXT,
    NoCountersError,
    counted,
    modelled,
    with_counters,
)
from experiments.results import RECORDED_DIR, load_result, recorded_paths
from tools.stages import registered_stages

TARGET = "beyond_model_of_accesses"


def accesses(**changes: dict[str, int]) -> dict[str, dict[str, int]]:
    """Counts of a row: none but those that are given."""
    of_global = {"requests": 0, "lanes": 0, "bytes": 0, "sectors": 0}
    of_shared = {"requests": 0, "lanes": 0, "bytes": 0, "passes": 0, "passes_without_conflicts": 0}
    kinds = ("load", "store", "atomic", "copy")
    return {
        **{f"global_{kind}": of_global for kind in kinds},
        **{f"shared_{kind}": of_shared for kind in kinds},
        **changes,
    }


def test_asynchronous_copies_are_loads() -> None:
    counts = accesses(
        global_load={"requests": 2, "lanes": 64, "bytes": 64, "sectors": 6},
        global_copy={"requests": 1, "lanes": 32, "bytes": 512, "sectors": 16},
        global_store={"requests": 4, "lanes": 9, "bytes": 9, "sectors": 6},
    )
    found = modelled({"accesses": counts, "uncompressed_bytes": 100})
    assert found["sectors_per_load"] == pytest.approx(22 / 3)
    assert found["sectors_per_store"] == 1.5
    assert found["bank_conflicts_per_byte"] == 0


def test_conflicts_are_passes_that_would_not_be_needed_without_them() -> None:
    shared = {"requests": 2, "lanes": 64, "bytes": 256, "passes": 7, "passes_without_conflicts": 2}
    counts = accesses(shared_load=shared, shared_atomic={**shared, "passes": 3})
    found = modelled({"accesses": counts, "uncompressed_bytes": 12})
    assert found["bank_conflicts_per_byte"] == 0.5
    assert found["sectors_per_load"] is None


def test_counters_are_those_of_the_stage_and_the_policy() -> None:
    common, best = (counted("gsst/07_tuned", policy) for policy in ("common", "best"))
    assert common["sectors_per_store"] > best["sectors_per_store"]
    assert common["machine"] == COUNTED_MACHINE
    assert counted("gsst/02_splits", "common")["bank_conflicts_per_byte"] == 0


def test_a_stage_without_counters_is_named() -> None:
    with pytest.raises(NoCountersError, match=r"gsst/09_warp_tiles: gsst_table_6_1 of h200 has no counters"):
        counted("gsst/09_warp_tiles", "common")


def test_rows_of_other_texts_and_of_grids_have_no_counters() -> None:
    row = {
        **{"stage": "gsst/04_alignment", "policy": "common", "dataset": f"{COUNTED_TEXT}_sf1"},
        **{"accesses": accesses(), "uncompressed_bytes": 1},
    }
    rows = with_counters([row, {**row, "dataset": "dbtext/wiki"}, {**row, "policy": "grid"}])
    assert [found["counted"]["machine"] for found in rows] == [COUNTED_MACHINE, None, None]
    assert all(found["counted"].keys() == rows[0]["counted"].keys() for found in rows)
    assert all("model" in found for found in rows)


def test_recorded_rows_have_the_numbers_of_their_counts_and_of_the_counted_record() -> None:
    for path in recorded_paths(TARGET):
        rows = load_result(path).rows
        assert list(rows) == with_counters(rows)
        assert {row["stage"] for row in rows if row["counted"]["machine"]} == {
            row["stage"]
            for row in load_result(RECORDED_DIR / COUNTED_MACHINE / f"{COUNTED_TARGET}.json").rows
        }


def test_every_decoder_with_kernels_is_in_the_figures() -> None:
    with_kernels = {
        str(stage["id"])
        for stage in registered_stages()
        if stage["operation"] == "decode" and "simt" in stage["devices"]
    }
    assert set(load_experiment(TARGET).stages) == with_kernels
