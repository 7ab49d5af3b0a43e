#include "reference_cpu/tile_banks.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

#include "common/format/gsst/tiles_header.hpp"

namespace gsst::reference {
namespace {

using format::tile_lanes;

constexpr std::uint64_t word_bytes = 8;
// A word of 8 bytes takes two of the 32 banks.
constexpr std::size_t bank_pairs = 16;

// Rounds and stores of a tile, added up.
struct Stores {
  std::uint64_t rounds = 0;
  std::uint64_t count = 0;
};

void add_tile(std::span<const std::uint8_t> lengths, std::uint32_t codes_per_lane, Stores& stores) {
  std::array<std::uint64_t, tile_lanes> ends{};
  std::uint64_t end = 0;
  for (std::uint32_t lane = 0; lane < tile_lanes; ++lane) {
    ends[lane] = end;
    for (const std::uint8_t length : lengths.subspan(std::size_t{lane} * codes_per_lane, codes_per_lane))
      end += length;
  }
  for (std::uint32_t code = 0; code < codes_per_lane; ++code) {
    std::array<unsigned, bank_pairs> words{};
    for (std::uint32_t lane = 0; lane < tile_lanes; ++lane) {
      const std::uint64_t word = ends[lane] / word_bytes;
      ends[lane] += lengths[std::size_t{lane} * codes_per_lane + code];
      if (ends[lane] / word_bytes != word) ++words[word % bank_pairs];
    }
    const unsigned rounds = *std::max_element(words.begin(), words.end());
    stores.rounds += rounds;
    stores.count += rounds != 0 ? 1 : 0;
  }
}

}  // namespace

double count_store_rounds(std::span<const std::uint8_t> lengths, std::uint32_t codes_per_lane) {
  const std::size_t tile_codes = std::size_t{tile_lanes} * codes_per_lane;
  Stores stores;
  for (; lengths.size() >= tile_codes; lengths = lengths.subspan(tile_codes)) {
    add_tile(lengths.first(tile_codes), codes_per_lane, stores);
  }
  return stores.count == 0 ? 0 : static_cast<double>(stores.rounds) / static_cast<double>(stores.count);
}

}  // namespace gsst::reference
