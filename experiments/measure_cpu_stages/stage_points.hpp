#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "common/stage/stage.hpp"
#include "experiments/measure/shared/points.hpp"

namespace gsst::experiments {

/// What the ids of stages end with that were compiled without the compiler's own vectorisation.
inline constexpr std::string_view unvectorised_suffix = "_unvectorised";

/// A stage on the executor cpu with one choice of parameters.
struct StagePoint {
  stage::Operation operation;
  Point point;

  /// The stage's id without the suffix: where its sources are.
  std::string stage_id() const;
  /// Whether the compiler was free to use vector instructions by itself.
  bool is_vectorised_by_compiler() const;
};

/// The points that this processor can measure, those with the same input and format together.
struct StagePoints {
  std::vector<StagePoint> points = {};
  /// What is left out, for a reader: a point each.
  std::vector<std::string> left_out = {};
};

/// Reads the file at `path`: a list {"points": [...]} of points as experiments/measure/shared/points.hpp has
/// them, each with `operation`, encode or decode. A decoder may have `format` too: its stage's own or, where
/// that is zle, zle_bare for the blocks of a bare file. Parameters that `where_offered` lists may have values
/// that the stage has on other processors: such a point is left out. No points where the file has a list
/// `files` alone (file_works()). Throws InputError for a file that is not so, for a stage without code for
/// the executor cpu, and for what the stage or the codec does not take.
StagePoints read_stage_points(const std::filesystem::path& path);

}  // namespace gsst::experiments
