#include "experiments/peers/chunks.hpp"

namespace gsst::experiments {

std::vector<std::size_t> chunk_sizes(std::size_t total_bytes, std::size_t chunk_bytes) {
  std::vector<std::size_t> sizes((total_bytes + chunk_bytes - 1) / chunk_bytes, chunk_bytes);
  sizes.back() = total_bytes - (sizes.size() - 1) * chunk_bytes;
  return sizes;
}

Layout lay_out(std::span<const std::size_t> sizes, std::size_t alignment) {
  Layout layout{.offsets = {}, .total_bytes = 0};
  layout.offsets.reserve(sizes.size());
  for (const std::size_t size : sizes) {
    const std::size_t offset = (layout.total_bytes + alignment - 1) / alignment * alignment;
    layout.offsets.push_back(offset);
    layout.total_bytes = offset + size;
  }
  return layout;
}

}  // namespace gsst::experiments
