#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace gsst::experiments {

/// Sizes of the chunks that `total_bytes` bytes, at least 1, are cut into: all `chunk_bytes` but the last.
std::vector<std::size_t> chunk_sizes(std::size_t total_bytes, std::size_t chunk_bytes);

/// Where each of several parts begins when they lie behind each other, each at a multiple of `alignment`.
struct Layout {
  std::vector<std::size_t> offsets;
  /// From the first byte to the end of the last part.
  std::size_t total_bytes;
};

/// Lays out parts of these sizes. `alignment` is at least 1.
Layout lay_out(std::span<const std::size_t> sizes, std::size_t alignment);

}  // namespace gsst::experiments
