#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "search/matcher.hpp"
#include "search/strings/match_scan.hpp"
#include "search/strings/patterns.hpp"

namespace gsst::search {

/// Finds the matches of patterns in a text that comes in pieces: in each line by itself, which its line end
/// is no part of, or, of substrings alone, in the whole text.
class TextMatches {
public:
  /// Gets where a match begins and its bytes, which are 1 or more. Matches come in order.
  using Sink = std::function<void(std::uint64_t begin, std::uint64_t bytes)>;

  /// `patterns` must outlive this object. `threads`: not 0.
  TextMatches(const Patterns& patterns, unsigned threads, Sink sink);

  /// The next bytes of the text. They are searched now or later.
  void take(std::string_view text);
  /// Goes over bytes that no match has any of: whole lines, from the start of a line on.
  void skip(std::uint64_t bytes);
  /// To be called after the last piece.
  void finish() { search_taken(true); }

private:
  // Of the text that was taken, and what begins in it.
  struct Piece {
    std::size_t begin;
    std::size_t end;
    std::vector<Match> matches = {};
  };

  void search_taken(bool is_all);
  std::size_t end_of_known_matches(bool is_all) const;
  std::vector<Piece> pieces_before(std::size_t end) const;
  void search(Piece& piece) const;
  void search_lines(Piece& piece) const;

  const Patterns& patterns_;
  unsigned threads_;
  Sink sink_;
  // Text whose matches are not all known, where it begins, and where in it the next match may begin.
  std::string taken_;
  std::uint64_t taken_begin_ = 0;
  std::size_t from_ = 0;
  // Bytes that are worth a search.
  std::size_t enough_;
};

}  // namespace gsst::search
