#include "stages/tile_integer/13_cpu_deltas/chains.hpp"
#include "stages/tile_integer/shared/cpu_avx512.hpp"
#include "stages/tile_integer/shared/cpu_words.hpp"

namespace gsst::tile_integer::cpu {
namespace {

// `sum` has in all places the value before the packed block, then its last one.
template <typename Number, typename Stored>
[[gnu::always_inline]] inline void sum_packed_block_avx512(const std::uint8_t* from, __m512i& sum,
                                                           std::uint8_t* to) {
  using V = Vector<Number>;
  const __m512i reference = V::all(load_at<Number>(from));
  const std::uint8_t* const widths = from + sizeof(Number);
  const std::uint8_t* miniblock = widths + bytes_of_word;
  for (std::size_t number = 0; number < miniblocks_of_block; ++number) {
    for_each_vector<Number>(miniblock, widths[number], [&](std::size_t step, __m512i bits) {
      // Only this addition waits for the vector before.
      const __m512i sums = V::running_sums(V::sum(bits, reference));
      store_numbers<sizeof(Stored), Number>(to + step * numbers_of_vector<Number> * sizeof(Stored),
                                            V::sum(sums, sum));
      sum = V::sum(sum, V::last_of(sums));
    });
    miniblock += widths[number] * bytes_of_word;
    to += values_of_miniblock * sizeof(Stored);
  }
}

}  // namespace

void decode_chains_avx512(const CheckedBlock& block) {
  with_types(block, []<typename Number, typename Stored>(const CheckedBlock& typed) {
    __m512i sum = _mm512_setzero_si512();
    decode_units<values_of_block, most_words_of_block<Number>, 0, sizeof(Stored)>(
        typed, [&](const std::uint8_t* from, std::size_t number, std::uint8_t* to) {
          if (number % blocks_of_chain == 0) {
            sum = Vector<Number>::all(load_at<Number>(from));
            from += sizeof(Number);
          }
          sum_packed_block_avx512<Number, Stored>(from, sum, to);
        });
  });
}

}  // namespace gsst::tile_integer::cpu
