"""What limits the encoder that is all on the GPU: counters of NVIDIA Nsight Compute."""

from experiments.plots.kernel_counters import compare, draw

__all__ = ["compare", "draw"]
