#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "common/format/payload_rules.hpp"
#include "common/format/tile_integer/for_rules.hpp"
#include "common/format/tile_integer/tile_integer.hpp"
#include "reference_cpu/tile_integer/for_block.hpp"
#include "stages/tile_integer/tests/decode/values.hpp"

// The oracle of format `for`: sizes are computed here once more, from the values alone.
namespace gsst::tile_integer {
namespace {

using format::tile_integer::shape_of;
using format::tile_integer::Type;

constexpr std::uint64_t seed = 2026;
constexpr std::array<std::size_t, 12> lengths = {0, 1, 31, 32, 33, 127, 128, 129, 511, 512, 513, 1000};

// `count` numbers of up to `width` bits above `first`, of which each miniblock has one of all bits.
Values numbers_of_width(std::size_t count, unsigned width, std::uint64_t first, std::mt19937_64& random) {
  Values values(count);
  for (std::size_t i = 0; i < count; ++i) {
    const bool is_full = i % 32 == 7;
    // The smallest of each 128 is the first itself, so that differences have these bits.
    const std::uint64_t difference =
        i % 128 == 0 ? 0 : lowest_bits(is_full ? ~std::uint64_t{0} : random(), width);
    values[i] = first + difference;
  }
  return values;
}

// Bytes of the payload of numbers_of_width(): each miniblock that has its eighth number has the width.
std::size_t expected_payload_bytes(std::size_t count, unsigned width, Type type, std::size_t rest) {
  const std::size_t packed_blocks = (count + 127) / 128;
  const std::size_t full_miniblocks = count / 32 + (count % 32 >= 8 ? 1 : 0);
  const std::size_t words =
      4 + packed_blocks + 1 + packed_blocks * (shape_of(type).reference_words + 1) + full_miniblocks * width;
  return format::padded_payload_bytes(4 * words + rest, 16);
}

void expect_gives_back(const ValueBytes& block, Type type) {
  const ValueBytes payload = reference::tile_integer::encode_for(block, type);
  const auto uncompressed = static_cast<std::uint32_t>(block.size());
  ASSERT_EQ(format::tile_integer::check_for_payload(payload, uncompressed, 0).type, type);
  ASSERT_LE(payload.size(), format::tile_integer::max_for_payload_bytes(type, uncompressed));
  ASSERT_TRUE(reference::tile_integer::decode_for(payload, uncompressed) == block);
}

TEST(ForCodec, EveryTypeWidthAndLengthHasItsSizeAndComesBack) {
  std::mt19937_64 random(seed);
  for (const Type type : all_types) {
    const unsigned most = shape_of(type).max_width();
    // The smallest number of the type's order, so that the largest difference fits.
    const std::uint64_t first = smallest_value(type);
    for (unsigned width = 0; width <= most; ++width) {
      for (const std::size_t count : lengths) {
        SCOPED_TRACE(std::string(shape_of(type).name) + ", width " + std::to_string(width) + ", " +
                     std::to_string(count) + " values, seed " + std::to_string(seed));
        ValueBytes block = bytes_of(numbers_of_width(count, width, first, random), type);
        const std::size_t rest = count % shape_of(type).value_bytes;
        block.insert(block.end(), rest, 0xa5);
        expect_gives_back(block, type);
        if (HasFatalFailure()) return;
        // A miniblock with fewer than eight numbers may have a smaller width.
        if (count % 32 != 0 && count % 32 < 8 && count % 128 != 1) continue;
        EXPECT_EQ(reference::tile_integer::encode_for(block, type).size(),
                  expected_payload_bytes(count, width, type, rest));
      }
    }
  }
}

TEST(ForCodec, ExtremesOfATypeMayStandNextToEachOther) {
  for (const Type type : all_types) {
    SCOPED_TRACE(std::string(shape_of(type).name));
    const std::uint64_t least = smallest_value(type);
    Values values(300);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = i % 2 == 0 ? least : least - 1;
    expect_gives_back(bytes_of(values, type), type);
  }
}

TEST(ForCodec, TheReferenceIsTheSmallestInTheOrderOfTheType) {
  // -1 and 1 are close to each other with a sign, and far from each other without one.
  Values values(128, 1);
  values[5] = ~std::uint64_t{0};
  const auto payload_bytes = [&](Type type) {
    return reference::tile_integer::encode_for(bytes_of(values, type), type).size();
  };
  EXPECT_EQ(payload_bytes(Type::i32), format::padded_payload_bytes(4 * (4 + 2 + 2 + 4 * 2), 16));
  EXPECT_EQ(payload_bytes(Type::u32), format::padded_payload_bytes(4 * (4 + 2 + 2 + 32), 16));
  EXPECT_EQ(payload_bytes(Type::i64), format::padded_payload_bytes(4 * (4 + 2 + 3 + 4 * 2), 16));
  EXPECT_EQ(payload_bytes(Type::u64), format::padded_payload_bytes(4 * (4 + 2 + 3 + 64), 16));
}

TEST(ForCodec, AnOutlierWidensItsMiniblockAlone) {
  Values values(128, 1000);
  values[40] = 1000 + (1 << 20);
  const ValueBytes payload = reference::tile_integer::encode_for(bytes_of(values, Type::i32), Type::i32);
  const std::size_t widths = 4 * (4 + 2 + 1);
  EXPECT_EQ(payload[widths], 0);
  EXPECT_EQ(payload[widths + 1], 21);
  EXPECT_EQ(payload[widths + 2], 0);
  EXPECT_EQ(payload[widths + 3], 0);
}

TEST(ForCodec, CostsThreeQuartersOfABitBesidesTheValues) {
  const Values constant(1 << 20, 77);
  const ValueBytes block = bytes_of(constant, Type::i32);
  const double bits = 8.0 *
                      static_cast<double>(reference::tile_integer::encode_for(block, Type::i32).size()) /
                      static_cast<double>(constant.size());
  EXPECT_LE(bits, 0.7505);
}

}  // namespace
}  // namespace gsst::tile_integer
