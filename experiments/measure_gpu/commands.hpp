#pragma once

#include <cstddef>
#include <string>

#include "experiments/measure_shared/run_options.hpp"

namespace gsst::experiments {

/// Measures all points on one text and writes the result file of `target`, or of the target that the first
/// points file with one names. What an interrupted run of the same points has finished is taken over.
struct MeasureOptions {
  RunOptions run;
  InputOptions input;
  std::string target;
};

/// Chooses the fastest point of each stage on one text and measures it on another.
struct SweepOptions {
  RunOptions run;
  /// What is tuned on; its first quarter where there is no report input.
  InputOptions input;
  /// What the chosen points are measured on; the rest of the input where the path is empty.
  InputOptions report;
};

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
