import json
from pathlib import Path

from experiments.former_ids import former_ids, present_id
from experiments.results import load_result
from experiments.sources import REPOSITORY_ROOT, verified_digest

RECORD = REPOSITORY_ROOT / "experiments/recorded/h200/beyond_random_access.json"


def test_each_present_id_is_a_folder_and_no_former_one_is() -> None:
    for former, present in former_ids().items():
        assert (REPOSITORY_ROOT / "stages" / present).is_dir()
        assert not (REPOSITORY_ROOT / "stages" / former).exists()
        assert present_id(former) == present_id(present) == present


def test_rows_of_a_record_have_the_present_ids(tmp_path: Path) -> None:
    document = json.loads(RECORD.read_text(encoding="utf-8"))
    for row in document["rows"]:
        row["stage"] = "library/ranges"
    path = tmp_path / RECORD.name
    path.write_text(json.dumps(document), encoding="utf-8")
    assert {row["stage"] for row in load_result(path).rows} == {"gsst/11_random_access"}


def test_what_was_tested_on_a_gpu_has_a_digest_by_both_ids() -> None:
    for former, present in former_ids().items():
        assert verified_digest(former) == verified_digest(present)
