#include "cpu/tiles/tree_checksum.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "common/format/error.hpp"
#include "common/frame/checksum.hpp"
#include "cpu/tiles/instruction_sets.hpp"
#include "cpu/tiles/piece_checksums.hpp"
#include "reference_cpu/test_inputs.hpp"

namespace gsst::cpu::tiles {
namespace {

constexpr std::size_t piece = piece_bytes;

// Sizes around pieces, and around those that are computed at once, at addresses of any alignment.
TEST(TreeChecksum, IsTheFormats) {
  const std::vector<std::uint8_t> bytes = reference::test::make_random(40 * piece, 1);
  for (const std::size_t pieces : {0u, 1u, 7u, 8u, 9u, 16u, 31u}) {
    for (const std::size_t more : {0u, 1u, 31u, 32u, 4095u}) {
      for (const std::size_t offset : {0u, 1u, 5u, 32u}) {
        const auto part = std::span(bytes).subspan(offset, pieces * piece + more);
        ASSERT_EQ(tree_checksum(part), format::checksum(format::ChecksumKind::xxh64_tree, part))
            << part.size() << " bytes from " << offset;
      }
    }
  }
}

#if defined(__x86_64__)
TEST(TreeChecksum, OfPiecesWithAvx512) {
  if (!runs_avx512()) GTEST_SKIP() << "this processor does not run avx512";
  const std::vector<std::uint8_t> bytes = reference::test::make_random(16 * piece, 2);
  std::vector<std::uint64_t> checksums(17, 7);
  checksum_pieces_avx512(bytes.data(), 16, checksums.data());
  for (std::size_t i = 0; i < 16; ++i) {
    EXPECT_EQ(checksums[i], format::checksum(std::span(bytes).subspan(i * piece, piece))) << i;
  }
  EXPECT_EQ(checksums[16], 7U);
}
#endif

TEST(TreeChecksum, RefusesAnyChangedPieceOfBothKinds) {
  std::vector<std::uint8_t> bytes = reference::test::make_random(19 * piece + 100, 3);
  for (const auto kind : {format::ChecksumKind::xxh64, format::ChecksumKind::xxh64_tree}) {
    format::BlockRecord record{};
    record.checksum_kind = kind;
    record.checksum = format::checksum(kind, bytes);
    EXPECT_NO_THROW(check_checksum(bytes, record, 3));
    for (std::size_t at = 17; at < bytes.size(); at += piece) {
      bytes[at] ^= 1;
      try {
        check_checksum(bytes, record, 3);
        ADD_FAILURE() << "byte " << at;
      } catch (const format::FormatError& error) {
        EXPECT_EQ(error.block(), 3U);
        EXPECT_EQ(error.field(), "checksum");
      }
      bytes[at] ^= 1;
    }
  }
}

}  // namespace
}  // namespace gsst::cpu::tiles
