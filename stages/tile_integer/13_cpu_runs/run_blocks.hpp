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

template <typename Number>
constexpr std::size_t most_words_of_run_block = format::tile_integer::max_run_block_words(
    format::tile_integer::shape_of(sizeof(Number) == 8 ? format::tile_integer::Type::u64
                                                       : format::tile_integer::Type::u32));

// Decodes a run block. unpack.operator()<Number, Kept>(miniblock, width, reference, to) writes the lowest
// bytes of the 32 numbers of a miniblock. expand(values, lengths, runs, to) writes the runs, with values as
// they are kept.
template <typename Number, typename Stored, typename Kept, typename Unpack, typename Expand>
[[gnu::always_inline]] inline void decode_run_block(const std::uint8_t* from, std::uint8_t* to,
                                                    const Unpack& unpack, const Expand& expand) {
  const std::size_t runs = load_at<std::uint32_t>(from);
  const std::size_t miniblocks = (runs + values_of_miniblock - 1) / values_of_miniblock;
  const auto unpack_stream = [&]<typename Bits, typename As>(const std::uint8_t* stream,
                                                             std::uint8_t* numbers) {
    const auto reference = load_at<Bits>(stream);
    const std::uint8_t* const widths = stream + sizeof reference;
    const std::uint8_t* miniblock = widths + (miniblocks + 3) / 4 * bytes_of_word;
    for (std::size_t number = 0; number < miniblocks; ++number) {
      unpack.template operator()<Bits, As>(miniblock, widths[number], reference,
                                           numbers + number * values_of_miniblock * sizeof(As));
      miniblock += widths[number] * bytes_of_word;
    }
    return miniblock;
  };
  const std::uint8_t* const of_values = from + bytes_of_word;
  // Each of them is 1.
  if (runs == values_of_run_block) {
    unpack_stream.template operator()<Number, Stored>(of_values, to);
    return;
  }
  alignas(64) Kept values[values_of_run_block + values_of_miniblock];
  alignas(64) std::uint16_t lengths[values_of_run_block];
  const std::uint8_t* const of_lengths =
      unpack_stream.template operator()<Number, Kept>(of_values, reinterpret_cast<std::uint8_t*>(values));
  unpack_stream.template operator()<std::uint32_t, std::uint16_t>(of_lengths,
                                                                  reinterpret_cast<std::uint8_t*>(lengths));
  expand(values, lengths, runs, to);
}

}  // namespace
}  // namespace gsst::tile_integer::cpu
