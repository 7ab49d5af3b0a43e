#pragma once

#include <cstdint>

#include "common/format/gsst/block_header.hpp"
#include "common/format/gsst/symbol_table.hpp"
#include "common/stage/frame_on_device.hpp"
#include "stages/gsst/11_random_access/output.cuh"
#include "stages/gsst/11_random_access/reader.cuh"

namespace {

using gsst::stage::BlockOnDevice;
using gsst::stage::BlockStatus;
using gsst::stage::FrameOnDevice;

/// The splits of a block of format splits that is not raw, each of which a warp decodes.
class Splits {
public:
  /// Words of shared memory that a warp needs.
  static constexpr std::uint32_t words_of_warp = 64;

  /// All lanes of a warp call it together, with words of shared memory of their own.
  __device__ Splits(const FrameOnDevice& /*frame*/, const BlockOnDevice& block, std::uint32_t /*number*/,
                    std::uint32_t* words)
      : header_(block.payload, gsst::format::BlockFormat::splits, block.layout),
        table_(block.payload + header_.header_bytes()),
        lengths_(gsst::format::load_little_endian<8>(table_ + 9)),
        uncompressed_bytes_(block.uncompressed_bytes),
        split_count_(header_.split_count()),
        split_bytes_(
            static_cast<std::uint32_t>(gsst::format::part_size(block.uncompressed_bytes, split_count_))),
        lengths_of_codes_(words) {
    std::uint32_t table_bytes = gsst::format::symbol_table_header_bytes;
    for (std::uint32_t length = 1; length <= gsst::format::max_symbol_length; ++length) {
      table_bytes += length * symbols_of(length);
    }
    codes_ = table_ + table_bytes;
    code_bytes_ = static_cast<std::uint32_t>(block.payload + block.payload_bytes - codes_);
    // Other lanes may still read the lengths of the block before.
    __syncwarp();
    for (std::uint32_t word = this_lane(); word < words_of_warp; word += warp_lanes) {
      std::uint32_t lengths = 0;
      for (std::uint32_t i = 0; i < 4; ++i) lengths |= find_symbol(4 * word + i).length << (8 * i);
      lengths_of_codes_[word] = lengths;
    }
    __syncwarp();
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

  /// What follows is about split `split`. Returns the number of its codes, escapes included.
  __device__ std::uint32_t open(std::uint32_t split) {
    const std::uint32_t codes_begin = header_.split_location(split);
    const std::uint32_t codes_end =
        split + 1 < split_count_ ? header_.split_location(split + 1) : code_bytes_;
    split_codes_ = codes_ + codes_begin;
    code_count_ = codes_end - codes_begin;
    escape_is_open_ = 0;
    return code_count_;
  }

  /// The lane's codes of the step that starts at code `first` of the split.
  __device__ std::uint64_t load(std::uint32_t first) const {
    const std::uint32_t own = first + this_lane() * codes_of_lane;
    return own < code_count_ ? load_8_bytes(split_codes_ + own) : 0;
  }

  /// What these are. The lane has `count` of them. From here on the step is the one of symbol().
  __device__ LaneCodes lane_codes(std::uint64_t codes, std::uint32_t first, std::uint32_t count) {
    step_codes_ = split_codes_ + first;
    LaneCodes lane = {.lengths = 0, .escaped = 0, .is_wrong = false};
    bool is_open = starts_escaped(codes);
#pragma unroll
    for (std::uint32_t i = 0; i < codes_of_lane; ++i) {
      const auto code = static_cast<std::uint32_t>(codes >> (8 * i) & 0xff);
      const bool exists = i < count;
      const bool is_escape = exists && !is_open && code == gsst::format::escape_code;
      const std::uint32_t length = !exists || is_escape ? 0 : is_open ? 1 : length_of(code);
      if (exists && !is_escape && length == 0) lane.is_wrong = true;
      if (exists && is_open) lane.escaped |= 1u << i;
      lane.lengths |= std::uint64_t{length} << (8 * i);
      if (exists) is_open = is_escape;
    }
    const std::uint32_t left = code_count_ - first;
    const std::uint32_t last_lane = left < step_codes ? (left - 1) / codes_of_lane : warp_lanes - 1;
    escape_is_open_ = __shfl_sync(whole_warp, is_open ? 1u : 0u, static_cast<int>(last_lane));
    return lane;
  }

  /// Whether the split can end behind the last step.
  __device__ bool ends_rightly() const {
    return escape_is_open_ == 0;
  }

  /// What code `index` of the step puts out. `symbols`: the block's symbols by code, or nullptr.
  __device__ std::uint64_t symbol(std::uint32_t index, bool is_escaped, const std::uint64_t* symbols) const {
    const std::uint32_t code = step_codes_[index];
    if (is_escaped) return code;
    return symbols != nullptr ? symbols[code] : symbol(code);
  }

  /// No code without output is joined with another.
  __device__ static bool has_halves() {
    return false;
  }
  // not covered: asked for only where has_halves() is true
  __device__ static std::uint32_t join(std::uint32_t /*index*/, bool /*exists*/, std::uint32_t /*length*/,
                                       std::uint32_t& /*half*/) {
    // not covered: as above
    return 0;
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

  // Whether an escape stands before the first of the lane's `codes`. Of codes 255 in a row every other one is
  // an escape, and what stands before them is none: the last lane below that has another code tells how many
  // they are. The lanes below have 8 codes each.
  __device__ bool starts_escaped(std::uint64_t codes) const {
    const std::uint32_t codes_255 = leading_zeros(~codes) / 8;
    const bool has_others = codes_255 != codes_of_lane;
    const std::uint32_t lanes_below = (1u << this_lane()) - 1;
    const std::uint32_t with_others = __ballot_sync(whole_warp, has_others ? 1 : 0) & lanes_below;
    const std::uint32_t odd = __ballot_sync(whole_warp, codes_255 % 2 != 0 ? 1 : 0);
    if (with_others == 0) return escape_is_open_ != 0;
    return (odd >> (63 - leading_zeros(with_others)) & 1) != 0;
  }

  __device__ std::uint32_t length_of(std::uint32_t code) const {
    return lengths_of_codes_[code / 4] >> (8 * (code % 4)) & 0xff;
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
  // The length of each code's symbol, a byte each; 0 where there is none.
  std::uint32_t* lengths_of_codes_;
  // Of the split that is decoded.
  const std::uint8_t* split_codes_ = nullptr;
  const std::uint8_t* step_codes_ = nullptr;
  std::uint32_t code_count_ = 0;
  std::uint32_t escape_is_open_ = 0;
};

}  // namespace
