#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "experiments/measure_ranges/range_lists.hpp"
#include "reference_cpu/compress_block.hpp"

/// What a points file for random access holds: under `points` one entry for each frame, and for all of them
/// `patterns`, `selectivities` and `range_bytes`, every combination of which is measured.
namespace gsst::experiments {

/// The fewest codes that a strip of tiles can have.
inline constexpr std::uint32_t short_strip_codes = 512;

/// One entry of `points`: `format`, which is tiles with `code_bits` or splits with `splits`; whether tiles
/// have `short_strips`, of short_strip_codes; and whether the ranges are measured `on_cpu` as well.
struct RangesFrame {
  reference::CompressOptions options;
  bool on_cpu = false;
};

struct RangesGrid {
  std::vector<RangesFrame> frames;
  std::vector<RangePattern> patterns;
  std::vector<double> selectivities;
  std::vector<std::uint64_t> range_bytes;
};

/// Throws InputError, which names `place` and the key, for a value that cannot be measured.
RangesGrid parse_ranges_grid(const nlohmann::ordered_json& document, const std::string& place);

}  // namespace gsst::experiments
