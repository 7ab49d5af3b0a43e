#include "common/frame/checksum.hpp"

#include <algorithm>
#include <vector>

#include "common/format/bytes.hpp"

// Header only, so that a program carries its checksum with it and no shared library is needed beside it.
#define XXH_INLINE_ALL
#include <xxhash.h>

namespace gsst::format {

std::string_view checksum_kind_name(ChecksumKind kind) {
  return kind == ChecksumKind::xxh64 ? "xxh64" : "xxh64-tree";
}

std::uint64_t checksum(std::span<const std::uint8_t> bytes) {
  return XXH64(bytes.data(), bytes.size(), 0);
}

std::uint64_t checksum(ChecksumKind kind, std::span<const std::uint8_t> bytes) {
  if (kind == ChecksumKind::xxh64) return checksum(bytes);
  const std::size_t pieces = (bytes.size() + checksum_piece_bytes - 1) / checksum_piece_bytes;
  std::vector<std::uint8_t> of_pieces(pieces * 8);
  for (std::size_t piece = 0; piece < pieces; ++piece) {
    const auto rest = bytes.subspan(piece * checksum_piece_bytes);
    store_little_endian<8>(of_pieces.data() + piece * 8,
                           checksum(rest.first(std::min(rest.size(), checksum_piece_bytes))));
  }
  return checksum(of_pieces);
}

}  // namespace gsst::format
