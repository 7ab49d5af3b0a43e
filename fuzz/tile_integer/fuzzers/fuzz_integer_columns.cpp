#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <vector>

#include "common/format/bytes.hpp"
#include "common/format/error.hpp"
#include "common/format/tile_integer/integer_column.hpp"
#include "common/frame/checksum.hpp"

// Arbitrary bytes as a column of integers: it is rejected, or its nulls are those that it says.

namespace gsst::fuzz {
namespace {

using namespace format::tile_integer;  // NOLINT(google-build-using-namespace): the format that is fuzzed

// Aborts if the column is accepted with other nulls than it says, or with parts that are not all of it.
void check_integer_column(std::span<const std::uint8_t> bytes) {
  try {
    // As the last of several parts, whatever else it is.
    const std::uint64_t last_bytes = last_integer_column_bytes(bytes);
    if (last_bytes > bytes.size()) std::abort();
    const IntegerColumnView view = parse_integer_column(bytes);
    std::uint64_t nulls = 0;
    if (!view.validity.empty()) {
      for (std::uint64_t value = 0; value < view.value_count; ++value) {
        nulls += (view.validity[value / 8] >> value % 8 & 1) == 0 ? 1 : 0;
      }
    }
    const std::size_t parts = view.frame.size() + view.validity.size() + view.arrow_format.size();
    if (nulls == view.null_count && last_bytes == bytes.size() &&
        parts + integer_column_header_bytes + integer_column_trailer_bytes == bytes.size() &&
        column_values(view.arrow_format) == view.values) {
      return;
    }
    std::fputs("a column was accepted whose nulls or bytes do not add up\n", stderr);
    std::abort();
  } catch (const format::FormatError&) {
    // Rejected, as it may be.
  }
}

// A column of the bytes, with the magics, sizes that add up and the right checksum, so that the checks after
// these are met. The first two bytes say how long nulls and type are, the eight after them how many values
// and nulls there are.
std::vector<std::uint8_t> integer_column_of(std::span<const std::uint8_t> bytes) {
  constexpr std::size_t choices = 10;
  if (bytes.size() < choices) return {};
  const auto content = bytes.subspan(choices);
  const std::size_t validity_bytes = std::min<std::size_t>(bytes[0], content.size());
  const std::size_t type_bytes = std::min<std::size_t>(bytes[1], content.size() - validity_bytes);
  const std::size_t frame_bytes = content.size() - validity_bytes - type_bytes;
  const auto header = build_integer_column_header();
  std::vector<std::uint8_t> column(header.begin(), header.end());
  column.insert(column.end(), content.begin(), content.end());
  column.resize(column.size() + integer_column_trailer_bytes);
  std::uint8_t* const trailer = column.data() + column.size() - integer_column_trailer_bytes;
  std::copy_n(header.begin() + 8, 8, trailer);
  format::store_little_endian<8>(trailer + 8, format::load_little_endian<4>(bytes.data() + 2));
  format::store_little_endian<8>(trailer + 16, format::load_little_endian<4>(bytes.data() + 6));
  format::store_little_endian<8>(trailer + 24, frame_bytes);
  format::store_little_endian<8>(trailer + 32, validity_bytes);
  format::store_little_endian<8>(trailer + 40, type_bytes);
  const std::span checked =
      std::span(column).subspan(integer_column_header_bytes + frame_bytes, validity_bytes + type_bytes + 48);
  format::store_little_endian<8>(trailer + 48, format::checksum(checked));
  std::ranges::copy(integer_column_trailer_magic, trailer + 56);
  return column;
}

}  // namespace
}  // namespace gsst::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::span input(data, size);
  gsst::fuzz::check_integer_column(input);
  gsst::fuzz::check_integer_column(gsst::fuzz::integer_column_of(input));
  return 0;
}
