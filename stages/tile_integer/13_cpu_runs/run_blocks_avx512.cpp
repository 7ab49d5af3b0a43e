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

// Four bits for each of 16 places: how many of the bits of `heads`, but the lowest, are at the place or
// before it.
[[gnu::always_inline]] inline std::uint64_t heads_before(std::uint64_t heads) {
  constexpr std::uint64_t ones = 0x1111111111111111;
  return _pdep_u64(heads & 0xfffe, ones) * ones;
}

// A number for each place of a vector, of which the permutation takes the lowest four bits, or three.
template <typename Number>
[[gnu::always_inline]] inline __m512i spread(std::uint64_t fours) {
  if constexpr (sizeof(Number) == 4) {
    const __m512i halves =
        _mm512_permutexvar_epi32(_mm512_set_epi32(1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0),
                                 _mm512_set1_epi64(static_cast<long long>(fours)));
    return _mm512_srlv_epi32(halves,
                             _mm512_set_epi32(28, 24, 20, 16, 12, 8, 4, 0, 28, 24, 20, 16, 12, 8, 4, 0));
  } else {
    return _mm512_srlv_epi64(_mm512_set1_epi64(static_cast<long long>(fours)),
                             _mm512_set_epi64(28, 24, 20, 16, 12, 8, 4, 0));
  }
}

// Marks where runs begin, and then takes for each place of a vector the value of its run: the runs of a
// vector are neighbours, so that one permutation fetches them. How long runs are decides no branch.
template <typename Number, typename Stored>
[[gnu::always_inline]] inline void permute_runs(const Number* values, const std::uint16_t* lengths,
                                                std::size_t runs, std::uint8_t* to) {
  constexpr std::size_t places = numbers_of_vector<Number>;
  alignas(vector_bytes) std::uint8_t marks[values_of_run_block + 1] = {};
  std::size_t place = 0;
  for (std::size_t run = 0; run < runs; ++run) {
    marks[place] = 1;
    place += lengths[run];
  }
  std::size_t runs_before = 0;
  for (std::size_t first = 0; first < values_of_run_block; first += vector_bytes) {
    const __m512i bytes = _mm512_load_si512(marks + first);
    std::uint64_t heads = _mm512_test_epi8_mask(bytes, bytes);
    for (std::size_t done = 0; done < vector_bytes; done += places, heads >>= places) {
      const std::uint64_t of_vector = heads & ((std::uint64_t{1} << places) - 1);
      // From the run of the first place on, which begins there or earlier.
      const __m512i neighbours = _mm512_loadu_si512(values + (runs_before + (of_vector & 1) - 1));
      store_numbers<sizeof(Stored), Number>(
          to, Vector<Number>::chosen(neighbours, spread<Number>(heads_before(of_vector))));
      runs_before += static_cast<std::size_t>(__builtin_popcountll(of_vector));
      to += places * sizeof(Stored);
    }
  }
}

}  // namespace

void decode_run_blocks_avx512(const CheckedBlock& block) {
  with_types(block, []<typename Number, typename Stored>(const CheckedBlock& typed) {
    decode_units<values_of_run_block, most_words_of_run_block<Number>, 0, sizeof(Stored)>(
        typed, [](const std::uint8_t* from, std::size_t /*number*/, std::uint8_t* to) {
          decode_run_block<Number, Stored, Number>(
              from, to, UnpackVectors(),
              [](const Number* values, const std::uint16_t* lengths, std::size_t runs, std::uint8_t* output) {
                permute_runs<Number, Stored>(values, lengths, runs, output);
              });
        });
  });
}

}  // namespace gsst::tile_integer::cpu
