#pragma once

#include <cstdint>

#include "common/format/gsst/block.hpp"
#include "common/format/gsst/block_header.hpp"
#include "common/format/gsst/symbol_table.hpp"
#include "common/format/gsst/tiles.hpp"
#include "common/frame/frame_check.cuh"
#include "common/stage/frame_on_device.hpp"
#include "stages/gsst/shared/payload_problem.hpp"

// The checks of format::parse_block() and find_table(), in their order. A warp looks at a block together;
// what does not depend on the lane is the same in all lanes.
namespace {

using gsst::format::BlockHeader;
using gsst::format::BlockLayout;
using gsst::format::TileShape;
using gsst::format::TilesHeader;
using gsst::stage::BlockOnDevice;
using gsst::stage::PayloadProblem;

// A problem as the frame's kernels report it.
__device__ constexpr FrameProblem in_payload(PayloadProblem problem) {
  return static_cast<FrameProblem>(problem);
}

// One code gives 1 to 8 bytes, an escape and its byte give one.
__device__ inline bool can_decode_to(std::uint64_t code_bytes, std::uint64_t output_bytes) {
  return output_bytes <= code_bytes * gsst::format::max_symbol_length && code_bytes <= output_bytes * 2;
}

// The table at `stored`, of which the block has `available` bytes. Gives its size in `table_bytes`.
__device__ inline FrameProblem check_symbol_table(const std::uint8_t* stored, std::uint64_t available,
                                                  std::uint64_t& table_bytes) {
  using namespace gsst::format;
  if (available < symbol_table_header_bytes) return in_payload(PayloadProblem::symbol_table);
  const std::uint64_t version_word = load_little_endian<8>(stored);
  if ((version_word & 0xff) != little_endian_mark || version_word >> 32 != fsst_version) {
    return in_payload(PayloadProblem::version_word);
  }
  if (stored[8] != 0) return in_payload(PayloadProblem::zero_terminated_flag);
  std::uint32_t counted = 0;
  std::uint64_t symbol_bytes = 0;
  for (std::uint32_t length = 1; length <= max_symbol_length; ++length) {
    counted += stored[8 + length];
    symbol_bytes += std::uint64_t{stored[8 + length]} * length;
  }
  if (counted != (version_word >> 8 & 0xff)) return in_payload(PayloadProblem::length_histogram);
  if (available - symbol_table_header_bytes < symbol_bytes) return in_payload(PayloadProblem::symbols);
  table_bytes = symbol_table_header_bytes + symbol_bytes;
  return FrameProblem::none;
}

// Whether split `split` of a block with `code_bytes` codes is what a split can be, and does not start before
// the one in front of it.
__device__ inline bool is_split_possible(const BlockHeader& header, BlockFormat format, std::uint32_t split,
                                         std::uint32_t split_count, std::uint32_t code_bytes,
                                         std::uint32_t uncompressed_bytes) {
  const bool coalesced = format == BlockFormat::coalesced;
  const std::uint32_t limit = coalesced ? uncompressed_bytes : code_bytes;
  const std::uint32_t start = header.split_location(split);
  const std::uint32_t end = split + 1 == split_count ? limit : header.split_location(split + 1);
  if ((split == 0 && start != 0) || end < start || end > limit) return false;
  if (coalesced) {
    const std::uint32_t codes = gsst::format::coalesced_split_codes(code_bytes, split_count, split);
    if (header.starts_escaped(split) && (split == 0 || codes == 0)) return false;
    return end - start <= std::uint64_t{codes} * gsst::format::max_symbol_length;
  }
  const std::uint64_t split_size = gsst::format::part_size(uncompressed_bytes, split_count);
  const std::uint64_t begin = split * split_size;
  const std::uint64_t left = begin < uncompressed_bytes ? uncompressed_bytes - begin : 0;
  return can_decode_to(end - start, left < split_size ? left : split_size);
}

// A block of a format with FSST's table.
__device__ inline FrameProblem check_fsst_block(const BlockOnDevice& block, BlockFormat format,
                                                std::uint32_t split_count, std::uint32_t lane) {
  const BlockHeader header(block.payload, format, block.layout);
  if (block.payload_bytes < header.fixed_header_bytes()) return in_payload(PayloadProblem::block_header);
  if (header.block_bytes() != block.payload_bytes) return in_payload(PayloadProblem::block_bytes);
  if (header.uncompressed_bytes() != block.uncompressed_bytes)
    return in_payload(PayloadProblem::uncompressed_size);
  const bool has_splits = gsst::format::has_splits(format);
  if (has_splits && header.split_count() != split_count) return in_payload(PayloadProblem::split_count);
  if (block.payload_bytes < header.header_bytes()) return in_payload(PayloadProblem::split_locations);
  std::uint64_t table_bytes = 0;
  const FrameProblem in_table = check_symbol_table(block.payload + header.header_bytes(),
                                                   block.payload_bytes - header.header_bytes(), table_bytes);
  if (in_table != FrameProblem::none) return in_table;
  const auto code_bytes =
      static_cast<std::uint32_t>(block.payload_bytes - header.header_bytes() - table_bytes);
  if (!can_decode_to(code_bytes, block.uncompressed_bytes))
    return in_payload(PayloadProblem::uncompressed_size);
  if (!has_splits) return FrameProblem::none;
  for (std::uint32_t split = lane; split < split_count; split += header_lanes) {
    if (!is_split_possible(header, format, split, split_count, code_bytes, block.uncompressed_bytes)) {
      return in_payload(PayloadProblem::split_location);
    }
  }
  return FrameProblem::none;
}

__device__ inline FrameProblem check_tile_shape(const TilesHeader& header) {
  const TileShape shape = header.shape();
  if (shape.code_bits != 8 && shape.code_bits != 10 && shape.code_bits != 12)
    return in_payload(PayloadProblem::code_bits);
  if (shape.codes_per_lane != 16 && shape.codes_per_lane != 24 && shape.codes_per_lane != 32) {
    return in_payload(PayloadProblem::codes_per_lane);
  }
  if (header.tiles_per_strip() == 0) return in_payload(PayloadProblem::tiles_per_strip);
  if (header.escape_free() > 1 || (header.escape_free() == 0 && shape.code_bits != 8)) {
    return in_payload(PayloadProblem::escape_free_flag);
  }
  return header.dictionary_id() > gsst::format::max_dictionary_id ? in_payload(PayloadProblem::dictionary_id)
                                                                  : FrameProblem::none;
}

// The lengths of the classes that the format fixes: those of literal bytes are 1, the first halves of such
// bytes have none.
__device__ inline FrameProblem check_class_lengths(const TilesHeader& header) {
  const std::uint32_t fixed_classes = header.first_stored_code() / header.shape().class_codes();
  const bool has_halves = header.shape().code_bits == 8;
  for (std::uint32_t i = 0; i < gsst::format::length_class_count; ++i) {
    const std::uint32_t length = header.class_length(i);
    if (length > gsst::format::max_symbol_length) return in_payload(PayloadProblem::class_length);
    if (i < fixed_classes && length != (i == 0 && has_halves ? 0u : 1u))
      return in_payload(PayloadProblem::class_length);
  }
  return FrameProblem::none;
}

// Whether `codes` codes in `strips` strips can decode to `output_bytes`: a literal byte takes two codes of 8
// bits, and a strip ends with a code without output where such a pair would cross its end.
__device__ inline bool can_tiles_decode_to(const TileShape& shape, std::uint64_t codes,
                                           std::uint64_t output_bytes, std::uint64_t strips) {
  const std::uint64_t most = shape.code_bits == 8 ? 2 * output_bytes + strips : output_bytes;
  return output_bytes <= codes * gsst::format::max_symbol_length && codes <= most;
}

// As format::check_tiles_header().
__device__ inline FrameProblem check_tiles_header(const std::uint8_t* payload, std::uint64_t payload_bytes,
                                                  std::uint32_t uncompressed_bytes) {
  using namespace gsst::format;
  if (payload_bytes < tiles_header_bytes) return in_payload(PayloadProblem::block_header);
  const TilesHeader header(payload);
  if (header.block_bytes() != payload_bytes) return in_payload(PayloadProblem::block_bytes);
  if (header.uncompressed_bytes() != uncompressed_bytes) return in_payload(PayloadProblem::uncompressed_size);
  const FrameProblem in_shape = check_tile_shape(header);
  if (in_shape != FrameProblem::none) return in_shape;
  if (!all_zero(payload + 17, 3) || !all_zero(payload + 24, 8))
    return in_payload(PayloadProblem::block_header);
  const FrameProblem in_lengths = check_class_lengths(header);
  if (in_lengths != FrameProblem::none) return in_lengths;
  const TileShape shape = header.shape();
  if (header.code_count() == 0 ||
      !can_tiles_decode_to(shape, header.code_count(), uncompressed_bytes, header.strip_count())) {
    return in_payload(PayloadProblem::code_count);
  }
  const std::uint64_t symbol_bytes =
      header.dictionary_id() == 0 ? header.stored_symbol_bytes(shape.code_count()) : 0;
  const std::uint64_t unpadded = tiles_header_bytes + header.tile_count() * shape.bytes() +
                                 std::uint64_t{header.strip_count()} * 4 + symbol_bytes;
  if (payload_bytes != padded_tiles_payload_bytes(unpadded)) return in_payload(PayloadProblem::block_bytes);
  return all_zero(payload + unpadded, payload_bytes - unpadded) ? FrameProblem::none
                                                                : in_payload(PayloadProblem::padding);
}

__device__ inline bool is_strip_possible(const TilesHeader& header, std::uint32_t strip) {
  const std::uint64_t strip_codes = std::uint64_t{header.tiles_per_strip()} * header.shape().codes();
  const std::uint32_t begin = header.strip_output(strip);
  const std::uint32_t end = header.strip_output(strip + 1);
  if ((strip == 0 && begin != 0) || end > header.uncompressed_bytes() || end < begin) return false;
  const std::uint64_t codes_left = header.code_count() - strip * strip_codes;
  return can_tiles_decode_to(header.shape(), codes_left < strip_codes ? codes_left : strip_codes, end - begin,
                             1);
}

// As format::check_tiles_block().
__device__ inline FrameProblem check_tiles_block(const BlockOnDevice& block, std::uint32_t lane) {
  const FrameProblem in_header =
      check_tiles_header(block.payload, block.payload_bytes, block.uncompressed_bytes);
  if (in_header != FrameProblem::none) return in_header;
  const TilesHeader header(block.payload);
  for (std::uint32_t strip = lane; strip < header.strip_count(); strip += header_lanes) {
    if (!is_strip_possible(header, strip)) return in_payload(PayloadProblem::strip_offset);
  }
  return FrameProblem::none;
}

// Whether `holder` is a block with a table for a block with `header`.
__device__ inline bool can_share_table(const TilesHeader& header, const BlockOnDevice& holder) {
  if (holder.layout == BlockLayout::raw) return false;
  if (check_tiles_header(holder.payload, holder.payload_bytes, holder.uncompressed_bytes) !=
      FrameProblem::none) {
    return false;
  }
  const TilesHeader other(holder.payload);
  if (other.dictionary_id() != 0 || other.escape_free() != header.escape_free() ||
      other.shape().code_bits != header.shape().code_bits ||
      other.shape().codes_per_lane != header.shape().codes_per_lane) {
    return false;
  }
  for (std::uint32_t i = 0; i < gsst::format::length_class_count; ++i) {
    if (other.class_length(i) != header.class_length(i)) return false;
  }
  return true;
}

/// The rules of the formats of series gsst, as common/frame/frame_check.cuh asks for them.
struct GsstPayloads {
  __device__ static bool has_format(std::uint32_t number) {
    return number >= static_cast<std::uint32_t>(BlockFormat::blocks) &&
           number <= static_cast<std::uint32_t>(BlockFormat::tiles);
  }

  __device__ static std::uint32_t max_split_count(BlockFormat format) {
    return gsst::format::has_splits(format) ? gsst::format::max_split_count : 1;
  }

  __device__ static FrameProblem check_record(const FrameCheck& check, std::uint64_t block_size,
                                              const std::uint8_t* record) {
    if (!all_zero(record + 2, 6)) return FrameProblem::record_header;
    const bool tiles = check.bounds.format == BlockFormat::tiles;
    if (record[1] > static_cast<std::uint8_t>(BlockLayout::wide)) return FrameProblem::layout;
    const std::uint64_t payload_bytes = load_number<4>(record + 8);
    if (tiles) {
      if (record[1] == static_cast<std::uint8_t>(BlockLayout::narrow)) return FrameProblem::layout;
      if (payload_bytes != gsst::format::padded_tiles_payload_bytes(payload_bytes)) {
        return FrameProblem::payload_bytes;
      }
    }
    const std::uint64_t uncompressed_bytes = load_number<4>(record + 12);
    if (uncompressed_bytes == 0 || uncompressed_bytes > block_size) return FrameProblem::uncompressed_bytes;
    const std::uint64_t most =
        check.fixed_payload_bytes + 2 * uncompressed_bytes + (tiles ? uncompressed_bytes / 16 : 0);
    return payload_bytes > most ? FrameProblem::payload_bytes : FrameProblem::none;
  }

  __device__ static FrameProblem check_block(const gsst::stage::FrameOnDevice& frame, std::uint32_t number,
                                             std::uint32_t lane) {
    const BlockOnDevice block = frame.block(number, nullptr);
    const bool tiles = frame.format == BlockFormat::tiles;
    if (block.layout == BlockLayout::raw) {
      const std::uint64_t size = block.uncompressed_bytes;
      const std::uint64_t padded = tiles ? gsst::format::padded_tiles_payload_bytes(size) : size;
      if (block.payload_bytes != padded) return in_payload(PayloadProblem::raw_block_size);
      return all_zero(block.payload + size, padded - size) ? FrameProblem::none
                                                           : in_payload(PayloadProblem::padding);
    }
    if (!tiles) return check_fsst_block(block, frame.format, frame.split_count, lane);
    const FrameProblem problem = check_tiles_block(block, lane);
    if (problem != FrameProblem::none) return problem;
    const TilesHeader header(block.payload);
    if (header.dictionary_id() == 0) return FrameProblem::none;
    if (header.dictionary_id() > number) return in_payload(PayloadProblem::dictionary_id);
    const BlockOnDevice holder = frame.block(number - header.dictionary_id(), nullptr);
    return can_share_table(header, holder) ? FrameProblem::none : in_payload(PayloadProblem::dictionary_id);
  }
};

}  // namespace
