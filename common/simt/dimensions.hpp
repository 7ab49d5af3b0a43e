#pragma once

#include <string>

#include "common/simt/executor.hpp"

/// Arithmetic and text of what the executor's interface has, for the executor and what reports for it.
namespace gsst::simt {

inline constexpr unsigned warp_lanes = 32;

/// Number of threads of a block, or of blocks of a grid.
inline unsigned volume(const Dimensions& dimensions) {
  return dimensions.x * dimensions.y * dimensions.z;
}

/// Thread or block number `index` of `size`, counted along x first.
inline Dimensions unflatten(unsigned index, const Dimensions& size) {
  return {.x = index % size.x, .y = index / size.x % size.y, .z = index / (size.x * size.y)};
}

/// "(x, y, z)".
inline std::string to_text(const Dimensions& dimensions) {
  return "(" + std::to_string(dimensions.x) + ", " + std::to_string(dimensions.y) + ", " +
         std::to_string(dimensions.z) + ")";
}

/// "block (x, y, z) thread (x, y, z)".
inline std::string to_text(const ThreadIndices& indices) {
  return "block " + to_text(indices.block) + " thread " + to_text(indices.thread);
}

/// "FILE:LINE".
inline std::string to_text(const Place& place) {
  return std::string(place.file) + ":" + std::to_string(place.line);
}

}  // namespace gsst::simt
