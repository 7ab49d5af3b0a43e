#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "common/format/bytes.hpp"
#include "common/format/gsst/string_column.hpp"
#include "common/frame/checksum.hpp"

namespace gsst::fuzz {

/// The bytes as a column whose trailer repeats the header's fields, with sizes that add up and the right
/// checksum, so that what is damaged meets the checks behind these. Unchanged if they are too few for a
/// header and a trailer.
inline std::vector<std::uint8_t> with_repaired_trailer(std::vector<std::uint8_t> column) {
  constexpr std::size_t around = format::column_header_bytes + format::column_trailer_bytes;
  if (column.size() < around) return column;
  std::uint8_t* const trailer = column.data() + column.size() - format::column_trailer_bytes;
  const std::uint64_t between = column.size() - around;
  const std::uint64_t frame_bytes =
      std::min<std::uint64_t>(format::load_little_endian<8>(trailer + 24), between);
  std::copy_n(column.begin() + 8, 8, trailer);
  format::store_little_endian<8>(trailer + 24, frame_bytes);
  format::store_little_endian<8>(trailer + 32, between - frame_bytes);
  format::store_little_endian<8>(
      trailer + 40, format::checksum(std::span(column).subspan(format::column_header_bytes + frame_bytes,
                                                               between - frame_bytes + 40)));
  std::ranges::copy(format::column_trailer_magic, trailer + 48);
  return column;
}

}  // namespace gsst::fuzz
