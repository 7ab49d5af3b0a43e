#pragma once

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <vector>

#include "common/format/gsst/string_column.hpp"

namespace gsst::library {

/// Where a string is in the output of the frame.
struct StringPlace {
  std::uint64_t offset;
  std::uint64_t bytes;
  bool is_null;
};

/// Where the strings of a column are. A column stores lengths: the first string that is looked for in a group
/// of 1024 sums them up, and the sums are remembered, in 4 bytes for each string of such a group. Can be used
/// by several threads at once: what one of them has remembered only saves the others work.
class StringStarts {
public:
  /// The bytes of `view` must outlive it.
  explicit StringStarts(const format::StringColumnView& view);

  /// String `string`, of which the column has more.
  StringPlace find(std::uint64_t string) const;

private:
  struct Free {
    // NOLINTNEXTLINE(cppcoreguidelines-no-malloc,cppcoreguidelines-owning-memory)
    void operator()(std::uint32_t* memory) const { std::free(memory); }
  };

  StringPlace sum_up(std::uint64_t string) const;

  format::StringColumnView view_;
  /// Where each group starts, and the end of the last one.
  std::vector<std::uint64_t> first_bytes_;
  /// For the strings of each group, and for its end: a word that says where it starts, 0 if it is not known.
  std::unique_ptr<std::uint32_t[], Free> words_;
};

}  // namespace gsst::library
