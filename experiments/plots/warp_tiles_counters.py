"""What limits the decoder of tiles: counters of NVIDIA Nsight Compute."""

from experiments.plots.kernel_counters import compare, draw

__all__ = ["compare", "draw"]
