"""The figures: one module for each target, with `draw` and `compare`."""
