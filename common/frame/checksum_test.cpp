#include "common/frame/checksum.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace gsst::format {
namespace {

std::uint64_t checksum_of(std::string_view text) {
  return checksum(std::vector<std::uint8_t>(text.begin(), text.end()));
}

TEST(Checksum, IsXxh64WithSeedZero) {
  EXPECT_EQ(checksum_of(""), 0xef46db3751d8e999u);
  EXPECT_EQ(checksum_of("abc"), 0x44bc2cf5ad770999u);
  EXPECT_EQ(checksum_of("Nobody inspects the spammish repetition"), 0xfbcea83c8a378bf1u);
}

// Computed from xxh64 by data/golden/xxh64.py.
TEST(Checksum, OfATreeIsXxh64OfTheXxh64sOfItsPieces) {
  std::vector<std::uint8_t> bytes(2 * checksum_piece_bytes + 1);
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::uint8_t>(i * 7);
  const auto tree_of = [&](std::size_t size) {
    return checksum(ChecksumKind::xxh64_tree, std::span(bytes).first(size));
  };
  EXPECT_EQ(tree_of(0), 0xef46db3751d8e999u);
  EXPECT_EQ(tree_of(1), 0x36979d78f232250au);
  EXPECT_EQ(tree_of(checksum_piece_bytes), 0x34d096f0194f0078u);
  EXPECT_EQ(tree_of(checksum_piece_bytes + 1), 0x3e4774cb6fefed52u);
  EXPECT_EQ(tree_of(2 * checksum_piece_bytes + 1), 0x13de990b55babf4bu);
}

}  // namespace
}  // namespace gsst::format
