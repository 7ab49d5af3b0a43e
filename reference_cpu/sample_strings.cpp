#include "reference_cpu/sample_strings.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>
#include <utility>

#include "reference_cpu/symbol_matcher.hpp"

namespace gsst::reference {
namespace {

using format::max_symbol_length;

// A position's next 8 bytes, the first one highest: in this order strings that start alike stand together.
struct Start {
  std::uint64_t word;
  std::uint32_t position;
};

// By their bytes from the last to the first: a comparison of two words would be mispredicted at every other
// one. Equal words keep their order.
void sort_by_word(std::vector<Start>& starts) {
  std::vector<Start> sorted(starts.size());
  for (unsigned shift = 0; shift < 64; shift += 8) {
    std::array<std::uint32_t, 257> begins{};
    for (const Start& start : starts) ++begins[(start.word >> shift & 0xff) + 1];
    std::partial_sum(begins.begin(), begins.end(), begins.begin());
    for (const Start& start : starts) sorted[begins[start.word >> shift & 0xff]++] = start;
    std::swap(starts, sorted);
  }
}

std::vector<Start> sorted_starts(std::span<const std::span<const std::uint8_t>> pieces) {
  std::vector<Start> starts;
  for (const std::span<const std::uint8_t> piece : pieces) {
    for (std::size_t i = 0; i < piece.size(); ++i) {
      const std::size_t left = piece.size() - i;
      const std::uint64_t word =
          left >= 8 ? load_word(piece.data() + i) : load_partial_word(piece.data() + i, left);
      starts.push_back(
          {.word = __builtin_bswap64(word), .position = static_cast<std::uint32_t>(starts.size())});
    }
  }
  sort_by_word(starts);
  return starts;
}

// Bytes that both words start with.
unsigned common_bytes(std::uint64_t left, std::uint64_t right) {
  return static_cast<unsigned>(std::countl_zero(left ^ right)) / 8;
}

}  // namespace

SampleStrings::SampleStrings(std::span<const std::span<const std::uint8_t>> pieces) : strings_(1) {
  const std::vector<Start> starts = sorted_starts(pieces);
  numbers_.resize(starts.size());
  Numbers current{};
  unsigned common_with_previous = 0;
  for (std::size_t i = 0; i < starts.size(); ++i) {
    const unsigned common_with_next =
        i + 1 < starts.size() ? common_bytes(starts[i].word, starts[i + 1].word) : 0;
    for (unsigned length = common_with_previous + 1; length <= max_symbol_length; ++length) {
      current[length - 1] = occurs_once;
      if (length > common_with_next) continue;
      current[length - 1] = static_cast<std::uint32_t>(strings_.size());
      strings_.push_back({.bytes = first_bytes(__builtin_bswap64(starts[i].word), length), .length = length});
    }
    numbers_[starts[i].position] = current;
    common_with_previous = common_with_next;
  }

  for (const std::span<const std::uint8_t> piece : pieces) {
    for (std::size_t left = piece.size(); left > 0; --left) {
      const Numbers& numbers = numbers_[repeated_.size()];
      unsigned length = 0;
      while (length < std::min<std::size_t>(left, max_symbol_length) && numbers[length] != occurs_once)
        ++length;
      repeated_.push_back(static_cast<std::uint8_t>((1u << length) - 1));
    }
  }
}

}  // namespace gsst::reference
