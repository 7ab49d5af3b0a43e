#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "experiments/measure/row.hpp"

namespace gsst::experiments {

/// What every command that measures is told.
struct RunOptions {
  /// The points files; their points are measured together.
  std::vector<std::filesystem::path> points;
  std::filesystem::path output;
  unsigned repetitions = 10;
  /// Accept data that is not several times the L2 cache.
  bool allow_small = false;
  /// What the result says of where it comes from.
  std::string commit = "unknown";
  bool dirty = false;
  std::string sources_digest;
  std::string command;
};

/// A file and what rows call it.
struct InputOptions {
  std::filesystem::path path;
  Dataset dataset;
};

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

}  // namespace gsst::experiments
