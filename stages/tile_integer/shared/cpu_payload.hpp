#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

/// How the packed blocks or run blocks of a payload are found and decoded, one after the other, by code of
/// the host's own. Unnamed: a file that is compiled for other processors has its own copies.
namespace gsst::tile_integer::cpu {

/// A payload (FORMAT.md, section 12) that the format's rules have accepted. All memory is the host's, at any
/// address.
struct CheckedBlock {
  const std::uint8_t* payload;
  std::size_t payload_bytes;
  /// Has place for all values and for the rest.
  std::uint8_t* output;
  std::uint32_t values;
  std::uint32_t rest_bytes;
  /// Of a value: 1, 2, 4 or 8.
  std::uint32_t value_bytes;
};

/// Decodes all of a block. A processor without the instructions must not call the function.
using DecodeBlock = void(const CheckedBlock& block);

namespace {

constexpr std::size_t bytes_of_word = 4;
constexpr std::size_t miniblocks_of_block = 4;
constexpr std::size_t values_of_miniblock = 32;
constexpr std::size_t values_of_block = miniblocks_of_block * values_of_miniblock;
constexpr std::size_t bytes_of_header = 16;

static_assert(std::endian::native == std::endian::little, "words are read as they are");

template <typename Number>
[[gnu::always_inline]] inline Number load_at(const std::uint8_t* from) {
  Number number;
  std::memcpy(&number, from, sizeof number);
  return number;
}

template <typename Number>
[[gnu::always_inline]] inline void store_at(std::uint8_t* to, Number number) {
  std::memcpy(to, &number, sizeof number);
}

// What a decoder may read after the words of a packed block or run block.
constexpr std::size_t readable_bytes = 64;

// Calls decode(from, number, to) for each unit of `UnitValues` values, of which none has more than
// `MostWords` words. `from` is its first word, with readable_bytes after it; `to` takes all its values,
// whether the block has that many or not, and `WritableBytes` more.
template <std::size_t UnitValues, std::size_t MostWords, std::size_t WritableBytes, std::size_t ValueBytes,
          typename Decode>
[[gnu::always_inline]] inline void decode_units(const CheckedBlock& block, const Decode& decode) {
  constexpr std::size_t bytes_of_unit = UnitValues * ValueBytes;
  // For units whose surroundings are not the block's.
  alignas(readable_bytes) std::uint8_t words[MostWords * bytes_of_word + readable_bytes];
  alignas(readable_bytes) std::uint8_t values[bytes_of_unit + WritableBytes];
  const auto start_of = [&](std::size_t unit) -> std::size_t {
    return load_at<std::uint32_t>(block.payload + bytes_of_header + unit * bytes_of_word) * bytes_of_word;
  };
  std::uint8_t* to = block.output;
  std::size_t left = block.values * ValueBytes;
  std::size_t start = start_of(0);
  for (std::size_t unit = 0; left > 0; ++unit) {
    const std::size_t end = start_of(unit + 1);
    const std::uint8_t* from = block.payload + start;
    if (block.payload_bytes - end < readable_bytes) {
      std::memcpy(words, from, end - start);
      from = words;
    }
    if (left >= bytes_of_unit + WritableBytes) {
      decode(from, unit, to);
    } else {
      decode(from, unit, values);
      std::memcpy(to, values, left < bytes_of_unit ? left : bytes_of_unit);
    }
    to += bytes_of_unit;
    left -= left < bytes_of_unit ? left : bytes_of_unit;
    start = end;
  }
  std::memcpy(block.output + block.values * ValueBytes, block.payload + start, block.rest_bytes);
}

// Words of a packed block of numbers of that many bytes, with a base and a reference, at most.
template <typename Number>
constexpr std::size_t most_words_of_block = 2 * sizeof(Number) / bytes_of_word +
                                            1 + values_of_block * sizeof(Number) / bytes_of_word;

// Calls decode.operator()<Number, Stored>(block), Stored being as large as a value, Number as a reference.
template <typename Decode>
[[gnu::always_inline]] inline void with_types(const CheckedBlock& block, const Decode& decode) {
  switch (block.value_bytes) {
    case 1:
      return decode.template operator()<std::uint32_t, std::uint8_t>(block);
    case 2:
      return decode.template operator()<std::uint32_t, std::uint16_t>(block);
    case 4:
      return decode.template operator()<std::uint32_t, std::uint32_t>(block);
    default:
      return decode.template operator()<std::uint64_t, std::uint64_t>(block);
  }
}

}  // namespace
}  // namespace gsst::tile_integer::cpu
