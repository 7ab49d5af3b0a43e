#include "cli/size_text.hpp"

#include <gtest/gtest.h>

namespace gsst::cli {
namespace {

TEST(ParseSize, AcceptsPlainNumbersAndBinaryUnits) {
  EXPECT_EQ(parse_size("0"), 0U);
  EXPECT_EQ(parse_size("4193270"), 4193270U);
  EXPECT_EQ(parse_size("64K"), 65536U);
  EXPECT_EQ(parse_size("64KiB"), 65536U);
  EXPECT_EQ(parse_size("3M"), 3U << 20);
  EXPECT_EQ(parse_size("3MiB"), 3U << 20);
  EXPECT_EQ(parse_size("1G"), 1U << 30);
  EXPECT_EQ(parse_size("1GiB"), 1U << 30);
}

TEST(ParseSize, RefusesOtherText) {
  for (const char* text : {"", "K", "-1", "+1", " 1", "1 ", "1.5M", "1KB", "1kib", "0x10", "1T"}) {
    EXPECT_FALSE(parse_size(text)) << text;
  }
}

TEST(ParseSize, RefusesMoreThan64Bits) {
  EXPECT_EQ(parse_size("18446744073709551615"), ~std::uint64_t{0});
  EXPECT_FALSE(parse_size("18446744073709551616"));
  EXPECT_EQ(parse_size("17179869183G"), std::uint64_t{17179869183} << 30);
  EXPECT_FALSE(parse_size("17179869184G"));
}

}  // namespace
}  // namespace gsst::cli
