"""The properties of recorded GPUs, which the logged CUDA runtime tells programs."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

PATH = Path(__file__).parent / "gpus.json"


class UnknownGpuError(Exception):
    """A GPU whose properties are not written down."""


@dataclass(frozen=True)
class GpuProperties:
    """A kind of GPU. `attributes` are named as cudaDeviceAttr's, `architecture` is 10 * major + minor."""

    name: str
    architecture: int
    memory_bytes: int
    attributes: Mapping[str, int]

    @property
    def multiprocessors(self) -> int:
        return self.attributes["MultiProcessorCount"]


def gpu_properties(name: str | None) -> GpuProperties:
    """The properties of the GPU that a result names. Raises UnknownGpuError."""
    gpus = json.loads(PATH.read_text(encoding="utf-8"))
    if name not in gpus:
        raise UnknownGpuError(
            f"the properties of {name or 'no GPU'} are not in {PATH.name}; it has {', '.join(gpus)}"
        )
    return GpuProperties(name, **gpus[name])
