#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <span>
#include <vector>

#include "common/format/bytes.hpp"
#include "common/format/gsst/string_column.hpp"
#include "common/frame/checksum.hpp"
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

struct DestroyPlan {
  void operator()(gsst_column_plan* plan) const { gsst_column_plan_destroy(plan); }
};

[[noreturn]] void fail(const char* what) {
  std::fputs(what, stderr);
  std::abort();
}

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
  gsst_decompress_options options{};
  options.struct_bytes = sizeof(options);
  options.skip_checksums = skips_checksums ? 1 : 0;
  gsst_column_plan* created = nullptr;
  if (gsst_column_plan_create(column.data(), column.size(), &options, &created, nullptr) != GSST_OK) return;
  const std::unique_ptr<gsst_column_plan, DestroyPlan> plan(created);
  gsst_column_info info{};
  info.struct_bytes = sizeof(info);
  gsst_column_plan_info(plan.get(), &info);
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
Bytes with_repaired_ends(std::span<const std::uint8_t> column) {
  Bytes repaired(column.begin(), column.end());
  constexpr std::size_t around = format::column_header_bytes + format::column_trailer_bytes;
  if (repaired.size() < around) return repaired;
  std::ranges::copy(format::column_magic, repaired.begin());
  repaired[8] = library::lookup_column_version;
  repaired[11] = library::lookup_layout;
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
  const std::vector<std::uint8_t> repaired = gsst::fuzz::with_repaired_ends(std::span(data, size));
  for (const bool skips_checksums : {false, true}) {
    gsst::fuzz::read_column(std::span(data, size), skips_checksums);
    gsst::fuzz::read_column(repaired, skips_checksums);
  }
  return 0;
}
