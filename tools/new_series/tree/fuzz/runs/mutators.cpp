#include <array>
#include <cstdint>
#include <limits>

#include "common/format/runs/runs.hpp"
#include "fuzz/byte_changes.hpp"
#include "fuzz/payload_mutator.hpp"

/// The mutator of series runs: changes that stay near to payloads that decode.
namespace gsst::fuzz {
namespace {

// The count of a run that is chosen at random.
std::uint8_t& any_count(std::vector<std::uint8_t>& payload, Random& random) {
  return payload[std::size_t{format::run_bytes} * random.below(payload.size() / format::run_bytes)];
}

// What one run loses another gets, so that the block keeps its size.
void move_bytes(std::vector<std::uint8_t>& payload, Random& random) {
  std::uint8_t& from = any_count(payload, random);
  std::uint8_t& to = any_count(payload, random);
  if (from == 0 || to == format::longest_run) return;
  --from;
  ++to;
}

// NOLINTNEXTLINE(cppcoreguidelines-virtual-class-destructor): nobody owns it by a pointer to its base.
class RunsMutator final : public PayloadMutator {
public:
  Block change(const Seeds& seeds, Random& random) const override {
    Block block = seeds.blocks[random.below(seeds.blocks.size())];
    if (block.layout == format::BlockLayout::raw || block.bytes.size() < format::run_bytes) {
      return PayloadMutator::change(seeds, random);
    }
    switch (random.below(4)) {
      case 0:
        move_bytes(block.bytes, random);
        break;
      case 1:
        any_count(block.bytes, random) = random.byte();
        break;
      case 2:
        block.bytes.resize(block.bytes.size() - format::run_bytes);
        break;
      default:
        change_byte(block.bytes, {.begin = 0, .size = block.bytes.size()}, random);
        break;
    }
    return block;
  }

  std::uint32_t repair_output_size(Block& block, std::uint32_t stated) const override {
    std::uint64_t bytes = 0;
    for (std::size_t i = 0; i < block.bytes.size(); i += format::run_bytes) bytes += block.bytes[i];
    return bytes > std::numeric_limits<std::uint32_t>::max() ? stated : static_cast<std::uint32_t>(bytes);
  }
};

constexpr RunsMutator runs_mutator;
constexpr std::array<FormatMutator, 1> runs_mutators = {
    {{.format = format::runs_format, .mutator = &runs_mutator}}};

}  // namespace

std::span<const FormatMutator> mutators_of_runs() {
  return runs_mutators;
}

}  // namespace gsst::fuzz
