#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "common/format/block_header.hpp"
#include "common/stage/registry.hpp"
#include "reference_cpu/parse.hpp"

namespace gsst::experiments {

/// What is measured: one stage with one choice of parameters on one way to cut the text.
struct Point {
  const stage::RegisteredStage* stage;
  /// The `variant` of the row; empty where the stage has one kernel only.
  std::string variant;
  stage::ParameterValues parameters;
  /// Data blocks that the text is cut into.
  std::uint64_t blocks;
  /// Splits of a block; 1 where the stage's format has none.
  std::uint32_t splits;
  /// Format tiles: bits of a code and codes of a lane; 0: the encoder chooses.
  std::uint32_t code_bits = 0;
  std::uint32_t codes_per_lane = 0;
  /// The level of compression, and for format tiles the parse, if it is another than the level's.
  unsigned level = 1;
  std::optional<reference::Parse> parse;
  /// The row has `graph_seconds` too: times of the decoding as a captured CUDA graph. Other programs than
  /// gsst_measure_stages take no notice.
  bool graph = false;
  /// Keys that are copied into the point's row.
  nlohmann::ordered_json row;
};

/// The points of a points file, and the result file's target where the file names one.
struct PointList {
  std::string target;
  std::vector<Point> points;
};

/// Reads `document`: either a list of points or {"target": "gsst_fig_6_1", "points": [...]}; other keys of
/// the object are ignored, so that the file that `sweep` writes is a points file too. A point is
///
///     {"stage": "gsst/04_alignment", "variant": "", "parameters": {"alignment": 16},
///      "blocks": 2112 | "16 per SM" | "recommended", "splits": 192 | "recommended", "row": {"policy":
///      "common"}, "code_bits": 8, "codes_per_lane": 32, "level": 1, "parse": "greedy" | "optimal",
///      "graph": true}
///
/// All but `stage` and `blocks` may be left out, and `splits` only where the stage's format has none. SM
/// means one of the device's `multiprocessors`. `place` names the document in messages. Throws InputError,
/// and std::invalid_argument for a parameter that the stage does not take.
PointList parse_points(const nlohmann::ordered_json& document, unsigned multiprocessors,
                       const std::string& place);

/// parse_points() of the file at `path`. Throws InputError if it cannot be read.
PointList read_points(const std::filesystem::path& path, unsigned multiprocessors);

/// The points of all files at `paths` and the first target that one names. Throws InputError if there is no
/// point, and what the above throws.
PointList read_points(std::span<const std::filesystem::path> paths, unsigned multiprocessors);

/// `wanted`, or the list's target where it is empty. Throws InputError if both are.
std::string target_of(const PointList& list, const std::string& wanted);

/// The point as a points file has it, with its numbers filled in.
nlohmann::ordered_json point_to_json(const Point& point);

/// Whether one frame, made of the same text, serves both points.
bool share_frame(const Point& a, const Point& b);

/// The points that share a frame together, as positions in `points`: groups by the first appearance of each,
/// points in their order.
std::vector<std::vector<std::size_t>> group_by_frame(std::span<const Point> points);

}  // namespace gsst::experiments
