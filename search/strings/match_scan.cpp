#include "search/strings/match_scan.hpp"

#include <algorithm>

namespace gsst::search {

void MatchScan::start(std::string_view string, std::size_t from) {
  string_ = string;
  from_ = from;
  std::ranges::fill(next_, Next());
}

std::optional<Match> MatchScan::next() {
  while (from_ <= string_.size()) {
    std::optional<Match> best;
    for (std::size_t i = 0; i < next_.size(); ++i) {
      Next& of = next_[i];
      // Else each match would cost a search for all others up to the string's end.
      if (!of.is_known || (of.match && of.match->begin < from_)) {
        of = {.is_known = true, .match = patterns_.matchers()[i]->find(string_, from_)};
      }
      if (!of.match) continue;
      const bool is_better = !best || of.match->begin < best->begin ||
                             (of.match->begin == best->begin && of.match->end > best->end);
      if (is_better) best = of.match;
    }
    if (!best) break;
    from_ = std::max(best->end, best->begin + 1);
    if (best->end > best->begin) return best;
  }
  return std::nullopt;
}

}  // namespace gsst::search
