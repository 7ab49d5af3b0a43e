#include "reference_cpu/sample.hpp"

#include "reference_cpu/train.hpp"

namespace gsst::reference {
namespace {

// The splitmix64 generator: four lines with the same result on every machine, which the distributions of
// <random> do not promise.
class PositionGenerator {
public:
  explicit PositionGenerator(std::uint64_t seed) : state_(seed) {}

  std::uint64_t below(std::uint64_t limit) {
    state_ += 0x9e3779b97f4a7c15;
    std::uint64_t mixed = state_;
    mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9;
    mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111eb;
    return (mixed ^ (mixed >> 31)) % limit;
  }

private:
  std::uint64_t state_;
};

}  // namespace

std::vector<std::span<const std::uint8_t>> draw_sample(std::span<const std::uint8_t> input, std::size_t bytes,
                                                       std::uint64_t seed) {
  if (input.empty()) return {};
  if (input.size() <= bytes) return {input};
  std::vector<std::span<const std::uint8_t>> chunks;
  PositionGenerator positions(seed);
  const std::size_t chunk_count = bytes / sample_chunk_bytes;
  const std::size_t part_bytes = input.size() / chunk_count;
  for (std::size_t part = 0; part < chunk_count; ++part) {
    const std::size_t offset = positions.below(part_bytes - sample_chunk_bytes + 1);
    chunks.push_back(input.subspan(part * part_bytes + offset, sample_chunk_bytes));
  }
  return chunks;
}

}  // namespace gsst::reference
