#pragma once

#include <bit>
#include <cstdint>

#include "common/format/codag/deflate.hpp"
#include "common/stage/launch.hpp"
#include "stages/codag/shared/warp_lanes.cuh"

// Deflate's prefix codes (FORMAT.md, section 13.6): a table that the next bits are looked up in, and for
// codes that are longer than its index all symbols in the order of their codes.
namespace gsst::codag {
namespace {

// Who makes and fills tables together: a warp, or the calling thread alone.
struct TablesOfWarp : WarpTeam {
  static constexpr bool is_one_thread = false;
  __device__ static void meet() { __syncwarp(); }
};

struct TablesOfThread {
  static constexpr bool is_one_thread = true;
  __device__ static std::uint32_t number() { return 0; }
  __device__ static std::uint32_t count() { return 1; }
  __device__ static void meet() {}
};

// A symbol that no code has.
constexpr std::uint32_t no_symbol = 511;

// As the first bits of 15 that come first in a stream, of which the first is to become the highest.
__device__ inline std::uint32_t first_bit_highest(std::uint32_t bits) {
#if defined(__CUDACC__)
  return __brev(bits) >> (32 - format::codag::deflate_longest_code);
#else
  std::uint32_t reversed = 0;
  for (std::uint32_t i = 0; i < format::codag::deflate_longest_code; ++i) {
    reversed = reversed << 1 | (bits >> i & 1);
  }
  return reversed;
#endif
}

// What a table says of a symbol: here the symbol itself. Other kinds say what it means. The bits of its code,
// less than 16, are added; the lowest bits are for this sum.
struct SymbolEntry {
  static constexpr std::uint32_t length_bits = 4;

  __device__ static std::uint32_t of(std::uint32_t symbol) { return symbol << length_bits; }
  // Of entries with the bits of a code.
  __device__ static std::uint32_t symbol_of(std::uint32_t entry) { return entry >> length_bits; }
  __device__ static std::uint32_t code_bits_of(std::uint32_t entry) {
    return entry & ((1U << length_bits) - 1);
  }
};

// In shared memory.
template <std::uint32_t bits_of_index, std::uint32_t most_symbols_of_code>
struct PrefixCode {
  static constexpr std::uint32_t index_bits = bits_of_index;
  static constexpr std::uint32_t entry_count = 1U << index_bits;
  static constexpr std::uint32_t lengths_end = format::codag::deflate_longest_code + 1;

  // With the bits of their codes; 0 where a code is longer than the index.
  std::uint16_t entries[entry_count];
  // In the order of their codes: what is said of them.
  std::uint16_t symbols[most_symbols_of_code];
  // By length, two in a word: what follows the last code of this length or a shorter one, in units of 2^-15.
  alignas(16) std::uint32_t limits[lengths_end / 2];
  // By length: what has to be added to a code to get its place in `symbols`.
  std::int16_t bases[lengths_end];

  __device__ std::uint32_t limit(std::uint32_t length) const {
    return limits[length / 2] >> length % 2 * 16 & 0xffff;
  }
  // For an odd length, and the one before.
  __device__ void set_limits(std::uint32_t length, std::uint32_t limit_before, std::uint32_t limit) {
    limits[length / 2] = limit_before | limit << 16;
  }

  // The entry for 15 bits, of which the first is the highest; 0 where its code has more bits than the index.
  template <typename Entry>
  __device__ std::uint32_t find(std::uint32_t bits, std::uint32_t most) const {
    const std::uint32_t length = limits_up_to(bits, 0);
    // Codes that leave bits without a meaning have one bit, or there are none.
    if (length == lengths_end) return Entry::of(no_symbol) + 1;
    return length > most ? 0 : entry_of_length(bits, length);
  }

  // The entry for the bits that come next, of a code that is longer than the index.
  __device__ std::uint32_t find_longer(std::uint32_t bits) const {
    static_assert(index_bits + 1 >= lengths_end / 2);
    const std::uint32_t code = first_bit_highest(bits);
    return entry_of_length(code, lengths_end / 2 + limits_up_to(code, lengths_end / 4));
  }

  // The next symbol of `input`, which has 15 bits ready; no_symbol after one bit that is no code.
  template <typename Input>
  __device__ std::uint32_t fetch(Input& input) const {
    std::uint32_t entry = entries[input.peek_bits(index_bits)];
    if (entry == 0) entry = find_longer(input.peek_bits(format::codag::deflate_longest_code));
    input.skip_bits(SymbolEntry::code_bits_of(entry));
    return SymbolEntry::symbol_of(entry);
  }

  // The same where the table says something else of symbols, which takes longer.
  template <typename Entry, typename Input>
  __device__ std::uint32_t fetch_said(Input& input) const {
    using format::codag::deflate_longest_code;
    const std::uint32_t bits = first_bit_highest(input.peek_bits(deflate_longest_code));
    const std::uint32_t entry = find<Entry>(bits, deflate_longest_code);
    input.skip_bits(Entry::code_bits_of(entry));
    return Entry::symbol_of(entry);
  }

  // Once the symbols are sorted.
  template <typename Team, typename Entry>
  __device__ void fill_entries() {
    // Once: code that runs once for a section waits for its instructions.
#pragma unroll 1
    for (std::uint32_t index = Team::number(); index < entry_count; index += Team::count()) {
      const std::uint32_t entry = find<Entry>(first_bit_highest(index), index_bits);
      entries[index] = static_cast<std::uint16_t>(entry);
    }
  }

private:
  // How many limits, from a word of them on, are not above `bits`: the bits of their code if these are all.
  // Two at a time, without a branch: in each half, the highest bit is left where the limit is not above.
  __device__ std::uint32_t limits_up_to(std::uint32_t bits, std::uint32_t first_word) const {
    constexpr std::uint32_t highest_bits = 0x8000'8000;
    const std::uint32_t both = bits * 0x1'0001 + highest_bits;
    std::uint32_t reached = 0;
    for (std::uint32_t word = first_word; word < lengths_end / 2; ++word) {
      reached |= ((both - limits[word]) & highest_bits) >> (word - first_word);
    }
    return static_cast<std::uint32_t>(std::popcount(reached));
  }

  __device__ std::uint32_t entry_of_length(std::uint32_t bits, std::uint32_t length) const {
    const std::uint32_t code = bits >> (format::codag::deflate_longest_code - length);
    return symbols[static_cast<std::int32_t>(code) + bases[length]] + length;
  }
};

// What the lengths of the codes add up to.
struct CodeSum {
  std::uint32_t symbols;
  // Of all codes 2^-length, in units of 2^-15.
  std::uint32_t used;

  __device__ bool is_over_subscribed() const { return used > whole; }
  __device__ bool is_whole() const { return used == whole; }
  // A code of one symbol with one bit is not.
  __device__ bool is_incomplete() const { return used < whole && !(symbols == 1 && used == whole / 2); }

private:
  static constexpr std::uint32_t whole = 1U << format::codag::deflate_longest_code;
};

// Which lanes have a certain length.
struct LanesOfLength {
  // That of the calling lane.
  std::uint32_t same;
  // The number of the calling lane.
  std::uint32_t numbered;
};

// All lanes of a warp; lengths are below 16.
__device__ inline LanesOfLength lanes_of_length(std::uint32_t length) {
  LanesOfLength lanes = {.same = every_lane, .numbered = every_lane};
  for (std::uint32_t bit = 0; bit < 4; ++bit) {
    const std::uint32_t have_bit = __ballot_sync(every_lane, length >> bit & 1);
    lanes.same &= (length >> bit & 1) != 0 ? have_bit : ~have_bit;
    lanes.numbered &= (lane_number() >> bit & 1) != 0 ? have_bit : ~have_bit;
  }
  return lanes;
}

// All lanes of a warp, for `count` lengths in shared memory that all lanes see: sets all of `code` but its
// entries. Where too many codes make no sense, neither does `code`.
template <typename Entry, typename Code>
__device__ inline CodeSum sort_symbols_by_warp(const std::uint8_t* lengths, std::uint32_t count, Code& code) {
  const std::uint32_t lane = lane_number();
  const auto length_of = [&](std::uint32_t symbol) {
    return symbol < count ? std::uint32_t{lengths[symbol]} : 0;
  };
  // A lane for each length. As in fill_entries(), no loop is repeated in the code.
  std::uint32_t own_count = 0;
#pragma unroll 1
  for (std::uint32_t first = 0; first < count; first += lanes_of_warp) {
    own_count += static_cast<std::uint32_t>(std::popcount(lanes_of_length(length_of(first + lane)).numbered));
  }
  CodeSum sum = {.symbols = 0, .used = 0};
  std::uint32_t own_place = 0;
#pragma unroll 1
  for (std::uint32_t length = 1; length < Code::lengths_end; ++length) {
    const std::uint32_t codes = __shfl_sync(every_lane, own_count, static_cast<int>(length));
    const std::uint32_t unit_bits = format::codag::deflate_longest_code - length;
    if (lane == length) {
      own_place = sum.symbols;
      code.bases[length] = static_cast<std::int16_t>(sum.symbols - (sum.used >> unit_bits));
    }
    const std::uint32_t limit = sum.used + (codes << unit_bits);
    if (lane == length && length % 2 != 0) code.set_limits(length, sum.used, limit);
    sum.symbols += codes;
    sum.used = limit;
  }
#pragma unroll 1
  for (std::uint32_t first = 0; first < count; first += lanes_of_warp) {
    const std::uint32_t length = length_of(first + lane);
    const LanesOfLength lanes = lanes_of_length(length);
    const std::uint32_t before = __shfl_sync(every_lane, own_place, static_cast<int>(length));
    const auto rank = static_cast<std::uint32_t>(std::popcount(lanes.same & ((1U << lane) - 1)));
    if (length != 0) code.symbols[before + rank] = static_cast<std::uint16_t>(Entry::of(first + lane));
    own_place += static_cast<std::uint32_t>(std::popcount(lanes.numbered));
  }
  return sum;
}

// The same by the calling thread alone.
template <typename Entry, typename Code>
__device__ inline CodeSum sort_symbols_by_thread(const std::uint8_t* lengths, std::uint32_t count,
                                                 Code& code) {
  // At first how many codes have a length, then the place of the next one.
  for (std::int16_t& codes : code.bases) codes = 0;
  for (std::uint32_t symbol = 0; symbol < count; ++symbol) ++code.bases[lengths[symbol]];
  CodeSum sum = {.symbols = 0, .used = 0};
  for (std::uint32_t length = 1; length < Code::lengths_end; ++length) {
    const auto codes = static_cast<std::uint32_t>(code.bases[length]);
    code.bases[length] = static_cast<std::int16_t>(sum.symbols);
    const std::uint32_t used_before = sum.used;
    sum.symbols += codes;
    sum.used += codes << (format::codag::deflate_longest_code - length);
    if (length % 2 != 0) code.set_limits(length, used_before, sum.used);
  }
  for (std::uint32_t symbol = 0; symbol < count; ++symbol) {
    const std::uint32_t length = lengths[symbol];
    if (length != 0) code.symbols[code.bases[length]++] = static_cast<std::uint16_t>(Entry::of(symbol));
  }
  // From the place after a length's last code to what is added to a code.
  for (std::uint32_t length = 1; length < Code::lengths_end; ++length) {
    const std::uint32_t end_code = code.limit(length) >> (format::codag::deflate_longest_code - length);
    code.bases[length] = static_cast<std::int16_t>(code.bases[length] - static_cast<std::int32_t>(end_code));
  }
  return sum;
}

// The same by all of `Team`.
template <typename Team, typename Entry, typename Code>
__device__ inline CodeSum sort_symbols(const std::uint8_t* lengths, std::uint32_t count, Code& code) {
  if constexpr (Team::is_one_thread) {
    return sort_symbols_by_thread<Entry>(lengths, count, code);
  } else {
    return sort_symbols_by_warp<Entry>(lengths, count, code);
  }
}

}  // namespace
}  // namespace gsst::codag
