#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "common/encode_stage/encode_stage.hpp"
#include "common/stage/registry.hpp"

namespace gsst::experiments {

/// What is measured: one encoder stage with one choice of parameters on one way to cut the text.
struct EncodePoint {
  const stage::RegisteredStage* stage;
  /// The `variant` of the rows: the step of the stage's ladder; may be empty.
  std::string variant;
  /// How the text is cut. input_bytes is 0: a point says nothing of the text.
  stage::EncodeSettings settings;
  /// Keys that are copied into the point's rows.
  nlohmann::ordered_json row;
};

/// Reads `document`: either a list of points or {"points": [...]}, of which other keys are ignored. A point
/// is
///
///     {"stage": "gsst/08_gpu_encoder", "variant": "naive", "parameters": {"step": 1}, "block_bytes": 524288,
///      "splits": 128, "blocks_per_table": 16, "row": {}}
///
/// `variant`, `parameters`, `blocks_per_table` (1) and `row` may be left out. With `code_bits`, 8, 10 or 12,
/// and `codes_per_lane` (32) the frame has format tiles; then `splits` is 1. `place` names the document in
/// messages. Throws InputError, and std::invalid_argument for settings that the stage does not take.
std::vector<EncodePoint> parse_encode_points(const nlohmann::ordered_json& document,
                                             const std::string& place);

/// parse_encode_points() of the file at `path`. Throws InputError if it cannot be read.
std::vector<EncodePoint> read_encode_points(const std::filesystem::path& path);

/// The parameters of a point's rows: all of the stage's, and how the text is cut.
nlohmann::ordered_json parameters_of(const EncodePoint& point);

/// All that a point says, with what it leaves out filled in.
nlohmann::ordered_json point_to_json(const EncodePoint& point);

}  // namespace gsst::experiments
