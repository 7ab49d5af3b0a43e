"""What a warp of some stages does, instruction by instruction, for the course's visualiser.

course/traces.py writes them: of the first warp of a stage's trace some stretches of instructions that access
memory, with the address of each lane.
"""

import json
import posixpath
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from course.traced_lines import TracedLine, key_of, load_trace, path_of
from tools.trace_report import counts_of

# Steps of a scene: the columns that fit on a phone.
STEPS = 48
# No stage's warp has so many.
LOGGED_REQUESTS = 1 << 17
LANES = 32


class WarpStepsError(Exception):
    """A trace that has no such steps."""


@dataclass(frozen=True)
class Start:
    """A scene begins where a line with this text does that with the most lanes, for the first time."""

    text: str
    kind: str


@dataclass(frozen=True)
class Step:
    """A request: the number of its line in the stage's trace, the bytes of each lane, the sectors or passes
    that the model counts, and where each lane's are, from the begin of their piece of memory on."""

    line: int
    bytes: int
    units: int
    addresses: tuple[int | None, ...]


@dataclass(frozen=True)
class Scene:
    """Some steps, one after the other; `first` is the number of the first."""

    name: str
    first: int
    steps: tuple[Step, ...]


# What the scenes show, by their names.
TITLES = {"fill": "fill the input buffer", "decode": "decode codes", "write": "write the output"}
_FROM_MEMORY = {"decode": Start("code = codes[position];", "global_load")}
_TAKE = Start("return buffer_[position_++];", "shared_load")
_TRANSFER = "Transfer<Alignment>*>(to) ="
SCENES: dict[str, dict[str, Start]] = {
    "gsst/01_blocks": _FROM_MEMORY,
    "gsst/02_splits": _FROM_MEMORY,
    "gsst/03_shared_memory": {
        "fill": Start("buffer_[filled_] = *next_++;", "global_load"),
        "decode": _TAKE,
        "write": Start("*next_++ = buffer_[byte];", "global_store"),
    },
    "gsst/04_alignment": {
        "fill": Start(_TRANSFER, "global_load"),
        "decode": _TAKE,
        "write": Start(_TRANSFER, "global_store"),
    },
    # Decodes one code after each turn of filling.
    "gsst/05_coalesced": {
        "fill": Start(_TRANSFER, "global_load"),
        "write": Start(_TRANSFER, "global_store"),
    },
}


def scenes_of(stage: str, document: Mapping[str, Any], lines: Sequence[TracedLine]) -> list[Scene]:
    """The stage's scenes in a trace with requests; `lines` are the trace's. Raises WarpStepsError."""
    numbers = {(line.file, line.line, line.kind): number for number, line in enumerate(lines)}
    of_counts = [numbers[key_of(counts)] for counts in counts_of(document)]
    requests = document["requests"]
    active = [sum(address is not None for address in request["addresses"]) for request in requests]
    scenes = []
    for name, start in SCENES[stage].items():
        starting = {
            number for number, line in enumerate(lines) if start.text in line.text and start.kind == line.kind
        }
        # A scene has all its steps.
        last = len(requests) - STEPS
        places = [
            place
            for place, one in enumerate(requests[: max(0, last + 1)])
            if of_counts[one["count"]] in starting
        ]
        if not places:
            raise WarpStepsError(f"{stage}: no {start.kind} of `{start.text}`")
        first = max(places, key=lambda place: (active[place], -place))
        steps = [
            _step(request, of_counts[request["count"]], lines, document["memory"])
            for request in requests[first : first + STEPS]
        ]
        scenes.append(Scene(name, first, tuple(steps)))
    return scenes


def _step(
    request: Mapping[str, Any], number: int, lines: Sequence[TracedLine], memory: Sequence[Mapping[str, int]]
) -> Step:
    addresses: list[int | None] = request["addresses"]
    if lines[number].kind.startswith("shared"):
        return Step(number, request["bytes"], request["passes"], tuple(addresses))
    lowest = min(address for address in addresses if address is not None)
    piece = next(one for one in memory if one["first"] <= lowest < one["first"] + one["bytes"])
    # Pieces are aligned as on a GPU, so that sectors stay what they are.
    first = piece["first"] // 256 * 256
    moved = (None if address is None else address - first for address in addresses)
    return Step(number, request["bytes"], request["sectors"], tuple(moved))


def steps_path(stage: str) -> Path:
    """Where the scenes of a stage are."""
    return path_of(stage).with_name(f"{path_of(stage).stem}_steps.json")


def scenes_text(scenes: Sequence[Scene]) -> str:
    """A file of scenes, a step a line."""
    parts = []
    for scene in scenes:
        steps = ",\n".join(json.dumps(asdict(step), separators=(",", ":")) for step in scene.steps)
        parts.append(f'{{"name": "{scene.name}", "first": {scene.first}, "steps": [\n{steps}\n]}}')
    return "[\n" + ",\n".join(parts) + "\n]\n"


def load_scenes(stage: str) -> list[Scene]:
    """The scenes of a stage."""
    document = json.loads(steps_path(stage).read_text(encoding="utf-8"))
    return [
        Scene(
            scene["name"],
            scene["first"],
            tuple(
                Step(step["line"], step["bytes"], step["units"], tuple(step["addresses"]))
                for step in scene["steps"]
            ),
        )
        for scene in document
    ]


def shown_lines(stage: str, scenes: Sequence[Scene]) -> dict[int, TracedLine]:
    """The lines that the scenes' steps are of, by their numbers, in the order of the text."""
    lines = load_trace(stage)
    numbers = {step.line for scene in scenes for step in scene.steps}
    return {
        number: lines[number] for number in sorted(numbers, key=lambda n: (lines[n].file, lines[n].line, n))
    }


def warps_json(stages: Sequence[str], shown: Sequence[tuple[str, str]]) -> str:
    """What warps.js draws: all scenes of the stages, and which it shows first."""
    of_stages = {}
    for stage in stages:
        scenes = load_scenes(stage)
        lines = [
            {
                "number": number,
                "place": f"{posixpath.basename(line.file)}:{line.line}",
                "text": line.text,
                "kind": line.kind,
                "requests": line.requests,
                "units": line.units,
            }
            for number, line in shown_lines(stage, scenes).items()
        ]
        drawn = [
            {
                "name": scene.name,
                "title": TITLES[scene.name],
                # The browser counts sectors and passes itself.
                "steps": [
                    {"line": step.line, "bytes": step.bytes, "addresses": step.addresses}
                    for step in scene.steps
                ],
            }
            for scene in scenes
        ]
        of_stages[stage] = {"lines": lines, "scenes": drawn}
    data = {"stages": of_stages, "shown": [f"{stage} {scene}" for stage, scene in shown]}
    # Text of a page's script may not close it.
    return json.dumps(data, separators=(",", ":")).replace("<", "\\u003c")
