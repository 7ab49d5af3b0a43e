"""Runs the whole workflow in a copy of the repository, with a stand-in for the measuring program."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from experiments.made_up_results import (
    codecs_rows,
    levels_rows,
    made_up_result,
    ratio_rows,
    stages_rows,
    threads_rows,
)
from experiments.results import load_result, write_result
from experiments.sources import CPU_SOURCES, REPOSITORY_ROOT

pytestmark = pytest.mark.workflow

ROWS = {
    "threads": threads_rows({1: 12345.6, 2: 4.0}),
    "ratio": ratio_rows({(5787038, 32): 2.7, (5787038, 128): 2.6}),
    "codecs": codecs_rows({("reference_cpu/fast", "blocks"): 2.0, ("peer/zstd", "level 3"): 1.0}),
    "levels": levels_rows({1: 3.0, 9: 2.0}),
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
MEASURED = ["beyond_levels", "gsst_fig_2_2", "gsst_fig_5_4", "gsst_fig_b_1"]
MODELS = ["gsst_fig_6_3", "gsst_ingestion_model"]
NEED_A_GPU = [
    "beyond_sizes",
    "gsst_fig_5_2",
    "gsst_fig_5_3",
    "gsst_fig_5_5",
    "gsst_fig_6_1",
    "gsst_table_6_1",
    "gsst_tuning",
]
NEED_NVCC = ["gsst_table_5_4"]
FIGURES = sorted([*MEASURED, *MODELS, *NEED_A_GPU, *NEED_NVCC])
# Stands in for the built command, which lists the stages.
COMMAND = """#!{python}
import json
print(json.dumps([{{
    "id": "gsst/01_blocks", "base": "", "title": "Made-up title", "section": "4.2.1", "operation": "decode",
}}]))
"""


@pytest.fixture(scope="module")
def text_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with generated text and no DBText."""
    folder = tmp_path_factory.mktemp("data")
    command = [sys.executable, "-m", "data.fetch", "tpch/l_comment", "--scale-factor", "0.05"]
    subprocess.run([*command, "--output", str(folder)], cwd=REPOSITORY_ROOT, check=True)
    return folder


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    root = tmp_path / "repository"
    ignored = shutil.ignore_patterns("cache", "recorded", "__pycache__", "golden")
    for folder in ("common", "data", "experiments", "profiles", "stages", "tools", *CPU_SOURCES):
        shutil.copytree(REPOSITORY_ROOT / folder, root / folder, ignore=ignored, dirs_exist_ok=True)
    shutil.copy(REPOSITORY_ROOT / "Snakefile", root)
    return root


def put_executable(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    path.chmod(0o755)


def put_program(root: Path, failing: str = "") -> None:
    text = PROGRAM.format(python=sys.executable, rows=ROWS, failing=failing)
    put_executable(root / "build" / "bin" / "gsst_measure_cpu", text)


def snakemake(root: Path, text_dir: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    # Nothing listens on this port: a download fails at once, as on a machine without a network.
    nowhere = "http://127.0.0.1:9"
    environment = {
        **os.environ,
        "GSST_DATA_DIR": str(text_dir),
        "http_proxy": nowhere,
        "https_proxy": nowhere,
        "no_proxy": "",
        "MPLBACKEND": "Agg",
    }
    command = [sys.executable, "-m", "snakemake", "--profile", "profiles/default", "--cores", "2"]
    return subprocess.run(
        [*command, *arguments],
        cwd=root,
        env=environment,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
    )


def made(root: Path) -> list[str]:
    return sorted(path.stem for path in (root / "results" / "figures").glob("*.png"))


def csv_text(root: Path, target: str) -> str:
    return (root / "results" / "figures" / f"{target}.csv").read_text(encoding="utf-8")


def test_every_figure_is_made_and_missing_data_is_said(repository: Path, text_dir: Path) -> None:
    put_program(repository)
    put_executable(repository / "build" / "bin" / "gsst", COMMAND.format(python=sys.executable))
    run = snakemake(repository, text_dir, "--config", "scale=tiny")
    assert run.returncode == 0, run.stdout
    assert made(repository) == FIGURES
    assert "skipped: 1 columns" in run.stdout
    caption = (repository / "results" / "figures" / "gsst_fig_2_2.txt").read_text(encoding="utf-8")
    assert "skipped: 1 columns that were not available: dbtext/city" in caption
    assert "12345.6" in csv_text(repository, "gsst_fig_b_1")
    for target in MEASURED:
        assert load_result(repository / "results" / "measured" / f"{target}.json").target == target
    page = (repository / "results" / "index.html").read_text(encoding="utf-8")
    assert page.count("<img") == len(FIGURES)
    assert 'href="stages.html"' in page
    assert 'href="thesis_notes.html"' in page
    assert "<h3" in (repository / "results" / "thesis_notes.html").read_text(encoding="utf-8")
    assert "Made-up title" in (repository / "results" / "stages.html").read_text(encoding="utf-8")
    for target in NEED_A_GPU:
        assert f"{target}: skipped: this needs a GPU" in run.stdout

    again = snakemake(repository, text_dir, "--config", "scale=tiny", "--dry-run")
    for target in ("gsst_fig_5_4", "gsst_fig_b_1"):
        assert target not in again.stdout, "what is there is not made again"


def test_a_figure_that_fails_does_not_stop_the_others(repository: Path, text_dir: Path) -> None:
    put_program(repository, failing="ratio")
    wanted = ["results/figures/gsst_fig_5_4.png", "results/figures/gsst_fig_b_1.png"]
    run = snakemake(repository, text_dir, *wanted, "--config", "scale=tiny")
    assert run.returncode != 0
    assert "made-up failure" in run.stdout
    assert made(repository) == ["gsst_fig_b_1"]
    page = (repository / "results" / "index.html").read_text(encoding="utf-8")
    assert page.count("<img") == 1
    assert page.count("could not be made") == len(FIGURES) - 1


@pytest.mark.parametrize("has_program", [True, False], ids=["results=recorded", "no measuring program"])
def test_recorded_results_stand_in(repository: Path, text_dir: Path, has_program: bool) -> None:
    if has_program:
        put_program(repository)
    record = repository / "experiments" / "recorded" / "big_machine" / "gsst_fig_b_1.json"
    write_result(made_up_result("gsst_fig_b_1", threads_rows({1: 6543.2})), record)
    config = ["--config", "scale=tiny", *(["results=recorded"] if has_program else [])]
    run = snakemake(repository, text_dir, "results/figures/gsst_fig_b_1.png", *config)
    assert run.returncode == 0, run.stdout
    assert "6543.2" in csv_text(repository, "gsst_fig_b_1")
    assert not (repository / "results" / "measured").exists()


def test_what_a_gpu_measured_by_hand_is_drawn(repository: Path, text_dir: Path) -> None:
    result = repository / "results" / "measured" / "gsst_fig_6_1.json"
    write_result(made_up_result("gsst_fig_6_1", stages_rows({"01_blocks": 765.4})), result)
    run = snakemake(repository, text_dir, "results/figures/gsst_fig_6_1.png", "--config", "scale=tiny")
    assert run.returncode == 0, run.stdout
    assert "765.4" in csv_text(repository, "gsst_fig_6_1")


def test_a_wrong_configuration_is_refused(repository: Path, text_dir: Path) -> None:
    run = snakemake(repository, text_dir, "--config", "scale=huge", "--dry-run")
    assert run.returncode != 0
    assert "huge" in run.stdout
