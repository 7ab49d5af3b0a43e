#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "search/fingerprints.hpp"

namespace gsst::search {

/// Finds where a text has one of some words. Objects do not change: threads may share one.
class WordFinder {
public:
  /// One or more words, none of them empty and none with a line end. With `ignore_case` letters of ASCII
  /// match in both cases.
  WordFinder(const std::vector<std::string>& words, bool ignore_case,
             FindFingerprint* find_fingerprint = fastest_find_fingerprint());

  /// Where a word begins, at `from` or later, that is in the first line with such a word: of one word, the
  /// first place.
  std::optional<std::size_t> find(std::string_view text, std::size_t from) const;

private:
  struct Word {
    // Folded.
    std::string text;
    // Where its fingerprint is.
    std::size_t place;
  };

  std::uint8_t fold(char byte) const { return folded_[static_cast<std::uint8_t>(byte)]; }
  std::size_t rarest_place(std::string_view word) const;
  void add_fingerprint(std::string_view piece, std::size_t bucket);
  bool is_at(const Word& word, std::string_view text, std::size_t begin) const;

  FindFingerprint* find_fingerprint_;
  std::array<std::uint8_t, 256> folded_{};
  Fingerprints fingerprints_{};
  std::array<std::vector<Word>, 8> buckets_;
};

}  // namespace gsst::search
