#include "search/codes/window.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <utility>

namespace gsst::search::codes {
namespace {

// Windows of a long literal that are counted in the sample: more would take longer than they save.
constexpr std::size_t most_windows = 64;

std::size_t count(std::span<const std::uint8_t> text, std::span<const std::uint8_t> window) {
  std::size_t found = 0;
  const std::uint8_t* from = text.data();
  const std::uint8_t* const end = from + text.size();
  while (from != end) {
    const void* const place =
        ::memmem(from, static_cast<std::size_t>(end - from), window.data(), window.size());
    if (place == nullptr) break;
    ++found;
    from = static_cast<const std::uint8_t*>(place) + 1;
  }
  return found;
}

// How likely each byte is, as a logarithm.
std::array<double, 256> byte_weights(std::span<const std::uint8_t> text) {
  std::array<std::size_t, 256> counts{};
  for (const std::uint8_t byte : text) ++counts[byte];
  std::array<double, 256> weights{};
  std::ranges::transform(counts, weights.begin(),
                         [](std::size_t times) { return std::log2(static_cast<double>(times) + 1); });
  return weights;
}

}  // namespace

Window choose_window(const Literal& literal, std::size_t most_bytes, std::span<const std::uint8_t> sample) {
  const std::size_t bytes = std::min(most_bytes, literal.size());
  const std::size_t places = literal.size() - bytes + 1;
  std::vector<std::uint8_t> folded(sample.begin(), sample.end());
  literal.fold_text(folded);
  const std::array<double, 256> weights = byte_weights(folded);

  std::size_t best = 0;
  std::pair<std::size_t, double> least{};
  const std::size_t windows = places == 1 ? 0 : std::min(places, most_windows);
  for (std::size_t i = 0; i < windows; ++i) {
    const std::size_t begin = i * (places - 1) / (windows - 1);
    const auto window = literal.bytes().subspan(begin, bytes);
    double weight = 0;
    for (const std::uint8_t byte : window) weight += weights[byte];
    const std::pair<std::size_t, double> rank{count(folded, window), weight};
    if (i != 0 && rank >= least) continue;
    least = rank;
    best = begin;
  }
  const auto window = literal.bytes().subspan(best, bytes);
  return {.begin = best, .bytes = {window.begin(), window.end()}};
}

}  // namespace gsst::search::codes
