"""What of profiles/slurm can be tested without Slurm; tools/try_on_slurm.sh tries it with one."""

import re
import subprocess
from typing import Any

import pytest
import yaml
from snakemake.cli import get_argument_parser

from data.schema import validate
from experiments.sources import REPOSITORY_ROOT

PROFILE = REPOSITORY_ROOT / "profiles" / "slurm"
# The executor's own options begin with its name, and are known once it is installed.
OF_EXECUTOR = "slurm-"


def read_yaml(path: str) -> dict[str, Any]:
    return yaml.safe_load((REPOSITORY_ROOT / path).read_text(encoding="utf-8"))


@pytest.mark.parametrize("profile", ["default", "gpu", "slurm"])
def test_snakemake_knows_every_setting_of_a_profile(profile: str) -> None:
    known = {name for action in get_argument_parser()._actions for name in action.option_strings}
    settings = [
        name for name in read_yaml(f"profiles/{profile}/config.yaml") if not name.startswith(OF_EXECUTOR)
    ]
    assert [name for name in settings if f"--{name}" not in known] == []


def test_a_job_that_was_lost_is_submitted_again() -> None:
    assert read_yaml("profiles/slurm/config.yaml")["retries"] > 0


def test_jobs_are_asked_for_in_a_way_that_sees_cancelled_ones() -> None:
    """sacct says `CANCELLED by 1000`, which the executor takes for a running job."""
    assert read_yaml("profiles/slurm/config.yaml")["slurm-status-command"] == "squeue"


def test_its_configuration_is_valid() -> None:
    profile = read_yaml("profiles/slurm/config.yaml")
    config = {**read_yaml("experiments/config.yaml"), **read_yaml(profile["configfile"])}
    validate(config, REPOSITORY_ROOT / "experiments/schemas/config.schema.json")


def test_measurements_alone_are_jobs() -> None:
    """Nodes often have no network to fetch with and no nvcc to compile with."""
    files = [REPOSITORY_ROOT / "Snakefile", *(REPOSITORY_ROOT / "experiments" / "rules").glob("*.smk")]
    text = "\n".join(path.read_text(encoding="utf-8") for path in files)
    rules = set(re.findall(r"^rule (\w+):", text, re.MULTILINE))
    blocks = re.findall(r"^localrules:\n((?:    \w+,\n)+)", text, re.MULTILINE)
    local = set(re.findall(r"\w+", "".join(blocks)))
    assert len(blocks) == text.count("localrules:")
    assert local <= rules
    assert rules - local == {"measure", "measure_on_gpu"}


def test_its_packages_are_pinned_apart_from_those_of_everybody() -> None:
    pins = [
        set(
            re.findall(
                r"^([\w-]+)==[\w.]+$", (REPOSITORY_ROOT / path).read_text(encoding="utf-8"), re.MULTILINE
            )
        )
        for path in ("requirements.txt", "profiles/slurm/requirements.txt")
    ]
    assert pins[1] == {"snakemake-executor-plugin-slurm", "snakemake-executor-plugin-slurm-jobstep"}
    assert not pins[0] & pins[1]


@pytest.mark.parametrize(
    ("variables", "cores", "installs"),
    [
        (["PROFILE=slurm"], [], ["profiles/slurm/requirements.txt"]),
        (["PROFILE=slurm", "JOBS=3"], ["3"], ["profiles/slurm/requirements.txt"]),
        (["PROFILE=gpu", "JOBS=3"], ["3"], []),
        (["JOBS=3"], ["3"], []),
    ],
)
def test_make_leaves_the_processors_of_a_job_to_the_profile(
    variables: list[str], cores: list[str], installs: list[str]
) -> None:
    command = ["make", "--dry-run", "figures", *variables]
    said = subprocess.run(command, cwd=REPOSITORY_ROOT, capture_output=True, text=True, check=True).stdout
    assert re.findall(r"-m snakemake .*--cores (\d+)", said) == cores
    (packages,) = re.findall(r"^tools/install_python_packages\.sh(.*)$", said, re.MULTILINE)
    assert packages.split() == installs
