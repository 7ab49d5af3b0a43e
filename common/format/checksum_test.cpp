#include "common/format/checksum.hpp"

#include <gtest/gtest.h>

#include <cstdint>
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

}  // namespace
}  // namespace gsst::format
