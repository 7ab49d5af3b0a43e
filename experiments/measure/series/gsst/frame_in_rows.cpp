#include "experiments/measure/shared/frame_in_rows.hpp"

#include <optional>

#include "common/format/gsst/tiles_header.hpp"
#include "common/frame/frame.hpp"
#include "reference_cpu/level.hpp"

namespace gsst::experiments {
namespace {

using Json = nlohmann::ordered_json;

// In the first block that is not stored raw.
std::optional<format::TileShape> first_tile_shape(std::span<const std::uint8_t> bytes) {
  const format::FrameView frame = format::parse_frame(bytes);
  for (const format::IndexEntry& entry : frame.index.entries) {
    if (entry.record.layout == format::BlockLayout::raw) continue;
    return format::TilesHeader(bytes.data() + entry.payload_offset).shape();
  }
  return std::nullopt;
}

}  // namespace

Json frame_in_rows_of_gsst(const Input& input, std::span<const std::uint8_t> frame) {
  if (input.format != format::BlockFormat::tiles) return Json::object();
  const std::optional<format::TileShape> shape = first_tile_shape(frame);
  if (!shape) return Json::object();
  const auto chosen = input.options.find("parse");
  const reference::Parse parse = chosen == input.options.end()
                                     ? reference::level_parse(input.level)
                                     : static_cast<reference::Parse>(chosen->second);
  return {{"tiles",
           {{"code_bits", shape->code_bits},
            {"codes_per_lane", shape->codes_per_lane},
            {"level", input.level},
            {"parse", parse == reference::Parse::greedy ? "greedy" : "optimal"}}}};
}

}  // namespace gsst::experiments
