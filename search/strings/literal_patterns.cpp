#include "search/strings/literal_patterns.hpp"

#include "search/strings/folding.hpp"

namespace gsst::search {
namespace {

std::string text_to_compare(std::string_view text, bool ignore_case) {
  return ignore_case ? folded(text) : std::string(text);
}

}  // namespace

SubstringPattern::SubstringPattern(const std::string& substring, bool ignore_case) : size_(substring.size()) {
  if (!substring.empty()) finder_.emplace(std::vector{substring}, ignore_case);
}

std::optional<Match> SubstringPattern::find(std::string_view string, std::size_t from) const {
  if (!finder_) return Match{from, from};
  const std::optional<std::size_t> begin = finder_->find(string, from);
  return begin ? std::optional(Match{*begin, *begin + size_}) : std::nullopt;
}

PrefixPattern::PrefixPattern(std::string_view prefix, bool ignore_case)
    : prefix_(text_to_compare(prefix, ignore_case)), ignore_case_(ignore_case) {}

std::optional<Match> PrefixPattern::find(std::string_view string, std::size_t from) const {
  if (from != 0 || !equals_folded(string.substr(0, prefix_.size()), prefix_, ignore_case_)) {
    return std::nullopt;
  }
  return Match{0, prefix_.size()};
}

SuffixPattern::SuffixPattern(std::string_view suffix, bool ignore_case)
    : suffix_(text_to_compare(suffix, ignore_case)), ignore_case_(ignore_case) {}

std::optional<Match> SuffixPattern::find(std::string_view string, std::size_t from) const {
  if (string.size() - from < suffix_.size()) return std::nullopt;
  const std::size_t begin = string.size() - suffix_.size();
  if (!equals_folded(string.substr(begin), suffix_, ignore_case_)) return std::nullopt;
  return Match{begin, string.size()};
}

EqualsPattern::EqualsPattern(const std::vector<std::string>& strings, bool ignore_case)
    : ignore_case_(ignore_case) {
  for (const std::string& string : strings) strings_.insert(text_to_compare(string, ignore_case));
}

std::optional<Match> EqualsPattern::find(std::string_view string, std::size_t from) const {
  if (from != 0) return std::nullopt;
  const bool is_there =
      ignore_case_ ? strings_.contains(folded(string)) : strings_.find(string) != strings_.end();
  return is_there ? std::optional(Match{0, string.size()}) : std::nullopt;
}

}  // namespace gsst::search
