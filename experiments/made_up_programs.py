"""Programs that stand in for those of a machine with a GPU, for the tests of what runs them."""

import sys
from pathlib import Path

# Writes a row for each point, as gsst_measure_stages does on a GPU with 10 multiprocessors: the first point
# reaches 101 GB/s, the next 102. By the names of other programs it does the same,
# by gsst_measure_nvcomp it writes a row on one codec. Lines that it adds to `<itself>.calls` say how it was
# called. It fails on a text whose name holds `failing`.
_MEASURE_STAGES = """#!{python}
import json, os, sys

FLAGS = ("--dirty", "--allow-small", "--encoders")
program = os.path.basename(sys.argv[0])
command, *rest = ["measure", *sys.argv[1:]] if sys.argv[1].startswith("--") else sys.argv[1:]
options, points, target = {{}}, [], ""
while rest:
    name = rest.pop(0)
    value = True if name in FLAGS else rest.pop(0)
    if name == "--points":
        with open(value) as file:
            document = json.load(file)
        target, points = document["target"], points + document["points"]
    options[name] = value
with open(sys.argv[0] + ".calls", "a") as calls:
    calls.write(json.dumps([command, target, len(points), options]) + "\\n")
if "failing" in options["--dataset"]:
    sys.exit("made-up failure")


if program == "gsst_measure_nvcomp":
    points = [{{"stage": "nvcomp/ANS", "parameters": {{}}, "blocks": 1, "splits": 1, "row": {{}}}}]


def number(value, recommended):
    text = str(value)
    return recommended if text == "recommended" else int(text.split()[0]) * (10 if "per SM" in text else 1)


def row(index, point, prefix, part, size):
    value = 101.0 + index
    median = size / value / 1e9
    seconds = {{"median": median, "min": 0.9 * median, "max": 1.2 * median, "stddev": 0.0, "repetitions": 10}}
    print(point["stage"], "{{}}: ratio 2,", value, "GB/s, streaming limit 900 GB/s", file=sys.stderr)
    return {{
        "stage": point["stage"],
        "variant": "",
        "operation": "decode",
        "parameters": {{
            **point["parameters"],
            "blocks": number(point.get("blocks", 1), 40),
            "splits": number(point["splits"], 256),
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


document = {{
    "schema": 1,
    "environment": {{
        "gpu": "Made-up GPU", "driver": "1.2", "cuda": "13.0", "clocks": None, "ecc": None,
        "cpu": "Made-up CPU", "compiler": "nvcc", "flags": "", "commit": options["--commit"],
        "dirty": "--dirty" in options, "date": "2026-01-02T03:04:05Z", "command": " ".join(sys.argv),
    }},
    "sources_digest": options["--sources-digest"],
}}
if command == "sweep":
    whole = "--report-input" not in options
    tried = rows(points, part=", first quarter" if whole else "", share=0.25 if whole else 1.0)
    chosen = list({{point["stage"]: point for point in points}}.values())
    prefix, part, share = ("--", ", last three quarters", 0.75) if whole else ("--report-", "", 1.0)
    document["points"] = chosen
    document["candidates"] = tried
    document["report"] = rows(chosen, prefix, part, share)
else:
    document.update(target=options.get("--target", target), rows=rows(points))
with open(options["--output"], "w") as file:
    json.dump(document, file)
"""

_NVIDIA_SMI = """#!/bin/sh
echo "Made-up GPU, 1.2, {capability}"
"""

# Writes a page of counters, then runs the program that it was asked to profile.
_NCU = """#!{python}
import csv, os, subprocess, sys

arguments = sys.argv[1:]
program = next(i for i, word in enumerate(arguments) if os.path.basename(word).startswith("gsst_measure_"))
kernels = arguments[arguments.index("--kernel-name") + 1].removeprefix("regex:").split("|")
names = arguments[arguments.index("--metrics") + 1].split(",")
with open(arguments[arguments.index("--log-file") + 1], "w", newline="") as file:
    writer = csv.writer(file, quoting=csv.QUOTE_ALL)
    writer.writerows([["ID", "Kernel Name", *names], [""] * (2 + len(names))])
    for kernel in kernels:
        writer.writerow(["0", f"{{kernel}}<8>()", *(["7"] * len(names))])
sys.exit(subprocess.run(arguments[program:]).returncode)
"""


def put_executable(path: Path, text: str) -> Path:
    """Writes a program; returns its path."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    path.chmod(0o755)
    return path


def put_measure_stages(folder: Path) -> Path:
    """The measuring program, in `folder`."""
    return put_executable(folder / "gsst_measure_stages", _MEASURE_STAGES.format(python=sys.executable))


def put_other_gpu_programs(folder: Path) -> None:
    """The programs that measure what allocations cost, checksums, encoders, nvCOMP, the overlap and ranges,
    and that count memory, in `folder`."""
    for name in ("allocation", "checksums", "encode", "memory", "nvcomp", "overlap", "ranges"):
        put_executable(folder / f"gsst_measure_{name}", _MEASURE_STAGES.format(python=sys.executable))


def put_nvidia_smi(folder: Path, capability: str = "9.0") -> None:
    """nvidia-smi of a machine with one GPU, in `folder`, which must be in the PATH."""
    put_executable(folder / "nvidia-smi", _NVIDIA_SMI.format(capability=capability))


def put_ncu(folder: Path) -> None:
    """ncu, in `folder`, which must be in the PATH: one launch of each kernel, every counter is 7."""
    put_executable(folder / "ncu", _NCU.format(python=sys.executable))
