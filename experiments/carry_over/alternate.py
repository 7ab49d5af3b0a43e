"""Measures two commits alternately on a host with a GPU: what pack_speed put into this folder.

python3 alternate.py     writes evidence.json next to this file

Needs Python 3.11 and nothing else. Started again after an interruption, it goes on with what is missing.
The evidence is written whenever the runs of one job have ended. A job that fails is named, and is not in it.
"""

import gzip
import hashlib
import json
import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
PARTS = 40
# Fields of a row that say which one it is.
_OF_ROW = (
    *("stage", "variant", "operation", "parameters", "dataset", "end_to_end", "format", "written_by"),
    *("executor", "checksums", "pattern", "selectivity", "range_bytes", "tiles"),
)


def unpacked(name: str) -> Path:
    """The file that is packed as `name`.gz; it is unpacked once."""
    path = HERE / name
    if not path.exists():
        partial = path.with_name(f"{path.name}.partial")
        with gzip.open(f"{path}.gz", "rb") as source, partial.open("wb") as target:
            shutil.copyfileobj(source, target)
        partial.chmod(0o755)
        partial.rename(path)
    return path


def _environment() -> dict[str, str]:
    before = os.environ.get("LD_LIBRARY_PATH")
    return {**os.environ, "LD_LIBRARY_PATH": ":".join([str(HERE / "lib"), *([before] if before else [])])}


def _generate(source: dict[str, Any], path: Path) -> None:
    """Writes a column that the generator makes: its parts at the same time."""
    program = unpacked("bin/generator")

    def part(number: int) -> Path:
        piece = path.with_name(f"{path.name}.part_{number}")
        options = ["tbl", "--scale-factor", f"{source['scale_factor']:g}", "--tables", source["table"]]
        options += ["--parts", str(PARTS), "--part", str(number), "--num-threads", "1", "--stdout", "--quiet"]
        with (
            subprocess.Popen([program, *options], stdout=subprocess.PIPE) as table,
            piece.open("wb") as target,
        ):
            cut = ["cut", "-d|", f"-f{source['field']}"]
            subprocess.run(
                cut, stdin=table.stdout, stdout=target, env={"LC_ALL": "C", **os.environ}, check=True
            )
        return piece

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        pieces = list(pool.map(part, range(1, PARTS + 1)))
    with path.open("wb") as target:
        for piece in pieces:
            with piece.open("rb") as read:
                shutil.copyfileobj(read, target)
            piece.unlink()


def _repeat(source: Path, size: int, path: Path) -> None:
    """Writes the first `size` bytes of a file that is repeated."""
    content = source.read_bytes()
    with path.open("wb") as target:
        for _ in range(size // len(content)):
            target.write(content)
        target.write(content[: size % len(content)])


def text_of(plan: dict[str, Any], dataset: str, size: int) -> Path:
    """The first bytes of a data set."""
    folder = HERE / "texts"
    folder.mkdir(exist_ok=True)
    name = dataset.replace("/", "_")
    path, whole, partial = folder / f"{name}_{size}", folder / f"{name}_whole", folder / "partial"
    if path.exists():
        return path
    source = plan["datasets"][dataset]
    if "file" in source:
        whole = unpacked(source["file"])
    elif not whole.exists():
        _generate(source, partial)
        partial.rename(whole)
    _repeat(whole, size, partial)
    return partial.rename(path)


@cache
def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _run(plan: dict[str, Any], job: dict[str, Any], side: str, output: Path) -> None:
    text = text_of(plan, job["dataset"], job["text_bytes"])
    points = output.with_suffix(".points")
    of_side = job[side]
    points.write_text(json.dumps(of_side["document"]))
    command = [unpacked(f"bin/{side}_{of_side['program']}"), *of_side["arguments"]]
    command += ["--target", "carried", "--points", points, "--output", output, "--sources-digest", "0" * 64]
    command += ["--input", text, "--dataset", job["dataset"], "--dataset-sha256", _sha256(text)]
    command += ["--repetitions", str(plan["repetitions"]), "--allow-small"]
    subprocess.run(command, env=_environment(), check=True)


def measure(plan: dict[str, Any], index: int) -> dict[str, list[dict[str, Any]]]:
    """The results of a job's runs, by side, in the order of the rounds. Raises CalledProcessError."""
    (HERE / "results").mkdir(exist_ok=True)
    results: dict[str, list[dict[str, Any]]] = {"before": [], "after": []}
    for number in range(plan["rounds"]):
        for side in ("before", "after"):
            output = HERE / "results" / f"{index}_{number}_{side}.json"
            if not output.exists():
                print(f"job {index + 1}, round {number + 1} of {plan['rounds']}, {side}", flush=True)
                _run(plan, plan["jobs"][index], side, output)
            results[side].append(json.loads(output.read_text()))
    return results


def _is_of_row(run: dict[str, Any], row: dict[str, Any]) -> bool:
    """Whether a run measured this row. A parameter that a stage has in one commit alone is no difference: no
    point names it, so that it has its default, which is what the other commit does."""
    own = {name: run[name] for name in _OF_ROW if name in run}
    parameters, expected = own.pop("parameters", {}), row.get("parameters", {})
    return all(
        parameters[name] == expected[name] for name in parameters.keys() & expected.keys()
    ) and own == {name: value for name, value in row.items() if name != "parameters"}


def _rows_of_work(results: dict[str, list[dict[str, Any]]], begin: int, end: int) -> list[dict[str, Any]]:
    rows = []
    for index in range(begin, end):
        of_runs = {side: [result["rows"][index] for result in results[side]] for side in ("before", "after")}
        row = {name: of_runs["before"][0][name] for name in _OF_ROW if name in of_runs["before"][0]}
        for run in (*of_runs["before"], *of_runs["after"]):
            if not _is_of_row(run, row):
                raise SystemExit(f"the commits measured other rows: {row}")
        seconds = {side: [run["seconds"]["median"] for run in runs] for side, runs in of_runs.items()}
        rows.append({"row": row, **seconds})
    return rows


def evidence(plan: dict[str, Any], results: dict[int, dict[str, list[dict[str, Any]]]]) -> dict[str, Any]:
    """What is judged, of the jobs that have results: experiments/carry_over/speed.py."""
    works = {}
    for number, of_job in results.items():
        job = plan["jobs"][number]
        rows = len(of_job["before"][0]["rows"]) // len(job["works"])
        for index, key in enumerate(job["works"]):
            works[key] = _rows_of_work(of_job, index * rows, (index + 1) * rows)
    environment = next(iter(results.values()))["before"][0]["environment"]
    kept = ("from", "to", "text_bytes", "rounds", "repetitions")
    said = ("gpu", "driver", "cuda", "clocks", "compiler", "flags", "date")
    return {
        **{name: plan[name] for name in kept},
        **{name: environment[name] for name in said},
        "works": works,
    }


def main() -> int:
    """Measures, and writes the evidence; status 1 where a job failed."""
    plan = json.loads((HERE / "plan.json").read_text())
    results = {}
    for index, job in enumerate(plan["jobs"]):
        try:
            results[index] = measure(plan, index)
        except subprocess.CalledProcessError as error:
            print(f"error: job {index + 1}, {job['kind']} on {job['dataset']}: {error}", file=sys.stderr)
            continue
        (HERE / "evidence.json").write_text(json.dumps(evidence(plan, results), indent=1) + "\n")
        print(f"{HERE / 'evidence.json'}: {len(results)} of {len(plan['jobs'])} jobs", flush=True)
    return 0 if len(results) == len(plan["jobs"]) else 1


if __name__ == "__main__":
    sys.exit(main())
