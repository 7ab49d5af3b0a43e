#pragma once

#include <array>
#include <cstdint>

#include "stages/zero_length/05_cuda_scan/encode_chunk.cuh"

// How bytes are picked from two words, by tables of what __byte_perm() takes.
namespace gsst::zero_length::encoder {
namespace {

constexpr unsigned table_entries = 256;
constexpr unsigned selector_bits = 4;
constexpr unsigned picks_of_output_word = 4;

// The elements of a few bytes, up to eight bytes.
struct alignas(8) Pick {
  // Below: what the first four bytes of the elements are picked by; above: the bits of all elements.
  std::uint32_t first_and_bits;
  // What the others are picked by.
  std::uint32_t second;
};

using PickTable = std::array<Pick, table_entries>;

// Selectors that are added one after the other.
class PickBuilder {
public:
  constexpr void add(std::uint64_t selector) { selectors_ |= selector << (selector_bits * count_++); }

  constexpr Pick pick(std::uint64_t selector_of_rest) const {
    PickBuilder full = *this;
    while (full.count_ < 2 * picks_of_output_word) full.add(selector_of_rest);
    return {.first_and_bits = static_cast<std::uint32_t>(full.selectors_ & 0xffff) | count_ * 8 << 16,
            .second = static_cast<std::uint32_t>(full.selectors_ >> 16)};
  }

private:
  std::uint64_t selectors_ = 0;
  std::uint32_t count_ = 0;
};

// Of the four bytes of a word, which is 0 in the picking's second operand; an index has a bit for each that
// is dropped, and above them one for each that is FF.
constexpr PickTable make_picks_of_word() {
  constexpr std::uint64_t zero = bytes_of_word;
  PickTable table{};
  for (unsigned index = 0; index < table_entries; ++index) {
    PickBuilder builder;
    for (unsigned byte = 0; byte < bytes_of_word; ++byte) {
      if ((index >> byte & 1) == 0) {
        builder.add(byte);
        if ((index >> (bytes_of_word + byte) & 1) != 0) builder.add(zero);
      }
    }
    table[index] = builder.pick(zero);
  }
  return table;
}

// Of the eight bytes of two words, none of which is FF; an index has a bit for each that is dropped. Such a
// byte is 0, so that it is picked for the zeros after the elements.
constexpr PickTable make_picks_of_pair() {
  PickTable table{};
  for (unsigned index = 0; index < table_entries; ++index) {
    PickBuilder builder;
    std::uint64_t zero = 0;
    for (unsigned byte = 0; byte < 2 * bytes_of_word; ++byte) {
      if ((index >> byte & 1) == 0) {
        builder.add(byte);
      } else {
        zero = byte;
      }
    }
    table[index] = builder.pick(zero);
  }
  return table;
}

// Both tables.
struct alignas(16) PickTables {
  PickTable of_word;
  PickTable of_pair;
};

__device__ constexpr PickTables pick_tables = {.of_word = make_picks_of_word(),
                                               .of_pair = make_picks_of_pair()};

// All threads of the block: the tables to shared memory, since lanes ask for different entries. They are
// there after the next barrier.
__device__ inline void copy_pick_tables(PickTables& tables) {
  const auto* const from = reinterpret_cast<const Vector*>(&pick_tables);
  auto* const to = reinterpret_cast<Vector*>(&tables);
  constexpr unsigned vectors = sizeof(PickTables) / sizeof(Vector);
  for (unsigned vector = threadIdx.x; vector < vectors; vector += blockDim.x) to[vector] = from[vector];
}

}  // namespace
}  // namespace gsst::zero_length::encoder
