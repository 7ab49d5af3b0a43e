#pragma once

#include <cstdint>

#include "common/format/index_entry.hpp"
#include "common/format/tiles_header.hpp"
#include "common/stage/frame_on_device.hpp"
#include "library/range_output.cuh"

namespace {

using gsst::format::length_class_count;
using gsst::format::TileShape;
using gsst::format::TilesHeader;
using gsst::stage::BlockOnDevice;
using gsst::stage::BlockStatus;
using gsst::stage::FrameOnDevice;

/// The strips of a block of format tiles that is not raw, each of which a warp decodes.
class Strips {
public:
  /// Words of shared memory that a warp needs.
  static constexpr std::uint32_t words_of_warp = length_class_count;

  /// All lanes of a warp call it together, with words of shared memory of their own.
  __device__ Strips(const FrameOnDevice& frame, const BlockOnDevice& block, std::uint32_t number,
                    std::uint32_t* words)
      : header_(block.payload),
        shape_(header_.shape()),
        strip_count_(header_.strip_count()),
        strip_codes_(header_.tiles_per_strip() * shape_.codes()),
        code_count_(header_.code_count()),
        first_stored_code_(header_.first_stored_code()),
        has_halves_(shape_.code_bits == 8 && header_.escape_free() == 0),
        stored_symbols_(TilesHeader(table_of(frame, block, number)).stored_symbols()),
        classes_(words) {
    const std::uint32_t lane = this_lane();
    const std::uint32_t length = lane < length_class_count ? header_.class_length(lane) : 0;
    const bool is_stored = lane * shape_.class_codes() >= first_stored_code_;
    const LaneSums<std::uint32_t> bytes(is_stored ? length * shape_.class_codes() : 0);
    // Other lanes may still read the classes of the block before.
    __syncwarp();
    if (lane < length_class_count) classes_[lane] = bytes.before << 4 | length;
    __syncwarp();
  }

  /// The block that holds the table of block `number`, which is not raw.
  __device__ static const std::uint8_t* table_of(const FrameOnDevice& frame, const BlockOnDevice& block,
                                                 std::uint32_t number) {
    const std::uint32_t id = TilesHeader(block.payload).dictionary_id();
    return id == 0 ? block.payload : frame.block(number - id, nullptr).payload;
  }

  /// Number of different codes of `table`, a block that holds its table.
  __device__ static std::uint32_t codes_of(const std::uint8_t* table) {
    return TilesHeader(table).shape().code_count();
  }

  __device__ std::uint32_t count() const { return strip_count_; }
  /// Where the output of strip `strip`, at most count(), starts in the block's output.
  __device__ std::uint32_t begin(std::uint32_t strip) const { return header_.strip_output(strip); }
  /// The strip that holds a byte of the block's output. All lanes call it together.
  __device__ std::uint32_t find(std::uint32_t byte) const {
    return find_last_at_most(byte, strip_count_, [&](std::uint32_t strip) { return begin(strip); });
  }

  /// Decodes strip `strip`. `symbols`: the block's symbols in shared memory, by code, or nullptr. Tiles of
  /// which nothing is wanted are added up: their symbols are not looked at.
  __device__ BlockStatus decode(std::uint32_t strip, const std::uint64_t* symbols, PartOutput& output) const {
    const std::uint64_t first_code = std::uint64_t{strip} * strip_codes_;
    const std::uint64_t codes_left = code_count_ - first_code;
    const auto codes = static_cast<std::uint32_t>(codes_left < strip_codes_ ? codes_left : strip_codes_);
    std::uint32_t half = 0;
    for (std::uint32_t first = 0; first < codes; first += shape_.codes()) {
      const std::uint8_t* const tile = header_.tile((first_code + first) / shape_.codes());
      const std::uint32_t tile_codes = codes - first < shape_.codes() ? codes - first : shape_.codes();
      if (!output.is_wanted()) {
        const std::uint32_t bytes = add_lengths(tile, tile_codes);
        if (bytes > output.left()) return BlockStatus::output_too_long;
        if (output.skip(bytes)) continue;
      }
      if (!decode_tile(tile, tile_codes, symbols, half, output)) return BlockStatus::output_too_long;
    }
    return output.left() == 0 ? BlockStatus::decoded : BlockStatus::output_too_short;
  }

  /// The symbol of `code`, less than codes_of().
  __device__ std::uint64_t symbol(std::uint32_t code) const {
    if (code < first_stored_code_) return shape_.code_bits != 8 ? code : code & 0xf;
    const std::uint32_t length_class = class_of(code);
    const std::uint32_t place = (length_class >> 4) + code % shape_.class_codes() * (length_class & 0xf);
    return load_symbol(stored_symbols_ + place, length_class & 0xf);
  }

private:
  // Where the symbols of the code's class start behind stored_symbols_, times 16, plus their length.
  __device__ std::uint32_t class_of(std::uint32_t code) const {
    return classes_[code >> (shape_.code_bits - 4)];
  }

  // Bytes that the first `codes` codes of `tile` decode to.
  __device__ std::uint32_t add_lengths(const std::uint8_t* tile, std::uint32_t codes) const {
    std::uint32_t bytes = 0;
#pragma unroll 4
    for (std::uint32_t i = this_lane(); i < codes; i += warp_lanes) {
      bytes += class_of(tile_code(tile, shape_, i)) & 0xf;
    }
    return LaneSums<std::uint32_t>(bytes).total;
  }

  // `half` is what the first byte of the next symbol is joined with. Returns false if the codes give more
  // bytes than are left.
  __device__ bool decode_tile(const std::uint8_t* tile, std::uint32_t codes, const std::uint64_t* symbols,
                              std::uint32_t& half, PartOutput& output) const {
    for (std::uint32_t first = 0; first < codes; first += warp_lanes) {
      const bool exists = this_lane() < codes - first;
      const std::uint32_t code = exists ? tile_code(tile, shape_, first + this_lane()) : 0;
      const std::uint32_t length = exists ? class_of(code) & 0xf : 0;
      const std::uint32_t joined = has_halves_ ? join_halves(code, length, half) : 0;
      const auto symbol_of_code = [&] {
        return joined | (symbols != nullptr ? symbols[code] : symbol(code));
      };
      if (!output.append(length, symbol_of_code)) return false;
    }
    return true;
  }

  // What the lane's symbol is joined with: the codes of length 0 that stand before it, and `half`, if they
  // reach back to lane 0. The next 32 codes get theirs in `half`.
  __device__ static std::uint32_t join_halves(std::uint32_t code, std::uint32_t length, std::uint32_t& half) {
    bool is_open = length == 0;
    std::uint32_t joined = is_open && code < 16 ? code << 4 : 0;
    if (is_open && this_lane() == 0) joined |= half;
    for (std::uint32_t distance = 1; distance < warp_lanes; distance *= 2) {
      const std::uint32_t lower = __shfl_up_sync(whole_warp, joined, distance);
      const std::uint32_t lower_is_open = __shfl_up_sync(whole_warp, is_open ? 1u : 0u, distance);
      if (this_lane() >= distance && is_open) {
        joined |= lower;
        is_open = lower_is_open != 0;
      }
    }
    const std::uint32_t before = __shfl_up_sync(whole_warp, joined, 1);
    const std::uint32_t first = half;
    half = __shfl_sync(whole_warp, joined, static_cast<int>(warp_lanes - 1));
    return this_lane() == 0 ? first : before;
  }

  TilesHeader header_;
  TileShape shape_;
  std::uint32_t strip_count_;
  std::uint32_t strip_codes_;
  std::uint32_t code_count_;
  std::uint32_t first_stored_code_;
  bool has_halves_;
  const std::uint8_t* stored_symbols_;
  std::uint32_t* classes_;
};

}  // namespace
