#pragma once

#include <cstdint>

#include "common/format/gsst/symbol_table.hpp"
#include "stages/gsst/11_random_access/items.cuh"

namespace {

/// Writes what the item's range wants of a symbol: `length` bytes, 0 to 8, that stand from byte `begin` on in
/// the output of the item's block.
__device__ inline void write_wanted(const RangeItem& item, std::uint32_t begin, std::uint32_t length,
                                    std::uint64_t symbol) {
  const std::uint32_t end = begin + length;
  const std::uint32_t first = begin > item.wanted_begin ? begin : item.wanted_begin;
  const std::uint32_t last = end < item.wanted_end ? end : item.wanted_end;
  const std::uint64_t bytes = symbol >> (8 * (first - begin));
  std::uint8_t* const to = item.output + (first - item.wanted_begin);
#pragma unroll
  for (std::uint32_t byte = 0; byte < gsst::format::max_symbol_length; ++byte) {
    if (first + byte < last) to[byte] = static_cast<std::uint8_t>(bytes >> (8 * byte));
  }
}

/// The 4 bytes at `address`, as load_8_bytes() reads 8.
__device__ inline std::uint32_t load_4_bytes(const std::uint8_t* address) {
  const auto misalignment = static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(address) % 4);
  const auto* const words = reinterpret_cast<const std::uint32_t*>(address - misalignment);
  return misalignment == 0 ? words[0] : __funnelshift_r(words[0], words[1], 8 * misalignment);
}

/// The 8 bytes at `address`, whatever its alignment: first byte in the lowest 8 bits. Up to 3 bytes before
/// them and 3 behind are read as well, which the frame has: a block's header stands before its codes and
/// symbols, and the frame's index behind them.
__device__ inline std::uint64_t load_8_bytes(const std::uint8_t* address) {
  const auto misalignment = static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(address) % 4);
  const auto* const words = reinterpret_cast<const std::uint32_t*>(address - misalignment);
  if (misalignment == 0) return std::uint64_t{words[1]} << 32 | words[0];
  const std::uint32_t low = __funnelshift_r(words[0], words[1], 8 * misalignment);
  const std::uint32_t high = __funnelshift_r(words[1], words[2], 8 * misalignment);
  return std::uint64_t{high} << 32 | low;
}

/// The `length` bytes at `address`, at most 8: first byte in the lowest 8 bits. Reads what load_8_bytes()
/// reads.
__device__ inline std::uint64_t load_symbol(const std::uint8_t* address, std::uint32_t length) {
  if (length == 0) return 0;
  return load_8_bytes(address) & ~std::uint64_t{0} >> (64 - 8 * length);
}

}  // namespace
