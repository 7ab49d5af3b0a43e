#include "library/column_search.hpp"

#include <algorithm>
#include <cctype>
#include <optional>
#include <string>
#include <utility>

#include "library/block_strings.hpp"
#include "library/column_borders.hpp"
#include "library/frame_search.hpp"
#include "reference_cpu/parallel.hpp"
#include "search/strings/match_scan.hpp"

namespace gsst::library {
namespace {

// Whether a match in a string can have `word`: no string holds the separator.
bool is_word_of_strings(const std::string& word, bool ignores_case, std::optional<std::uint8_t> separator) {
  if (!separator) return true;
  // A letter of the word may stand for other bytes.
  if (ignores_case && (*separator >= 0x80 || std::isalpha(*separator) != 0)) return true;
  return word.find(static_cast<char>(*separator)) == std::string::npos;
}

// Searches all strings of one column.
class ColumnSearch {
public:
  ColumnSearch(const search::Patterns& patterns, ColumnBorders column, const DecompressOptions& options,
               MatchQuestion question)
      : patterns_(patterns),
        question_(question),
        frame_(column.frame, options, literals_of(patterns)),
        column_(std::move(column)) {}

  ColumnMatches run() {
    answer_strings_without_bytes();
    if (patterns_.needs_words() && !has_word_of_strings()) return take();
    const std::size_t workers = std::min<std::uint64_t>(frame_.threads(), frame_.block_count());
    std::vector<CutStrings> cut(frame_.block_count());
    // Neighbours to the same thread: they may have the same table.
    reference::parallel_for(workers, frame_.threads(), [&](std::size_t i) {
      SearchedFrame::Worker worker(frame_);
      search::MatchScan scan(patterns_);
      const StringVisitor visit = [&](std::uint64_t string, std::string_view bytes) {
        found_[string] = answer(scan, bytes);
      };
      const std::uint64_t end = frame_.block_count() * (i + 1) / workers;
      for (std::uint64_t block = frame_.block_count() * i / workers; block < end; ++block) {
        cut[block] = visit_strings(frame_, worker, block, strings_of(block), borders(), patterns_, visit);
      }
    });
    search_cut_strings(cut);
    return take();
  }

private:
  void answer_strings_without_bytes() {
    if (question_ != MatchQuestion::is_there || !patterns_.matches("")) return;
    for (std::uint64_t string = 0; string < column_.string_count(); ++string) {
      if (borders().bytes_of(string) == 0 && !column_.is_null(string)) found_[string] = 1;
    }
  }

  bool has_word_of_strings() const {
    return std::ranges::any_of(patterns_.words(), [&](const std::string& word) {
      return is_word_of_strings(word, patterns_.words_ignore_case(), column_.separator);
    });
  }

  // The answers, and which of them are of nulls.
  ColumnMatches take() {
    return {.of_strings = std::move(found_),
            .validity = std::move(column_.validity),
            .null_count = column_.null_count,
            .offset_width = column_.offset_width};
  }

  StringBorders borders() const {
    return {.begins = column_.begins, .separator_bytes = column_.separator_bytes()};
  }

  StringsOfBlock strings_of(std::uint64_t block) const {
    const BlockPlace place = frame_.plan().block(block);
    return strings_of_block(borders(), place.uncompressed_offset,
                            place.uncompressed_offset + place.uncompressed_bytes);
  }

  std::uint64_t answer(search::MatchScan& scan, std::string_view string) const {
    if (question_ == MatchQuestion::is_there) return patterns_.matches(string) ? 1 : 0;
    std::uint64_t count = 0;
    scan.start(string);
    while (scan.next()) ++count;
    return count;
  }

  // Strings that borders of blocks cut: all are looked at.
  void search_cut_strings(std::vector<CutStrings>& cut) {
    search::MatchScan scan(patterns_);
    std::string string;
    for (std::uint64_t block = 0; block < cut.size(); ++block) {
      const StringsOfBlock strings = strings_of(block);
      string += std::exchange(cut[block].head, {});
      if (!strings.has_border(borders())) continue;
      // With what is after it.
      if (!string.empty()) {
        string.resize(borders().bytes_of(strings.first - 1));
        found_[strings.first - 1] = answer(scan, string);
      }
      string = std::exchange(cut[block].tail, {});
    }
  }

  const search::Patterns& patterns_;
  MatchQuestion question_;
  SearchedFrame frame_;
  ColumnBorders column_;
  std::vector<std::uint64_t> found_ = std::vector<std::uint64_t>(column_.string_count());
};

}  // namespace

ColumnMatches find_in_column(const search::Patterns& patterns, std::span<const std::uint8_t> column,
                             const DecompressOptions& options, MatchQuestion question) {
  return ColumnSearch(patterns, column_borders(column, options), options, question).run();
}

}  // namespace gsst::library
