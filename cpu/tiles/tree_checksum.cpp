#include "cpu/tiles/tree_checksum.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "common/format/bytes.hpp"
#include "common/frame/checksum.hpp"
#include "cpu/tiles/instruction_sets.hpp"
#include "cpu/tiles/piece_checksums.hpp"
#include "reference_cpu/block_codec.hpp"

namespace gsst::cpu::tiles {
namespace {

static_assert(piece_bytes == format::checksum_piece_bytes);

// As many whole pieces from the first as are computed at once. Returns how many.
std::size_t checksum_whole_pieces(std::span<const std::uint8_t> bytes,
                                  std::vector<std::uint64_t>& checksums) {
#if defined(__x86_64__)
  if (runs_avx512()) {
    const std::size_t pieces = bytes.size() / piece_bytes / pieces_at_once * pieces_at_once;
    checksum_pieces_avx512(bytes.data(), pieces, checksums.data());
    return pieces;
  }
#endif
  (void)bytes;
  (void)checksums;
  return 0;
}

}  // namespace

std::uint64_t tree_checksum(std::span<const std::uint8_t> bytes) {
  const std::size_t pieces = (bytes.size() + piece_bytes - 1) / piece_bytes;
  std::vector<std::uint64_t> checksums(pieces);
  for (std::size_t piece = checksum_whole_pieces(bytes, checksums); piece < pieces; ++piece) {
    const auto rest = bytes.subspan(piece * piece_bytes);
    checksums[piece] = format::checksum(rest.first(std::min(rest.size(), piece_bytes)));
  }
  std::vector<std::uint8_t> stored(pieces * 8);
  for (std::size_t piece = 0; piece < pieces; ++piece) {
    format::store_little_endian<8>(stored.data() + piece * 8, checksums[piece]);
  }
  return format::checksum(stored);
}

void check_checksum(std::span<const std::uint8_t> output, const format::BlockRecord& record,
                    std::uint64_t block) {
  if (record.checksum_kind == format::ChecksumKind::xxh64_tree && tree_checksum(output) == record.checksum) {
    return;
  }
  reference::check_checksum(output, record, block);
}

}  // namespace gsst::cpu::tiles
