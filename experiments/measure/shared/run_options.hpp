#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "experiments/measure/shared/row.hpp"

namespace gsst::experiments {

/// What every program that measures on a GPU is told.
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

}  // namespace gsst::experiments
