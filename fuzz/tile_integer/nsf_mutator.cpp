#include "fuzz/tile_integer/nsf_mutator.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <vector>

#include "common/format/bytes.hpp"
#include "common/format/tile_integer/null_suppression.hpp"
#include "common/format/tile_integer/tile_integer.hpp"
#include "fuzz/byte_changes.hpp"
#include "fuzz/tile_integer/integer_seeds.hpp"

namespace gsst::fuzz {
namespace {

namespace suppression = format::tile_integer;
using suppression::NsfShape;

std::uint32_t some_byte_count(std::uint32_t most, Random& random) {
  return 1U << random.below(std::bit_width(most));
}

// Has the payload the sizes that `value_bytes` and `number_bytes`, powers of two, ask for.
void set_shape(std::vector<std::uint8_t>& payload, std::uint32_t value_bytes, std::uint32_t number_bytes,
               std::uint32_t uncompressed_bytes) {
  const NsfShape shape =
      suppression::nsf_shape(value_bytes, std::min(number_bytes, value_bytes), uncompressed_bytes);
  const std::size_t end = shape.rest_offset() + shape.rest_bytes;
  payload.resize(end);
  payload.resize(format::padded_payload_bytes(end, suppression::payload_alignment));
  std::fill_n(payload.begin(), suppression::nsf_header_bytes, std::uint8_t{0});
  payload[suppression::nsf_value_bytes_offset] = static_cast<std::uint8_t>(shape.value_bytes);
  payload[suppression::nsf_number_bytes_offset] = static_cast<std::uint8_t>(shape.number_bytes);
  format::store_little_endian<4>(&payload[suppression::nsf_value_count_offset], shape.values);
}

void break_header(std::vector<std::uint8_t>& payload, Random& random) {
  const Region header = {.begin = 0, .size = suppression::nsf_header_bytes};
  switch (random.below(4)) {
    case 0:
      payload.back() = random.byte();
      break;
    case 1:
      payload.resize(payload.size() + suppression::payload_alignment);
      break;
    default:
      change_byte(payload, header, random);
  }
}

// NOLINTNEXTLINE(cppcoreguidelines-virtual-class-destructor): nobody owns it by a pointer to its base.
class NsfMutator final : public PayloadMutator {
public:
  Seeds make_seeds(const reference::Codec& codec, std::size_t count, Random& random) const override {
    return make_integer_seeds(codec, count, random);
  }

  Block change(const Seeds& seeds, Random& random) const override {
    Block block = seeds.blocks[random.below(seeds.blocks.size())];
    if (block.layout == format::BlockLayout::raw) return PayloadMutator::change(seeds, random);
    std::vector<std::uint8_t>& payload = block.bytes;
    const std::uint32_t value_bytes = payload[suppression::nsf_value_bytes_offset];
    const std::uint32_t number_bytes = payload[suppression::nsf_number_bytes_offset];
    const auto bytes = static_cast<std::uint32_t>(seeds.header.block_size);
    switch (random.below(5)) {
      case 0:
        set_shape(payload, some_byte_count(suppression::largest_value_bytes, random), number_bytes, bytes);
        break;
      case 1:
      case 2:
        set_shape(payload, value_bytes, some_byte_count(value_bytes, random), bytes);
        break;
      case 3:
        break_header(payload, random);
        break;
      default: {
        const std::size_t begin = suppression::nsf_header_bytes;
        change_byte(payload, {.begin = begin, .size = payload.size() - begin}, random);
      }
    }
    return block;
  }

  std::uint32_t repair_fields(Block& block, const format::FrameHeader& /*header*/, std::uint32_t stated,
                              Random& random) const override {
    std::vector<std::uint8_t>& payload = block.bytes;
    // What a decoder may ask memory for follows the file's size.
    if (payload.size() < suppression::nsf_header_bytes || stated > 16 * payload.size()) return stated;
    if (random.one_in(32)) return stated;
    const auto in_range = [&](std::size_t place) {
      return std::bit_floor(std::clamp<std::uint32_t>(payload[place], 1, suppression::largest_value_bytes));
    };
    set_shape(payload, in_range(suppression::nsf_value_bytes_offset),
              in_range(suppression::nsf_number_bytes_offset), stated);
    return stated;
  }
};

constexpr NsfMutator mutator_of_nsf;

}  // namespace

const PayloadMutator& nsf_mutator() {
  return mutator_of_nsf;
}

}  // namespace gsst::fuzz
