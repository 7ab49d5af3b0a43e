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

// What the entries of a table are: a symbol, with the bits of its code. Another kind makes other entries of
// these, 0 of 0.
struct SymbolEntries {
  __device__ static std::uint32_t of(std::uint32_t symbol_entry) { return symbol_entry; }
};

// In shared memory.
template <std::uint32_t bits_of_index, std::uint32_t most_symbols_of_code>
struct PrefixCode {
  static constexpr std::uint32_t index_bits = bits_of_index;
  static constexpr std::uint32_t entry_count = 1U << index_bits;
  static constexpr std::uint32_t lengths_end = format::codag::deflate_longest_code + 1;
  // The bits of a code, less than 16; the symbol is above them.
  static constexpr std::uint32_t length_bits = 4;

  // 0 where a code is longer than the index.
  std::uint16_t entries[entry_count];
  // In the order of their codes.
  std::uint16_t symbols[most_symbols_of_code];
  // By length: what follows the last code of this length or a shorter one, in units of 2^-15, and what has to
  // be added to a code to get its place in `symbols`, modulo 2^16.
  std::uint16_t limits[lengths_end];
  std::uint16_t bases[lengths_end];

  // The entry of a symbol for 15 bits of which the first is the highest. Only codes of `least` to `most` bits
  // are found; 0 where there is none. All limits are compared, since a loop that ends at the right one would
  // wait for each.
  __device__ std::uint32_t find(std::uint32_t bits, std::uint32_t least, std::uint32_t most) const {
    std::uint32_t length = least;
    for (std::uint32_t shorter = least; shorter <= most; ++shorter) length += bits >= limits[shorter] ? 1 : 0;
    if (length > most) return 0;
    const std::uint32_t code = bits >> (format::codag::deflate_longest_code - length);
    const std::uint32_t symbol = symbols[(code + bases[length]) & 0xffff];
    return symbol << length_bits | length;
  }

  // The same for codes of up to `most` bits, and for bits that are no code.
  __device__ std::uint32_t find_any(std::uint32_t bits, std::uint32_t most) const {
    // Codes that leave bits without a meaning have one bit, or there are none.
    const std::uint32_t end = limits[format::codag::deflate_longest_code];
    return bits < end ? find(bits, 1, most) : no_symbol << length_bits | 1;
  }

  // The same for the bits that come next, of a code that is longer than the index.
  __device__ std::uint32_t find_longer(std::uint32_t bits) const {
    return find(first_bit_highest(bits), index_bits + 1, format::codag::deflate_longest_code);
  }

  // The next symbol of `input`, which has 15 bits ready; no_symbol after one bit that is no code.
  template <typename Input>
  __device__ std::uint32_t fetch(Input& input) const {
    std::uint32_t entry = entries[input.peek_bits(index_bits)];
    if (entry == 0) {
      entry = find_longer(input.peek_bits(format::codag::deflate_longest_code));
    }
    return take(entry, input);
  }

  // The same without the entries, which may be of another kind.
  template <typename Input>
  __device__ std::uint32_t fetch_without_entries(Input& input) const {
    using format::codag::deflate_longest_code;
    const std::uint32_t bits = first_bit_highest(input.peek_bits(deflate_longest_code));
    return take(find_any(bits, deflate_longest_code), input);
  }

  // Once the symbols are sorted.
  template <typename Team, typename Entries = SymbolEntries>
  __device__ void fill_entries() {
    // Once: code that runs once for a section waits for its instructions.
#pragma unroll 1
    for (std::uint32_t index = Team::number(); index < entry_count; index += Team::count()) {
      const std::uint32_t entry = Entries::of(find_any(first_bit_highest(index), index_bits));
      entries[index] = static_cast<std::uint16_t>(entry);
    }
  }

private:
  template <typename Input>
  __device__ static std::uint32_t take(std::uint32_t entry, Input& input) {
    input.skip_bits(entry & ((1U << length_bits) - 1));
    return entry >> length_bits;
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
template <typename Code>
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
      code.bases[length] = static_cast<std::uint16_t>(sum.symbols - (sum.used >> unit_bits));
      code.limits[length] = static_cast<std::uint16_t>(sum.used + (codes << unit_bits));
    }
    sum.symbols += codes;
    sum.used += codes << unit_bits;
  }
#pragma unroll 1
  for (std::uint32_t first = 0; first < count; first += lanes_of_warp) {
    const std::uint32_t length = length_of(first + lane);
    const LanesOfLength lanes = lanes_of_length(length);
    const std::uint32_t before = __shfl_sync(every_lane, own_place, static_cast<int>(length));
    const auto rank = static_cast<std::uint32_t>(std::popcount(lanes.same & ((1U << lane) - 1)));
    if (length != 0) code.symbols[before + rank] = static_cast<std::uint16_t>(first + lane);
    own_place += static_cast<std::uint32_t>(std::popcount(lanes.numbered));
  }
  return sum;
}

// The same by the calling thread alone.
template <typename Code>
__device__ inline CodeSum sort_symbols_by_thread(const std::uint8_t* lengths, std::uint32_t count,
                                                 Code& code) {
  // At first how many codes have a length, then the place of the next one.
  for (std::uint16_t& codes : code.bases) codes = 0;
  for (std::uint32_t symbol = 0; symbol < count; ++symbol) ++code.bases[lengths[symbol]];
  CodeSum sum = {.symbols = 0, .used = 0};
  for (std::uint32_t length = 1; length < Code::lengths_end; ++length) {
    const std::uint32_t codes = code.bases[length];
    code.bases[length] = static_cast<std::uint16_t>(sum.symbols);
    sum.symbols += codes;
    sum.used += codes << (format::codag::deflate_longest_code - length);
    code.limits[length] = static_cast<std::uint16_t>(sum.used);
  }
  for (std::uint32_t symbol = 0; symbol < count; ++symbol) {
    const std::uint32_t length = lengths[symbol];
    if (length != 0) code.symbols[code.bases[length]++] = static_cast<std::uint16_t>(symbol);
  }
  // From the place after a length's last code to what is added to a code.
  for (std::uint32_t length = 1; length < Code::lengths_end; ++length) {
    const std::uint32_t end_code = code.limits[length] >> (format::codag::deflate_longest_code - length);
    code.bases[length] = static_cast<std::uint16_t>(code.bases[length] - end_code);
  }
  return sum;
}

// The same by all of `Team`.
template <typename Team, typename Code>
__device__ inline CodeSum sort_symbols(const std::uint8_t* lengths, std::uint32_t count, Code& code) {
  if constexpr (Team::is_one_thread) {
    return sort_symbols_by_thread(lengths, count, code);
  } else {
    return sort_symbols_by_warp(lengths, count, code);
  }
}

}  // namespace
}  // namespace gsst::codag
