"""Runs gsst_measure_search_cpu by the target's definition, and checks the rows and the errors."""

import hashlib
from pathlib import Path

import pytest

from experiments.definition import load_experiment
from experiments.environment import build_of
from experiments.run_measurement import MeasurementError, measure
from experiments.sources import REPOSITORY_ROOT

pytestmark = pytest.mark.measuring
PROGRAM = REPOSITORY_ROOT / "build" / "bin" / "gsst_measure_search_cpu"
TARGET = "search_cpu"
LABEL = "tpch/l_comment_sf0.05"
# Each line is the answer to some question.
LINES = (
    b"final warthogs blithely nag furiously\n",
    b"special pinto beans wake among requests\n",
    b"no account boosts quick dolphins\n",
)


def test_commands_are_measured_as_the_definition_says(tmp_path: Path) -> None:
    content = b"".join(LINES) * 1000
    (tmp_path / "text").write_bytes(content)
    experiment = load_experiment(TARGET)
    result = measure(experiment, "tiny", {LABEL: str(tmp_path / "text")}, PROGRAM)
    missing = {name for row in result.rows for name in row.get("missing_codecs", ())}
    ways = [("search/codes", "8 bits"), ("search/codes", "12 bits"), ("search/decoded", "12 bits")]
    ways += [("search/decoded_to_grep", "12 bits")]
    ways += [] if "zstd" in missing else [("peer/zstd_grep", "level 3")]
    ways += [] if "ripgrep" in missing else [("peer/ripgrep", "text")]
    ways += [("peer/grep", "text")]
    measured = [(row["question"], row["stage"], row["variant"]) for row in result.rows]
    assert measured == [(question, *way) for question in experiment.questions for way in ways]
    for row in result.rows:
        assert row["patterns"] == list(experiment.questions[row["question"]])
        assert (row["lines"], row["matched_lines"]) == (3000, 1000)
        assert row["operation"] == "query"
        assert row["dataset_sha256"] == hashlib.sha256(content).hexdigest()
        assert row["uncompressed_bytes"] == len(content)
        assert 3 <= row["seconds"]["repetitions"] <= 10
        assert row["verified"] is True
    assert not result.stale
    assert build_of(PROGRAM)["compiler"] != "unknown"


def test_a_text_without_an_answer_is_refused(tmp_path: Path) -> None:
    (tmp_path / "text").write_bytes(b"nothing is here\n")
    with pytest.raises(MeasurementError, match="gsst_measure_search_cpu ended with status 2"):
        measure(load_experiment(TARGET), "tiny", {LABEL: str(tmp_path / "text")}, PROGRAM)
