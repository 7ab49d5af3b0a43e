#include "reference_cpu/compress_block.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>
#include <utility>

#include "common/format/gsst/block.hpp"
#include "common/format/gsst/block_header.hpp"
#include "common/format/gsst/fsst_file.hpp"
#include "common/format/part_size.hpp"
#include "common/frame/checksum.hpp"
#include "reference_cpu/block_codec.hpp"
#include "reference_cpu/encoder.hpp"
#include "reference_cpu/level.hpp"
#include "reference_cpu/table_encoder.hpp"
#include "reference_cpu/tile_codec.hpp"

namespace gsst::reference {

using format::BlockFormat;

namespace {

std::uint32_t strip_codes(const CompressOptions& options) {
  return options.strip_codes == 0 ? default_strip_codes : options.strip_codes;
}

TileRequest tile_request(const CompressOptions& options) {
  return {.code_bits = options.code_bits,
          .codes_per_lane = options.codes_per_lane,
          .strip_codes = strip_codes(options),
          .level = options.level,
          .parse = options.parse.value_or(level_parse(options.level))};
}

CompressedBlock compress_tiles(std::span<const std::uint8_t> input, const CompressOptions& options,
                               unsigned threads, const std::optional<TilePlan>& frame_plan) {
  const TileRequest request = tile_request(options);
  const bool has_frame_table = frame_plan && serves(*frame_plan, input, request);
  const TilePlan plan = has_frame_table ? *frame_plan : plan_tiles(input, request, threads);
  CompressedBlock block;
  block.has_frame_table = has_frame_table;
  block.bytes = encode_tiles(plan.table, input,
                             {.codes_per_lane = plan.choice.codes_per_lane,
                              .strip_codes = plan.choice.strip_codes,
                              .parse = request.parse});
  block.record = {.layout = format::BlockLayout::wide,
                  .payload_bytes = static_cast<std::uint32_t>(block.bytes.size()),
                  .uncompressed_bytes = static_cast<std::uint32_t>(input.size()),
                  .checksum = format::checksum(options.checksum_kind, input),
                  .checksum_kind = options.checksum_kind};
  return block;
}

format::BuiltBlock encode(std::span<const std::uint8_t> input, const CompressOptions& options,
                          unsigned threads) {
  const std::size_t part_bytes = options.format == BlockFormat::splits
                                     ? format::part_size(input.size(), options.split_count)
                                     : whole_input;
  const format::SymbolTable table = train_for_level(input, options.level, part_bytes);
  return encode_block(options.format, table, input, split_count(options), threads,
                      level_parse(options.level));
}

// 0 leaves the choice to the encoder.
void check_choice(const char* name, std::uint32_t value, const std::array<std::uint32_t, 3>& values) {
  if (value == 0 || std::find(values.begin(), values.end(), value) != values.end()) return;
  throw std::invalid_argument(std::string(name) + " is " + std::to_string(value) + ", expected one of " +
                              std::to_string(values[0]) + ", " + std::to_string(values[1]) + " and " +
                              std::to_string(values[2]));
}

}  // namespace

void check_options(const CompressOptions& options) {
  check_level(options.level);
  if (options.format != BlockFormat::tiles &&
      (options.code_bits != 0 || options.codes_per_lane != 0 || options.strip_codes != 0 || options.parse)) {
    throw std::invalid_argument(
        "only format tiles has widths of codes, lanes, strips and parses to choose from");
  }
  check_choice("bits of a code", options.code_bits, tile_code_bits);
  check_choice("number of codes in a lane", options.codes_per_lane, tile_codes_per_lane);
  check_choice("number of codes in a strip", options.strip_codes, tile_strip_codes);
  const std::uint32_t tile_codes = format::tile_lanes * options.codes_per_lane;
  if (tile_codes > strip_codes(options)) {
    throw std::invalid_argument("number of codes in a strip is " + std::to_string(strip_codes(options)) +
                                ", and a tile of " + std::to_string(options.codes_per_lane) +
                                " codes a lane has " + std::to_string(tile_codes));
  }
  if (options.format == BlockFormat::fsst && options.checksum_kind != format::ChecksumKind::xxh64) {
    throw std::invalid_argument("format fsst has no checksums to choose from");
  }
  const std::uint64_t limit =
      options.format == BlockFormat::fsst ? format::max_fsst_block_bytes : format::max_block_bytes;
  if (options.block_bytes < 1 || options.block_bytes > limit) {
    throw std::invalid_argument("block size is " + std::to_string(options.block_bytes) +
                                " bytes, expected 1 to " + std::to_string(limit));
  }
  if (format::has_splits(options.format) &&
      (options.split_count < 1 || options.split_count > format::max_split_count)) {
    throw std::invalid_argument("number of splits is " + std::to_string(options.split_count) +
                                ", expected 1 to " + std::to_string(format::max_split_count));
  }
}

std::uint32_t split_count(const CompressOptions& options) {
  return format::has_splits(options.format) ? options.split_count : 1;
}

std::uint64_t planned_bytes(const CompressOptions& options) {
  // Enough of an input to show what is in it. A batch of a stream holds as much.
  constexpr std::uint64_t most_bytes = std::uint64_t{32} << 20;
  return options.format == BlockFormat::tiles ? std::max(most_bytes, options.block_bytes) : 0;
}

std::optional<TilePlan> plan_frame(std::span<const std::uint8_t> start, const CompressOptions& options,
                                   unsigned threads) {
  if (options.format != BlockFormat::tiles) return std::nullopt;
  return plan_tiles(start, tile_request(options), threads);
}

CompressedBlock compress_block(std::span<const std::uint8_t> input, const CompressOptions& options,
                               unsigned threads, const std::optional<TilePlan>& plan) {
  if (options.format == BlockFormat::fsst) {
    const format::SymbolTable table = train_for_level(input, options.level);
    std::vector<std::uint8_t> codes(Encoder::max_encoded_bytes(input.size()));
    codes.resize(TableEncoder(table, level_parse(options.level)).encode(input, codes));
    return {.record = {}, .bytes = format::build_fsst_block(table, codes)};
  }
  if (options.format == BlockFormat::tiles) return compress_tiles(input, options, threads, plan);
  format::BuiltBlock built = encode(input, options, threads);
  CompressedBlock block;
  const std::uint64_t raw_bytes = format::raw_payload_bytes(options.format, input.size());
  const bool pays = built.bytes.size() < raw_bytes;
  block.bytes = pays ? std::move(built.bytes) : std::vector<std::uint8_t>(input.begin(), input.end());
  if (!pays) block.bytes.resize(raw_bytes);
  block.record = {.layout = pays ? built.layout : format::BlockLayout::raw,
                  .payload_bytes = static_cast<std::uint32_t>(block.bytes.size()),
                  .uncompressed_bytes = static_cast<std::uint32_t>(input.size()),
                  .checksum = format::checksum(options.checksum_kind, input),
                  .checksum_kind = options.checksum_kind};
  return block;
}

void append_to_index(format::FrameIndex& index, const format::BlockRecord& record) {
  if (index.entries.size() == format::max_block_count) {
    throw std::length_error("a frame holds at most " + std::to_string(format::max_block_count) +
                            " blocks; use a larger block size");
  }
  format::append_block(index, record);
}

}  // namespace gsst::reference
