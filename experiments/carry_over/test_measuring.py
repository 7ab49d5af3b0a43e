from pathlib import Path

from experiments.carry_over.measuring import measuring
from experiments.definition import load_experiment
from experiments.gpu_points import points_document, range_points
from experiments.sources import REPOSITORY_ROOT


def test_this_tree_measures_with_one_program() -> None:
    found = measuring(REPOSITORY_ROOT, "decode")
    assert (found.program, found.arguments) == ("gsst_measure", ("decode",))
    assert found.document({"points": [1]}) == {"points": [1]}


def test_a_tree_from_before_has_a_program_for_each_kind(tmp_path: Path) -> None:
    assert measuring(tmp_path, "decode").program == "gsst_measure_stages"
    assert measuring(tmp_path, "encode").arguments == ()


def test_lists_of_ranges_were_said_once_for_all_frames(tmp_path: Path) -> None:
    experiment = load_experiment("beyond_random_access")
    access = experiment.random_access
    assert access is not None
    former = measuring(tmp_path, "ranges").document(points_document(experiment, range_points(access)))
    assert [point["variant"] for point in former["points"]] == [frame["variant"] for frame in access.frames]
    assert tuple(former["patterns"]) == access.patterns
    assert tuple(former["selectivities"]) == access.selectivities
    assert tuple(former["range_bytes"]) == access.range_bytes


def test_short_strips_were_asked_for_by_a_key_of_their_own(tmp_path: Path) -> None:
    point = {"stage": "a", "format": "tiles", "strip_codes": 512, "ranges": {}}
    document = {"points": [point]}
    assert measuring(REPOSITORY_ROOT, "ranges").document(document) == document
    reader = tmp_path / "experiments" / "measure" / "shared" / "points.cpp"
    reader.parent.mkdir(parents=True)
    reader.write_text('if (flag("short_strips")) {')
    (tmp_path / "experiments" / "measure" / "kinds" / "ranges").mkdir(parents=True)
    before = measuring(tmp_path, "ranges").document(document)
    assert before == {"points": [{"stage": "a", "format": "tiles", "ranges": {}, "short_strips": True}]}
