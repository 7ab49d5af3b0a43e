"""Puts two commits' measuring programs into a folder for a host with a GPU: rule S of docs/carrying_over.md.

python -m experiments.carry_over.pack_speed --from COMMIT [--to COMMIT] --machine NAME [--targets TARGET ...]
    [--text-bytes N] [--rounds N] --output FOLDER

The host needs Python and a driver, no compiler, package or network: `python3 FOLDER/alternate.py` there.
"""

import argparse
import gzip
import json
import math
import shutil
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from data.catalogue import Generator, Instance, load_catalogue
from data.errors import DataUnavailableError
from data.fetch import Fetcher
from data.files import write_text
from data.generate import find_generator
from experiments.carry_over import checkouts
from experiments.carry_over.__main__ import FOLDER, records_of
from experiments.carry_over.carrying import REFUSALS, Commits, changed_work, commits_of
from experiments.carry_over.checkouts import CheckoutError
from experiments.carry_over.gpus import GpuProperties, gpu_properties
from experiments.carry_over.measuring import Measuring, measuring
from experiments.carry_over.records import Trees
from experiments.carry_over.speed_works import Work
from experiments.definition import all_targets
from experiments.pack_measurement import PackError, linked_libraries
from experiments.results import load_result
from experiments.sources import REPOSITORY_ROOT

# Of a text: several times the L2 cache of any GPU, and no more, since the host compresses it for every frame
# in every run, which takes nearly all of the time.
_TEXT_BYTES = 300_000_000
# Text that the generator makes, per unit of its scale factor; rounded down.
_BYTES_PER_SCALE_FACTOR = 160_000_000


def _dataset_source(name: str, text_bytes: int, folder: Path) -> dict[str, Any]:
    """How alternate.py has a data set: a column that a generator makes, or a file that is packed. Raises
    DataUnavailableError."""
    dataset = load_catalogue()[name]
    if isinstance(dataset.source, Generator):
        _pack_file(Path(find_generator(dataset.source)), folder / "bin" / "generator")
        scale_factor = max(0.1, math.ceil(text_bytes / _BYTES_PER_SCALE_FACTOR * 10) / 10)
        return {"table": dataset.source.table, "field": dataset.source.field, "scale_factor": scale_factor}
    packed = f"texts/{name.replace('/', '_')}_packed"
    _pack_file(Fetcher().fetch(Instance(dataset)), folder / packed)
    return {"file": packed}


def _pack_file(source: Path, target: Path) -> None:
    packed = target.with_name(f"{target.name}.gz")
    if packed.exists():
        return
    packed.parent.mkdir(parents=True, exist_ok=True)
    with source.open("rb") as read, gzip.open(packed, "wb") as write:
        shutil.copyfileobj(read, write)


def _by_side(trees: Trees, kind: str) -> dict[str, Measuring]:
    return {"before": measuring(trees.before, kind), "after": measuring(trees.after, kind)}


def jobs_of(works: Iterable[Work], trees: Trees) -> list[dict[str, Any]]:
    """The runs of a round: one for the works of a kind on one text, by each side with its own program."""
    jobs: dict[tuple[str, str, int], dict[str, Work]] = {}
    for work in works:
        jobs.setdefault((work.kind, work.dataset, work.text_bytes), {})[work.key] = work
    return [
        {
            "kind": kind,
            "dataset": dataset,
            "text_bytes": text_bytes,
            "works": list(of_job),
            **{
                side: {
                    "program": of_tree.program,
                    "arguments": of_tree.arguments,
                    "document": of_tree.document(
                        {
                            "target": "carried",
                            "kind": kind,
                            "points": [work.point for work in of_job.values()],
                        }
                    ),
                }
                for side, of_tree in _by_side(trees, kind).items()
            },
        }
        for (kind, dataset, text_bytes), of_job in jobs.items()
    ]


def _pack_programs(commits: Commits, gpu: GpuProperties, kinds: Sequence[str], folder: Path) -> None:
    trees = {"before": commits.trees.before, "after": commits.trees.after}
    for side, tree in trees.items():
        programs = {of_tree.target: of_tree.program for of_tree in (measuring(tree, kind) for kind in kinds)}
        build = checkouts.build_programs(tree, "build-gpu", gpu, list(programs), None)
        for program in programs.values():
            _pack_file(build.programs / program, folder / "bin" / f"{side}_{program}")
            for library in linked_libraries(build.programs / program):
                (folder / "lib").mkdir(exist_ok=True)
                shutil.copy(library, folder / "lib" / library.name)


def _works(paths: Iterable[Path], commits: Commits, text_bytes: int) -> list[Work]:
    """The works of all records that are not fresh at the second commit; prints those without any."""
    works = []
    for path in paths:
        try:
            found = changed_work(load_result(path), commits, text_bytes)
        except REFUSALS as error:
            print(f"{path.parent.name}/{path.stem}: left out: {error}")
            continue
        print(f"{path.parent.name}/{path.stem}: {len(found)} points")
        works += found
    return works


def main() -> int:
    """Builds both commits and packs the folder; status 1 with the reason where that fails."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--from", dest="before", required=True)
    parser.add_argument("--to", dest="after", default="HEAD")
    parser.add_argument("--machine", required=True, help="folder of the records")
    parser.add_argument("--targets", nargs="+", help="all that the machine has, unless said")
    parser.add_argument("--text-bytes", type=int, default=_TEXT_BYTES, help="of a text, at most")
    parser.add_argument("--rounds", type=int, default=5, help="runs of each commit")
    parser.add_argument("--repetitions", type=int, default=20, help="of each point in a run")
    parser.add_argument("--output", type=Path, required=True)
    arguments = parser.parse_args()
    folder = arguments.output
    if folder.exists():
        print(f"error: {folder} exists already", file=sys.stderr)
        return 1
    paths = records_of(arguments.targets or all_targets(), arguments.machine)
    try:
        checkouts.check_clean(REPOSITORY_ROOT)
        commits = commits_of(REPOSITORY_ROOT, arguments.before, arguments.after, FOLDER)
        works = _works(paths, commits, arguments.text_bytes)
        if not works:
            raise PackError("there is nothing to measure")
        jobs = jobs_of(works, commits.trees)
        gpu = gpu_properties(load_result(paths[0]).environment["gpu"])
        folder.mkdir(parents=True)
        _pack_programs(commits, gpu, sorted({work.kind for work in works}), folder)
        sizes = {
            name: max(job["text_bytes"] for job in jobs if job["dataset"] == name)
            for name in (job["dataset"] for job in jobs)
        }
        datasets = {name: _dataset_source(name, size, folder) for name, size in sizes.items()}
    except (*REFUSALS, CheckoutError, DataUnavailableError, PackError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    plan = {
        "from": commits.before,
        "to": commits.after,
        "text_bytes": arguments.text_bytes,
        "rounds": arguments.rounds,
        "repetitions": arguments.repetitions,
        "datasets": datasets,
        "jobs": jobs,
    }
    write_text(folder / "plan.json", json.dumps(plan, indent=1) + "\n")
    shutil.copy(Path(__file__).parent / "alternate.py", folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
