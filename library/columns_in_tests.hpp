#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "gsst/lookup.hpp"
#include "library/foreign_array.hpp"

/// What tests of columns of several layouts ask of them.
namespace gsst::library::test {

using Column = std::vector<std::byte>;
using Bytes = std::vector<std::uint8_t>;

inline Bytes bytes_of(const Column& column) {
  const auto* const first = reinterpret_cast<const std::uint8_t*>(column.data());
  return {first, first + column.size()};
}

inline std::span<const std::byte> as_column(const Bytes& bytes) {
  return std::as_bytes(std::span(bytes));
}

/// Every string, one by one; the first failure in the place of all.
inline Result<Strings> read_each(std::span<const std::byte> column, bool skips_checksums = false) {
  const auto plan = gsst::ColumnPlan::create(column);
  if (!plan) return plan.failure();
  const auto lookup = ColumnLookup::create(column, {.skip_checksums = skips_checksums});
  std::vector<std::byte> output(20'000);
  Strings strings;
  for (std::uint64_t number = 0; number < plan.value().info().string_count; ++number) {
    const auto string = lookup.value().string(number, output);
    if (!string) return string.failure();
    strings.emplace_back();
    if (!string.value()) continue;
    const auto* const first = reinterpret_cast<const char*>(string.value()->data());
    strings.back() = std::string(first, string.value()->size());
  }
  return strings;
}

/// `count` pieces of two sources, of at least 40 bytes a string each: some are null, some empty, and of more
/// than 100 strings one has 12345 bytes of `text`.
inline Strings mixed_strings_of(std::size_t count, const Bytes& text, const Bytes& random) {
  Strings strings;
  for (std::size_t i = 0; i < count; ++i) {
    const Bytes& source = i % 600 < 500 ? text : random;
    const auto first = source.begin() + static_cast<std::ptrdiff_t>(i * 40);
    strings.emplace_back(std::string(first, first + static_cast<std::ptrdiff_t>(i % 41)));
    if (i % 7 == 3 && i < count / 2) strings.back().reset();
  }
  if (count > 100) strings[count / 3] = std::string(text.begin(), text.begin() + 12'345);
  return strings;
}

}  // namespace gsst::library::test
