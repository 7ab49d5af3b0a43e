#pragma once

#include <cstddef>

#include "experiments/measure_gpu/run_options.hpp"

namespace gsst::experiments {

/// Measures the points on the input and writes the result file. Throws as Session does.
void run_measure(const MeasureOptions& options);

/// Measures all points on the tuning text, takes the fastest of each stage and variant and measures those on
/// the report text. Writes {"schema": 1, "environment", "sources_digest", "points": the chosen points,
/// "candidates": a row for every point on the tuning text, "report": a row for every chosen point on the
/// report text}. Throws as Session does.
void run_sweep(const SweepOptions& options);

/// Prints what each variant of the streaming kernel and a copy move, in GB/s. Throws CudaError.
void run_limit(std::size_t read_bytes, std::size_t written_bytes);

}  // namespace gsst::experiments
