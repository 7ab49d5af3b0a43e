#pragma once

#include <cstdint>

#include "common/format/gsst/tiles_header.hpp"
#include "common/frame/index_entry.hpp"
#include "common/stage/frame_on_device.hpp"
#include "stages/gsst/11_random_access/output.cuh"
#include "stages/gsst/11_random_access/reader.cuh"

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
        tiles_per_strip_(header_.tiles_per_strip()),
        strip_codes_(tiles_per_strip_ * shape_.codes()),
        tile_bytes_(shape_.bytes()),
        uncompressed_bytes_(block.uncompressed_bytes),
        tiles_(header_.tile(0)),
        strip_outputs_(header_.strip_outputs()),
        block_codes_(header_.code_count()),
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
#pragma unroll
    for (std::uint32_t word = 0; word < length_class_count / 4; ++word) {
      class_lengths_[word] = 0;
      for (std::uint32_t i = 0; i < 4; ++i) class_lengths_[word] |= (classes_[4 * word + i] & 0xf) << (8 * i);
    }
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

  __device__ std::uint32_t count() const {
    return strip_count_;
  }
  /// Where the output of strip `strip`, at most count(), starts in the block's output.
  __device__ std::uint32_t begin(std::uint32_t strip) const {
    // Each call of TilesHeader::strip_output() would find the offsets and their number anew.
    return strip < strip_count_ ? load_4_bytes(strip_outputs_ + std::uint64_t{strip} * 4)
                                : uncompressed_bytes_;
  }
  /// The strip that holds a byte of the block's output. All lanes call it together.
  __device__ std::uint32_t find(std::uint32_t byte) const {
    return find_last_at_most(byte, strip_count_, [&](std::uint32_t strip) { return begin(strip); });
  }

  /// What follows is about strip `strip`. Returns the number of its codes.
  __device__ std::uint32_t open(std::uint32_t strip) {
    const std::uint64_t first_code = std::uint64_t{strip} * strip_codes_;
    const std::uint64_t left = block_codes_ - first_code;
    strip_tiles_ = tiles_ + std::uint64_t{strip} * tiles_per_strip_ * tile_bytes_;
    code_count_ = static_cast<std::uint32_t>(left < strip_codes_ ? left : strip_codes_);
    return code_count_;
  }

  /// What names the classes of the lane's codes of the step that starts at code `first` of the strip: 8 bits
  /// each, or the 4 bits alone where the codes have 12. Low bits that stand elsewhere are not read.
  __device__ std::uint64_t load(std::uint32_t first) const {
    const std::uint32_t own = this_lane() * codes_of_lane;
    if (first + own >= code_count_) return 0;
    const std::uint8_t* const tile = tile_of(first);
    const std::uint32_t index = first % shape_.codes() + own;
    if (shape_.code_bits == 12) return load_4_bytes(tile + shape_.codes() + index / 2);
    return load_8_bytes(tile + index);
  }

  /// The lengths of these codes, of which the lane has `count`. From here on the step is the one of symbol()
  /// and join(). A tile has whole steps.
  __device__ LaneCodes lane_codes(std::uint64_t stored, std::uint32_t first, std::uint32_t count) {
    step_tile_ = tile_of(first);
    step_index_ = first % shape_.codes();
    const std::uint32_t classes =
        shape_.code_bits == 12 ? static_cast<std::uint32_t>(stored) : high_nibbles(stored);
    const std::uint64_t lengths =
        std::uint64_t{lengths_of_classes(classes >> 16)} << 32 | lengths_of_classes(classes & 0xffff);
    const std::uint64_t existing = count == 0 ? 0 : ~std::uint64_t{0} >> (64 - 8 * count);
    return {.lengths = lengths & existing, .escaped = 0, .is_wrong = false};
  }

  /// A strip can end behind any code.
  __device__ static bool ends_rightly() {
    return true;
  }

  /// What code `index` of the step puts out. `symbols`: the block's symbols by code, or nullptr.
  __device__ std::uint64_t symbol(std::uint32_t index, bool /*is_escaped*/,
                                  const std::uint64_t* symbols) const {
    const std::uint32_t code = code_at(index);
    return symbols != nullptr ? symbols[code] : symbol(code);
  }

  /// Whether codes can be halves of bytes.
  __device__ bool has_halves() const {
    return has_halves_;
  }

  /// What the symbol of the lane's code `index` is joined with: the codes of length 0 that stand before it in
  /// the lanes below, and `half`, if they reach back to lane 0. The next 32 codes get theirs in `half`.
  __device__ std::uint32_t join(std::uint32_t index, bool exists, std::uint32_t length,
                                std::uint32_t& half) const {
    bool is_open = length == 0;
    const std::uint32_t code = exists && is_open ? code_at(index) : 0;
    std::uint32_t joined = code < 16 ? code << 4 : 0;
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

  /// The symbol of `code`, less than codes_of().
  __device__ std::uint64_t symbol(std::uint32_t code) const {
    if (code < first_stored_code_) return shape_.code_bits != 8 ? code : code & 0xf;
    const std::uint32_t length_class = class_of(code);
    const std::uint32_t place = (length_class >> 4) + code % shape_.class_codes() * (length_class & 0xf);
    return load_symbol(stored_symbols_ + place, length_class & 0xf);
  }

private:
  __device__ std::uint32_t class_of(std::uint32_t code) const {
    return classes_[code >> (shape_.code_bits - 4)];
  }

  // The tile that holds code `index` of the strip.
  __device__ const std::uint8_t* tile_of(std::uint32_t index) const {
    return strip_tiles_ + std::uint64_t{index / shape_.codes()} * tile_bytes_;
  }

  // Code `index` of the step.
  __device__ std::uint32_t code_at(std::uint32_t index) const {
    return tile_code(step_tile_, shape_, step_index_ + index);
  }

  // The highest four bits of each byte, side by side.
  __device__ static std::uint32_t high_nibbles(std::uint64_t bytes) {
    bytes = bytes >> 4 & 0x0f0f0f0f0f0f0f0f;
    bytes = (bytes | bytes >> 4) & 0x00ff00ff00ff00ff;
    bytes = (bytes | bytes >> 8) & 0x0000ffff0000ffff;
    return static_cast<std::uint32_t>(bytes | bytes >> 16);
  }

  // The lengths of the classes that four nibbles name, in bytes.
  __device__ std::uint32_t lengths_of_classes(std::uint32_t classes) const {
    return pick_lengths(class_lengths_[0], class_lengths_[1], classes) |
           pick_lengths(class_lengths_[2], class_lengths_[3], classes ^ 0x8888);
  }

  // Of the 8 lengths in `low` and `high`, a byte each, those that the four nibbles of `classes` name; 0 for
  // 8 and above.
  __device__ static std::uint32_t pick_lengths(std::uint32_t low, std::uint32_t high, std::uint32_t classes) {
#if defined(__CUDACC__)
    // The highest bit of a nibble asks for eight times the sign of the byte, which is 0 in a length. The
    // function __byte_perm() would ignore that bit.
    std::uint32_t lengths;
    asm("prmt.b32 %0, %1, %2, %3;" : "=r"(lengths) : "r"(low), "r"(high), "r"(classes));
    return lengths;
#else
    std::uint32_t mask = 0;
    for (std::uint32_t i = 0; i < 4; ++i) {
      if ((classes >> (4 * i + 3) & 1) == 0) mask |= 0xffu << (8 * i);
    }
    return __byte_perm(low, high, classes) & mask;
#endif
  }

  TilesHeader header_;
  TileShape shape_;
  std::uint32_t strip_count_;
  std::uint32_t tiles_per_strip_;
  std::uint32_t strip_codes_;
  std::uint32_t tile_bytes_;
  std::uint32_t uncompressed_bytes_;
  const std::uint8_t* tiles_;
  const std::uint8_t* strip_outputs_;
  std::uint32_t block_codes_;
  std::uint32_t first_stored_code_;
  bool has_halves_;
  const std::uint8_t* stored_symbols_;
  // For each class, where its symbols start behind stored_symbols_, times 16, plus their length.
  std::uint32_t* classes_;
  // The lengths of the classes, a byte each.
  std::uint32_t class_lengths_[length_class_count / 4];
  // Of the strip that is decoded.
  const std::uint8_t* strip_tiles_ = nullptr;
  std::uint32_t code_count_ = 0;
  // The step's tile, and where the step starts in it, in codes.
  const std::uint8_t* step_tile_ = nullptr;
  std::uint32_t step_index_ = 0;
};

}  // namespace
