#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>

#include "common/format/error.hpp"
#include "common/format/gsst/string_column.hpp"
#include "fuzz/gsst/repaired_column.hpp"

// Arbitrary bytes as a column of strings: it is rejected, or its strings are inside of its bytes. Golden
// files are seeds as they are.

namespace gsst::fuzz {
namespace {

// Aborts if the column is accepted with strings outside of its bytes.
void check_column(std::span<const std::uint8_t> column) {
  try {
    // As the last of several parts, whatever else it is.
    const std::uint64_t last_bytes = format::last_column_bytes(column);
    if (last_bytes > column.size()) std::abort();
    const format::StringColumnView view = format::parse_string_column(column);
    std::uint64_t end = 0;
    std::uint64_t nulls = 0;
    for (std::uint64_t number = 0; number < view.group_count(); ++number) {
      const format::StringGroup group = view.group(number);
      if (group.first_byte() != end) std::abort();
      for (std::uint32_t string = 0; string < group.string_count(); ++string) {
        end += group.length(string);
        nulls += group.is_null(string) ? 1 : 0;
      }
    }
    if (end == view.string_bytes && nulls == view.null_count && last_bytes == column.size()) return;
    std::fputs("a column was accepted whose strings or bytes do not add up\n", stderr);
    std::abort();
  } catch (const format::FormatError&) {
    // Rejected, as it may be.
  }
}

}  // namespace
}  // namespace gsst::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::span input(data, size);
  gsst::fuzz::check_column(input);
  gsst::fuzz::check_column(gsst::fuzz::with_repaired_trailer({input.begin(), input.end()}));
  return 0;
}
