#pragma once

#include <memory>

#include "search/matcher.hpp"

namespace gsst::search {

/// Those matches of another matcher that have no byte of a word on either side (grep -w). Where the longest
/// match at a place is none of them, shorter ones are tried there.
class WordMatcher final : public Matcher {
public:
  explicit WordMatcher(std::unique_ptr<const Matcher> inner) : inner_(std::move(inner)) {}

  std::optional<Match> find(std::string_view text, std::size_t from) const override;
  std::optional<Match> find_shorter(std::string_view text, const Match& match) const override;

private:
  std::unique_ptr<const Matcher> inner_;
};

/// Those matches of another matcher, which has one for each place at most, that are whole lines (grep -x).
class LineMatcher final : public Matcher {
public:
  explicit LineMatcher(std::unique_ptr<const Matcher> inner) : inner_(std::move(inner)) {}

  std::optional<Match> find(std::string_view text, std::size_t from) const override;
  std::optional<Match> find_shorter(std::string_view text, const Match& match) const override;

private:
  std::unique_ptr<const Matcher> inner_;
};

}  // namespace gsst::search
