#pragma once

#include <cstddef>
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

  std::uint64_t count() const { return count_; }

  /// Whether `found`, in any order, are these places, each once. Looks at them with as many threads.
  bool are(std::span<const std::uint64_t> found);

private:
  // What one thread has looked through.
  struct Part {
    std::vector<std::uint64_t> positions;
    // A bit for each byte of the text: sorting what a GPU has found takes longer than everything else.
    std::vector<std::uint64_t> is_expected;
  };

  // Sets the bits of a part, whose first byte of the text is `begin`.
  static void expect_all(Part& part, std::uint64_t begin);
  // Whether a match at `position` is expected. A second time it is one too many. Any thread may ask.
  bool take(std::uint64_t position);

  // Of all parts but the last.
  std::uint64_t part_bytes_;
  std::vector<Part> parts_;
  std::uint64_t count_ = 0;
};

}  // namespace gsst::experiments
