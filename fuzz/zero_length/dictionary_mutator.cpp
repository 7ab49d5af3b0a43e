#include "fuzz/zero_length/dictionary_mutator.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "common/format/bytes.hpp"
#include "common/format/zero_length/dictionary.hpp"
#include "common/frame/frame.hpp"
#include "fuzz/byte_changes.hpp"
#include "reference_cpu/codec.hpp"

namespace gsst::fuzz {
namespace {

namespace zle = format::zero_length;

// Where the indexes begin, as far as the payload goes.
std::size_t indexes_place(const std::vector<std::uint8_t>& payload) {
  const auto values =
      static_cast<std::uint32_t>(format::load_little_endian<zle::dictionary_count_bytes>(payload.data()));
  return std::min<std::size_t>(zle::dictionary_header_bytes + zle::float_bytes * values, payload.size());
}

// Floats of few values, so that nearly all blocks have a dictionary.
std::vector<std::uint8_t> floats_of_few_values(std::size_t bytes, Random& random) {
  const std::uint32_t values = 1 + random.below(40);
  const std::uint64_t first = random.number();
  std::vector<std::uint8_t> input(bytes + zle::float_bytes);
  for (std::size_t i = 0; i < bytes; i += zle::float_bytes) {
    format::store_little_endian<zle::float_bytes>(&input[i], first * (1 + random.below(values)));
  }
  input.resize(bytes);
  return input;
}

// NOLINTNEXTLINE(cppcoreguidelines-virtual-class-destructor): nobody owns it by a pointer to its base.
class DictionaryMutator final : public PayloadMutator {
public:
  Seeds make_seeds(const reference::Codec& codec, std::size_t count, Random& random) const override {
    const std::uint64_t block_bytes = 100 + random.below(3000);
    const std::vector<std::uint8_t> frame = reference::encode_file(
        codec, floats_of_few_values(count * block_bytes, random), {.block_bytes = block_bytes, .threads = 1});
    const format::FrameView view = format::parse_frame(frame);
    Seeds seeds = {.header = view.header, .blocks = {}};
    for (std::size_t block = 0; block < view.index.entries.size(); ++block) {
      const auto payload = view.payload(block);
      seeds.blocks.push_back(
          {.layout = view.index.entries[block].record.layout, .bytes = {payload.begin(), payload.end()}});
    }
    return seeds;
  }

  Block change(const Seeds& seeds, Random& random) const override {
    Block block = seeds.blocks[random.below(seeds.blocks.size())];
    std::vector<std::uint8_t>& payload = block.bytes;
    if (block.layout == format::BlockLayout::raw || payload.size() <= zle::dictionary_header_bytes) {
      return PayloadMutator::change(seeds, random);
    }
    const std::size_t indexes = indexes_place(payload);
    switch (random.below(8)) {
      case 0:
        change_byte(payload, {.begin = 0, .size = zle::dictionary_header_bytes}, random);
        break;
      case 1:
        change_byte(payload, {.begin = 0, .size = payload.size()}, random);
        break;
      case 2:
        // Most changes of a value leave it between its neighbours.
        change_byte(payload,
                    {.begin = zle::dictionary_header_bytes, .size = indexes - zle::dictionary_header_bytes},
                    random);
        break;
      default:
        // An index names another value, or one past the last.
        if (indexes == payload.size()) return PayloadMutator::change(seeds, random);
        change_byte(payload, {.begin = indexes, .size = payload.size() - indexes}, random);
    }
    return block;
  }
};

constexpr DictionaryMutator mutator_with_dictionary;

}  // namespace

const PayloadMutator& dictionary_mutator() {
  return mutator_with_dictionary;
}

}  // namespace gsst::fuzz
