#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "common/format/encoding.hpp"
#include "common/stage/encode_plans.hpp"
#include "common/stage/registry.hpp"

/// Points: what a measuring program is told to measure.
namespace gsst::experiments {

/// How the text is cut and encoded: by the format's codec for what decodes, by the stage for what encodes.
struct Input {
  /// Of the frame that is decoded or encoded.
  format::BlockFormat format = {};
  /// Data blocks that the text is cut into; 0 where `block_bytes` says it.
  std::uint64_t blocks = 0;
  /// Bytes of a block; 0 where `blocks` says it. Where both are 0 the encoder chooses.
  std::uint64_t block_bytes = 0;
  /// The level of compression; stages that encode have none.
  unsigned level = format::EncodeSettings().level;
  std::optional<format::ChecksumKind> checksum = std::nullopt;
  /// Of the format's codec, and of the stage where it encodes (stage::EncodePlans::options()).
  format::CodecOptions options = {};

  bool operator==(const Input&) const = default;
};

/// Where the ranges of a list are.
enum class RangePattern {
  scattered,  ///< one at a random place in each of as many equal parts of the text, in rising order
  shuffled,   ///< those of scattered, in random order
  clustered,  ///< consecutive, in runs of ranges_per_cluster; the runs as the ranges of scattered
};

/// The name that points and rows use.
std::string range_pattern_name(RangePattern pattern);

/// A list of byte ranges.
struct WantedRanges {
  RangePattern pattern;
  /// The part of the text that is asked for, above 0 and up to 1.
  double selectivity;
  /// Bytes of each range.
  std::uint64_t range_bytes;
};

/// What is measured: a stage with one choice of parameters on one input.
struct Point {
  /// The stage's.
  std::string id = {};
  const stage::RegisteredStage* stage = nullptr;
  /// The `variant` of the row; empty where the stage has one kernel only.
  std::string variant = {};
  stage::ParameterValues parameters = {};
  Input input = {};
  /// Set where byte ranges are decoded.
  std::optional<WantedRanges> ranges = std::nullopt;
  /// Byte ranges: measured on the CPU as well.
  bool on_cpu = false;
  /// Decoding: the row has `graph_seconds` too, times of the decoding as a captured CUDA graph. Programs
  /// other than gsst_measure ignore it.
  bool graph = false;
  /// Keys that are copied into the point's rows.
  nlohmann::ordered_json row = nlohmann::ordered_json::object();
};

/// What a program measures points of.
struct PointRules {
  /// The `kind` of its points files.
  std::string kind;
  /// What its stages are registered for, the first that fits.
  std::vector<stage::Operation> operations;
  /// Of the device.
  unsigned multiprocessors;
};

/// The points of points files.
struct PointList {
  /// The result's; empty where no file names one.
  std::string target = {};
  std::vector<Point> points = {};
  /// Of which the fastest of each stage and variant is one more point.
  std::vector<Point> candidates = {};
};

/// Reads `document`: either a list of points or {"target": "gsst_fig_6_1", "kind": "decode", "points": [...],
/// "candidates": [...]}, whose other keys are ignored. A point is
///
///     {"stage": "series/04_alignment", "variant": "", "parameters": {"alignment": 16}, "row": {"policy":
///      "common"}}
///
/// of which all but `stage` may be left out. A stage that decodes has these (SM means one of the device's
/// multiprocessors), and either `blocks` or `block_bytes`:
///
///     {"blocks": 2112 | "16 per SM" | "recommended", "block_bytes": 524288, "level": 1, "checksum": "xxh64",
///      "graph": true}
///
/// one that encodes `block_bytes` and, unless it is the first of the stage's that has the options, `format`;
/// and byte ranges of a frame:
///
///     {"format": "tiles", "level": 1, "checksum": "xxh64", "on_cpu": true,
///      "ranges": {"pattern": "scattered", "selectivity": 0.01, "range_bytes": 32}}
///
/// All other keys are options of the format's codec, or of a stage that encodes, with _ for -: numbers,
/// names, or "recommended" where the stage that decodes says the number: {"splits": 192, "parse": "optimal"}.
/// `splits` may be 1 where a format has none, as it is in rows.
///
/// `place` names the document in messages. Throws InputError, also for a file of another kind and for a stage
/// that does none of the operations, and std::invalid_argument for what the stage or the codec does not take.
PointList parse_points(const nlohmann::ordered_json& document, const PointRules& rules,
                       const std::string& place);

/// The JSON in the file. Throws InputError if it cannot be read.
nlohmann::ordered_json read_document(const std::filesystem::path& path);

/// The points of all files at `paths`, and the first target that one names. Throws InputError if a file
/// cannot be read or there is no point, and what parse_points() throws.
PointList read_points(std::span<const std::filesystem::path> paths, const PointRules& rules);

/// `wanted`, or the list's target where it is empty. Throws InputError if both are.
std::string target_of(const PointList& list, const std::string& wanted);

/// The point as a points file has it, with its numbers filled in.
nlohmann::ordered_json point_to_json(const Point& point);

/// The points with the same input together, as positions in `points`: groups by the first appearance of each,
/// points in their order.
std::vector<std::vector<std::size_t>> group_by_input(std::span<const Point> points);

/// How the format's codec encodes a text of `text_bytes` bytes for points that decode.
format::EncodeSettings encode_settings(const Input& input, std::uint64_t text_bytes);

/// The text, encoded by the format's codec. Throws std::invalid_argument.
std::vector<std::uint8_t> make_frame(const Input& input, std::span<const std::uint8_t> text);

/// What a point's stage encodes of `input_bytes` bytes.
stage::InputToEncode input_to_encode(const Point& point, std::uint64_t input_bytes);

/// The parameters in the row of a point that decodes: all of the stage's, and how the text is cut. `blocks`
/// are those that the frame has: rounding up the bytes of a block may leave fewer than asked for. `splits`
/// are those that its header says.
nlohmann::ordered_json decode_parameters(const Point& point, std::uint64_t blocks, std::uint32_t splits);

/// The parameters in the rows of a point that encodes: all of the stage's, and how the text is cut.
nlohmann::ordered_json encode_parameters(const Point& point);

}  // namespace gsst::experiments
