#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "common/format/gsst/string_column.hpp"
#include "fuzz/gsst/fuzzed_column_plan.hpp"
#include "fuzz/gsst/repaired_column.hpp"
#include "gsst/lookup.h"
#include "library/separated_column.hpp"

// Arbitrary bytes as a column with a separator: it is rejected, or its strings are, or no string that is read
// with the others holds the separator, and each has the same bytes alone. Golden files are seeds as they are.

namespace gsst::fuzz {
namespace {

using Bytes = std::vector<std::uint8_t>;

// A few bytes can say that there are millions of strings.
constexpr std::uint64_t most_strings = 1024;
constexpr std::uint64_t most_string_bytes = std::uint64_t{1} << 20;

struct Arrays {
  ArrowSchema schema{};
  ArrowArray array{};

  Arrays() = default;
  Arrays(const Arrays&) = delete;
  Arrays& operator=(const Arrays&) = delete;
  ~Arrays() {
    if (array.release != nullptr) array.release(&array);
    if (schema.release != nullptr) schema.release(&schema);
  }

  std::span<const std::uint8_t> string(std::uint64_t number, std::uint32_t offset_width) const {
    const auto offset = [&](std::uint64_t place) {
      std::uint64_t value = 0;
      std::memcpy(&value, static_cast<const std::uint8_t*>(array.buffers[1]) + place * offset_width,
                  offset_width);
      return value;
    };
    return {static_cast<const std::uint8_t*>(array.buffers[2]) + offset(number),
            offset(number + 1) - offset(number)};
  }
};

// A string that is decoded alone is the one of all of them.
void compare_string(const gsst_column_plan* plan, std::uint64_t number,
                    std::span<const std::uint8_t> expected) {
  // Exactly as many, so that a sanitizer sees each one more.
  const auto output = std::make_unique<std::uint8_t[]>(expected.size());
  std::size_t written = 0;
  if (gsst_column_string(plan, number, output.get(), expected.size(), &written, nullptr, nullptr) !=
      GSST_OK) {
    fail("a string is refused that was decompressed with the others\n");
  }
  if (!std::ranges::equal(std::span(output.get(), written), expected)) {
    fail("a string has other bytes alone\n");
  }
}

void read_column(std::span<const std::uint8_t> column, bool skips_checksums) {
  const ColumnPlan plan = open_column(column, skips_checksums);
  if (!plan) return;
  const gsst_column_info info = info_of(plan);
  if (info.string_count > most_strings || info.string_bytes > most_string_bytes) return;
  Arrays all;
  if (gsst_column_decompress(plan.get(), 0, info.string_count, &all.schema, &all.array, nullptr, nullptr) !=
      GSST_OK) {
    return;
  }
  for (std::uint64_t number = 0; number < info.string_count; ++number) {
    const auto string = all.string(number, info.offset_width);
    if (info.has_separator == 1 &&
        std::ranges::find(string, static_cast<std::uint8_t>(info.separator)) != string.end()) {
      fail("a string holds the separator\n");
    }
    compare_string(plan.get(), number, string);
  }
}

// The column as one with a separator, with sizes that add up and the right checksum, so that what is damaged
// meets the checks behind these.
Bytes with_repaired_ends(Bytes column) {
  if (column.size() < format::column_header_bytes + format::column_trailer_bytes) return column;
  std::ranges::copy(format::column_magic, column.begin());
  column[8] = library::separated_column_version;
  column[11] = library::separator_flag;
  std::fill_n(column.begin() + 13, 3, std::uint8_t{0});
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
