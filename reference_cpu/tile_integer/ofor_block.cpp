#include "reference_cpu/tile_integer/ofor_block.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include "reference_cpu/tile_integer/packed_block.hpp"
#include "reference_cpu/tile_integer/packed_payload.hpp"

namespace gsst::reference::tile_integer {
namespace {

using namespace format::tile_integer;  // NOLINT(google-build-using-namespace): the format that is coded here

}  // namespace

std::vector<std::uint8_t> encode_ofor(std::span<const std::uint8_t> block, Type type) {
  const TypeShape& of_type = shape_of(type);
  return encode_units(
      block, type, packed_block_values,
      [&](std::vector<std::uint8_t>& payload, std::size_t /*number*/, std::span<const std::uint64_t> values) {
        const std::uint64_t reference = smallest_number(values, of_type.is_signed);
        std::array<std::uint64_t, packed_block_values> differences{};
        std::ranges::transform(values, differences.begin(),
                               [&](std::uint64_t value) { return value - reference; });
        const auto width = static_cast<std::uint32_t>(std::bit_width(*std::ranges::max_element(differences)));
        append_number(payload, reference, std::size_t{of_type.reference_words} * word_bytes);
        for (std::uint32_t i = 0; i < miniblocks_of_packed_block; ++i) append_number(payload, width, 1);
        for (std::size_t first = 0; first < packed_block_values; first += miniblock_values) {
          const std::span<const std::uint64_t> miniblock =
              std::span(differences).subspan(first, miniblock_values);
          for (const std::uint32_t word : words_of_miniblock(miniblock, width)) {
            append_number(payload, word, word_bytes);
          }
        }
      });
}

}  // namespace gsst::reference::tile_integer
