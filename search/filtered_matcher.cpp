#include "search/filtered_matcher.hpp"

#include <algorithm>

namespace gsst::search {
namespace {

// Where lines with a word, but without a match, come closer than this, looking at each takes longer than
// searching all of the text.
constexpr std::size_t least_line_distance = 512;
// Lines after which that is known.
constexpr std::size_t least_lines = 8;
// Bytes that are searched then, before words are looked for again.
constexpr std::size_t searched_bytes = std::size_t{64} << 10;

std::size_t end_of_line(std::string_view text, std::size_t position) {
  return position >= text.size() ? text.size() : text.find('\n', position) + 1;
}

}  // namespace

std::optional<Match> FilteredMatcher::find(std::string_view text, std::size_t from) const {
  std::size_t searched_to = from;
  std::size_t lines = 0;
  while (searched_to < text.size()) {
    std::size_t end = 0;
    if (lines >= least_lines && searched_to - from < lines * least_line_distance) {
      end = end_of_line(text, searched_to + searched_bytes);
      lines = 0;
    } else {
      const std::optional<std::size_t> word = words_.find(text, searched_to);
      if (!word) return std::nullopt;
      // The match may begin before the word.
      if (*word > searched_to) searched_to = std::max(searched_to, text.rfind('\n', *word - 1) + 1);
      end = end_of_line(text, *word);
      ++lines;
    }
    if (const auto match = inner_->find(text.substr(0, end), searched_to)) return match;
    searched_to = end;
  }
  return std::nullopt;
}

std::optional<Match> FilteredMatcher::find_shorter(std::string_view text, const Match& match) const {
  return inner_->find_shorter(text, match);
}

}  // namespace gsst::search
