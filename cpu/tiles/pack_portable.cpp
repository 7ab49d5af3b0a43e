#include <bit>
#include <cstring>

#include "cpu/tiles/tile_packers.hpp"

namespace gsst::cpu::tiles {
namespace {

static_assert(std::endian::native == std::endian::little, "codes are read as words");

constexpr std::size_t group = 8;

using EightWords __attribute__((vector_size(16))) = std::uint16_t;
using EightBytes __attribute__((vector_size(8))) = std::uint8_t;

EightWords load(const std::uint8_t* codes) {
  EightWords words;
  std::memcpy(&words, codes, sizeof words);
  return words;
}

void store_bytes(std::uint8_t* place, EightWords words) {
  const EightBytes bytes = __builtin_convertvector(words, EightBytes);
  std::memcpy(place, &bytes, sizeof bytes);
}

// A byte of each code, of which the four highest bits are its class.
std::size_t length_of(const std::uint8_t* bytes, std::size_t count, const std::uint8_t* class_lengths) {
  std::size_t sum = 0;
  for (std::size_t i = 0; i < count; ++i) sum += class_lengths[bytes[i] >> 4];
  return sum;
}

// The lowest two bits of eight codes, as a tile has them: of code j at bit 8 (j % 2) + 2 (j / 2).
void store_rest_of_10_bits(std::uint8_t* place, EightWords words) {
  const EightWords places = {1, 1 << 8, 1 << 2, 1 << 10, 1 << 4, 1 << 12, 1 << 6, 1 << 14};
  const EightWords moved = (words & 3) * places;
  std::uint64_t halves[2];
  std::memcpy(halves, &moved, sizeof halves);
  std::uint64_t joined = halves[0] | halves[1];
  joined |= joined >> 32;
  joined |= joined >> 16;
  const auto rest = static_cast<std::uint16_t>(joined);
  std::memcpy(place, &rest, sizeof rest);
}

std::size_t pack_10_bits(const CodesToPack& codes, const std::uint8_t* from, std::uint8_t* tile) {
  std::uint8_t* const rest = tile + codes.tile_codes;
  for (std::size_t i = 0; i < codes.tile_codes; i += group) {
    const EightWords words = load(from + 2 * i);
    store_bytes(tile + i, words >> 2);
    store_rest_of_10_bits(rest + i / 4, words);
  }
  return length_of(tile, codes.tile_codes, codes.class_lengths);
}

std::size_t pack_12_bits(const CodesToPack& codes, const std::uint8_t* from, std::uint8_t* tile) {
  std::uint8_t* const rest = tile + codes.tile_codes;
  std::size_t length = 0;
  for (std::size_t i = 0; i < codes.tile_codes; i += group) {
    const EightWords words = load(from + 2 * i);
    store_bytes(tile + i, words);
    // The classes of two codes in the lowest byte of each two words.
    using Pairs __attribute__((vector_size(16))) = std::uint32_t;
    const EightWords classes = words >> 8;
    const auto pairs = reinterpret_cast<Pairs>(classes);
    const Pairs joined = (pairs | pairs >> 12) & 0xff;
    const std::uint32_t four = joined[0] | joined[1] << 8 | joined[2] << 16 | joined[3] << 24;
    std::memcpy(rest + i / 2, &four, sizeof four);
    for (std::size_t j = 0; j < group; ++j) length += codes.class_lengths[classes[j]];
  }
  return length;
}

}  // namespace

std::size_t pack_tiles_portable(const CodesToPack& codes, std::uint8_t* tiles) {
  const std::uint8_t* from = codes.codes;
  if (codes.code_bits == 8) {
    const std::size_t count = codes.tiles * codes.tile_codes;
    std::memcpy(tiles, from, count);
    return length_of(from, count, codes.class_lengths);
  }
  std::size_t length = 0;
  for (std::size_t tile = 0; tile < codes.tiles; ++tile) {
    length += codes.code_bits == 10 ? pack_10_bits(codes, from, tiles) : pack_12_bits(codes, from, tiles);
    from += std::size_t{codes.tile_codes} * 2;
    tiles += std::size_t{codes.tile_codes} / 8 * codes.code_bits;
  }
  return length;
}

}  // namespace gsst::cpu::tiles
