#pragma once

#include <cstdint>

#include "common/format/block_header.hpp"
#include "common/format/symbol_table.hpp"
#include "common/stage/frame_on_device.hpp"
#include "library/range_output.cuh"

namespace {

using gsst::stage::BlockOnDevice;
using gsst::stage::BlockStatus;
using gsst::stage::FrameOnDevice;

/// The splits of a block of format splits that is not raw, each of which a warp decodes.
class Splits {
public:
  /// Words of shared memory that a warp needs.
  static constexpr std::uint32_t words_of_warp = 0;

  /// All lanes of a warp call it together.
  __device__ Splits(const FrameOnDevice& /*frame*/, const BlockOnDevice& block, std::uint32_t /*number*/,
                    std::uint32_t* /*words*/)
      : header_(block.payload, gsst::format::BlockFormat::splits, block.layout),
        table_(block.payload + header_.header_bytes()),
        lengths_(gsst::format::load_little_endian<8>(table_ + 9)),
        uncompressed_bytes_(block.uncompressed_bytes),
        split_count_(header_.split_count()),
        split_bytes_(
            static_cast<std::uint32_t>(gsst::format::part_size(block.uncompressed_bytes, split_count_))) {
    std::uint32_t table_bytes = gsst::format::symbol_table_header_bytes;
    for (std::uint32_t length = 1; length <= gsst::format::max_symbol_length; ++length) {
      table_bytes += length * symbols_of(length);
    }
    codes_ = table_ + table_bytes;
    code_bytes_ = static_cast<std::uint32_t>(block.payload + block.payload_bytes - codes_);
  }

  /// Where the symbol table of block `number`, which is not raw, is stored.
  __device__ static const std::uint8_t* table_of(const FrameOnDevice& /*frame*/, const BlockOnDevice& block,
                                                 std::uint32_t /*number*/) {
    return block.payload +
           gsst::format::BlockHeader(block.payload, gsst::format::BlockFormat::splits, block.layout)
               .header_bytes();
  }

  /// Number of different codes of any table.
  __device__ static std::uint32_t codes_of(const std::uint8_t* /*table*/) { return 256; }

  __device__ std::uint32_t count() const { return split_count_; }
  /// Where the output of split `split`, at most count(), starts in the block's output.
  __device__ std::uint32_t begin(std::uint32_t split) const {
    const std::uint64_t begin = std::uint64_t{split} * split_bytes_;
    return begin < uncompressed_bytes_ ? static_cast<std::uint32_t>(begin) : uncompressed_bytes_;
  }
  /// The split that holds a byte of the block's output.
  __device__ std::uint32_t find(std::uint32_t byte) const { return byte / split_bytes_; }

  /// Decodes split `split`. `symbols`: the block's symbols in shared memory, by code, or nullptr.
  __device__ BlockStatus decode(std::uint32_t split, const std::uint64_t* symbols, PartOutput& output) const {
    const std::uint32_t codes_begin = header_.split_location(split);
    const std::uint32_t codes_end =
        split + 1 < split_count_ ? header_.split_location(split + 1) : code_bytes_;
    std::uint32_t escapes = 0;
    for (std::uint32_t first = codes_begin; first < codes_end; first += warp_lanes) {
      const bool exists = this_lane() < codes_end - first;
      const std::uint32_t code = exists ? codes_[first + this_lane()] : 0;
      const bool is_255 = exists && code == gsst::format::escape_code;
      const bool is_escaped = follows_escape(__ballot_sync(whole_warp, is_255), escapes >> 31);
      const bool is_escape = is_255 && !is_escaped;
      escapes = __ballot_sync(whole_warp, is_escape);
      Place place = {.length = 0, .offset = 0};
      if (exists && is_escaped) place.length = 1;
      if (exists && !is_escaped && !is_escape) place = find_symbol(code);
      if (__any_sync(whole_warp, exists && !is_escape && place.length == 0)) {
        return BlockStatus::code_without_symbol;
      }
      const auto symbol = [&]() -> std::uint64_t {
        if (is_escaped) return code;
        return symbols != nullptr ? symbols[code] : load_symbol(table_ + place.offset, place.length);
      };
      if (!output.append(place.length, symbol)) return BlockStatus::output_too_long;
    }
    if (codes_begin != codes_end && (escapes >> ((codes_end - codes_begin - 1) % warp_lanes) & 1) != 0) {
      return BlockStatus::escape_at_end;
    }
    return output.left() == 0 ? BlockStatus::decoded : BlockStatus::output_too_short;
  }

  /// The symbol of `code`, less than codes_of(); anything if it has none.
  __device__ std::uint64_t symbol(std::uint32_t code) const {
    const Place place = find_symbol(code);
    return load_symbol(table_ + place.offset, place.length);
  }

private:
  // A symbol's bytes and where they are in the stored table.
  struct Place {
    std::uint32_t length;
    std::uint32_t offset;
  };

  __device__ std::uint32_t symbols_of(std::uint32_t length) const {
    return static_cast<std::uint32_t>(lengths_ >> (8 * (length - 1)) & 0xff);
  }

  // Codes are given by length, so the histogram says where a symbol is; length 0 where there is none.
  __device__ Place find_symbol(std::uint32_t code) const {
    Place place = {.length = 0, .offset = 0};
    std::uint32_t first_code = 0;
    std::uint32_t offset = gsst::format::symbol_table_header_bytes;
#pragma unroll
    for (std::uint32_t order = 0; order < gsst::format::max_symbol_length; ++order) {
      // 2 to 8, then 1: stored_length_order, as arithmetic.
      const std::uint32_t length = order + 1 < gsst::format::max_symbol_length ? order + 2 : 1;
      const std::uint32_t count = symbols_of(length);
      if (code - first_code < count) {
        place = {.length = length, .offset = offset + (code - first_code) * length};
      }
      first_code += count;
      offset += count * length;
    }
    return place;
  }

  // Whether an escape stands before the lane's code. Bit i of `codes_255` says whether lane i's code is 255,
  // `starts_escaped` whether an escape stands before lane 0. In a run of 255 every other one is an escape,
  // and what stands before the run is none.
  __device__ static bool follows_escape(std::uint32_t codes_255, std::uint32_t starts_escaped) {
    const std::uint64_t before = (std::uint64_t{codes_255} << 1 | starts_escaped) << (63 - this_lane());
    return leading_zeros(~before) % 2 != 0;
  }

  gsst::format::BlockHeader header_;
  const std::uint8_t* table_;
  // The histogram of lengths: a byte for each, that of length 1 first.
  std::uint64_t lengths_;
  std::uint32_t uncompressed_bytes_;
  std::uint32_t split_count_;
  std::uint32_t split_bytes_;
  const std::uint8_t* codes_;
  std::uint32_t code_bytes_;
};

}  // namespace
