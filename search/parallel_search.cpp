#include "search/parallel_search.hpp"

#include <algorithm>

#include "reference_cpu/parallel.hpp"

namespace gsst::search {
namespace {

// Enough to be worth handing to a thread.
constexpr std::size_t piece_bytes = std::size_t{1} << 20;

}  // namespace

void ParallelSearch::take(std::string_view text) {
  if (threads_ == 1) {
    lines_.take(text);
    return;
  }
  while (!text.empty()) {
    if (filled_ == threads_) flush();
    if (filled_ == pieces_.size()) pieces_.emplace_back();
    std::string& piece = pieces_[filled_].text;
    const std::size_t count = std::min(text.size(), piece_bytes - piece.size());
    piece += text.substr(0, count);
    text.remove_prefix(count);
    if (piece.size() == piece_bytes) ++filled_;
  }
}

void ParallelSearch::flush() {
  const std::size_t count = std::min(filled_ + 1, pieces_.size());
  if (count == 1) {
    lines_.take(pieces_.front().text);
    pieces_.front().text.clear();
  }
  if (count <= 1) return;
  reference::parallel_for(count, threads_, [&](std::size_t i) {
    pieces_[i].matched_lines = find_matched_lines(matcher_, pieces_[i].text);
  });
  for (std::size_t i = 0; i < count; ++i) {
    lines_.take(pieces_[i].text, pieces_[i].matched_lines);
    pieces_[i].text.clear();
  }
  filled_ = 0;
}

}  // namespace gsst::search
