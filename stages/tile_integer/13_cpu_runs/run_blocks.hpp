#pragma once

#include "common/format/tile_integer/tile_integer.hpp"
#include "stages/tile_integer/shared/cpu_payload.hpp"

/// Blocks of format `rfor` (FORMAT.md, section 12.3), decoded with each instruction set.
namespace gsst::tile_integer::cpu {

/// C++ alone, with code for each width.
DecodeBlock decode_run_blocks_words;
#if defined(__x86_64__)
/// AVX-512 F, BW, VL and VBMI2.
DecodeBlock decode_run_blocks_avx512;
#endif

namespace {

constexpr std::size_t values_of_run_block = 512;

// A run is written by stores of so many bytes. The last one may end after the run, where the next one begins.
constexpr std::size_t bytes_of_store = 64;

template <typename Number>
constexpr std::size_t most_words_of_run_block = format::tile_integer::max_run_block_words(
    format::tile_integer::shape_of(sizeof(Number) == 8 ? format::tile_integer::Type::u64
                                                       : format::tile_integer::Type::u32));

// Decodes a run block. unpack.operator()<Number, Stored>(miniblock, width, reference, to) writes the lowest
// bytes of the 32 numbers of a miniblock. What repeat.operator()<Stored>(value) returns writes bytes_of_store
// bytes of that value to an address.
template <typename Number, typename Stored, typename Unpack, typename Repeat>
[[gnu::always_inline]] inline void decode_run_block(const std::uint8_t* from, std::uint8_t* to,
                                                    const Unpack& unpack, const Repeat& repeat) {
  Stored values[values_of_run_block];
  std::uint16_t lengths[values_of_run_block];
  const std::size_t runs = load_at<std::uint32_t>(from);
  const std::size_t miniblocks = (runs + values_of_miniblock - 1) / values_of_miniblock;
  const auto unpack_stream = [&]<typename Bits, typename Kept>(const std::uint8_t* stream, Kept* kept) {
    const auto reference = load_at<Bits>(stream);
    const std::uint8_t* const widths = stream + sizeof reference;
    const std::uint8_t* miniblock = widths + (miniblocks + 3) / 4 * bytes_of_word;
    for (std::size_t number = 0; number < miniblocks; ++number) {
      unpack.template operator()<Bits, Kept>(
          miniblock, widths[number], reference,
          reinterpret_cast<std::uint8_t*>(kept + number * values_of_miniblock));
      miniblock += widths[number] * bytes_of_word;
    }
    return miniblock;
  };
  const std::uint8_t* const of_lengths =
      unpack_stream.template operator()<Number, Stored>(from + bytes_of_word, values);
  if (runs == values_of_run_block) {
    std::memcpy(to, values, sizeof values);
    return;
  }
  unpack_stream.template operator()<std::uint32_t, std::uint16_t>(of_lengths, lengths);
  for (std::size_t run = 0; run < runs; ++run) {
    const std::size_t bytes = lengths[run] * sizeof(Stored);
    const auto repeated = repeat.template operator()<Stored>(values[run]);
    for (std::size_t done = 0; done < bytes; done += bytes_of_store) repeated(to + done);
    to += bytes;
  }
}

}  // namespace
}  // namespace gsst::tile_integer::cpu
