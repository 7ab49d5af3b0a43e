#include "stages/tile_integer/13_cpu_deltas/chains.hpp"
#include "stages/tile_integer/shared/cpu_words.hpp"

namespace gsst::tile_integer::cpu {
namespace {

// Adds the differences of a packed block to `sum`, one after the other, and stores each sum.
template <typename Number, typename Stored>
Number sum_packed_block_words(const std::uint8_t* from, Number sum, std::uint8_t* to) {
  const auto reference = load_at<Number>(from);
  const std::uint8_t* const widths = from + sizeof(Number);
  const std::uint8_t* miniblock = widths + bytes_of_word;
  for (std::size_t number = 0; number < miniblocks_of_block; ++number) {
    Number values[values_of_miniblock];
    unpack_miniblock<Number>[widths[number]](miniblock, reference, reinterpret_cast<std::uint8_t*>(values));
    for (Number& value : values) {
      sum += value;
      value = sum;
    }
    store_lowest<Stored>(values, values_of_miniblock, to);
    miniblock += widths[number] * bytes_of_word;
    to += values_of_miniblock * sizeof(Stored);
  }
  return sum;
}

}  // namespace

void decode_chains_words(const CheckedBlock& block) {
  with_types(block, []<typename Number, typename Stored>(const CheckedBlock& typed) {
    Number sum = 0;
    decode_units<values_of_block, most_words_of_block<Number>, 0, sizeof(Stored)>(
        typed, [&](const std::uint8_t* from, std::size_t number, std::uint8_t* to) {
          if (number % blocks_of_chain == 0) {
            sum = load_at<Number>(from);
            from += sizeof(Number);
          }
          sum = sum_packed_block_words<Number, Stored>(from, sum, to);
        });
  });
}

}  // namespace gsst::tile_integer::cpu
