#include "stages/tile_integer/13_cpu_runs/run_blocks.hpp"
#include "stages/tile_integer/shared/cpu_avx512.hpp"

namespace gsst::tile_integer::cpu {
namespace {

struct UnpackVectors {
  template <typename Number, typename Stored>
  [[gnu::always_inline]] void operator()(const std::uint8_t* miniblock, std::uint32_t width, Number reference,
                                         std::uint8_t* to) const {
    const __m512i added = Vector<Number>::all(reference);
    for_each_vector<Number>(miniblock, width, [&](std::size_t step, __m512i bits) {
      store_numbers<sizeof(Stored), Number>(to + step * numbers_of_vector<Number> * sizeof(Stored),
                                            Vector<Number>::sum(bits, added));
    });
  }
};

struct RepeatVectors {
  template <typename Stored>
  [[gnu::always_inline]] auto operator()(Stored value) const {
    __m512i all;
    if constexpr (sizeof(Stored) == 1) {
      all = _mm512_set1_epi8(static_cast<char>(value));
    } else if constexpr (sizeof(Stored) == 2) {
      all = _mm512_set1_epi16(static_cast<short>(value));
    } else {
      all = Vector<Stored>::all(value);
    }
    return [all](std::uint8_t* to) { _mm512_storeu_si512(to, all); };
  }
};

}  // namespace

void decode_run_blocks_avx512(const CheckedBlock& block) {
  with_types(block, []<typename Number, typename Stored>(const CheckedBlock& typed) {
    decode_units<values_of_run_block, most_words_of_run_block<Number>, bytes_of_store, sizeof(Stored)>(
        typed, [](const std::uint8_t* from, std::size_t /*number*/, std::uint8_t* to) {
          decode_run_block<Number, Stored>(from, to, UnpackVectors(), RepeatVectors());
        });
  });
}

}  // namespace gsst::tile_integer::cpu
