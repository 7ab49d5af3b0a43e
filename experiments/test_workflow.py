"""Runs the workflow in a copy of the repository with fewer experiments and stand-ins for measuring programs.

The copy with all its figures is made once; the tests ask what follows from a change of it."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

from experiments.definition import all_targets
from experiments.made_up_programs import put_executable, put_gpu_programs, put_ncu, put_nvidia_smi
from experiments.made_up_results import codecs_rows, made_up_result, ratio_rows, stages_rows, threads_rows
from experiments.paper_notes import notes_paths, page_name
from experiments.results import load_result, write_result
from experiments.sources import REPOSITORY_ROOT

pytestmark = pytest.mark.workflow

ROWS = {
    "threads": threads_rows({1: 12345.6, 2: 4.0}),
    "ratio": ratio_rows({(5787038, 32): 2.7, (5787038, 128): 2.6}),
    "codecs": codecs_rows({("reference_cpu/fast", "blocks"): 2.0, ("peer/zstd", "level 3"): 1.0}),
}
PROGRAM = """#!{python}
import json, sys
options = dict(zip(sys.argv[2::2], sys.argv[3::2]))
rows = {rows!r}[sys.argv[1]]
for row in rows:
    row["dataset"], row["dataset_sha256"] = options["--dataset"], options["--dataset-sha256"]
if sys.argv[1] == {failing!r}:
    sys.exit("made-up failure")
with open(options["--output"], "w") as file:
    json.dump(rows, file)
"""
# One or more of each kind; that each figure can be drawn is tested one by one, and by `make figures`.
MEASURED = ["gsst_fig_2_2", "gsst_fig_5_4", "gsst_fig_b_1"]
NEED_A_GPU = ["gsst_fig_5_3", "gsst_fig_6_1", "gsst_fig_6_2", "gsst_table_6_1"]
FIGURES = sorted([*MEASURED, *NEED_A_GPU, "gsst_ingestion_model", "gsst_table_5_4"])
STAGES = [path.parent for path in sorted((REPOSITORY_ROOT / "stages").glob("*/*/stage.cu"))]
# Stands in for the built command, which lists the stages.
COMMAND = """#!{python}
print({listing!r})
"""


@pytest.fixture(scope="module")
def text_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with generated text and no DBText."""
    folder = tmp_path_factory.mktemp("data")
    command = [sys.executable, "-m", "data.fetch", "tpch/l_comment", "--scale-factor", "0.05"]
    subprocess.run([*command, "--output", str(folder)], cwd=REPOSITORY_ROOT, check=True)
    return folder


def put_program(root: Path, failing: str = "") -> None:
    text = PROGRAM.format(python=sys.executable, rows=ROWS, failing=failing)
    put_executable(root / "build" / "bin" / "gsst_measure_cpu", text)


def put_command(root: Path) -> None:
    listing = [
        {
            "id": stage.relative_to(REPOSITORY_ROOT / "stages").as_posix(),
            "base": "",
            "title": f"Made-up title of {stage.name}",
            "section": "4.2.1",
            "operation": "decode",
            "minimum_compute_capability": "8.0",
        }
        for stage in STAGES
    ]
    text = COMMAND.format(python=sys.executable, listing=json.dumps(listing))
    put_executable(root / "build" / "bin" / "gsst", text)


def snakemake(
    root: Path, text_dir: Path, *arguments: str, profile: str = "default"
) -> subprocess.CompletedProcess[str]:
    """Runs the workflow at the scale tiny. Programs in `<root>/path` are found before the machine's."""
    # Nothing listens on this port: a download fails at once, as on a machine without a network.
    nowhere = "http://127.0.0.1:9"
    environment = {
        **os.environ,
        "PATH": f"{root / 'path'}:{os.environ['PATH']}",
        "GSST_DATA_DIR": str(text_dir),
        "http_proxy": nowhere,
        "https_proxy": nowhere,
        "no_proxy": "",
        "MPLBACKEND": "Agg",
    }
    command = [sys.executable, "-m", "snakemake", "--profile", f"profiles/{profile}", "--cores", "2"]
    if "--config" not in arguments:
        arguments = (*arguments, "--config", "scale=tiny")
    return subprocess.run(
        [*command, *arguments],
        cwd=root,
        env=environment,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
    )


def planned(root: Path, text_dir: Path, *arguments: str, profile: str = "default") -> dict[str, int]:
    """How many jobs of each rule a dry run lists, besides `all`."""
    run = snakemake(root, text_dir, "--dry-run", *arguments, profile=profile)
    assert run.returncode == 0, run.stdout
    table = run.stdout.partition("Job stats:")[2].partition("total")[0]
    jobs = {rule: int(count) for rule, count in re.findall(r"^(\w+) +(\d+)$", table, re.MULTILINE)}
    return {rule: count for rule, count in jobs.items() if rule != "all"}


def made(root: Path) -> list[str]:
    return sorted(path.stem for path in (root / "results" / "figures").glob("*.png"))


def csv_text(root: Path, target: str) -> str:
    return (root / "results" / "figures" / f"{target}.csv").read_text(encoding="utf-8")


def page_of(root: Path) -> str:
    return (root / "results" / "index.html").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def first_run(
    tmp_path_factory: pytest.TempPathFactory, text_dir: Path
) -> tuple[Path, subprocess.CompletedProcess[str]]:
    """The copy of the repository after its first run, and the run."""
    root = tmp_path_factory.mktemp("workflow") / "repository"
    left_out = [f"{target}.yaml" for target in all_targets() if target not in FIGURES]
    ignored = shutil.ignore_patterns("cache", "recorded", "__pycache__", "golden", *left_out)
    for folder in (
        "common",
        "data",
        "experiments",
        "include",
        "profiles",
        "reference_cpu",
        "stages",
        "tools",
    ):
        shutil.copytree(REPOSITORY_ROOT / folder, root / folder, ignore=ignored, dirs_exist_ok=True)
    shutil.copy(REPOSITORY_ROOT / "Snakefile", root)
    (root / "experiments" / "recorded").mkdir()
    shutil.copy(
        REPOSITORY_ROOT / "experiments" / "recorded" / "former_ids.yaml", root / "experiments" / "recorded"
    )
    # The notes name figures that are left out here.
    for path in notes_paths():
        notes = root / path.relative_to(REPOSITORY_ROOT)
        text = re.sub(r"^ +targets: \[.*\]\n", "", notes.read_text(encoding="utf-8"), flags=re.MULTILINE)
        notes.write_text(text, encoding="utf-8")
    put_program(root)
    put_command(root)
    return root, snakemake(root, text_dir)


@pytest.fixture
def finished(first_run: tuple[Path, subprocess.CompletedProcess[str]], tmp_path: Path) -> Path:
    """A copy of its own of the repository with all figures, for a test to change."""
    return shutil.copytree(first_run[0], tmp_path / "repository")


def test_every_figure_is_made_and_missing_data_is_said(
    first_run: tuple[Path, subprocess.CompletedProcess[str]],
) -> None:
    root, run = first_run
    assert run.returncode == 0, run.stdout
    assert made(root) == FIGURES
    assert "skipped: 1 columns" in run.stdout
    caption = (root / "results" / "figures" / "gsst_fig_2_2.txt").read_text(encoding="utf-8")
    assert "skipped: 1 columns that were not available: dbtext/city" in caption
    assert "12345.6" in csv_text(root, "gsst_fig_b_1")
    for target in MEASURED:
        assert load_result(root / "results" / "measured" / f"{target}.json").target == target
    page = page_of(root)
    assert page.count('<img class="figure"') == len(FIGURES)
    assert 'href="stages.html"' in page
    for path in notes_paths():
        assert f'href="{page_name(path)}"' in page
        assert "<h3" in (root / "results" / page_name(path)).read_text(encoding="utf-8")
    assert "Made-up title of 01_blocks" in (root / "results" / "stages.html").read_text(encoding="utf-8")
    for target in NEED_A_GPU:
        assert f"{target}: skipped: this needs a GPU" in run.stdout


def test_a_second_run_makes_what_is_missing_and_what_depends_on_it(finished: Path, text_dir: Path) -> None:
    # Data that is missing is tried again with every run: here none is.
    manifest = finished / "results" / "data" / "gsst_fig_2_2.json"
    times = manifest.stat()
    manifest.write_text('{"available": {}, "unavailable": {}}', encoding="utf-8")
    os.utime(manifest, ns=(times.st_atime_ns, times.st_mtime_ns))
    assert planned(finished, text_dir) == {}
    (finished / "results" / "measured" / "gsst_fig_b_1.json").unlink()
    run = snakemake(finished, text_dir, "--dry-run", "--quiet", "host")
    outputs = re.findall(r"^    output: (\S+?)(?:,|$)", run.stdout, re.MULTILINE)
    assert sorted(outputs) == [
        "results/figures/gsst_fig_b_1.svg",
        "results/index.html",
        "results/measured/gsst_fig_b_1.json",
    ]


def put_gpu_data(root: Path) -> None:
    """Data for the GPU's targets: that of the scale tiny takes longer to generate than all else here."""
    text = root / "text.txt"
    text.write_bytes(b"some text\n" * 1000)
    manifest = json.dumps({"available": {"one": str(text)}, "unavailable": {}})
    for target in NEED_A_GPU:
        (root / "results" / "data" / f"{target}.json").write_text(manifest, encoding="utf-8")


def test_a_figure_that_fails_does_not_stop_the_others(finished: Path, text_dir: Path) -> None:
    put_program(finished, failing="ratio")
    put_nvidia_smi(finished / "path", "7.5")
    put_gpu_programs(finished / "build" / "bin")
    put_gpu_data(finished)
    failing = ["gsst_fig_5_3", "gsst_fig_5_4"]
    for target in (*failing, "gsst_fig_b_1"):
        for path in finished.glob(f"results/[fm]*/{target}.*"):
            path.unlink()
    wanted = [f"results/figures/{target}.png" for target in (*failing, "gsst_fig_b_1")]
    run = snakemake(finished, text_dir, *wanted, profile="gpu")
    assert run.returncode != 0
    assert "made-up failure" in run.stdout
    assert "gsst/07_tuned needs a GPU of compute capability 8.0 or higher; Made-up GPU has 7.5" in run.stdout
    assert made(finished) == [target for target in FIGURES if target not in failing]
    assert page_of(finished).count('<img class="figure"') == len(FIGURES) - len(failing)
    assert page_of(finished).count("could not be made") == len(failing)


@pytest.mark.parametrize("has_program", [True, False], ids=["results=recorded", "no measuring program"])
def test_recorded_results_stand_in(finished: Path, text_dir: Path, has_program: bool) -> None:
    record = finished / "experiments" / "recorded" / "big_machine" / "gsst_fig_b_1.json"
    write_result(made_up_result("gsst_fig_b_1", threads_rows({1: 6543.2})), record)
    if not has_program:
        (finished / "build" / "bin" / "gsst_measure_cpu").unlink()
    config = ["scale=tiny", *(["results=recorded"] if has_program else [])]
    run = snakemake(finished, text_dir, "results/figures/gsst_fig_b_1.png", "--config", *config)
    assert run.returncode == 0, run.stdout
    assert "6543.2" in csv_text(finished, "gsst_fig_b_1")
    assert "12345.6" not in csv_text(finished, "gsst_fig_b_1")


def test_what_a_gpu_measured_by_hand_is_drawn(finished: Path, text_dir: Path) -> None:
    result = finished / "results" / "measured" / "gsst_fig_6_1.json"
    write_result(made_up_result("gsst_fig_6_1", stages_rows({"01_blocks": 765.4})), result)
    run = snakemake(finished, text_dir, "results/figures/gsst_fig_6_1.png")
    assert run.returncode == 0, run.stdout
    assert "765.4" in csv_text(finished, "gsst_fig_6_1")


def test_without_a_gpu_its_profile_measures_what_the_default_does(finished: Path, text_dir: Path) -> None:
    put_executable(finished / "path" / "nvidia-smi", "#!/bin/sh\nexit 9\n")
    assert "measure_on_gpu" not in planned(finished, text_dir, profile="gpu")


def test_with_a_gpu_its_profile_measures_and_draws(finished: Path, text_dir: Path) -> None:
    put_nvidia_smi(finished / "path")
    put_ncu(finished / "path")
    put_gpu_programs(finished / "build" / "bin")
    wanted = [f"results/figures/{target}.png" for target in NEED_A_GPU]
    configured = ["--config", "scale=tiny", "counters=always"]
    count = len(NEED_A_GPU)
    expected = {"fetch_data": count, "measure_on_gpu": count, "figure": count}
    assert planned(finished, text_dir, *wanted, *configured, profile="gpu") == expected

    put_gpu_data(finished)
    run = snakemake(finished, text_dir, *wanted, *configured, profile="gpu")
    assert run.returncode == 0, run.stdout
    assert ",101," in csv_text(finished, "gsst_fig_5_3")
    for target in NEED_A_GPU:
        result = load_result(finished / "results" / "measured" / f"{target}.json")
        assert result.environment["gpu"] == "Made-up GPU"
        assert "(measured here)" in (finished / "results" / "figures" / f"{target}.txt").read_text()
    assert planned(finished, text_dir, *wanted, *configured, profile="gpu") == {}


def test_nvcomp_is_installed_and_measured_on_request_only(finished: Path, text_dir: Path) -> None:
    put_nvidia_smi(finished / "path")
    put_gpu_programs(finished / "build" / "bin")
    put_gpu_data(finished)
    wanted, config = "results/measured/gsst_fig_6_2.json", ["--config", "scale=tiny"]
    without = planned(finished, text_dir, wanted, *config, profile="gpu")
    assert without == {"measure_on_gpu": 1}
    requested = planned(finished, text_dir, wanted, *config, "nvcomp=true", profile="gpu")
    assert requested == {**without, "install_nvcomp": 1, "build_nvcomp": 1}
    shutil.copy(REPOSITORY_ROOT / "experiments" / "encoder_fig_11.yaml", finished / "experiments")
    compressors = "results/measured/encoder_fig_11.json"
    requested = planned(finished, text_dir, compressors, *config, "nvcomp=true", profile="gpu")
    assert requested == {**without, "fetch_data": 1, "install_nvcomp": 1, "build_nvcomp": 1}


def test_two_timings_never_share_the_gpu(finished: Path, text_dir: Path) -> None:
    limits = yaml.safe_load((REPOSITORY_ROOT / "profiles/default/config.yaml").read_text(encoding="utf-8"))
    assert limits["resources"]["gpu"] == 1
    wanted = [f"results/measured/{target}.json" for target in NEED_A_GPU]
    config = ["scale=tiny", "gpu=always", "counters=always"]
    run = snakemake(finished, text_dir, *wanted, "--dry-run", "--quiet", "host", "--config", *config)
    pattern = r"^rule measure_on_gpu:.*?^    resources: .*?\bgpu=1\b"
    jobs = re.findall(pattern, run.stdout, re.MULTILINE | re.DOTALL)
    assert len(jobs) == len(NEED_A_GPU)


def test_a_wrong_configuration_is_refused(finished: Path, text_dir: Path) -> None:
    run = snakemake(finished, text_dir, "--dry-run", "--config", "scale=huge")
    assert run.returncode != 0
    assert "'huge' is not one of ['tiny', 'default', 'paper']" in run.stdout


@pytest.mark.parametrize(
    "wrong", [{"gpu": "perhaps"}, {"counters": True}, {"nvcomp": "perhaps"}, {"sacle": "tiny"}]
)
def test_the_schema_of_the_configuration_refuses(wrong: dict[str, Any]) -> None:
    experiments = REPOSITORY_ROOT / "experiments"
    right = yaml.safe_load((experiments / "config.yaml").read_text(encoding="utf-8"))
    schema = json.loads((experiments / "schemas/config.schema.json").read_text(encoding="utf-8"))
    jsonschema.validate(right, schema)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({**right, **wrong}, schema)
