#include "experiments/measure_ranges/short_strips.hpp"

#include <algorithm>

#include "common/format/frame.hpp"
#include "common/format/tiles_header_writer.hpp"
#include "experiments/measure/error.hpp"

namespace gsst::experiments {
namespace {

using Bytes = std::vector<std::uint8_t>;

void append_bytes(Bytes& to, std::span<const std::uint8_t> bytes) {
  to.insert(to.end(), bytes.begin(), bytes.end());
}

// Bytes that tile `tile` decodes to.
std::uint32_t output_of_tile(const format::TilesHeader& header, std::uint64_t tile) {
  const format::TileShape shape = header.shape();
  const std::uint64_t left = header.code_count() - tile * shape.codes();
  const auto codes = static_cast<std::uint32_t>(std::min<std::uint64_t>(left, shape.codes()));
  std::uint32_t bytes = 0;
  for (std::uint32_t i = 0; i < codes; ++i) {
    bytes += header.class_length(format::tile_code(header.tile(tile), shape, i) / shape.class_codes());
  }
  return bytes;
}

Bytes shorten_strips_of_block(const format::TilesHeader& header) {
  if (header.shape().code_bits == 8 && header.escape_free() == 0) {
    throw InputError("strips cannot be shortened: codes of 8 bits are halves of bytes");
  }
  Bytes block(format::tiles_header_bytes);
  append_bytes(block, {header.tile(0), header.strip_outputs()});
  std::uint32_t output = 0;
  for (std::uint64_t tile = 0; tile < header.tile_count(); ++tile) {
    block.resize(block.size() + 4);
    format::store_little_endian<4>(block.data() + block.size() - 4, output);
    output += output_of_tile(header, tile);
  }
  const bool has_table = header.dictionary_id() == 0;
  append_bytes(block, {header.stored_symbols(),
                       has_table ? header.stored_symbol_bytes(header.shape().code_count()) : 0});
  block.resize(format::padded_tiles_payload_bytes(block.size()));
  Bytes lengths(format::length_class_count);
  for (std::uint32_t i = 0; i < lengths.size(); ++i) {
    lengths[i] = static_cast<std::uint8_t>(header.class_length(i));
  }
  format::write_tiles_header(block.data(),
                             {.block_bytes = static_cast<std::uint32_t>(block.size()),
                              .uncompressed_bytes = header.uncompressed_bytes(),
                              .shape = header.shape(),
                              .tiles_per_strip = 1,
                              .code_count = header.code_count(),
                              .escape_free = header.escape_free(),
                              .dictionary_id = header.dictionary_id()},
                             lengths.data());
  return block;
}

}  // namespace

std::vector<std::uint8_t> with_short_strips(std::span<const std::uint8_t> frame) {
  const format::FrameView view = format::parse_frame(frame);
  if (view.header.format != format::BlockFormat::tiles) {
    throw InputError("strips cannot be shortened: the frame has no tiles");
  }
  Bytes shortened;
  format::FrameIndex index{.entries = {}, .uncompressed_bytes = 0, .checksum_kind = view.index.checksum_kind};
  append_bytes(shortened, format::build_frame_header(view.header));
  for (std::size_t number = 0; number < view.index.entries.size(); ++number) {
    format::BlockRecord record = view.index.entries[number].record;
    const std::span<const std::uint8_t> payload = view.payload(number);
    const bool is_raw = record.layout == format::BlockLayout::raw;
    const Bytes block = is_raw ? Bytes(payload.begin(), payload.end())
                               : shorten_strips_of_block(format::TilesHeader(payload.data()));
    record.payload_bytes = static_cast<std::uint32_t>(block.size());
    append_bytes(shortened, format::build_block_record(record));
    append_bytes(shortened, block);
    format::append_block(index, record);
  }
  append_bytes(shortened, format::build_frame_end(index));
  return shortened;
}

}  // namespace gsst::experiments
