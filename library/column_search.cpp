#include "library/column_search.hpp"

#include <algorithm>
#include <utility>

#include "common/format/gsst/string_column.hpp"
#include "library/block_strings.hpp"
#include "library/column.hpp"
#include "library/frame_search.hpp"
#include "reference_cpu/parallel.hpp"
#include "search/strings/match_scan.hpp"

namespace gsst::library {
namespace {

// Searches all strings of one column.
class ColumnSearch {
public:
  ColumnSearch(const search::Patterns& patterns, const format::StringColumnView& view,
               const DecompressOptions& options, MatchQuestion question)
      : patterns_(patterns),
        view_(view),
        question_(question),
        frame_(view.frame, options, literals_of(patterns)),
        borders_(view.string_count + 1) {
    format::check_column_frame(view, frame_.plan().summary().uncompressed_bytes);
    found_ = {.of_strings = std::vector<std::uint64_t>(view.string_count),
              .validity = std::vector<std::uint8_t>(view.null_count == 0 ? 0 : (view.string_count + 7) / 8),
              .null_count = view.null_count,
              .offset_width = view.type.offset_width};
  }

  ColumnMatches run() {
    read_groups();
    if (patterns_.needs_words() && patterns_.words().empty()) return std::move(found_);
    const std::size_t workers = std::min<std::uint64_t>(frame_.threads(), frame_.block_count());
    std::vector<CutStrings> cut(frame_.block_count());
    // Neighbours to the same thread: they may have the same table.
    reference::parallel_for(workers, frame_.threads(), [&](std::size_t i) {
      SearchedFrame::Worker worker(frame_);
      search::MatchScan scan(patterns_);
      const StringVisitor visit = [&](std::uint64_t string, std::string_view bytes) {
        found_.of_strings[string] = answer(scan, bytes);
      };
      const std::uint64_t end = frame_.block_count() * (i + 1) / workers;
      for (std::uint64_t block = frame_.block_count() * i / workers; block < end; ++block) {
        cut[block] = visit_strings(frame_, worker, block, strings_of(block), borders_, patterns_, visit);
      }
    });
    search_cut_strings(cut);
    return std::move(found_);
  }

private:
  // Borders, nulls, and what is known of strings without bytes.
  void read_groups() {
    const bool empty_matches = question_ == MatchQuestion::is_there && patterns_.matches("");
    reference::parallel_for(view_.group_count(), frame_.threads(), [&](std::size_t number) {
      const format::StringGroup group = view_.group(number);
      std::uint64_t begin = group.first_byte();
      std::uint64_t string = number * format::strings_per_group;
      for (std::uint32_t i = 0; i < group.string_count(); ++i, ++string) {
        borders_[string] = begin;
        const std::uint64_t bytes = group.length(i);
        begin += bytes;
        if (group.is_null(i)) continue;
        // Groups have whole bytes of it.
        if (!found_.validity.empty()) {
          found_.validity[string / 8] |= static_cast<std::uint8_t>(1U << (string % 8));
        }
        if (bytes == 0) found_.of_strings[string] = empty_matches ? 1 : 0;
      }
    });
    borders_.back() = view_.string_bytes;
  }

  StringsOfBlock strings_of(std::uint64_t block) const {
    const BlockPlace place = frame_.plan().block(block);
    return strings_of_block(borders_, place.uncompressed_offset,
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
      if (!strings.has_border(borders_)) continue;
      if (!string.empty()) found_.of_strings[strings.first - 1] = answer(scan, string);
      string = std::exchange(cut[block].tail, {});
    }
  }

  const search::Patterns& patterns_;
  const format::StringColumnView& view_;
  MatchQuestion question_;
  SearchedFrame frame_;
  std::vector<std::uint64_t> borders_;
  ColumnMatches found_;
};

}  // namespace

ColumnMatches find_in_column(const search::Patterns& patterns, std::span<const std::uint8_t> column,
                             const DecompressOptions& options, MatchQuestion question) {
  const format::StringColumnView view = parse_column(column);
  return ColumnSearch(patterns, view, options, question).run();
}

}  // namespace gsst::library
