"""Adds the example series of tools/new_series/tree to a copy of this tree, and checks that all finds it.

python -m tools.try_a_new_series [--jobs N] [--seconds N]

The copy is build/new_series, made anew: what is or could be committed, and the series' files over it. No file
of the tree may change but the pages that tools.update_readme writes. Prints a line for each check; the first
that fails ends it and says what is missing.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from experiments.results import RECORDED_DIR, load_result
from experiments.sources import LIBRARY, shared_parts, target_digest, verified_digest
from tools.example_series import SERIES_TREE, line_count, places_of_files, series_files
from tools.repository import ROOT, committable_files

COPY = ROOT / "build/new_series"
STAGE = "runs/01_runs"
FORMAT = "runs"
TARGET = "runs_ratio"
# Nothing for a GPU: what is checked is who finds what. Else as `make test` compiles, so that ccache, where it
# is the compiler's launcher, has the objects of all other series.
_BUILD_OPTIONS = ("-DGSST_CUDA=OFF", "-DGSST_WARNINGS_AS_ERRORS=ON")
_BUILT = (
    *("gsst", "stage_decode_test", "pipeline_test", "streaming_test", "gsst_measure_cpu"),
    "gsst_fuzz_kernels",
)
# Tests of the tree that ask all series, stages, formats or targets the same.
_TESTS_OF_TREE = (
    *("tools/test_series_boundaries.py", "tools/test_stage_pages.py", "tools/test_links.py"),
    *("tools/test_default_stages.py", "tools/test_stages.py", "tools/test_promises.py"),
    *("tools/test_update_readme.py", "tools/test_unused_names.py", "experiments/test_sources.py"),
    *("experiments/test_definition.py", "experiments/test_fuzz_on_gpu.py"),
    *("experiments/test_requirements_of_figures.py", "experiments/test_verdicts.py"),
)


class CheckError(Exception):
    """A check has failed; the message says what is missing."""


@dataclass(frozen=True)
class Copy:
    """The copy, in which programs run."""

    root: Path
    jobs: int

    def run(self, *command: str | Path, failing: bool = False) -> str:
        """What the program prints. Raises CheckError unless it ends as expected."""
        # The tests of this tree may have set where theirs write.
        environment = {**os.environ, "MPLBACKEND": "Agg", "GSST_INSTALL": "0"}
        ended = subprocess.run(
            command,
            cwd=self.root,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            check=False,
        )
        if (ended.returncode != 0) != failing:
            text = " ".join(map(str, command))
            raise CheckError(f"{text}\n{ended.stdout[-6000:]}\nended with status {ended.returncode}")
        return ended.stdout

    def python(self, *arguments: str) -> str:
        """Runs a module or a test."""
        return self.run(".venv/bin/python", "-m", *arguments)

    def build(self, folder: str, *targets: str) -> None:
        self.run("cmake", "--build", folder, "--parallel", str(self.jobs), "--target", *targets)

    def gsst(self, *arguments: str | Path, failing: bool = False) -> str:
        return self.run("build/bin/gsst", *arguments, failing=failing)

    def changed_files(self) -> list[str]:
        """The files of the tree that are not as they were."""
        return self.run("git", "diff", "--name-only").split()


def require(condition: bool, missing: str) -> None:
    if not condition:
        raise CheckError(missing)


def make_copy(jobs: int) -> Copy:
    """The tree without the series, committed in a repository of its own."""
    shutil.rmtree(COPY, ignore_errors=True)
    for name in committable_files():
        target = COPY / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, target)
    (COPY / ".venv").symlink_to(Path(sys.prefix))
    copy = Copy(COPY, jobs)
    copy.run("git", "init", "--quiet")
    # The link is no folder, which .gitignore names.
    (COPY / ".git/info/exclude").write_text(".venv\n", encoding="utf-8")
    copy.run("git", "add", "--all")
    who = ("-c", "user.name=nobody", "-c", "user.email=nobody@localhost", "-c", "commit.gpgsign=false")
    copy.run("git", *who, "commit", "--quiet", "--no-verify", "--message", "The tree without the series")
    return copy


def add_series(copy: Copy) -> None:
    """Lays the series' files over the copy: new files in new folders."""
    files = series_files()
    problems = places_of_files(files, committable_files(copy.root))
    require(not problems, "\n".join(problems))
    for path in files:
        (copy.root / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(SERIES_TREE / path, copy.root / path)
    require(copy.changed_files() == [], "the series has changed files of the tree")


def print_digests() -> None:
    """Prints a line for each record, with the digest of what its rows and tests depend on now."""
    for path in sorted(RECORDED_DIR.glob("*/*.json")):
        stages = {row["stage"] for row in load_result(path).rows}
        print(path.relative_to(RECORDED_DIR), target_digest(path.stem, stages))
    for folder in sorted(path.parent for path in ROOT.glob("stages/*/*/stage.cu")):
        stage = folder.relative_to(ROOT / "stages").as_posix()
        print(stage, verified_digest(stage))
    for part in (*shared_parts(), LIBRARY):
        print(part, verified_digest(part))


def digests_of_records(copy: Copy) -> set[str]:
    """The lines of print_digests() in the copy."""
    command = "from tools.try_a_new_series import print_digests; print_digests()"
    return set(copy.run(".venv/bin/python", "-c", command).splitlines())


def build_copy(copy: Copy) -> None:
    copy.run("cmake", "--preset", "cpu", *_BUILD_OPTIONS)
    listed = (copy.root / "build/series_with_mutators.cpp").read_text(encoding="utf-8")
    require(f"mutators_of_{FORMAT}" in listed, "its mutator is not found")
    copy.build("build", *_BUILT)


def check_stage_list(copy: Copy) -> None:
    stages = json.loads(copy.gsst("--list-stages", "--json"))
    found = [stage for stage in stages if stage["id"] == STAGE]
    require(len(found) == 1, f"gsst --list-stages does not list {STAGE}")
    require(found[0]["devices"] == ["cpu", "simt"], f"{STAGE} runs on {found[0]['devices']}")
    require(FORMAT in found[0]["default_for"], f"{STAGE} is not the default of format {FORMAT}")


def sample_input() -> bytes:
    """Long runs, short ones and none, in several blocks."""
    return b"".join(bytes([i % 251]) * (i % 700) for i in range(2000)) + Path(__file__).read_bytes()


def check_command(copy: Copy) -> None:
    require("--longest-run" in copy.gsst("--help"), "gsst --help does not name the format's option")
    folder = copy.root / "build/sample"
    folder.mkdir(exist_ok=True)
    text = sample_input()
    (folder / "text").write_bytes(text)
    copy.gsst("-q", "--format", FORMAT, "--block-size", "64K", "-o", folder / "frame", folder / "text")
    require((folder / "frame").stat().st_size < len(text) // 2, "runs are not stored as runs")
    require(f'"{FORMAT}"' in copy.gsst("-l", "--json", folder / "frame"), "gsst -l does not name the format")
    chosen: dict[str, tuple[str, ...]] = {
        "codec": (),
        "stage_on_simt": ("--stage", STAGE, "--device", "simt"),
        "default_on_simt": ("--device", "simt"),
        "stage_on_cpu": ("--stage", STAGE, "--device", "cpu"),
    }
    for name, options in chosen.items():
        copy.gsst("-dqf", *options, "-o", folder / name, folder / "frame")
        require((folder / name).read_bytes() == text, f"{name}: other bytes than were compressed")


def check_common_suite(copy: Copy) -> None:
    tests = f"--gtest_filter=*/{STAGE.replace('/', '_')}_*"
    listed = copy.run("build/tests/stage_decode_test", tests, "--gtest_list_tests")
    for executor in ("cpu", "simt"):
        require(f"runs_01_runs_{executor}" in listed, f"the common suite has no test of it on {executor}")
    copy.run("build/tests/stage_decode_test", tests)
    # Which has tests that run every stage.
    copy.run("build/tests/pipeline_test")
    copy.run("build/tests/streaming_test")


def check_make_check(copy: Copy) -> None:
    # What the command needs is built.
    built = ("--old-file=build", "--old-file=python-packages", "--old-file=system-packages")
    said = copy.run("make", *built, "check", f"STAGE={STAGE}", "DEVICE=simt")
    require(f"{STAGE}: addresses: passed" in said, "make check ran no test of it")


def check_fuzzers(copy: Copy, seconds: int) -> None:
    said = copy.run("make", "--old-file=system-packages", "fuzz", f"SECONDS={seconds}", f"JOBS={copy.jobs}")
    require("no findings" in said, "make fuzz did not end with 'no findings'")


def check_fuzzer_of_kernels(copy: Copy) -> None:
    counts = copy.root / "build/fuzz_kernels.json"
    options = ("--stage", STAGE, "--inputs", "500", "--json", counts)
    copy.run("build/bin/gsst_fuzz_kernels", "--device", "simt", *options)
    require(STAGE in counts.read_text(encoding="utf-8"), "the fuzzer of kernels did not run it")


def check_figure(copy: Copy) -> None:
    figure = f"results/figures/{TARGET}.png"
    options = ("--profile", "profiles/default", "--cores", str(copy.jobs), "--config", "scale=tiny")
    copy.python("snakemake", *options, "--", figure, "results/stages.html")
    require((copy.root / figure).stat().st_size > 0, f"there is no {figure}")
    caption = (copy.root / f"results/figures/{TARGET}.txt").read_text(encoding="utf-8")
    require("measured here" in caption, f"the caption does not say that it was measured here: {caption}")
    page = (copy.root / "results/stages.html").read_text(encoding="utf-8")
    require(STAGE in page, "the page of stages does not name it")


def check_pages(copy: Copy) -> None:
    copy.python("tools.update_readme")
    row = f"| [{STAGE}](../stages/{STAGE}/stage.md) |"
    page = copy.root / "docs/stages.md"
    require(row in page.read_text(encoding="utf-8"), "docs/stages.md does not list it")
    pages = [name for name in copy.changed_files() if not name.endswith(".md")]
    require(not pages, f"tools.update_readme changed {pages}")


def check_tests_of_tree(copy: Copy) -> None:
    there = [path for path in _TESTS_OF_TREE if (copy.root / path).exists()]
    copy.python("pytest", "--quiet", "-p", "no:cacheprovider", *there)


def check_kernel_for_gpu(copy: Copy) -> None:
    copy.run("cmake", "--preset", "cpu", "-B", "build-cuda", "-DGSST_CUDA=ON")
    copy.build("build-cuda", f"stages_{STAGE.replace('/', '_')}_gpu")


def check_clash(copy: Copy) -> None:
    """A format of another series' id or name is refused, and the message names both."""
    path = copy.root / f"common/format/{FORMAT}/formats.cpp"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace('.name = "runs"', '.name = "tiles"'), encoding="utf-8")
    said = " ".join(copy.run("cmake", "--preset", "cpu", failing=True).split())
    require(
        f"common/format/{FORMAT}/formats.cpp: format 'tiles' is there already, in common/format/gsst" in said,
        f"two formats of one name: CMake says {said[-500:]}",
    )
    path.write_text(text.replace(".id = runs_format", ".id = BlockFormat::tiles"), encoding="utf-8")
    copy.run("cmake", "--preset", "cpu")
    copy.build("build", "gsst")
    said = copy.gsst("--list-stages", failing=True)
    for name in (FORMAT, "tiles", "same id"):
        require(name in said, f"two formats of one id: gsst says {said}")


def checks(copy: Copy, seconds: int) -> list[tuple[str, Callable[[], None]]]:
    """In the order in which one needs the other."""
    found: list[tuple[str, Callable[[], None]]] = [
        ("a build finds its folders", lambda: build_copy(copy)),
        ("gsst --list-stages lists its stage", lambda: check_stage_list(copy)),
        ("gsst --format takes its format, and each executor decompresses it", lambda: check_command(copy)),
        ("the common suite tests its stage", lambda: check_common_suite(copy)),
        ("make check tests its stage", lambda: check_make_check(copy)),
        ("its target is measured and drawn, and the page of stages has it", lambda: check_figure(copy)),
        ("the generated pages have it", lambda: check_pages(copy)),
        ("tests of all series hold", lambda: check_tests_of_tree(copy)),
        ("the fuzzer of kernels runs its stage", lambda: check_fuzzer_of_kernels(copy)),
        ("make fuzz runs with its mutator", lambda: check_fuzzers(copy, seconds)),
    ]
    if shutil.which("nvcc"):
        found.append(("nvcc compiles its kernel", lambda: check_kernel_for_gpu(copy)))
    return [*found, ("a format of a name or an id that is taken is refused", lambda: check_clash(copy))]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes at the same time")
    parser.add_argument("--seconds", type=int, default=2, help="for how long each fuzzer runs")
    arguments = parser.parse_args()
    try:
        copy = make_copy(arguments.jobs)
        before = digests_of_records(copy)
        add_series(copy)
        lines = sum(map(line_count, series_files()))
        print(f"ok: {len(series_files())} files, {lines} lines, in new folders only", flush=True)
        changed = before - digests_of_records(copy)
        require(not changed, f"records of other series have become stale: {sorted(changed)}")
        print("ok: no record of another series has become stale", flush=True)
        for title, check in checks(copy, arguments.seconds):
            check()
            print(f"ok: {title}", flush=True)
    except CheckError as error:
        sys.exit(f"FAILED: {error}")
    print(f"series {FORMAT}: all checks passed")


if __name__ == "__main__":
    main()
