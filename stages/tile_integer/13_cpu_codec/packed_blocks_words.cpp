#include "stages/tile_integer/13_cpu_codec/packed_blocks.hpp"
#include "stages/tile_integer/shared/cpu_words.hpp"

namespace gsst::tile_integer::cpu {
namespace {

template <typename Number, typename Stored>
void decode_packed_block_words(const std::uint8_t* from, std::uint8_t* to) {
  const auto reference = load_at<Number>(from);
  const std::uint8_t* const widths = from + sizeof(Number);
  const std::uint8_t* miniblock = widths + bytes_of_word;
  for (std::size_t number = 0; number < miniblocks_of_block; ++number) {
    if constexpr (sizeof(Stored) == sizeof(Number)) {
      unpack_miniblock<Number>[widths[number]](miniblock, reference, to);
    } else {
      Number values[values_of_miniblock];
      unpack_miniblock<Number>[widths[number]](miniblock, reference, reinterpret_cast<std::uint8_t*>(values));
      store_lowest<Stored>(values, values_of_miniblock, to);
    }
    miniblock += widths[number] * bytes_of_word;
    to += values_of_miniblock * sizeof(Stored);
  }
}

}  // namespace

void decode_packed_blocks_words(const CheckedBlock& block) {
  with_types(block, []<typename Number, typename Stored>(const CheckedBlock& typed) {
    decode_units<values_of_block, most_words_of_block<Number>, 0, sizeof(Stored)>(
        typed, [](const std::uint8_t* from, std::size_t /*number*/, std::uint8_t* to) {
          decode_packed_block_words<Number, Stored>(from, to);
        });
  });
}

}  // namespace gsst::tile_integer::cpu
