#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <random>
#include <span>
#include <vector>

#include "stages/zero_length/tests/inputs.hpp"

/// What the tests of format zle_dictionary encode and decode.
namespace gsst::zero_length::test {

/// `floats` floats of exactly `values` distinct values, as many or fewer, in random order, and `rest` bytes
/// after them. The values have all bits: of the sign, of tiny and of large numbers.
inline Bytes floats_of_values(std::uint32_t values, std::size_t floats, std::size_t rest,
                              std::uint64_t seed) {
  std::mt19937_64 random(seed);
  Bytes input(4 * floats + rest);
  std::vector<std::size_t> order(floats);
  for (std::size_t i = 0; i < floats; ++i) order[i] = i < values ? i : random() % values;
  std::ranges::shuffle(order, random);
  for (std::size_t i = 0; i < floats; ++i) {
    // Odd factors give each number another value.
    const auto value = static_cast<std::uint32_t>(order[i] * 0x9e3779b1U + seed);
    std::memcpy(input.data() + 4 * i, &value, 4);
  }
  for (std::size_t i = 4 * floats; i < input.size(); ++i) input[i] = static_cast<std::uint8_t>(random());
  return input;
}

/// The payload of a block with these values, whether it pays or not and whether they are the block's or not,
/// from the rules of FORMAT.md, section 11.5, by another way than any encoder: bit by bit.
inline Bytes payload_of_indexes(const std::vector<std::uint32_t>& values,
                                const std::vector<std::uint32_t>& indexes, const Bytes& rest) {
  std::uint32_t bits = 0;
  while ((std::size_t{1} << bits) < values.size()) ++bits;
  Bytes payload;
  for (int byte = 0; byte < 3; ++byte) {
    payload.push_back(static_cast<std::uint8_t>(values.size() >> 8 * byte));
  }
  payload.push_back(static_cast<std::uint8_t>(bits));
  for (const std::uint32_t value : values) {
    for (int byte = 0; byte < 4; ++byte) payload.push_back(static_cast<std::uint8_t>(value >> 8 * byte));
  }
  std::vector<bool> stream;
  for (const std::uint32_t index : indexes) {
    for (std::uint32_t bit = 0; bit < bits; ++bit) stream.push_back((index >> bit & 1) != 0);
  }
  stream.resize((stream.size() + 7) / 8 * 8);
  for (std::size_t i = 0; i < stream.size(); i += 8) {
    unsigned byte = 0;
    for (std::size_t bit = 0; bit < 8; ++bit) byte |= unsigned{stream[i + bit]} << bit;
    payload.push_back(static_cast<std::uint8_t>(byte));
  }
  payload.insert(payload.end(), rest.begin(), rest.end());
  return payload;
}

/// The same of a block.
inline Bytes dictionary_payload(std::span<const std::uint8_t> block) {
  std::vector<std::uint32_t> floats(block.size() / 4);
  if (!floats.empty()) std::memcpy(floats.data(), block.data(), 4 * floats.size());
  std::map<std::uint32_t, std::uint32_t> places;
  for (const std::uint32_t value : floats) places[value] = 0;
  std::vector<std::uint32_t> values;
  for (auto& [value, place] : places) {
    place = static_cast<std::uint32_t>(values.size());
    values.push_back(value);
  }
  std::vector<std::uint32_t> indexes;
  for (const std::uint32_t value : floats) indexes.push_back(places[value]);
  return payload_of_indexes(values, indexes, {block.end() - block.size() % 4, block.end()});
}

}  // namespace gsst::zero_length::test
