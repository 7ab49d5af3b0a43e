#pragma once

#include <cstdint>

#include "common/format/symbol_table.hpp"
#include "library/range_items.cuh"
#include "library/range_warp.cuh"

namespace {

/// The output of a split or strip, which a warp decodes 32 codes at a time: all of it is counted, and what an
/// item's range wants of it is written. All lanes call its functions together, with the same arguments but
/// those of append().
class PartOutput {
public:
  /// The part's output is the bytes from `begin` to `end` of its block's.
  __device__ PartOutput(const RangeItem& item, std::uint32_t begin, std::uint32_t end)
      : item_(item), position_(begin), end_(end) {}

  /// Bytes that are missing.
  __device__ std::uint32_t left() const { return end_ - position_; }

  /// Whether the next byte is wanted.
  __device__ bool is_wanted() const {
    return position_ >= item_.wanted_begin && position_ < item_.wanted_end;
  }

  /// Leaves out `bytes` bytes, at most left(), if none of them is wanted nor the one behind them, and says
  /// whether it did: that byte may depend on codes before it.
  __device__ bool skip(std::uint32_t bytes) {
    if (position_ < item_.wanted_end && position_ + bytes >= item_.wanted_begin) return false;
    position_ += bytes;
    return true;
  }

  /// Adds the symbols of the lanes' codes, `length` bytes each, 0 to 8. Calls `symbol` where some are wanted.
  /// Returns false, and writes nothing, if they are more than are left.
  template <typename Symbol>
  __device__ bool append(std::uint32_t length, const Symbol& symbol) {
    const LaneSums<std::uint32_t> lengths(length);
    if (lengths.total > left()) return false;
    const std::uint32_t begin = position_ + lengths.before;
    const std::uint32_t end = begin + length;
    const std::uint32_t first = begin > item_.wanted_begin ? begin : item_.wanted_begin;
    const std::uint32_t last = end < item_.wanted_end ? end : item_.wanted_end;
    if (first < last) write(symbol() >> (8 * (first - begin)), first, last - first);
    position_ += lengths.total;
    return true;
  }

private:
  __device__ void write(std::uint64_t bytes, std::uint32_t first, std::uint32_t count) {
    std::uint8_t* const to = item_.output + (first - item_.wanted_begin);
#pragma unroll
    for (std::uint32_t byte = 0; byte < gsst::format::max_symbol_length; ++byte) {
      if (byte < count) to[byte] = static_cast<std::uint8_t>(bytes >> (8 * byte));
    }
  }

  const RangeItem& item_;
  std::uint32_t position_;
  std::uint32_t end_;
};

/// The `length` bytes at `address`, at most 8: first byte in the lowest 8 bits.
__device__ inline std::uint64_t load_symbol(const std::uint8_t* address, std::uint32_t length) {
  std::uint64_t symbol = 0;
#pragma unroll
  for (std::uint32_t byte = 0; byte < gsst::format::max_symbol_length; ++byte) {
    if (byte < length) symbol |= std::uint64_t{address[byte]} << (8 * byte);
  }
  return symbol;
}

}  // namespace
