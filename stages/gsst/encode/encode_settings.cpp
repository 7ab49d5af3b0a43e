#include "stages/gsst/encode/encode_settings.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "common/format/gsst/block.hpp"
#include "common/frame/frame.hpp"

namespace gsst::stage {
namespace {

void check_range(const Description& description, const char* name, std::uint64_t value, std::uint64_t least,
                 std::uint64_t most) {
  if (value >= least && value <= most) return;
  throw std::invalid_argument("stage " + description.id + ": " + name + " is " + std::to_string(value) +
                              ", expected " + std::to_string(least) + " to " + std::to_string(most));
}

void check_tile_settings(const Description& description, const EncodeSettings& settings) {
  check_range(description, "number of splits of a block of tiles", settings.split_count, 1, 1);
  const format::TileShape& shape = *settings.tiles;
  if (format::is_tile_shape(shape)) return;
  throw std::invalid_argument("stage " + description.id + ": there are no tiles of " +
                              std::to_string(shape.codes_per_lane) + " codes a lane of " +
                              std::to_string(shape.code_bits) + " bits");
}

}  // namespace

std::uint32_t block_count(const EncodeSettings& settings) {
  return static_cast<std::uint32_t>(format::part_size(settings.input_bytes, settings.block_bytes));
}

std::uint64_t longest_block_bytes(const EncodeSettings& settings) {
  return std::clamp<std::uint64_t>(settings.input_bytes, 1, settings.block_bytes);
}

std::uint32_t table_count(const EncodeSettings& settings) {
  return static_cast<std::uint32_t>(format::part_size(block_count(settings), settings.blocks_per_table));
}

std::span<const std::uint8_t> input_of_table(std::span<const std::uint8_t> input,
                                             const EncodeSettings& settings, std::uint32_t table) {
  const std::uint64_t bytes = settings.block_bytes * settings.blocks_per_table;
  const std::uint64_t begin = std::min<std::uint64_t>(table * bytes, input.size());
  return input.subspan(begin, std::min<std::uint64_t>(bytes, input.size() - begin));
}

void check_settings(const Description& description, const EncodeSettings& settings) {
  check_range(description, "block size", settings.block_bytes, 1, format::max_block_bytes);
  check_range(description, "number of blocks", format::part_size(settings.input_bytes, settings.block_bytes),
              0, format::max_block_count);
  check_range(description, "number of splits", settings.split_count, 1, format::max_split_count);
  check_range(description, "number of blocks per table", settings.blocks_per_table, 1,
              format::max_block_count);
  check_parameters(description, settings.parameters);
  if (settings.tiles) check_tile_settings(description, settings);
}

}  // namespace gsst::stage
