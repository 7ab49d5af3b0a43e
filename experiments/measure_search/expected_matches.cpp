#include "experiments/measure_search/expected_matches.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <thread>

#include "experiments/measure/shared/error.hpp"

namespace gsst::experiments {
namespace {

// Places of [begin, end) where `pattern` begins; a match may end past `end`.
std::vector<std::uint64_t> positions_between(std::span<const std::uint8_t> text, std::size_t begin,
                                             std::size_t end, const std::string& pattern) {
  std::vector<std::uint64_t> positions;
  const std::size_t after = std::min(text.size(), end + pattern.size() - 1);
  while (begin < after) {
    const void* const found = ::memmem(text.data() + begin, after - begin, pattern.data(), pattern.size());
    if (found == nullptr) break;
    const auto place = static_cast<std::size_t>(static_cast<const std::uint8_t*>(found) - text.data());
    positions.push_back(place);
    begin = place + 1;
  }
  return positions;
}

}  // namespace

ExpectedMatches::ExpectedMatches(std::span<const std::uint8_t> text, const std::string& pattern,
                                 unsigned threads)
    : is_expected_(text.size()) {
  if (pattern.empty()) throw InputError("a pattern has a byte at least");
  const std::size_t parts = std::max(1u, threads);
  std::vector<std::vector<std::uint64_t>> of_parts(parts);
  {
    std::vector<std::jthread> workers;
    for (std::size_t part = 0; part < parts; ++part) {
      workers.emplace_back([&, part] {
        of_parts[part] =
            positions_between(text, text.size() * part / parts, text.size() * (part + 1) / parts, pattern);
      });
    }
  }
  for (const std::vector<std::uint64_t>& part : of_parts) {
    positions_.insert(positions_.end(), part.begin(), part.end());
  }
  for (const std::uint64_t position : positions_) is_expected_[position] = true;
}

bool ExpectedMatches::are(std::span<const std::uint64_t> found) {
  bool are_expected = found.size() == positions_.size();
  for (const std::uint64_t position : found) {
    are_expected = are_expected && position < is_expected_.size() && is_expected_[position];
    if (!are_expected) break;
    // A second time it is one too many.
    is_expected_[position] = false;
  }
  for (const std::uint64_t position : positions_) is_expected_[position] = true;
  return are_expected;
}

}  // namespace gsst::experiments
