#include "reference_cpu/tile_integer/dfor_block.hpp"

#include <array>

#include "common/format/tile_integer/for_rules.hpp"
#include "reference_cpu/tile_integer/packed_block.hpp"
#include "reference_cpu/tile_integer/packed_payload.hpp"

namespace gsst::reference::tile_integer {
namespace {

using namespace format::tile_integer;  // NOLINT(google-build-using-namespace): the format that is coded here

std::size_t bytes_of_base(const TypeShape& type, std::size_t packed_block) {
  return std::size_t{base_words(Packing::chains, type, packed_block)} * word_bytes;
}

// Appends the packed block of the differences between `values`, the first one's from `value_before`. A packed
// block that begins a chain has no value before it, and its base goes first.
void append_differences(std::vector<std::uint8_t>& payload, std::span<const std::uint64_t> values,
                        std::uint64_t value_before, bool begins_chain, const TypeShape& type) {
  std::array<std::uint64_t, packed_block_values> stored{};
  const std::span differences = std::span(stored).first(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    differences[i] = sign_extended(values[i] - (i == 0 ? value_before : values[i - 1]), type.max_width());
  }
  if (!begins_chain) {
    append_packed_block(payload, differences, smallest_number(differences, true), type);
    return;
  }
  const auto others = differences.subspan(1);
  const std::uint64_t reference = others.empty() ? 0 : smallest_number(others, true);
  // It costs no bits, since the base makes up for it.
  differences[0] = reference;
  append_number(payload, sign_extended(values[0] - reference, type.max_width()), bytes_of_base(type, 0));
  append_packed_block(payload, differences, reference, type);
}

}  // namespace

std::vector<std::uint8_t> encode_dfor(std::span<const std::uint8_t> block, Type type) {
  std::uint64_t value_before = 0;
  return encode_units(
      block, type, packed_block_values,
      [&](std::vector<std::uint8_t>& payload, std::size_t number, std::span<const std::uint64_t> values) {
        append_differences(payload, values, value_before, number % packed_blocks_of_chain == 0,
                           shape_of(type));
        value_before = values.back();
      });
}

std::vector<std::uint8_t> decode_dfor(std::span<const std::uint8_t> payload,
                                      std::uint32_t uncompressed_bytes) {
  const TypeShape& type = shape_of(static_cast<Type>(payload[type_offset]));
  std::uint64_t sum = 0;
  return decode_units(payload, uncompressed_bytes, packed_block_values,
                      [&](const std::uint8_t* bytes, std::size_t number, std::span<std::uint64_t> values) {
                        const std::size_t base = bytes_of_base(type, number);
                        if (base > 0) sum = load_number(bytes, base);
                        const auto differences = numbers_of_packed_block(bytes + base, type);
                        for (std::size_t i = 0; i < values.size(); ++i) {
                          sum += differences[i];
                          values[i] = sum;
                        }
                      });
}

}  // namespace gsst::reference::tile_integer
