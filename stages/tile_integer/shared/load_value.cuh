#pragma once

#include <cstdint>

#include "common/stage/launch.hpp"

// Numbers in global memory.
namespace gsst::tile_integer {
namespace {

// The number of `bytes` bytes, 1, 2, 4 or 8, at any address: what store_value() has stored.
__device__ inline std::uint64_t load_value(const std::uint8_t* input, std::uint32_t bytes) {
  if (reinterpret_cast<std::uintptr_t>(input) % bytes == 0) {
    if (bytes == 4) return *reinterpret_cast<const std::uint32_t*>(input);
    if (bytes == 8) return *reinterpret_cast<const std::uint64_t*>(input);
  }
  std::uint64_t value = 0;
  for (std::uint32_t byte = 0; byte < bytes; ++byte) value |= std::uint64_t{input[byte]} << 8 * byte;
  return value;
}

}  // namespace
}  // namespace gsst::tile_integer
