#include "experiments/measure_search/expected_matches.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <thread>

#include "experiments/measure/shared/error.hpp"

namespace gsst::experiments {
namespace {

constexpr std::uint64_t word_bits = 64;

// Calls `work` with 0 to `count` - 1, each in a thread of its own, and waits.
template <typename Work>
void in_threads(std::size_t count, const Work& work) {
  std::vector<std::jthread> threads;
  threads.reserve(count);
  for (std::size_t i = 0; i < count; ++i) threads.emplace_back([&work, i] { work(i); });
}

// Places of [begin, end) where `pattern` begins; a match may end past `end`.
std::vector<std::uint64_t> positions_between(std::span<const std::uint8_t> text, std::uint64_t begin,
                                             std::uint64_t end, const std::string& pattern) {
  std::vector<std::uint64_t> positions;
  const std::uint64_t after = std::min<std::uint64_t>(text.size(), end + pattern.size() - 1);
  while (begin < after) {
    const void* const found = ::memmem(text.data() + begin, after - begin, pattern.data(), pattern.size());
    if (found == nullptr) break;
    const auto place = static_cast<std::uint64_t>(static_cast<const std::uint8_t*>(found) - text.data());
    positions.push_back(place);
    begin = place + 1;
  }
  return positions;
}

}  // namespace

ExpectedMatches::ExpectedMatches(std::span<const std::uint8_t> text, const std::string& pattern,
                                 unsigned threads)
    // Threads have no word of bits in common.
    : part_bytes_((text.size() / std::max(1u, threads) / word_bits + 1) * word_bits),
      parts_(std::max(1u, threads)) {
  if (pattern.empty()) throw InputError("a pattern has a byte at least");
  in_threads(parts_.size(), [&](std::size_t number) {
    Part& part = parts_[number];
    const std::uint64_t begin = number * part_bytes_;
    if (begin >= text.size()) return;
    part.positions =
        positions_between(text, begin, std::min<std::uint64_t>(text.size(), begin + part_bytes_), pattern);
    part.is_expected.resize(part_bytes_ / word_bits);
    expect_all(part, begin);
  });
  for (const Part& part : parts_) count_ += part.positions.size();
}

bool ExpectedMatches::are(std::span<const std::uint64_t> found) {
  if (found.size() != count_) return false;
  std::atomic<bool> are_expected = true;
  in_threads(parts_.size(), [&](std::size_t number) {
    const std::size_t begin = found.size() * number / parts_.size();
    const std::size_t end = found.size() * (number + 1) / parts_.size();
    for (const std::uint64_t position : found.subspan(begin, end - begin)) {
      if (take(position)) continue;
      are_expected = false;
      break;
    }
  });
  in_threads(parts_.size(), [&](std::size_t number) { expect_all(parts_[number], number * part_bytes_); });
  return are_expected;
}

void ExpectedMatches::expect_all(Part& part, std::uint64_t begin) {
  for (const std::uint64_t position : part.positions) {
    const std::uint64_t place = position - begin;
    part.is_expected[place / word_bits] |= std::uint64_t{1} << (place % word_bits);
  }
}

bool ExpectedMatches::take(std::uint64_t position) {
  const std::uint64_t number = position / part_bytes_;
  if (number >= parts_.size() || parts_[number].is_expected.empty()) return false;
  const std::uint64_t place = position % part_bytes_;
  const std::uint64_t bit = std::uint64_t{1} << (place % word_bits);
  std::atomic_ref<std::uint64_t> word(parts_[number].is_expected[place / word_bits]);
  return (word.fetch_and(~bit, std::memory_order_relaxed) & bit) != 0;
}

}  // namespace gsst::experiments
