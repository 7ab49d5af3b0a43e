#pragma once

#include <memory>
#include <utility>

#include "search/matcher.hpp"
#include "search/word_finder.hpp"

namespace gsst::search {

/// The matches of another matcher, each of which has one of some words in it: only lines with a word are
/// looked at, which are found faster than matches.
class FilteredMatcher final : public Matcher {
public:
  FilteredMatcher(WordFinder words, std::unique_ptr<const Matcher> inner)
      : words_(std::move(words)), inner_(std::move(inner)) {}

  std::optional<Match> find(std::string_view text, std::size_t from) const override;
  std::optional<Match> find_shorter(std::string_view text, const Match& match) const override;

private:
  WordFinder words_;
  std::unique_ptr<const Matcher> inner_;
};

}  // namespace gsst::search
