"""Throughput of the encoder that is all on the GPU with each of its ideas, drawn as the published one's."""

from experiments.plots.encoder_ladder import compare, draw

__all__ = ["compare", "draw"]
