#include "search/line_search.hpp"

#include <algorithm>

namespace gsst::search {
namespace {

std::string_view first_line(std::string_view lines) {
  return lines.substr(0, lines.find('\n') + 1);
}

// Where the line begins that the byte at `position` is in.
std::size_t line_begin(std::string_view lines, std::size_t position) {
  return position == 0 ? 0 : lines.rfind('\n', position - 1) + 1;
}

}  // namespace

bool needs_all_lines(const LineSettings& settings) {
  return settings.invert || settings.lines_before > 0 || settings.lines_after > 0;
}

std::vector<std::size_t> find_matched_lines(const Matcher& matcher, std::string_view text) {
  text = text.substr(0, text.rfind('\n') + 1);
  std::vector<std::size_t> begins;
  std::size_t from = 0;
  while (const std::optional<Match> match = matcher.find(text, from)) {
    begins.push_back(line_begin(text, match->begin));
    from = text.find('\n', match->begin) + 1;
  }
  return begins;
}

void LineSearch::take(std::string_view piece) {
  take_with(piece, [&](std::string_view lines) { return find_matched_line(lines); });
}

void LineSearch::take(std::string_view piece, std::span<const std::size_t> matched_lines) {
  take_with(piece, [&](std::string_view lines) {
    const auto begin = static_cast<std::size_t>(lines.data() - piece.data());
    while (!matched_lines.empty() && matched_lines.front() < begin) matched_lines = matched_lines.subspan(1);
    return matched_lines.empty() ? lines.size() : std::min(matched_lines.front() - begin, lines.size());
  });
}

// `find_line` says where the first line with a match begins in whole lines of the piece: at their end if
// there is none.
template <typename FindLine>
void LineSearch::take_with(std::string_view piece, const FindLine& find_line) {
  if (is_done()) return;
  if (!unfinished_.empty()) {
    const std::size_t end = piece.find('\n');
    unfinished_ += piece.substr(0, end == std::string_view::npos ? end : end + 1);
    if (end == std::string_view::npos) return;
    piece.remove_prefix(end + 1);
    finish();
  }
  const std::size_t whole = piece.rfind('\n') + 1;
  search_lines(piece.substr(0, whole), find_line);
  unfinished_ = piece.substr(whole);
}

void LineSearch::skip(std::uint64_t bytes, std::uint64_t line_ends) {
  place_.byte_offset += bytes;
  place_.line_number += line_ends;
}

void LineSearch::finish() {
  if (unfinished_.empty()) return;
  if (unfinished_.back() != '\n') unfinished_ += '\n';
  search_lines(unfinished_, [&](std::string_view lines) { return find_matched_line(lines); });
  unfinished_.clear();
}

std::size_t LineSearch::find_matched_line(std::string_view lines) const {
  const std::optional<Match> match = matcher_.find(lines, 0);
  return match ? line_begin(lines, match->begin) : lines.size();
}

template <typename FindLine>
void LineSearch::search_lines(std::string_view lines, const FindLine& find_line) {
  while (!lines.empty() && !is_done()) {
    const std::size_t begin = has_all_ ? lines.size() : find_line(lines);
    const bool is_matched = begin < lines.size();
    if (settings_.invert && !has_all_) {
      select_each(lines.substr(0, begin));
    } else {
      pass_over(lines.substr(0, begin));
    }
    lines.remove_prefix(begin);
    // With enough lines selected, the others are no more than what may follow them.
    if (!is_matched || (settings_.invert && has_all_)) continue;
    const std::string_view line = first_line(lines);
    if (settings_.invert) {
      pass_over(line);
    } else {
      select(line);
    }
    lines.remove_prefix(line.size());
  }
}

// The lines are not selected.
void LineSearch::pass_over(std::string_view lines) {
  while (lines_to_follow_ > 0 && !lines.empty()) {
    const std::string_view line = first_line(lines);
    print_line(place_, line, false);
    --lines_to_follow_;
    advance(line);
    lines.remove_prefix(line.size());
  }
  if (settings_.lines_before > 0 && !settings_.quiet) {
    remember(lines);
  } else {
    advance(lines);
  }
}

void LineSearch::select_each(std::string_view lines) {
  while (!lines.empty() && !has_all_) {
    const std::string_view line = first_line(lines);
    select(line);
    lines.remove_prefix(line.size());
  }
  pass_over(lines);
}

void LineSearch::select(std::string_view line) {
  if (!settings_.quiet) {
    print_context_before();
    print_line(place_, line, true);
    lines_to_follow_ = settings_.lines_after;
  }
  advance(line);
  ++selected_;
  has_all_ = settings_.max_selected && selected_ >= *settings_.max_selected;
}

void LineSearch::print_context_before() {
  const std::uint64_t group_begin = before_.empty() ? place_.byte_offset : before_.front().place.byte_offset;
  if (settings_.separate_groups && printed_to_ != group_begin) printer_.separate_groups();
  printer_.start_group();
  for (const ContextLine& line : before_) print_line(line.place, line.text, false);
  before_.clear();
}

void LineSearch::print_line(const Place& place, std::string_view line, bool is_selected) {
  if (settings_.only_matches) {
    print_matches(place, line, is_selected);
  } else if (is_selected) {
    printer_.print_selected(place, line);
  } else {
    printer_.print_context(place, line);
  }
  printed_to_ = place.byte_offset + line.size();
}

// Lines without a match print nothing: with `invert` those around the selected ones have the matches.
void LineSearch::print_matches(const Place& place, std::string_view line, bool is_selected) {
  if (is_selected == settings_.invert) return;
  std::size_t from = 0;
  while (const std::optional<Match> match = matcher_.find(line, from)) {
    from = std::max(match->end, match->begin + 1);
    if (match->end == match->begin) continue;
    const Place match_place{place.line_number, place.byte_offset + match->begin};
    const std::string_view text = line.substr(match->begin, match->end - match->begin);
    if (is_selected) {
      printer_.print_selected(match_place, text);
    } else {
      printer_.print_context(match_place, text);
    }
  }
}

// Keeps the last of `lines` for a selected line to come.
void LineSearch::remember(std::string_view lines) {
  std::size_t begin = lines.size();
  for (std::uint64_t count = 0; count < settings_.lines_before && begin > 0; ++count) {
    begin = line_begin(lines, begin - 1);
  }
  advance(lines.substr(0, begin));
  lines.remove_prefix(begin);
  while (!lines.empty()) {
    const std::string_view line = first_line(lines);
    before_.push_back({.place = place_, .text = std::string(line)});
    if (before_.size() > settings_.lines_before) before_.pop_front();
    advance(line);
    lines.remove_prefix(line.size());
  }
}

void LineSearch::advance(std::string_view lines) {
  place_.byte_offset += lines.size();
  if (settings_.count_lines) {
    place_.line_number += static_cast<std::uint64_t>(std::count(lines.begin(), lines.end(), '\n'));
  }
}

}  // namespace gsst::search
