#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace gsst::experiments {

/// All places of a text where a pattern begins, as the host finds them: what searches have to find.
class ExpectedMatches {
public:
  /// Looks for `pattern`, not empty, in `text` with `threads` threads; matches may overlap. Throws InputError
  /// for an empty pattern.
  ExpectedMatches(std::span<const std::uint8_t> text, const std::string& pattern, unsigned threads);

  std::uint64_t count() const { return positions_.size(); }

  /// Whether `found`, in any order, are these places, each once.
  bool are(std::span<const std::uint64_t> found);

private:
  std::vector<std::uint64_t> positions_;
  // A bit for each byte of the text: sorting what a GPU has found takes longer than everything else.
  std::vector<bool> is_expected_;
};

}  // namespace gsst::experiments
