#include "experiments/measure/kinds/ranges/range_lists.hpp"

#include <algorithm>
#include <random>

#include "experiments/measure/shared/error.hpp"

namespace gsst::experiments {
namespace {

constexpr std::uint64_t seed = 2026;

// `count` numbers of 0 to `places` - 1 without repetition, rising: one in each of `count` equal parts.
std::vector<std::uint64_t> spread(std::uint64_t count, std::uint64_t places, std::mt19937_64& random) {
  std::vector<std::uint64_t> chosen(count);
  const double part = static_cast<double>(places) / static_cast<double>(count);
  for (std::uint64_t i = 0; i < count; ++i) {
    const auto begin = static_cast<std::uint64_t>(static_cast<double>(i) * part);
    const auto end = static_cast<std::uint64_t>(static_cast<double>(i + 1) * part);
    chosen[i] = begin + random() % std::max<std::uint64_t>(1, std::min(end, places) - begin);
  }
  return chosen;
}

}  // namespace

std::vector<gsst_range> make_range_list(const WantedRanges& wanted, std::uint64_t text_bytes) {
  if (!(wanted.selectivity > 0) || wanted.selectivity > 1) {
    throw InputError("a selectivity is " + std::to_string(wanted.selectivity) +
                     "; it must be above 0 and at most 1");
  }
  if (wanted.range_bytes == 0 || wanted.range_bytes > text_bytes) {
    throw InputError("ranges of " + std::to_string(wanted.range_bytes) + " bytes of a text of " +
                     std::to_string(text_bytes));
  }
  // A range can be at any multiple of its size.
  const std::uint64_t places = text_bytes / wanted.range_bytes;
  const bool is_clustered = wanted.pattern == RangePattern::clustered;
  const std::uint64_t run = is_clustered ? std::min(ranges_per_cluster, places) : 1;
  const std::uint64_t run_places = places / run;
  const auto wanted_runs = static_cast<std::uint64_t>(wanted.selectivity * static_cast<double>(run_places));
  std::mt19937_64 random(seed);
  std::vector<std::uint64_t> runs =
      spread(std::clamp<std::uint64_t>(wanted_runs, 1, run_places), run_places, random);
  if (wanted.pattern == RangePattern::shuffled) std::ranges::shuffle(runs, random);
  std::vector<gsst_range> ranges;
  for (const std::uint64_t first : runs) {
    for (std::uint64_t place = first * run; place < (first + 1) * run; ++place) {
      ranges.push_back({.offset = place * wanted.range_bytes,
                        .bytes = wanted.range_bytes,
                        .output_offset = ranges.size() * wanted.range_bytes});
    }
  }
  return ranges;
}

}  // namespace gsst::experiments
