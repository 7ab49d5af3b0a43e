"""The Pareto front of codecs: those that no other beats in both ratio and throughput."""

import pandas as pd


def pareto_front(table: pd.DataFrame) -> list[int]:
    """Index of the rows that no other row beats in both ratio and throughput, fastest first."""
    front: list[int] = []
    best_ratio = 0.0
    ordered = table.sort_values(["throughput_gb_per_s", "ratio"], ascending=False)
    for index, ratio in ordered["ratio"].items():
        if ratio > best_ratio:
            front.append(index)
            best_ratio = ratio
    return front
