#include "data/codag/columns.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "common/format/codag/codag.hpp"
#include "common/frame/checksum.hpp"
#include "reference_cpu/codag/orc_rle_v1_block.hpp"
#include "reference_cpu/codag/orc_rle_v2_block.hpp"

namespace gsst::data::codag {
namespace {

using format::codag::Type;

constexpr std::size_t chunk_bytes = 128 * 1024;
// Two parts, and a few bytes of the third.
constexpr ColumnOfPaper small = {.bytes = (std::uint64_t{2} << 20) + 3, .seed = 1};

std::vector<std::uint8_t> bytes_of_parts(const Parts& parts) {
  std::vector<std::uint8_t> bytes;
  for (std::uint64_t part = 0; part * parts.part_bytes < parts.bytes; ++part) {
    std::vector<std::uint8_t> filled(parts.part_bytes, 0x5A);
    parts.fill(part, filled);
    bytes.insert(bytes.end(), filled.begin(), filled.end());
  }
  bytes.resize(parts.bytes);
  return bytes;
}

struct PublishedRatio {
  std::string name;
  std::function<Parts(const ColumnOfPaper&)> parts;
  Type type;
  // Table V of the paper: compressed over uncompressed bytes.
  double of_rle_v1;
  std::uint64_t checksum;
};

const std::vector<PublishedRatio>& published_ratios() {
  static const std::vector<PublishedRatio> columns = {
      {"mc0", mc0_parts, Type::u64, 0.023, 0x73b64e998e3a1150U},
      {"mc3", mc3_parts, Type::u32, 0.038, 0x41d7e36753476831U},
      {"tpc", tpc_parts, Type::i8, 0.867, 0xddc109941d563861U},
      {"tpt", tpt_parts, Type::i8, 1.41, 0x986f65f3f75888dcU},
      {"cd2", cd2_parts, Type::u32, 0.286, 0x07470fbb882a4d84U},
      {"tc2", tc2_parts, Type::u64, 0.087, 0x41381d0e5eb822a6U},
      {"runs", runs_of_30_parts, Type::i64, 0, 0x3fecf62c2ad420d8U},
      {"outliers", outliers_parts, Type::i64, 0, 0x532f9d46a2acb6c6U}};
  return columns;
}

TEST(CodagColumns, ShrinkAsThePapersDo) {
  for (const PublishedRatio& column : published_ratios()) {
    SCOPED_TRACE(column.name);
    const std::vector<std::uint8_t> bytes = bytes_of_parts(column.parts({.bytes = 2 << 20}));
    std::size_t compressed = 0;
    for (std::span<const std::uint8_t> rest = bytes; !rest.empty(); rest = rest.subspan(chunk_bytes)) {
      const auto payload = reference::codag::encode_orc_rle_v1(rest.first(chunk_bytes), column.type);
      compressed += payload.size() - format::codag::stream_offset;
    }
    const double ratio = static_cast<double>(compressed) / static_cast<double>(bytes.size());
    if (column.of_rle_v1 != 0) {
      EXPECT_NEAR(ratio, column.of_rle_v1, column.of_rle_v1 / 10);
    }
  }
}

// Every machine makes these bytes.
TEST(CodagColumns, HaveTheBytesThatTheyHadBefore) {
  for (const PublishedRatio& column : published_ratios()) {
    EXPECT_EQ(format::checksum(bytes_of_parts(column.parts(small))), column.checksum) << column.name;
  }
}

// Of 64 bits a value, 20 are packed; patches have less than one more.
TEST(CodagColumns, OutliersBecomePatches) {
  const std::vector<std::uint8_t> bytes = bytes_of_parts(outliers_parts({.bytes = chunk_bytes}));
  const auto payload =
      reference::codag::encode_orc_rle_v2(bytes, Type::i64, reference::codag::Packing::aligned);
  constexpr unsigned patched_base = 2;
  EXPECT_EQ(payload.at(format::codag::stream_offset) >> 6U, patched_base);
  const std::size_t values = bytes.size() / sizeof(std::int64_t);
  EXPECT_GT((payload.size() - format::codag::stream_offset) * 8, values * 20);
  EXPECT_LT((payload.size() - format::codag::stream_offset) * 8, values * 21);
}

TEST(CodagColumns, SeedsAndPartsDiffer) {
  for (const PublishedRatio& column : published_ratios()) {
    SCOPED_TRACE(column.name);
    const std::vector<std::uint8_t> one = bytes_of_parts(column.parts(small));
    EXPECT_NE(one, bytes_of_parts(column.parts({.bytes = small.bytes, .seed = 2})));
    const std::span<const std::uint8_t> bytes(one);
    EXPECT_FALSE(std::ranges::equal(bytes.first(1 << 20), bytes.subspan(1 << 20, 1 << 20)));
  }
}

TEST(CodagColumns, TheListOfEdgesIsSortedToItsEnd) {
  const Parts parts = tc2_parts({.bytes = most_bytes});
  std::uint64_t before = 0;
  for (const std::uint64_t part : {std::uint64_t{0}, std::uint64_t{1}, most_bytes / parts.part_bytes - 1}) {
    std::vector<std::uint8_t> filled(parts.part_bytes);
    parts.fill(part, filled);
    std::vector<std::uint64_t> values(filled.size() / sizeof(std::uint64_t));
    std::memcpy(values.data(), filled.data(), filled.size());
    EXPECT_TRUE(std::ranges::is_sorted(values));
    EXPECT_GT(values.front(), before);
    before = values.back();
    // Its identifiers were enough: the last one is not for the rest of the part.
    EXPECT_LT(std::ranges::count(values, before), 1000);
  }
  EXPECT_LT(before, std::uint64_t{1} << 28);
}

TEST(CodagColumns, WhatIsOutOfRangeIsRefused) {
  EXPECT_THROW(mc0_parts({.bytes = 0}), std::invalid_argument);
  EXPECT_THROW(tpt_parts({.bytes = most_bytes + 1}), std::invalid_argument);
}

}  // namespace
}  // namespace gsst::data::codag
