#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "common/format/payload_rules.hpp"
#include "common/format/tile_integer/for_rules.hpp"
#include "common/format/tile_integer/tile_integer.hpp"
#include "reference_cpu/tile_integer/ifor_block.hpp"
#include "stages/tile_integer/tests/decode/values.hpp"

// The oracle of format `ifor`: sizes are computed here once more, from the values alone.
namespace gsst::tile_integer {
namespace {

using format::tile_integer::Packing;
using format::tile_integer::shape_of;
using format::tile_integer::Type;
using reference::tile_integer::decode_ifor;
using reference::tile_integer::encode_ifor;

constexpr std::uint64_t seed_of_lanes = 2030;

void expect_lanes_give_back(const ValueBytes& block, Type type) {
  const ValueBytes payload = encode_ifor(block, type);
  const auto uncompressed = static_cast<std::uint32_t>(block.size());
  ASSERT_NO_THROW(format::tile_integer::check_for_payload(payload, uncompressed, 0, Packing::interleaved));
  ASSERT_LE(payload.size(),
            format::tile_integer::max_for_payload_bytes(type, uncompressed, Packing::interleaved));
  ASSERT_TRUE(decode_ifor(payload, uncompressed) == block);
}

TEST(IforCodec, EveryTypeWidthAndLengthHasItsSizeAndComesBack) {
  std::mt19937_64 random(seed_of_lanes);
  for (const Type type : all_types) {
    for (unsigned width = 0; width <= shape_of(type).max_width(); ++width) {
      for (const std::size_t count : {0, 1, 33, 128, 1023, 1024, 1025}) {
        SCOPED_TRACE(std::string(shape_of(type).name) + ", width " + std::to_string(width) + ", " +
                     std::to_string(count) + " values, seed " + std::to_string(seed_of_lanes));
        Values values;
        for (std::size_t i = 0; i < count; ++i) {
          // The smallest and the largest value of each interleaved block; one that has one value has width 0.
          std::uint64_t difference = lowest_bits(random(), width);
          if (i % 1024 == 0) difference = 0;
          if (i % 1024 == 1) difference = lowest_bits(~std::uint64_t{0}, width);
          values.push_back(smallest_value(type) + difference);
        }
        std::size_t words = 4 + (count + 1023) / 1024 + 1;
        for (std::size_t first = 0; first < count; first += 1024) {
          words += shape_of(type).reference_words + (count - first == 1 ? 0 : 32 * width);
        }
        ValueBytes block = bytes_of(values, type);
        const std::size_t rest = count % shape_of(type).value_bytes;
        block.insert(block.end(), rest, 0xa5);
        expect_lanes_give_back(block, type);
        if (HasFatalFailure()) return;
        EXPECT_EQ(encode_ifor(block, type).size(), format::padded_payload_bytes(4 * words + rest, 16));
      }
    }
  }
}

// Lane 0 has the values 0 to 3 and 128 to 131, lane 1 the values 4 to 7.
TEST(IforCodec, NeighboursOfALaneAreFour) {
  Values values(132, 5);
  for (const std::size_t place : {1, 5, 129}) values[place] = 6;
  const ValueBytes payload = encode_ifor(bytes_of(values, Type::u32), Type::u32);
  const std::vector<std::uint32_t> words = {3, 33, 132, 0, 6, 39, 5, 0x22, 2};
  EXPECT_EQ(payload, payload_of_words(words, 168));
}

TEST(IforCodec, EqualValuesCostASixteenthOfABit) {
  const Values constant(1 << 20, 77);
  const double bits = 8.0 *
                      static_cast<double>(encode_ifor(bytes_of(constant, Type::i32), Type::i32).size()) /
                      static_cast<double>(constant.size());
  EXPECT_LE(bits, 0.0627);
  EXPECT_GE(bits, 0.0625);
}

TEST(IforCodec, OneLargeValueWidensAllOfItsInterleavedBlock) {
  Values values(2048, 1);
  values[1500] = 1 << 20;
  const std::size_t words = 4 + 3 + 2 + 32 * 20;
  EXPECT_EQ(encode_ifor(bytes_of(values, Type::i32), Type::i32).size(),
            format::padded_payload_bytes(4 * words, 16));
}

}  // namespace
}  // namespace gsst::tile_integer
