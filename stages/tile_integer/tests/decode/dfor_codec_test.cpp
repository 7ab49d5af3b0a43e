#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "common/format/bytes.hpp"
#include "common/format/payload_rules.hpp"
#include "common/format/tile_integer/for_rules.hpp"
#include "common/format/tile_integer/tile_integer.hpp"
#include "reference_cpu/tile_integer/dfor_block.hpp"
#include "stages/suite/test_sample.hpp"
#include "stages/tile_integer/tests/decode/values.hpp"

// The oracle of format `dfor`: sizes are computed here once more, from the values alone.
namespace gsst::tile_integer {
namespace {

using format::tile_integer::chain_values;
using format::tile_integer::Packing;
using format::tile_integer::shape_of;
using format::tile_integer::Type;
using reference::tile_integer::decode_dfor;
using reference::tile_integer::encode_dfor;

constexpr std::uint64_t seed_of_differences = 2027;

void check_dfor(const ValueBytes& payload, std::size_t uncompressed_bytes, std::uint64_t block = 0) {
  format::tile_integer::check_for_payload(payload, static_cast<std::uint32_t>(uncompressed_bytes), block,
                                          Packing::chains);
}

void expect_chains_give_back(const ValueBytes& block, Type type) {
  const ValueBytes payload = encode_dfor(block, type);
  const auto uncompressed = static_cast<std::uint32_t>(block.size());
  ASSERT_NO_THROW(check_dfor(payload, block.size()));
  ASSERT_LE(payload.size(), format::tile_integer::max_for_payload_bytes(type, uncompressed, Packing::chains));
  ASSERT_TRUE(decode_dfor(payload, uncompressed) == block);
}

// Values whose differences are the smallest of the type, read with a sign, and up to `width` bits above it.
// Each packed block with two values has that smallest one, and each miniblock with eight has one of all bits.
Values sums_of_width(std::size_t count, unsigned width, Type type, std::mt19937_64& random) {
  const std::uint64_t least = std::uint64_t{1} << (shape_of(type).max_width() - 1);
  Values values(count);
  std::uint64_t value = random();
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t bits = i % 32 == 7 ? ~std::uint64_t{0} : random();
    value += least + (i % 128 == 1 ? 0 : lowest_bits(bits, width));
    values[i] = value;
  }
  return values;
}

std::size_t expected_bytes_of_sums(std::size_t count, unsigned width, Type type, std::size_t rest) {
  const std::size_t packed_blocks = (count + 127) / 128;
  const std::size_t chains = (count + 511) / 512;
  const std::size_t full_miniblocks = count / 32 + (count % 32 >= 8 ? 1 : 0);
  const std::size_t reference_words = shape_of(type).reference_words;
  const std::size_t words = 4 + packed_blocks + 1 + packed_blocks * (reference_words + 1) +
                            chains * reference_words + full_miniblocks * width;
  return format::padded_payload_bytes(4 * words + rest, 16);
}

TEST(DforCodec, EveryTypeWidthAndLengthHasItsSizeAndComesBack) {
  std::mt19937_64 random(seed_of_differences);
  const test::TestSample sample = test::test_sample();
  std::size_t number = 0;
  for (const Type type : all_types) {
    for (unsigned width = 0; width <= shape_of(type).max_width(); ++width) {
      for (const std::size_t count :
           {0, 1, 31, 32, 33, 127, 128, 129, 383, 384, 385, 511, 512, 513, 640, 641, 1023, 1024, 1025}) {
        if (!sample.has(number++)) continue;
        SCOPED_TRACE(std::string(shape_of(type).name) + ", width " + std::to_string(width) + ", " +
                     std::to_string(count) + " values, seed " + std::to_string(seed_of_differences));
        ValueBytes block = bytes_of(sums_of_width(count, width, type, random), type);
        const std::size_t rest = count % shape_of(type).value_bytes;
        block.insert(block.end(), rest, 0xa5);
        expect_chains_give_back(block, type);
        if (HasFatalFailure()) return;
        // A miniblock with fewer than eight values may have a smaller width.
        if (count % 32 != 0 && count % 32 < 8 && count % 128 != 1) continue;
        EXPECT_EQ(encode_dfor(block, type).size(), expected_bytes_of_sums(count, width, type, rest));
      }
    }
  }
}

TEST(DforCodec, FillingAPackedBlockCostsNoBits) {
  // Differences of 1000 and 1001: with entries that are 0 in place of the reference they would have 10 bits.
  for (const std::size_t count : {2, 33, 100, 130, 500, 515}) {
    Values values(count);
    for (std::size_t i = 1; i < count; ++i) values[i] = values[i - 1] + 1000 + i % 2;
    const std::size_t packed_blocks = (count + 127) / 128;
    // A miniblock that is partly filled is of one bit too, if it has both differences.
    const std::size_t most_words =
        4 + packed_blocks + 1 + packed_blocks * 2 + (count + 511) / 512 + (count + 31) / 32;
    EXPECT_LE(encode_dfor(bytes_of(values, Type::i32), Type::i32).size(),
              format::padded_payload_bytes(4 * most_words, 16));
  }
}

TEST(DforCodec, APayloadHasTheWordsOfTheFormat) {
  // Differences 2, 3 and 2: the reference is 2, and 0 to 3 are 2 below the first value with 0, 0, 1, 0 more.
  EXPECT_EQ(encode_dfor(bytes_of({10, 12, 15, 17}, Type::i32), Type::i32),
            payload_of_words({2, 4, 4, 0, 6, 10, 8, 2, 1, 0x4}, 40));
  // Without a sign, and a difference of -1.
  EXPECT_EQ(encode_dfor(bytes_of({7, 6, 5}, Type::u32), Type::u32),
            payload_of_words({3, 3, 3, 0, 6, 9, 8, 0xffffffff, 0}, 40));
  // One value alone is the base.
  EXPECT_EQ(encode_dfor(bytes_of({0xfffffffb}, Type::u32), Type::u32),
            payload_of_words({3, 3, 1, 0, 6, 9, 0xfffffffb, 0, 0}, 40));
  // Of 64 bits: base and reference have two words each.
  EXPECT_EQ(encode_dfor(bytes_of({0x500000000, 0x300000001, 0x100000002}, Type::i64), Type::i64),
            payload_of_words({4, 5, 3, 0, 6, 11, 0xffffffff, 6, 1, 0xfffffffe, 0}, 56));
}

TEST(DforCodec, NumbersOfSmallTypesAreExtendedWithTheirSign) {
  // -128 is one below 127: the difference is -1, and -127 of the value before is 1 above.
  EXPECT_EQ(encode_dfor(bytes_of({0x80, 0x7f}, Type::i8), Type::i8),
            payload_of_words({0, 3, 2, 0, 6, 9, 0xffffff81, 0xffffffff, 0}, 40));
  // The base wraps: one before -128 is 127.
  EXPECT_EQ(encode_dfor(bytes_of({0x80, 0x81}, Type::i8), Type::i8),
            payload_of_words({0, 3, 2, 0, 6, 9, 0x7f, 1, 0}, 40));
  EXPECT_EQ(encode_dfor(bytes_of({0x8000, 0x7ffe}, Type::i16), Type::i16),
            payload_of_words({1, 3, 2, 0, 6, 9, 0xffff8002, 0xfffffffe, 0}, 40));
}

TEST(DforCodec, TheFirstValueOfAChainCostsNoBits) {
  // A jump between chains is in the base, one within a chain in a miniblock.
  Values values(2 * std::size_t{chain_values});
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = 3 * i + (i >= chain_values ? 1 << 29 : 0);
  const std::size_t without_jump = encode_dfor(bytes_of(values, Type::i32), Type::i32).size();
  EXPECT_EQ(without_jump, format::padded_payload_bytes(std::uint64_t{4} * (4 + 9 + 8 * 2 + 2), 16));
  values[chain_values] -= 1 << 29;
  EXPECT_EQ(encode_dfor(bytes_of(values, Type::i32), Type::i32).size(),
            format::padded_payload_bytes(std::uint64_t{4} * (4 + 9 + 8 * 2 + 2 + 30), 16));
}

TEST(DforCodec, ValuesOneToNCostLittle) {
  Values values(1 << 20);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = i + 1;
  for (const Type type : {Type::i32, Type::u32}) {
    const double bits = 8.0 * static_cast<double>(encode_dfor(bytes_of(values, type), type).size()) /
                        static_cast<double>(values.size());
    EXPECT_LE(bits, 0.82);
    EXPECT_GE(bits, 0.8125);
  }
}

TEST(DforCodec, ExtremesOfATypeMayAlternate) {
  for (const Type type : all_types) {
    SCOPED_TRACE(std::string(shape_of(type).name));
    Values values(1300);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = smallest_value(type) - i % 2;
    expect_chains_give_back(bytes_of(values, type), type);
    // They are neighbours modulo the type's range, so that differences are 1 and -1.
    EXPECT_LE(encode_dfor(bytes_of(values, type), type).size(), 4U * (4 + 12 + 11 * 3 + 3 * 2 + 44 * 2 + 4));
  }
}

TEST(DforCodec, AChainIsDecodedAlone) {
  Values values(3 * std::size_t{chain_values});
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = i * i;
  ValueBytes payload = encode_dfor(bytes_of(values, Type::i64), Type::i64);
  const std::uint64_t base = 4 * format::load_little_endian<4>(payload.data() + 16 + 4 * std::size_t{4});
  format::store_little_endian<8>(payload.data() + base,
                                 format::load_little_endian<8>(payload.data() + base) + 5);
  for (std::size_t i = 0; i < chain_values; ++i) values[chain_values + i] += 5;
  ASSERT_NO_THROW(check_dfor(payload, 8 * values.size()));
  EXPECT_TRUE(decode_dfor(payload, static_cast<std::uint32_t>(8 * values.size())) ==
              bytes_of(values, Type::i64));
}

}  // namespace
}  // namespace gsst::tile_integer
