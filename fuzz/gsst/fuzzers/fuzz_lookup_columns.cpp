#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "common/format/gsst/string_column.hpp"
#include "fuzz/gsst/fuzzed_column_plan.hpp"
#include "fuzz/gsst/repaired_column.hpp"
#include "gsst/lookup.h"
#include "library/lookup_column.hpp"

// Arbitrary bytes as a column in the layout for lookups: it is rejected, or each of its strings is, or has as
// many bytes as the column says. Golden files are seeds as they are.

namespace gsst::fuzz {
namespace {

using Bytes = std::vector<std::uint8_t>;

// A few bytes can say that there are millions of strings.
constexpr std::uint64_t most_strings = 4096;
constexpr std::uint64_t most_string_bytes = std::uint64_t{1} << 20;

void read_string(const gsst_column_plan* plan, std::uint64_t number) {
  gsst_range range{};
  std::uint64_t bytes = 0;
  if (gsst_column_ranges(plan, &number, 1, &range, nullptr, &bytes, nullptr) != GSST_OK) {
    fail("a string of a column is not found\n");
  }
  if (bytes > most_string_bytes) return;
  // Exactly as many, so that a sanitizer sees each one more.
  const auto output = std::make_unique<std::uint8_t[]>(bytes);
  std::size_t written = 0;
  if (gsst_column_string(plan, number, output.get(), bytes, &written, nullptr, nullptr) == GSST_OK &&
      written != bytes) {
    fail("a string has other bytes than its column says\n");
  }
}

void read_column(std::span<const std::uint8_t> column, bool skips_checksums) {
  const ColumnPlan plan = open_column(column, skips_checksums);
  if (!plan) return;
  const gsst_column_info info = info_of(plan);
  const std::uint64_t strings = std::min(info.string_count, most_strings);
  for (std::uint64_t number = 0; number < strings; ++number) read_string(plan.get(), number);
  if (info.string_bytes > most_string_bytes) return;
  std::vector<std::uint64_t> numbers;
  for (std::uint64_t number = strings; number != 0; --number) numbers.push_back(number - 1);
  ArrowSchema schema{};
  ArrowArray array{};
  if (gsst_column_take(plan.get(), numbers.data(), numbers.size(), &schema, &array, nullptr, nullptr) !=
      GSST_OK) {
    return;
  }
  array.release(&array);
  schema.release(&schema);
}

// The column as one in this layout, with sizes that add up and the right checksum, so that what is damaged
// meets the checks behind these.
Bytes with_repaired_ends(Bytes column) {
  if (column.size() < format::column_header_bytes + format::column_trailer_bytes) return column;
  std::ranges::copy(format::column_magic, column.begin());
  column[8] = library::lookup_column_version;
  column[11] = library::lookup_layout;
  return with_repaired_trailer(std::move(column));
}

}  // namespace
}  // namespace gsst::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::vector<std::uint8_t> repaired = gsst::fuzz::with_repaired_ends({data, data + size});
  for (const bool skips_checksums : {false, true}) {
    gsst::fuzz::read_column(std::span(data, size), skips_checksums);
    gsst::fuzz::read_column(repaired, skips_checksums);
  }
  return 0;
}
