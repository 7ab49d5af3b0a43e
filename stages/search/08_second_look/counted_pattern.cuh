#pragma once

#include <cstdint>

#include "stages/search/shared/rare_call.hpp"
#include "stages/search/shared/search_on_device.hpp"
#include "stages/search/shared/text_walk.cuh"

// Words of 64 bits that count a whole pattern over codes. A word has a field for each state, which says how
// many bytes of the pattern the text so far ends with: in the lowest 6 bits the place of the next state's
// field, above them how many matches end in the code.
namespace gsst::search::kernels {
namespace {

// Longest pattern that is counted: a word has fields for its states, of 7 bits.
constexpr std::uint32_t most_counted_bytes = 9;
constexpr std::uint32_t place_bits = 6;
constexpr std::uint32_t place_mask = (1u << place_bits) - 1;
// Of a field: four bits count more matches than a code can have.
constexpr std::uint32_t most_field_bits = place_bits + 4;
// Bytes that a code puts out at most.
constexpr std::uint32_t most_symbol_bytes = 8;

// The step from `state`, whose bits above the lowest six mean nothing. Above these the result has how many
// matches end in the code, then what means nothing.
__device__ __forceinline__ std::uint32_t counting_step(std::uint64_t word, std::uint32_t state) {
  return static_cast<std::uint32_t>(word >> (state & place_mask));
}

// A pattern of 1 to most_counted_bytes bytes. How far it has been seen is a set of bits: bit i says that the
// text so far ends with its first i + 1 bytes.
class CountedPattern {
public:
  __device__ explicit CountedPattern(const SearchOnDevice& search)
      : pattern_(*search.pattern),
        bytes_(search.pattern_bytes),
        field_bits_(64 / pattern_.bytes < most_field_bits ? 64 / pattern_.bytes : most_field_bits) {}

  // Whether a field has room for all matches that may end in one code, of any symbol.
  __device__ static bool can_count(const SearchOnDevice& search) {
    if (search.pattern->bytes > most_counted_bytes) return false;
    const CountedPattern counted(search);
    const std::uint32_t most_matches = (most_symbol_bytes - 1) / counted.period() + 1;
    return most_matches <= counted.count_mask() >> place_bits;
  }

  // Where in a word the field of a state is.
  __device__ std::uint32_t place(std::uint32_t state) const { return field_bits_ * state; }

  // What of a step's result is the number of matches.
  __device__ std::uint32_t count_mask() const { return (1u << field_bits_) - 1 - place_mask; }

  __device__ std::uint32_t after_byte(std::uint32_t seen, std::uint32_t byte) const {
    return (seen << 1 | 1) & of_begun(byte);
  }

  // The same, without matches that begin with this byte.
  __device__ std::uint32_t after_byte_of_begun(std::uint32_t seen, std::uint32_t byte) const {
    return seen << 1 & of_begun(byte);
  }

  // 1 if the text so far ends with the pattern, or else 0.
  __device__ std::uint32_t matches(std::uint32_t seen) const { return seen >> (pattern_.bytes - 1) & 1; }

  // `seen` without the beginnings that have the last byte of the window: a match that goes on from one of
  // these belongs to what is read already.
  __device__ std::uint32_t without_window(std::uint32_t seen) const {
    return seen & ((1u << (pattern_.window_end - 1)) - 1);
  }

  // The state that steps go on from.
  __device__ std::uint32_t state(std::uint32_t seen) const {
    std::uint32_t state = pattern_.bytes - 1;
    while (state != 0 && (seen >> (state - 1) & 1) == 0) --state;
    return state;
  }

  // The word of a code that puts `output` out, one byte or more.
  __device__ std::uint64_t word(const CodeOutput& output) const {
    std::uint64_t word = 0;
    std::uint32_t seen_before = 0;
    for (std::uint32_t before = 0; before < pattern_.bytes; ++before) {
      std::uint32_t seen = seen_before;
      std::uint32_t count = 0;
      for (std::uint32_t i = 0; i < output.length; ++i) {
        seen = after_byte(seen, output.symbol >> (8 * i) & 0xff);
        count += matches(seen);
      }
      word |= std::uint64_t{count << place_bits | place(state(seen))} << place(before);
      seen_before = after_byte(seen_before, bytes_[before]);
    }
    return word;
  }

  // A word that leads from each state to the one of without the beginnings that have the window.
  __device__ std::uint64_t word_without_window() const {
    std::uint64_t word = 0;
    std::uint32_t seen = 0;
    for (std::uint32_t before = 0; before < pattern_.bytes; ++before) {
      word |= std::uint64_t{place(state(without_window(seen)))} << place(before);
      seen = after_byte(seen, bytes_[before]);
    }
    return word;
  }

  // How far the pattern has been seen in front of code `code` of block `block`, which may be the one after
  // its last; not all of it.
  __device__ std::uint32_t seen_before(const SearchOnDevice& search, std::uint32_t block,
                                       std::uint32_t code) const {
    TextBefore before(search, block, code);
    std::uint64_t text = 0;
    std::uint32_t count = 0;
    for (; count + 1 < pattern_.bytes; ++count) {
      const std::int32_t byte = before.next();
      if (byte == no_byte) break;
      text |= static_cast<std::uint64_t>(byte) << (8 * count);
    }
    std::uint32_t seen = 0;
    for (; count > 0; --count) seen = after_byte(seen, text >> (8 * (count - 1)) & 0xff);
    return seen;
  }

  // Bytes of a match behind its window.
  __device__ std::uint32_t bytes_after_window() const { return pattern_.bytes - pattern_.window_end; }
  // The first state that has the window.
  __device__ std::uint32_t first_with_window() const { return pattern_.window_end; }

private:
  // The beginnings that `byte` is the last one of.
  __device__ std::uint32_t of_begun(std::uint32_t byte) const {
    return static_cast<std::uint32_t>(pattern_.places[byte]) & ((1u << pattern_.bytes) - 1);
  }

  // How far apart two matches are at least.
  __device__ std::uint32_t period() const {
    for (std::uint32_t period = 1; period < pattern_.bytes; ++period) {
      bool is_period = true;
      for (std::uint32_t i = period; i < pattern_.bytes; ++i) is_period &= bytes_[i] == bytes_[i - period];
      if (is_period) return period;
    }
    return pattern_.bytes;
  }

  const Pattern& pattern_;
  const std::uint8_t* bytes_;
  const std::uint32_t field_bits_;
};

// The place of the state in front of the first code of block `block`, without beginnings that have the
// window.
__device__ GSST_RARE_CALL std::uint32_t counting_place_before_block(const SearchOnDevice& search,
                                                                    std::uint32_t block) {
  const CountedPattern pattern(search);
  const std::uint32_t seen = pattern.seen_before(search, block, 0);
  return pattern.place(pattern.state(pattern.without_window(seen)));
}

// Matches around the place in front of code `code` of block `block` whose window is in front of it.
__device__ GSST_RARE_CALL std::uint32_t count_matches_around(const SearchOnDevice& search,
                                                             std::uint32_t block, std::uint32_t code) {
  const CountedPattern pattern(search);
  std::uint32_t seen = pattern.seen_before(search, block, code);
  // As many bytes as are behind a window: beginnings without it do not become matches.
  TextAfter after(search, block, code);
  std::uint32_t count = 0;
  for (std::uint32_t i = 0; i < pattern.bytes_after_window() && seen != 0; ++i) {
    const std::int32_t byte = after.next();
    if (byte == no_byte) break;
    seen = pattern.after_byte_of_begun(seen, static_cast<std::uint32_t>(byte));
    count += pattern.matches(seen);
  }
  return count;
}

}  // namespace
}  // namespace gsst::search::kernels
