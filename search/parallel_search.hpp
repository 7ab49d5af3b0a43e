#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "search/line_search.hpp"
#include "search/matcher.hpp"

namespace gsst::search {

/// Feeds a text to a LineSearch, whose matches several threads find. Holds a bounded part of the text.
class ParallelSearch {
public:
  /// Both must outlive this object; `lines` searches with `matcher`.
  ParallelSearch(const Matcher& matcher, LineSearch& lines, unsigned threads)
      : matcher_(matcher), lines_(lines), threads_(threads) {}

  /// The next bytes of the text. They are searched now or later.
  void take(std::string_view text);
  /// Searches what was taken.
  void flush();

private:
  struct Piece {
    std::string text;
    std::vector<std::size_t> matched_lines;
  };

  const Matcher& matcher_;
  LineSearch& lines_;
  unsigned threads_;
  // The first `filled_` wait to be searched, and the one after them has room left. Their memory is kept.
  std::vector<Piece> pieces_;
  std::size_t filled_ = 0;
};

}  // namespace gsst::search
