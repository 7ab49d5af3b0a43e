"""Programs that stand in for those of a machine with a GPU, for the tests of what runs them."""

import sys
from collections.abc import Mapping
from pathlib import Path

from experiments.measuring_programs import PROGRAM

# Writes a row for each point, as gsst_measure does on a GPU with 10 multiprocessors: the first point reaches
# 101 GB/s, the next 102; of candidates the last of each stage is chosen. By the names of other programs it
# does the same, by those of the programs that measure nvCOMP it writes a row on one codec. Lines that it adds
# to `<itself>.calls` say how it was called. It fails on a text whose name holds `failing`.
_MEASURE = """#!{python}
import json, os, sys

FLAGS = ("--dirty", "--allow-small")
program = os.path.basename(sys.argv[0])
rest = sys.argv[1:]
kind = rest.pop(0) if program == "gsst_measure" else program.removeprefix("gsst_measure_")
options, document = {{}}, {{}}
while rest:
    name = rest.pop(0)
    options[name] = True if name in FLAGS else rest.pop(0)
if "--points" in options:
    with open(options["--points"]) as file:
        document = json.load(file)
points, candidates = document.get("points", []), document.get("candidates", [])
with open(sys.argv[0] + ".calls", "a") as calls:
    calls.write(json.dumps([kind, document.get("target"), len(points) + len(candidates), options]) + "\\n")
if "failing" in options["--dataset"]:
    sys.exit("made-up failure")
if kind == "nvcomp_integers":
    points = [{{"stage": "nvcomp_integers/Cascaded", "parameters": {{}}}}]
elif kind.startswith("nvcomp"):
    points = [{{"stage": kind + "/ANS", "parameters": {{}}}}]


def number(value, recommended):
    text = str(value)
    return recommended if text == "recommended" else int(text.split()[0]) * (10 if "per SM" in text else 1)


def row(index, point, prefix, part, size):
    value = 101.0 + index
    median = size / value / 1e9
    seconds = {{"median": median, "min": 0.9 * median, "max": 1.2 * median, "stddev": 0.0, "repetitions": 10}}
    with open(options["--output"] + ".partial.jsonl", "a") as partial:
        partial.write("{{}}\\n")
    print(point["stage"], "{{}}:", value, "GB/s", file=sys.stderr, flush=True)
    return {{
        "stage": point["stage"],
        "variant": "",
        "operation": "decode",
        "parameters": {{
            **point.get("parameters", {{}}),
            "blocks": number(point.get("blocks", 1), 40),
            "splits": number(point.get("splits", 1), 256),
        }},
        "dataset": options[prefix + "dataset"] + part,
        "dataset_sha256": options[prefix + "dataset-sha256"],
        "uncompressed_bytes": size,
        "compressed_bytes": size // 2,
        "ratio": 2.0,
        "seconds": seconds,
        "throughput_gb_per_s": value,
        "streaming_limit_gb_per_s": 900.0,
        "verified": True,
        "end_to_end_seconds": {{
            "without_allocations": seconds,
            "with_allocations": {{**seconds, "median": 1.1 * median}},
        }},
        "gpu_memory": {{"beyond_input_and_output_bytes": 4096, "free_memory_drop_bytes": 4096}},
        **point.get("row", {{}}),
    }}


def rows(points, prefix="--", part="", share=1.0):
    size = int(os.path.getsize(options[prefix + "input"]) * share)
    return [row(index, point, prefix, part, size) for index, point in enumerate(points)]


result = {{
    "schema": 1,
    "target": options.get("--target", document.get("target")),
    "environment": {{
        "gpu": "Made-up GPU", "driver": "1.2", "cuda": "13.0", "clocks": None, "ecc": None,
        "cpu": "Made-up CPU", "compiler": "nvcc", "flags": "", "commit": options["--commit"],
        "dirty": "--dirty" in options, "date": "2026-01-02T03:04:05Z", "command": " ".join(sys.argv),
    }},
    "sources_digest": options["--sources-digest"],
}}
cut = bool(candidates) and "--tuning-input" not in options
if candidates:
    tried = rows(candidates, *(("--", ", first quarter", 0.25) if cut else ("--tuning-",)))
    if not points:
        result["candidates"] = tried
    points = [*points, *{{point["stage"]: point for point in candidates}}.values()]
result["rows"] = rows(points, "--", *((", last three quarters", 0.75) if cut else ()))
with open(options["--output"], "w") as file:
    json.dump(result, file)
"""

_NVIDIA_SMI = """#!/bin/sh
echo "Made-up GPU, 1.2, {capability}"
"""

# Writes a page of counters, then runs the program that it was asked to profile.
_NCU = """#!{python}
import csv, os, subprocess, sys

arguments = sys.argv[1:]
program = next(i for i, word in enumerate(arguments) if os.path.basename(word).startswith("gsst_measure"))
kernels = arguments[arguments.index("--kernel-name") + 1].removeprefix("regex:").split("|")
template = {templates!r}.get(arguments[arguments.index("--launch-skip") + 1], "8")
names = arguments[arguments.index("--metrics") + 1].split(",")
with open(arguments[arguments.index("--log-file") + 1], "w", newline="") as file:
    writer = csv.writer(file, quoting=csv.QUOTE_ALL)
    writer.writerows([["ID", "Kernel Name", *names], [""] * (2 + len(names))])
    for kernel in kernels:
        writer.writerow(["0", f"{{kernel}}<{{template}}>()", *(["7"] * len(names))])
sys.exit(subprocess.run(arguments[program:]).returncode)
"""


def put_executable(path: Path, text: str) -> Path:
    """Writes a program; returns its path."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    path.chmod(0o755)
    return path


def put_gpu_programs(folder: Path, *others: str) -> None:
    """The measuring program in `folder`, and those of other kinds."""
    for name in (PROGRAM, *(f"{PROGRAM}_{other}" for other in others)):
        put_executable(folder / name, _MEASURE.format(python=sys.executable))


def put_nvidia_smi(folder: Path, capability: str = "9.0") -> None:
    """nvidia-smi of a machine with one GPU, in `folder`, which must be in the PATH."""
    put_executable(folder / "nvidia-smi", _NVIDIA_SMI.format(capability=capability))


def put_ncu(folder: Path, templates: Mapping[str, str] | None = None) -> None:
    """ncu, in `folder`, which must be in the PATH: one launch of each kernel, every counter is 7. `templates`
    are the arguments of kernels' templates by the launches that are skipped; otherwise it is 8."""
    put_executable(folder / "ncu", _NCU.format(python=sys.executable, templates=dict(templates or {})))
