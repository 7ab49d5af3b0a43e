"""Experiments: what is measured, how it is drawn, and what the papers print."""
