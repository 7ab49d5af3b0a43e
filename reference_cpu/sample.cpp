#include "reference_cpu/sample.hpp"

#include "reference_cpu/train.hpp"

namespace gsst::reference {

std::vector<std::span<const std::uint8_t>> draw_sample(std::span<const std::uint8_t> input, std::size_t bytes,
                                                       std::uint64_t seed) {
  if (input.empty()) return {};
  if (input.size() <= bytes) return {input};
  std::vector<std::span<const std::uint8_t>> chunks;
  const std::size_t chunk_count = bytes / sample_chunk_bytes;
  const std::size_t part_bytes = input.size() / chunk_count;
  for (std::size_t part = 0; part < chunk_count; ++part) {
    chunks.push_back(input.subspan(sample_chunk_begin(part, part_bytes, seed), sample_chunk_bytes));
  }
  return chunks;
}

}  // namespace gsst::reference
