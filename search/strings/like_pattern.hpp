#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "search/strings/string_matcher.hpp"
#include "search/strings/string_pattern.hpp"
#include "search/word_finder.hpp"

namespace gsst::search {

/// A part of a pattern of LIKE.
struct LikeItem {
  enum class Kind : std::uint8_t { byte, any_character, any_bytes } kind;
  /// Of kind `byte`.
  char byte = 0;
};

/// Throws std::invalid_argument that names the byte where `pattern` is wrong.
std::vector<LikeItem> parse_like(std::string_view pattern);

/// The longest string that stands in every match; empty if there is none.
std::string longest_string(const std::vector<LikeItem>& items);

/// Strings that a pattern of LIKE matches as a whole.
class LikePattern final : public StringMatcher {
public:
  /// With the case ignored, letters of ASCII match in both.
  LikePattern(const std::vector<LikeItem>& items, const StringPatternSettings& settings);

  std::optional<Match> find(std::string_view string, std::size_t from) const override;

private:
  // What is between two % of the pattern.
  struct Segment {
    std::vector<LikeItem> items;
    // All bytes, folded, where no item is a character, and what finds them if there are any.
    std::optional<std::string> bytes;
    std::optional<WordFinder> finder = std::nullopt;
  };

  Segment make_segment(std::vector<LikeItem> items) const;
  bool matches_all(std::string_view string) const;
  std::optional<std::size_t> end_at(const Segment& segment, std::string_view string, std::size_t begin) const;
  std::optional<std::size_t> find_end(const Segment& segment, std::string_view string,
                                      std::size_t from) const;
  bool is_at_end(const Segment& segment, std::string_view string, std::size_t from) const;

  StringPatternSettings settings_;
  std::vector<Segment> segments_;
};

}  // namespace gsst::search
