#include "fuzz/zero_length/markers_mutator.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "common/format/zero_length/markers.hpp"
#include "fuzz/byte_changes.hpp"

namespace gsst::fuzz {
namespace {

namespace zle = format::zero_length;

// Where bytes after a marker are.
std::vector<std::size_t> seconds_of(const std::vector<std::uint8_t>& payload) {
  std::vector<std::size_t> seconds;
  for (std::size_t i = zle::markers_bytes; i + 1 < payload.size(); ++i) {
    if (payload[i] == payload[0]) seconds.push_back(++i);
  }
  return seconds;
}

// NOLINTNEXTLINE(cppcoreguidelines-virtual-class-destructor): nobody owns it by a pointer to its base.
class MarkersMutator final : public PayloadMutator {
public:
  Block change(const Seeds& seeds, Random& random) const override {
    Block block = seeds.blocks[random.below(seeds.blocks.size())];
    std::vector<std::uint8_t>& payload = block.bytes;
    if (block.layout == format::BlockLayout::raw || payload.size() <= zle::markers_bytes) {
      return PayloadMutator::change(seeds, random);
    }
    const std::vector<std::size_t> seconds = seconds_of(payload);
    const auto any_byte = [&]() -> std::uint8_t& {
      return payload[zle::markers_bytes + random.below(payload.size() - zle::markers_bytes)];
    };
    switch (random.below(7)) {
      case 0:
        payload[0] = random.byte();
        break;
      case 1:
        payload[1] = random.below(2) == 0 ? 0 : random.byte();
        break;
      case 2:
        payload.back() = payload[0];
        break;
      case 3:
        any_byte() = payload[1];
        break;
      case 4:
        if (!seconds.empty()) payload[seconds[random.below(seconds.size())]] = random.byte();
        break;
      case 5:
        // A marker, and the bytes after it that mean something with few markers only.
        any_byte() = payload[0];
        any_byte() = static_cast<std::uint8_t>(zle::longest_run - 1 + random.below(5));
        break;
      default:
        change_byte(payload, {.begin = 0, .size = payload.size()}, random);
    }
    return block;
  }

  // Counts what a reader counts that meets no rule: every element, wrong ones as if they were right.
  std::uint32_t repair_output_size(Block& block, std::uint32_t stated) const override {
    if (block.bytes.size() < zle::markers_bytes) return stated;
    const zle::Markers markers = {.marker = block.bytes[0], .four_zeros = block.bytes[1]};
    std::uint64_t bytes = 0;
    for (std::size_t i = zle::markers_bytes; i < block.bytes.size(); ++i) {
      if (block.bytes[i] == markers.marker && i + 1 < block.bytes.size()) {
        const std::uint8_t second = block.bytes[++i];
        bytes += second > zle::longest_run ? 1 : std::max<std::uint8_t>(second, 1);
      } else {
        bytes += block.bytes[i] == markers.four_zeros && markers.four_zeros != 0 ? zle::run_of_four_zeros : 1;
      }
    }
    return bytes > std::numeric_limits<std::uint32_t>::max() ? stated : static_cast<std::uint32_t>(bytes);
  }
};

constexpr MarkersMutator mutator_with_markers;

}  // namespace

const PayloadMutator& markers_mutator() {
  return mutator_with_markers;
}

}  // namespace gsst::fuzz
