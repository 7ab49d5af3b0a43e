#include "stages/tile_integer/13_cpu_codec/packed_blocks.hpp"
#include "stages/tile_integer/shared/cpu_avx512.hpp"
#include "stages/tile_integer/shared/cpu_words.hpp"

namespace gsst::tile_integer::cpu {
namespace {

template <typename Number, typename Stored>
[[gnu::always_inline]] inline void decode_packed_block_avx512(const std::uint8_t* from, std::uint8_t* to) {
  const __m512i reference = Vector<Number>::all(load_at<Number>(from));
  const std::uint8_t* const widths = from + sizeof(Number);
  const std::uint8_t* miniblock = widths + bytes_of_word;
  for (std::size_t number = 0; number < miniblocks_of_block; ++number) {
    for_each_vector<Number>(miniblock, widths[number], [&](std::size_t step, __m512i bits) {
      store_numbers<sizeof(Stored), Number>(to + step * numbers_of_vector<Number> * sizeof(Stored),
                                            Vector<Number>::sum(bits, reference));
    });
    miniblock += widths[number] * bytes_of_word;
    to += values_of_miniblock * sizeof(Stored);
  }
}

}  // namespace

void decode_packed_blocks_avx512(const CheckedBlock& block) {
  with_types(block, []<typename Number, typename Stored>(const CheckedBlock& typed) {
    decode_units<values_of_block, most_words_of_block<Number>, 0, sizeof(Stored)>(
        typed, [](const std::uint8_t* from, std::size_t /*number*/, std::uint8_t* to) {
          decode_packed_block_avx512<Number, Stored>(from, to);
        });
  });
}

}  // namespace gsst::tile_integer::cpu
