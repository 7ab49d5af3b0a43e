#include "fuzz/codag/orc_runs_mutator.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>

#include "common/format/codag/codag.hpp"
#include "common/format/codag/status.hpp"
#include "fuzz/byte_changes.hpp"
#include "fuzz/codag/runs_of_payload.hpp"
#include "fuzz/tile_integer/integer_seeds.hpp"

namespace gsst::fuzz {
namespace {

namespace rle = format::codag;
using RunBytes = std::vector<std::uint8_t>;

std::ptrdiff_t offset(std::size_t place) {
  return static_cast<std::ptrdiff_t>(place);
}

// NOLINTNEXTLINE(cppcoreguidelines-virtual-class-destructor): nobody owns it by a pointer to its base.
class OrcRunsMutator final : public PayloadMutator {
public:
  constexpr explicit OrcRunsMutator(format::BlockFormat format) : format_(format) {}

  Seeds make_seeds(const reference::Codec& codec, std::size_t count, Random& random) const override {
    return make_integer_seeds(codec, count, random);
  }

  Block change(const Seeds& seeds, Random& random) const override {
    Block block = any(seeds, random);
    const std::uint32_t value_bytes = value_bytes_of(format_, block.bytes);
    if (block.layout == format::BlockLayout::raw || value_bytes == 0 || random.one_in(8)) {
      return PayloadMutator::change(seeds, random);
    }
    const auto rest = static_cast<std::size_t>(seeds.header.block_size % value_bytes);
    const std::vector<RunOfPayload> runs = runs_of_payload(format_, block.bytes, rest);
    if (runs.empty()) return block;
    const RunOfPayload run = runs[random.below(runs.size())];
    RunBytes& bytes = block.bytes;
    const auto begin = bytes.begin() + offset(run.begin);
    const auto end = bytes.begin() + offset(run.end);
    switch (random.below(7)) {
      case 0:
        // What says the kind, the number of values and widths.
        bytes[run.begin] = random.one_in(2)
                               ? random.byte()
                               : static_cast<std::uint8_t>(bytes[run.begin] ^ (1U << random.below(8)));
        break;
      case 1:
        change_byte(bytes, {.begin = run.begin, .size = std::min<std::size_t>(run.end - run.begin, 4)},
                    random);
        break;
      case 2:
        bytes.erase(begin, end);
        break;
      case 3: {
        const RunBytes copied(begin, end);
        bytes.insert(begin, copied.begin(), copied.end());
        break;
      }
      case 4:
        insert_from_another(bytes, run.begin, any(seeds, random), random);
        break;
      case 5:
        // The run is cut, or a varint of it grows.
        if (random.one_in(2)) {
          bytes.erase(end - 1);
        } else {
          bytes.insert(end - 1, 1 + random.below(10), 0x80);
        }
        break;
      default:
        change_byte(bytes, {.begin = run.begin, .size = run.end - run.begin}, random);
    }
    return block;
  }

  std::uint32_t repair_output_size(Block& block, std::uint32_t stated) const override {
    const std::uint32_t value_bytes = value_bytes_of(format_, block.bytes);
    if (value_bytes == 0) return stated;
    const std::uint32_t rest = stated % value_bytes;
    std::uint64_t bytes = rest;
    for (const RunOfPayload& run : runs_of_payload(format_, block.bytes, rest)) {
      bytes += std::uint64_t{run.values} * value_bytes;
    }
    const bool is_possible = bytes != 0 && bytes <= std::numeric_limits<std::uint32_t>::max();
    return is_possible ? static_cast<std::uint32_t>(bytes) : stated;
  }

  bool is_problem(std::uint32_t word) const override {
    const rle::Problem problem = rle::problem_of(word);
    return problem > rle::Problem::none && problem <= rle::Problem::bytes_left;
  }

private:
  static const Block& any(const Seeds& seeds, Random& random) {
    return seeds.blocks[random.below(seeds.blocks.size())];
  }

  // A run of another payload, which may have another type.
  void insert_from_another(RunBytes& bytes, std::size_t place, const Block& other, Random& random) const {
    if (other.layout == format::BlockLayout::raw) return;
    const std::vector<RunOfPayload> runs = runs_of_payload(format_, other.bytes, 0);
    if (runs.empty()) return;
    const RunOfPayload run = runs[random.below(runs.size())];
    bytes.insert(bytes.begin() + offset(place), other.bytes.begin() + offset(run.begin),
                 other.bytes.begin() + offset(run.end));
  }

  format::BlockFormat format_;
};

constexpr OrcRunsMutator byte_rle_mutator(rle::byte_rle_format);
constexpr OrcRunsMutator v1_mutator(rle::orc_rle_v1_format);
constexpr OrcRunsMutator v2_mutator(rle::orc_rle_v2_format);

}  // namespace

const PayloadMutator& orc_runs_mutator(format::BlockFormat format) {
  if (format == rle::byte_rle_format) return byte_rle_mutator;
  if (format == rle::orc_rle_v1_format) return v1_mutator;
  return v2_mutator;
}

}  // namespace gsst::fuzz
