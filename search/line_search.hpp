#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "search/line_printer.hpp"
#include "search/matcher.hpp"

namespace gsst::search {

/// What to do with lines.
struct LineSettings {
  /// Lines without a match are selected.
  bool invert = false;
  /// Nothing is printed for lines.
  bool quiet = false;
  /// Matches are printed alone, each on its line.
  bool only_matches = false;
  /// Places are told with the line's number.
  bool count_lines = false;
  /// Groups of lines are separated, as they are where context is asked for.
  bool separate_groups = false;
  std::uint64_t lines_before = 0;
  std::uint64_t lines_after = 0;
  /// Lines to select at most.
  std::optional<std::uint64_t> max_selected = std::nullopt;
};

/// Whether lines without a match are printed or selected: then none can be skipped.
bool needs_all_lines(const LineSettings& settings);

/// Where the lines of `text` begin that have a match. Goes over whole lines only, and takes the text's start
/// for that of a line.
std::vector<std::size_t> find_matched_lines(const Matcher& matcher, std::string_view text);

/// Selects lines of one text, which comes in pieces, and prints them. Holds the line at a piece's end, and
/// as many lines before it as are asked for as context.
class LineSearch {
public:
  /// The three must outlive this object.
  LineSearch(const Matcher& matcher, const LineSettings& settings, LinePrinter& printer)
      : matcher_(matcher), settings_(settings), printer_(printer), has_all_(settings.max_selected == 0) {}

  /// Searches the next bytes of the text.
  void take(std::string_view piece);
  /// The same for bytes of which find_matched_lines() is known.
  void take(std::string_view piece, std::span<const std::size_t> matched_lines);
  /// Goes over lines that are not selected, without seeing them: at the start of a line, and where
  /// needs_all_lines() is not true.
  void skip(std::uint64_t bytes, std::uint64_t line_ends);
  /// To be called after the last piece.
  void finish();
  /// Whether the rest of the text changes nothing.
  bool is_done() const { return has_all_ && lines_to_follow_ == 0; }
  std::uint64_t selected() const { return selected_; }

private:
  struct ContextLine {
    Place place;
    std::string text;
  };

  template <typename FindLine>
  void take_with(std::string_view piece, const FindLine& find_line);
  template <typename FindLine>
  void search_lines(std::string_view lines, const FindLine& find_line);
  std::size_t find_matched_line(std::string_view lines) const;
  void pass_over(std::string_view lines);
  void select(std::string_view line);
  void select_each(std::string_view lines);
  void print_context_before();
  void print_line(const Place& place, std::string_view line, bool is_selected);
  void print_matches(const Place& place, std::string_view line, bool is_selected);
  void remember(std::string_view lines);
  void advance(std::string_view lines);

  const Matcher& matcher_;
  const LineSettings& settings_;
  LinePrinter& printer_;
  // The start of a line whose end is yet to come.
  std::string unfinished_;
  // Of the next line to look at.
  Place place_{.line_number = 1, .byte_offset = 0};
  // The last lines, where a selected line may want them.
  std::deque<ContextLine> before_;
  std::uint64_t lines_to_follow_ = 0;
  // Where the last printed line ends.
  std::optional<std::uint64_t> printed_to_;
  std::uint64_t selected_ = 0;
  bool has_all_;
};

}  // namespace gsst::search
