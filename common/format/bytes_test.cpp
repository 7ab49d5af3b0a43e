#include "common/format/bytes.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>

namespace gsst::format {
namespace {

using Eight = std::array<std::uint8_t, 8>;

TEST(Bytes, LoadsFieldWidthsOfBothOrders) {
  const Eight bytes = {0x01, 0x82, 0x03, 0x84, 0x05, 0x86, 0x07, 0x88};
  EXPECT_EQ(load_little_endian<1>(bytes.data()), 0x01u);
  EXPECT_EQ(load_little_endian<3>(bytes.data()), 0x038201u);
  EXPECT_EQ(load_little_endian<8>(bytes.data()), 0x8807860584038201u);
  EXPECT_EQ(load_big_endian<3>(bytes.data()), 0x018203u);
  EXPECT_EQ(load_big_endian<8>(bytes.data()), 0x0182038405860788u);
}

TEST(Bytes, StoresOnlyTheFieldsBytes) {
  Eight bytes{};
  bytes.fill(0xee);
  store_little_endian<3>(bytes.data() + 1, 0xff010203);
  EXPECT_EQ(bytes, (Eight{0xee, 0x03, 0x02, 0x01, 0xee, 0xee, 0xee, 0xee}));
  store_big_endian<3>(bytes.data() + 1, 0xff010203);
  EXPECT_EQ(bytes, (Eight{0xee, 0x01, 0x02, 0x03, 0xee, 0xee, 0xee, 0xee}));
}

}  // namespace
}  // namespace gsst::format
