#include "experiments/measure_ranges/range_lists.hpp"

#include <algorithm>
#include <random>

#include "experiments/measure/error.hpp"

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

std::string range_pattern_name(RangePattern pattern) {
  switch (pattern) {
    case RangePattern::scattered:
      return "scattered";
    case RangePattern::shuffled:
      return "shuffled";
    case RangePattern::clustered:
      return "clustered";
  }
  return "unknown";
}

std::vector<gsst_range> make_range_list(const RangeListRequest& request) {
  if (!(request.selectivity > 0) || request.selectivity > 1) {
    throw InputError("a selectivity is " + std::to_string(request.selectivity) +
                     "; it must be above 0 and at most 1");
  }
  if (request.range_bytes == 0 || request.range_bytes > request.text_bytes) {
    throw InputError("ranges of " + std::to_string(request.range_bytes) + " bytes of a text of " +
                     std::to_string(request.text_bytes));
  }
  // A range can be at any multiple of its size.
  const std::uint64_t places = request.text_bytes / request.range_bytes;
  const bool is_clustered = request.pattern == RangePattern::clustered;
  const std::uint64_t run = is_clustered ? std::min(ranges_per_cluster, places) : 1;
  const std::uint64_t run_places = places / run;
  const auto wanted = static_cast<std::uint64_t>(request.selectivity * static_cast<double>(run_places));
  std::mt19937_64 random(seed);
  std::vector<std::uint64_t> runs =
      spread(std::clamp<std::uint64_t>(wanted, 1, run_places), run_places, random);
  if (request.pattern == RangePattern::shuffled) std::ranges::shuffle(runs, random);
  std::vector<gsst_range> ranges;
  for (const std::uint64_t first : runs) {
    for (std::uint64_t place = first * run; place < (first + 1) * run; ++place) {
      ranges.push_back({.offset = place * request.range_bytes,
                        .bytes = request.range_bytes,
                        .output_offset = ranges.size() * request.range_bytes});
    }
  }
  return ranges;
}

}  // namespace gsst::experiments
