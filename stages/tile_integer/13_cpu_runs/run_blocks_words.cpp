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

// A run is written by stores of so many bytes. The last one may end after the run, where the next one begins.
constexpr std::size_t bytes_of_store = 64;

template <typename Stored>
void store_runs(const Stored* values, const std::uint16_t* lengths, std::size_t runs, std::uint8_t* to) {
  for (std::size_t run = 0; run < runs; ++run) {
    const std::size_t bytes = lengths[run] * sizeof(Stored);
    for (std::size_t done = 0; done < bytes; done += bytes_of_store) {
      for (std::size_t i = 0; i < bytes_of_store; i += sizeof(Stored)) store_at(to + done + i, values[run]);
    }
    to += bytes;
  }
}

}  // namespace

void decode_run_blocks_words(const CheckedBlock& block) {
  with_types(block, []<typename Number, typename Stored>(const CheckedBlock& typed) {
    decode_units<values_of_run_block, most_words_of_run_block<Number>, bytes_of_store, sizeof(Stored)>(
        typed, [](const std::uint8_t* from, std::size_t /*number*/, std::uint8_t* to) {
          decode_run_block<Number, Stored, Stored>(from, to, UnpackWords(), store_runs<Stored>);
        });
  });
}

}  // namespace gsst::tile_integer::cpu
