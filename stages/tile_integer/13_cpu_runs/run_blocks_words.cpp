#include "stages/tile_integer/13_cpu_runs/run_blocks.hpp"
#include "stages/tile_integer/shared/cpu_words.hpp"

namespace gsst::tile_integer::cpu {
namespace {

struct UnpackWords {
  template <typename Number, typename Stored>
  void operator()(const std::uint8_t* miniblock, std::size_t width, Number reference,
                  std::uint8_t* to) const {
    if constexpr (sizeof(Stored) == sizeof(Number)) {
      unpack_miniblock<Number>[width](miniblock, reference, to);
    } else {
      Number numbers[values_of_miniblock];
      unpack_miniblock<Number>[width](miniblock, reference, reinterpret_cast<std::uint8_t*>(numbers));
      store_lowest<Stored>(numbers, values_of_miniblock, to);
    }
  }
};

struct RepeatWords {
  template <typename Stored>
  auto operator()(Stored value) const {
    return [value](std::uint8_t* to) {
      for (std::size_t i = 0; i < bytes_of_store / sizeof(Stored); ++i)
        store_at(to + i * sizeof(Stored), value);
    };
  }
};

}  // namespace

void decode_run_blocks_words(const CheckedBlock& block) {
  with_types(block, []<typename Number, typename Stored>(const CheckedBlock& typed) {
    decode_units<values_of_run_block, most_words_of_run_block<Number>, bytes_of_store, sizeof(Stored)>(
        typed, [](const std::uint8_t* from, std::size_t /*number*/, std::uint8_t* to) {
          decode_run_block<Number, Stored>(from, to, UnpackWords(), RepeatWords());
        });
  });
}

}  // namespace gsst::tile_integer::cpu
