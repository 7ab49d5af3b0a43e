#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <vector>

#include "common/format/bytes.hpp"
#include "common/format/error.hpp"
#include "common/format/gsst/string_column.hpp"
#include "common/frame/checksum.hpp"

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

// The column with sizes that add up and the right checksum, so that what is damaged meets the checks behind
// these.
std::vector<std::uint8_t> with_repaired_trailer(std::span<const std::uint8_t> column) {
  std::vector<std::uint8_t> repaired(column.begin(), column.end());
  constexpr std::size_t around = format::column_header_bytes + format::column_trailer_bytes;
  if (repaired.size() < around) return repaired;
  std::uint8_t* const trailer = repaired.data() + repaired.size() - format::column_trailer_bytes;
  const std::uint64_t between = repaired.size() - around;
  const std::uint64_t frame_bytes =
      std::min<std::uint64_t>(format::load_little_endian<8>(trailer + 24), between);
  std::copy_n(repaired.begin() + 8, 8, trailer);
  format::store_little_endian<8>(trailer + 24, frame_bytes);
  format::store_little_endian<8>(trailer + 32, between - frame_bytes);
  format::store_little_endian<8>(
      trailer + 40, format::checksum(std::span(repaired).subspan(format::column_header_bytes + frame_bytes,
                                                                 between - frame_bytes + 40)));
  std::ranges::copy(format::column_trailer_magic, trailer + 48);
  return repaired;
}

}  // namespace
}  // namespace gsst::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::span input(data, size);
  gsst::fuzz::check_column(input);
  gsst::fuzz::check_column(gsst::fuzz::with_repaired_trailer(input));
  return 0;
}
