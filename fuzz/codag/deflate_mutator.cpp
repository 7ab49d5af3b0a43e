#include "fuzz/codag/deflate_mutator.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "common/format/codag/deflate.hpp"
#include "reference_cpu/codag/inflate.hpp"

namespace gsst::fuzz {
namespace {

namespace codag_format = format::codag;

// NOLINTNEXTLINE(cppcoreguidelines-virtual-class-destructor): nobody owns it by a pointer to its base.
class DeflateMutator final : public PayloadMutator {
public:
  Block change(const Seeds& seeds, Random& random) const override {
    Block block = seeds.blocks[random.below(seeds.blocks.size())];
    std::vector<std::uint8_t>& stream = block.bytes;
    if (block.layout == format::BlockLayout::raw || stream.empty() || random.one_in(8)) {
      return PayloadMutator::change(seeds, random);
    }
    constexpr std::size_t bytes_of_codes = 90;
    const std::size_t bytes = random.one_in(2) ? std::min(stream.size(), bytes_of_codes) : stream.size();
    const std::uint32_t changes = 1 + random.below(2);
    for (std::uint32_t i = 0; i < changes; ++i) {
      stream[random.below(bytes)] ^= static_cast<std::uint8_t>(1U << random.below(8));
    }
    return block;
  }

  std::uint32_t repair_output_size(Block& block, std::uint32_t stated) const override {
    constexpr std::uint64_t most_bytes = std::uint64_t{1} << 20;
    const reference::codag::Inflated inflated = reference::codag::inflate_payload(block.bytes, most_bytes);
    const bool is_whole = inflated.status == codag_format::DeflateStatus::decoded && !inflated.bytes.empty();
    return is_whole ? static_cast<std::uint32_t>(inflated.bytes.size()) : stated;
  }

  bool is_problem(std::uint32_t word) const override {
    const auto status = static_cast<std::uint32_t>(codag_format::deflate_status_of(word));
    return status != 0 && status <= codag_format::last_deflate_status;
  }
};

constexpr DeflateMutator mutator_of_deflate;

}  // namespace

const PayloadMutator& deflate_mutator() {
  return mutator_of_deflate;
}

}  // namespace gsst::fuzz
