#include "search/strings/text_matches.hpp"

#include <algorithm>
#include <utility>

#include "reference_cpu/parallel.hpp"

namespace gsst::search {
namespace {

// Enough to be worth handing to a thread.
constexpr std::size_t bytes_of_thread = std::size_t{1} << 20;

}  // namespace

TextMatches::TextMatches(const Patterns& patterns, unsigned threads, Sink sink)
    : patterns_(patterns), threads_(threads), sink_(std::move(sink)), enough_(threads * bytes_of_thread) {}

void TextMatches::take(std::string_view text) {
  taken_ += text;
  if (taken_.size() >= enough_) search_taken(false);
}

void TextMatches::skip(std::uint64_t bytes) {
  search_taken(true);
  taken_begin_ += bytes;
}

void TextMatches::search_taken(bool is_all) {
  const std::size_t end = end_of_known_matches(is_all);
  std::vector<Piece> pieces = pieces_before(end);
  reference::parallel_for(pieces.size(), threads_, [&](std::size_t i) { search(pieces[i]); });
  for (const Piece& piece : pieces) {
    for (const Match& match : piece.matches) sink_(taken_begin_ + match.begin, match.end - match.begin);
  }
  // A match may reach beyond.
  const std::size_t last_end =
      pieces.empty() || pieces.back().matches.empty() ? 0 : pieces.back().matches.back().end;
  from_ = std::max({from_, end, last_end}) - end;
  if (is_all) from_ = 0;
  taken_.erase(0, end);
  taken_begin_ += end;
  // A line that does not end is not looked at again with each piece.
  enough_ = std::max(threads_ * bytes_of_thread, 2 * taken_.size());
}

// Bytes of the text that was taken before which all is known of matches that begin there.
std::size_t TextMatches::end_of_known_matches(bool is_all) const {
  if (is_all) return taken_.size();
  if (!patterns_.has_substrings_alone()) return taken_.rfind('\n') + 1;
  return taken_.size() - std::min(taken_.size(), std::max<std::size_t>(patterns_.longest(), 1) - 1);
}

// Cut behind line ends, which no match reaches over; where matches may, not cut.
std::vector<TextMatches::Piece> TextMatches::pieces_before(std::size_t end) const {
  std::vector<Piece> pieces;
  const bool is_cut = threads_ > 1 && !(patterns_.has_substrings_alone() && patterns_.has_line_end());
  for (std::size_t begin = 0; begin < end;) {
    std::size_t piece_end = end;
    if (is_cut && end - begin > bytes_of_thread) {
      const std::size_t line_end = taken_.find('\n', begin + bytes_of_thread - 1);
      piece_end = line_end == std::string::npos ? end : std::min(line_end + 1, end);
    }
    pieces.push_back({.begin = begin, .end = piece_end});
    begin = piece_end;
  }
  return pieces;
}

void TextMatches::search(Piece& piece) const {
  if (!patterns_.has_substrings_alone()) return search_lines(piece);
  const std::string_view text = std::string_view(taken_).substr(0, piece.end + patterns_.longest());
  if (from_ > text.size()) return;
  MatchScan scan(patterns_);
  scan.start(text, std::max(piece.begin, from_));
  for (auto match = scan.next(); match && match->begin < piece.end; match = scan.next()) {
    piece.matches.push_back(*match);
  }
}

void TextMatches::search_lines(Piece& piece) const {
  const std::string_view text = std::string_view(taken_).substr(0, piece.end);
  MatchScan scan(patterns_);
  for (std::size_t begin = piece.begin; begin < piece.end;) {
    std::size_t looked_at = begin;
    if (patterns_.word_finder()) {
      const auto word = patterns_.word_finder()->find(text, begin);
      if (!word) return;
      looked_at = *word;
      if (looked_at > begin) begin = std::max(begin, text.rfind('\n', looked_at - 1) + 1);
    }
    const std::size_t end = std::min(text.find('\n', looked_at), text.size());
    scan.start(text.substr(begin, end - begin));
    while (const auto match = scan.next()) {
      piece.matches.push_back({begin + match->begin, begin + match->end});
    }
    begin = end + 1;
  }
}

}  // namespace gsst::search
