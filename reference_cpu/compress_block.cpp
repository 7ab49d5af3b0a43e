#include "reference_cpu/compress_block.hpp"

#include <stdexcept>
#include <string>
#include <utility>

#include "common/format/checksum.hpp"
#include "common/format/fsst_file.hpp"
#include "reference_cpu/block_codec.hpp"
#include "reference_cpu/encoder.hpp"
#include "reference_cpu/level.hpp"
#include "reference_cpu/table_encoder.hpp"
#include "reference_cpu/tile_codec.hpp"
#include "reference_cpu/train_tiles.hpp"

namespace gsst::reference {

using format::BlockFormat;

namespace {

format::BuiltBlock encode_with_tiles(std::span<const std::uint8_t> input, const CompressOptions& options) {
  // 24 codes of 10 bits a lane: beside their table a GPU has room for more warps with smaller tiles.
  const std::uint32_t codes_per_lane = options.code_bits == 10 ? 24 : 32;
  const format::TileTable table = train_tile_table(input, options.code_bits, options.level);
  return {.layout = format::BlockLayout::wide,
          .bytes = encode_tiles(table, input,
                                {.codes_per_lane = codes_per_lane, .parse = level_parse(options.level)})};
}

format::BuiltBlock encode(std::span<const std::uint8_t> input, const CompressOptions& options,
                          unsigned threads) {
  if (options.format == BlockFormat::tiles) return encode_with_tiles(input, options);
  const std::size_t part_bytes = options.format == BlockFormat::splits
                                     ? format::part_size(input.size(), options.split_count)
                                     : whole_input;
  const format::SymbolTable table = train_for_level(input, options.level, part_bytes);
  return encode_block(options.format, table, input, split_count(options), threads,
                      level_parse(options.level));
}

}  // namespace

void check_options(const CompressOptions& options) {
  check_level(options.level);
  if (options.code_bits != 8 &&
      (options.format != BlockFormat::tiles || (options.code_bits != 10 && options.code_bits != 12))) {
    throw std::invalid_argument("codes have " + std::to_string(options.code_bits) +
                                " bits, expected 8, or in format tiles 8, 10 or 12");
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

CompressedBlock compress_block(std::span<const std::uint8_t> input, const CompressOptions& options,
                               unsigned threads) {
  if (options.format == BlockFormat::fsst) {
    const format::SymbolTable table = train_for_level(input, options.level);
    std::vector<std::uint8_t> codes(Encoder::max_encoded_bytes(input.size()));
    codes.resize(TableEncoder(table, level_parse(options.level)).encode(input, codes));
    return {.record = {}, .bytes = format::build_fsst_block(table, codes)};
  }
  format::BuiltBlock built = encode(input, options, threads);
  CompressedBlock block;
  const std::uint64_t raw_bytes = format::raw_payload_bytes(options.format, input.size());
  const bool pays = built.bytes.size() < raw_bytes;
  block.bytes = pays ? std::move(built.bytes) : std::vector<std::uint8_t>(input.begin(), input.end());
  if (!pays) block.bytes.resize(raw_bytes);
  block.record = {.layout = pays ? built.layout : format::BlockLayout::raw,
                  .payload_bytes = static_cast<std::uint32_t>(block.bytes.size()),
                  .uncompressed_bytes = static_cast<std::uint32_t>(input.size()),
                  .checksum = format::checksum(input)};
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
