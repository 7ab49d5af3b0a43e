#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "common/format/payload_rules.hpp"
#include "common/format/tile_integer/for_rules.hpp"
#include "common/format/tile_integer/tile_integer.hpp"
#include "reference_cpu/tile_integer/rfor_block.hpp"
#include "stages/suite/test_sample.hpp"
#include "stages/tile_integer/tests/decode/values.hpp"

// The oracle of format `rfor`: sizes are computed here once more, from the runs alone.
namespace gsst::tile_integer {
namespace {

using format::tile_integer::Packing;
using format::tile_integer::shape_of;
using format::tile_integer::Type;
using reference::tile_integer::decode_rfor;
using reference::tile_integer::encode_rfor;

constexpr std::uint64_t seed_of_runs = 2029;

void expect_runs_give_back(const ValueBytes& block, Type type) {
  const ValueBytes payload = encode_rfor(block, type);
  const auto uncompressed = static_cast<std::uint32_t>(block.size());
  ASSERT_NO_THROW(format::tile_integer::check_for_payload(payload, uncompressed, 0, Packing::runs));
  ASSERT_LE(payload.size(), format::tile_integer::max_for_payload_bytes(type, uncompressed, Packing::runs));
  ASSERT_TRUE(decode_rfor(payload, uncompressed) == block);
}

// The runs of a run block: lengths, and how much each value is above the smallest of the type.
struct RunsOfBlock {
  Values differences;
  Values lengths;
};

// Runs of up to `most` values that have `count` values together, 512 or fewer. Neighbours differ in their
// lowest bit; other bits are random ones of `width`.
RunsOfBlock random_runs(std::size_t count, unsigned width, std::size_t most, std::mt19937_64& random) {
  RunsOfBlock runs;
  for (std::size_t left = count; left > 0; left -= runs.lengths.back()) {
    runs.differences.push_back((lowest_bits(random(), width) & ~std::uint64_t{1}) |
                               runs.differences.size() % 2);
    runs.lengths.push_back(std::min<std::size_t>(left, 1 + random() % most));
  }
  return runs;
}

// Words of the miniblocks of a stream.
std::size_t miniblock_words(const Values& numbers) {
  const std::uint64_t least = *std::ranges::min_element(numbers);
  std::size_t words = 0;
  for (std::size_t first = 0; first < numbers.size(); first += 32) {
    std::uint64_t most = least;
    for (std::size_t i = first; i < std::min(first + 32, numbers.size()); ++i) {
      most = std::max(most, numbers[i]);
    }
    words += std::bit_width(most - least);
  }
  return words;
}

std::size_t run_block_words(const RunsOfBlock& runs, Type type) {
  const std::size_t miniblocks = (runs.lengths.size() + 31) / 32;
  return 1 + shape_of(type).reference_words + 1 + 2 * ((miniblocks + 3) / 4) +
         miniblock_words(runs.differences) + miniblock_words(runs.lengths);
}

TEST(RforCodec, EveryTypeWidthAndLengthHasItsSizeAndComesBack) {
  std::mt19937_64 random(seed_of_runs);
  const test::TestSample sample = test::test_sample();
  std::size_t number = 0;
  for (const Type type : all_types) {
    for (unsigned width = 1; width <= shape_of(type).max_width(); ++width) {
      for (const std::size_t most : {1, 2, 7, 20, 199, 512}) {
        for (const std::size_t count : {0, 1, 31, 32, 33, 127, 128, 129, 511, 512, 513, 1023, 1024, 1025}) {
          if (!sample.has(number++)) continue;
          SCOPED_TRACE(std::string(shape_of(type).name) + ", width " + std::to_string(width) + ", runs to " +
                       std::to_string(most) + ", " + std::to_string(count) + " values, seed " +
                       std::to_string(seed_of_runs));
          Values values;
          std::size_t words = 4 + (count + 511) / 512 + 1;
          while (values.size() < count) {
            const RunsOfBlock runs =
                random_runs(std::min<std::size_t>(count - values.size(), 512), width, most, random);
            words += run_block_words(runs, type);
            for (std::size_t run = 0; run < runs.lengths.size(); ++run) {
              values.insert(values.end(), runs.lengths[run], smallest_value(type) + runs.differences[run]);
            }
          }
          ValueBytes block = bytes_of(values, type);
          const std::size_t rest = count % shape_of(type).value_bytes;
          block.insert(block.end(), rest, 0xa5);
          expect_runs_give_back(block, type);
          if (HasFatalFailure()) return;
          EXPECT_EQ(encode_rfor(block, type).size(), format::padded_payload_bytes(4 * words + rest, 16));
        }
      }
    }
  }
}

TEST(RforCodec, APayloadHasTheWordsOfTheFormat) {
  // Runs of 3 and 1: values 0 and 2 above 7, lengths 2 and 0 above 1, each in two bits.
  EXPECT_EQ(encode_rfor(bytes_of({7, 7, 7, 9}, Type::i32), Type::i32),
            payload_of_words({2, 9, 4, 0, 6, 15, 2, 7, 2, 8, 0, 1, 2, 2, 0}, 72));
  // One value: no miniblock has a word.
  EXPECT_EQ(encode_rfor(bytes_of({0xfffffffb}, Type::u32), Type::u32),
            payload_of_words({3, 5, 1, 0, 6, 11, 1, 0xfffffffb, 0, 1, 0}, 56));
  // Of 64 bits: the reference of values has two words, that of lengths one.
  EXPECT_EQ(encode_rfor(bytes_of({0x500000000, 0x500000000}, Type::i64), Type::i64),
            payload_of_words({4, 6, 2, 0, 6, 12, 1, 0, 5, 0, 2, 0}, 56));
  // Extended with the sign; the smallest in the order of the type comes last.
  EXPECT_EQ(encode_rfor(bytes_of({0x7f, 0x80}, Type::i8), Type::i8),
            payload_of_words({0, 13, 2, 0, 6, 19, 2, 0xffffff80, 8, 0xff, 0, 0, 0, 0, 0, 0, 0, 1, 0}, 88));
}

TEST(RforCodec, WidthsAreFilledUpToWholeWords) {
  // 160 runs of 1 and 2 values in turn are five miniblocks. Only the fifth has values above 3.
  Values values;
  for (std::size_t run = 0; run < 160; ++run) {
    values.insert(values.end(), 1 + run % 2, run < 128 ? run % 4 : run % 32);
  }
  const ValueBytes payload = encode_rfor(bytes_of(values, Type::i32), Type::i32);
  const auto words = [&](std::size_t first) {
    return ValueBytes(payload.begin() + static_cast<std::ptrdiff_t>(4 * first),
                      payload.begin() + static_cast<std::ptrdiff_t>(4 * (first + 2)));
  };
  // After the header, two starts, the number of runs and the reference.
  EXPECT_EQ(words(8), (ValueBytes{2, 2, 2, 2, 5, 0, 0, 0}));
  EXPECT_EQ(words(8 + 2 + 4 * 2 + 5 + 1), (ValueBytes{1, 1, 1, 1, 1, 0, 0, 0}));
}

TEST(RforCodec, RunsEndWhereRunBlocksDo) {
  // 1300 equal values are runs of 512, 512 and 276.
  EXPECT_EQ(encode_rfor(bytes_of(Values(1300, 3), Type::u32), Type::u32),
            payload_of_words(
                {3, 5, 1300, 0, 8, 13, 18, 23, 1, 3, 0, 512, 0, 1, 3, 0, 512, 0, 1, 3, 0, 276, 0}, 104));
}

TEST(RforCodec, FillingAMiniblockCostsNoBits) {
  // Values of 1000 and 1001 in runs of 6 and 7: with 0 in place of the references they would have 10 and 3
  // bits.
  for (const std::size_t runs : {2, 31, 33, 64, 65}) {
    Values values;
    for (std::size_t run = 0; run < runs; ++run) values.insert(values.end(), 6 + run % 2, 1000 + run % 2);
    const std::size_t miniblocks = (runs + 31) / 32;
    const std::size_t most_words = 4 + 2 + 1 + 2 + 2 + 2 * miniblocks;
    EXPECT_LE(encode_rfor(bytes_of(values, Type::i32), Type::i32).size(),
              format::padded_payload_bytes(4 * most_words, 16));
  }
}

TEST(RforCodec, ConstantValuesCostThreeEighthsOfABit) {
  const Values constant(1 << 20, 77);
  const double bits = 8.0 *
                      static_cast<double>(encode_rfor(bytes_of(constant, Type::i32), Type::i32).size()) /
                      static_cast<double>(constant.size());
  EXPECT_LE(bits, 0.3755);
  EXPECT_GE(bits, 0.375);
}

TEST(RforCodec, ExtremesOfATypeMayAlternate) {
  for (const Type type : all_types) {
    SCOPED_TRACE(std::string(shape_of(type).name));
    for (const std::size_t length : {1, 2, 3, 300}) {
      Values values(1300);
      for (std::size_t i = 0; i < values.size(); ++i) values[i] = smallest_value(type) - i / length % 2;
      expect_runs_give_back(bytes_of(values, type), type);
    }
  }
}

}  // namespace
}  // namespace gsst::tile_integer
