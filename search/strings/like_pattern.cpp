#include "search/strings/like_pattern.hpp"

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <utility>

#include "search/strings/folding.hpp"

namespace gsst::search {
namespace {

// Of UTF-8.
constexpr std::size_t most_character_bytes = 4;

bool continues_character(char byte) {
  return (static_cast<std::uint8_t>(byte) & 0xc0U) == 0x80U;
}

// Behind the character at `begin`; nothing where none begins.
std::optional<std::size_t> end_of_character(std::string_view string, std::size_t begin, bool utf8) {
  if (begin >= string.size()) return std::nullopt;
  if (!utf8) return begin + 1;
  if (continues_character(string[begin])) return std::nullopt;
  std::size_t end = begin + 1;
  while (end < string.size() && end - begin < most_character_bytes && continues_character(string[end])) ++end;
  return end;
}

}  // namespace

std::vector<LikeItem> parse_like(std::string_view pattern) {
  std::vector<LikeItem> items;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    char byte = pattern[i];
    if (byte == '%') {
      items.push_back({.kind = LikeItem::Kind::any_bytes});
      continue;
    }
    if (byte == '_') {
      items.push_back({.kind = LikeItem::Kind::any_character});
      continue;
    }
    if (byte == '\\') {
      if (++i == pattern.size()) {
        throw std::invalid_argument("byte " + std::to_string(i - 1) + ": a backslash at the end");
      }
      byte = pattern[i];
    }
    items.push_back({.kind = LikeItem::Kind::byte, .byte = byte});
  }
  return items;
}

std::string longest_string(const std::vector<LikeItem>& items) {
  std::string longest;
  std::string run;
  for (const LikeItem& item : items) {
    if (item.kind == LikeItem::Kind::byte) {
      run += item.byte;
      if (run.size() > longest.size()) longest = run;
    } else {
      run.clear();
    }
  }
  return longest;
}

LikePattern::LikePattern(const std::vector<LikeItem>& items, const StringPatternSettings& settings)
    : settings_(settings) {
  std::vector<LikeItem> of_segment;
  for (const LikeItem& item : items) {
    if (item.kind == LikeItem::Kind::any_bytes) {
      segments_.push_back(make_segment(std::exchange(of_segment, {})));
    } else {
      of_segment.push_back(item);
    }
  }
  segments_.push_back(make_segment(std::move(of_segment)));
}

LikePattern::Segment LikePattern::make_segment(std::vector<LikeItem> items) const {
  Segment segment{.items = std::move(items), .bytes = std::string()};
  for (LikeItem& item : segment.items) {
    if (settings_.ignore_case) item.byte = folded(item.byte);
    if (item.kind != LikeItem::Kind::byte) segment.bytes.reset();
    if (segment.bytes) *segment.bytes += item.byte;
  }
  if (segment.bytes && !segment.bytes->empty()) {
    segment.finder.emplace(std::vector{*segment.bytes}, settings_.ignore_case);
  }
  return segment;
}

std::optional<Match> LikePattern::find(std::string_view string, std::size_t from) const {
  return from == 0 && matches_all(string) ? std::optional(Match{0, string.size()}) : std::nullopt;
}

bool LikePattern::matches_all(std::string_view string) const {
  const std::optional<std::size_t> first_end = end_at(segments_.front(), string, 0);
  if (!first_end) return false;
  if (segments_.size() == 1) return *first_end == string.size();
  std::size_t from = *first_end;
  // The first place that has a segment leaves most for those behind it.
  for (std::size_t i = 1; i + 1 < segments_.size(); ++i) {
    const std::optional<std::size_t> end = find_end(segments_[i], string, from);
    if (!end) return false;
    from = *end;
  }
  return is_at_end(segments_.back(), string, from);
}

// Behind the segment, if it is at `begin`.
std::optional<std::size_t> LikePattern::end_at(const Segment& segment, std::string_view string,
                                               std::size_t begin) const {
  if (segment.bytes) {
    const std::string_view there = string.substr(begin, segment.bytes->size());
    return equals_folded(there, *segment.bytes, settings_.ignore_case)
               ? std::optional(begin + segment.bytes->size())
               : std::nullopt;
  }
  std::size_t at = begin;
  for (const LikeItem& item : segment.items) {
    if (item.kind == LikeItem::Kind::any_character) {
      const std::optional<std::size_t> end = end_of_character(string, at, settings_.utf8);
      if (!end) return std::nullopt;
      at = *end;
      continue;
    }
    if (at == string.size()) return std::nullopt;
    const char byte = settings_.ignore_case ? folded(string[at]) : string[at];
    if (byte != item.byte) return std::nullopt;
    ++at;
  }
  return at;
}

// Behind the first place of the segment that begins at `from` or later.
std::optional<std::size_t> LikePattern::find_end(const Segment& segment, std::string_view string,
                                                 std::size_t from) const {
  if (segment.finder) {
    const std::optional<std::size_t> begin = segment.finder->find(string, from);
    return begin ? std::optional(*begin + segment.bytes->size()) : std::nullopt;
  }
  for (std::size_t begin = from; begin <= string.size(); ++begin) {
    if (const std::optional<std::size_t> end = end_at(segment, string, begin)) return end;
  }
  return std::nullopt;
}

bool LikePattern::is_at_end(const Segment& segment, std::string_view string, std::size_t from) const {
  if (segment.bytes) {
    return string.size() - from >= segment.bytes->size() &&
           equals_folded(string.substr(string.size() - segment.bytes->size()), *segment.bytes,
                         settings_.ignore_case);
  }
  const std::size_t most = segment.items.size() * (settings_.utf8 ? most_character_bytes : 1);
  std::size_t begin = std::max(from, string.size() - std::min(string.size(), most));
  for (; begin <= string.size(); ++begin) {
    if (end_at(segment, string, begin) == string.size()) return true;
  }
  return false;
}

}  // namespace gsst::search
